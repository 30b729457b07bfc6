"""Figures that stand in documents, where they stand, and what was calculated with them."""

from decimal import Decimal
from typing import Literal

from masis.values.base import Exact, Period, Value


class Place(Value):
    """Locate a text in a document. What a format does not have, or is unknown, is None."""

    page: int | None = None
    slide: int | None = None
    sheet: str | None = None
    cells: str | None = None
    headings: list[str] = []

    def label(self) -> str:
        """For people: `p. 4 · Leave › Annual leave`; empty when nothing is known."""
        spots = [
            f"p. {self.page}" if self.page is not None else "",
            f"slide {self.slide}" if self.slide is not None else "",
            f"sheet {self.sheet}" if self.sheet else "",
            self.cells or "",
            " › ".join(self.headings),
        ]
        return " · ".join(spot for spot in spots if spot)


class ScaleNote(Value):
    """Quote what a table says of the scale of its figures; `chunk_id` where another passage says it."""

    said: str
    chunk_id: str = ""


class Figure(Value):
    """A figure as it stands in a document, in a table's cell or in a sentence.

    `value` is as it is written, `scale` what it is to be multiplied by (1000 for "k"). `bound` tells
    the ends of a range, `expected` that it is a forecast. `written` is how it stands there, `said` the
    words that it stands in. One that stands nowhere is what came of a calculation, `worked`: a year of
    its quarters for instance. `stated` is where its table says its scale, `doubt` what the document says
    of a scale that may be its own, or not. `section` is what stands above its row within the table,
    `of_whole` says whether the table gives it as a share of a whole: there are amounts of the same name.
    """

    metric: str
    entity: str = ""
    period: Period | None = None
    value: Exact
    unit: str = ""
    currency: str = ""
    scale: int = 1
    bound: Literal["", "least", "most"] = ""
    expected: bool = False
    chunk_id: str
    place: Place = Place()
    written: str
    said: str
    section: str = ""
    of_whole: bool = False
    worked: "Calculation | None" = None
    stated: ScaleNote | None = None
    doubt: str = ""

    @property
    def amount(self) -> Decimal:
        """Return the value in full."""
        return self.value * self.scale

    @property
    def leaves(self) -> "list[Figure]":
        """Return the figures that it is made of, as they stand in documents: else itself."""
        inputs = self.worked.inputs if self.worked else []
        return [leaf for each in inputs for leaf in each.leaves] if self.worked else [self]


CalculationKind = Literal[
    "difference", "growth", "points", "share", "ratio", "sum", "mean", "median", "minimum", "maximum",
    "rank", "per_unit", "count", "cagr", "product",
]  # fmt: skip


class Calculation(Value):
    """A calculation that was done: of which figures, how, and what came of it.

    `result` is exact but for divisions, which have 28 digits; `shown` is it rounded, for people.
    """

    kind: CalculationKind
    inputs: list[Figure]
    formula: str
    result: Exact
    unit: str = ""
    shown: str
