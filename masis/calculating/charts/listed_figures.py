"""Find the figures that are to be shown side by side: a column of a table, a row of it, or several."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from masis.calculating import asked_calculation
from masis.calculating.asked_calculation import Listing, Wanted, about
from masis.calculating.asked_grammar import GENERIC, IN_PERCENT
from masis.calculating.charts.asked_display import Display
from masis.calculating.dimensions.numbers import whole_number
from masis.calculating.figures import (
    LABEL_CHARS,
    Cell,
    Row,
    Table,
    cell_figure,
    tables,
    words_of,
)
from masis.calculating.found_operands import Group, Operands
from masis.calculating.row_operands import MISSING
from masis.domain import EvidenceChunk, Figure, Period
from masis.text.lexical import terms
from masis.text.periods import periods, within, without_periods

MOST_LISTED: Final = 100
"""Figures that are shown side by side; what is longer is a table's business, and a query's."""
_LEAST: Final = 2
_FAR: Final = 10
"""Years that "since" reaches."""
_INSTEAD: Final = frozenset({"sum", "mean", "per_unit"})
_TOTALS: Final = frozenset(terms("total totals all sum overall altogether whole"))
_BY: Final = re.compile(
    r"\b(?:by|per|for each|for every|of each|of every|across(?: all)?|over) (?:the |our )?"
    r"(?P<by>[a-z][a-z-]*(?: (?!in\b|for\b|of\b|from\b|between\b|over\b|and\b|since\b|during\b)[a-z][a-z-]*)?)",
    re.IGNORECASE,
)
_SPANS: Final[dict[str, str]] = {
    "year": "year", "years": "year", "annum": "year", "quarter": "quarter", "quarters": "quarter",
    "month": "month", "months": "month", "half": "half", "half-year": "half", "day": "day",
}  # fmt: skip
_TIME: Final = frozenset({"time", *_SPANS})
_RANGE: Final = re.compile(r"\b(?:from|between|since)\b|\d ?(?:-|–|to|until|through) ?\w", re.IGNORECASE)  # fmt: skip
_SINCE: Final = re.compile(r"\bsince (?:the (?:start|beginning) of )?(?:FY ?)?(?:19|20)\d{2}\b", re.IGNORECASE)  # fmt: skip
_ASKING: Final = re.compile(
    r"^(?:please |can you |could you )*(?:what (?:is|are|was|were)|list|show(?: me| us)?|give(?: me| us)?|compare|tell me"
    r"|how (?:much|many)(?: \w+)? (?:is|are|was|were|did|does|do|has|have))\b|\b(?:figures?|values?|numbers?|data|development|trend"
    r"|history|breakdown|overview|comparison|distribution|split|each|every|since|between|until|up to)\b(?: of\b)?",
    re.IGNORECASE,
)


def meant_by(question: str, display: Display) -> Wanted | None:
    """Return what is to be calculated, or which figures are to be shown side by side; None for neither."""
    found = asked_calculation.wanted(question)
    # "Total revenue by quarter" wants no total of the quarters, where it is to be drawn.
    is_list = found is None or found.kind == "list"
    is_by_group = found is not None and found.kind in _INSTEAD and bool(_BY.search(display.rest))
    is_shown = display.asked or bool(IN_PERCENT.search(display.rest) and _BY.search(display.rest))
    listing = _listing(display.rest) if is_shown and (is_list or is_by_group) else None
    if listing is None:
        return found
    meant = found or Wanted(
        kind="list",
        sides=[listing.of],
        periods=listing.periods,
        in_percent=bool(IN_PERCENT.search(display.rest)),
    )
    return meant.model_copy(update={"listing": listing})


def _listing(question: str) -> Listing | None:
    """Return that the figures of a question are wanted as they stand; None where it names none."""
    by = _BY.search(question)
    rest = _BY.sub(" ", question) if by else question
    rest = " ".join(_ASKING.sub(" ", rest).split())
    if not about(rest):
        return None
    named = by["by"].casefold() if by else ""
    return Listing(of=rest, by=named, periods=_wanted_periods(question))


def _wanted_periods(question: str) -> list[Period]:
    """Return the periods that are named; of a range, first and last."""
    found = list(dict.fromkeys(each.period for each in periods(question)))
    if len(found) == 1 and found[0].year and _SINCE.search(question):
        first = found[0].year
        return [Period(kind="year", year=year) for year in range(first, first + _FAR)]
    if len(found) == _LEAST and _RANGE.search(question) and found[0].kind == found[1].kind == "year":  # fmt: skip
        first, last = sorted(each.year or 0 for each in found)
        return [
            Period(kind="year", year=year) for year in range(first, min(last, first + 2 * _FAR) + 1)
        ]
    return found


# --- in tables ---------------------------------------------------------------------------------


class _Spot(NamedTuple):
    """A cell that is meant: in which category and series it stands."""

    label: str
    series: str
    row: Row
    header: str


class _Pick(NamedTuple):
    """Cells of one table that may be meant, and how many words asked for they lack."""

    table: Table
    spots: list[_Spot]
    missing: int
    strays: int


class _Asked(NamedTuple):
    """The words of what is asked, and by what it is to be set side by side."""

    words: frozenset[str]
    by: frozenset[str]
    span: str
    periods: list[Period]


def listed_figures(wanted: Listing, evidence: Sequence[EvidenceChunk]) -> Operands | None:
    """Return the figures that are meant, each a group; None where the tables do not have them."""
    first = wanted.by.split(" ")[0]
    by = frozenset() if first in _TIME else frozenset(terms(wanted.by))
    span = _SPANS.get(first, "")
    asked = _Asked(about(wanted.of), by, span, wanted.periods)
    picks = [pick for table in tables(evidence) for pick in _picks(asked, table)]
    picks = [pick for pick in picks if _may_be_meant(pick, asked)]
    if not picks:
        return None
    best = min(picks, key=lambda pick: (pick.missing, pick.strays, -len(pick.spots)))
    groups = list(_groups(best))
    rivals = [
        pick
        for pick in picks
        if pick is not best
        and (pick.missing, pick.strays) == (best.missing, best.strays)
        and _amounts(list(_groups(pick))) != _amounts(groups)
    ]
    is_sure = not (best.missing or best.strays or rivals)
    return Operands(groups=groups, is_sure=is_sure, listed=True)


def _may_be_meant(pick: _Pick, asked: _Asked) -> bool:
    labels = {spot.label for spot in pick.spots}
    is_near = pick.missing <= MISSING * len(asked.words)
    return is_near and len(labels) >= _LEAST and len(pick.spots) <= MOST_LISTED


def _amounts(groups: Sequence[Group]) -> list[object]:
    return [(group.label, figure.amount) for group in groups for figure in group.figures]


def _groups(pick: _Pick) -> Iterator[Group]:
    """Yield a group for each cell; of several of one place it is the sum of all of them."""
    places: dict[tuple[str, str], list[_Spot]] = {}
    for spot in pick.spots:
        places.setdefault((spot.label, spot.series), []).append(spot)
    for (label, series), spots in places.items():
        read = [
            cell_figure(pick.table, spot.row, Cell(spot.header, spot.row.cell(spot.header)))
            for spot in spots
        ]
        figures = _parts([figure for figure in read if figure is not None])
        if figures:
            yield Group(label=label, series=series, figures=figures)


def _parts(figures: Sequence[Figure]) -> list[Figure]:
    """Return figures without one that is the sum of the others: a whole among its parts."""
    total = sum(figure.amount for figure in figures)
    wholes = [figure for figure in figures if 2 * figure.amount == total]
    if len(figures) <= _LEAST or len(wholes) != 1:
        return list(figures)
    return [figure for figure in figures if figure is not wholes[0]]


def _picks(asked: _Asked, table: Table) -> Iterator[_Pick]:
    """Yield what may be meant of a table: columns over its rows, and rows over its columns."""
    headers = [head for head in table.headers[1:] if table.is_numeric(head)]
    dated = [head for head in headers if periods(head)]
    if dated and (asked.periods or asked.span):
        headers = [head for head in dated if _is_within(asked, periods(head)[0].period)]
    label = _label(asked, table, headers)
    if label is None or not headers:
        return
    rows = _rows(asked, table, label, headers)
    named = [head for head in headers if _words(head) & asked.words]
    whole = [head for head in named if _words(head) <= asked.words]
    said = [(row, _words(row.cell(label))) for row in rows]
    chosen = [row for row, words in said if words and words <= asked.words]
    if named and len(chosen) >= _LEAST:
        yield _over_rows(asked, table, label, chosen, whole or named)
    elif named:
        yield _over_rows(asked, table, label, rows, whole or named)
    elif chosen and not _words(label) & asked.by:
        yield _over_columns(asked, table, label, chosen, headers)
    elif _is_titled(asked, table, label, rows) and (dated or len(headers) == 1):
        yield _over_rows(asked, table, label, _without_sum(rows, headers), headers)


def _is_titled(asked: _Asked, table: Table, label: str, rows: Sequence[Row]) -> bool:
    """Tell whether a table is of what is asked without a column of that name: "Revenue by line"."""
    known = _around(asked, table, label, rows)
    return asked.words <= known | {word for row in table.rows for word in _words(row.cell(label))}


def _without_sum(rows: Sequence[Row], headers: Sequence[str]) -> list[Row]:
    """Return rows without one that is the sum of the others in every column."""
    read = [[whole_number(row.cell(head)) for head in headers] for row in rows]
    if len(rows) <= _LEAST or not headers or any(number is None for line in read for number in line):  # fmt: skip
        return list(rows)
    values = [[number.value for number in line if number] for line in read]
    totals = [sum(column) for column in zip(*values, strict=True)]
    return [
        row
        for row, line in zip(rows, values, strict=True)
        if any(2 * value != total for value, total in zip(line, totals, strict=True))
    ]


def _over_rows(
    asked: _Asked, table: Table, label: str, rows: Sequence[Row], headers: Sequence[str]
) -> _Pick:
    is_one = len(headers) == 1
    of_what = frozenset(word for head in headers for word in _words(head))
    left = asked.words - of_what - _around(asked, table, label, rows)
    meant = [row for row in rows if left <= frozenset(terms(row.line))] if left else []
    rows = meant or rows
    names = {head: _named(head) for head in headers}
    if len(set(names.values())) < len(names):
        names = {head: head for head in headers}
    spots = [
        _Spot(row.cell(label), "" if is_one else names[head], row, head)
        for row in rows
        for head in headers
    ]
    spots = [spot for spot in spots if _is_timely(asked, spot.label, spot.row, spot.header)]
    known = of_what | _around(asked, table, label, rows)
    known |= frozenset(word for row in table.rows for word in _words(row.cell(label)))
    is_named = is_one or (of_what and of_what <= asked.words)
    return _Pick(
        table, spots, len(asked.words - known), _strays(asked, spots, of_what) + (not is_named)
    )


def _strays(asked: _Asked, spots: Sequence[_Spot], of_what: frozenset[str]) -> int:
    """Count what was not asked for: words of columns, and periods that are only within those asked for."""
    said = {each.period for spot in spots for text in (spot.label, spot.header) for each in periods(text)}  # fmt: skip
    is_part = bool(asked.periods) and not asked.span and not said <= set(asked.periods)
    return len(of_what - asked.words) + is_part


def _over_columns(
    asked: _Asked, table: Table, label: str, rows: Sequence[Row], headers: Sequence[str]
) -> _Pick:
    is_one = len({row.cell(label) for row in rows}) == 1
    spots = [
        _Spot(_named(head), "" if is_one else row.cell(label), row, head)
        for row in rows
        for head in headers
        if _is_timely(asked, head, row, head)
    ]
    of_time = all(periods(head) for head in headers)
    said = frozenset(word for row in rows for word in _words(row.cell(label)))
    known = said | _around(asked, table, label, rows)
    return _Pick(table, spots, len(asked.words - known), 0 if of_time else 1)


def _named(header: str) -> str:
    """Return a column's name as a category: its period where it has one."""
    return " ".join(re.sub(r"[,(].*$", "", header).split()) or header


def _words(text: str) -> frozenset[str]:
    """Return the words of a name, as those of a question are taken: without what says no thing."""
    said = frozenset(terms(without_periods(words_of(text))))
    return said - GENERIC or said


def _around(asked: _Asked, table: Table, label: str, rows: Sequence[Row]) -> frozenset[str]:
    """Return the words of what stands over a table, of its rows' names, and of cells that rows share."""
    chunk = table.rows[0].chunk
    lines = [line for line in chunk.text.splitlines()[:2] if len(line.split()) <= 6]
    titles = frozenset(terms("\n".join([chunk.context, chunk.title, chunk.document, *lines])))
    common = asked.words
    for row in rows:
        common &= frozenset(terms(row.line))
    return titles | frozenset(terms(words_of(label))) | common


def _label(asked: _Asked, table: Table, headers: Sequence[str]) -> str | None:
    """Return the column that names what is set side by side; None where that is not there."""
    found = [head for head in table.headers if _words(head) & asked.by]
    if asked.by and not found and not asked.by & _around(asked, table, table.first, []):
        return None
    label = found[0] if found else table.first
    return None if label in headers else label


def _rows(asked: _Asked, table: Table, label: str, headers: Sequence[str]) -> list[Row]:
    """Return the rows of data that have what is named of their other cells."""
    rows = [row for row in table.rows if row.cell(label) and not _TOTALS & _words(row.cell(label))]
    rows = [row for row in rows if any(whole_number(row.cell(head)) for head in headers)]
    taken = frozenset(word for head in headers for word in _words(head))
    for header in table.headers:
        if header == label or table.is_numeric(header):
            continue
        values = {row.cell(header) for row in rows}
        meant = {each for each in values if (left := _words(each) - taken) and left <= asked.words}
        rows = [row for row in rows if row.cell(header) in meant] if meant else rows
    return rows


def _is_timely(asked: _Asked, label: str, row: Row, header: str) -> bool:
    """Tell whether a figure is of a period that is asked for, by its row, its column or the titles."""
    if whole_number(row.cell(header)) is None:
        return False
    found = [*periods(label), *periods(header)]
    if found:
        return all(_is_within(asked, each.period) for each in found)
    if asked.span:
        return False
    beside = [each for cell in row.cells[:4] if len(cell.text) <= LABEL_CHARS for each in periods(cell.text)]  # fmt: skip
    titles = periods(f"{row.chunk.context}\n{row.chunk.title}\n{row.chunk.document}")
    said = [each.period for each in (beside or titles)]
    return not asked.periods or any(_is_asked(asked, each) for each in said)


def _is_within(asked: _Asked, period: Period) -> bool:
    fits = not asked.span or period.kind == asked.span
    return fits and (not asked.periods or _is_asked(asked, period))


def _is_asked(asked: _Asked, period: Period) -> bool:
    return any(within(period, each) for each in asked.periods)
