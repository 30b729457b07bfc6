"""Find the figures that a calculation is asked of, among those that passages hold."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from masis.answering.asked_calculation import GENERIC, Wanted, about
from masis.answering.calculation import PAIRS, objection
from masis.answering.figures import (
    LABEL_CHARS,
    Cell,
    Row,
    Table,
    cell_figure,
    sentence_figures,
    table_figures,
    tables,
    whole_number,
    words_of,
)
from masis.domain import CalculationKind, EvidenceChunk, Figure, Period, Value
from masis.text.lexical import terms
from masis.text.periods import periods, within, without_periods
from masis.text.sentences import units

MOST_CANDIDATES: Final = 12
"""Figures of one side that are weighed with those of the other."""
MOST_INPUTS: Final = 2_000
"""Figures of one calculation."""
MISSING: Final = 1 / 3
"""Share of the words asked for that a figure need not have; with any it is no sure one."""
_STRAY: Final = 0.12
"""What a word costs that a figure has and that nobody asked for."""
_MOST_STRAY: Final = 6
_BESIDE: Final = 0.4
"""What it earns a pair to stand in one passage."""
_UNLIKE: Final = 0.6
"""What it costs a pair that one is an amount of money, or of another unit, and the other not."""
_CLOSE: Final = 0.1
"""A pair that is as near as that to the best could as well be meant."""
_ON_A_DAY: Final = 0.2
"""What it costs a figure to be as of a day of the year that is asked for."""
_OVER_TIME: Final = frozenset({"difference", "growth", "points"})
_DERIVED: Final = frozenset(terms("change changes difference growth variance increase decrease"))
"""Columns of what was calculated already."""
_TITLED: Final = 0.3
"""What it earns a figure that its document is of a period that was named beside its own."""
_NAMED: Final = 0.5
"""What it earns a figure that its row is named by words of the question."""
_LENT: Final = 1.5
"""What the words of the other side earn: "Benelux against UK weekly allowance"."""
_QUANTITY: Final = frozenset(terms("quantity qty number count pieces"))
_PRICES: Final = frozenset(terms("price cost fee rate amount"))
_TOTALS: Final = frozenset(terms("total totals all sum overall altogether together whole entire"))
_SAYS: Final[dict[CalculationKind, frozenset[str]]] = {
    "mean": frozenset(terms("average mean")),
    "median": frozenset(terms("median")),
    "sum": frozenset(terms("total altogether sum combined")),
}
"""How a sentence says that it gives the result of a calculation."""
_LEAST_ROWS: Final = 2


class Group(Value):
    """Figures that one calculation is made of, and what they are of; several series have names."""

    label: str
    figures: list[Figure]
    series: str = ""


class Operands(Value):
    """What was found to calculate with. `is_sure` says that nothing else could be meant.

    `is_whole` says that the figures have every word that is asked for.
    """

    groups: list[Group]
    is_sure: bool
    is_whole: bool = True
    among: str = ""


def operands(wanted: Wanted, evidence: Sequence[EvidenceChunk]) -> Operands | None:
    """Return the figures to calculate with; None where the evidence does not hold them."""
    read = tables(evidence)
    if wanted.kind in PAIRS:
        return _pair(wanted, evidence, read)
    if len(wanted.periods) > 1 and (found := _of_periods(wanted, evidence, read)):
        return found
    return _of_rows(wanted, evidence, read)


# --- two figures -------------------------------------------------------------------------------


class _Side(NamedTuple):
    """What one of two figures is to be of; `beside` are periods that its document may be of."""

    asked: frozenset[str]
    period: Period | None
    lent: frozenset[str]
    beside: tuple[Period, ...] = ()


class _Title(NamedTuple):
    """What stands over a passage."""

    words: frozenset[str]
    periods: list[Period]


class _Pool(NamedTuple):
    """All figures that were read, with the terms of each and what stands over their passages."""

    figures: list[Figure]
    own: list[frozenset[str]]
    titles: dict[str, _Title]


class _Candidate(NamedTuple):
    """A figure that may be meant, and how many words asked for it lacks, or whether its period."""

    figure: Figure
    score: float
    missing: int
    is_timely: bool = True
    is_on_a_day: bool = False


def _pair(
    wanted: Wanted, evidence: Sequence[EvidenceChunk], read: Sequence[Table]
) -> Operands | None:
    pool = _pool(evidence, read)
    sides = _sides(wanted)
    found = [_candidates(side, wanted, pool) for side in sides]
    if sides[0].asked != sides[1].asked:
        # Of two things one may be timeless, such as a price agreed in a contract.
        loose = [_candidates(side._replace(period=None), wanted, pool) for side in sides]
        found = [
            one or [each._replace(is_timely=False) for each in other]
            for one, other in zip(found, loose, strict=True)
        ]
    if not all(found):
        return None
    pairs = [
        (_together(one, other, wanted), one, other)
        for one, other in product(*found)
        if one.figure != other.figure and _may_be_pair(one, other, wanted)
    ]
    if not pairs:
        return None
    best = max(pairs, key=lambda pair: pair[0])
    _, one, other = best
    rivals = any(
        pair[0] >= best[0] - _CLOSE and _amounts(pair[1:]) != _amounts(best[1:]) for pair in pairs
    )
    unlike = wanted.kind in {"ratio", "difference"} and (
        not _are_alike(one.figure, other.figure) or _is_unnamed(one.figure, sides)
    )
    is_whole = not (one.missing or other.missing)
    is_timely = one.is_timely and other.is_timely
    return Operands(
        groups=[Group(label="", figures=[one.figure, other.figure])],
        is_sure=is_whole and is_timely and not (rivals or unlike),
        is_whole=is_whole,
    )


def _together(one: _Candidate, other: _Candidate, wanted: Wanted) -> float:
    """Return how well two figures fit what is asked, and each other."""
    first, second = one.figure, other.figure
    unlike = bool(first.currency) != bool(second.currency) or first.unit != second.unit
    beside = _BESIDE * (first.chunk_id == second.chunk_id)
    unlike |= wanted.kind in _OVER_TIME and one.is_on_a_day != other.is_on_a_day
    return one.score + other.score + beside - _UNLIKE * (unlike and wanted.kind != "per_unit")


def _may_be_pair(one: _Candidate, other: _Candidate, wanted: Wanted) -> bool:
    """Tell whether the second can be what the first is shared among, or is a part of."""
    # Of plain counts nothing but their place says that one is of the other.
    apart = one.figure.chunk_id != other.figure.chunk_id and not one.figure.currency
    if wanted.kind == "share" and (apart or one.figure.amount > other.figure.amount):
        return False
    count = not other.figure.currency and not other.figure.unit
    return wanted.kind != "per_unit" or (count and one.is_timely and other.is_timely)


def _are_alike(one: Figure, other: Figure) -> bool:
    """Tell whether two figures are of one thing: what is said of both has a word in common."""
    return bool(frozenset(terms(one.metric)) & frozenset(terms(other.metric)))


def _is_unnamed(figure: Figure, sides: Sequence[_Side]) -> bool:
    """Tell whether it is the figure's choice what is compared: "how much more is a than b" says not."""
    asked = frozenset(term for side in sides for term in side.asked)
    is_of_two = sides[0].asked != sides[1].asked
    return is_of_two and not frozenset(terms(figure.metric)) - GENERIC - _PRICES <= asked


def _amounts(pair: Sequence[_Candidate]) -> list[object]:
    return [(each.figure.amount, each.figure.currency) for each in pair]


def _sides(wanted: Wanted) -> tuple[_Side, _Side]:
    if len(wanted.sides) == 1:
        asked = about(wanted.sides[0])
        first, second = (*wanted.periods, None, None)[:2]
        return _Side(asked, first, frozenset()), _Side(asked, second, frozenset())
    one, other = (about(side) for side in wanted.sides)
    shared = wanted.periods[0] if len(wanted.periods) == 1 else None
    named = [[each.period for each in periods(side)] for side in wanted.sides]
    first, second = (found[0] if found else shared for found in named)
    lent = (frozenset(), frozenset()) if wanted.shared else (other - one, one - other)
    return (
        _Side(one, first, lent[0], tuple(named[0][1:])),
        _Side(other, second, lent[1], tuple(named[1][1:])),
    )


def _pool(evidence: Sequence[EvidenceChunk], read: Sequence[Table]) -> _Pool:
    figures = [f for table in read for f in table_figures(table)]
    figures += [f for chunk in evidence for f in sentence_figures(chunk)]
    titles = {each.chunk_id: _title(each) for each in evidence}
    return _Pool(figures, [_own(figure) for figure in figures], titles)


def _candidates(side: _Side, wanted: Wanted, pool: _Pool) -> list[_Candidate]:
    """Return the figures that a side may mean, the best first."""
    found = []
    for figure, words in zip(pool.figures, pool.own, strict=True):
        if wanted.prices and not figure.currency:
            continue
        if len(wanted.sides) > 1 and _is_of_another(figure, side, wanted):
            continue
        above = pool.titles[figure.chunk_id].words
        if (
            not words & side.asked
            or not _of_period(figure, side.period)
            or not _of_bound(figure, wanted)
        ):
            continue
        missing = side.asked - words - above
        if len(missing) > MISSING * len(side.asked):
            continue
        stray = min(_MOST_STRAY, len(words - side.asked - side.lent - above - GENERIC))
        score = (
            (len(side.asked & words) + len(side.asked & (words | above))) / len(side.asked)
            + (len(side.asked) - len(missing)) / len(side.asked)
            - _STRAY * stray
            - (_ON_A_DAY if _is_day_of(figure.period, side.period) else 0)
            + _NAMED * _named(figure, side)
            + (_LENT * len(side.lent & (words | above)) / len(side.lent) if side.lent else 0)
            - (0.5 if figure.expected and not wanted.forecasts else 0)
            - (0.5 if words & _DERIVED else 0)
            + (_TITLED if _is_titled(side, pool.titles[figure.chunk_id].periods) else 0)
        )
        found.append(
            _Candidate(
                figure, score, len(missing), is_on_a_day=_is_day_of(figure.period, side.period)
            )
        )
    return sorted(found, key=lambda each: -each.score)[:MOST_CANDIDATES]


def _is_of_another(figure: Figure, side: _Side, wanted: Wanted) -> bool:
    """Tell whether a figure's row is named otherwise, or a share would be one of a share."""
    label, dash, _ = figure.said.partition(" – ")
    named = (
        frozenset(terms(without_periods(label))) - GENERIC
        if dash and figure.entity
        else frozenset()
    )
    is_total = bool(named & _TOTALS)
    is_other = bool(named) and not is_total and named.isdisjoint(side.asked | side.lent)
    return is_other or (wanted.kind == "share" and figure.unit == "%")


def _named(figure: Figure, side: _Side) -> float:
    """Return how much of the first cell of a figure's row stands in the question."""
    first = frozenset(terms(figure.entity.partition(",")[0]))
    return len(first & (side.asked | side.lent)) / len(first) if first else 0.0


def _is_titled(side: _Side, named: Sequence[Period]) -> bool:
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


def _own(figure: Figure) -> frozenset[str]:
    """Return the terms of a figure: of its column and row, or of its part of the sentence."""
    said = f"{figure.metric} {figure.entity} {figure.unit}"
    short = [letters for name in (figure.metric, figure.entity) for letters in _initials(name)]
    return frozenset(terms(said)) | frozenset(terms(" ".join(short)))


def _initials(text: str) -> Iterator[str]:
    words = text.split()
    if 2 <= len(words) <= 4 and all(word[:1].isupper() for word in words):
        yield "".join(word[0] for word in words)


def _title(chunk: EvidenceChunk) -> _Title:
    named = [each.period for text in (chunk.context, chunk.title) for each in periods(text)]
    return _Title(_title_terms(chunk), named)


def _title_terms(chunk: EvidenceChunk) -> frozenset[str]:
    headings = [line for line in chunk.text.splitlines()[:2] if len(line.split()) <= 6]
    return frozenset(terms("\n".join([chunk.context, chunk.title, chunk.document, *headings])))


def _of_periods(
    wanted: Wanted, evidence: Sequence[EvidenceChunk], read: Sequence[Table]
) -> Operands | None:
    """Return one figure of the same thing for each period."""
    pool = _pool(evidence, read)
    asked = about(wanted.sides[0])
    found = [_candidates(_Side(asked, each, frozenset()), wanted, pool) for each in wanted.periods]
    if not all(found):
        return None
    best = [each[0] for each in found]
    rivals = any(
        other.score >= first.score - _CLOSE and _amounts([other]) != _amounts([first])
        for first, *others in found
        for other in others
    )
    alike = len({each.figure.metric for each in best}) == 1
    is_whole = not any(each.missing for each in best)
    group = Group(label="", figures=[each.figure for each in best])
    return Operands(groups=[group], is_sure=is_whole and alike and not rivals, is_whole=is_whole)


# --- rows of a table ---------------------------------------------------------------------------


class _Picked(NamedTuple):
    """A column of a table, the rows that are meant, and how many words asked for they lack."""

    table: Table
    header: str
    rows: list[Row]
    missing: int
    matched: int
    filters: tuple[str, ...]
    is_exact: bool


def _is_stated(wanted: Wanted, asked: frozenset[str], evidence: Sequence[EvidenceChunk]) -> bool:
    """Tell whether a sentence gives what would be calculated: "the average bid time was 16 days"."""
    says = _SAYS.get(wanted.kind, frozenset())
    return any(
        says & said and asked <= said
        for chunk in evidence
        for unit in units(chunk.text)
        if unit.kind != "table_row" and any(map(str.isdigit, unit.text))
        for said in [frozenset(terms(unit.text))]
    )


def _of_rows(
    wanted: Wanted, evidence: Sequence[EvidenceChunk], read: Sequence[Table]
) -> Operands | None:
    asked = about(wanted.sides[0])
    if _is_stated(wanted, asked, evidence):
        return None
    picked = [found for table in read for found in _columns(wanted, asked, table)]
    if not picked:
        return None
    best = max(picked, key=lambda each: (-each.missing, each.matched, len(each.filters)))
    rivals = [
        each
        for each in picked
        if (each.missing, each.matched) == (best.missing, best.matched) and each is not best
    ]
    # Without a cell that is named the rows would be some, and not those that are meant.
    if best.missing > (MISSING * len(asked) if best.filters else 0):
        return None
    groups = list(_groups(wanted, best))
    if not groups:
        return None
    figures = [figure for group in groups for figure in group.figures]
    alike = not objection(figures, "sum", forecasts=True)
    among = " and ".join(best.filters)
    return Operands(
        groups=groups,
        is_sure=best.is_exact and not rivals and not best.missing and alike,
        among=among,
    )


def _columns(wanted: Wanted, asked: frozenset[str], table: Table) -> Iterator[_Picked]:
    """Yield the columns of figures that may be meant, each with its rows."""
    if len(table.rows) < _LEAST_ROWS:
        return
    kept = _without_totals(table)
    filters = _filters(asked, table)
    rows = [
        row for row in kept if all(row.cell(header) in values for header, values in filters.items())
    ]
    titles = _title_terms(table.rows[0].chunk)
    named = frozenset(
        term for values in filters.values() for value in values for term in terms(value)
    )
    of_what = named | titles | frozenset(terms(words_of(table.first))) | frozenset(terms(wanted.by))
    for header in table.headers:
        if not table.is_numeric(header) or header == table.first:
            continue
        words = frozenset(terms(words_of(header)))
        matched = _matched(wanted, asked, words)
        over = periods(header)
        meant = [row for row in rows if _is_meant(wanted, row, header, has_period=bool(over))]
        if not matched or len(meant) < _LEAST_ROWS:
            continue
        if over and wanted.periods and over[0].period not in wanted.periods:
            continue
        missing = asked - words - of_what - _covered_by_rows(asked, meant)
        strays = words - asked - of_what - GENERIC - _QUANTITY - _PRICES
        values = tuple(value for several in filters.values() for value in several)
        sums = _sums(header, meant)
        data = [row for row in meant if row not in sums or not _says_whole(row)]
        exact = not strays and not sums
        yield _Picked(table, header, data, len(missing), len(matched), values, is_exact=exact)


def _matched(wanted: Wanted, asked: frozenset[str], words: frozenset[str]) -> frozenset[str]:
    """Return what of a column's name is meant; of what is dear or cheap that can be a price alone."""
    if wanted.prices and not words & _PRICES:
        return frozenset()
    return asked & words or _meant_by_kind(wanted, words)


def _meant_by_kind(wanted: Wanted, words: frozenset[str]) -> frozenset[str]:
    """Return what of a column's name is meant without being named: how many, what it costs."""
    return words & ((_QUANTITY if wanted.counts else frozenset()) | (_PRICES if wanted.prices else frozenset()))  # fmt: skip


def _covered_by_rows(asked: frozenset[str], rows: Sequence[Row]) -> frozenset[str]:
    """Return the terms that every row says: "piece" in each."""
    common = asked
    for row in rows:
        common &= frozenset(terms(row.line))
    return common


def _filters(asked: frozenset[str], table: Table) -> dict[str, list[str]]:
    """Return the cells that the question names, by their columns."""
    found: dict[str, list[str]] = {}
    for header in table.headers:
        values = {row.cell(header) for row in table.rows} - {""}
        for value in values:
            said = frozenset(terms(value))
            if said and whole_number(value) is None and said <= asked:
                found.setdefault(header, []).append(value)
    return found


def _sums(header: str, rows: Sequence[Row]) -> list[Row]:
    """Return the rows that are the sum of all others, as a whole is of its parts, or happen to be."""
    read = [whole_number(row.cell(header)) for row in rows]
    values = [number.value for number in read if number]
    if len(rows) < 3 or len(values) < len(rows):
        return []
    total = sum(values)
    return [row for row, value in zip(rows, values, strict=True) if 2 * value == total]


def _says_whole(row: Row) -> bool:
    said = [cell.text for cell in row.cells if len(cell.text) <= LABEL_CHARS]
    return not _TOTALS.isdisjoint(terms(" ".join(said)))


def _is_meant(wanted: Wanted, row: Row, header: str, *, has_period: bool) -> bool:
    """Tell whether a row has such a figure and is of a period that is asked for."""
    text = row.cell(header)
    if whole_number(text) is None:
        return False
    if has_period or not wanted.periods:
        return True
    said = [
        found[0].period
        for cell in row.cells
        if len(cell.text) <= LABEL_CHARS and (found := periods(cell.text))
    ]
    if said:
        return any(within(each, period) for each in said[:2] for period in wanted.periods)
    titles = periods(f"{row.chunk.context}\n{row.chunk.title}\n{row.chunk.document}")
    return any(each.period in wanted.periods or any(within(each.period, p) for p in wanted.periods) for each in titles)  # fmt: skip


def _without_totals(table: Table) -> list[Row]:
    """Return the rows of data: not those that say to be of all, or that sum up the others."""
    rows = [row for row in table.rows if not frozenset(terms(row.cells[0].text)) & _TOTALS]
    headers = [header for header in table.headers[1:] if table.is_numeric(header)]
    if len(rows) < 3 or len(headers) < 2:
        return rows
    last = rows[-1]
    for header in headers:
        numbers = [whole_number(row.cell(header)) for row in rows]
        if any(number is None for number in numbers):
            return rows
        values = [number.value for number in numbers if number]
        if sum(values[:-1]) != values[-1]:
            return rows
    return [row for row in rows if row is not last] if headers else rows


def _groups(wanted: Wanted, picked: _Picked) -> Iterator[Group]:
    """Yield the figures of the rows: together, or by the column that a ranking is of."""
    by = next((h for h in picked.table.headers if wanted.by and frozenset(terms(h)) & frozenset(terms(wanted.by))), "")  # fmt: skip
    if wanted.kind == "rank" and not by:
        by = picked.table.first
    grouped: dict[str, list[Figure]] = {}
    for row in picked.rows[:MOST_INPUTS]:
        cell = Cell(picked.header, row.cell(picked.header))
        figure = cell_figure(picked.table, row, cell)
        if figure is not None:
            grouped.setdefault(row.cell(by) if by else "", []).append(figure)
    for label, figures in grouped.items():
        yield Group(label=label, figures=figures)
