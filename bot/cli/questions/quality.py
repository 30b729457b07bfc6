"""`masis eval` and `masis calibrate`: how good the answers are, and what a cosine means here."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.table import Table
from rich.text import Text

from bot.cli.documents.paths import read
from bot.cli.exit_codes import BadInput
from bot.cli.progress_bar import Advance, progress
from bot.cli.questions.report_files import ReportFiles
from bot.cli.session import (
    DebugOption,
    JsonOption,
    Opened,
    Session,
    TeamOption,
    WorkspaceOption,
    error_json,
    opened,
)
from bot.rendering import show
from masis import __version__
from masis.domain import Workspace
from masis.errors import MasisError

if TYPE_CHECKING:
    from bot.compose import App
    from bot.evaluation.calibration import Calibration
    from bot.evaluation.evaluation import Question, Summary
    from bot.evaluation.journal import Journal
    from bot.evaluation.report import About, Report

MAX_BYTES: Final = 20_000_000
"""Of a file of questions."""

_KEPT: Final = "{kept} of {total} questions are kept: the same command goes on with the rest."

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


def evaluate(
    ctx: typer.Context,
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
    team: TeamOption = "",  # noqa: ARG001 - its callback has noted it
    as_json: JsonOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """Ask questions whose answers are known; count what comes out right, and write a report.

    A line holds question, must_include (phrases; alternatives parted by |), gold ([{doc}]),
    answerable (true, false, or null where asking back is right) and kind. In CSV, lists are
    parted by a semicolon. The same command goes on with what was killed.
    """
    session = Session.of(ctx)
    with opened(session, unasked=error_json if as_json else None) as masis:
        questions = _questions(file)
        files = ReportFiles.of(report or Path(f"{file.stem}-report.html"))
        place = masis.do(masis.app.workspace(workspace))
        about = masis.do(_about(masis.app, place, questions, file))
        made = _asked(
            session, masis, place, questions, about, files=files, fresh=fresh, quiet=as_json
        )
    results = [record.judged for record in made.records]
    if as_json:
        for result in results:
            session.print_json(result.model_dump(mode="json"))
        summary = {kind: found.model_dump(mode="json") for kind, found in made.summary.items()}
        session.print_json({"summary": summary, "report": str(files.page)})
    else:
        session.print(table(made.summary))
        session.print(Text(f"Report: {show.line(str(files.page))} (figures: {files.data.name})"))


def _asked(
    session: Session,
    masis: Opened,
    place: Workspace,
    questions: "Sequence[Question]",
    about: "About",
    *,
    files: ReportFiles,
    fresh: bool,
    quiet: bool,
) -> "Report":
    """Ask what has no result yet, keep each result at once, write the report."""
    from bot.evaluation.journal import Journal  # noqa: PLC0415 - help is quick without
    from bot.evaluation.page import of_report  # noqa: PLC0415 - help is quick without
    from bot.evaluation.report import Report  # noqa: PLC0415 - help is quick without

    with Journal(files.journal, about.key, fresh=fresh) as journal:
        _say_where_it_begins(session, journal, len(questions))
        try:
            with progress(session, "Asking", len(questions), quiet=quiet) as advance:
                _ask_the_rest(masis, place, questions, journal, advance)
        except (KeyboardInterrupt, MasisError):
            session.note(_KEPT.format(kept=len(journal.kept), total=len(questions)))
            raise
        now = dt.datetime.now(dt.UTC)
        records = [journal.records[question.id] for question in questions]
        made = Report.of(about.model_copy(update={"finished_at": now}), records)
        files.write(of_report(made), made.model_dump_json())
        if len(journal.kept) < len(questions):
            failed = show.counted(len(questions) - len(journal.kept), "question")
            session.note(f"{failed} failed: the same command asks them again, and no other.")
        else:
            journal.remove()
    return made


def _ask_the_rest(
    masis: Opened,
    place: Workspace,
    questions: "Sequence[Question]",
    journal: "Journal",
    advance: Advance,
) -> None:
    from bot.evaluation.report import Record  # noqa: PLC0415 - help is quick without

    for question in questions:
        if question.id not in journal.kept:
            finished = masis.do(masis.app.assistant.ask(place, question.question))
            journal.add(Record.of(question, finished))
        advance(question.id)


def _say_where_it_begins(session: Session, journal: "Journal", total: int) -> None:
    if journal.is_other:
        session.note("Questions, documents or settings have changed since: all are asked again.")
    elif journal.kept:
        session.note(f"Going on: {len(journal.kept)} of {total} have been asked already.")


async def _about(
    app: "App", place: Workspace, questions: "Sequence[Question]", file: Path
) -> "About":
    from bot.evaluation.report import About, key  # noqa: PLC0415 - help is quick without

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


def calibrate(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Questions: JSON lines or CSV.")],
    *,
    workspace: WorkspaceOption,
    team: TeamOption = "",  # noqa: ARG001 - its callback has noted it
    as_json: JsonOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """Measure on labelled questions what the embedder's cosine means.

    Needs 20 answerable questions with gold documents and 20 that the workspace does not answer,
    in the form of `masis eval`. Prints the setting that puts the result in force.
    """
    session = Session.of(ctx)
    with opened(session, unasked=error_json if as_json else None) as masis:
        from bot.evaluation import calibration  # noqa: PLC0415

        questions = _questions(file)
        place = masis.do(masis.app.workspace(workspace))
        with progress(session, "Searching", len(questions), quiet=as_json) as advance:
            good, off = masis.do(labels(masis.app, place, questions, advance))
        try:
            found = calibration.calibrate(good, off)
        except ValueError as error:
            raise BadInput(f"“{file}” cannot be used: {error}") from None
    if as_json:
        session.print_json(found.model_dump(mode="json"))
    else:
        session.print(calibrated(found))


LABEL_CANDIDATES: Final = 20
"""How deep a gold passage is looked for: as deep as the widest search of a run."""


async def labels(
    app: "App", workspace: Workspace, questions: "Sequence[Question]", advance: Advance
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


def _is_gold(document: str, question: "Question") -> bool:
    """Names may be relative to different folders."""
    return any(
        document == gold.doc
        or f"/{document}".endswith(f"/{gold.doc}")
        or f"/{gold.doc}".endswith(f"/{document}")
        for gold in question.gold
    )


def calibrated(found: "Calibration") -> Text:
    """Describe what the gate does, and the setting that puts it in force."""
    pairs = " ".join(f"{cosine:g}:{relevance:g}" for cosine, relevance in found.points)
    return Text(
        f"Cosine {found.gate.cosine:.3f} is the gate: it loses {found.gate.lost:.0%} of the"
        f" questions that are answered and stops {found.gate.stopped:.0%} of the others"
        f" (separation {found.separation:.2f}).\n"
        f'MASIS_EMBEDDING_CALIBRATION="{pairs}"'
    )


def _questions(file: Path) -> "list[Question]":
    from bot.evaluation import evaluation  # noqa: PLC0415

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


def table(kinds: "dict[str, Summary]") -> Table:
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
