"""Every sentence that is said of whole tables, and how their cells are written for people."""

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Final

from masis.tables.sql import AGGREGATES, BLANK
from masis.tables.sql import MOST_ROWS as MOST_GIVEN
from masis.text.grammars.calendar import SHORT_MONTHS
from masis.text.grammars.scales import SUFFIXES
from masis.values.tabular import (
    MIXED,
    SYMBOLS,
    Filter,
    Measure,
    QueryResult,
    ResultColumn,
    RowSpan,
    TableInfo,
    TableQuery,
)

ASK: Final = "Ask the tables"
TELL: Final = "Write the result"
REFUSED_BADGE: Final = "nothing was calculated"
NONE_BADGE: Final = "no row fits"
ASSUMED_BADGE: Final = "something had to be assumed"
NO_VALUE_BADGE: Final = "no row that fits has a value"
WRITTEN_BADGE: Final = "a language model wrote the query"
WRITTEN: Final = "A language model wrote the query; it stands with the source."
LEVEL: Final = "{number} are level with the {way} {name}of all: {what}."
LEVEL_LAST: Final = "{number} are level on the last of the {places} places, with {name}{what}."
UNDERSTOOD: Final = "I understood:"
MOST_LINES: Final = 12
"""Rows of a result that are said in words; more stand in the table alone."""
MOST_SPANS: Final = 5
_MONTH: Final = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")
_QUARTER: Final = re.compile(r"(\d{4}) (Q[1-4])")
_PLACES: Final = Decimal("0.01")
_SMALL_PLACES: Final = Decimal("0.0001")
_DECIMALS: Final = 2
_MOST_DECIMALS: Final = 6
"""Of a cell that is shown as it is; of more the last are those of a division."""
_OPERATORS: Final = {
    "is": "is", "is not": "is not", "contains": "contains", "above": "is over", "at least": "is at least", "below": "is under",
    "at most": "is at most", "from": "is on or after", "before": "is before", "blank": "is blank", "filled": "is not blank",
    "begins": "begins with", "begins not": "does not begin with",
}  # fmt: skip


def number(text: str, column: ResultColumn) -> str:
    """Write a number with its unit; what was divided has two decimals."""
    try:
        value = Decimal(rounded(text, column))
    except InvalidOperation:
        return text
    shown = f"{value:,f}"
    symbol = SYMBOLS.get(column.currency, "")
    sign = "-" if shown.startswith("-") else ""
    scale = SUFFIXES.get(column.scale, "")
    before = symbol or (
        f"{column.currency} " if column.currency and column.currency != MIXED else ""
    )
    after = "%" if column.unit == "%" else f" {column.unit}" if column.unit else ""
    return f"{sign}{before}{shown.removeprefix('-')}{scale}{after}"


def rounded(text: str, column: ResultColumn) -> str:
    """Return a number as it is shown: what was divided with two decimals."""
    value = Decimal(text)
    if column.aggregate in {"mean", "median"} and value != value.to_integral_value():
        value = value.quantize(_PLACES)
    elif -int(value.as_tuple().exponent) > _MOST_DECIMALS:  # what somebody else divided
        value = value.quantize(_PLACES if abs(value) >= 1 else _SMALL_PLACES)
    elif -int(value.as_tuple().exponent) > _DECIMALS and value == value.quantize(_PLACES):
        value = value.quantize(_PLACES)  # the last of them are noughts
    if column.aggregate in {"mean", "median"} and value == value.to_integral_value():
        value = value.quantize(Decimal(1))  # the half of two whole numbers may be one
    return f"{value:f}"


def cell(text: str | None, column: ResultColumn) -> str:
    """Write a cell."""
    if text is None:
        return BLANK
    if column.type == "number" and not _is_year(text, column):
        return number(text, column)
    return _stretch(text) if column.name.endswith(("(month)", "(quarter)")) else text


def _stretch(text: str) -> str:
    """Write a month or a quarter as people do: "Jan 2025", "Q1 2025"."""
    if match := _MONTH.fullmatch(text):
        return f"{SHORT_MONTHS[int(match[2]) - 1].capitalize()} {match[1]}"
    match = _QUARTER.fullmatch(text)
    return f"{match[2]} {match[1]}" if match else text


def _is_year(text: str, column: ResultColumn) -> bool:
    return (
        column.aggregate == ""
        and len(text) == 4
        and text.isdigit()
        and "year" in column.name.casefold()
    )


def unit(column: ResultColumn) -> str:
    """Return what the figures of a column are in, short."""
    if column.type != "number" or column.currency == MIXED:
        return ""
    money = SYMBOLS.get(column.currency, column.currency)
    return f"{money}{SUFFIXES.get(column.scale, '')}{column.unit}"


def place(spans: Sequence[RowSpan]) -> str:
    """Return where rows are: "rows 2–12,432"."""
    shown = [f"{each.first:,}–{each.last:,}" if each.first != each.last else f"{each.first:,}" for each in spans]  # fmt: skip
    word = "row" if len(spans) == 1 and spans[0].first == spans[0].last else "rows"
    more = f" and {len(shown) - MOST_SPANS:,} more" if len(shown) > MOST_SPANS else ""
    return f"{word} {', '.join(shown[:MOST_SPANS])}{more}"


def conditions(query: TableQuery) -> str:
    """Say the conditions of a query in words."""
    said = [_condition(each) for each in query.filters]
    return " and ".join(said)


def _condition(wanted: Filter) -> str:
    if not wanted.values:
        return f"{wanted.column} {_OPERATORS[wanted.operator]}"
    values = wanted.values[:MOST_SPANS]
    is_text = wanted.operator in {"is", "is not", "contains", "begins", "begins not"}
    quoted = is_text and not all(map(_is_number, values))
    said = " or ".join(f"“{value}”" if quoted else value for value in values)
    more = (
        f" or {len(wanted.values) - len(values)} more" if len(wanted.values) > len(values) else ""
    )
    return f"{wanted.column} {_OPERATORS[wanted.operator]} {said}{more}"


def understood(query: TableQuery) -> str:
    """Say what a query asks for, so that a wrong reading is seen."""
    where = f", where {conditions(query)}" if query.filters else ""
    groups = " and ".join(f"{each.grain} of {each.column}" if each.grain else each.column for each in query.groups)  # fmt: skip
    by = f", for each {groups}" if groups else ""
    way = f", the {'highest' if query.descending else 'lowest'} first" if query.limit else ""
    if query.columns:
        order = f" by {query.order}{way}" if query.order else ""
        return f"{UNDERSTOOD} the rows{order}{where}."
    measures = dict.fromkeys(map(_asked_for, query.measures))
    labels = [f"“{each.label}”" for each in query.measures if each.label]
    by += f", set against each other for {' and '.join(labels)}" if len(labels) > 1 else ""
    return f"{UNDERSTOOD} {' and '.join(measures)}{by}{way}{where}."


def _asked_for(measure: Measure) -> str:
    if not measure.column or measure.aggregate == "count":
        return "the number of rows"
    if measure.aggregate == "distinct":
        return f"how many different values of {measure.column}"
    return f"the {AGGREGATES[measure.aggregate]} {measure.column}"


def _is_number(value: str) -> bool:
    return value.removeprefix("-").replace(".", "", 1).isdigit()


# --- results ---------------------------------------------------------------------------------


def lines(query: TableQuery, result: QueryResult) -> list[str]:
    """Say a result in lines, each of which can be cited."""
    if not result.rows or (not result.matched and not _counts(query)):
        return [nothing(query, result)]
    if query.columns:
        found = [_row(row, result.columns) for row in result.rows[:MOST_LINES]]
        return [*_level(query, result), *found]
    if query.groups:
        keys = len(query.groups)
        found = [_group(row, result.columns, keys, says_rows=bool(query.limit)) for row in result.rows[:MOST_LINES]]  # fmt: skip
        return [*_level(query, result), *found]
    if query.derived or query.is_series:
        return [_input(value, column) for value, column in zip(result.rows[0], result.columns, strict=True)]  # fmt: skip
    return [_single(query, result)]


def _level(query: TableQuery, result: QueryResult) -> list[str]:
    """Say that more rows are given than were wanted, since they are level."""
    at = query.ranked
    if at is None or len(result.rows) <= query.limit or not result.rows:
        return []
    column, value = result.columns[at], result.rows[-1][at]
    level = sum(1 for row in result.rows if row[at] == value)
    number_ = f"{'More than ' if len(result.rows) >= MOST_GIVEN else ''}{level:,}"
    shown = cell(value, column)
    what = shown if column.name != "rows" else _rows(int(value or 0))
    name = "" if column.name == "rows" else f"{column.name} "
    if query.limit == 1:
        way = "highest" if query.descending else "lowest"
        return [LEVEL.format(number=number_, name=name, what=what, way=way)]
    return [LEVEL_LAST.format(number=number_, name=name, what=what, places=query.limit)]


def _rows(count: int) -> str:
    return f"{count:,} row{'' if count == 1 else 's'}"


def _input(value: str | None, column: ResultColumn) -> str:
    """Say one of the figures that a calculation is of."""
    return f"- {column.name}: {cell(value, column) if value is not None else 'no value'}"


def _counts(query: TableQuery) -> bool:
    """Tell whether a number of rows is asked for, which is 0 where none fits."""
    return bool(query.measures) and all(
        each.aggregate in {"count", "distinct"} for each in query.measures
    )


def held(query: TableQuery, result: QueryResult, tables: Sequence[TableInfo]) -> list[str]:
    """Say from where to where the columns of the conditions go, where no row fits them."""
    if result.matched:
        return []
    names = dict.fromkeys(each.column for each in query.filters)
    return [said for name in names if (said := _range(name, tables))]


def _range(name: str, tables: Sequence[TableInfo]) -> str:
    """Say the least and the most that a column of dates or numbers has in any of the tables."""
    found = [column for table in tables if (column := table.column(name)) and column.least]
    if not found or found[0].type not in {"date", "number"}:
        return ""
    if found[0].type == "date":
        ends = (min(each.least for each in found)[:10], max(each.most for each in found)[:10])
    else:
        ends = (
            min((each.least for each in found), key=Decimal),
            max((each.most for each in found), key=Decimal),
        )
    return f"“{name}” goes from {ends[0]} to {ends[1]}."


def is_without_value(query: TableQuery, result: QueryResult) -> bool:
    """Tell whether rows fit, and not one of them has a value of what is calculated with."""
    measured = [at for at, each in enumerate(query.measures) if each.column and not _is_count(each)]
    keys = len(query.groups)
    cells = [row[keys + at] for row in result.rows for at in measured]
    return bool(cells) and result.matched > 0 and all(each is None for each in cells)


def _is_count(measure: Measure) -> bool:
    return measure.aggregate in {"count", "distinct"}


def no_value(query: TableQuery, result: QueryResult) -> str:
    """Say that the rows that fit have nothing to calculate with."""
    names = dict.fromkeys(each.column for each in query.measures if not _is_count(each))
    said = " and ".join(f"“{name}”" for name in names)
    where = f" where {conditions(query)}" if query.filters else ""
    if result.matched == 1:
        return f"The one row{where} has no value in {said}: there is nothing to calculate."
    return (
        f"None of the {result.matched:,} rows{where} has a value in {said}: there is nothing to"
        " calculate."
    )


def nothing(query: TableQuery, result: QueryResult) -> str:
    """Say that no row fulfils the conditions."""
    where = conditions(query)
    return f"None of the {result.looked_at:,} rows fits: no row where {where}."


def _row(row: Sequence[str | None], columns: Sequence[ResultColumn]) -> str:
    first, *others = [
        (column, cell(value, column)) for column, value in zip(columns, row, strict=True)
    ]
    said = ", ".join(f"{column.name}: {shown}" for column, shown in others)
    return f"- {first[0].name} {first[1]}: {said}" if said else f"- {first[1]}"


def _group(
    row: Sequence[str | None],
    columns: Sequence[ResultColumn],
    keys: int,
    *,
    says_rows: bool = False,
) -> str:
    name = ", ".join(cell(value, column) for value, column in zip(row[:keys], columns[:keys], strict=True))  # fmt: skip
    shown = [_measured(value, column, says_rows=says_rows) for value, column in zip(row[keys:], columns[keys:], strict=True)]  # fmt: skip
    return f"- {name}: {', '.join(shown)}"


def _measured(value: str | None, column: ResultColumn, *, says_rows: bool = False) -> str:
    shown = cell(value, column) if value is not None else "no value"
    if column.name == "rows" and says_rows and value is not None:
        return _rows(int(value))
    return shown if column.name == "rows" else f"{column.name} {shown}"


def _single(query: TableQuery, result: QueryResult) -> str:
    where = conditions(query)
    shown = []
    for value, column in zip(result.rows[0], result.columns, strict=True):
        if column.aggregate in {"count", "distinct"} and column.type == "number":
            rows = "row" if value == "1" else "rows"
            what = rows if column.name == "rows" else column.name
            shown.append(f"{number(value or '0', column)} {what}")
        else:
            shown.append(f"{_first_up(column.name)}: {cell(value, column) if value is not None else 'no value'}")  # fmt: skip
    said = "; ".join(shown)
    return f"{said}, where {where}." if where else f"{said}."


def _first_up(text: str) -> str:
    return text[:1].upper() + text[1:]


def looked_at(query: TableQuery, result: QueryResult, tables: Sequence[TableInfo]) -> str:
    """Say how many rows of which table were looked at, and how many of them count."""
    names = " and ".join(_named(each) for each in tables)
    said = f"I looked at {result.looked_at:,} rows of {names}"
    if query.filters and result.matched != result.looked_at and result.matched:
        said += f"; {result.matched:,} of them {'fit' if result.matched != 1 else 'fits'}"
        if query.groups or any(each.column for each in query.measures):
            said += f" ({conditions(query)})"
    valued = any(each.column and each.aggregate != "distinct" for each in query.measures)
    if valued and not query.derived and result.valued != result.matched:
        said += f"; {result.matched - result.valued:,} without a value are left out"
    return f"{said}."


def _named(table: TableInfo) -> str:
    shape = table.shape
    sheet = f", sheet {shape.sheet}" if shape.sheet else ""
    return f"{table.source}{sheet} (rows {shape.first_row:,}–{shape.last_row:,})"


def asides(query: TableQuery, result: QueryResult, tables: Sequence[TableInfo]) -> list[str]:
    """Say what was left out, and what a reader of the tables had to assume."""
    said = []
    totals = sum(len(each.shape.totals) for each in tables)
    if totals and not query.columns:
        said.append(f"{'One row of totals is' if totals == 1 else f'{totals:,} rows of totals are'} not counted in.")  # fmt: skip
    used = set(query.named)
    for table in tables:
        for column in table.shape.columns:
            if column.name in used and column.unread:
                count = f"{column.unread:,} cells" if column.unread > 1 else "One cell"
                said.append(f"{count} of “{column.name}” could not be read as a {column.type}.")
        said += [note for note in table.shape.notes if any(f"“{name}”" in note for name in used)]
    if query.columns and not query.order and result.matched > len(result.rows):
        said.append(f"The table has the first {len(result.rows):,} of the {result.matched:,} rows that fit.")  # fmt: skip
    elif result.is_cut and query.ranked is None and not query.limit:
        said.append(f"These are the first {len(result.rows):,}; there are more.")
    elif len(result.rows) > MOST_LINES:
        said.append(f"These are the first {MOST_LINES} of {len(result.rows):,}; all are in the table.")  # fmt: skip
    return list(dict.fromkeys(said))


# --- what a model wrote the query for ------------------------------------------------------------


def written_lines(result: QueryResult, table: TableInfo) -> list[str]:
    """Say the result of a query that a model wrote, and how many rows it is of."""
    told = [*_written_rows(result), _written_of(result, table), WRITTEN]
    if result.is_cut:
        told.append(f"These are the first {len(result.rows):,}; there are more.")
    elif len(result.rows) > MOST_LINES:
        told.append(f"These are the first {MOST_LINES} of {len(result.rows):,}; all are in the table.")  # fmt: skip
    return told


def _written_rows(result: QueryResult) -> list[str]:
    if not result.rows or not result.matched:
        return [f"None of the {result.looked_at:,} rows fits."]
    if len(result.rows) == 1:
        pairs = zip(result.columns, result.rows[0], strict=True)
        return [f"{_first_up('; '.join(_written_cell(column, value) for column, value in pairs))}."]
    return [_row(row, result.columns) for row in result.rows[:MOST_LINES]]


def _written_cell(column: ResultColumn, value: str | None) -> str:
    shown = cell(value, column) if value is not None else "no value"
    return f"{column.name}: {shown}"


def _written_of(result: QueryResult, table: TableInfo) -> str:
    said = f"I looked at {result.looked_at:,} rows of {_named(table)}"
    if 0 < result.matched < result.looked_at:
        said += f"; {result.matched:,} of them {'fit' if result.matched != 1 else 'fits'}"
    return f"{said}."


# --- what cannot be answered -------------------------------------------------------------------


def unread(words: Sequence[str], table: TableInfo) -> str:
    """Say which words could not be read, and what the table has."""
    said = " ".join(words)
    return f"I cannot answer this from {table.name}: there is no column and no value for “{said}”."


def has_columns(table: TableInfo) -> str:
    """Say which columns a table has."""
    names = ", ".join(each.name for each in table.shape.columns[:30])
    return f"The columns of {table.name} are {names}."


def refused(reason: str, table: TableInfo) -> str:
    """Say that a query could not be run."""
    return f"I could not ask {table.name}: {reason}"
