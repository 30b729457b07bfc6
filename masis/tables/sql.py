"""Write a query over tables as SQL: names and texts are quoted, and nothing else comes from outside."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from masis.errors import QueryRefused
from masis.values.tabular import (
    Column,
    ColumnType,
    Filter,
    Grain,
    Group,
    Measure,
    ResultColumn,
    TableInfo,
    TableQuery,
)

ROW: Final = "_row"
"""The column of a row's number, which every table has beside its own."""
TABLE: Final = "_table"
MOST_ROWS: Final = 200
"""Rows of a result."""
BLANK: Final = "(blank)"
"""What a group is called whose rows have no value."""
UNKNOWN: Final = "The table has no column “{name}”."

_AGGREGATES: Final = {
    "sum": "sum({})", "mean": "avg({})", "median": "median({})", "minimum": "min({})", "maximum": "max({})",
}  # fmt: skip
_GRAINS: Final[dict[Grain, str]] = {
    "year": "strftime({}, '%Y')",
    "quarter": "strftime({0}, '%Y') || ' Q' || quarter({0})",
    "month": "strftime({}, '%Y-%m')",
    "day": "strftime({}, '%Y-%m-%d')",
}
_COMPARED: Final = {
    "above": ">", "at least": ">=", "below": "<", "at most": "<=", "from": ">=", "before": "<",
}  # fmt: skip
AGGREGATES: Final = {
    "sum": "total",
    "mean": "average",
    "median": "median",
    "minimum": "lowest",
    "maximum": "highest",
}


class Statement(NamedTuple):
    """A query as it is run: `sql` gives the result, `facts` how many rows of which table it is of.

    `columns` are those of the result; rows as they are have their table and number behind them.
    `names` are the columns of the tables that either needs.
    """

    sql: str
    facts: str
    columns: list[ResultColumn]
    names: list[str]
    has_rows: bool


def quoted(name: str) -> str:
    """Return a name as SQL has it."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """Return a text as SQL has it."""
    return "'" + value.replace("\0", "").replace("'", "''") + "'"


def statement(tables: Sequence[TableInfo], query: TableQuery) -> Statement:
    """Write a query down.

    Raises:
        QueryRefused: it names a column that the tables do not have.
    """
    tables = [each.having(query.calculated) for each in tables]
    where = _where(tables[0], query.filters)
    source = _source(tables, is_with_rows=bool(query.columns))
    used = [name for name in query.named if name]
    ordered = [query.order] if query.columns and query.order else []
    said = [_column(tables[0], name) for name in [*used, *query.columns, *ordered]]
    names = list(dict.fromkeys(name for each in said for name in _needed(tables[0], each)))
    # Those that are level with the last one wanted are told by looking behind it.
    wanted = MOST_ROWS if query.ranked is not None else query.limit or MOST_ROWS
    limit = min(wanted, MOST_ROWS) + 1
    facts = _facts(tables, query, where)
    if query.columns:
        order = f" ORDER BY {quoted(query.order)} {_way(query)} NULLS LAST" if query.order else ""
        chosen = ", ".join([*(_selected(tables[0], name) for name in query.columns), TABLE, ROW])
        sql = f"SELECT {chosen} FROM {source}{where}{order} LIMIT {limit}"
        columns = [_plain(_column(tables[0], name)) for name in query.columns]
        return Statement(sql, facts, columns, names, has_rows=True)
    return Statement(_calculated(tables[0], query, source, where, limit), facts, _columns(tables[0], query), names, has_rows=False)  # fmt: skip


def _calculated(table: TableInfo, query: TableQuery, source: str, where: str, limit: int) -> str:
    keys = [_key(table, group) for group in query.groups]
    shown = [_shown(table, group, key) for group, key in zip(query.groups, keys, strict=True)]
    measures = [_measure(table, each) for each in query.measures]
    sql = f"SELECT {', '.join([*shown, *measures])} FROM {source}{where}"
    if not keys:
        return sql
    by_group = query.order in {group.column for group in query.groups}
    first = 1 if by_group or not measures else len(shown) + 1
    others = [str(at + 1) for at in range(len(shown)) if at + 1 != first]
    order = ", ".join([f"{first} {_way(query)} NULLS LAST", *others])
    return f"{sql} GROUP BY {', '.join(keys)} ORDER BY {order} LIMIT {limit}"


def _way(query: TableQuery) -> str:
    return "DESC" if query.descending else "ASC"


def _source(tables: Sequence[TableInfo], *, is_with_rows: bool) -> str:
    """Return what is selected from: a table, or several under each other."""
    if len(tables) == 1 and not is_with_rows:
        return quoted(tables[0].name)
    parts = [f"SELECT *, {text(each.name)} AS {TABLE} FROM {quoted(each.name)}" for each in tables]
    return f"({' UNION ALL BY NAME '.join(parts)})"


def _facts(tables: Sequence[TableInfo], query: TableQuery, where: str) -> str:
    """Return the query for the rows that fulfil the conditions, and those of them with a value."""
    valued = next((each.column for each in query.measures if each.column), "")
    counted = f"count({_written(_column(tables[0], valued))})" if valued else "count(*)"
    if len(tables) > 1:
        source = _source(tables, is_with_rows=True)
        return (
            f"SELECT {TABLE}, count(*), {counted}, min({ROW}), max({ROW}) FROM {source}{where}"
            f" GROUP BY {TABLE} ORDER BY min({ROW})"
        )
    table, shape = tables[0], tables[0].shape
    rows = f"count(*), {counted}, min({ROW}), max({ROW})"
    if not where:  # what is known of the whole table need not be looked for
        rows = f"{shape.rows}, {counted}, {shape.first_row}, {shape.last_row}"
    return f"SELECT {text(table.name)}, {rows} FROM {quoted(table.name)}{where}"


# --- conditions ------------------------------------------------------------------------------


def _where(table: TableInfo, filters: Sequence[Filter]) -> str:
    said = [_condition(_column(table, each.column), each) for each in filters]
    return f" WHERE {' AND '.join(said)}" if said else ""


def _condition(column: Column, wanted: Filter) -> str:
    name = _written(column)
    if wanted.operator in {"blank", "filled"}:
        return f"{name} IS {'NOT ' if wanted.operator == 'filled' else ''}NULL"
    if wanted.operator == "contains":
        parts = [f"contains(lower({name}), {text(each.casefold())})" for each in wanted.values]
        return f"({' OR '.join(parts)})"
    if wanted.operator in {"begins", "begins not"}:
        parts = [f"starts_with(lower({name}), {text(each.casefold())})" for each in wanted.values]
        said = f"({' OR '.join(parts)})"
        return said if wanted.operator == "begins" else f"({name} IS NULL OR NOT {said})"
    if wanted.operator in {"is", "is not"}:
        left = f"lower({name})" if column.type == "text" else name
        values = ", ".join(_literal(column, each) for each in wanted.values)
        if wanted.operator == "is":
            return f"{left} IN ({values})"
        return f"({name} IS NULL OR {left} NOT IN ({values}))"
    mark = _COMPARED[wanted.operator]
    return f"{name} {mark} {_literal(column, wanted.values[0])}"


def _literal(column: Column, value: str) -> str:
    match column.type:
        case "text":
            return text(value.casefold())
        case "boolean":
            return "TRUE" if value == "yes" else "FALSE"
        case "date":
            return f"TIMESTAMP {text(value)}" if column.has_time else f"DATE {text(value[:10])}"
    return str(float(value)) if "e" in value.casefold() else _number(value)


def _number(value: str) -> str:
    plain = value.removeprefix("-")
    if not plain.replace(".", "", 1).isdigit():
        raise QueryRefused(f"“{value}” is no number.")
    return value


def _column(table: TableInfo, name: str) -> Column:
    found = table.column(name)
    if found is None:
        raise QueryRefused(UNKNOWN.format(name=name))
    return found


# --- columns that are calculated ---------------------------------------------------------------

_DIVIDED: Final = 4
"""Decimals of what is divided."""
_SIGNS: Final = {"product": " * ", "difference": " - ", "sum": " + "}


def _written(column: Column) -> str:
    """Return a column as SQL has it: its name, or what it is calculated by."""
    if column.formula is None:
        return quoted(column.name)
    said = _SIGNS[column.formula.kind].join(map(quoted, column.formula.columns))
    if not column.formula.less:
        return f"({said})"
    # What is divided is no decimal: three of them multiplied would have more digits than there may be.
    lessened = f"{said} * ((100 - {quoted(column.formula.less)}) / 100)"
    return f"CAST({lessened} AS DECIMAL(28, {_DIVIDED}))"


def _needed(table: TableInfo, column: Column) -> list[str]:
    """Return the names of the columns that one is read from.

    Raises:
        QueryRefused: it is calculated of a column that the table does not have.
    """
    if column.formula is None:
        return [column.name]
    names = [*column.formula.columns, *([column.formula.less] if column.formula.less else [])]
    return [_column(table, name).name for name in names]


def _selected(table: TableInfo, name: str) -> str:
    column = _column(table, name)
    shown = quoted(name)
    return shown if column.formula is None else f"{_written(column)} AS {shown}"


# --- what is shown ---------------------------------------------------------------------------


def _key(table: TableInfo, group: Group) -> str:
    """Return what rows are put together by; texts without their case."""
    column = _column(table, group.column)
    name = quoted(column.name)
    if column.type == "date" and group.grain:
        return _GRAINS[group.grain].format(name)
    return f"lower({name})" if column.type == "text" else name


def _shown(table: TableInfo, group: Group, key: str) -> str:
    """Return what a group is called: of several ways to write it the most frequent."""
    column = _column(table, group.column)
    name = quoted(column.name)
    return f"mode({name}) AS {name}" if column.type == "text" else f"{key} AS {name}"


def _measure(table: TableInfo, measure: Measure) -> str:
    only = f" FILTER ({_where(table, measure.filters).strip()})" if measure.filters else ""
    return f"{_aggregate(table, measure)}{only}"


def _aggregate(table: TableInfo, measure: Measure) -> str:
    if not measure.column:
        return "count(*)"
    column = _column(table, measure.column)
    name = _written(column)
    if measure.aggregate == "count":
        return f"count({name})"
    if measure.aggregate == "distinct":
        return f"count(DISTINCT {f'lower({name})' if column.type == 'text' else name})"
    return _AGGREGATES[measure.aggregate].format(name)


def _columns(table: TableInfo, query: TableQuery) -> list[ResultColumn]:
    made = [_grouped(_column(table, group.column), group) for group in query.groups]
    return [*made, *(_measured(table, each) for each in query.measures)]


def _grouped(column: Column, group: Group) -> ResultColumn:
    if column.type == "date" and group.grain:
        return ResultColumn(name=f"{column.name} ({group.grain})", type="text")
    return _plain(column)


def _plain(column: Column) -> ResultColumn:
    return ResultColumn(
        name=column.name,
        type=column.type,
        unit=column.unit,
        currency=column.currency,
        scale=column.scale,
    )


def measured(
    table: TableInfo, aggregate: str | None, columns: Sequence[str], plain: ResultColumn
) -> ResultColumn:
    """Return a column of a result that somebody else wrote a query for, with the unit of what it is of."""
    if aggregate == "count":
        return plain.model_copy(update={"aggregate": "count", "type": "number"})
    found = table.column(columns[0]) if len(columns) == 1 else None
    if found is None or aggregate is None:
        return plain
    told = {"unit": found.unit, "currency": found.currency, "scale": found.scale}
    return plain.model_copy(update={**told, "aggregate": aggregate})


def _measured(table: TableInfo, measure: Measure) -> ResultColumn:
    if not measure.column or measure.aggregate in {"count", "distinct"}:
        name = (
            f"different values of {measure.column}" if measure.aggregate == "distinct" else "rows"
        )
        name = measure.label or name
        return ResultColumn(name=name, type="number", aggregate=measure.aggregate)
    column = _column(table, measure.column)
    kind: ColumnType = "number" if column.type == "number" else column.type
    plain = _plain(column)
    return plain.model_copy(
        update={
            "name": measure.label or f"{AGGREGATES[measure.aggregate]} {column.name}",
            "type": kind,
            "aggregate": measure.aggregate,
        }
    )
