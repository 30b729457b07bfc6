"""`masis eval` and `masis calibrate`: how good the answers are, and what a cosine means here."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.table import Table

from bot.cli import show
from bot.cli.exit_codes import BadInput
from bot.cli.paths import read
from bot.cli.progress import progress
from bot.cli.running import (
    DebugOption,
    JsonOption,
    Session,
    WorkspaceOption,
    error_json,
    opened,
)

if TYPE_CHECKING:
    from masis.evaluation import Question, Result, Summary

MAX_BYTES: Final = 20_000_000
"""Of a file of questions."""


def evaluate(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Questions: JSON lines or CSV.")],
    *,
    workspace: WorkspaceOption,
    as_json: JsonOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """Ask questions with known answers, and print how many came out right.

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


def _questions(file: Path) -> "list[Question]":
    from masis import evaluation  # noqa: PLC0415 - help is quick without

    content = read(file, MAX_BYTES)
    if isinstance(content, str):
        raise BadInput(f"the questions “{file}” cannot be used: {content}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"the questions “{file}” are not UTF-8 text") from None
    return evaluation.load(text, file.name)


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
