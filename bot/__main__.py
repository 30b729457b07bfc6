"""The entry of `masis` and of `python -m bot`."""

import logging
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final

import typer.main

from bot import settings
from bot.cli.app import app
from bot.cli.running import Session
from bot.cli.show import line
from bot.logs import keep_texts_out

_FORMAT: Final = "%(levelname)s %(name)s: %(message)s"

_CHATTY: Final = ("openai", "httpx", "httpx2", "httpcore", "httpcore2")
"""Loggers of the libraries that call services."""


def main() -> None:
    """Run the command line; the exit codes are told by `masis --help`."""
    session = Session(load=settings.load)
    session.load = _logging(session)
    sys.excepthook = _hook(session)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that lacks a character shows a question mark instead of failing.
            stream.reconfigure(errors="replace")
    typer.main.get_command(app).main(prog_name="masis", obj=session)


def _logging(session: Session) -> Callable[..., settings.Settings]:
    """Loads the settings, and begins to log as they say."""

    def load(**overrides: Any) -> settings.Settings:  # noqa: ANN401 - any field's type
        loaded = settings.load(**overrides)
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter(_FORMAT) if session.debug else _OneLine(_FORMAT))
        logging.basicConfig(level=loaded.log_level, handlers=[handler], force=True)
        for name in _CHATTY:
            # Their INFO is a line for every request, for who looks for just that.
            quiet = logging.NOTSET if loaded.log_level == "DEBUG" else logging.WARNING
            logging.getLogger(name).setLevel(quiet)
        keep_texts_out()
        return loaded

    return load


class _OneLine(logging.Formatter):
    """A line for each record, without a traceback and without what a terminal obeys."""

    def format(self, record: logging.LogRecord) -> str:
        return line(super().format(record))

    def formatException(self, ei: object) -> str:  # noqa: ARG002, N802 - the name that logging calls
        return ""


def _hook(session: Session) -> Callable[..., None]:
    """Shows a bug in one line, with its traceback under --debug alone."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if session.debug:
            sys.__excepthook__(kind, error, trace)
        said = f"{kind.__name__}: {error}"
        session.fail(f"{line(said)}. This is a bug in MASIS; --debug shows where it happened.")

    return hook


if __name__ == "__main__":
    main()
