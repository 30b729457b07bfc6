"""`masis manifest`: what a chat wants to create the app, made to fit how this bot is reached."""

from pathlib import Path
from typing import Annotated

import typer
import yaml

from bot.cli.options import JSON, command
from bot.cli.session import Session, reporting
from bot.slack.install.manifest import fitted, packaged
from bot.teams.package.app_package import app_manifest, zipped
from masis.errors import InvalidSettings


@command(JSON)
def manifest(
    session: Session,
    *,
    url: Annotated[
        str, typer.Option(help="The https address under which the chat reaches this bot.")
    ] = "",
    socket: Annotated[
        bool, typer.Option("--socket", help="For Socket Mode: one workspace, no address.")
    ] = False,
    teams: Annotated[
        bool, typer.Option("--teams", help="Write the app package of Microsoft Teams instead.")
    ] = False,
    out: Annotated[Path, typer.Option(help="Where the app package of Teams is written.")] = Path(
        "masis-teams.zip"
    ),
) -> None:
    """Print the manifest that Slack asks for, or write the app package of Microsoft Teams."""
    with reporting(session):
        if teams:
            _write_package(session, url, out, socket=socket)
            return
        made = fitted(packaged(), url=url, socket=socket)
        if session.as_json:
            session.print_json(made)
        else:
            session.out.out(yaml.safe_dump(made, sort_keys=False, allow_unicode=True), end="")


def _write_package(session: Session, url: str, out: Path, *, socket: bool) -> None:
    """Write the package of Teams; as JSON only its manifest is told."""
    if socket:
        raise InvalidSettings("--socket is Slack's: Teams calls an https address")
    made = app_manifest(session.load().teams_app_id, url)
    if session.as_json:
        session.print_json(made)
        return
    try:
        out.write_bytes(zipped(made))
    except OSError as error:
        raise InvalidSettings(f"{out} cannot be written ({type(error).__name__})") from None
    session.note(f"{out} is written. An admin uploads it in Teams: Apps, Manage your apps.")
