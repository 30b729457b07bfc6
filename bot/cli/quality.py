"""`masis eval` and `masis calibrate`: how good the answers are, and what a cosine means here."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.table import Table
from rich.text import Text

from bot.cli import show
from bot.cli.exit_codes import BadInput
from bot.cli.paths import read
from bot.cli.progress import Advance, progress
from bot.cli.running import (
    DebugOption,
    JsonOption,
    Session,
    TeamOption,
    WorkspaceOption,
    error_json,
    opened,
)
from masis.domain import Workspace

if TYPE_CHECKING:
    from bot.compose import App
    from masis.calibration import Calibration
    from masis.evaluation import Question, Result, Summary

MAX_BYTES: Final = 20_000_000
"""Of a file of questions."""


def evaluate(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Questions: JSON lines or CSV.")],
    *,
    workspace: WorkspaceOption,
    team: TeamOption = "",  # noqa: ARG001 - its callback has noted it
    as_json: JsonOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """Ask questions whose answers are known; count what comes out right.

    A line holds question, must_include (phrases; alternatives parted by |), gold ([{doc}]),
    answerable (true, false, or null where asking back is right) and kind. In CSV, lists are
    parted by a semicolon.
    """
    session = Session.of(ctx)
    with opened(session, unasked=error_json if as_json else None) as masis:
        from masis import evaluation  # noqa: PLC0415 - help is quick without

        questions = _questions(file)
        place = masis.do(masis.app.workspace(workspace))
        with progress(session, "Asking", len(questions), quiet=as_json) as advance:
            results = masis.do(
                evaluation.evaluate(
                    masis.app.assistant, place, questions, lambda result: advance(result.id)
                )
            )
    summaries = _summaries(results)
    if as_json:
        for result in results:
            session.print_json(result.model_dump(mode="json"))
        session.print_json(
            {"summary": {kind: found.model_dump(mode="json") for kind, found in summaries.items()}}
        )
    else:
        session.print(table(summaries))


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
        from masis import calibration  # noqa: PLC0415 - help is quick without

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
    """What the gate does, and the setting that puts it in force."""
    pairs = " ".join(f"{cosine:g}:{relevance:g}" for cosine, relevance in found.points)
    return Text(
        f"Cosine {found.gate.cosine:.3f} is the gate: it loses {found.gate.lost:.0%} of the"
        f" questions that are answered and stops {found.gate.stopped:.0%} of the others"
        f" (separation {found.separation:.2f}).\n"
        f'MASIS_EMBEDDING_CALIBRATION="{pairs}"'
    )


def _questions(file: Path) -> "list[Question]":
    from masis import evaluation  # noqa: PLC0415 - help is quick without

    if _is_missing(file):
        raise BadInput(f"There is no file “{file}”.")
    content = read(file, MAX_BYTES)
    if isinstance(content, str):
        raise BadInput(f"“{file}” cannot be used: {content}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"“{file}” cannot be used: it is not UTF-8 text.") from None
    return evaluation.load(text, file.name)


def _is_missing(file: Path) -> bool:
    try:
        return not file.exists()
    except OSError:
        return False  # reading it says why it cannot be had


def _summaries(results: "Sequence[Result]") -> "dict[str, Summary]":
    """Each kind of question apart, then all results together."""
    from masis import evaluation  # noqa: PLC0415 - help is quick without

    kinds = {kind: evaluation.summarise(some) for kind, some in evaluation.by_kind(results).items()}
    return {**kinds, "all": evaluation.summarise(results)}


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
