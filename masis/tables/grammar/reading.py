"""Read a question over all rows of a table as a query, by rule; what cannot be read is named.

Without a model: how many, totals, averages, highest and lowest, the first so many, by what, where,
and single rows by their names.
"""

import datetime as dt
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from masis.tables.grammar import conditions, matching
from masis.tables.grammar.conditions import Dated
from masis.tables.grammar.matching import Match
from masis.tables.grammar.tokens import Asked, Token
from masis.tables.values import (
    MIXED,
    Aggregate,
    Column,
    Filter,
    Grain,
    Group,
    Measure,
    TableInfo,
    TableQuery,
)
from masis.text.months import SHORT_MONTHS
from masis.values.base import Value

_WORD_COUNTS: Final = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}  # fmt: skip
_COUNTS: Final = "|".join(_WORD_COUNTS)
MOST_TOP: Final = 50
LISTED: Final = 50
"""Rows that are listed where nobody says how many."""


def _asks(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_TOP: Final = _asks(rf"\b(?P<way>top|bottom|first|last|best|worst|highest|lowest|biggest|largest|smallest) (?P<count>\d{{1,3}}|{_COUNTS})\b|\b(?P<number>{_COUNTS}|\d{{1,2}}) (?P<end>highest|lowest|biggest|largest|smallest|most|least|oldest|newest|longest|shortest|cheapest)\b")  # fmt: skip
_COUNT: Final = _asks(r"\bhow many\b|\b(?:the |total |overall )?(?:number|count|no\.?|quantity) of\b|^count\b|\bhow often\b|\bcounts?\b")  # fmt: skip
_MEAN: Final = _asks(r"\bav(?:e?ra|er)ge?s?\b|\bavg\.?(?!\w)|\bmean\b|\bon average\b")
_MEDIAN: Final = _asks(r"\bmedian\b")
_SUM: Final = _asks(r"\b(?:in total|total(?:s|led)?|sum(?:med)?(?: of)?|altogether|combined|overall|added up|how much)\b")  # fmt: skip
_MOST: Final = _asks(r"\b(?:most|highest|largest|biggest|greatest|max(?:imum)?|longest|slowest|top|best|busiest|dearest|priciest|most expensive|heaviest|newest|latest|most recent|last)\b")  # fmt: skip
_LEAST: Final = _asks(r"\b(?:least|lowest|smallest|fewest|min(?:imum)?|shortest|fastest|quickest|cheapest|worst|lightest|oldest|earliest|first)\b")  # fmt: skip
_BY_DATE: Final = _asks(r"\b(?:newest|latest|most recent|oldest|earliest)\b")
_DISTINCT: Final = _asks(r"\bhow many (?:different|distinct|unique)\b|\bnumber of (?:different|distinct|unique)\b")  # fmt: skip
_DIFFERENT: Final = _asks(r"\b(?:different|distinct|unique)\b")
_GROUPED: Final = _asks(r"\b(?:by|per|for each|for every|each|grouped by|split by|broken down by|in each|across)\b(?: the)?\s*$")  # fmt: skip
_WHICH: Final = _asks(r"\b(?:which|what|whose)\s*$")
_GRAINS: Final[dict[str, Grain]] = {
    "year": "year", "years": "year", "yearly": "year", "annually": "year", "month": "month", "months": "month",
    "monthly": "month", "quarter": "quarter", "quarters": "quarter", "quarterly": "quarter", "day": "day", "daily": "day",
}  # fmt: skip
_BLANK: Final = _asks(r"\b(?:without(?: an?| any)?|with no|(?:is|are|has|have) no|no|missing|blank|empty|not (?:yet )?(?:set|filled|given|assigned))\s*$")  # fmt: skip
_NOT: Final = _asks(r"\b(?:not|isn't|aren't|except(?: for)?|excluding|other than|but not|apart from|non)[ -](?:in |from |the |yet )*$")  # fmt: skip
_LIST: Final = _asks(r"^(?:please )?(?:list|show|give|name|find)\b|\b(?:names|list of|which ones|who are)\b|\bnames?$|\bids?$")  # fmt: skip
_SHARE: Final = _asks(r"\b(?:share|proportion|percentage|percent|per cent|ratio|fraction|growth|grew|grown|margin|difference|change[ds]?|correlat\w+|trend|forecast|predict\w*|why|how come)\b|%")  # fmt: skip
_DATE_VERBS: Final = _asks(r"\b(?:when|date)\b")
_TWO_SIDES: Final = _asks(r"\b(?:vs\.?|versus|compared (?:to|with)|against)\b")


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


class _Found(NamedTuple):
    """What the words of a question name in a table."""

    asked: Asked
    tables: list[TableInfo]
    columns: list[Match]
    filters: list[Filter]
    dates: list[Dated]
    rows: list[Token]
    has_id: bool
    assumed: list[str]

    @property
    def table(self) -> TableInfo:
        return self.tables[0]


def read(question: str, tables: Sequence[TableInfo], today: dt.date) -> Read | Unread | None:
    """Return the query that a question asks for; None where it asks none of these tables."""
    if not tables or len(question) > 400:
        return None
    readings: list[Read | Unread] = []
    for family in _families(tables):
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
    dates = conditions.dated(asked, today)
    chosen = _of_years(family, dates)
    values = _values(asked, chosen)
    rows = matching.named(asked, chosen[0])
    named = _columns(asked, chosen[0], dates)
    for token in rows:
        token.read = token.read or "table"
    compared = list(conditions.compared(asked))
    assumed: list[str] = []
    found = _Found(asked, chosen, named, [], dates, rows, bool(ids), assumed)
    filters = [
        Filter(column=each.column.name, operator="is", values=list(each.values)) for each in ids
    ]
    filters += _value_filters(found, values)
    numbers = _number_filters(found, compared)
    stretches = _date_filters(found)
    if numbers is None or stretches is None:
        return None
    whole = found._replace(filters=[*filters, *numbers, *stretches])
    query = _query(whole)
    unread = asked.unread()
    score = _score(whole, values, len(unread))
    if query is None or unread:
        is_named = bool(rows) and bool(_operator(asked.text))
        return (
            Unread(table=chosen[0].source, words=unread, score=score)
            if unread and is_named
            else None
        )
    if score < 2 and not ids:
        return None
    return Read(
        query=query, tables=[each.table_id for each in chosen], assumed=assumed, score=score
    )


def _operator(text: str) -> bool:
    return any(each.search(text) for each in (_TOP, _COUNT, _MEAN, _MEDIAN, _SUM, _MOST, _LEAST))


def _score(found: _Found, values: Sequence[matching.Valued], unread: int) -> float:
    """Return how much of the question the table answers to."""
    named = 2.0 * bool(found.rows) + sum(each.weight for each in found.columns)
    held = sum(1.0 if each.is_exact else 0.5 for each in values)
    return (
        named + held + 3.0 * found.has_id - 1.5 * unread + 0.5 * bool(_operator(found.asked.text))
    )


def _of_years(family: list[TableInfo], dates: Sequence[Dated]) -> list[TableInfo]:
    """Return the tables of the years that are asked about, where their names state years."""
    asked = {each.period.year for each in dates if each.period and each.period.year}
    fits = [table for table in family if matching.years(table) & asked]
    return fits if fits and len(family) > 1 and all(map(matching.years, family)) else family


def _values(asked: Asked, tables: Sequence[TableInfo]) -> list[matching.Valued]:
    """Return the values that are named; a word that is a column's own name is none, but in a filter."""
    exact = {matching.parts(each.name) for each in tables[0].shape.columns}
    for token in asked.tokens:
        before = asked.text[: token.start]
        if (token.plain,) in exact and (_GROUPED.search(before) or _WHICH.search(before)):
            token.read = "held"
    found = list(matching.values(_joined(asked), _all_values(tables)))
    for token in asked.tokens:
        if token.read == "held":
            token.read = ""
    return found


def _joined(asked: Asked) -> Asked:
    return asked


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
    found = list(_of_periods(table, dates))
    for match in matching.columns(asked, table):
        asked.read(match.start, match.end, f"column:{match.column.name}")
        found.append(match)
    kinds = ["money", "duration", "people", "date"]
    if any(match.column.type == "number" for match in found):
        kinds = ["date"]
        for token in asked.tokens:
            if (
                token.plain
                in matching.KINDS["people"] | matching.KINDS["money"] | matching.KINDS["duration"]
            ):
                token.read = token.read or "kind"
    for kind in kinds:
        match = matching.of_kind(asked, table, kind)
        if match is not None:
            asked.read(match.start, match.end, f"column:{match.column.name}")
            found.append(match)
    for token in asked.tokens:
        if not token.read and (
            token.plain in matching.KINDS["duration"] or _is_operator(token.plain)
        ):
            token.read = "operator"
    return sorted(found, key=lambda each: each.start)


_OPERATORS: Final = frozenset(
    """
    count counts average avg avrage averages mean median sum top bottom most least highest lowest biggest largest greatest smallest
    fewest max maximum min minimum longest shortest best worst first last newest oldest latest earliest recent cheapest dearest priciest
    expensive slowest fastest quickest busiest heaviest lightest vs versus different distinct unique monthly yearly annually quarterly
    daily month year quarter day months years quarters days without missing blank empty except excluding other than but apart
    not non isn't aren't against compared more less over under above below least over's often much two three four five six seven eight nine ten
    whole date older newer longer shorter higher lower greater fewer between
    """.split()
)


def _is_operator(word: str) -> bool:
    return word in _OPERATORS or (word.isdigit() and int(word) <= MOST_TOP)


def _of_periods(table: TableInfo, dates: Sequence[Dated]) -> list[Match]:
    """Return the columns that are called by the periods that are asked about: `Oct 26`."""
    found = []
    for each in dates:
        for column in table.shape.columns:
            if matching.is_period(column) and each.period and _is_called(column.name, each):
                found.append(Match(column, each.start, each.end, 1.0))
    return found


def _is_called(name: str, stretch: Dated) -> bool:
    period = stretch.period
    if period is None or period.kind not in {"month", "year", "quarter"}:
        return False
    year = re.search(r"(?<!\d)((?:19|20)?\d{2})(?!\d)", name)
    stated = (int(year[1]) + (2000 if len(year[1]) == 2 else 0)) if year else None
    if period.year is not None and stated is not None and period.year != stated:
        return False
    plain = name.casefold()
    if period.kind == "month":
        return plain.startswith(SHORT_MONTHS[period.part - 1])
    if period.kind == "quarter":
        return f"q{period.part}" in plain
    return (
        stated is not None
        and not any(month in plain for month in SHORT_MONTHS)
        and "q" not in plain
    )


# --- conditions ------------------------------------------------------------------------------


def _value_filters(found: _Found, values: Sequence[matching.Valued]) -> list[Filter]:
    """Return the conditions on texts; several values of a column are alternatives."""
    wanted: dict[tuple[str, bool], list[str]] = {}
    for each in values:
        before = found.asked.text[: each.start]
        denied = _NOT.search(before) is not None
        wanted.setdefault((each.column.name, denied), []).extend(each.values)
    made = [
        Filter(column=name, operator="is not" if denied else "is", values=list(dict.fromkeys(said)))
        for (name, denied), said in wanted.items()
    ]
    for match in found.columns:
        before = found.asked.text[: match.start]
        if _BLANK.search(before) and match.column.type != "number":
            made.append(Filter(column=match.column.name, operator="blank"))
    return made


def _number_filters(found: _Found, compared: Sequence[conditions.Compared]) -> list[Filter] | None:
    """Return the conditions on numbers; None where one is of no column that can be told."""
    made: list[Filter] = []
    for each in compared:
        column = _compared_column(found, each)
        if column is None:
            return None
        found.asked.read(each.start, each.end, f"column:{column.name}")
        if each.operator == "between":
            made.append(Filter(column=column.name, operator="at least", values=[each.values[0]]))
            made.append(Filter(column=column.name, operator="at most", values=[each.values[1]]))
        else:
            made.append(Filter.model_validate({"column": column.name, "operator": each.operator, "values": [each.values[0]]}))  # fmt: skip
    return made


def _compared_column(found: _Found, each: conditions.Compared) -> Column | None:
    """Return the column that a number is compared with: named beside it, else the only one of its kind."""
    numbers = [match for match in found.columns if match.column.type == "number"]
    if each.currency:
        fits = [column for column in found.table.shape.columns if column.currency == each.currency]
        return fits[0] if len(fits) == 1 else None
    if each.unit:
        word = each.unit
        named = [column for column in found.table.shape.columns if column.type == "number" and (column.unit == word or any(matching.alike(word, part) for part in matching.parts(column.name)))]  # fmt: skip
        if len(named) == 1:
            at = (
                each.end
                + len(found.asked.text[each.end :])
                - len(found.asked.text[each.end :].lstrip())
            )
            found.asked.read(at, at + len(word), f"column:{named[0].name}")
            return named[0]
    if numbers:
        return min(numbers, key=lambda match: min(abs(match.start - each.end), abs(each.start - match.end))).column  # fmt: skip
    fits = [
        column
        for column in found.table.shape.columns
        if column.type == "number" and not column.is_name
    ]
    return fits[0] if len(fits) == 1 else None


def _date_filters(found: _Found) -> list[Filter] | None:
    """Return the conditions on dates; None where no column of dates can be told."""
    open_ones = [each for each in found.dates if not _of_periods(found.table, [each])]
    if not open_ones:
        return []
    column = _date_column(found)
    if column is None:
        named = all(each.period and each.period.kind == "year" for each in open_ones)
        years = {each.period.year for each in open_ones if each.period}
        stated = [matching.years(table) for table in found.tables]
        if named and all(stated) and years <= set().union(*stated):
            return []
        return None
    if _compares_years(found):
        return _spanned(column, open_ones)
    made: list[Filter] = []
    for each in open_ones:
        placed = _with_year(each, column, found.assumed)
        if placed is None:
            return None
        made += _stretch(column, placed)
    return made


def _compares_years(found: _Found) -> bool:
    """Tell whether periods are set side by side: "2025 vs 2026"."""
    kinds = {each.period.kind for each in found.dates if each.period}
    sides = [each for each in found.dates if each.since and each.before]
    return len(sides) > 1 and len(kinds) == 1


def _spanned(column: Column, dates: Sequence[Dated]) -> list[Filter]:
    since = min(each.since for each in dates if each.since)
    before = max(each.before for each in dates if each.before)
    return _stretch(column, Dated(since, before, None, 0, 0))


def _with_year(each: Dated, column: Column, assumed: list[str]) -> Dated | None:
    """Give a month without a year the only year in which the column has it."""
    if each.since or each.before or each.period is None:
        return each
    first, last = column.least[:7], column.most[:7]
    years = [
        year
        for year in range(int(first[:4] or 0), int(last[:4] or 0) + 1)
        if first <= f"{year}-{each.period.part:02}" <= last
    ]
    if not years:
        return None
    placed = conditions.in_year(each, years[-1])
    if len(years) > 1:
        assumed.append(f"I took the month for that of {years[-1]}, the latest in the table.")
    return placed


def _stretch(column: Column, each: Dated) -> list[Filter]:
    made = []
    if each.since:
        made.append(Filter(column=column.name, operator="from", values=[each.since.isoformat()]))
    if each.before:
        made.append(Filter(column=column.name, operator="before", values=[each.before.isoformat()]))
    return made


def _date_column(found: _Found) -> Column | None:
    """Return the column that dates are of: the one that is named, else the table's first."""
    named = [match.column for match in found.columns if match.column.type == "date"]
    if named:
        return named[0]
    dates = [column for column in found.table.shape.columns if column.type == "date"]
    for column in dates:
        words = matching.parts(column.name)
        if any(
            matching.alike(token.plain, word) >= 0.9
            for token in found.asked.tokens
            for word in words
        ):
            return column
    if len(dates) > 1:
        found.assumed.append(f"I took the dates for those of “{dates[0].name}”.")
    return dates[0] if dates else None


# --- the query -------------------------------------------------------------------------------


def _query(found: _Found) -> TableQuery | None:
    """Put together what is asked; None where it is nothing that a query can give."""
    text = found.asked.text
    if _SHARE.search(text):
        return None
    ids = [each.table_id for each in found.tables]
    groups = _groups(found)
    measure = _measure(found, groups)
    top, is_least = _top(text)
    if found.has_id:
        return _rows(found, ids, limit=LISTED)
    extreme = bool(_MOST.search(text)) or bool(_LEAST.search(text)) or top > 0
    order = _ordered(found, groups) if extreme else None
    if extreme and order is not None and measure is None:
        asked = [match.column.name for match in found.columns if match.column.name != order.name]
        return _rows(
            found, ids, order=order, limit=top or 1, descending=not is_least, columns=asked
        )
    if measure is None:
        if _LIST.search(text) and (found.filters or found.columns):
            return _rows(found, ids, limit=LISTED)
        return None
    if any(_is_mixed(found.table, each) for each in measure):
        return None
    dated = groups[0].grain != "" if groups else False
    return TableQuery(
        tables=ids,
        measures=measure,
        filters=_counted_filters(found, groups),
        groups=groups,
        order=groups[0].column if dated and not extreme else "",
        descending=not (is_least or (dated and not extreme)),
        limit=(top or 1) if extreme and groups else 0,
    )


def _is_mixed(table: TableInfo, measure: Measure) -> bool:
    column = table.column(measure.column)
    return column is not None and column.currency == MIXED


def _counted_filters(found: _Found, groups: Sequence[Group]) -> list[Filter]:
    """Return the conditions; of a group that is ranked, rows without its name are left out."""
    ranked = bool(_MOST.search(found.asked.text) or _LEAST.search(found.asked.text) or _TOP.search(found.asked.text))  # fmt: skip
    held = {each.column for each in found.filters}
    named = [
        group.column for group in groups if ranked and not group.grain and group.column not in held
    ]
    return [*found.filters, *(Filter(column=name, operator="filled") for name in named)]


def _top(text: str) -> tuple[int, bool]:
    """Return how many are wanted of the first, and whether it is the lowest that are."""
    match = _TOP.search(text)
    if match is None:
        return 0, bool(_LEAST.search(text)) and not _MOST.search(text)
    said = (match["count"] or match["number"]).casefold()
    way = (match["way"] or match["end"]).casefold()
    count = _WORD_COUNTS.get(said) or int(said)
    low = {"bottom", "worst", "lowest", "smallest", "least", "oldest", "shortest", "cheapest"}
    cheapest = bool(_asks(r"\b(?:cheapest|lowest|smallest|fewest|least)\b").search(text))
    return min(count, MOST_TOP), way in low or cheapest


def _groups(found: _Found) -> list[Group]:
    """Return by what rows are put together: behind "by" or "per", or what "which" asks for."""
    made: list[Group] = []
    asked = found.asked
    for token in asked.tokens:
        grain = _GRAINS.get(token.plain)
        before = asked.text[: token.start]
        if grain and (
            token.plain.endswith("ly") or _GROUPED.search(before) or _WHICH.search(before)
        ):
            column = _date_column(found)
            if column is not None and not _is_named_year(found, token):
                made.append(Group(column=column.name, grain=grain))
    filtered = {each.column for each in found.filters if each.operator == "is"}
    for match in found.columns:
        before = asked.text[: match.start]
        is_asked = bool(_GROUPED.search(before)) or (
            bool(_WHICH.search(before)) and _ranks(asked.text)
        )
        listed = bool(made) and asked.text[max(0, match.start - 5) : match.start].strip() == "and"
        top = _TOP.search(asked.text)
        is_top = top is not None and 0 <= match.start - top.end() <= 2
        can = match.column.type in {"text", "boolean"} or (
            match.column.is_name and match.column.type == "number"
        )
        if can and (is_asked or listed or is_top) and match.column.name not in filtered:
            made.append(Group(column=match.column.name))
    if not made and _compares_years(found) and (column := _date_column(found)):
        grain = _GRAINS.get(next(each.period.kind for each in found.dates if each.period), "year")
        made.append(Group(column=column.name, grain=grain))
    if not made and _TWO_SIDES.search(asked.text):
        several = next(
            (each for each in found.filters if each.operator == "is" and len(each.values) > 1), None
        )
        made += [Group(column=several.column)] if several else []
    kept: list[Group] = []
    for each in made:
        if each not in kept and not _names_rows(found, each):
            kept.append(each)
    return kept


def _is_named_year(found: _Found, token: Token) -> bool:
    """Tell whether "per year" belongs to a column's name: `Price per year`."""
    return token.read.startswith("column:") and not any(
        match.column.type == "date" and match.start <= token.start < match.end
        for match in found.columns
    )


def _names_rows(found: _Found, group: Group) -> bool:
    """Tell whether each row has a value of its own: then rows are asked for, and no groups."""
    column = found.table.column(group.column)
    rows = sum(each.shape.rows for each in found.tables)
    return (
        column is not None
        and column.type == "text"
        and not group.grain
        and (column.is_name or column.distinct > 0.9 * rows)
    )


def _ranks(text: str) -> bool:
    return bool(_MOST.search(text) or _LEAST.search(text))


def _numbers(found: _Found) -> list[Column]:
    """Return the columns of numbers that are named and not merely compared."""
    compared = {
        each.column
        for each in found.filters
        if each.operator in {"above", "below", "at least", "at most"}
    }
    named = {match.column.name: match.column for match in found.columns if match.column.type == "number" and not match.column.is_name}  # fmt: skip
    free = [column for name, column in named.items() if name not in compared]
    return free or (list(named.values()) if _wants(found.asked.text) else [])


def _wants(text: str) -> bool:
    return any(each.search(text) for each in (_MEAN, _MEDIAN, _SUM))


def _measure(found: _Found, groups: Sequence[Group]) -> list[Measure] | None:
    """Return what is calculated; None where rows are asked for."""
    text, numbers = found.asked.text, _numbers(found)
    if _DISTINCT.search(text):
        texts = [match.column for match in found.columns if match.column.type == "text"]
        return [Measure(aggregate="distinct", column=texts[0].name)] if texts else None
    for pattern, aggregate in ((_MEDIAN, "median"), (_MEAN, "mean")):
        if pattern.search(text):
            kind: Aggregate = "median" if aggregate == "median" else "mean"
            return [Measure(aggregate=kind, column=each.name) for each in numbers] or None
    counts = _COUNT.search(text)
    if counts and not (numbers and _counts_numbers(found, counts.end())):
        return [Measure(aggregate="count")]
    if numbers and (groups or _SUM.search(text) or (counts and numbers)):
        return [Measure(aggregate="sum", column=each.name) for each in numbers]
    if groups and not numbers:
        return [Measure(aggregate="count")]
    if numbers and all(matching.is_period(each) for each in numbers):
        return [Measure(aggregate="sum", column=each.name) for each in numbers]
    if found.rows and found.filters and _SUM.search(text) and not _ranks(text):
        return [Measure(aggregate="count")]
    return None


def _counts_numbers(found: _Found, at: int) -> bool:
    """Tell whether "how many" asks for what a column of numbers counts, and not for rows."""
    periodic = any(matching.is_period(match.column) for match in found.columns)
    named = [match for match in found.columns if match.column.type == "number"]
    row = min((token.start for token in found.rows if token.start >= at), default=10_000)
    first = min((match.start for match in named if match.start >= at), default=10_000)
    return periodic or first < row


def _ordered(found: _Found, groups: Sequence[Group]) -> Column | None:
    """Return the column that rows are ordered by, where the highest or lowest of them are asked for."""
    text = found.asked.text
    if groups:
        return None
    if _BY_DATE.search(text):
        return _date_column(found)
    numbers = _numbers(found)
    if numbers:
        return numbers[0]
    dates = [match.column for match in found.columns if match.column.type == "date"]
    if dates and not _COUNT.search(text):
        return dates[0]
    fits = [
        column
        for column in found.table.shape.columns
        if column.type == "number" and column.currency
    ]
    if len(fits) == 1 and found.rows and not _COUNT.search(text):
        found.assumed.append(f"I ordered them by “{fits[0].name}”.")
        return fits[0]
    return None


def _rows(
    found: _Found,
    ids: list[str],
    *,
    order: Column | None = None,
    limit: int,
    descending: bool = True,
    columns: Sequence[str] = (),
) -> TableQuery:
    """Return the query for rows as they are, with the columns that are asked for."""
    shape = found.table.shape
    named = [match.column.name for match in found.columns] if not columns else list(columns)
    filtered = [each.column for each in found.filters]
    label = [each.name for each in shape.columns if each.is_name][:1] or [shape.columns[0].name]
    chosen = list(dict.fromkeys([*label, *named, *([order.name] if order else []), *filtered]))
    if order is not None and len(chosen) <= 3:
        texts = [each.name for each in shape.columns if each.type in {"text", "date"}]
        chosen = list(dict.fromkeys([*chosen, *texts]))
    alone = found.has_id and not [each for each in named if each not in filtered]
    return TableQuery(
        tables=ids,
        columns=[each.name for each in shape.columns] if alone else chosen,
        filters=found.filters,
        order=order.name if order else "",
        descending=descending,
        limit=limit,
    )
