"""`masis manifest`: what Slack wants to create the app, made to fit how this bot is reached."""

from typing import Annotated

import typer
import yaml

from bot.cli.options import JSON, command
from bot.cli.session import Session, reporting
from bot.slack.install.manifest import fitted, packaged


@command(JSON)
def manifest(
    session: Session,
    *,
    url: Annotated[
        str, typer.Option(help="The https address under which Slack reaches this bot.")
    ] = "",
    socket: Annotated[
        bool, typer.Option("--socket", help="For Socket Mode: one workspace, no address.")
    ] = False,
) -> None:
    """Print the manifest to paste where Slack asks for one when an app is created."""
    with reporting(session):
        made = fitted(packaged(), url=url, socket=socket)
        if session.as_json:
            session.print_json(made)
        else:
            session.out.out(yaml.safe_dump(made, sort_keys=False, allow_unicode=True), end="")
