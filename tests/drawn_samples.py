"""Charts and tables that surfaces are tested with: common ones, and those at every limit."""

from decimal import Decimal
from typing import Any

from masis.values.shown import Chart, ChartKind, Series, ShownColumn, ShownTable

QUARTERS = ["Q1 2025", "Q2 2025", "Q3 2025", "Q4 2025"]
SOURCE = "c_aaaaaaaaaaab"
"""The chunk that the sample answer cites as [1]."""
KINDS: tuple[ChartKind, ...] = ("bar", "line", "area", "pie")


def chart(kind: ChartKind = "bar", **changes: Any) -> Chart:
    values: dict[str, Any] = {
        "kind": kind,
        "title": "Revenue by quarter",
        "unit": "£k",
        "categories": QUARTERS,
        "series": [Series(name="Revenue", values=[Decimal(each) for each in ("5682", "5987.5", "6221", "5854")])],
        "sources": [SOURCE],
    }  # fmt: skip
    return Chart(**{**values, **changes})


def at_the_limits(kind: ChartKind, name: str = "x") -> Chart:
    """Return a chart with as many categories and series as may be, and names that are too long."""
    categories = [f"{name * 40} {number}" for number in range(6 if kind == "pie" else 20)]
    names = [f"{name * 30} {number}" for number in range(1 if kind == "pie" else 6)]
    values = [Decimal(at + 1) / 7 for at in range(len(categories))]
    return chart(
        kind,
        title=name * 300,
        unit=f"£{name * 80}",
        categories=categories,
        series=[Series(name=each, values=values) for each in names],
    )


def table(rows: int = 3, columns: int = 2, cell: str = "", **changes: Any) -> ShownTable:
    heads = [ShownColumn(name="Customer")]
    heads += [ShownColumn(name=f"Order {at}", numeric=True, unit="£") for at in range(1, columns)]
    made = [
        [
            cell or f"Customer {row}",
            *(str(Decimal(row * 1000 + at) / 4) for at in range(1, columns)),
        ]
        for row in range(rows)
    ]
    values: dict[str, Any] = {
        "title": "Orders by customer",
        "columns": heads,
        "rows": made,
        "source": "handbook/leave.md, 12,431 rows",
        "total_rows": rows,
        "sources": [SOURCE],
    }
    return ShownTable(**{**values, **changes})
