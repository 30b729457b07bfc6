"""`masis ask`: a question, its steps while they run, its answer or the question back."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.status import Status
from rich.text import Text

from bot.cli import exit_codes
from bot.cli.local_files import LocalFiles
from bot.cli.options import JSON, TEAM, WorkspaceOption, command
from bot.cli.session import Opened, Session, opened
from bot.rendering import show
from masis.domain import WITHOUT_REPLY, Failed, NeedsClarification, Question, Refused, Workspace
from masis.filters import Filters, of_values
from masis.questions.replies import answering

if TYPE_CHECKING:
    from masis.assistant import Finished
    from masis.documents.attaching import Files
    from masis.domain import AnyOutcome
    from masis.runs import OnStep, Step

RetriesOption = Annotated[
    int | None,
    typer.Option(metavar="N", help="Extra passes after a draft that does not pass, 0 to 5."),
]
AttachOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--attach",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="Read this file for this question alone; may be repeated.",
    ),
]
TraceOption = Annotated[bool, typer.Option("--trace", help="Show how the answer came about.")]


@dataclass(frozen=True)
class Where:
    """Hold where to look, as options say it."""

    folders: Annotated[
        list[str] | None,
        typer.Option("--in", metavar="FOLDER", help="Look in this folder only; may be repeated."),
    ] = None
    files: Annotated[
        list[str] | None,
        typer.Option("--file", metavar="NAME", help="Look in this document only; may be repeated."),
    ] = None
    kinds: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="KIND", help="Look in this kind only: pdf, docx, word, …"),
    ] = None
    sections: Annotated[
        list[str] | None,
        typer.Option("--section", metavar="WORDS", help="Look under headings with these words."),
    ] = None
    fields: Annotated[
        list[str] | None,
        typer.Option("--where", metavar="KEY=VALUE", help="Look in documents with this field."),
    ] = None
    after: Annotated[
        str,
        typer.Option(metavar="DATE", help="Look in documents of this day (month, year) or later."),
    ] = ""
    before: Annotated[
        str, typer.Option(metavar="DATE", help="Look in documents dated earlier than this.")
    ] = ""

    def filters(self) -> Filters:
        """Read the filters that a question is asked with.

        Raises:
            BadParameter: one of them cannot be meant.
        """
        try:
            return of_values(
                folders=self.folders or [],
                files=self.files or [],
                kinds=self.kinds or [],
                sections=self.sections or [],
                fields=self.fields or [],
                after=self.after,
                before=self.before,
            )
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error


MAX_REPLIES: Final = 5
"""Replies in one conversation at the terminal; then it is time for a new question."""


@command(JSON, TEAM)
def ask(
    session: Session,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know.")],
    *,
    workspace: WorkspaceOption,
    max_retries: RetriesOption = None,
    where: Where,
    attach: AttachOption = None,
    trace: TraceOption = False,
) -> None:
    """Ask a workspace; the answer cites its sources.

    Where to look may also stand in the question: in:handbook/ type:pdf after:2026-01-01 @plan.docx
    """
    asked = within(readable(question), where.filters())
    with opened(session, unasked=show.unasked_json) as masis:
        place = masis.do(masis.app.workspace(workspace))
        masis.app.check_profile(place)
        retries = masis.app.settings.max_retries if max_retries is None else max_retries
        conversation = Conversation(
            session,
            masis,
            place,
            max_retries=retries,
            files=LocalFiles(attach or [], masis.app.max_file_bytes),
        )
        finished = conversation.once(asked)
        if session.as_json:
            session.print_json(show.finished_json(finished))
        else:
            conversation.show(finished, trace=trace)
            finished = conversation.go_on(finished, trace=trace)
    raise typer.Exit(exit_codes.of_outcome(finished.outcome))


def within(question: str, filters: Filters) -> str:
    """The question as it would be written with these filters in it."""
    return f"{question} {filters.written()}" if filters and question.strip() else question


def readable(text: str) -> str:
    """Typed text without half characters, which no database stores."""
    return text.encode("utf-8", "replace").decode("utf-8")


class Conversation:
    """A question and the replies to what was asked back, each a run of its own.

    `files` come with the question, and with each reply to it.
    """

    def __init__(
        self,
        session: Session,
        masis: Opened,
        workspace: Workspace,
        *,
        max_retries: int,
        files: "Files | None" = None,
    ) -> None:
        self._files = files
        self._session = session
        self._masis = masis
        self._workspace = workspace
        self._max_retries = max_retries
        self._searched = ""

    def once(
        self, question: "str | Question", *, quiet: bool = False, parent: str | None = None
    ) -> "Finished":
        """One run to its end, its steps shown while it runs.

        Raises:
            InvalidQuestion: the question is empty or too long.
            StoreUnavailable: the run could not be stored.
        """
        self._searched = question if isinstance(question, str) else question.standalone
        with steps(self._session, quiet=quiet) as on_step:
            return self._masis.do(self._asked(question, parent, on_step))

    async def _asked(
        self, question: "str | Question", parent: str | None, on_step: "OnStep | None"
    ) -> "Finished":
        app, workspace, run_id = self._masis.app, self._workspace, str(uuid.uuid4())
        plain = Question.plain(question) if isinstance(question, str) else question
        async with app.attaching.attached(workspace, run_id, plain, self._files) as asked:
            return await app.assistant.ask(
                workspace,
                asked,
                run_id=run_id,
                max_retries=self._max_retries,
                parent_run_id=parent,
                on_step=on_step,
            )

    def show(self, finished: "Finished", *, trace: bool) -> None:
        """The outcome, and its trail where it is wanted."""
        show_finished(self._session, finished)
        if trace:
            self._session.out.print(show.trail(finished))

    def go_on(self, finished: "Finished", *, trace: bool) -> "Finished":
        """Take replies while MASIS asks back and somebody answers; give the last run."""
        for _ in range(MAX_REPLIES):
            reply = self._reply(finished)
            if not reply:
                break
            outcome = finished.outcome
            finished = self.once(self.asked_on(outcome, reply), parent=outcome.run_id)
            self.show(finished, trace=trace)
        return finished

    def asked_on(self, outcome: "AnyOutcome", reply: str) -> "Question":
        """The question of the fresh run that a reply begins."""
        kind = outcome.kind if isinstance(outcome, NeedsClarification) else "low_confidence"
        offered = outcome.questions if isinstance(outcome, NeedsClarification) else []
        return answering(outcome.question, self._searched, kind, reply, questions=offered)

    def _reply(self, finished: "Finished") -> str:
        outcome = finished.outcome
        helps = isinstance(outcome, NeedsClarification) and outcome.kind not in WITHOUT_REPLY
        if not (helps and self._session.can_ask):
            return ""
        self._session.out.print(Text("\nYour reply (Enter to leave it):", style="bold"))
        try:
            return readable(input("> ")).strip()
        except EOFError:
            return ""


def show_finished(session: Session, finished: "Finished") -> None:
    """Show what came of a run."""
    match finished.outcome:
        case Failed() as failed:
            session.fail(show.operators(failed), label="Failed")
        case Refused(reason=said):
            session.fail(said, label="Refused")
        case outcome:
            session.out.print(show.outcome(outcome))


@contextmanager
def steps(session: Session, *, quiet: bool) -> Iterator["StepsShown | None"]:
    """Shows steps as they happen: drawn on a terminal, as lines on standard error elsewhere."""
    console = session.live
    if quiet or session.as_json:
        yield None
    elif console is None:
        yield StepsShown(session.err, None)
    else:
        with Status("Starting", console=console) as status:
            yield StepsShown(console, status)


class StepsShown:
    """Tells of each step of a run."""

    def __init__(self, console: Console, status: Status | None) -> None:
        self._console = console
        self._status = status

    def __call__(self, step: "Step") -> None:
        """Show that a step began, or that it is done."""
        words = f"{step.title} ({show.line(step.note)})" if step.note else step.title
        if self._status is None:
            if step.state == "started":
                self._console.print(Text(f"{words} …"))
        elif step.state == "started":
            self._status.update(Text(words))
        else:
            self._console.print(Text(f"✓ {words}", style="dim"))
