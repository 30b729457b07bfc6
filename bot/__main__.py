"""The entry of `masis`, and of `python -m bot`, which serves where it is given no command."""

import sys
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

import typer.main

from bot import settings
from bot.cli.program import app
from bot.cli.session import Session
from bot.observability import logs
from bot.rendering.show import line


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; the exit codes are told by `masis --help`.

    `arguments`: those of the process where none are given.
    """
    session = Session(load=settings.load)
    session.load = _logging(session)
    sys.excepthook = _hook(session)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that lacks a character shows a question mark instead of failing.
            stream.reconfigure(errors="replace")
    typer.main.get_command(app).main(arguments, prog_name="masis", obj=session)


def _logging(session: Session) -> Callable[..., settings.Settings]:
    """Loads the settings, and begins to log as they say."""

    def load(**overrides: Any) -> settings.Settings:
        loaded = settings.load(**overrides)
        logs.configure(loaded, debug=session.debug)
        return loaded

    return load


def _hook(session: Session) -> Callable[..., None]:
    """Shows a bug in one line, with its traceback under --debug alone."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if session.debug:
            sys.__excepthook__(kind, error, trace)
        said = f"{kind.__name__}: {error}"
        session.fail(f"{line(said)}. This is a bug in MASIS; --debug shows where it happened.")

    return hook


if __name__ == "__main__":
    main(sys.argv[1:] or ["serve"])
