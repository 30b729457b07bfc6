"""`masis playground`: a chat on this machine to try MASIS in, with the real bot and sample papers."""

import asyncio
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from bot.cli.exit_codes import ExitCode
from bot.cli.operations.role_process import deadline
from bot.cli.options import command
from bot.cli.session import Session, reporting
from bot.rendering import show
from bot.settings import Settings


@command()
def playground(
    session: Session,
    *,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The page's port; 0 picks a free one.")
    ] = 0,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Print the address, and open no browser.")
    ] = False,
    oneshot: Annotated[
        bool, typer.Option("--oneshot", help="Hold one conversation as text instead, and end.")
    ] = False,
    teams: Annotated[
        bool, typer.Option("--teams", help="Talk in Microsoft Teams instead, at this terminal.")
    ] = False,
    data_dir: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Another data folder than MASIS_DATA_DIR."),
    ] = None,
) -> None:
    """Try MASIS in a chat on this machine: no account, no key, no network."""

    def load(**overrides: Any) -> Settings:
        given = {"data_dir": data_dir} if data_dir else {}
        return session.load(**(given | overrides))

    def say(line: str) -> None:
        session.out.print(Text(show.safe(line)))

    with reporting(session):
        if teams:
            _talk_in_teams(session, load, say, oneshot=oneshot)
            raise typer.Exit(ExitCode.OK)
        from bot.playground.playing import Playing  # the whole bot, seconds: help is quick without

        playing = Playing(load, session.note)
        if oneshot:
            asyncio.run(playing.oneshot(say))
        else:
            opened = None if no_open else _open
            asyncio.run(playing.served(port, opened, deadline().start))
    raise typer.Exit(ExitCode.OK)


def _talk_in_teams(
    session: Session, load: Callable[..., Settings], say: Callable[[str], None], *, oneshot: bool
) -> None:
    from bot.playground.teams import playing_teams  # the whole bot, seconds

    talking = playing_teams.oneshot if oneshot else playing_teams.at_terminal
    asyncio.run(talking(load, session.note, say))


def _open(url: str) -> None:
    """Open a browser where there is a desktop; one for terminals would take this one's."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    if type(browser) is not webbrowser.GenericBrowser:
        browser.open(url)
