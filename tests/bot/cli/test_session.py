import pytest
import typer

from bot.cli.exit_codes import BadInput
from bot.cli.session import Session, reporting
from bot.settings import load
from masis.conversation import Tenant
from tests.bot.program import Masis


def test_traceback_appears_only_with_debug(masis: Masis) -> None:
    """An error is one line and a traceback only with debug."""
    plain = masis("docs", "--workspace", "w")
    assert plain.exit_code == 2
    assert len(plain.stderr.splitlines()) == 1
    for arguments in (["--debug", "docs", "-w", "w"], ["docs", "-w", "w", "--debug"]):
        shown = masis(*arguments)
        assert shown.exit_code == 2
        assert shown.stderr.startswith("Traceback")
        assert shown.stderr.endswith(plain.stderr)


def test_a_misspelt_variable_stops_every_command(masis: Masis) -> None:
    for command in (
        ["workspaces"],
        ["graph"],
        ["docs", "-w", "w"],
        ["demo"],
        ["ask", "?", "-w", "w"],
    ):
        result = masis(*command, MASIS_MAX_RETRYS="1")
        assert result.exit_code == 2
        assert "did you mean MASIS_MAX_RETRIES?" in result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_each_error_line_is_labelled(capsys: pytest.CaptureFixture[str]) -> None:
    """An error of several lines has each labelled."""
    session = Session(load=load, as_json=True)
    with pytest.raises(typer.Exit) as left, reporting(session):
        raise BadInput("one\ntwo\x1b[2J")
    assert left.value.exit_code == 2
    captured = capsys.readouterr()
    assert captured.err == "Error: one\nError: two[2J\n"
    assert captured.out == '{"status": "failed", "error": "one\\ntwo\\u001b[2J"}\n'


def test_what_is_piped_is_not_wrapped(capsys: pytest.CaptureFixture[str]) -> None:
    session = Session(load=load)
    session.note("word " * 500)
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_team_is_a_tenant() -> None:
    assert Session(load=load).tenant is None
    assert Session(load=load, team="T0123").tenant == Tenant(team="T0123")
    assert Session(load=load, team="E1/T0123").tenant == Tenant(enterprise="E1", team="T0123")
