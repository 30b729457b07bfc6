"""Tell whether a query measures what a question asks for: money is never answered by a number of rows."""

import re
from collections.abc import Sequence
from typing import Final

from masis.tables.grammar import matching
from masis.tables.grammar.asking_words import COUNT, OFTEN, TAKEN_FOR
from masis.tables.grammar.family import Read
from masis.tables.telling import UNDERSTOOD
from masis.text.lexical import terms
from masis.values.tabular import Column, Filter, Measure, TableInfo

_MONEY: Final = re.compile(
    r"\bhow much\b(?! (?:time|longer|space))|\b(?:sell|sold|sales|spend|spent|pay|paid|worth|earn(?:ed|ings)?|revenue|turnover|takings|budget)\b",
    re.IGNORECASE,
)
_ROWS: Final = re.compile(
    r"\b(?:orders|tickets|invoices|deals|lines|rows|entries|items|sales (?:calls|orders|visits|people))\b|\b(?:most|fewest) (?:sold|sales)\b",
    re.IGNORECASE,
)
"""What is counted where nobody asks for its value."""


def in_meant_measure(question: str, found: Read, tables: Sequence[TableInfo]) -> Read | None:
    """Return a reading that adds up money where that is asked for; None where the table does not tell which."""
    measures = found.query.measures
    are_counts = bool(measures) and all(each.aggregate == "count" for each in measures)
    asks_rows = COUNT.search(question) or OFTEN.search(question)
    if not are_counts or asks_rows or not _MONEY.search(question):
        return found
    table = next(each for each in tables if each.table_id in found.tables)
    amount = _amount(question, table)
    if amount is None:
        return None if not _ROWS.search(question) else found
    added = [_added(each, amount) for each in measures]
    query = found.query.model_copy(update={"measures": added})
    said = [each for each in found.assumed if not each.startswith(UNDERSTOOD)]
    assumed = list(dict.fromkeys([*said, TAKEN_FOR.format(name=amount.name)]))
    return found.model_copy(update={"query": query, "assumed": assumed})


def _added(measure: Measure, amount: Column) -> Measure:
    """Return the sum of an amount over the rows that were counted."""
    own: list[Filter] = measure.filters
    return Measure(aggregate="sum", column=amount.name, filters=own, label=measure.label)


def _amount(question: str, table: TableInfo) -> Column | None:
    """Return the amount that is named, else the only one that comes to something."""
    fits = [
        each
        for each in table.shape.columns
        if matching.is_money(each) and matching.is_additive(each)
    ]
    asked = frozenset(terms(question))
    named = [each for each in fits if asked & frozenset(terms(" ".join(matching.parts(each.name))))]
    for several in (named, fits):
        if len(several) == 1:
            return several[0]
    return None
