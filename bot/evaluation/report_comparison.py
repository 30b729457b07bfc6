"""Two reports held against each other: which questions end otherwise now, both sides of each."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from bot.evaluation import report_charts
from bot.evaluation.evaluation import GOOD, folded
from bot.evaluation.markup import page
from bot.evaluation.report import ALL, Record, Report
from bot.rendering.show import counted

Direction = Literal["better", "worse", "other"]

_DIRECTIONS: Final[dict[Direction, str]] = {
    "worse": "Worse",
    "better": "Better",
    "other": "Otherwise, no better",
}
"""In the order in which they are shown: what got worse is what is looked for."""


class Change(NamedTuple):
    """A question whose verdict is another one now."""

    before: Record
    after: Record

    @property
    def direction(self) -> Direction:
        """Towards good, away from it, or neither."""
        was, is_ = self.before.verdict in GOOD, self.after.verdict in GOOD
        return "other" if was == is_ else "better" if is_ else "worse"


class Comparison(NamedTuple):
    """`both` counts the questions that stand in both reports, changed or not."""

    changes: list[Change]
    both: int
    only_before: list[Record]
    only_after: list[Record]

    def count(self, direction: Direction) -> int:
        """The changes in that direction."""
        return sum(change.direction == direction for change in self.changes)


def compare(before: Report, after: Report) -> Comparison:
    """Questions go together by their words: ids may be line numbers, which move."""
    old, new = _by_words(before.records), _by_words(after.records)
    pairs = [Change(old[words], new[words]) for words in old if words in new]
    changes = [pair for pair in pairs if pair.before.verdict != pair.after.verdict]
    order = list(_DIRECTIONS)
    return Comparison(
        changes=sorted(changes, key=lambda change: order.index(change.direction)),
        both=len(pairs),
        only_before=[record for words, record in old.items() if words not in new],
        only_after=[record for words, record in new.items() if words not in old],
    )


def _by_words(records: Sequence[Record]) -> dict[tuple[str, int], Record]:
    """One that is asked several times is parted by its number."""
    found: dict[tuple[str, int], Record] = {}
    seen: dict[str, int] = {}
    for record in records:
        words = folded(record.question.question)
        seen[words] = seen.get(words, 0) + 1
        found[words, seen[words]] = record
    return found


def said(found: Comparison) -> str:
    """The comparison in a line."""
    parts = [f"{found.count(each)} {each}" for each in _DIRECTIONS if found.count(each)]
    changed = f"{len(found.changes)} ended otherwise"
    return f"{counted(found.both, 'question')} in both: {changed}" + (
        f" ({', '.join(parts)})." if parts else "."
    )


def of_comparison(before: Report, after: Report, found: Comparison) -> str:
    """Write the whole page."""
    title = f"“{before.about.workspace}” before and after"
    if before.about.workspace != after.about.workspace:
        title = f"“{before.about.workspace}” and “{after.about.workspace}”"
    rows = {"before": before.verdicts[ALL], "after": after.verdicts[ALL]}
    return page(
        "comparison.html.jinja",
        title=title,
        before=before,
        after=after,
        found=found,
        said=said(found),
        directions=_DIRECTIONS,
        ended=report_charts.outcomes(rows, "How the questions ended"),
    )
