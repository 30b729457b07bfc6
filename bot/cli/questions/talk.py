"""`masis chat`: a conversation in the terminal, which knows what was said before."""

import sys
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Group
from rich.text import Text

from bot.cli import exit_codes
from bot.cli.exit_codes import ExitCode
from bot.cli.local_files import LocalFiles
from bot.cli.options import JSON, TEAM, WorkspaceOption, command
from bot.cli.questions.ask import RetriesOption, TraceOption, readable, steps
from bot.cli.questions.terminal_thread import TerminalThread
from bot.cli.session import Opened, Session, opened
from bot.rendering import show
from masis.domain import Answered, Failed, NeedsClarification, Refused
from masis.errors import MasisError

if TYPE_CHECKING:
    from masis.assistant import Finished

HELP: Final = (
    "/wider searches wider for the last question, /sources shows what its answer cites, /new begins"
    " anew, /quit (or Ctrl-D) ends. A number asks the question that stands beside it."
)
NO_ANSWER: Final = "Nothing was answered yet."
NO_SOURCES: Final = "The last answer cites nothing."
CANCELLED: Final = "Cancelled. Nothing of it was kept."
GO_ON: Final = (
    "masis chat --workspace {workspace} --thread {thread} goes on with this conversation."
)

AttachOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--attach",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="Read this file for the questions of this conversation alone; may be repeated.",
    ),
]
ThreadOption = Annotated[
    str, typer.Option("--thread", metavar="ID", help="Go on with an earlier conversation.")
]


@command(JSON, TEAM)
def chat(
    session: Session,
    *,
    workspace: WorkspaceOption,
    thread: ThreadOption = "",
    max_retries: RetriesOption = None,
    attach: AttachOption = None,
    trace: TraceOption = False,
) -> None:
    """Talk with a workspace: each line is a question, which may go on with those before it.

    In a conversation: /wider, /sources, /new, /help, /quit. Lines may be piped in; with --json each
    outcome is a line.
    """
    with opened(session, unasked=show.unasked_json) as masis:
        place = masis.do(masis.app.workspace(workspace))
        masis.app.check_profile(place)
        retries = masis.app.settings.max_retries if max_retries is None else max_retries
        files = LocalFiles(attach or [], masis.app.max_file_bytes)
        talk = TerminalThread(
            masis.app, place, tenant=session.tenant, max_retries=retries, files=files
        )
        if thread:
            masis.do(talk.resume(thread))
        Chat(session, masis, talk, trace=trace).held(workspace)


class Chat:
    """Takes lines until they end, and shows what becomes of each."""

    def __init__(
        self, session: Session, masis: Opened, thread: TerminalThread, *, trace: bool
    ) -> None:
        self._session = session
        self._masis = masis
        self._thread = thread
        self._trace = trace
        self._asked = False
        self._code = ExitCode.OK

    def held(self, workspace: str) -> None:
        """Hold the conversation; its end says how to go on with it.

        Raises:
            Exit: a question failed, where nobody is at the terminal.
        """
        if self._session.can_ask:
            self._session.note(HELP)
        for line in self._lines():
            if line in ("/quit", "/exit"):
                break
            self._turn(line)
        if self._asked and not self._session.as_json:
            named = show.line(workspace)
            self._session.note(GO_ON.format(workspace=named, thread=self._thread.id))
        if not self._session.can_ask and self._code is not ExitCode.OK:
            raise typer.Exit(self._code)

    def _lines(self) -> Iterator[str]:
        """What is typed, a line each; what is piped in is shown nowhere."""
        if not self._session.can_ask:
            yield from filter(None, (readable(line).strip() for line in sys.stdin))
            return
        with suppress(ImportError):
            import readline  # noqa: F401 - to edit a line, and find the ones before
        while True:
            try:
                line = readable(input("> ")).strip()
            except EOFError:
                self._session.out.print(Text())
                return
            except KeyboardInterrupt:
                self._session.out.print(Text())
                continue
            if line:
                yield line

    def _turn(self, line: str) -> None:
        match line:
            case "/wider":
                self._show(self._run(self._wider()))
            case "/sources":
                self._sources()
            case "/new":
                self._thread.begin()
                self._asked = False
                self._session.note("A new conversation.")
            case _ if line.startswith("/"):
                self._session.note(HELP)
            case _:
                self._show(self._run(self._say(self._meant(line))))

    def _meant(self, line: str) -> str:
        """The question that a number stands for, where one was offered under it; else the line."""
        offered = show.offered(self._thread.last) if self._thread.last else []
        chosen = line.rstrip(".)")
        is_number = chosen.isascii() and chosen.isdigit() and 1 <= int(chosen) <= len(offered)
        return offered[int(chosen) - 1] if is_number else line

    async def _say(self, text: str) -> "Finished":
        with steps(self._session, quiet=False) as on_step:
            return await self._thread.say(text, on_step)

    async def _wider(self) -> "Finished | None":
        with steps(self._session, quiet=False) as on_step:
            return await self._thread.wider(on_step)

    def _run(self, work: Coroutine[Any, Any, "Finished | None"]) -> "Finished | None":
        """Do it; Ctrl-C ends it, and not the conversation where somebody is there to go on."""
        try:
            finished = self._masis.do(work)
        except MasisError as error:
            self._refuse(str(error), exit_codes.of_error(error))
            return None
        except KeyboardInterrupt:
            if not self._session.can_ask:
                raise
            self._session.note(CANCELLED)
            return None
        if finished is None:
            self._refuse(NO_ANSWER, ExitCode.USAGE)
        return finished

    def _refuse(self, said: str, code: ExitCode) -> None:
        self._code = code
        if self._session.as_json:
            self._session.print_json(show.unasked_json(said))
        else:
            self._session.fail(said)

    def _show(self, finished: "Finished | None") -> None:
        if finished is None:
            return
        self._asked = True
        if isinstance(finished.outcome, Failed | Refused):
            self._code = exit_codes.of_outcome(finished.outcome)
        if self._session.as_json:
            plain = show.finished_json(finished) | {"thread": self._thread.id}
            self._session.print_json(plain)
            return
        match finished.outcome:
            case Failed() as failed:
                self._session.fail(show.operators(failed), label="Failed")
            case Refused(reason=said):
                self._session.fail(said, label="Refused")
            case outcome:
                self._session.out.print(Group(show.outcome(outcome, numbered=True), Text()))
        if self._trace:
            self._session.out.print(show.trail(finished))

    def _sources(self) -> None:
        """Show the passages that the last answer cites, as they were when it was given."""
        if self._session.as_json:
            return
        last = self._thread.last
        if not isinstance(last, Answered | NeedsClarification):
            self._session.note(NO_ANSWER)
        elif not last.citations:
            self._session.note(NO_SOURCES)
        else:
            self._session.out.print(show.passages(last.citations))
