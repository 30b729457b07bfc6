"""Weigh the figures that one side of a calculation may mean: by their words, their time and their place."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from masis.calculating.asked_calculation import Wanted
from masis.calculating.asked_grammar import GENERIC, TOTALS
from masis.calculating.dimensions.numbers import written_amounts
from masis.calculating.figure_pool import Pool, Title, alternatives
from masis.domain import Figure, Period
from masis.text.lexical import terms
from masis.text.periods import without_periods

MOST_CANDIDATES: Final = 12
"""Figures of one side that are weighed with those of the other."""
MISSING: Final = 1 / 3
"""Share of the words asked for that a figure need not have; with any it is no sure one."""
_STRAY: Final = 0.12
"""What a word costs that a figure has and that nobody asked for."""
_MOST_STRAY: Final = 6
_ON_A_DAY: Final = 0.2
"""What it costs a figure to be as of a day of the year that is asked for, or a sum of its parts."""
_DERIVED_ALREADY: Final = 0.5
"""What it costs a figure to stand in a column, or a table of shares, of what was calculated already."""
_EXPECTED: Final = 0.5
"""What it costs a figure to be a forecast where none is asked for."""
_RESTATED: Final = re.compile(r"\b(?:restated|revised)\b", re.IGNORECASE)
_RESTATED_COST: Final = 0.4
"""What it costs a figure to be restated where none is asked for: the plain ones are comparable."""
_TAKEN_OFF_COST: Final = 0.5
"""What it costs a figure to go off what is asked for: of energy the cost is all there is, of sales it is not."""
_DERIVED: Final = frozenset(terms("change changes difference growth variance increase decrease"))
"""Columns of what was calculated already."""
_TITLED: Final = 0.3
"""What it earns a figure that its document is of a period that was named beside its own."""
_NAMED: Final = 0.5
"""What it earns a figure that its row is named by words of the question."""
_FURTHER: Final = 0.3
"""What each further word of a name earns that stands whole in the question: "cost of sales" beside "sales"."""
_MOST_FURTHER: Final = 2
_CELL: Final = 0.2
"""What it earns a figure to stand in a table's cell: a sentence may be of anything."""
_SAID: Final = 1.0
"""What it earns a figure that its amount is named."""
_LENT: Final = 1.5
"""What the words of the other side earn: "Benelux against UK weekly allowance"."""


class Side(NamedTuple):
    """What one of two figures is to be of; `beside` are periods that its document may be of.

    `named` are the terms without which it is another thing: names, and what tells two things apart;
    `barred` are those with which it is the other of the two. `expected` says whether it is a forecast,
    where one of the two is.
    """

    text: str
    asked: frozenset[str]
    period: Period | None
    lent: frozenset[str]
    beside: tuple[Period, ...] = ()
    named: frozenset[str] = frozenset()
    barred: frozenset[str] = frozenset()
    expected: bool | None = None

    @property
    def amounts(self) -> frozenset[Decimal]:
        """Return the amounts that it names: "the 310k"."""
        return frozenset(each.value * each.scale for each in written_amounts(self.text))


class Candidate(NamedTuple):
    """A figure that may be meant, and how many words asked for it lacks, or whether its period."""

    figure: Figure
    score: float
    missing: int
    is_timely: bool = True
    is_on_a_day: bool = False


def candidates(side: Side, wanted: Wanted, held: Pool) -> list[Candidate]:
    """Return the figures that a side may mean, the best first."""
    sought = _sought(side, wanted)
    several = (
        _Read(figure, words, heads, held.titles[figure.chunk_id])
        for figure, words, heads in zip(held.figures, held.own, held.heads, strict=True)
    )
    weighed = (_weighed(each, sought) for each in several if _may_be_meant(each, sought))
    found = [each for each in weighed if each is not None]
    return sorted(found, key=lambda each: -each.score)[:MOST_CANDIDATES]


class _Read(NamedTuple):
    """A figure with its words, those that name it, and what stands over its passage."""

    figure: Figure
    words: frozenset[str]
    heads: frozenset[str]
    title: Title


class _Sought(NamedTuple):
    """A side with the amounts that it names, and the words that make a figure one of the other side."""

    side: Side
    wanted: Wanted
    amounts: frozenset[Decimal]
    others: frozenset[str]


def _sought(side: Side, wanted: Wanted) -> _Sought:
    meant = frozenset(word for term in side.asked for word in alternatives(term))
    others = frozenset(word for term in side.barred for word in alternatives(term)) - meant
    return _Sought(side, wanted, side.amounts, others)


def _may_be_meant(read: _Read, sought: _Sought) -> bool:
    """Tell whether a figure is of the thing, the time and the unit that are asked for."""
    figure, (side, wanted, amounts, others) = read.figure, sought
    if wanted.prices and not figure.currency and wanted.kind not in {"per_unit", "share"}:
        return False
    if len(wanted.sides) > 1 and _is_of_another(figure, side, wanted):
        return False
    if _is_taken_off(figure, side, _EARNED) or (wanted.kind in _OF_AMOUNTS and _is_change(figure)):
        return False
    return (
        (_has(side, read.words) or figure.amount in amounts)
        and not others & read.words
        and side.expected in {None, figure.expected}
        and _of_period(figure, side.period)
        and _of_bound(figure, wanted)
    )


def _weighed(read: _Read, sought: _Sought) -> Candidate | None:
    """Return a figure with how well its words fit; None where too many of those asked for are missing."""
    side, words, above = sought.side, read.words, read.title.words
    missing = _missing(side, words | above)
    if len(missing) > MISSING * len(side.asked) or missing & side.named:
        return None
    stray = min(_MOST_STRAY, len(read.heads - side.asked - side.lent - above - GENERIC))
    of = len(side.asked) if sought.wanted.kind != "per_unit" else len(side.asked - missing) or 1
    score = (
        (len(side.asked & words) + len(side.asked & (words | above))) / of
        + (of - len(missing)) / of
        - _STRAY * stray
        + (_LENT * len(side.lent & (words | above)) / len(side.lent) if side.lent else 0)
        - (_DERIVED_ALREADY if words & _DERIVED else 0)
        + _place_score(read, sought)
    )
    is_on_a_day = _is_day_of(read.figure.period, side.period)
    return Candidate(read.figure, score, len(missing), is_on_a_day=is_on_a_day)


def _place_score(read: _Read, sought: _Sought) -> float:
    """Return what a figure earns by where it stands, and costs by being of a day, or a forecast."""
    figure, side = read.figure, sought.side
    is_of_parts = _is_day_of(figure.period, side.period) or figure.worked is not None
    return (
        _NAMED * _named(figure, side)
        + _CELL * (" – " in figure.said)
        + _SAID * (figure.amount in sought.amounts)
        + _TITLED * _is_titled(side, read.title.periods)
        - _ON_A_DAY * is_of_parts
        - _EXPECTED * (figure.expected and not sought.wanted.forecasts)
        - _TAKEN_OFF_COST * _is_taken_off(figure, side)
        - _DERIVED_ALREADY * (figure.of_whole and not wants_percent(sought.wanted))
        - _RESTATED_COST * (_is_restated(figure) != bool(_RESTATED.search(side.text)))
    )


_RATES: Final = frozenset(
    terms("percent percentage rate rates margin share proportion point points yield")
)


def wants_percent(wanted: Wanted) -> bool:
    """Tell whether a question may be about figures in percent: a table of shares has the rows of the amounts."""
    said = " ".join(wanted.sides)
    return wanted.kind == "points" or "%" in said or not _RATES.isdisjoint(terms(said))


def _is_restated(figure: Figure) -> bool:
    return bool(
        _RESTATED.search(f"{figure.metric} {figure.entity} {figure.said.partition(': ')[0]}")
    )


def _has(side: Side, words: frozenset[str]) -> bool:
    """Tell whether a figure has a word that is asked for, or one that stands for it."""
    return not words.isdisjoint(side.asked) or any(
        alternatives(term) & words for term in side.asked
    )


def _missing(side: Side, words: frozenset[str]) -> frozenset[str]:
    """Return the words asked for that a figure lacks; of words that stand for each other one is enough."""
    missing = side.asked - words
    return frozenset(term for term in missing if not alternatives(term) & words)


_OF_AMOUNTS: Final = frozenset({"share", "growth", "ratio"})
_BY: Final = re.compile(r"\bby (?:about |around |approximately |some )?[£$€]? ?$", re.IGNORECASE)


def _is_change(figure: Figure) -> bool:
    """Tell whether a sentence says by how much something changed, and not how much it is."""
    if not figure.written:
        return False  # what comes of others stands nowhere
    before, there, _ = figure.said.partition(figure.written)
    return bool(there) and _BY.search(before) is not None


_TAKEN_OFF: Final = re.compile(r"(?:total )?(?P<what>costs?|losse?s?|returns?|discounts?) (?:of|on|in|from) ", re.IGNORECASE)  # fmt: skip
_COSTS: Final = frozenset(
    terms("cost costs spend spending spent expense expenses expenditure paid pay")
)
_EARNED: Final = frozenset(terms("sales revenue revenues turnover"))
"""What comes in, and is never what goes off it; of what is bought the cost may be all there is."""


def _is_taken_off(figure: Figure, side: Side, of: frozenset[str] = frozenset()) -> bool:
    """Tell whether a row's figure is what goes off what is asked for, `of` these only where there are some."""
    label, dash, cell = figure.said.partition(" – ")
    is_cell = bool(dash) and cell.endswith(f": {figure.written}")
    named = (label, figure.metric) if is_cell else (figure.metric,) if figure.worked else ()
    match = next(filter(None, map(_TAKEN_OFF.match, named)), None)
    if match is None or (of and of.isdisjoint(terms(match.string[match.end() :]))):
        return False
    what = frozenset(terms(match["what"]))
    asked = frozenset(terms(side.text)) | side.asked | side.lent
    return asked.isdisjoint(what | (_COSTS if what & _COSTS else frozenset()))


def _is_of_another(figure: Figure, side: Side, wanted: Wanted) -> bool:
    """Tell whether a figure's row is named otherwise, or a share would be one of a share."""
    label, dash, _ = figure.said.partition(" – ")
    words = terms(without_periods(label)) if dash and figure.entity else []
    # A number or a short code in the first cell names nothing.
    named = frozenset(word for word in words if word.isalpha() and len(word) > 1) - GENERIC
    is_total = bool(named & TOTALS)
    meant = frozenset(word for term in side.asked | side.lent for word in alternatives(term))
    # The first column says what its rows are: "Bids" over "Submitted".
    column = frozenset(terms(without_periods(figure.entity.partition(", ")[0]))) - frozenset(words)
    named = frozenset() if column & side.asked and wanted.kind == "share" else named
    is_other = bool(named) and not is_total and named.isdisjoint(meant)
    return is_other or (wanted.kind == "share" and figure.unit == "%")


def _named(figure: Figure, side: Side) -> float:
    """Return how much of the first cell of a figure's row stands in the question."""
    label, dash, _ = figure.said.partition(" – ")
    first = frozenset(terms(figure.entity.partition(",")[0] or (label if dash else "")))
    # "Cost of sales" is named whole, though what it costs tells nothing elsewhere.
    asked = side.asked | side.lent | frozenset(terms(side.text))
    if not first:
        return 0.0
    further = min(_MOST_FURTHER, max(0, len(first & asked) - 1))
    return len(first & asked) / len(first) + _FURTHER * further * (first <= asked)


def _is_titled(side: Side, named: Sequence[Period]) -> bool:
    return any(each in named for each in side.beside)


def _of_period(figure: Figure, period: Period | None) -> bool:
    return period is None or figure.period == period or _is_day_of(figure.period, period)


def _is_day_of(day: Period | None, year: Period | None) -> bool:
    """Tell whether a figure is as of a day of the year that is asked for, as a balance sheet's is."""
    if day is None or year is None:
        return False
    return day.kind == "day" and year.kind == "year" and day.year == year.year


def _of_bound(figure: Figure, wanted: Wanted) -> bool:
    """Leave the ends of ranges to who asks for them, or for what there is a forecast of."""
    return not wanted.bound or not figure.bound or figure.bound == wanted.bound
