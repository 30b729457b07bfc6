"""Give every command what it needs: consoles, settings, the open application, honest errors."""

import asyncio
import sys
import traceback
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Self, TypeVar

import typer
from rich.console import Console
from rich.text import Text

from bot.cli import exit_codes
from bot.compose import App, compose
from bot.owners import owner_of, tenant_of
from bot.rendering import show
from bot.settings import Settings
from masis.conversation import Tenant
from masis.errors import MasisError

T = TypeVar("T")

_UNBOUNDED: Final = 100_000
"""The width where nobody looks: what is piped into a file is not wrapped."""


def _console(*, stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    shown = stream.isatty()
    return Console(
        stderr=stderr,
        force_terminal=shown,
        width=None if shown else _UNBOUNDED,
        highlight=False,
        markup=False,
        emoji=False,
    )


@dataclass
class Session:
    """One call of the program."""

    load: Callable[..., Settings]
    debug: bool = False
    as_json: bool = False
    """Whether results are for a program."""
    team: str = ""
    """The chat team whose workspaces are meant; empty for the command line's own."""

    @classmethod
    def of(cls, ctx: typer.Context) -> Self:
        """The session that `main` put into the context."""
        return ctx.ensure_object(cls)

    @property
    def tenant(self) -> Tenant | None:
        """The team that `--team` names, which `opened` has checked; None where it names none."""
        if not self.team:
            return None
        return tenant_of(self.team)

    @cached_property
    def out(self) -> Console:
        """Return the console where results go."""
        return _console(stderr=False)

    @cached_property
    def err(self) -> Console:
        """Return the console where errors and progress go."""
        return _console(stderr=True)

    @property
    def live(self) -> Console | None:
        """The console that may draw progress; None when nobody looks at one."""
        return next((each for each in (self.out, self.err) if each.is_terminal), None)

    @property
    def can_ask(self) -> bool:
        """Say whether a person is at the terminal, which shows the output and takes the input."""
        return self.out.is_terminal and sys.stdin.isatty()

    def print_json(self, value: object) -> None:
        """Give a program one line."""
        self.out.out(show.as_json(value), highlight=False)

    def note(self, text: str) -> None:
        """Tell the person at the terminal something beside the result."""
        self.err.print(Text(show.safe(text)))

    def fail(self, text: str, *, label: str = "Error") -> None:
        """Say what went wrong and what to do."""
        for each in show.safe(text).splitlines():
            self.err.print(Text.assemble((f"{label}: ", "bold red"), each))


def error_json(error: str) -> dict[str, Any]:
    """Return what `--json` prints when a command failed as a whole."""
    return {"status": "failed", "error": error}


@contextmanager
def reporting(
    session: Session, unasked: Callable[[str], dict[str, Any]] = error_json
) -> Iterator[None]:
    """Turn an expected error into its line and exit code, and for programs into `unasked`'s JSON."""
    try:
        yield
    except MasisError as error:
        if session.debug:
            traceback.print_exception(error)
        session.fail(str(error))
        if session.as_json:
            session.print_json(unasked(str(error)))
        raise typer.Exit(exit_codes.of_error(error)) from None


@dataclass(frozen=True)
class Opened:
    """The composed application, for commands, which are synchronous.

    Between two calls of `do` no event loop runs, so that a prompt can be broken off by Ctrl-C.
    """

    app: App
    _runner: asyncio.Runner

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Do it, and give its result."""
        return self._runner.run(work)


@contextmanager
def opened(
    session: Session,
    *,
    unasked: Callable[[str], dict[str, Any]] = error_json,
    settings: Settings | None = None,
) -> Iterator[Opened]:
    """The application, closed afterwards; expected errors end the command with their code."""
    with reporting(session, unasked):
        chosen = settings or session.load()
        with asyncio.Runner() as runner:
            opening = compose(chosen, owner_of(session.team))
            app = runner.run(opening.__aenter__())
            try:
                yield Opened(app, runner)
            finally:
                runner.run(opening.__aexit__(None, None, None))
