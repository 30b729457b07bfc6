"""Read a question over all rows of a table as a query, by rule; what cannot be read is named.

Without a model: how many, totals, averages, highest and lowest, the first so many, by what, where,
shares and changes of these, and single rows by their names.
"""

import datetime as dt
from collections.abc import Sequence
from itertools import islice
from typing import Final

from masis.tables.grammar.asking_words import (
    FEWEST_ASKED,
    MOST_CHARS,
    OF_ALL_THAT_FIT,
    REASON,
)
from masis.tables.grammar.deriving import MOST_FORMS, Parted, parted
from masis.tables.grammar.family import Read, Unread, reading
from masis.values.tabular import Filter, Measure, TableInfo, TableQuery

SURER: Final = 0.5
"""What it earns a reading that two questions were read in it."""


def read(question: str, tables: Sequence[TableInfo], today: dt.date) -> Read | Unread | None:
    """Return the query that a question asks for; None where it asks none of these tables."""
    if not tables or len(question) > MOST_CHARS or REASON.search(question):
        return None
    readings: list[Read | Unread] = []
    for family in families(tables):
        if sum(table.shape.rows for table in family) < FEWEST_ASKED:
            continue
        found = read_family(question, family, today)
        if found is not None:
            readings.append(found)
    return best(readings)


def read_family(
    question: str, family: list[TableInfo], today: dt.date, held: Sequence[Filter] = ()
) -> Read | Unread | None:
    """Return the query over tables with the same columns; `held` are conditions that are known already."""
    derived = _derived(question, family, today, held)
    return derived or reading(question, family, today, held)


def families(tables: Sequence[TableInfo]) -> list[list[TableInfo]]:
    """Return the tables of a document that have the same columns together: a sheet a year."""
    found: dict[tuple[str, tuple[tuple[str, str], ...]], list[TableInfo]] = {}
    for table in tables:
        columns = tuple((each.name.casefold(), each.type) for each in table.shape.columns)
        found.setdefault((table.document_id, columns), []).append(table)
    return list(found.values())


def best(readings: Sequence[Read | Unread]) -> Read | Unread | None:
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


# --- what is calculated of two readings --------------------------------------------------------


def _derived(
    question: str, family: list[TableInfo], today: dt.date, held: Sequence[Filter]
) -> Read | Unread | None:
    """Return a question for a share, a change or a mean of groups as one query."""
    unread: Unread | None = None
    for each in islice(parted(question), MOST_FORMS):
        one = reading(each.first, family, today, held)
        other = reading(each.second, family, today, held) if each.second else one
        if isinstance(one, Read) and isinstance(other, Read):
            query = _set_against(each, one.query, other.query)
            if query is not None:
                made = _joined(one, other, query)
                told = [OF_ALL_THAT_FIT] if _is_share_of_some(query) else []
                return made.model_copy(update={"assumed": [*made.assumed, *told]})
        elif isinstance(one, Unread) and isinstance(other, Read):
            unread = unread or one
    return unread


def _is_share_of_some(query: TableQuery) -> bool:
    """Tell whether groups share what fits a condition, which could be a share within each group."""
    held = any(each.operator in {"is", "is not", "blank"} for each in query.filters)
    return query.derived == "share" and bool(query.groups) and held


def _set_against(each: Parted, one: TableQuery, other: TableQuery) -> TableQuery | None:
    """Return the query whose result has both; None where they are not of one kind."""
    if one.columns or other.columns or one.limit or other.limit:
        return None
    if len(one.measures) != 1 or len(other.measures) != 1 or one.measures[0].aggregate != other.measures[0].aggregate:  # fmt: skip
        return None
    if not each.second:
        if not one.groups and each.derived == "share":
            return _of_its_value(each, one)
        return _of_groups(each, one) if one.groups else None
    if one.groups or other.groups or one == other:
        return None
    inner = [own for own in one.filters if own not in other.filters]
    if each.derived == "share" and (len(inner) + len(other.filters) != len(one.filters) or one.measures != other.measures):  # fmt: skip
        return None
    return _of_both(each, one, other)


def _of_groups(each: Parted, one: TableQuery) -> TableQuery:
    """Return what is calculated of groups; rows that are of none of them are no group of a mean."""
    held = {own.column for own in one.filters}
    named = [own for own in one.groups if each.derived == "mean" and not own.grain]
    filled = [Filter(column=own.column, operator="filled") for own in named if own.column not in held]  # fmt: skip
    return one.model_copy(update={"derived": each.derived, "filters": [*one.filters, *filled]})


def _of_its_value(each: Parted, one: TableQuery) -> TableQuery | None:
    """Return the share that the rows with the only value that is named have of those with any."""
    told = [own for own in one.filters if own.operator in {"is", "is not", "blank", "filled"}]
    if len(told) != 1:
        return None
    rest = [own for own in one.filters if own != told[0]]
    return _of_both(each, one, one.model_copy(update={"filters": rest}))


def _of_both(each: Parted, one: TableQuery, other: TableQuery) -> TableQuery:
    shared = [own for own in one.filters if own in other.filters]
    measures = [
        _measured(query.measures[0], [own for own in query.filters if own not in shared], label)
        for query, label in zip((one, other), each.labels, strict=True)
    ]
    return one.model_copy(
        update={
            "tables": list(dict.fromkeys([*one.tables, *other.tables])),
            "measures": measures,
            "filters": shared,
            "derived": each.derived,
        }
    )


def _measured(measure: Measure, filters: Sequence[Filter], label: str) -> Measure:
    return measure.model_copy(update={"filters": list(filters), "label": label})


def _joined(one: Read, other: Read, query: TableQuery) -> Read:
    return Read(
        query=query,
        tables=query.tables,
        assumed=list(dict.fromkeys([*one.assumed, *other.assumed])),
        score=min(one.score, other.score) + SURER,
    )
