"""Tell what a question calculates: a number of rows, a sum, a mean; of which column."""

from collections.abc import Sequence
from typing import Final

from masis.tables.grammar import matching
from masis.tables.grammar.asking_words import (
    ADDED_UP,
    ADDITIVE,
    COUNT,
    COUNTED,
    DISTINCT,
    GRAINS,
    GROUPED,
    LIST,
    MEAN,
    MEDIAN,
    MUCH,
    NUMEROUS,
    NUMEROUS_OF,
    OF_ROWS,
    OF_WHICH,
    OFTEN,
    ORDERED_BY,
    ORDERED_BY_ROWS,
    PER,
    SIZED,
    SUM,
    SUMMED,
    TAKEN_FOR,
    TOTAL_OF,
    VALUE,
)
from masis.tables.grammar.filtering import date_column
from masis.tables.grammar.found import Found
from masis.tables.grammar.grouping import is_of_number, ranks
from masis.values.tabular import Aggregate, Column, Group, Measure

_NEAR: Final = 25
"""Characters within which the name of the rows stands that are counted: "how many P1 tickets"."""


def measure_of(found: Found, groups: Sequence[Group]) -> list[Measure] | None:
    """Return what is calculated; None where rows are asked for."""
    grouped = {each.column for each in groups}
    numbers = [each for each in numbers_of(found) if each.name not in grouped]
    for made in (
        _series(found),
        _different(found),
        _averaged(found, numbers),
        _counted(found, numbers),
    ):
        if made is not None:
            return made or None
    return _added_up(found, groups, numbers) or _of_rows(found, groups, numbers)


def _series(found: Found) -> list[Measure] | None:
    """Return the sum of each column that is called by a period, where one is wanted for each of them."""
    text = found.asked.text
    grains = {
        GRAINS[token.plain]
        for token in found.asked.tokens
        if token.plain in GRAINS
        and (token.plain.endswith("ly") or GROUPED.search(text[: token.start]))
    }
    if not grains or MEAN.search(text) or MEDIAN.search(text) or date_column(found):
        return None
    several = [each for each in found.table.shape.columns if matching.grain_of(each) in grains]
    return [Measure(aggregate="sum", column=each.name) for each in several] or None


def _different(found: Found) -> list[Measure] | None:
    """Return how many values a column has; None where that is not asked."""
    counted = _counted_column(found)
    if counted is not None:
        return [Measure(aggregate="distinct", column=counted.name)]
    if not DISTINCT.search(found.said):
        return None
    texts = [match.column for match in found.columns if match.column.type == "text"]
    return [Measure(aggregate="distinct", column=texts[0].name)] if texts else []


def _counted_column(found: Found) -> Column | None:
    """Return the column whose values are counted, and no rows: "how many customers ordered"."""
    counts = COUNT.search(found.said)
    behind = [token for token in found.asked.tokens if counts and token.start >= counts.end()]
    if not behind or behind[0] in found.rows or not behind[0].plain.endswith("s"):
        return None
    fits = [match.column for match in found.columns if match.start == behind[0].start]
    rows = found.table.shape.rows
    named = (each for each in fits if each.type == "text" and not each.is_name)
    return next((each for each in named if each.distinct != rows), None)


def _averaged(found: Found, numbers: Sequence[Column]) -> list[Measure] | None:
    """Return a median or a mean; None where neither is asked for."""
    is_median = bool(MEDIAN.search(found.said))
    if not (is_median or MEAN.search(found.said) or (numbers and _is_per_row(found))):
        return None
    kind: Aggregate = "median" if is_median else "mean"
    return [Measure(aggregate=kind, column=each.name) for each in numbers or _worth(found)]


def _counted(found: Found, numbers: Sequence[Column]) -> list[Measure] | None:
    """Return a number of rows, or of pieces; None where no rows are counted."""
    counts = COUNT.search(found.said)
    if counts is None or (numbers and _counts_numbers(found, counts.end())):
        return None
    return [_pieces(found, counts.end()) or Measure(aggregate="count")]


def _added_up(
    found: Found, groups: Sequence[Group], numbers: Sequence[Column]
) -> list[Measure] | None:
    """Return the sums of what is named, or of the only amount where "how much" names none."""
    text = found.said
    is_asked = groups or SUM.search(text) or COUNT.search(text)
    is_spent = bool(ADDITIVE.search(text)) and not LIST.search(text) and not OF_WHICH.search(text)
    is_money = found.filters and is_spent and all(each.currency for each in numbers)
    is_series = all(map(matching.is_period, numbers))
    if not numbers and SUMMED.search(text) and not (found.ids or ranks(text)):
        numbers = _amount(found)
    elif numbers and not (is_asked or is_money or is_series):
        if not _is_of_rows(found, numbers[0]):
            return None
        found.assumed.append(ADDED_UP.format(name=numbers[0].name))
        numbers = numbers[:1]
    return [Measure(aggregate="sum", column=each.name) for each in numbers]


def _of_rows(
    found: Found, groups: Sequence[Group], numbers: Sequence[Column]
) -> list[Measure] | None:
    """Return the number of rows, where none of their columns is named; how much is never one."""
    if groups and not numbers:
        number = NUMEROUS_OF.search(found.said)
        pieces = _pieces(found, number.end()) if number else None
        if pieces:
            return [pieces]
        if ranks(found.said) and not _counts_rows(found):
            return [_most_of(found)]
        if SUM.search(found.said) and (amounts := _totals(found)):
            return amounts
        return [_size(found) or _sized_by_rows(found)]
    return _total_of_rows(found)


def _total_of_rows(found: Found) -> list[Measure] | None:
    """Return the pieces of what stands behind "total", else the number of rows."""
    total = None if MUCH.search(found.said) or ranks(found.said) else SUM.search(found.said)
    if total is None or not (found.rows and found.filters):
        return None
    pieces = _pieces(found, total.end())
    if pieces:
        return [pieces]
    amounts = [each for each in found.table.shape.columns if matching.is_money(each)]
    if len(amounts) == 1 and matching.is_additive(amounts[0]):
        found.assumed.append(COUNTED.format(name=amounts[0].name))
    return [Measure(aggregate="count")]


def _totals(found: Found) -> list[Measure]:
    """Return the sum of the only amount, where a total is wanted for each group and not one of rows."""
    amounts = [each for each in found.table.shape.columns if matching.is_money(each)]
    if len(amounts) != 1 or not matching.is_additive(amounts[0]):
        return []
    if any(TOTAL_OF.search(found.said[: each.start]) for each in found.rows):
        found.assumed.append(COUNTED.format(name=amounts[0].name))
        return []
    found.assumed.append(TAKEN_FOR.format(name=amounts[0].name))
    return [Measure(aggregate="sum", column=amounts[0].name)]


def _counts_rows(found: Found) -> bool:
    """Tell whether it is said of what there are most: of rows, of a value, of what happens often."""
    text = found.said
    return bool(
        is_of_number(found) or OFTEN.search(text) or COUNT.search(text) or SIZED.search(text)
    ) or any(NUMEROUS.search(text[: each.start]) for each in found.values)


def _most_of(found: Found) -> Measure:
    """Return what something is the most by that says it of nothing: the only amount, else rows."""
    fits = [each for each in found.table.shape.columns if matching.is_money(each)]
    if len(fits) != 1 or not matching.is_additive(fits[0]):
        found.assumed.append(ORDERED_BY_ROWS)
        return Measure(aggregate="count")
    found.assumed.append(ORDERED_BY.format(name=fits[0].name))
    return Measure(aggregate="sum", column=fits[0].name)


def numbers_of(found: Found) -> list[Column]:
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


def _is_per_row(found: Found) -> bool:
    """Tell whether an amount is wanted of each row, as a mean: "findings per inspection"."""
    columns = {match.start for match in found.columns}
    return any(
        PER.search(found.asked.text[: each.start])
        for each in found.rows
        if each.start not in columns and not each.plain.endswith("s")
    )


def _worth(found: Found) -> list[Column]:
    """Return the only column of money, where the value of rows is asked for without its name."""
    fits = [column for column in found.table.shape.columns if column.currency]
    if len(fits) != 1 or not found.rows or not VALUE.search(found.said):
        return []
    found.assumed.append(TAKEN_FOR.format(name=fits[0].name))
    return fits


def _amount(found: Found) -> list[Column]:
    """Return the only column of amounts of money, which "how much" asks for without its name."""
    fits = [each for each in found.table.shape.columns if matching.is_money(each)]
    if len(fits) != 1 or not found.filters or not matching.is_additive(fits[0]):
        return []
    found.assumed.append(TAKEN_FOR.format(name=fits[0].name))
    return fits


def _is_of_rows(found: Found, column: Column) -> bool:
    """Tell whether an amount is asked for of several rows, which are added up: "net of the orders"."""
    text = found.asked.text
    if LIST.search(text) or OF_WHICH.search(text) or ranks(text) or found.ids:
        return False
    several = {each.start for each in found.rows if each.plain.endswith("s")}
    said = next((match for match in found.columns if match.column.name == column.name), None)
    of_them = said and OF_ROWS.match(text, said.end)
    return bool(of_them and of_them.end() in several and matching.is_additive(column))


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
