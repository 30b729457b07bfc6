"""Charts and tables of an answer: values that every surface draws."""

from decimal import Decimal
from typing import Final, Literal

from masis.values.base import Exact, Value

MOST_SHOWN: Final = 2
"""Charts of one answer, and tables."""

ChartKind = Literal["bar", "line", "area", "pie"]


class Series(Value):
    """The figures of one thing, one for each category of its chart; None where there is none."""

    name: str
    values: list[Exact | None]


class Chart(Value):
    """Figures of one unit and scale over the same categories. A pie has one series.

    `unit` says what all values are in ("£k", "%"), `sources` are the ids of the chunks that they
    stand in, as the answer's citations have them.
    """

    kind: ChartKind
    title: str
    unit: str = ""
    categories: list[str]
    series: list[Series]
    sources: list[str] = []


class ShownColumn(Value):
    """A column of a shown table. Cells of a numeric one are plain decimals: "-1234.5"."""

    name: str
    numeric: bool = False
    unit: str = ""


class ShownTable(Value):
    """Rows of text, as many cells as columns. Of `total_rows` those that are not here stand in `source`.

    `source` says in words where they are from ("tickets.csv, 12,431 rows"), `sources` are the ids
    of the chunks that they stand in.
    """

    title: str
    columns: list[ShownColumn]
    rows: list[list[str]]
    source: str = ""
    total_rows: int = 0
    sources: list[str] = []
    as_file: bool = False
    """Whether it is wanted as a file, however short it is."""

    def number(self, row: int, column: int) -> Decimal | None:
        """Return the number of a cell; None where it is words, or empty."""
        text = self.rows[row][column]
        if not self.columns[column].numeric or not text:
            return None
        try:
            value = Decimal(text)
        except ArithmeticError:
            return None
        return value if value.is_finite() else None
