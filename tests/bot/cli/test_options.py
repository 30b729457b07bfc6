from dataclasses import dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

from bot.cli.options import JSON, TEAM, command
from bot.cli.session import Session
from bot.settings import load


@dataclass(frozen=True)
class Colours:
    """Two options in one value."""

    front: Annotated[str, typer.Option()] = "black"
    back: Annotated[str, typer.Option()] = "white"


def test_shared_options_are_noted_in_the_session() -> None:
    """A command's own options come by name, those of a dataclass as one value."""
    seen: list[tuple[str, bool, bool, str, Colours]] = []
    app = typer.Typer(rich_markup_mode=None)

    @app.command()
    @command(JSON, TEAM)
    def paint(
        session: Session, what: Annotated[str, typer.Argument()], *, colours: Colours
    ) -> None:
        seen.append((session.team, session.as_json, session.debug, what, colours))

    words = ["wall", "--back", "red", "--team", "T0123", "--json", "--debug"]
    result = CliRunner().invoke(app, words, obj=Session(load=load), catch_exceptions=False)

    assert result.exit_code == 0, result.output
    assert seen == [("T0123", True, True, "wall", Colours(back="red"))]


def test_a_command_has_only_the_options_it_names() -> None:
    """`--debug` is every command's."""
    app = typer.Typer(rich_markup_mode=None)

    @app.command()
    @command(JSON)
    def paint(session: Session) -> None:
        session.out.print("painted")

    def left(*words: str) -> int:
        return CliRunner().invoke(app, words, obj=Session(load=load)).exit_code

    assert left("--json", "--debug") == 0
    assert left("--team", "T0123") == 2
