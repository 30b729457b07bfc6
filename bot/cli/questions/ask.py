"""`masis ask`: a question, its steps while they run, its answer or the question back."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console
from rich.status import Status
from rich.text import Text

from bot.cli import exit_codes
from bot.cli.session import (
    DebugOption,
    JsonOption,
    Opened,
    Session,
    TeamOption,
    WorkspaceOption,
    opened,
)
from bot.rendering import show
from masis.domain import Failed, NeedsClarification, Refused, Workspace
from masis.filters import Filters, of_values
from masis.questions.replies import answering

if TYPE_CHECKING:
    from masis.assistant import Finished
    from masis.domain import AnyOutcome, Question
    from masis.runs import Step

FoldersOption = Annotated[
    list[str] | None,
    typer.Option("--in", metavar="FOLDER", help="Look in this folder only; may be repeated."),
]
FilesOption = Annotated[
    list[str] | None,
    typer.Option("--file", metavar="NAME", help="Look in this document only; may be repeated."),
]
KindsOption = Annotated[
    list[str] | None,
    typer.Option("--type", metavar="KIND", help="Look in this kind only: pdf, docx, word, …"),
]
SectionsOption = Annotated[
    list[str] | None,
    typer.Option("--section", metavar="WORDS", help="Look under headings with these words."),
]
WhereOption = Annotated[
    list[str] | None,
    typer.Option("--where", metavar="KEY=VALUE", help="Look in documents with this field."),
]
AfterOption = Annotated[
    str,
    typer.Option(metavar="DATE", help="Look in documents of this day (month, year) or later."),
]
BeforeOption = Annotated[
    str, typer.Option(metavar="DATE", help="Look in documents dated earlier than this.")
]

MAX_REPLIES: Final = 5
"""Replies in one conversation at the terminal; then it is time for a new question."""


def ask(
    ctx: typer.Context,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know.")],
    *,
    workspace: WorkspaceOption,
    max_retries: Annotated[
        int | None,
        typer.Option(metavar="N", help="Extra passes after a draft that does not pass, 0 to 5."),
    ] = None,
    folders: FoldersOption = None,
    files: FilesOption = None,
    kinds: KindsOption = None,
    sections: SectionsOption = None,
    fields: WhereOption = None,
    after: AfterOption = "",
    before: BeforeOption = "",
    trace: Annotated[bool, typer.Option("--trace", help="Show how the answer came about.")] = False,
    as_json: JsonOption = False,
    team: TeamOption = "",  # noqa: ARG001 - its callback has noted it
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """Ask a workspace; the answer cites its sources.

    Where to look may also stand in the question: in:handbook/ type:pdf after:2026-01-01 @plan.docx
    """
    session = Session.of(ctx)
    where = _filters(
        folders=folders or [],
        files=files or [],
        kinds=kinds or [],
        sections=sections or [],
        fields=fields or [],
        after=after,
        before=before,
    )
    with opened(session, unasked=show.unasked_json if as_json else None) as masis:
        place = masis.do(masis.app.workspace(workspace))
        masis.app.check_profile(place)
        asked = Conversation(
            session,
            masis,
            place,
            max_retries=masis.app.settings.max_retries if max_retries is None else max_retries,
        )
        finished = asked.once(within(readable(question), where), quiet=as_json)
        if as_json:
            session.print_json(show.finished_json(finished))
        else:
            asked.show(finished, trace=trace)
            finished = asked.go_on(finished, trace=trace)
    raise typer.Exit(exit_codes.of_outcome(finished.outcome))


def _filters(**values: Any) -> Filters:
    try:
        return of_values(**values)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def within(question: str, filters: Filters) -> str:
    """The question as it would be written with these filters in it."""
    return f"{question} {filters.written()}" if filters and question.strip() else question


def readable(text: str) -> str:
    """Typed text without half characters, which no database stores."""
    return text.encode("utf-8", "replace").decode("utf-8")


class Conversation:
    """A question and the replies to what was asked back, each a run of its own."""

    def __init__(
        self, session: Session, masis: Opened, workspace: Workspace, *, max_retries: int
    ) -> None:
        self._session = session
        self._masis = masis
        self._workspace = workspace
        self._max_retries = max_retries
        self._searched = ""

    def once(
        self, question: "str | Question", *, quiet: bool, parent: str | None = None
    ) -> "Finished":
        """One run to its end, its steps shown while it runs.

        Raises:
            InvalidQuestion: the question is empty or too long.
            StoreUnavailable: the run could not be stored.
        """
        self._searched = question if isinstance(question, str) else question.standalone
        with steps(self._session, quiet=quiet) as on_step:
            return self._masis.do(
                self._masis.app.assistant.ask(
                    self._workspace,
                    question,
                    max_retries=self._max_retries,
                    parent_run_id=parent,
                    on_step=on_step,
                )
            )

    def show(self, finished: "Finished", *, trace: bool) -> None:
        """The outcome, and its trail where it is wanted."""
        match finished.outcome:
            case Failed() as failed:
                self._session.fail(show.operators(failed), label="Failed")
            case Refused(reason=said):
                self._session.fail(said, label="Refused")
            case outcome:
                self._session.print(show.outcome(outcome))
        if trace:
            self._session.print(show.trail(finished))

    def go_on(self, finished: "Finished", *, trace: bool) -> "Finished":
        """Take replies while MASIS asks back and somebody answers; give the last run."""
        for _ in range(MAX_REPLIES):
            reply = self._reply(finished)
            if not reply:
                break
            outcome = finished.outcome
            finished = self.once(self._asked_on(outcome, reply), quiet=False, parent=outcome.run_id)
            self.show(finished, trace=trace)
        return finished

    def _asked_on(self, outcome: "AnyOutcome", reply: str) -> "Question":
        """The question of the fresh run that a reply begins."""
        kind = outcome.kind if isinstance(outcome, NeedsClarification) else "low_confidence"
        offered = outcome.questions if isinstance(outcome, NeedsClarification) else []
        return answering(outcome.question, self._searched, kind, reply, questions=offered)

    def _reply(self, finished: "Finished") -> str:
        outcome = finished.outcome
        # No reply helps a workspace without documents.
        helps = isinstance(outcome, NeedsClarification) and outcome.kind != "empty_workspace"
        if not (helps and self._session.can_ask):
            return ""
        self._session.print(Text("\nYour reply (Enter to leave it):", style="bold"))
        try:
            return readable(input("> ")).strip()
        except EOFError:
            return ""


@contextmanager
def steps(session: Session, *, quiet: bool) -> Iterator["StepsShown | None"]:
    """Shows steps as they happen: drawn on a terminal, as lines on standard error elsewhere."""
    console = session.live
    if quiet:
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
