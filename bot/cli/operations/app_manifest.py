"""`masis manifest`: what Slack wants to create the app, made to fit how this bot is reached."""

from typing import Annotated

import typer
import yaml

from bot.cli.session import DebugOption, JsonOption, Session, reporting
from bot.slack.install.manifest import fitted, packaged


def manifest(
    ctx: typer.Context,
    *,
    url: Annotated[
        str, typer.Option(help="The https address under which Slack reaches this bot.")
    ] = "",
    socket: Annotated[
        bool, typer.Option("--socket", help="For Socket Mode: one workspace, no address.")
    ] = False,
    as_json: JsonOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """Print the manifest to paste where Slack asks for one when an app is created."""
    session = Session.of(ctx)
    with reporting(session):
        made = fitted(packaged(), url=url, socket=socket)
        if as_json:
            session.print_json(made)
        else:
            session.out.out(yaml.safe_dump(made, sort_keys=False, allow_unicode=True), end="")
