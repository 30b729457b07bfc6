"""Put together a query of what a question names: what is calculated, by what, in which order."""

from collections.abc import Iterator, Sequence
from typing import Final

from masis.tables.cell_values import CURRENCIES
from masis.tables.grammar import matching
from masis.tables.grammar.asking_words import (
    ADDITIVE,
    BY_DATE,
    COUNT,
    DEAR,
    DISTINCT,
    GRAINS,
    GROUPED,
    HAVING,
    HAVING_AMOUNT,
    LEAST,
    LIST,
    LISTED,
    MEAN,
    MEDIAN,
    MOST,
    MOST_TOP,
    OF_WHICH,
    ORDERED_BY,
    ORDERED_BY_ROWS,
    SHARE,
    SIZED,
    SUM,
    SUPERLATIVE_END,
    TAKEN_FOR,
    TOP,
    TOP_WITH,
    TOTAL,
    TWO_SIDES,
    VALUE,
    WHICH,
    WORD_COUNTS,
    asks,
)
from masis.tables.grammar.filtering import compares_years, date_column
from masis.tables.grammar.found import Found
from masis.tables.grammar.words import Token
from masis.values.tabular import (
    MIXED,
    Aggregate,
    Column,
    Filter,
    Group,
    Measure,
    TableInfo,
    TableQuery,
)

_NEAR: Final = 25
"""Characters within which the name of the rows stands that are counted: "how many P1 tickets"."""

# --- the query -------------------------------------------------------------------------------


def query_of(found: Found) -> TableQuery | None:
    """Put together what is asked; None where it is nothing that a query can give."""
    text = found.said
    if SHARE.search(text):
        return None
    ids = [each.table_id for each in found.tables]
    groups = _groups(found)
    measure = _measure(found, groups)
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
        if listed or (found.rows and found.filters):
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
    if match := TOP_WITH.search(text):
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


def _groups(found: Found) -> list[Group]:
    """Return by what rows are put together: behind "by" or "per", or what "which" asks for."""
    made = [*_of_time(found), *_of_names(found)]
    if not made and compares_years(found) and (column := date_column(found)):
        grain = GRAINS.get(next(each.period.kind for each in found.dates if each.period), "year")
        made.append(Group(column=column.name, grain=grain))
    if not made and TWO_SIDES.search(found.asked.text):
        several = next(
            (each for each in found.filters if each.operator == "is" and len(each.values) > 1), None
        )
        made += [Group(column=several.column)] if several else []
    return [each for each in dict.fromkeys(made) if not _names_rows(found, each)]


def _of_time(found: Found) -> Iterator[Group]:
    """Yield the stretches of time that rows are put together by."""
    asked = found.asked
    for token in asked.tokens:
        grain = GRAINS.get(token.plain)
        before = asked.text[: token.start]
        if grain and (token.plain.endswith("ly") or GROUPED.search(before) or WHICH.search(before)):
            column = None if _is_rate(found, grain) else date_column(found)
            if column is not None and not _is_named_year(found, token):
                yield Group(column=column.name, grain=grain)


def _is_rate(found: Found, grain: str) -> bool:
    """Tell whether what is asked for is a column of so much a year, and no date is named beside it."""
    is_dated = any(match.column.type == "date" for match in found.columns)
    rates = [match.column for match in found.columns if match.column.type == "number"]
    return not is_dated and any({"per", grain} <= set(matching.parts(each.name)) for each in rates)


def _of_names(found: Found) -> Iterator[Group]:
    """Yield the columns that rows are put together by."""
    filtered = {each.column for each in found.filters if each.operator == "is"}
    top = TOP.search(found.said)
    is_any = any(_is_grouped(found, match) for match in found.columns)
    for match in found.columns:
        can = match.column.type in {"text", "boolean"} or (
            match.column.is_name and match.column.type == "number"
        )
        before = found.asked.text[max(0, match.start - 5) : match.start].strip()
        is_top = top is not None and _follows(found, top.end(), match.start)
        is_asked = is_top or _is_grouped(found, match) or (is_any and before == "and")
        if can and is_asked and match.column.name not in filtered:
            yield Group(column=match.column.name)


def _is_grouped(found: Found, match: matching.Match) -> bool:
    """Tell whether the words around a column's name ask for a figure of each of its values."""
    text = found.asked.text
    before, behind = text[: match.start], text[match.end :]
    ranks = _ranks(found.said)
    return bool(
        GROUPED.search(before)
        or (ranks and WHICH.search(before))
        or (ranks and text[match.start : match.end].casefold() == "who")
        or SUPERLATIVE_END.search(before.rstrip())
        or HAVING.search(behind)
        or (
            HAVING_AMOUNT.search(behind)
            and (TOP_WITH.search(found.said) or ADDITIVE.search(behind))
        )
    )


def _follows(found: Found, end: int, start: int) -> bool:
    """Tell whether nothing but values stands between how many are wanted and of what."""
    between = [token for token in found.asked.tokens if end <= token.start < start]
    return end <= start and all(token.read.startswith("value:") for token in between)


def _is_named_year(found: Found, token: Token) -> bool:
    """Tell whether "per year" belongs to a column's name: `Price per year`."""
    return token.read.startswith("column:") and not any(
        match.column.type == "date" and match.start <= token.start < match.end
        for match in found.columns
    )


def _names_rows(found: Found, group: Group) -> bool:
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
    return bool(MOST.search(text) or LEAST.search(text))


def _numbers(found: Found) -> list[Column]:
    """Return the columns of numbers that are named and not merely compared."""
    compared = {
        each.column
        for each in found.filters
        if each.operator in {"above", "below", "at least", "at most", "blank", "filled"}
    }
    named = {match.column.name: match.column for match in found.columns if match.column.type == "number" and not match.column.is_name}  # fmt: skip
    free = [column for name, column in named.items() if name not in compared]
    blank = {each.column for each in found.filters if each.operator == "blank"}
    named = {name: column for name, column in named.items() if name not in blank}
    return free or (list(named.values()) if _wants(found.asked.text) else [])


def _wants(text: str) -> bool:
    return any(each.search(text) for each in (MEAN, MEDIAN, SUM))


def _measure(found: Found, groups: Sequence[Group]) -> list[Measure] | None:
    """Return what is calculated; None where rows are asked for."""
    text, numbers = found.said, _numbers(found)
    if DISTINCT.search(text):
        texts = [match.column for match in found.columns if match.column.type == "text"]
        return [Measure(aggregate="distinct", column=texts[0].name)] if texts else None
    for pattern, aggregate in ((MEDIAN, "median"), (MEAN, "mean")):
        if pattern.search(text):
            kind: Aggregate = "median" if aggregate == "median" else "mean"
            numbers = numbers or _worth(found)
            return [Measure(aggregate=kind, column=each.name) for each in numbers] or None
    counts = COUNT.search(text)
    if counts and not (numbers and _counts_numbers(found, counts.end())):
        return [_pieces(found, counts.end()) or Measure(aggregate="count")]
    if numbers and (groups or SUM.search(text) or (counts and numbers)):
        return [Measure(aggregate="sum", column=each.name) for each in numbers]
    if groups and not numbers:
        return [_size(found) or _sized_by_rows(found)]
    is_spent = bool(ADDITIVE.search(text)) and not LIST.search(text) and not OF_WHICH.search(text)
    if found.filters and is_spent and numbers and all(each.currency for each in numbers):
        return [Measure(aggregate="sum", column=each.name) for each in numbers]
    if numbers and all(matching.is_period(each) for each in numbers):
        return [Measure(aggregate="sum", column=each.name) for each in numbers]
    if found.rows and found.filters and SUM.search(text) and not _ranks(text):
        return [Measure(aggregate="count")]
    return None


def _pieces(found: Found, at: int) -> Measure | None:
    """Return the quantity of a thing that is counted by its name: "how many CP-10" are not rows."""
    following = [token for token in found.asked.tokens if token.start >= at and token.read]
    quantities = [column for column in found.table.shape.columns if matching.is_quantity(column)]
    if len(quantities) != 1 or not following or not following[0].read.startswith("value:"):
        return None
    near = following[0].start + _NEAR
    rows = [token for token in found.rows if at <= token.start < near]
    if any(not token.plain.endswith("ed") for token in rows):
        return None
    return Measure(aggregate="sum", column=quantities[0].name)


def _worth(found: Found) -> list[Column]:
    """Return the only column of money, where the value of rows is asked for without its name."""
    fits = [column for column in found.table.shape.columns if column.currency]
    if len(fits) != 1 or not found.rows or not VALUE.search(found.said):
        return []
    found.assumed.append(TAKEN_FOR.format(name=fits[0].name))
    return fits


def _size(found: Found) -> Measure | None:
    """Return what "the biggest customer" is measured by: money, where the table has one such column."""
    if not SIZED.search(found.said) or found.rows:
        return None
    fits = [column for column in found.table.shape.columns if column.currency]
    if len(fits) != 1:
        return None
    found.assumed.append(ORDERED_BY.format(name=fits[0].name))
    return Measure(aggregate="sum", column=fits[0].name)


def _sized_by_rows(found: Found) -> Measure:
    """Return the number of rows, and note that it is by them that something is the biggest."""
    if SIZED.search(found.said) and not COUNT.search(found.said):
        found.assumed.append(ORDERED_BY_ROWS)
    return Measure(aggregate="count")


def _counts_numbers(found: Found, at: int) -> bool:
    """Tell whether "how many" asks for what a column of numbers counts, and not for rows."""
    periodic = any(matching.is_period(match.column) for match in found.columns)
    named = [match for match in found.columns if match.column.type == "number"]
    row = min((token.start for token in found.rows if token.start >= at), default=10_000)
    first = min((match.start for match in named if match.start >= at), default=10_000)
    return periodic or first < row


def _ordered(found: Found, groups: Sequence[Group]) -> Column | None:
    """Return the column that rows are ordered by, where the highest or lowest of them are asked for."""
    text = found.said
    if groups:
        return None
    if DEAR.search(text):
        return _money(found)
    if BY_DATE.search(text):
        return date_column(found)
    numbers = _numbers(found)
    if numbers:
        return numbers[0]
    dates = [match.column for match in found.columns if match.column.type == "date"]
    if dates and not COUNT.search(text):
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
