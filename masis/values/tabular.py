"""Define a whole table: its typed columns, a query over all of its rows, and what came of one."""

from collections.abc import Sequence
from typing import Final, Literal

from masis.values.base import Value

ColumnType = Literal["text", "number", "date", "boolean"]
Grain = Literal["", "day", "month", "quarter", "year"]

SYMBOLS: Final = {"GBP": "£", "USD": "$", "EUR": "€", "JPY": "¥"}
_PAIR: Final = 2
MIXED: Final = "mixed"
"""Stands for the currency of a column whose cells are in several: it is added up by none."""


class Formula(Value):
    """Say of what columns a further one is calculated, row by row.

    `columns` are multiplied, added up, or taken from the first; `less` is one of percentages that a product
    is lessened by.
    """

    kind: Literal["product", "difference", "sum"]
    columns: list[str]
    less: str = ""


class Column(Value):
    """A column and what its cells are.

    `unit`, `currency` and `scale` (1000 for "k") are said of all cells. `values` are the different
    texts of a column that has few, the most frequent first, `distinct` how many there are, -1 where
    nobody counted. `blanks` are cells without a value, `unread` those whose text is none of the type:
    no query looks at them. `places` are decimals; `has_time` says that dates have a time of day.
    `is_name` marks a column whose cells name a row each: a number of it is added up by nobody.
    `formula` is that of a column which no file has, and which is calculated of others.
    """

    name: str
    type: ColumnType
    unit: str = ""
    currency: str = ""
    scale: int = 1
    places: int = 0
    has_time: bool = False
    grain: Grain = ""
    is_name: bool = False
    blanks: int = 0
    unread: int = 0
    distinct: int = -1
    values: list[str] = []
    least: str = ""
    most: str = ""
    formula: Formula | None = None


class TableShape(Value):
    """A table as it was read: rows are numbered as its sheet or file shows them, from 1.

    `rows` are data rows alone: `totals` are the numbers of rows of totals and subtotals, which are
    left out, `others` how many further rows are (notes, repeated headers). `notes` say what a reader
    had to assume.
    """

    sheet: str = ""
    title: str = ""
    first_row: int
    last_row: int
    rows: int
    columns: list[Column]
    totals: list[int] = []
    others: int = 0
    notes: list[str] = []


class PackedTable(Value):
    """A table with the cells of each column, compressed; `numbers` are those of the rows."""

    shape: TableShape
    numbers: bytes
    cells: list[bytes]


class TableInfo(Value):
    """A table of a visible document, without its cells. `source` is the document's name."""

    table_id: str
    document_id: str
    version_id: str
    source: str
    position: int = 0
    shape: TableShape

    @property
    def name(self) -> str:
        """Return what the table is called in a query: its document, with the sheet where it has one."""
        return f"{self.source} / {self.shape.sheet}" if self.shape.sheet else self.source

    def column(self, name: str) -> Column | None:
        """Return the column of that name."""
        return next((each for each in self.shape.columns if each.name == name), None)

    def having(self, columns: Sequence[Column]) -> "TableInfo":
        """Return it with further columns, which are calculated of its own."""
        if not columns:
            return self
        own = [each for each in self.shape.columns if each.formula is None]
        shape = self.shape.model_copy(update={"columns": [*own, *columns]})
        return self.model_copy(update={"shape": shape})


# --- queries ---------------------------------------------------------------------------------

Operator = Literal[
    "is", "is not", "contains", "above", "at least", "below", "at most", "from", "before", "blank", "filled",
    "begins", "begins not",
]  # fmt: skip
Aggregate = Literal["count", "sum", "mean", "median", "minimum", "maximum", "distinct"]
Derived = Literal["", "share", "growth", "difference", "ratio", "mean"]
"""What is calculated of a result: of its two measures, of each group's, or of all groups'."""


class Filter(Value):
    """A condition on a column: any of `values` fulfils it. Texts are compared without case.

    "from" and "before" are of dates, in ISO form.
    """

    column: str
    operator: Operator
    values: list[str] = []


class Measure(Value):
    """Name what is calculated: of a column, or the number of rows where it names none.

    `filters` are conditions of its own, beside those of the query; `label` says what it is called then.
    """

    aggregate: Aggregate
    column: str = ""
    filters: list[Filter] = []
    label: str = ""


class Group(Value):
    """By what rows are put together; dates by a stretch of time."""

    column: str
    grain: Grain = ""


class TableQuery(Value):
    """A query over a table, or over several with the same columns, put under each other.

    It gives rows as they are (`columns`), or what is calculated of them (`measures`). `order` is the
    column that rows are ordered by; what is calculated is ordered by the first measure, or by the
    first group where `order` names it. `limit` is how many rows are wanted, 0 for all that may be given;
    those that are level with the last of them are given as well. `derived` is what is calculated of the
    result: the first measure set against the second, the share of each group, the mean of all groups.
    `calculated` are columns that no table has and that are calculated of its own.
    """

    tables: list[str]
    columns: list[str] = []
    measures: list[Measure] = []
    filters: list[Filter] = []
    groups: list[Group] = []
    order: str = ""
    descending: bool = True
    limit: int = 0
    derived: Derived = ""
    calculated: list[Column] = []

    @property
    def named(self) -> list[str]:
        """Return the columns of its conditions, groups and measures."""
        filters = [*self.filters, *(one for each in self.measures for one in each.filters)]
        grouped = [each.column for each in self.groups]
        return [
            *(each.column for each in filters),
            *grouped,
            *(each.column for each in self.measures),
        ]

    @property
    def is_series(self) -> bool:
        """Tell whether it calculates the same of several columns, which stand for stretches of time."""
        alike = len({each.aggregate for each in self.measures}) == 1
        return alike and len(self.measures) > _PAIR and not (self.groups or self.derived)

    @property
    def ranked(self) -> int | None:
        """Return the place of the column that the result is cut by; None where it is not cut."""
        if not self.limit:
            return None
        if self.columns:
            return self.columns.index(self.order) if self.order in self.columns else None
        return len(self.groups) if self.groups and not self.order else None


class ResultColumn(Value):
    """A column of a result; the unit is that of the column it came of, empty for counts."""

    name: str
    type: ColumnType
    unit: str = ""
    currency: str = ""
    scale: int = 1
    aggregate: Aggregate | Literal[""] = ""


class RowSpan(Value):
    """Rows of a sheet or file from the first to the last, as it numbers them; `table` is its name."""

    table: str
    first: int
    last: int


class QueryResult(Value):
    """Hold what came of a query: each cell as plain text (a point for decimals, ISO dates), None for none.

    `looked_at` are the rows of the tables, `matched` those that fulfil the conditions, `valued` those
    of them that have a value where one is calculated with. `places` are the rows that the result is
    of, `groups` how many groups there are. `is_cut` says that there are more rows than are given.
    `sql` is the query as it was run.
    """

    tables: list[str]
    columns: list[ResultColumn]
    rows: list[list[str | None]]
    looked_at: int
    matched: int
    valued: int = 0
    groups: int = 0
    places: list[RowSpan] = []
    is_cut: bool = False
    sql: str


def level(rows: Sequence[Sequence[str | None]], limit: int, at: int | None) -> int:
    """Return how many rows are wanted where those level with the last one wanted are as well."""
    wanted = min(limit, len(rows))
    last = rows[wanted - 1][at] if at is not None and wanted else None
    while last is not None and at is not None and wanted < len(rows) and rows[wanted][at] == last:
        wanted += 1
    return wanted


def spans(table: str, numbers: Sequence[int]) -> list[RowSpan]:
    """Put row numbers of a table that follow each other together."""
    found: list[RowSpan] = []
    for number in sorted(set(numbers)):
        if found and found[-1].last + 1 == number:
            found[-1] = RowSpan(table=table, first=found[-1].first, last=number)
        else:
            found.append(RowSpan(table=table, first=number, last=number))
    return found
