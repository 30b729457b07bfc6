import logging
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot import __main__ as entry
from bot.cli.session import Session
from bot.observability import logs
from bot.settings import load

ROOT = Path(__file__).parents[2]
HEAVY = ("langgraph", "onnxruntime", "openai", "qdrant_edge", "qdrant_client", "tokenizers")

WRONG = {"MASIS_NOPE": "1"}
"""The quickest way to an error."""


def environment(data_dir: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "MASIS_DATA_DIR": str(data_dir), "PYTHONPATH": str(ROOT), **more}


def run(data_dir: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "bot", *arguments],
        env=environment(data_dir, **more),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def test_help_lists_exit_codes(data_dir: Path) -> None:
    """The program says what it can do and what its exit codes mean."""
    result = run(data_dir, "--help")
    assert result.returncode == 0
    for word in [
        "ingest",
        "ask",
        "docs",
        "delete",
        "workspaces",
        "eval",
        "calibrate",
        "graph",
        "doctor",
        "demo",
    ]:
        assert f"\n  {word} " in result.stdout
    assert "    3  `ask` has asked back instead of answering" in result.stdout
    assert "--install-completion" in result.stdout
    assert not data_dir.exists(), "help makes nothing"


def test_module_without_command_starts_bot(data_dir: Path) -> None:
    """The module without a command is a bot and not the help."""
    result = run(data_dir, **WRONG)
    assert result.returncode == 2
    assert result.stderr.startswith("Error: MASIS_NOPE is no setting")
    assert result.stdout == ""


@pytest.mark.parametrize("arguments", [["ask", "--help"], ["docs", "-w", "w"]], ids=" ".join)
def test_light_commands_load_no_heavy_library(data_dir: Path, arguments: list[str]) -> None:
    code = (
        "import sys, atexit\n"
        f"heavy = {HEAVY!r}\n"
        "atexit.register(lambda: print('LOADED', [m for m in heavy if m in sys.modules]))\n"
        f"sys.argv = ['masis', *{arguments!r}]\n"
        "from bot.__main__ import main\n"
        "main()\n"
    )
    result = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", code],
        env=environment(data_dir),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "LOADED []" in result.stdout, result.stderr


def test_completion_is_offered(data_dir: Path) -> None:
    result = run(
        data_dir,
        _MASIS_COMPLETE="complete_bash",
        COMP_WORDS="masis do",
        COMP_CWORD="1",
    )
    assert result.stdout.split() == ["docs", "doctor"]


def test_misspelt_variable_stops_the_program(data_dir: Path) -> None:
    """A misspelt variable stops the program with one line."""
    result = run(data_dir, "graph", MASIS_MAX_RETRYS="1")
    assert result.returncode == 2
    assert result.stderr == (
        "Error: MASIS_MAX_RETRYS is no setting of MASIS: did you mean MASIS_MAX_RETRIES?\n"
    )
    assert result.stdout == ""


@pytest.fixture
def _root_logger_restored() -> Iterator[None]:
    names = ("", *logs._CHATTY)
    levels = {name: logging.getLogger(name).level for name in names}
    handlers = logging.root.handlers[:]
    logging.root.handlers = []
    yield
    logging.root.handlers = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.mark.usefixtures("_root_logger_restored")
@pytest.mark.parametrize(("level", "heard"), [("INFO", False), ("DEBUG", True)])
def test_requests_are_logged_only_at_debug(
    capsys: pytest.CaptureFixture[str], *, level: str, heard: bool
) -> None:
    """A line for every request is logged at debug alone."""
    entry._logging(Session(load=load))(log_level=level)
    logging.getLogger("httpx2").info("HTTP Request: POST")
    logging.getLogger("masis").info("ours")
    said = capsys.readouterr().err
    assert ("HTTP Request" in said) is heard
    assert "INFO masis: ours" in said


def test_bug_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A bug is one line that calls itself a bug."""
    session = Session(load=load)
    entry._hook(session)(ZeroDivisionError, ZeroDivisionError("by\nzero\x1b[2J"), None)
    assert capsys.readouterr().err == (
        "Error: ZeroDivisionError: by zero[2J. This is a bug in MASIS; --debug shows where it"
        " happened.\n"
    )
    session.debug = True
    entry._hook(session)(ZeroDivisionError, ZeroDivisionError("by zero"), None)
    assert "ZeroDivisionError: by zero\nError: " in capsys.readouterr().err


def test_piped_output_has_no_colours(data_dir: Path) -> None:
    """Output through a pipe has no colours."""
    error = run(data_dir, "graph", FORCE_COLOR="1", CLICOLOR_FORCE="1", **WRONG)
    assert error.stderr.startswith("Error: MASIS_NOPE is no setting")


def on_a_terminal(
    data_dir: Path, arguments: list[str], typed: str = "", **more: str
) -> tuple[int, str]:
    """Run on a pseudo terminal, and give the exit code and all that was shown."""
    ours, theirs = pty.openpty()
    program = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "bot", *arguments],
        env=environment(data_dir, TERM="xterm-256color", **more),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    os.write(ours, typed.encode())
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end was closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    return program.wait(timeout=60), shown.decode("utf-8", "replace")


def test_terminal_colours_respect_no_color(data_dir: Path) -> None:
    """A terminal gets colours unless no color is set."""
    code, shown = on_a_terminal(data_dir, ["graph"], **WRONG)
    assert code == 2
    assert "\x1b[1;31mError: \x1b[0m" in shown
    code, plain = on_a_terminal(data_dir, ["graph"], NO_COLOR="1", **WRONG)
    assert code == 2
    assert "31m" not in plain


def test_terminal_clarification_takes_a_reply(library: Path) -> None:
    """On a terminal a question back takes a reply and asks anew."""
    code, shown = on_a_terminal(
        library,
        ["ask", "How large is the swimming pool of the moon base?", "-w", "handbook"],
        typed="I mean: how many days of annual leave are there?\n\n",
    )
    assert "Your reply (Enter to leave it):" in shown
    assert "26 days" in shown
    assert code in {0, 3}
