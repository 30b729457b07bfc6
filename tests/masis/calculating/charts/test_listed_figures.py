"""Which cells of tables are meant to be set side by side."""

import pytest

from masis.calculating.charts.asked_display import asked_display
from masis.calculating.charts.listed_figures import listed_figures, meant_by
from masis.domain import EvidenceChunk

LINES = """Line: Clay | 2024, £k: 7,810 | 2025, £k: 8,270
Line: Glaze | 2024, £k: 4,762 | 2025, £k: 4,187
Line: Kilns | 2024, £k: 1,000 | 2025, £k: 1,100
Line: Revenue | 2024, £k: 13,572 | 2025, £k: 13,557"""
QUARTERS = """Quarter: Q1 2025 | Clay: 10 | Glaze: 20 | Costs: 5
Quarter: Q2 2025 | Clay: 11 | Glaze: 21 | Costs: 6
Quarter: Q1 2026 | Clay: 12 | Glaze: 22 | Costs: 7"""
ORDERS = """Order: A1 | Customer: Berg | Status: open | Qty: 12
Order: A2 | Customer: Lund | Status: closed | Qty: 5
Order: A3 | Customer: Berg | Status: open | Qty: 7
Order: A4 | Customer: Lund | Status: open | Qty: 1"""
BUDGET = """Item: Kiln | Part: in all | Budget, £: 60
Item: Kiln | Part: bricks | Budget, £: 40
Item: Kiln | Part: door | Budget, £: 20
Item: Shed | Part: in all | Budget, £: 9"""


def chunk(name: str, text: str, title: str) -> EvidenceChunk:
    more = {"document_id": f"d_{name}", "version_id": f"v_{name}", "document": f"{name}.md"}
    return EvidenceChunk(chunk_id=f"c_{name}", title=title, context=title, text=text, score=0.8, **more)  # fmt: skip


EVIDENCE = [
    chunk("lines", LINES, "Annual report 2025"),
    chunk("quarters", QUARTERS, "Quarterly figures"),
    chunk("orders", ORDERS, "Orders"),
    chunk("budget", BUDGET, "Budgets"),
]


def shown(asked: str) -> dict[tuple[str, str], list[str]]:
    meant = meant_by(asked, asked_display(asked))
    assert meant is not None
    assert meant.listing is not None
    found = listed_figures(meant.listing, EVIDENCE)
    if found is None:
        return {}
    return {(each.label, each.series): [f.written for f in each.figures] for each in found.groups}


def test_rows_without_their_total_are_meant() -> None:
    assert shown("revenue by line in 2025 as a chart") == {
        ("Clay", ""): ["8,270"],
        ("Glaze", ""): ["4,187"],
        ("Kilns", ""): ["1,100"],
    }


def test_two_years_are_two_series() -> None:
    found = shown("revenue 2024 and 2025 by line as a chart")
    assert found["Clay", "2024"] == ["7,810"]
    assert found["Clay", "2025"] == ["8,270"]
    assert len(found) == 6


def test_columns_by_quarter_are_meant() -> None:
    found = shown("clay and glaze by quarter in 2025 as a line chart")
    assert list(found) == [
        ("Q1 2025", "Clay"), ("Q1 2025", "Glaze"), ("Q2 2025", "Clay"), ("Q2 2025", "Glaze")
    ]  # fmt: skip


def test_row_over_its_periods_is_meant() -> None:
    assert shown("glaze by year as a bar chart") == {
        ("2024", ""): ["4,762"],
        ("2025", ""): ["4,187"],
    }


def test_rows_of_one_name_are_added_up() -> None:
    assert shown("quantity by customer as a chart") == {("Berg", ""): ["12", "7"], ("Lund", ""): ["5", "1"]}  # fmt: skip


def test_named_cells_bound_the_rows() -> None:
    assert shown("open quantity by customer as a chart") == {("Berg", ""): ["12", "7"], ("Lund", ""): ["1"]}  # fmt: skip


def test_whole_among_its_parts_counts_once() -> None:
    assert shown("budget by item as a chart") == {("Kiln", ""): ["40", "20"], ("Shed", ""): ["9"]}


@pytest.mark.parametrize(
    "asked", ["temperature by month as a chart", "revenue by customer as a chart", "revenue by line in 2019 as a chart"]
)  # fmt: skip
def test_what_is_not_there_is_not_shown(asked: str) -> None:
    assert shown(asked) == {}


def test_total_by_line_wants_no_total() -> None:
    asked = "total revenue by line in 2025 as a chart"
    assert len(shown(asked)) == 3
    plain = meant_by("total revenue in 2025", asked_display("total revenue in 2025"))
    assert plain is None or plain.listing is None
