"""`masis compare`: what is otherwise in a later report of `masis eval`."""

from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.table import Table
from rich.text import Text

from bot.cli.documents.paths import read
from bot.cli.exit_codes import BadInput
from bot.cli.options import JSON, command
from bot.cli.questions.report_files import check_page, put
from bot.cli.session import Session, reporting
from bot.evaluation import report as reports
from bot.evaluation import report_comparison
from bot.evaluation.report_comparison import Change, Comparison
from bot.evaluation.report_words import VERDICTS
from bot.rendering import show

MAX_BYTES: Final = 400_000_000
"""Of a report: as much as the longest file of questions makes."""


@command(JSON)
def compare(
    session: Session,
    before: Annotated[Path, typer.Argument(metavar="BEFORE.json", help="The earlier report.")],
    after: Annotated[Path, typer.Argument(metavar="AFTER.json", help="The later one.")],
    *,
    report: Annotated[
        Path | None,
        typer.Option("--report", "-o", metavar="FILE.html", help="Write a page of both sides."),
    ] = None,
) -> None:
    """List the questions that end otherwise in the second of two reports of `masis eval`."""
    with reporting(session):
        if report is not None:
            check_page(report)
        old, new = _report(before), _report(after)
        found = report_comparison.compare(old, new)
        if report is not None:
            put(report, report_comparison.of_comparison(old, new, found))
    if session.as_json:
        session.print_json(_json(found))
        return
    session.out.print(Text(report_comparison.said(found)))
    if found.changes:
        session.out.print(table(found))
    if report is not None:
        session.out.print(Text(f"Both sides: {show.line(str(report))}"))


def _report(path: Path) -> reports.Report:
    content = read(path, MAX_BYTES)
    if isinstance(content, str):
        raise BadInput(f"“{show.line(str(path))}” cannot be used: {content}")
    return reports.read(content, show.line(str(path)))


def table(found: Comparison) -> Table:
    """A row for each change."""
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("", "Before", "After", "Question"):
        shown.add_column(heading, overflow="fold", no_wrap=heading != "Question")
    for change in found.changes:
        shown.add_row(
            change.direction,
            VERDICTS[change.before.verdict],
            VERDICTS[change.after.verdict],
            show.line(change.after.question.question),
        )
    return shown


def _json(found: Comparison) -> dict[str, Any]:
    return {
        "both": found.both,
        "changes": [_change(change) for change in found.changes],
        "only_before": [record.question.question for record in found.only_before],
        "only_after": [record.question.question for record in found.only_after],
    }


def _change(change: Change) -> dict[str, str]:
    return {
        "question": change.after.question.question,
        "before": change.before.verdict,
        "after": change.after.verdict,
        "direction": change.direction,
    }
