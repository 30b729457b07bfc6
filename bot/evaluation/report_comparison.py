"""Two reports held against each other: which questions end otherwise now, both sides of each."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from lxml.html import HtmlElement

from bot.evaluation import report_charts
from bot.evaluation.answer_page import body, pill
from bot.evaluation.evaluation import GOOD, folded
from bot.evaluation.markup import el, page
from bot.evaluation.page import about
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
    """The whole page."""
    title = f"“{before.about.workspace}” before and after"
    if before.about.workspace != after.about.workspace:
        title = f"“{before.about.workspace}” and “{after.about.workspace}”"
    rows = {"before": before.verdicts[ALL], "after": after.verdicts[ALL]}
    return page(
        title,
        el("h1", title),
        el("p", f"Before: {about(before)}", class_="about"),
        el("p", f"After: {about(after)}", class_="about"),
        el("p", said(found)),
        report_charts.outcomes(rows, "How the questions ended"),
        *(_card(change) for change in found.changes),
        *_alone("Only before", found.only_before),
        *_alone("Only after", found.only_after),
    )


def _card(change: Change) -> HtmlElement:
    question = change.after.question
    where = f"{_DIRECTIONS[change.direction]} · {question.kind} · {question.id}"
    return el(
        "article",
        el("p", where, class_="meta"),
        el("h3", question.question),
        el("div", _side("Before", change.before), _side("After", change.after), class_="both"),
        data_direction=change.direction,
    )


def _side(name: str, record: Record) -> HtmlElement:
    return el("div", el("h4", name), el("p", pill(record)), *body(record))


def _alone(name: str, records: Sequence[Record]) -> Iterable[HtmlElement]:
    if records:
        items = [el("li", record.question.question) for record in records]
        yield el("section", el("h2", name), el("ul", *items))
