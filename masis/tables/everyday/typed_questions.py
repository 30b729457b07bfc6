"""Read a question over tables as people type it: as it stands, else in the words of a table."""

import datetime as dt
import re
from collections.abc import Sequence
from typing import Final

from masis.tables import telling
from masis.tables.everyday.everyday_words import DENIED, SPANS, STRONG
from masis.tables.everyday.known_names import names_of
from masis.tables.everyday.translating import (
    Translated,
    asked_plainly,
    asks_for_people,
    calculates,
    translated,
)
from masis.tables.grammar import matching
from masis.tables.grammar.asking_words import FEWEST_ASKED, MOST_CHARS, REASON
from masis.tables.grammar.family import Read, Unread
from masis.tables.grammar.questions import best, families, read_family
from masis.tables.grammar.questions import read as read_plain
from masis.values.tabular import Column, TableInfo, TableQuery

FEWEST_ROWS: Final = 5
"""Rows of a table that is asked where a question was put into its words."""


def read(question: str, tables: Sequence[TableInfo], today: dt.date) -> Read | Unread | None:
    """Return the query that a question asks for; None where it asks none of these tables.

    What the grammar reads as it stands is taken, but where everyday words hold a condition that it does not see.
    """
    plain = read_plain(question, tables, today)
    if not tables or len(question) > MOST_CHARS or REASON.search(question):
        return plain
    readings, held = _everyday(question, tables, today)
    found = best(readings)
    is_strong = isinstance(found, Read) and STRONG.search(question) is not None
    if isinstance(plain, Read) and not held & set(plain.tables) and not is_strong:
        return plain
    if isinstance(found, Read):
        return found
    return None if isinstance(plain, Read) else plain


def _everyday(
    question: str, tables: Sequence[TableInfo], today: dt.date
) -> tuple[list[Read | Unread], set[str]]:
    """Return how a question reads in the words of each table, and of which tables it holds a condition."""
    text = asked_plainly(question)
    if not calculates(text):
        return [], set()
    names = names_of(tables)
    readings: list[Read | Unread] = []
    held: set[str] = set()
    for family in families(tables):
        rows = sum(table.shape.rows for table in family)
        if rows < FEWEST_ROWS:
            continue
        made = translated(text, family[0], names, today)
        if made.filters or made.calculated:
            held |= {each.table_id for each in family}
        is_same = made.text.casefold() == question.casefold().rstrip("?!. ")
        if (is_same and not made.filters and rows >= FEWEST_ASKED) or asks_for_people(made):
            continue
        found = _read(made, family, today)
        if found is not None:
            readings.append(found)
    return readings, held


def _read(made: Translated, family: Sequence[TableInfo], today: dt.date) -> Read | None:
    having = [each.having(made.calculated) for each in family]
    found = read_family(made.text, having, today, made.filters)
    if not isinstance(found, Read) or not (
        found.query.measures or found.query.limit or made.filters
    ):
        return None
    wrong = (_counts_spans, _counts_one, _misses_denial)
    if any(each(made, found.query) for each in wrong):
        return None
    query = found.query.model_copy(update={"calculated": _used(made, found.query)})
    told = [*made.notes, *found.assumed]
    if not told or query.columns or query.groups or query.derived:
        told.append(
            telling.understood(query)
        )  # which the result says itself where it is one figure
    return found.model_copy(update={"query": query, "assumed": list(dict.fromkeys(told))})


def _counts_spans(made: Translated, query: TableQuery) -> bool:
    """Tell whether rows are counted that are a quarter or a month each, and no such thing is asked for."""
    columns = [each for each in made.table.shape.columns if each.distinct == made.table.shape.rows]
    spans = {part for each in columns for part in matching.parts(each.name)} & SPANS
    is_count = any(not each.column for each in query.measures)
    return is_count and bool(spans) and not any(re.search(rf"\b{each}s?\b", made.text) for each in spans)  # fmt: skip


def _counts_one(made: Translated, query: TableQuery) -> bool:
    """Tell whether rows are counted of which there is one each: those with a name that no two have."""
    rows = made.table.shape.rows
    names = {each.name for each in made.table.shape.columns if each.distinct == rows and each.type == "text"}  # fmt: skip
    is_count = bool(query.measures) and all(not each.column for each in query.measures)
    return is_count and any(each.operator == "is" and each.column in names for each in query.filters)  # fmt: skip


def _misses_denial(made: Translated, query: TableQuery) -> bool:
    """Tell whether something is denied that is no condition of the query."""
    held = [*query.filters, *(one for each in query.measures for one in each.filters)]
    is_held = any(each.operator in {"blank", "filled", "is not", "begins not"} for each in held)
    return DENIED.search(made.text) is not None and not is_held


def _used(made: Translated, query: TableQuery) -> list[Column]:
    named = {*query.named, *query.columns, query.order}
    return [each for each in made.calculated if each.name in named]
