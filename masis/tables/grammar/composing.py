"""Put together a query of what a question names: what is calculated, by what, in which order."""

from collections.abc import Sequence
from typing import Final

from masis.tables.cell_values import CURRENCIES
from masis.tables.grammar import matching
from masis.tables.grammar.asking_words import (
    BY_DATE,
    COUNT,
    DEAR,
    EACH_ROW,
    GROUPED,
    IN_TIME,
    LEAST,
    LIST,
    LISTED,
    MEAN,
    MEDIAN,
    MOST,
    MOST_TOP,
    ORDERED_BY,
    OVER_ALL,
    SHARE,
    SIZED,
    TOP,
    TOP_WITH,
    TOTAL,
    WHICH_MANY,
    WHO,
    WORD_COUNTS,
    asks,
)
from masis.tables.grammar.filtering import date_column
from masis.tables.grammar.found import Found
from masis.tables.grammar.grouping import groups_of, is_finest, is_of_number
from masis.tables.grammar.measuring import measure_of, numbers_of
from masis.tables.grammar.words import stem
from masis.values.tabular import (
    MIXED,
    Column,
    Filter,
    Group,
    Measure,
    TableInfo,
    TableQuery,
)

_FEW_COLUMNS: Final = 3
"""Of listed rows, which say little without what the rows are called."""
_LEVELS: Final = frozenset(map(stem, ("stock", "inventory", "balance", "backlog")))

# --- the query -------------------------------------------------------------------------------


def query_of(found: Found) -> TableQuery | None:
    """Put together what is asked; None where it is nothing that a query can give."""
    text = found.said
    if SHARE.search(text):
        return None
    ids = [each.table_id for each in found.tables]
    groups = groups_of(found)
    is_each = _is_each_row(found, groups)
    measure = None if is_each else measure_of(found, groups)
    groups = [] if is_each else groups
    top, is_least = _top(text)
    if found.has_id:
        return _rows(found, ids, limit=LISTED)
    extreme = bool(MOST.search(text)) or bool(LEAST.search(text)) or top > 0
    order = _ordered(found, groups) if extreme else None
    if extreme and order is not None and measure is None:
        asked = [match.column.name for match in found.columns if match.column.name != order.name]
        return _rows(
            found, ids, order=order, limit=top or 1, descending=not is_least, columns=asked
        )
    if _cannot_be_given(found, measure, groups, extreme=extreme):
        return None
    if measure is None:
        listed = LIST.search(text) and (found.filters or found.columns)
        if listed or (found.rows and found.filters) or asks_who(found):
            return _rows(found, ids, limit=LISTED)
        return None
    groups = [*groups, *_currencies(found, measure, groups)]
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


def asks_who(found: Found) -> bool:
    """Tell whether the people are asked for who are of a team or a place, or whose column has a name.

    A name alone is who somebody is: "who is Ada" asks for no row that has her as its manager. What each row has
    of its own is no team: a sentence says best who "the finance director" is.
    """
    if not (WHO.search(found.said) and found.filters and matching.is_of_people(found.table)):
        return False
    text = found.asked.text
    said = [match for match in found.columns if not WHO.match(text[match.start : match.end])]
    named = {match.column.name for match in said}
    held = (found.table.column(each.column) for each in found.filters if each.operator == "is")
    parts = {each.column.name for each in found.values if not each.is_exact}
    return all(
        each is not None
        and (each.name in named or not (each.name in parts or matching.is_of_names(each)))
        and each.distinct * 2 <= found.table.shape.rows
        for each in held
    )


def _is_each_row(found: Found, groups: Sequence[Group]) -> bool:
    """Tell whether the largest is a row of its own, and no sum of rows: a team, which each site has."""
    each = next((own for own in groups if is_finest(found, own)), None)
    if each is None or not SIZED.search(found.said) or OVER_ALL.search(found.said):
        return False
    found.assumed.append(EACH_ROW.format(name=each.column))
    return True


def _cannot_be_given(
    found: Found, measure: Sequence[Measure] | None, groups: Sequence[Group], *, extreme: bool
) -> bool:
    """Say whether a figure or an order is asked for that the table's cells do not give."""
    text, measured = found.said, measure or ()
    return (
        (measure is None and (_wants_figure(text) or extreme))
        or (extreme and (not groups or _orders_by_unread(found)))
        or (bool(DEAR.search(text)) and not all(_is_money(found.table, m) for m in measured))
        or any(_is_mixed(found.table, each) for each in measured)
        or (not groups and any(_adds_up_levels(found, each) for each in measured))
    )


def _currencies(found: Found, measure: Sequence[Measure], groups: Sequence[Group]) -> list[Group]:
    """Return the column that says in which currency each row is, where there are several of them.

    Amounts of different currencies are never added up.
    """
    if not any(each.column for each in measure):
        return []
    held = {*(each.column for each in groups), *(each.column for each in found.filters)}
    for column in found.table.shape.columns:
        several = column.type == "text" and len(column.values) > 1 and column.name not in held
        if several and all(value.upper() in CURRENCIES for value in column.values):
            return [Group(column=column.name)]
    return []


def _wants_figure(text: str) -> bool:
    """Tell whether a figure is asked for, which rows do not give."""
    return any(each.search(text) for each in (MEAN, MEDIAN)) or bool(TOTAL.search(text))


def _is_mixed(table: TableInfo, measure: Measure) -> bool:
    column = table.column(measure.column)
    return column is not None and column.currency == MIXED


def _adds_up_levels(found: Found, measure: Measure) -> bool:
    """Tell whether what there is at the end of each month or quarter would be added up: a headcount."""
    column = found.table.column(measure.column)
    if column is None or measure.aggregate != "sum" or not _is_level(column):
        return False
    rows = found.table.shape.rows
    spans = [each for each in found.table.shape.columns if each.type == "date" and each.distinct == rows]  # fmt: skip
    held = {each.column for each in found.filters if each.operator in {"is", "from"}}
    alone = [each for each in found.table.shape.columns if each.distinct == rows and each.name in held]  # fmt: skip
    return bool(spans) and not alone


def _is_level(column: Column) -> bool:
    """Tell whether a column says how much of something there is at a time, and not what came in it."""
    return matching.is_of(column, "people") or bool(_LEVELS & {stem(each) for each in matching.parts(column.name)})  # fmt: skip


def _counted_filters(found: Found, groups: Sequence[Group]) -> list[Filter]:
    """Return the conditions; of a group that is ranked, rows without its name are left out."""
    ranked = bool(MOST.search(found.said) or LEAST.search(found.said) or TOP.search(found.said))  # fmt: skip
    held = {each.column for each in found.filters}
    named = [
        group.column for group in groups if ranked and not group.grain and group.column not in held
    ]
    return [*found.filters, *(Filter(column=name, operator="filled") for name in named)]


def _top(text: str) -> tuple[int, bool]:
    """Return how many are wanted of the first, and whether it is the lowest that are."""
    if match := TOP_WITH.search(text) or WHICH_MANY.search(text):
        way = match["way"].casefold()
        wanted = WORD_COUNTS.get(match["number"].casefold()) or int(match["number"])
        is_low = way in {"lowest", "smallest", "least", "fewest", "shortest", "cheapest"}
        return min(wanted, MOST_TOP), is_low
    match = TOP.search(text)
    if match is None:
        return 0, bool(LEAST.search(text)) and not MOST.search(text)
    said = (match["count"] or match["number"]).casefold()
    way = (match["way"] or match["end"]).casefold()
    count = WORD_COUNTS.get(said) or int(said)
    low = {"bottom", "worst", "lowest", "smallest", "least", "oldest", "shortest", "cheapest"}
    cheapest = bool(asks(r"\b(?:cheapest|lowest|smallest|fewest|least)\b").search(text))
    return min(count, MOST_TOP), way in low or cheapest


def _ordered(found: Found, groups: Sequence[Group]) -> Column | None:
    """Return the column that rows are ordered by, where the highest or lowest of them are asked for."""
    text = found.said
    if groups or is_of_number(found):
        return None
    if DEAR.search(text):
        return _money(found)
    if BY_DATE.search(text):
        return date_column(found) or _year_named(found)
    numbers = numbers_of(found)
    if numbers:
        return numbers[0]
    if found.rows and IN_TIME.search(text) and not SIZED.search(text):
        return date_column(found)
    dates = [match.column for match in found.columns if match.column.type == "date"]
    if dates and IN_TIME.search(text) and not COUNT.search(text):
        return dates[0]
    fits = [
        column
        for column in found.table.shape.columns
        if column.type == "number" and column.currency
    ]
    if len(fits) == 1 and found.rows and not COUNT.search(text):
        found.assumed.append(ORDERED_BY.format(name=fits[0].name))
        return fits[0]
    return None


def _year_named(found: Found) -> Column | None:
    """Return the only column of years that is named, where there are no dates."""
    named = [match.column for match in found.columns if match.column.type == "number" and match.column.is_name]  # fmt: skip
    return named[0] if len(named) == 1 and "year" in matching.parts(named[0].name) else None


def _orders_by_unread(found: Found) -> bool:
    """Tell whether an amount is asked by which no column is called: "by value" beside two of money."""
    amounts = matching.KINDS["money"] | matching.KINDS["quantity"]
    return any(
        not token.read
        and token.plain in amounts
        and GROUPED.search(found.asked.text[: token.start])
        for token in found.asked.tokens
    )


def _money(found: Found) -> Column | None:
    """Return the column of money that is named, else the only one; None where it cannot be told."""
    for columns in ([match.column for match in found.columns], found.table.shape.columns):
        fits = {column.name: column for column in columns if matching.is_money(column)}
        if fits:
            return next(iter(fits.values())) if len(fits) == 1 else None
    return None


def _is_money(table: TableInfo, measure: Measure) -> bool:
    column = table.column(measure.column)
    return column is not None and matching.is_money(column)


def _rows(
    found: Found,
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
    if order is None and not (columns or found.has_id) and len(chosen) <= _FEW_COLUMNS:
        texts = [each.name for each in shape.columns if each.type == "text" and matching.has_names(each)]  # fmt: skip
        chosen = list(dict.fromkeys([*label, *texts[:_FEW_COLUMNS], *chosen]))
    several = " and " in found.asked.text.casefold()
    alone = found.has_id and (several or not [each for each in named if each not in filtered])
    return TableQuery(
        tables=ids,
        columns=[each.name for each in shape.columns] if alone else chosen,
        filters=found.filters,
        order=order.name if order else "",
        descending=descending,
        limit=limit,
    )
