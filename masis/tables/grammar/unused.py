"""Tell which words of a question its query makes no use of, although each of them was read."""

import re
from typing import Final

from masis.tables.cell_values import MEASURED_IN
from masis.tables.grammar import matching
from masis.tables.grammar.asking_words import (
    ALL_OF,
    DIFFERENT,
    GRAINS,
    GROUPED,
    LEAST,
    MEAN,
    MEDIAN,
    MOST,
    PER,
)
from masis.tables.grammar.found import Found
from masis.tables.grammar.words import FILLERS, Token
from masis.values.tabular import Column, TableQuery

VERB: Final = "verb"
"""What a word was read as that says what was done, and that nothing in the table is called by."""
NOT_USED: Final = "I did not use {words} of your question."
_PRONOUN: Final = re.compile(
    r"\b(?:did|do|does|have|has|had) (?P<one>they|he|she|it)\b(?! (?:takes?|took|costs?)\b)"
    r"|\b(?:from|for|by|to|with) (?P<other>them|him|her)\b(?=$|[?.!,]| (?:in|last|this|since)\b)",
    re.IGNORECASE,
)
_EXCLUDING: Final = frozenset(
    "without missing blank empty except excluding apart non not isn't aren't".split()
)
_COMPARING: Final = frozenset(
    "more less over under above below older newer longer shorter higher lower greater fewer between"
    " vs versus against compared".split()
)


def unused(found: Found, query: TableQuery) -> list[Token]:
    """Return the words that a query leaves out; an answer that does so says it."""
    used = _used(found, query)
    return [
        each
        for each in found.asked.tokens
        if each.read == VERB
        or _is_idle_column(found, each, query, used)
        or (each.read == "kind" and _is_idle_amount(found, each, used))
        or (each.read == "operator" and _is_idle_operator(each, query, used))
        or (each.read == "noun" and _is_idle_unit(found, each, used))
    ]


def pronouns(question: str) -> list[str]:
    """Return the pronouns that stand for who did something: a query without them is of everybody."""
    return [each["one"] or each["other"] for each in _PRONOUN.finditer(question)]


def said_of(words: list[str]) -> list[str]:
    """Say which words were not used; nothing where all of them were."""
    shown = " and ".join(f"“{each}”" for each in dict.fromkeys(words))
    return [NOT_USED.format(words=shown)] if shown else []


def _used(found: Found, query: TableQuery) -> list[Column]:
    """Return the columns that a query works with."""
    names = dict.fromkeys([*query.named, *query.columns, query.order])
    return [column for name in names if (column := found.table.column(name)) is not None]


def _is_idle_column(found: Found, token: Token, query: TableQuery, used: list[Column]) -> bool:
    """Tell whether a word names a column that the query has not.

    A word for any date ("expiring") does so where another column of dates was taken.
    """
    name = token.read.removeprefix("column:")
    if name == token.read or token.plain == "whose" or any(each.name == name for each in used):
        return False
    if ALL_OF.search(found.asked.text[: token.start]):
        return False
    is_date = token.plain in matching.KINDS["date"] and any(each.type == "date" for each in used)
    # A column called by what its rows are says nothing of its own: "tickets" of "Ticket ID".
    names_rows = any(each.name == name and each.type == "text" and each.distinct == found.table.shape.rows for each in found.table.shape.columns)  # fmt: skip
    before = found.asked.text[: token.start]
    is_of_rows = names_rows and bool(query.measures) and not GROUPED.search(before)
    return not (is_date or is_of_rows or any(each.start == token.start for each in found.rows))


def _is_idle_amount(found: Found, token: Token, used: list[Column]) -> bool:
    """Tell whether a word asks for an amount that no column of the query is: a cost of hours."""
    meant = [kind for kind in matching.AMOUNTS if token.plain in matching.KINDS[kind]]
    if token.plain in matching.VAGUE | FILLERS or any(each is token for each in found.rows):
        return False
    fits = any(matching.is_of(each, kind) for each in used for kind in meant)
    return not fits and not ("money" in meant and any(map(matching.is_money, used)))


def _is_idle_unit(found: Found, token: Token, used: list[Column]) -> bool:
    """Tell whether so much is asked for each unit of another column: a cost per kilometre."""
    is_rate = PER.search(found.asked.text[: token.start]) and token.plain in MEASURED_IN
    return bool(is_rate) and not any(token.plain in matching.parts(each.name) for each in used)


def _is_idle_operator(token: Token, query: TableQuery, used: list[Column]) -> bool:
    """Tell whether a word asks for something to be done that the query does not do."""
    word = token.plain
    aggregates = {each.aggregate for each in query.measures}
    if MOST.fullmatch(word) or LEAST.fullmatch(word):
        return not (query.limit or query.order)
    if MEAN.fullmatch(word):
        return "mean" not in aggregates and query.derived != "mean"
    if MEDIAN.fullmatch(word):
        return "median" not in aggregates
    if DIFFERENT.fullmatch(word):
        return "distinct" not in aggregates and not query.groups
    if word in _EXCLUDING | _COMPARING:
        return not (query.filters or query.groups or query.derived)
    is_named = any(word in matching.parts(each.name) for each in used)
    is_time = (word in GRAINS or word == "date") and not is_named
    return is_time and not any(each.type == "date" or matching.is_period(each) for each in used)
