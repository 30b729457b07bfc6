"""Read a question over all rows of a table as a query, by rule; what cannot be read is named.

Without a model: how many, totals, averages, highest and lowest, the first so many, by what, where,
and single rows by their names.
"""

import datetime as dt
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Final

from masis.tables.grammar import conditions, matching
from masis.tables.grammar.asking_words import (
    DENIALS,
    FEWEST_ASKED,
    FEWEST_REFUSED,
    GRAINS,
    GROUPED,
    LEAST_SCORE,
    MENTIONED,
    MOST_CHARS,
    MOST_TOP,
    MOST_UNREAD,
    MOST_WORDS,
    REASON,
    SHARE,
    SURE_SCORE,
    TOP,
    WHICH,
    operator,
)
from masis.tables.grammar.composing import query_of
from masis.tables.grammar.conditions import Dated
from masis.tables.grammar.filtering import (
    date_filters,
    number_filters,
    of_periods,
    span_filters,
    value_filters,
)
from masis.tables.grammar.found import Found
from masis.tables.grammar.matching import Match
from masis.tables.grammar.words import Asked, Token, stem
from masis.values.base import Value
from masis.values.tabular import Filter, TableInfo, TableQuery


class Read(Value):
    """A question as a query. `assumed` are sentences on what was taken for granted."""

    query: TableQuery
    tables: list[str]
    said: list[str] = []
    assumed: list[str] = []
    score: float


class Unread(Value):
    """A question over a table of which words could not be read."""

    table: str
    words: list[str]
    score: float


def read(question: str, tables: Sequence[TableInfo], today: dt.date) -> Read | Unread | None:
    """Return the query that a question asks for; None where it asks none of these tables."""
    if not tables or len(question) > MOST_CHARS or REASON.search(question):
        return None
    readings: list[Read | Unread] = []
    for family in _families(tables):
        if sum(table.shape.rows for table in family) < FEWEST_ASKED:
            continue
        found = _reading(question, family, today)
        if found is not None:
            readings.append(found)
    return _best(readings)


def _families(tables: Sequence[TableInfo]) -> list[list[TableInfo]]:
    """Return the tables of a document that have the same columns together: a sheet a year."""
    found: dict[tuple[str, tuple[tuple[str, str], ...]], list[TableInfo]] = {}
    for table in tables:
        columns = tuple((each.name.casefold(), each.type) for each in table.shape.columns)
        found.setdefault((table.document_id, columns), []).append(table)
    return list(found.values())


def _best(readings: Sequence[Read | Unread]) -> Read | Unread | None:
    """Return the one reading that says most; none where two say as much."""
    whole = sorted(
        (each for each in readings if isinstance(each, Read)), key=lambda each: -each.score
    )
    part = sorted(
        (each for each in readings if isinstance(each, Unread)), key=lambda each: -each.score
    )
    if whole and not (part and part[0].score > whole[0].score + 1):
        if len(whole) > 1 and whole[0].score - whole[1].score < 0.5:
            return None
        return whole[0]
    return part[0] if part else None


# --- one family ------------------------------------------------------------------------------


def _reading(question: str, family: list[TableInfo], today: dt.date) -> Read | Unread | None:
    asked = Asked(question)
    ids = list(matching.identifiers(asked, family[0]))
    for each in ids:
        asked.read(each.start, each.end, "id")
    numbers_of = [each for each in family[0].shape.columns if each.type == "number"]
    counted = {
        stem(part) for each in numbers_of for part in (*matching.parts(each.name), each.unit)
    }
    dates = conditions.dated(asked, today, counted)
    chosen = _of_years(family, dates)
    values = _values(asked, chosen)
    rows = matching.named(asked, chosen[0])
    compared = list(conditions.compared(asked))
    counts = span_filters(asked, chosen[0])
    if counts is None:
        return None
    named = _columns(asked, chosen[0], dates)
    for token in rows:
        token.read = token.read or "table"
    assumed: list[str] = []
    found = Found(asked, chosen, named, [], dates, rows, bool(ids), assumed)
    filters = [
        Filter(column=each.column.name, operator="is", values=list(each.values)) for each in ids
    ]
    filters += value_filters(found, values)
    numbers = number_filters(found, compared)
    stretches = date_filters(found)
    if numbers is None or stretches is None or _denies(asked):
        return None
    whole = found._replace(filters=[*filters, *counts, *numbers, *stretches])
    query = query_of(whole)
    unread = asked.unread()
    score = _score(whole, values, len(unread))
    if query is None or unread:
        return _unread(whole, [word for word in unread if not SHARE.fullmatch(word)], score)
    calculates = operator(asked.text) or bool(query.groups)
    if score < (LEAST_SCORE if calculates else SURE_SCORE) and not ids:
        return None
    return Read(
        query=query,
        tables=[each.table_id for each in chosen],
        assumed=list(dict.fromkeys(assumed)),
        score=score,
    )


def _denies(asked: Asked) -> bool:
    """Tell whether a word denies something that was not read: a query without it says the opposite."""
    return any(
        DENIALS.fullmatch(token.plain) and token.read in {"", "operator"} for token in asked.tokens
    )


def _unread(found: Found, words: Sequence[str], score: float) -> Unread | None:
    """Return what could not be read, where a table is clearly meant and little of the question is left."""
    text = found.asked.text
    calculates = operator(text) or bool(SHARE.search(text))
    grouped = any(GROUPED.search(text[: match.start]) for match in found.columns)
    said = sum(1 for token in found.asked.tokens if token.read and token.read != "operator")
    rows = sum(table.shape.rows for table in found.tables)
    if rows < FEWEST_REFUSED:
        return None
    is_short = 0 < len(words) <= MOST_UNREAD and len(found.asked.tokens) <= MOST_WORDS
    if not (calculates and is_short and (found.rows or grouped)) or not said:
        return None
    return Unread(table=found.table.source, words=list(words), score=score)


def _score(found: Found, values: Sequence[matching.Valued], unread: int) -> float:
    """Return how much of the question the table answers to."""
    named = 2.0 * bool(found.rows) + sum(each.weight for each in found.columns)
    held = sum(1.0 if each.is_exact else 0.5 for each in values)
    dates = 0.5 * len(found.dates)
    nouns = 0.3 * any(token.read == "noun" for token in found.asked.tokens)
    grains = 0.5 * any(token.plain in GRAINS and token.read for token in found.asked.tokens)
    named += min(1.0, dates + nouns + grains)
    return named + held + 3.0 * found.has_id - 1.5 * unread + 0.5 * bool(operator(found.asked.text))


def _of_years(family: list[TableInfo], dates: Sequence[Dated]) -> list[TableInfo]:
    """Return the tables of the years that are asked about, where their names state years."""
    asked = {each.period.year for each in dates if each.period and each.period.year}
    fits = [table for table in family if matching.years(table) & asked]
    return fits if fits and len(family) > 1 and all(map(matching.years, family)) else family


def _values(asked: Asked, tables: Sequence[TableInfo]) -> list[matching.Valued]:
    """Return the values that are named; a word that is a column's own name is none, but in a filter."""
    exact = {matching.parts(each.name) for each in tables[0].shape.columns}
    for token, following in zip_longest(asked.tokens, asked.tokens[1:]):
        before = asked.text[: token.start]
        by_name = (
            (following and following.plain == "date")
            or GROUPED.search(before)
            or WHICH.search(before)
        )
        if (token.plain,) in exact and (by_name or not _is_value(token.plain, tables[0])):
            token.read = "held"
    found = list(matching.values(asked, _all_values(tables)))
    for token in asked.tokens:
        if token.read == "held":
            token.read = ""
    return found


def _is_value(word: str, table: TableInfo) -> bool:
    return any(
        word == value.casefold() for column in table.shape.columns for value in column.values
    )


def _all_values(tables: Sequence[TableInfo]) -> TableInfo:
    """Return the first table with the values of all: a customer may be in one year's sheet alone."""
    first = tables[0]
    if len(tables) == 1:
        return first
    columns = []
    for at, column in enumerate(first.shape.columns):
        others = [table.shape.columns[at] for table in tables]
        values = list(dict.fromkeys(value for each in others for value in each.values))
        columns.append(
            column.model_copy(
                update={"values": values if all(each.values for each in others) else []}
            )
        )
    return first.model_copy(update={"shape": first.shape.model_copy(update={"columns": columns})})


def _columns(asked: Asked, table: TableInfo, dates: Sequence[Dated]) -> list[Match]:
    """Return the columns that are named, by their names, by a period, or by what their cells are."""
    found = list(of_periods(table, dates))
    grains = list(_grains(asked, table))
    for match in matching.columns(asked, table):
        is_noun = match.weight < MENTIONED
        asked.read(match.start, match.end, "noun" if is_noun else f"column:{match.column.name}")
        if not is_noun:
            found.append(match)
    for token in grains:
        token.read = "operator"
    found += _by_kind(asked, table, found)
    for token in asked.tokens:
        said = token.plain in matching.KINDS["duration"] or _is_operator(asked, token)
        if not token.read and said:
            token.read = "operator"
    return sorted(found, key=lambda each: each.start)


def _by_kind(asked: Asked, table: TableInfo, named: Sequence[Match]) -> Iterator[Match]:
    """Yield the columns that words mean by what their cells are; numbers only where none is named."""
    kinds = ["money", "duration", "people", "quantity"]
    if any(match.column.type == "number" for match in named):
        said = frozenset().union(*(matching.KINDS[kind] for kind in kinds))
        for token in asked.tokens:
            if token.plain in said:
                token.read = token.read or "kind"
        kinds = []
    for kind in [*kinds, "date", "person"]:
        match = matching.of_kind(asked, table, kind)
        if match is not None:
            asked.read(match.start, match.end, f"column:{match.column.name}")
            yield match


def _grains(asked: Asked, table: TableInfo) -> Iterator[Token]:
    """Yield the stretches of time that rows are put together by, and hold them from names of columns."""
    dates = any(column.type == "date" for column in table.shape.columns)
    for before, token in pairwise(asked.tokens):
        is_span = token.plain in GRAINS and before.plain in {"by", "per", "each", "every"}
        if dates and is_span and not _within_name(asked, token, table):
            token.read = "operator"
            yield token


def _within_name(asked: Asked, token: Token, table: TableInfo) -> bool:
    """Tell whether the words before a stretch of time are those of a column's name: "price per year"."""
    said = asked.text[: token.end].casefold()
    return any(
        said.endswith(" ".join(words))
        for column in table.shape.columns
        if len(words := matching.parts(column.name)) > 2
    )


_OPERATORS: Final = frozenset(
    """
    count counts average avg avrage averages mean median sum top bottom most least highest lowest biggest largest greatest smallest
    fewest max maximum min minimum longest shortest best worst first last newest oldest latest earliest recent cheapest dearest priciest costliest
    expensive slowest fastest quickest busiest heaviest lightest vs versus different distinct unique monthly yearly annually quarterly
    daily month year quarter day months years quarters days without missing blank empty except excluding other than but apart
    not non isn't aren't against compared more less over under above below least over's often much two three four five six seven eight nine ten
    whole date id ids older newer longer shorter higher lower greater fewer between
    """.split()
)


def _is_operator(asked: Asked, token: Token) -> bool:
    """Tell whether a word asks for a calculation; a number only says how many are wanted."""
    top = TOP.search(asked.text)
    is_top = top is not None and top.start() <= token.start < top.end()
    return token.plain in _OPERATORS or (is_top and token.plain.isdigit() and int(token.plain) <= MOST_TOP)  # fmt: skip
