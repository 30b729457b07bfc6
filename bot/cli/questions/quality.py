"""`masis eval` and `masis calibrate`: how good the answers are, and what a cosine means here."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.table import Table
from rich.text import Text

from bot.cli.documents.paths import read
from bot.cli.exit_codes import BadInput
from bot.cli.options import JSON, TEAM, WorkspaceOption, command
from bot.cli.progress_bar import Advance, progress
from bot.cli.questions.report_files import ReportFiles
from bot.cli.session import Opened, Session, opened
from bot.compose import App
from bot.evaluation import calibration, evaluation
from bot.evaluation.calibration import Calibration
from bot.evaluation.evaluation import Question, Summary
from bot.evaluation.journal import Journal
from bot.evaluation.page import of_report
from bot.evaluation.report import About, Record, Report, key
from bot.rendering import show
from masis import __version__
from masis.domain import Workspace
from masis.errors import MasisError

MAX_BYTES: Final = 20_000_000
"""Of a file of questions."""

_KEPT: Final = "{kept} of {total} questions are kept: the same command goes on with the rest."
_ALL_AGAIN: Final = "Questions, documents or settings have changed since: all are asked again."

SETTINGS: Final = {
    "writer_model",
    "writer_base_url",
    "auditor_model",
    "auditor_base_url",
    "judge_model",
    "judge_base_url",
    "model_base_url",
    "relevance_threshold",
    "confidence_threshold",
    "clamp_is_an_issue",
    "max_retries",
    "embedder",
    "embedding_model",
    "embedding_calibration",
}
"""Results under different ones of these are not of one report. How long a run may take is none of
them: raising it is what is done where runs failed for it."""


@command(TEAM, JSON)
def evaluate(
    session: Session,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Questions: JSON lines or CSV.")],
    *,
    workspace: WorkspaceOption,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            "-o",
            metavar="FILE.html",
            help="Where the report goes, and beside it the same as .json; else FILE-report.html.",
        ),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Ask all again, also what a killed call has asked.")
    ] = False,
) -> None:
    """Ask questions whose answers are known; count what comes out right, and write a report.

    A line holds question, must_include (phrases; alternatives parted by |), gold ([{doc}]),
    answerable (true, false, or null where asking back is right) and kind. In CSV, lists are
    parted by a semicolon. The same command goes on with what was killed.
    """
    with opened(session) as masis:
        questions = _questions(file)
        files = ReportFiles.of(report or Path(f"{file.stem}-report.html"))
        place = masis.do(masis.app.workspace(workspace))
        about = masis.do(_about(masis.app, place, questions, file))
        with Journal(files.journal, about.key, fresh=fresh) as journal:
            asking = _Asking(session, masis, place, questions, journal)
            asking.ask_the_rest()
            made = asking.report(about)
            files.write(of_report(made), made.model_dump_json())
            asking.end()
    _tell(session, made, files)


def _tell(session: Session, made: Report, files: ReportFiles) -> None:
    if not session.as_json:
        session.out.print(table(made.summary))
        session.out.print(
            Text(f"Report: {show.line(str(files.page))} (figures: {files.data.name})")
        )
        return
    for record in made.records:
        session.print_json(record.judged.model_dump(mode="json"))
    summary = {kind: found.model_dump(mode="json") for kind, found in made.summary.items()}
    session.print_json({"summary": summary, "report": str(files.page)})


@dataclass(frozen=True)
class _Asking:
    """Ask a workspace questions; the journal keeps each result at once."""

    session: Session
    masis: Opened
    place: Workspace
    questions: Sequence[Question]
    journal: Journal

    def ask_the_rest(self) -> None:
        """Ask what has no result yet."""
        self._say_where_it_begins()
        total = len(self.questions)
        try:
            with progress(self.session, "Asking", total) as advance:
                for question in self.questions:
                    self._ask(question)
                    advance(question.id)
        except (KeyboardInterrupt, MasisError):
            self.session.note(_KEPT.format(kept=len(self.journal.kept), total=total))
            raise

    def report(self, about: About) -> Report:
        """Make the report of all results."""
        now = dt.datetime.now(dt.UTC)
        records = [self.journal.records[question.id] for question in self.questions]
        return Report.of(about.model_copy(update={"finished_at": now}), records)

    def end(self) -> None:
        """Remove the journal, unless questions failed, which are asked again by its help."""
        failed = len(self.questions) - len(self.journal.kept)
        if failed:
            said = show.counted(failed, "question")
            self.session.note(f"{said} failed: the same command asks them again, and no other.")
        else:
            self.journal.remove()

    def _ask(self, question: Question) -> None:
        if question.id not in self.journal.kept:
            finished = self.masis.do(self.masis.app.assistant.ask(self.place, question.question))
            self.journal.add(Record.of(question, finished))

    def _say_where_it_begins(self) -> None:
        if self.journal.is_other:
            self.session.note(_ALL_AGAIN)
        elif self.journal.kept:
            kept = len(self.journal.kept)
            self.session.note(f"Going on: {kept} of {len(self.questions)} have been asked already.")


async def _about(app: App, place: Workspace, questions: Sequence[Question], file: Path) -> About:
    documents = await app.repository.documents(place.id)
    extractive = app.context.agents.extractive
    written = app.settings.writer_model
    return About(
        file=file.name,
        workspace=place.name,
        documents=place.documents,
        passages=place.chunks,
        answered_by="the bundled agents, which quote" if extractive else written,
        version=__version__,
        finished_at=dt.datetime.now(dt.UTC),
        key=key(
            questions,
            place,
            documents,
            {
                **app.settings.model_dump(mode="json", include=SETTINGS),
                "extractive": extractive,
                "version": __version__,
            },
        ),
    )


@command(TEAM, JSON)
def calibrate(
    session: Session,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Questions: JSON lines or CSV.")],
    *,
    workspace: WorkspaceOption,
) -> None:
    """Measure on labelled questions what the embedder's cosine means.

    Needs 20 answerable questions with gold documents and 20 that the workspace does not answer,
    in the form of `masis eval`. Prints the setting that puts the result in force.
    """
    with opened(session) as masis:
        questions = _questions(file)
        place = masis.do(masis.app.workspace(workspace))
        with progress(session, "Searching", len(questions)) as advance:
            good, off = masis.do(labels(masis.app, place, questions, advance))
        try:
            found = calibration.calibrate(good, off)
        except ValueError as error:
            raise BadInput(f"“{file}” cannot be used: {error}") from None
    if session.as_json:
        session.print_json(found.model_dump(mode="json"))
    else:
        session.out.print(calibrated(found))


LABEL_CANDIDATES: Final = 20
"""How deep a gold passage is looked for: as deep as the widest search of a run."""


async def labels(
    app: App, workspace: Workspace, questions: Sequence[Question], advance: Advance
) -> tuple[list[float], list[float]]:
    """The nearness of each answerable question's best gold passage, and of each other one's best.

    Raises:
        BadInput: there is no embedder.
    """
    if app.embedder is None:
        raise BadInput("There is no embedder to calibrate (MASIS_EMBEDDER=none).")
    good: list[float] = []
    off: list[float] = []
    for question in questions:
        result = await app.retrieval.search(workspace.id, question.question, limit=LABEL_CANDIDATES)
        seen = result.candidates
        if question.answerable:
            seen = [each for each in seen if _is_gold(each.document, question)]
        if seen and question.answerable is not None:
            (good if question.answerable else off).append(max(each.nearness for each in seen))
        advance(question.id)
    return good, off


def _is_gold(document: str, question: Question) -> bool:
    """Names may be relative to different folders."""
    return any(
        document == gold.doc
        or f"/{document}".endswith(f"/{gold.doc}")
        or f"/{gold.doc}".endswith(f"/{document}")
        for gold in question.gold
    )


def calibrated(found: Calibration) -> Text:
    """Describe what the gate does, and the setting that puts it in force."""
    pairs = " ".join(f"{cosine:g}:{relevance:g}" for cosine, relevance in found.points)
    return Text(
        f"Cosine {found.gate.cosine:.3f} is the gate: it loses {found.gate.lost:.0%} of the"
        f" questions that are answered and stops {found.gate.stopped:.0%} of the others"
        f" (separation {found.separation:.2f}).\n"
        f'MASIS_EMBEDDING_CALIBRATION="{pairs}"'
    )


def _questions(file: Path) -> list[Question]:
    if _is_missing(file):
        raise BadInput(f"There is no file “{file}”.")
    content = read(file, MAX_BYTES)
    if isinstance(content, str):
        raise BadInput(f"“{file}” cannot be used: {content}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"“{file}” cannot be used: it is not UTF-8 text.") from None
    questions = evaluation.load(text, file.name)
    broken = next((each.id for each in questions if not evaluation.is_text(each)), None)
    if broken is not None:
        raise BadInput(f"“{file}” cannot be used: {broken} holds characters that are none.")
    return questions


def _is_missing(file: Path) -> bool:
    try:
        return not file.exists()
    except OSError:
        return False  # reading it says why it cannot be had


def table(kinds: dict[str, Summary]) -> Table:
    """A row for each kind of question; what a kind cannot show stays empty."""
    shown = Table(box=None, pad_edge=False, header_style="bold")
    shown.add_column("Kind")
    for heading in ("Questions", "Contained", "Cites gold", "Held back", "False refusals"):
        shown.add_column(heading, justify="right")
    for kind, summary in kinds.items():
        shares = (summary.contained, summary.cites_gold, summary.held_back, summary.false_refusals)
        cells = [
            f"{share.hits}/{share.of}  {share.share:.0%}" if share.of else "" for share in shares
        ]
        shown.add_row(show.line(kind), str(summary.questions), *cells)
    return shown
