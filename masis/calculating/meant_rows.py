"""Find the rows of a table that a question means: by the cells that it names, and the bounds."""

import re
from typing import Final, NamedTuple

from masis.calculating.asked_calculation import Wanted, about
from masis.calculating.asked_grammar import TOTALS
from masis.calculating.asked_shape import Limit
from masis.calculating.dimensions.numbers import whole_number
from masis.calculating.figure_pool import title_terms, understood
from masis.calculating.figures import (
    LABEL_CHARS,
    Cell,
    Row,
    Table,
    cell_figure,
    words_of,
)
from masis.domain import Figure
from masis.tables.grammar.asking_words import WORD_COUNTS
from masis.text.lexical import terms

QUANTITY: Final = frozenset(terms("quantity qty number count pieces counted"))
PRICES: Final = frozenset(terms("price cost fee rate amount"))
_ROW_WORDS: Final = frozenset(
    terms("line lines row rows entry entries record records item items list directory register sheet file csv"
          " people person staff ppl persons across over based placed have has given named open currently")
)  # fmt: skip
"""Words for rows as such; they name no column."""
_NOTS: Final = frozenset({"not", "no", "none", "without", "n", "-", "–", "—"})
_LEAST_ROWS: Final = 2
_CATEGORY: Final = 4
"""Words of a name by one of which it can be named."""


class Meant(NamedTuple):
    """The rows of a table that are meant, the terms asked for as it has them, and what it says of all."""

    asked: frozenset[str]
    rows: list[Row]
    filters: dict[str, list[str]]
    of_what: frozenset[str]

    @property
    def values(self) -> tuple[str, ...]:
        """Return the cells that are named."""
        return tuple(dict.fromkeys(value for several in self.filters.values() for value in several))


def meant_rows(wanted: Wanted, table: Table) -> Meant | None:
    """Return the rows that the cells and the bounds of a question leave."""
    titles = title_terms(table.rows[0].chunk) | frozenset(terms(table.heading))
    known = titles | words_in(table)
    said = about(wanted.sides[0]) - _ROW_WORDS
    asked = frozenset(meant for term in said if (meant := understood(term, known)))
    data = _without_totals(table)
    filters = _filters(asked, table._replace(rows=data)) if data else {}
    filters |= _terms_named(wanted.sides[0], table._replace(rows=data)) if data else {}
    rows = [
        row for row in data if all(row.cell(header) in values for header, values in filters.items())
    ]
    for limit in wanted.limits:
        header = _limited(limit, asked, table)
        if not header:
            return None
        rows = [row for row in rows if _admits(limit, row, header)]
    named = frozenset(
        term for several in filters.values() for value in several for term in terms(value)
    )
    named |= frozenset(term for header in filters for term in terms(header))
    named |= frozenset(term for match in _durations(wanted.sides[0]) for term in terms(match[0]))
    words = frozenset(terms(words_of(table.first)))
    columns = frozenset(
        term
        for header in table.headers
        if not table.is_numeric(header)
        for term in terms(words_of(header))
    )
    of_what = named | titles | words | columns | frozenset(terms(wanted.by))
    return Meant(asked, rows, filters, of_what)


def words_in(table: Table) -> frozenset[str]:
    """Return the terms of a table's columns and short cells."""
    said = [*table.headers, *(words_of(header) for header in table.headers)]
    cells = [cell.text for row in table.rows for cell in row.cells if len(cell.text) <= LABEL_CHARS]
    return frozenset(term for text in [*said, *cells] for term in terms(text))


def _filters(asked: frozenset[str], table: Table) -> dict[str, list[str]]:
    """Return the cells that the question names, by their columns."""
    found: dict[str, list[str]] = {}
    for header in table.headers:
        values = list(dict.fromkeys(row.cell(header) for row in table.rows))
        said = {value: frozenset(terms(value)) for value in values if value}
        wholes = [
            value
            for value, words in said.items()
            if words and words <= asked and whole_number(value) is None and not _is_negative(value)
        ]
        found[header] = wholes or _named_short(asked, said, table, header)
    kept = {header: values for header, values in found.items() if values}
    return _told_apart(kept, asked) | _flags(asked, table, kept)


_TERM: Final = re.compile(
    rf"\b(?P<count>\d{{1,3}}|{'|'.join(WORD_COUNTS)})[- ](?P<unit>year|month|week|day|hour)s?\b",
    re.IGNORECASE,
)
_BEFORE_TIME: Final = re.compile(
    r"\b(?:last|past|previous|prior|recent|next|coming|following|first|these|those|every|each)\s+$",
    re.IGNORECASE,
)
_BEHIND_TIME: Final = re.compile(r"\s+(?:ago|old|later|earlier|before|back)\b", re.IGNORECASE)


def _durations(question: str) -> list[re.Match[str]]:
    """Return what says how long something is for; the last three years are a time, and no term."""
    return [
        match
        for match in _TERM.finditer(question)
        if not _BEFORE_TIME.search(question[: match.start()])
        and not _BEHIND_TIME.match(question, match.end())
    ]


def _terms_named(question: str, table: Table) -> dict[str, list[str]]:
    """Return the cells that say how long: "3 years" for three-year contracts."""
    named = {_term(match) for match in _durations(question)}
    found: dict[str, list[str]] = {}
    for header in table.headers if named else []:
        cells = dict.fromkeys(row.cell(header) for row in table.rows)
        values = [
            cell
            for cell in cells
            if (match := _TERM.fullmatch(cell.strip())) and _term(match) in named
        ]
        if values:
            found[header] = values
    return found if len(found) == 1 else {}


def _term(match: re.Match[str]) -> tuple[int, str]:
    said = match["count"].casefold()
    return WORD_COUNTS.get(said) or int(said), match["unit"].casefold()


def _is_negative(value: str) -> bool:
    return not _NOTS.isdisjoint(value.casefold().split())


def _named_short(
    asked: frozenset[str], said: dict[str, frozenset[str]], table: Table, header: str
) -> list[str]:
    """Return the cells that a word names alone: "Northmoor" for "Northmoor Water"."""
    if table.is_numeric(header) or len(said) < _LEAST_ROWS or len(said) >= len(table.rows):
        return []
    heads = frozenset(term for each in table.headers for term in terms(each))
    holders = {
        term: [value for value, words in said.items() if term in words and _is_name(value)]
        for term in asked - heads
        if not term.isdigit()
    }
    return list(dict.fromkeys(values[0] for values in holders.values() if len(values) == 1))


def _is_name(value: str) -> bool:
    """Tell whether a cell is a name of a few words: "Northmoor Water"."""
    words = value.split()
    return len(words) <= _CATEGORY and all(word[:1].isupper() for word in words)


def _told_apart(found: dict[str, list[str]], asked: frozenset[str]) -> dict[str, list[str]]:
    """Leave the columns that are named where several have the same cell: "fits" under each pump."""
    holders: dict[str, list[str]] = {}
    for header, values in found.items():
        for value in values:
            holders.setdefault(value, []).append(header)
    shared = {header for several in holders.values() if len(several) > 1 for header in several}
    heads = {header: frozenset(terms(header)) for header in shared}
    common = frozenset.intersection(*heads.values()) if heads else frozenset()
    return {
        header: values
        for header, values in found.items()
        if header not in shared or (heads[header] - common) & asked
    }


def _flags(
    asked: frozenset[str], table: Table, found: dict[str, list[str]]
) -> dict[str, list[str]]:
    """Return the positive cells of columns that say yes or no of a thing that is named."""
    flags: dict[str, list[str]] = {}
    for header in table.headers[1:]:
        values = {row.cell(header) for row in table.rows} - {""}
        positive = [value for value in values if not _is_negative(value)]
        others = frozenset(term for each in table.headers if each != header for term in terms(each))
        own = frozenset(terms(header)) - others
        if (
            len(values) == _LEAST_ROWS
            and len(positive) == 1
            and own & asked
            and header not in found
        ):
            flags[header] = positive
    return flags


def _limited(limit: Limit, asked: frozenset[str], table: Table) -> str:
    """Return the column that a bound is of."""
    said = frozenset(terms(limit.said)) | asked
    best, most = "", 0
    for header in table.headers:
        if not table.is_numeric(header):
            continue
        words = frozenset(terms(words_of(header)))
        figure = sample(table, header)
        if (
            figure is None
            or (limit.is_percent and figure.unit != "%")
            or (limit.is_money and not figure.currency and not words & PRICES)
        ):
            continue
        fits = 2 * len(words & said) + (limit.is_percent or limit.is_money)
        if fits > most:
            best, most = header, fits
    return best


def sample(table: Table, header: str) -> Figure | None:
    """Return the first figure of a column."""
    row = next((row for row in table.rows if whole_number(row.cell(header))), None)
    return cell_figure(table, row, Cell(header, row.cell(header))) if row else None


def _admits(limit: Limit, row: Row, header: str) -> bool:
    number = whole_number(row.cell(header))
    return number is not None and limit.admits(number.value)


def _without_totals(table: Table) -> list[Row]:
    """Return the rows of data: not those that say to be of all, or that sum up the others."""
    rows = [row for row in table.rows if not frozenset(terms(row.cells[0].text)) & TOTALS]
    headers = [header for header in table.headers[1:] if table.is_numeric(header)]
    if len(rows) < 3 or not headers:
        return rows
    last = rows[-1]
    for header in headers:
        numbers = [whole_number(row.cell(header)) for row in rows]
        if any(number is None for number in numbers):
            return rows
        values = [number.value for number in numbers if number]
        if sum(values[:-1]) != values[-1]:
            return rows
    return [row for row in rows if row is not last] if len(headers) > 1 else rows
