"""Find the figures that a calculation is asked of, among those that passages hold."""

import re
from collections.abc import Sequence
from itertools import product
from typing import Final

from masis.calculating import asked_grammar
from masis.calculating.asked_calculation import Wanted, about, amounts
from masis.calculating.asked_grammar import GENERIC, Defined
from masis.calculating.calculation import PAIRS, worked_out
from masis.calculating.ended_spans import Ended, day_named, spans_in, with_names
from masis.calculating.figure_pool import Pool, alternatives, pool
from masis.calculating.figures import Table, tables
from masis.calculating.found_operands import Group, Operands
from masis.calculating.meant_rows import PRICES, QUANTITY
from masis.calculating.row_operands import is_sum, of_changes, of_list, of_rows, whole_of
from masis.calculating.weighing import Candidate, Side, candidates, wants_percent
from masis.domain import CalculationKind, EvidenceChunk, Figure, Period
from masis.text.lexical import terms
from masis.text.periods import name, periods, until_end_of, without_periods
from masis.text.sentences import units

_BESIDE: Final = 0.4
"""What it earns a pair to stand in one passage."""
_UNLIKE: Final = 0.6
"""What it costs a pair that one is an amount of money, or of another unit, and the other not."""
_CLOSE: Final = 0.1
"""A pair that is as near as that to the best could as well be meant."""
_WHOLE: Final = 0.3
"""What it earns the second figure of a share to be the sum of its column."""
_OVER_TIME: Final = frozenset({"difference", "growth", "points", "cagr"})


def operands(wanted: Wanted, evidence: Sequence[EvidenceChunk]) -> Operands | None:
    """Return the figures to calculate with; None where the evidence does not hold them."""
    read = tables(evidence)
    wanted = _with_named_spans(wanted, read)
    found = _checked(wanted, evidence, read)
    by_day = _with_named_spans(wanted, read, by_day=True)
    if found is None and by_day != wanted:
        found = _checked(by_day, evidence, read)
    if (found is None or found.lacks) and about(wanted.aside) and len(wanted.sides) == 1:
        # What stands in brackets behind a question often says it in the documents' words.
        return _found(wanted.model_copy(update={"sides": [wanted.aside]}), evidence, read) or found
    return found


def _checked(
    wanted: Wanted, evidence: Sequence[EvidenceChunk], read: Sequence[Table]
) -> Operands | None:
    return _plausible(wanted, _unsure_of_shares(wanted, _of_latest(wanted, evidence, read)))


_MOST_TIMES: Final = 10
"""A part that is so many times its whole is of another whole."""


def _plausible(wanted: Wanted, found: Operands | None) -> Operands | None:
    """Return the figures of a share as no sure ones where the part is no part; none where it is far from one."""
    if (
        found is None
        or wanted.kind != "share"
        or not found.groups
        or len(found.groups[0].figures) != 2
    ):
        return found
    part, whole = (each.amount for each in found.groups[0].figures)
    if abs(part) > _MOST_TIMES * abs(whole):
        return None
    # A margin that has a name may be one of a loss.
    least = -whole if asked_grammar.is_defined(wanted.kind, wanted.sides) else 0
    is_part = least <= part <= whole
    return found if is_part else found.model_copy(update={"is_sure": False})


def _unsure_of_shares(wanted: Wanted, found: Operands | None) -> Operands | None:
    """Return the figures as no sure ones where an amount is asked for and these are shares of another."""
    if found is None or not found.is_sure or wants_percent(wanted):
        return found
    leaves = (leaf for group in found.groups for each in group.figures for leaf in each.leaves)
    is_share = any(each.of_whole for each in leaves)
    return found.model_copy(update={"is_sure": False}) if is_share else found


def _with_named_spans(wanted: Wanted, read: Sequence[Table], *, by_day: bool = False) -> Wanted:
    """Return what is wanted with the stretches that it calls by their last day as the tables call them.

    With `by_day` a day alone is the stretch that ended on it, where those of the tables are of one length.
    """
    named = _agreed(read)
    asked = " ".join(wanted.sides)
    said = [ended for _, ended in spans_in(asked)] if named else []
    if by_day and not said and len({ended.months for ended in named}) == 1:
        said = list(named)
    if not said:
        return wanted
    return wanted.model_copy(
        update={
            "sides": [with_names(side, named) for side in wanted.sides],
            "periods": [day_named(each, said, named) for each in wanted.periods],
        }
    )


def _agreed(read: Sequence[Table]) -> dict[Ended, Period]:
    """Return what all tables call a stretch: one company's third quarter is the first of another."""
    called: dict[Ended, set[Period]] = {}
    for table in read:
        for ended, period in table.spans:
            called.setdefault(ended, set()).add(period)
    return {ended: next(iter(names)) for ended, names in called.items() if len(names) == 1}


def _of_latest(
    wanted: Wanted, evidence: Sequence[EvidenceChunk], read: Sequence[Table]
) -> Operands | None:
    """Return the figures of periods without a year in the latest year that has them: "after Q3"."""
    if not wanted.periods or all(each.year for each in wanted.periods):
        return _found(wanted, evidence, read)
    said = [
        each.period.year
        for chunk in evidence
        for each in periods(f"{chunk.title}\n{chunk.context}")
    ]
    for year in sorted({each for each in said if each}, reverse=True)[:MOST_YEARS]:
        found = _found(_in_year(wanted, year), evidence, read)
        if found is not None and found.is_whole and not found.lacks and _is_of(found, year):
            return found.model_copy(update={"is_sure": False})
    return _found(wanted, evidence, read)


def _is_of(found: Operands, year: int) -> bool:
    """Tell whether one of the figures is of a year, and not of what has no time."""
    figures = [figure for group in found.groups for figure in group.figures]
    return any(each.period is not None and each.period.year == year for each in figures)


MOST_YEARS: Final = 3
"""Years that a period without one may be of."""


def _in_year(wanted: Wanted, year: int) -> Wanted:
    """Return what is wanted with a year for the periods that have none."""
    spans = [
        each if each.year else each.model_copy(update={"year": year}) for each in wanted.periods
    ]
    return wanted.model_copy(
        update={"periods": spans, "sides": [_dated(side, year) for side in wanted.sides]}
    )


def _dated(side: str, year: int) -> str:
    for each in reversed(periods(side)):
        if not each.period.year:
            said = name(each.period.model_copy(update={"year": year}))
            side = f"{side[: each.start]}{said}{side[each.end :]}"
    return side


def is_nowhere(wanted: Wanted, evidence: Sequence[EvidenceChunk]) -> bool:
    """Tell whether an amount in one period is set against one in another, and no sentence speaks of it.

    Where a sentence has all of its words and a figure, what is asked for may be stated.
    """
    asked = frozenset(term for side in wanted.sides for term in about(side))
    if wanted.kind not in _OVER_TIME or len(wanted.periods) < 2 or not asked:
        return False
    return not any(
        asked <= frozenset(terms(f"{unit.text} {chunk.context}"))
        for chunk in evidence
        for unit in units(chunk.text)
        if any(map(str.isdigit, unit.text))
        and _may_be_of(wanted.periods, f"{unit.text}\n{chunk.context}")
    )


def _may_be_of(asked: Sequence[Period], text: str) -> bool:
    """Tell whether a text names one of the periods, or none at all."""
    named = [each.period for each in periods(text)]
    return not named or any(each in asked for each in named)


def _found(
    wanted: Wanted, evidence: Sequence[EvidenceChunk], read: Sequence[Table]
) -> Operands | None:
    if wanted.of_change:
        return of_changes(wanted, read)
    if wanted.kind in PAIRS:
        return _pair(wanted, evidence, read)
    if wanted.kind == "list" and not (wanted.each or len(wanted.periods) > 1):
        return of_list(wanted, read)
    if len(wanted.periods) > 1 and (found := _of_periods(wanted, evidence, read)):
        return found
    return of_rows(wanted, evidence, read)


# --- two figures -------------------------------------------------------------------------------


def _pair(
    wanted: Wanted, evidence: Sequence[EvidenceChunk], read: Sequence[Table]
) -> Operands | None:
    """Return the two figures that fit what is asked, and each other, best."""
    sides = _sides(wanted)
    asked = [side.period for side in sides if side.period]
    begun = [
        Period(kind="nine_months", year=each.year, part=1) for each in asked if each.kind == "year"
    ]
    held = pool(evidence, read, [*asked, *begun])
    sides = (_understood(sides[0], held), _understood(sides[1], held))
    found = _candidates_of(wanted, sides, held, read)
    if not all(found):
        return _lacking(wanted, sides, found, evidence, held)
    if until := _last_spent(wanted, found[1]):
        return _pair(_until(wanted, until), evidence, read)
    pairs = [
        (_together(one, other, wanted), one, other)
        for one, other in product(*found)
        if one.figure != other.figure and _may_be_pair(one, other, wanted, held)
    ]
    return _best_pair(wanted, sides, pairs) if pairs else None


def _last_spent(wanted: Wanted, spent: Sequence[Candidate]) -> Period | None:
    """Return the last quarter of what was spent, where all of it so far is meant: no quarter alone."""
    if not wanted.is_left or wanted.periods:
        return None
    quarters = [each.figure.period for each in spent if each.figure.period]
    return max((each for each in quarters if each.kind == "quarter" and each.year), key=lambda each: (each.year or 0, each.part), default=None)  # fmt: skip


def _until(wanted: Wanted, last: Period) -> Wanted:
    """Ask for what is left at the end of a quarter."""
    spent = f"{wanted.sides[1]} {name(until_end_of(last))}"
    return wanted.model_copy(update={"periods": [last], "sides": [wanted.sides[0], spent]})


def _candidates_of(
    wanted: Wanted, sides: tuple[Side, Side], held: Pool, read: Sequence[Table]
) -> list[list[Candidate]]:
    """Return the figures that each side may mean."""
    found = [_resolved(side, wanted, held) for side in sides]
    if sides[0].asked != sides[1].asked:
        # Of two things one may be timeless, such as a price agreed in a contract.
        loose = [candidates(side._replace(period=None), wanted, held) for side in sides]
        found = [
            one or [each._replace(is_timely=False) for each in other]
            for one, other in zip(found, loose, strict=True)
        ]
    if wanted.kind == "share":
        wholes = [*found[1], *_wholes(found[0], sides[1], read)]
        found[1] = [
            each._replace(score=each.score + _WHOLE) if is_sum(each.figure, read) else each
            for each in wholes
        ]
    return found


def _best_pair(
    wanted: Wanted,
    sides: tuple[Side, Side],
    pairs: Sequence[tuple[float, Candidate, Candidate]],
) -> Operands:
    """Return the pair that fits best; it is sure where nothing else could be meant."""
    best = max(pairs, key=lambda pair: pair[0])
    _, one, other = best
    is_lent = bool(one.figure.currency) != bool(other.figure.currency)
    one, other = _in_one_currency(one, other)
    rivals = any(
        pair[0] >= best[0] - _CLOSE and _amounts(pair[1:]) != _amounts(best[1:]) for pair in pairs
    )
    unlike = wanted.kind in {"ratio", "difference"} and (
        not _are_alike(one.figure, other.figure) or _is_unnamed(one.figure, sides)
    )
    if wanted.is_left:
        one = one._replace(figure=one.figure.model_copy(update={"period": None}))
    is_whole = not (one.missing or other.missing)
    is_timely = one.is_timely and other.is_timely
    return Operands(
        groups=[Group(label="", figures=[one.figure, other.figure])],
        is_sure=is_whole and is_timely and not (rivals or unlike or is_lent),
        is_whole=is_whole,
    )


def _in_one_currency(one: Candidate, other: Candidate) -> tuple[Candidate, Candidate]:
    """Give a plain figure the currency of the other one of its column: reports write it once."""
    first, second = one.figure, other.figure
    is_one_column = first.chunk_id == second.chunk_id and _column(first) == _column(second)
    plain = [each for each in (first, second) if not (each.currency or each.unit or each.worked)]
    if not is_one_column or len(plain) != 1 or "%" in (first.unit, second.unit):
        return one, other
    currency = {"currency": first.currency or second.currency}
    return (
        one._replace(figure=first.model_copy(update=currency)),
        other._replace(figure=second.model_copy(update=currency)),
    )


def _column(figure: Figure) -> str:
    """Return the name of a cell's column; of a sentence nothing that another could share."""
    label, dash, _ = figure.said.rpartition(": ")
    return label.rpartition(" – ")[2] if dash and " – " in label else figure.said


def _understood(side: Side, held: Pool) -> Side:
    """Return a side with its words as the documents have them."""
    return side._replace(
        asked=held.understood(side.asked),
        lent=held.understood(side.lent),
        named=held.understood(side.named),
        barred=held.understood(side.barred),
    )


def _lacking(
    wanted: Wanted,
    sides: Sequence[Side],
    found: Sequence[Sequence[Candidate]],
    evidence: Sequence[EvidenceChunk],
    held: Pool,
) -> Operands | None:
    """Return the one figure that there is, where the other period has none that anything speaks of."""
    so_far = _so_far(wanted, sides, found, held)
    if so_far is not None:
        return so_far
    there = next((each[0] for each in found if each), None)
    gone = next((side for side, each in zip(sides, found, strict=True) if not each), None)
    if there is None or gone is None or gone.period is None or wanted.kind not in _OVER_TIME:
        return None
    if there.missing or len(wanted.sides) > 1 or _is_spoken_of(gone, evidence):
        return None
    group = Group(label="", figures=[there.figure])
    return Operands(groups=[group], is_sure=False, lacks=name(gone.period))


def _so_far(
    wanted: Wanted, sides: Sequence[Side], found: Sequence[Sequence[Candidate]], held: Pool
) -> Operands | None:
    """Return the figures where a year has but its first months yet: what cannot be compared."""
    figures: list[Figure] = []
    for side, several in zip(sides, found, strict=True):
        there = list(several)
        if not there and side.period and side.period.kind == "year":
            spans = [
                Period(kind=kind, year=side.period.year, part=1) for kind in ("nine_months", "half")
            ]
            there = next(
                filter(
                    None, (candidates(side._replace(period=span), wanted, held) for span in spans)
                ),
                [],
            )
        figures += [each.figure for each in there[:1] if not each.missing]
    if len(figures) < len(sides) or wanted.kind not in _OVER_TIME:
        return None
    return Operands(groups=[Group(label="", figures=figures)], is_sure=False)


def _is_spoken_of(side: Side, evidence: Sequence[EvidenceChunk]) -> bool:
    """Tell whether a sentence names the period that there is no figure of."""
    return any(
        side.asked & frozenset(terms(unit.text))
        for chunk in evidence
        for unit in units(chunk.text)
        if unit.kind != "table_row"
        and any(each.period == side.period for each in periods(unit.text))
    )


def _together(one: Candidate, other: Candidate, wanted: Wanted) -> float:
    """Return how well two figures fit what is asked, and each other."""
    first, second = one.figure, other.figure
    unlike = bool(first.currency) != bool(second.currency) or first.unit != second.unit
    beside = _BESIDE * (first.chunk_id == second.chunk_id)
    unlike |= wanted.kind in _OVER_TIME and one.is_on_a_day != other.is_on_a_day
    return one.score + other.score + beside - _UNLIKE * (unlike and wanted.kind != "per_unit")


def _may_be_pair(one: Candidate, other: Candidate, wanted: Wanted, held: Pool) -> bool:
    """Tell whether the second can be what the first is shared among, or is a part of."""
    # Of plain counts nothing but their document says that one is of the other.
    documents = {held.documents.get(each.figure.chunk_id) for each in (one, other)}
    apart = len(documents) > 1 and not one.figure.currency
    if wanted.kind == "share" and (apart or one.figure.amount > other.figure.amount):
        return False
    count = not other.figure.currency and not other.figure.unit
    is_amount = count and one.figure.unit != "%"
    return wanted.kind != "per_unit" or (is_amount and one.is_timely and other.is_timely)


def _are_alike(one: Figure, other: Figure) -> bool:
    """Tell whether two figures are of one thing: what is said of both has a word in common."""
    return bool(frozenset(terms(one.metric)) & frozenset(terms(other.metric)))


def _is_unnamed(figure: Figure, sides: Sequence[Side]) -> bool:
    """Tell whether it is the figure's choice what is compared: "how much more is a than b" says not."""
    asked = frozenset(term for side in sides for term in side.asked)
    is_of_two = sides[0].asked != sides[1].asked
    return is_of_two and not frozenset(terms(figure.metric)) - GENERIC - PRICES <= asked


def _amounts(pair: Sequence[Candidate]) -> list[object]:
    return [(each.figure.amount, each.figure.currency) for each in pair]


def _sides(wanted: Wanted) -> tuple[Side, Side]:
    """Return what each of the two figures is to be of."""
    if len(wanted.sides) == 1:
        text = wanted.sides[0]
        asked, named = about(text), _names(text)
        first, second = (*wanted.periods, None, None)[:2]
        side = Side(text, asked, first, frozenset(), named=named)
        return side, side._replace(period=second)
    one, other = about(wanted.sides[0]), about(wanted.sides[1]) | _noun_of_one(wanted.sides)
    shared = wanted.periods[0] if len(wanted.periods) == 1 else None
    own, barred = _told_apart(wanted, one, other)
    if wanted.kind == "per_unit":
        other = frozenset(term for each in other for term in alternatives(each)) or other
    lent = (frozenset(), frozenset()) if wanted.shared else (other - one, one - other)
    told = [bool(asked_grammar.FORECAST.search(side)) for side in wanted.sides]
    expected = told if told[0] != told[1] else [None, None]
    made = [
        _side(text, asked, shared)._replace(
            lent=lent[at], named=own[at], barred=barred[at], expected=expected[at]
        )
        for at, (text, asked) in enumerate(zip(wanted.sides, (one, other), strict=True))
    ]
    return made[0], made[1]


def _side(text: str, asked: frozenset[str], shared: Period | None) -> Side:
    """Return a side of its first period, else of the one that both have."""
    spans = [each.period for each in periods(text)]
    return Side(text, asked, spans[0] if spans else shared, frozenset(), tuple(spans[1:]))


def _noun_of_one(sides: Sequence[str]) -> frozenset[str]:
    """Return the words that "the old one" stands for."""
    if not _ONE.search(sides[1]):
        return frozenset()
    noun = _OF_WHAT.sub("", sides[0]) if _ONE_OF.search(sides[1]) else sides[0]
    return frozenset(term for term in about(noun) if term.isalpha() and len(term) > _SHORT)


def _told_apart(
    wanted: Wanted, one: frozenset[str], other: frozenset[str]
) -> tuple[tuple[frozenset[str], frozenset[str]], tuple[frozenset[str], frozenset[str]]]:
    """Return the terms without which either side is another thing, and those with which it is the other."""
    apart = (one - other - _MEASURES, other - one - _MEASURES)
    if wanted.kind == "per_unit":
        # What is shared out must be what is measured: a rent, and not the room that it is paid for.
        apart = (one & _MEASURED, frozenset())
    elif wanted.kind not in {"difference", "ratio"}:
        apart = (frozenset(), frozenset())
    own = (_only_names(apart[0], one), _only_names(apart[1], other))
    if wanted.kind == "share":
        return own, (frozenset(), _only_names(one - other, one))
    return own, (own[1], own[0] if own[1] else frozenset())


_ONE: Final = re.compile(r"\b(?:the )?[\w-]+ ones?\b|\bthe ones? (?:for|of|in|at)\b", re.IGNORECASE)
_MEASURES: Final = (
    PRICES
    | QUANTITY
    | frozenset(
        terms(
            "revenue result profit limit allowance forecast forecasts outlook budget report spend"
        )
    )
)
"""What is measured of two things, and tells none from the other."""
_MEASURED: Final = frozenset(
    terms("revenue rent cost price budget fee profit result salary spend turnover")
)
MOST_NAMED: Final = 6
"""Words of a side whose every word tells; of more some tell a story."""
_ONE_OF: Final = re.compile(r"\bthe ones? (?:for|of|in|at)\b", re.IGNORECASE)
_OF_WHAT: Final = re.compile(r" (?:for|of|in|at) .*$", re.IGNORECASE)
_SHORT: Final = 2
"""Letters of what is mostly part of a code."""


def _only_names(apart: frozenset[str], asked: frozenset[str]) -> frozenset[str]:
    """Return what tells a side from the other where that is but a word or two."""
    return apart if len(apart) <= _SHORT and len(asked) <= MOST_NAMED else frozenset()


def _names(text: str) -> frozenset[str]:
    """Return the terms of names: what is written large within a question."""
    found = re.findall(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)*", without_periods(text))
    return frozenset(terms(" ".join(found))) - GENERIC


# --- one figure --------------------------------------------------------------------------------

_LESS: Final = re.compile(r"\b(?:less|minus|after deducting)\b", re.IGNORECASE)
_PLUS: Final = re.compile(r"\b(?:plus|added to)\b", re.IGNORECASE)
_AS_SHARE: Final = re.compile(rf"\bas (?:an? |the )?{asked_grammar.PARTS_OF} of\b", re.IGNORECASE)
_OPERATIONS: Final[tuple[tuple[re.Pattern[str], CalculationKind], ...]] = (
    (_AS_SHARE, "share"),
    (_LESS, "difference"),
    (_PLUS, "sum"),
)


def _resolved(side: Side, wanted: Wanted, held: Pool, depth: int = 0) -> list[Candidate]:
    """Return the figures that a side may mean; where it is one to be worked out, what comes of it."""
    found = candidates(side, wanted, held)
    meant = asked_grammar.defined(side.text)
    if meant is not None and depth <= MOST_DEPTH and not any(not each.missing for each in found):
        worked = _worked(meant, side, wanted, held, depth)
        if worked:
            return worked
    for pattern, kind in _OPERATIONS:
        one, sign, other = _parted(pattern, side.text)
        if sign and about(one) and about(other) and depth <= MOST_DEPTH:
            return _worked(Defined(kind, (one, other)), side, wanted, held, depth)
    return found


MOST_DEPTH: Final = 2
"""Calculations within each other, below the one that is asked for."""


def _parted(pattern: re.Pattern[str], text: str) -> tuple[str, str, str]:
    match = pattern.search(text)
    return (text[: match.start()], match[0], text[match.end() :]) if match else (text, "", "")


def _worked(
    meant: Defined,
    side: Side,
    wanted: Wanted,
    held: Pool,
    depth: int,
) -> list[Candidate]:
    """Return what comes of the best figures of two things in the period of a side."""
    best: list[Candidate] = []
    for text in meant.sides:
        part = Side(text, held.understood(about(text)), side.period, frozenset(), side.beside)
        found = [each for each in _resolved(part, wanted, held, depth + 1) if not each.missing]
        best += found[:1]
    told = {(each.figure.said, each.figure.written, each.figure.amount) for each in best}
    if len(told) < len(meant.sides):
        return []
    named = asked_grammar.defined_name(side.text)
    what = named or " ".join(without_periods(side.text).split()).strip(" ,?.")
    made = worked_out(meant.kind, [each.figure for each in best], what, side.period)
    return [Candidate(made, min(each.score for each in best), 0)] if made else []


# --- one figure for each period ----------------------------------------------------------------


def _of_periods(
    wanted: Wanted, evidence: Sequence[EvidenceChunk], read: Sequence[Table]
) -> Operands | None:
    """Return one figure of the same thing for each period; a list may lack some of them."""
    held = pool(evidence, read, wanted.periods)
    text = wanted.sides[0]
    asked = held.understood(about(text) or amounts(text))
    sides = [Side(text, asked, each, frozenset()) for each in wanted.periods]
    found = [_resolved(side, wanted, held) for side in sides]
    there = [each for each in found if each]
    # Of a series that goes on some periods are still to come.
    if len(there) < (2 if wanted.each else len(found)):
        return None
    best = _of_one_line(there)
    rivals = any(
        other.score >= first.score - _CLOSE and _amounts([other]) != _amounts([first])
        for first, *others in there
        for other in others
    )
    alike = len({each.figure.metric for each in best}) == 1
    is_whole = not any(each.missing for each in best)
    ordered = [each.figure for each in best]
    group = Group(label="", figures=list(reversed(ordered)) if wanted.each else ordered)
    whole = len(there) == len(found) or wanted.kind == "list"
    return Operands(
        groups=[group],
        is_sure=is_whole and alike and whole and not rivals and bool(about(text)),
        is_whole=is_whole,
    )


def _of_one_line(found: Sequence[Sequence[Candidate]]) -> list[Candidate]:
    """Return the best figure for each period, those of one metric and unit where all have one."""
    first = found[0][0].figure
    return [
        next(
            (
                each
                for each in several
                if (each.figure.metric, each.figure.unit, each.figure.scale)
                == (first.metric, first.unit, first.scale)
                and each.score >= several[0].score - _CLOSE
            ),
            several[0],
        )
        for several in found
    ]


def _wholes(found: Sequence[Candidate], side: Side, read: Sequence[Table]) -> list[Candidate]:
    """Return the sum of the column that a figure stands in, where that is the whole it is a part of."""
    made = [(each, whole_of(each.figure, side.asked, read)) for each in found]
    # A sum of the rows is the whole as far as all rows are there.
    return [
        Candidate(whole, each.score, 0, is_timely=whole.worked is None)
        for each, whole in made
        if whole is not None
    ]


__all__ = ["Group", "Operands", "operands"]
