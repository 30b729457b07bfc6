"""Read SQL that somebody else wrote, as the database parsed it: its constants, its columns, and its rows."""

import copy
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from masis.errors import QueryRefused
from masis.tables.sql import ROW
from masis.text.grammars.scales import SCALE, SCALES
from masis.values.base import Value
from masis.values.tabular import Aggregate

UNBORNE: Final = (
    "The query has “{text}”, which stands neither in the question nor in the table's values."
)
MIXED_UP: Final = "The query calculates with “{name}”, whose cells are in several currencies."

_AGGREGATES: Final[dict[str, Aggregate]] = {
    "count": "count", "count_star": "count", "sum": "sum", "avg": "mean", "mean": "mean",
    "median": "median", "min": "minimum", "max": "maximum",
}  # fmt: skip
_COUNTING: Final = frozenset({"count", "count_star"})
_ORDERING: Final = frozenset({"modifiers", "group_expressions", "group_sets"})
"""Where a number is a place in a list, or how many rows are wanted."""
_STRUCTURAL: Final = frozenset({"0", "1", "100", "-1"})
_PATTERN: Final = re.compile(r"(?:%-?[A-Za-z]|[ :/Q.-])+")
"""A pattern by which a date is written."""
_PARTS: Final = frozenset("year quarter month week day hour minute".split())
_DATE: Final = re.compile(r"(?P<year>\d{4})-\d{2}(?:-\d{2})?(?:[ T]\d{2}:\d{2}(?::\d{2})?)?")
_NUMBER: Final = re.compile(
    rf"(?<![\w.])(?P<digits>\d[\d,]*(?:\.\d+)?) ?(?P<scale>{SCALE})?\b",
    re.IGNORECASE,
)


class ColumnOf(Value):
    """Tell what a column of a result is: calculated how, and of which columns of the table.

    `aggregate` is empty for a column as it stands, None for what is neither.
    """

    aggregate: str | None = None
    columns: list[str] = []


def columns_of(parsed: Mapping[str, Any]) -> list[ColumnOf]:
    """Return what each column of the result is; none where that cannot be told of all of them."""
    node = parsed["statements"][0]["node"]
    chosen = node.get("select_list") or []
    if any(each.get("class") == "STAR" for each in chosen):
        return []
    return [_column_of(each) for each in chosen]


def _column_of(item: Mapping[str, Any]) -> ColumnOf:
    names = list(dict.fromkeys(_names(item)))
    if item.get("class") == "COLUMN_REF":
        return ColumnOf(aggregate="", columns=names)
    arguments = [each.get("expression") or {} for each in item.get("arguments") or []]
    is_plain = all(each.get("class") == "COLUMN_REF" for each in arguments)
    name = str(item.get("function_name", "")).casefold()
    if is_plain and len(arguments) <= 1 and name in _AGGREGATES and not item.get("distinct"):
        return ColumnOf(aggregate=_AGGREGATES[name], columns=names)
    return ColumnOf(columns=names)


def _names(value: Any) -> Iterator[str]:
    for each in _objects(value):
        if each.get("class") == "COLUMN_REF" and each.get("column_names"):
            yield str(each["column_names"][-1])


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every object of a parsed query; how deep it goes was checked before."""
    if isinstance(value, Mapping):
        yield value
        for each in value.values():
            yield from _objects(each)
    elif isinstance(value, list):
        for each in value:
            yield from _objects(each)


# --- what it may say ---------------------------------------------------------------------------


def check_constants(parsed: Mapping[str, Any], said: Collection[str]) -> None:
    """Check that every text and number of a query stands in what was said, or only orders its rows.

    Raises:
        QueryRefused: one of them stands nowhere.
    """
    told = [each.casefold() for each in said]
    numbers = {number for each in told for number in _numbers(each)}
    for kind, text in _constants(parsed["statements"][0]):
        is_borne = _is_said(text, told, numbers) if kind == "STRING" else _is_number(text, numbers)
        if not is_borne:
            raise QueryRefused(UNBORNE.format(text=text[:60]))


def _constants(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        if value.get("class") == "CONSTANT":
            literal = value["literal"]
            if literal.get("kind") != "NULL":
                yield ("STRING" if literal["kind"] == "STRING" else "NUMBER"), str(literal["text"])
        for key, each in value.items():
            if key not in _ORDERING:
                yield from _constants(each)
    elif isinstance(value, list):
        for each in value:
            yield from _constants(each)


def _is_said(text: str, told: Sequence[str], numbers: Collection[float]) -> bool:
    plain = text.casefold().strip("% ")
    if not plain or plain in _PARTS or _PATTERN.fullmatch(text):
        return True
    if date := _DATE.fullmatch(text):
        return _is_year(float(date["year"]), numbers) or any(plain in each for each in told)
    return any(plain in each for each in told)


def _is_number(text: str, numbers: Collection[float]) -> bool:
    if text in _STRUCTURAL or text.casefold() in {"true", "false"}:
        return True
    try:
        value = float(text)
    except ValueError:
        return False
    return value in numbers or _is_year(value, numbers)


def _is_year(value: float, numbers: Collection[float]) -> bool:
    """Tell whether a year is that of the question, or the one where its stretch of time ends."""
    is_year = 1900 <= value <= 2200 and value == int(value)
    return is_year and (value in numbers or value - 1 in numbers)


def _numbers(text: str) -> Iterator[float]:
    for match in _NUMBER.finditer(text):
        plain = float(match["digits"].replace(",", ""))
        yield plain
        if match["scale"]:
            yield plain * SCALES[match["scale"].casefold()]
    yield from (float(found["year"]) for found in _DATE.finditer(text))


def check_currencies(parsed: Mapping[str, Any], mixed: Collection[str]) -> None:
    """Check that nothing is calculated of the columns whose cells are in several currencies.

    Raises:
        QueryRefused: something is.
    """
    for each in _objects(parsed["statements"][0]):
        name = str(each.get("function_name", "")).casefold()
        if name and name not in _COUNTING and (found := set(mixed) & set(_names(each))):
            raise QueryRefused(MIXED_UP.format(name=min(found)))


# --- of which rows it is -----------------------------------------------------------------------


def rows_of(parsed: Mapping[str, Any], template: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the query for the rows that one over a single table is of: `template` with its conditions.

    None where it has tables within tables, whose rows are all that can be told.
    """
    node = parsed["statements"][0]["node"]
    sources = [each for each in _objects(node) if each.get("type") == "BASE_TABLE"]
    is_plain = node.get("type") == "SELECT_NODE" and len(sources) == 1
    if not is_plain or node.get("from_table", {}).get("type") != "BASE_TABLE":
        return None
    made = copy.deepcopy(dict(template))
    into = made["statements"][0]["node"]
    into["from_table"] = copy.deepcopy(node["from_table"])
    into["where_clause"] = copy.deepcopy(node.get("where_clause"))
    return made


def facts_template(table: str, columns: Sequence[ColumnOf], quoted: str) -> str:
    """Return a query for the facts of a table, whose conditions are still to come."""
    valued = next((each.columns[0] for each in columns if each.aggregate and each.columns), "")
    name = table.replace("'", "''")
    column = valued.replace('"', '""')
    counted = f'count("{column}")' if valued else "count(*)"
    return f"SELECT '{name}', count(*), {counted}, min({ROW}), max({ROW}) FROM {quoted}"  # noqa: S608 - quoted
