"""Add columns to a table that are calculated of its own, only where names and types leave no doubt."""

import re
from collections.abc import Collection
from typing import Final

from masis.tables.cell_values import CURRENCIES
from masis.tables.everyday.everyday_words import BUDGETS, OUTLAYS, QUANTITIES, SPENDS, TAXES, VALUES
from masis.tables.grammar import matching
from masis.tables.grammar.words import stem
from masis.values.tabular import MIXED, Column, Formula, TableInfo

LINE_VALUE: Final = "line value"
LIST_VALUE: Final = "list value"
REMAINDER: Final = "remainder"
OVERSPEND: Final = "overspend"
RISE: Final = "rise"
FALL: Final = "fall"
WHOLE_YEAR: Final = "whole year"
_YEAR: Final = re.compile(r"(?<!\d)20\d{2}(?!\d)")
_QUARTERS: Final = 4
_MONTHS: Final = 12


def stems(column: Column) -> set[str]:
    """Return the stems of a column's name."""
    return {stem(word) for word in matching.parts(column.name)}


def called(table: TableInfo, names: Collection[str]) -> list[Column]:
    """Return the columns of numbers that are called by one of these words."""
    wanted = {stem(each) for each in names}
    return [
        each
        for each in table.shape.columns
        if each.type == "number" and not each.is_name and stems(each) & wanted
    ]


def line_value(table: TableInfo, *, discounted: bool = True) -> Column | None:
    """Return what each row is worth, quantity times price; None where it says so itself or it is not sure."""
    if called(table, VALUES - {"net"}) or any(
        matching.is_money(each) and matching.is_additive(each) and not _is_price(each)
        for each in table.shape.columns
    ):
        return None
    prices = [each for each in table.shape.columns if _is_price(each)]
    quantities = [each for each in called(table, QUANTITIES) if each not in prices]
    if len(quantities) != 1 or len(prices) != 1 or prices[0].currency == MIXED:
        return None
    less = [each for each in called(table, {"discount", "rebate"}) if each.unit == "%"]
    if len(called(table, {"discount", "rebate"})) != len(less) or len(less) > 1:
        return None
    taken = less[0].name if less and discounted else ""
    formula = Formula(kind="product", columns=[quantities[0].name, prices[0].name], less=taken)
    name = LINE_VALUE if discounted or not less else LIST_VALUE
    return _made(name, formula, prices[0])


def _is_price(column: Column) -> bool:
    """Tell whether a column says what one piece costs."""
    said = stems(column)
    is_priced = bool(said & {stem("price"), stem("cost")})
    total = {stem(each) for each in (*VALUES, "budget", "per")}
    return column.type == "number" and is_priced and not said & total


def remainder(table: TableInfo) -> Column | None:
    """Return what is left of a budget; None where the table has not one of each, in one currency."""
    budgets, spent = called(table, BUDGETS), called(table, SPENDS)
    budgets = [each for each in budgets if each not in spent]
    if len(budgets) != 1 or len(spent) != 1 or not _is_alike(budgets[0], spent[0]):
        return None
    return difference(budgets[0], spent[0], REMAINDER)


def overspend(table: TableInfo) -> Column | None:
    """Return what was spent beyond a budget."""
    rest = remainder(table)
    if rest is None or rest.formula is None:
        return None
    budget, spent = (table.column(name) for name in rest.formula.columns)
    return difference(spent, budget, OVERSPEND) if budget and spent else None


def change(table: TableInfo, *, is_rise: bool) -> Column | None:
    """Return what rose or fell from one year's column to the other's, where just two are of one thing."""
    found: dict[str, list[tuple[str, Column]]] = {}
    for column in table.shape.columns:
        year = _YEAR.search(column.name)
        if column.type == "number" and not column.is_name and year:
            plain = " ".join(_YEAR.sub(" ", column.name).split())
            found.setdefault(plain.casefold(), []).append((year[0], column))
    pairs = [sorted(each, key=lambda one: one[0]) for each in found.values() if len(each) > 1]
    if len(pairs) != 1 or len(pairs[0]) != 2:
        return None
    (_, earlier), (_, later) = pairs[0]
    if earlier.name == later.name or not _is_alike(earlier, later):
        return None
    return difference(later, earlier, RISE) if is_rise else difference(earlier, later, FALL)


def quantity(table: TableInfo) -> Column | None:
    """Return the only column that says how many of something a row has."""
    fits = [each for each in called(table, QUANTITIES) if not _is_price(each)]
    return fits[0] if len(fits) == 1 else None


def difference(one: Column, other: Column, name: str = "") -> Column:
    """Return one column less another."""
    formula = Formula(kind="difference", columns=[one.name, other.name])
    return _made(name or "difference", formula, one)


def whole_year(table: TableInfo) -> Column | None:
    """Return the sum of a year's quarters or months, where the table has a column for each of them."""
    for grain, count in (("quarter", _QUARTERS), ("month", _MONTHS)):
        spans = [each for each in table.shape.columns if matching.grain_of(each) == grain]
        if len(spans) == count and all(_is_alike(spans[0], each) for each in spans[1:]):
            formula = Formula(kind="sum", columns=[each.name for each in spans])
            return _made(WHOLE_YEAR, formula, spans[0])
    return None


def money(table: TableInfo) -> Column | None:
    """Return the one column that says what a row comes to: no tax, no outlay, and not what a piece costs."""
    others = {stem(each) for each in TAXES | OUTLAYS}
    fits = [
        each
        for each in table.shape.columns
        if _is_amount(each) and not stems(each) & others and not _is_price(each)
    ]
    return fits[0] if len(fits) == 1 else None


def is_outlay(column: Column) -> bool:
    """Tell whether a column is of what something costs, which nobody brings in."""
    others = {stem(each) for each in OUTLAYS | {"price", "charge"}}
    return column.formula is None and bool(stems(column) & others)


def _is_amount(column: Column) -> bool:
    """Tell whether a column is of amounts of money, in a currency that its cells or its name state."""
    if column.type != "number" or column.is_name or column.currency == MIXED:
        return False
    is_named = any(part.upper() in CURRENCIES for part in matching.parts(column.name))
    return is_named or (matching.is_money(column) and matching.is_additive(column))


def comparable(table: TableInfo, column: Column) -> Column | None:
    """Return the only other column whose figures can be set against those of one."""
    fits = [
        each
        for each in table.shape.columns
        if each.name != column.name
        and each.type == "number"
        and not each.is_name
        and not each.formula
        and _is_alike(each, column)
        and not _is_price(each)
        and not stems(each) & {stem(word) for word in TAXES}
    ]
    return fits[0] if len(fits) == 1 else None


def _is_alike(one: Column, other: Column) -> bool:
    """Tell whether two columns are in the same currency, unit and scale."""
    return one.currency != MIXED and (one.currency, one.unit, one.scale) == (
        other.currency,
        other.unit,
        other.scale,
    )


def _made(name: str, formula: Formula, like: Column) -> Column:
    """Return a column whose name states its formula, in the unit of one it is calculated of."""
    return Column(
        name=f"{name} ({written(formula)})",
        type="number",
        unit=like.unit,
        currency=like.currency,
        scale=like.scale,
        formula=formula,
    )


def written(formula: Formula) -> str:
    """Write a formula with the names of its columns, without what stands in brackets there."""
    signs = {"product": " × ", "difference": " − ", "sum": " + "}
    said = signs[formula.kind].join(map(_plain, formula.columns))
    return f"{said}, less {_plain(formula.less)} %" if formula.less else said


def _plain(name: str) -> str:
    return " ".join(name.split("(", maxsplit=1)[0].split()).strip(" ,")
