"""Read a question over tables as people type it: as it stands, else in the words of a table."""

import datetime as dt
import re
from collections.abc import Sequence
from typing import Final

from masis.tables import telling
from masis.tables.everyday.derived_columns import FALL, RISE, is_outlay
from masis.tables.everyday.everyday_words import (
    DENIED,
    ENDS,
    FELL,
    INCOME,
    ROSE,
    SMALL_VALUE,
    SPANS,
    STRONG,
    WHOLE,
)
from masis.tables.everyday.known_names import names_of
from masis.tables.everyday.meant_measures import in_meant_measure
from masis.tables.everyday.rewording import Translated
from masis.tables.everyday.small_values import in_capitals
from masis.tables.everyday.table_periods import dates
from masis.tables.everyday.translating import (
    asked_plainly,
    asks_for_people,
    calculates,
    own_noun,
    translated,
)
from masis.tables.grammar import matching
from masis.tables.grammar.asking_words import FEWEST_ASKED, MOST_CHARS, ORDERED_BY_ROWS, REASON
from masis.tables.grammar.family import Read, Unread
from masis.tables.grammar.questions import best, families, read_family
from masis.tables.grammar.questions import read as read_plain
from masis.tables.grammar.unused import NOT_USED
from masis.tables.grammar.words import AskedWords, stem
from masis.values.tabular import Column, Filter, TableInfo, TableQuery

MOST_OPEN: Final = 31
"""Days without a row at the end of a stretch that is set against another: with more of them it is not over."""
FEWEST_ROWS: Final = 5
"""Rows of a table that is asked where a question was put into its words."""


def read(question: str, tables: Sequence[TableInfo], today: dt.date) -> Read | Unread | None:
    """Return the query that a question asks for; None where it asks none of these tables.

    What the grammar reads as it stands is taken, but where everyday words hold a condition that it does not see.
    """
    for meant in in_capitals(question, tables):
        found = _read_as_said(meant.text, tables, today)
        if isinstance(found, Read) and _has_value(found.query, meant.value):
            told = SMALL_VALUE.format(said=meant.said, value=meant.value)
            return found.model_copy(update={"assumed": [told, *found.assumed]})
    found = _read_as_said(question, tables, today)
    return in_meant_measure(question, found, tables) if isinstance(found, Read) else found


def _has_value(query: TableQuery, value: str) -> bool:
    """Tell whether a query holds rows by a value."""
    held = [*query.filters, *(one for each in query.measures for one in each.filters)]
    return any(each.operator == "is" and value.casefold() in each.values for each in held)


def _read_as_said(
    question: str, tables: Sequence[TableInfo], today: dt.date
) -> Read | Unread | None:
    plain = read_plain(question, tables, today)
    if not tables or len(question) > MOST_CHARS or REASON.search(question):
        return plain
    readings, held = _everyday(question, tables, today)
    found = best(readings)
    is_strong = isinstance(found, Read) and STRONG.search(question) is not None
    is_vague = isinstance(plain, Read) and ORDERED_BY_ROWS in plain.assumed
    is_better = is_strong or (is_vague and isinstance(found, Read))
    if isinstance(plain, Read) and not held & set(plain.tables) and not is_better:
        return plain
    if isinstance(found, Read):
        return found
    return None if isinstance(plain, Read) else plain


def _everyday(
    question: str, tables: Sequence[TableInfo], today: dt.date
) -> tuple[list[Read | Unread], set[str]]:
    """Return how a question reads in the words of each table, and of which tables it holds a condition."""
    if not calculates(asked_plainly(question)):
        return [], set()
    names = names_of(tables)
    readings: list[Read | Unread] = []
    held: set[str] = set()
    for family in families(tables):
        rows = sum(table.shape.rows for table in family)
        if rows < FEWEST_ROWS:
            continue
        made = translated(question, family[0], names, today)
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
    told = _assumed(made, found)
    if told is None:
        return None
    found = found.model_copy(update={"query": _averaged(made, found.query)})
    wrong = (
        _counts_spans,
        _counts_one,
        _misses_denial,
        _adds_up_rates,
        _adds_up_wholes,
        _is_outside,
        _is_opposite,
        _is_unfinished,
        _misses_change,
        _is_never,
    )
    if any(each(made, found.query) for each in wrong):
        return None
    query = _of_changed(found.query)
    query = query.model_copy(update={"calculated": _used(made, query)})
    told = [*made.notes, *told]
    if not told or query.columns or query.groups or query.derived:
        told.append(
            telling.understood(query)
        )  # which the result says itself where it is one figure
    return found.model_copy(update={"query": query, "assumed": list(dict.fromkeys(told))})


def _assumed(made: Translated, found: Read) -> list[str] | None:
    """Return what was assumed; None where a word is left out that is none for the rows."""
    told: list[str] = []
    own = own_noun(made.table)
    for each in found.assumed:
        if not each.startswith(NOT_USED.split("{", 1)[0]):
            told.append(each)
        elif own is None or any(stem(word.casefold()) != stem(own) for word in re.findall(r"“(.+?)”", each)):  # fmt: skip
            return None
    return told


def _is_unfinished(made: Translated, query: TableQuery) -> bool:
    """Tell whether stretches are set against each other of which a table has but a part of one."""
    if query.derived not in {"difference", "growth"}:
        return False
    quarterly = any(each.distinct == made.table.shape.rows and "quarter" in matching.parts(each.name) for each in made.table.shape.columns)  # fmt: skip
    for each in (one for measure in query.measures for one in [*measure.filters, *query.filters]):
        column = made.table.column(each.column)
        if column is None or column.type != "date" or each.operator not in {"from", "before"}:
            continue
        day = dt.date.fromisoformat(each.values[0][:10])
        if quarterly and (day.day, day.month % 3) != (1, 1):
            return True
        if each.operator == "before" and (day - dt.date.fromisoformat(column.most[:10])).days > MOST_OPEN:  # fmt: skip
            return True
    return False


def _counts_spans(made: Translated, query: TableQuery) -> bool:
    """Tell whether rows are counted that are a quarter or a month each, and no such thing is asked for."""
    columns = [each for each in made.table.shape.columns if each.distinct == made.table.shape.rows]
    # A year that says something of the row, "start year", is no row's own stretch.
    names = [frozenset(matching.parts(each.name)) for each in columns]
    spans = {part for each in names if each - SPANS <= ENDS for part in each} & SPANS
    is_count = any(not each.column for each in query.measures)
    return is_count and bool(spans) and not any(re.search(rf"\b{each}s?\b", made.text) for each in spans)  # fmt: skip


def _counts_one(made: Translated, query: TableQuery) -> bool:
    """Tell whether rows are counted of which there is one each: those with a name that no two have."""
    rows = made.table.shape.rows
    names = {each.name for each in made.table.shape.columns if each.distinct == rows and each.type == "text"}  # fmt: skip
    is_count = bool(query.measures) and all(not each.column for each in query.measures)
    return is_count and any(each.operator == "is" and each.column in names for each in query.filters)  # fmt: skip


def _averaged(made: Translated, query: TableQuery) -> TableQuery:
    """Return a query that ranks groups by the mean of a rate, and not by its sum."""
    if not (query.groups and query.limit and _adds_up_rates(made, query)):
        return query
    measures = [each.model_copy(update={"aggregate": "mean"}) for each in query.measures]
    return query.model_copy(update={"measures": measures})


def _adds_up_rates(made: Translated, query: TableQuery) -> bool:
    """Tell whether prices, scores or shares are added up."""
    summed = (made.table.column(each.column) for each in query.measures if each.aggregate == "sum")
    return any(each is not None and matching.is_rate_of(each) for each in summed)


def _adds_up_wholes(made: Translated, query: TableQuery) -> bool:
    """Tell whether rows are added up of which some are the whole of others: "whole budget"."""
    held = {each.column for each in query.filters}
    wholes = (each for each in made.table.shape.columns if each.name not in held)
    is_sum = any(each.aggregate in {"sum", "mean"} for each in query.measures)
    return is_sum and any(WHOLE.search(value) for each in wholes for value in each.values)


def _is_opposite(made: Translated, query: TableQuery) -> bool:
    """Tell whether income is asked for, and a price or what something cost would be told."""
    if not {each.plain for each in AskedWords(made.text).tokens} & INCOME:
        return False
    told = (made.table.column(name) for name in (*(each.column for each in query.measures), query.order))  # fmt: skip
    return any(each is not None and is_outlay(each) for each in told) and not _is_named_so(made)


def _is_named_so(made: Translated) -> bool:
    """Tell whether a column's own name has the word for income: "cost of sales"."""
    said = [each.column for each in matching.columns(AskedWords(made.text), made.table)]
    return any(is_outlay(each) and {*matching.parts(each.name)} & INCOME for each in said)


def _is_outside(made: Translated, query: TableQuery) -> bool:
    """Tell whether dates are asked for that a table does not reach: another one may have them."""
    held = [*query.filters, *(one for each in query.measures for one in each.filters)]
    for each in held:
        column = made.table.column(each.column)
        if column is None or column.type != "date" or not each.values:
            continue
        if each.operator == "from" and each.values[0] > column.most[:10]:
            return True
        if each.operator == "before" and each.values[0] <= column.least[:10]:
            return True
    return False


def _misses_denial(made: Translated, query: TableQuery) -> bool:
    """Tell whether something is denied that is no condition of the query."""
    held = [*query.filters, *(one for each in query.measures for one in each.filters)]
    is_held = any(each.operator in {"blank", "filled", "is not", "begins not"} for each in held)
    return DENIED.search(made.text) is not None and not is_held


def _of_changed(query: TableQuery) -> TableQuery:
    """Return a query by what rose or fell over the rows in which it did."""
    if not query.order.startswith((f"{RISE} (", f"{FALL} (")):
        return query
    moved = Filter(column=query.order, operator="above", values=["0"])
    return query.model_copy(update={"filters": [*query.filters, moved]})


def _misses_change(made: Translated, query: TableQuery) -> bool:
    """Tell whether something rose or fell by the question, and the query has no change."""
    said = ROSE.search(made.question) or FELL.search(made.question)
    changes = (f"{RISE} (", f"{FALL} (")
    is_held = any(name.startswith(changes) for name in (*query.named, query.order))
    return bool(said) and not is_held and query.derived not in {"difference", "growth"}


def _is_never(made: Translated, query: TableQuery) -> bool:
    """Tell whether stretches are held together that have no day in common: Q3 and Q2."""
    for each in dates(made.table):
        held = [one for one in query.filters if one.column == each.name and one.values]
        since = [one.values[0] for one in held if one.operator == "from"]
        before = [one.values[0] for one in held if one.operator == "before"]
        if since and before and max(since) >= min(before):
            return True
    return False


def _used(made: Translated, query: TableQuery) -> list[Column]:
    named = {*query.named, *query.columns, query.order}
    return [each for each in made.calculated if each.name in named]
