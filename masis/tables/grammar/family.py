"""Read a question over tables with the same columns: what each of its words names, and the query of it."""

import datetime as dt
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Final

from masis.tables.grammar import conditions, matching
from masis.tables.grammar.asking_words import (
    ADDITIVE,
    DENIALS,
    DONE,
    FEWEST_REFUSED,
    GRAINS,
    GROUPED,
    LEAST_SCORE,
    MENTIONED,
    MOST_BEHIND,
    MOST_TOP,
    MOST_UNREAD,
    MOST_WORDS,
    SAME_WORD,
    SHARE,
    SURE_SCORE,
    TOP,
    WHICH,
    WHICH_MANY,
    operator,
)
from masis.tables.grammar.composing import asks_who, query_of
from masis.tables.grammar.conditions import Dated
from masis.tables.grammar.filtering import (
    BEGUN,
    date_filters,
    number_filters,
    of_periods,
    span_filters,
    value_filters,
)
from masis.tables.grammar.found import Found
from masis.tables.grammar.matching import Match
from masis.tables.grammar.unused import VERB, pronouns, said_of, unused
from masis.tables.grammar.words import FILLERS, AskedWords, Token, stem
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


def reading(
    question: str, family: list[TableInfo], today: dt.date, held: Sequence[Filter] = ()
) -> Read | Unread | None:
    """Read a question over tables with the same columns; None where it asks none of them.

    `held` are conditions that are known already: their words do not stand in the question.
    """
    found = _named(question, family, today)
    filters = _conditions(found) if found is not None else None
    if found is None or filters is None or _denies(found.asked):
        return None
    whole = found._replace(filters=[*held, *filters])
    query = query_of(whole)
    unread = found.asked.unread()
    score = _score(whole, len(unread)) + len(held)
    left = unused(whole, query) if query is not None else []
    unread += [each.text for each in left if GROUPED.search(found.asked.text[: each.start])]
    if query is None or unread:
        return _unread(whole, [word for word in unread if not SHARE.fullmatch(word)], score)
    calculates = operator(found.asked.text) or bool(
        query.groups or ADDITIVE.search(found.asked.text)
    )
    calculates = calculates or asks_who(whole)
    if score < (LEAST_SCORE if calculates else SURE_SCORE) and not found.ids:
        return None
    return Read(
        query=query,
        tables=[each.table_id for each in found.tables],
        assumed=list(
            dict.fromkeys(
                [*found.assumed, *said_of([*(each.text for each in left), *pronouns(question)])]
            )
        ),
        score=score,
    )


def _named(question: str, family: list[TableInfo], today: dt.date) -> Found | None:
    """Note what each word names; None where a number stands at what no column is called by."""
    asked = AskedWords(question)
    ids = list(matching.identifiers(asked, family[0]))
    for each in ids:
        asked.read(each.start, each.end, "id")
    dates = conditions.dated(asked, today, _counted(family[0]))
    chosen = _of_years(family, dates)
    values = _values(asked, chosen)
    rows = matching.named(asked, chosen[0])
    compared = list(conditions.compared(asked))
    counts = span_filters(asked, chosen[0])
    if counts is None:
        return None
    named = _columns(asked, chosen[0], dates, rows)
    for token in rows:
        token.read = token.read or "table"
    return Found(asked, chosen, named, counts, dates, rows, ids, values, compared, [])


def _counted(table: TableInfo) -> set[str]:
    """Return the stems of what the columns of numbers are called and measured by."""
    numbers = [each for each in table.shape.columns if each.type == "number"]
    return {stem(part) for each in numbers for part in (*matching.parts(each.name), each.unit)}


def _conditions(found: Found) -> list[Filter] | None:
    """Return all conditions; None where one is of no column that can be told."""
    ids = [Filter(column=each.column.name, operator="is", values=list(each.values)) for each in found.ids]  # fmt: skip
    said = value_filters(found, found.values)
    numbers = number_filters(found, found.compared)
    stretches = date_filters(found)
    if numbers is None or stretches is None:
        return None
    return [*ids, *said, *found.filters, *numbers, *stretches]


def _denies(asked: AskedWords) -> bool:
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


def _score(found: Found, unread: int) -> float:
    """Return how much of the question the table answers to."""
    named = 2.0 * bool(found.rows) + sum(each.weight for each in found.columns)
    held = sum(1.0 if each.is_exact else 0.5 for each in found.values)
    dates = 0.5 * len(found.dates)
    nouns = 0.3 * any(token.read == "noun" for token in found.asked.tokens)
    grains = 0.5 * any(token.plain in GRAINS and token.read for token in found.asked.tokens)
    named += min(1.0, dates + nouns + grains)
    named += any(token.read == BEGUN for token in found.asked.tokens)
    return named + held + 3.0 * found.has_id - 1.5 * unread + 0.5 * bool(operator(found.asked.text))


def _of_years(family: list[TableInfo], dates: Sequence[Dated]) -> list[TableInfo]:
    """Return the tables of the years that are asked about, where their names state years."""
    asked = {each.period.year for each in dates if each.period and each.period.year}
    fits = [table for table in family if matching.years(table) & asked]
    return fits if fits and len(family) > 1 and all(map(matching.years, family)) else family


def _values(asked: AskedWords, tables: Sequence[TableInfo]) -> list[matching.Valued]:
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


def _columns(
    asked: AskedWords, table: TableInfo, dates: Sequence[Dated], rows: Sequence[Token]
) -> list[Match]:
    """Return the columns that are named, by their names, by a period, or by what their cells are."""
    found = list(of_periods(table, dates))
    grains = list(_grains(asked, table))
    of_table = {each.start: each.end for each in rows}
    for match in matching.columns(asked, table):
        # A word for the rows is none for a column whose name is but like it: "inspection", `Inspector`.
        if of_table.get(match.start) == match.end and match.weight < SAME_WORD:
            continue
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
    for token in asked.tokens:
        if not token.read and _is_verb(asked, token):
            token.read = VERB
    return sorted(found, key=lambda each: each.start)


def _is_verb(asked: AskedWords, token: Token) -> bool:
    """Tell whether a word stands where only a verb does: "did we issue", "which tutor runs the most"."""
    if not token.plain.isalpha() or token.plain in FILLERS:
        return False
    if DONE.search(asked.text[: token.start]):
        return True
    at = asked.tokens.index(token)
    before = asked.tokens[at - 1] if at else token
    is_of_what = before.read.startswith("column:") and before.plain not in FILLERS
    ranks = MOST_BEHIND.match(asked.text, token.end)
    return bool(ranks) and (is_of_what or before.plain == "who")


def _by_kind(asked: AskedWords, table: TableInfo, named: Sequence[Match]) -> Iterator[Match]:
    """Yield the columns that words mean by what their cells are; numbers only where none is named."""
    kinds = ["money", "duration", "length", "people", "quantity"]
    if any(match.column.type == "number" for match in named):
        said = frozenset().union(*(matching.KINDS[kind] for kind in kinds))
        for token in asked.tokens:
            if token.plain in said:
                token.read = token.read or "kind"
        kinds = []
    if matching.is_of_people(table):
        kinds = [each for each in kinds if each != "people"]
    for kind in [*kinds, "date", "person"]:
        match = matching.of_kind(asked, table, kind)
        if match is not None:
            asked.read(match.start, match.end, f"column:{match.column.name}")
            yield match
    yield from _people(asked, table)


def _people(asked: AskedWords, table: TableInfo) -> Iterator[Match]:
    """Yield the only column of persons, where it is asked which people."""
    fits = [column for column in table.shape.columns if matching.is_of(column, "person")]
    for token in asked.tokens:
        is_asked = token.plain in matching.KINDS["people"] and WHICH.search(
            asked.text[: token.start]
        )
        if len(fits) == 1 and is_asked and not token.read:
            asked.read(token.start, token.end, f"column:{fits[0].name}")
            yield Match(fits[0], token.start, token.end, 0.6)


def _grains(asked: AskedWords, table: TableInfo) -> Iterator[Token]:
    """Yield the stretches of time that rows are put together by, and hold them from names of columns."""
    dates = any(column.type == "date" for column in table.shape.columns)
    for before, token in pairwise(asked.tokens):
        is_span = token.plain in GRAINS and before.plain in {"by", "per", "each", "every"}
        if dates and is_span and not _within_name(asked, token, table):
            token.read = "operator"
            yield token


def _within_name(asked: AskedWords, token: Token, table: TableInfo) -> bool:
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


def _is_operator(asked: AskedWords, token: Token) -> bool:
    """Tell whether a word asks for a calculation; a number only says how many are wanted."""
    top = TOP.search(asked.text)
    many = WHICH_MANY.search(asked.text)
    is_top = any(each and each.start() <= token.start < each.end() for each in (top, many))
    return token.plain in _OPERATORS or (is_top and token.plain.isdigit() and int(token.plain) <= MOST_TOP)  # fmt: skip
