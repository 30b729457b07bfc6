"""Whole tables of files, as their reader gives them."""

import io
from collections.abc import Sequence

import openpyxl
import pytest

from masis.documents.parsing import document_limits
from masis.documents.parsing.office.sheet_tables import SheetTables
from masis.documents.parsing.recognition.read_document import read_document
from masis.tables.packing import row_numbers, texts, whole
from masis.values.tabular import PackedTable


def csv_tables(text: str) -> list[PackedTable]:
    return read_document("a.csv", text.encode()).tables


def workbook(*rows: Sequence[object], merged: str = "") -> bytes:
    made = openpyxl.Workbook()
    sheet = made.active
    assert sheet is not None
    sheet.title = "Heads"
    for row in rows:
        sheet.append(list(row))
    if merged:
        sheet.merge_cells(merged)
    written = io.BytesIO()
    made.save(written)
    return written.getvalue()


def column(table: PackedTable, name: str) -> list[object]:
    at = [each.name for each in table.shape.columns].index(name)
    if table.shape.columns[at].type == "text":
        return list(texts(table.cells[at]))
    values, blank = whole(table.cells[at])
    return [None if none else int(value) for value, none in zip(values, blank, strict=True)]


def test_csv_with_semicolons() -> None:
    (table,) = csv_tables("Supplier;Price (EUR)\nA;12.345,60\nB;1,5\n")
    assert column(table, "Price (EUR)") == [123456, 15]
    assert table.shape.columns[1].currency == "EUR"
    assert table.shape.sheet == ""


def test_blank_lines_keep_row_numbers() -> None:
    (table,) = csv_tables("Item,Qty\na,1\n\nb,2\n")
    assert row_numbers(table.numbers).tolist() == [2, 4]


def test_merged_cells_and_subtotals() -> None:
    content = workbook(
        ["Headcount 2026"],
        ["Site", "Department", "Team", "Jan 26", "Feb 26"],
        ["Leeds", "Sales", "Bids", 6, 7],
        [None, None, "Export", 15, "-"],
        [None, "Subtotal Sales", None, 21, 7],
        [None, "IT", "Data", 3, 4],
        [None, "Subtotal IT", None, 3, 4],
        ["Truro", "Sales", "Bids", 2, 2],
        ["Truro", None, "Export", 1, 1],
        ["All sites", "Grand total", None, 27, 14],
        merged="A3:A7",
    )
    (table,) = read_document("a.xlsx", content).tables
    assert column(table, "Site") == ["Leeds", "Leeds", "Leeds", "Truro", "Truro"]
    assert column(table, "Department") == ["Sales", "Sales", "IT", "Sales", "Sales"]
    assert column(table, "Feb 26") == [7, 0, 4, 2, 1]
    assert table.shape.totals == [5, 7, 10]
    assert (table.shape.sheet, table.shape.title) == ("Heads", "Headcount 2026")


def test_numbers_of_a_sheet_keep_their_decimals() -> None:
    content = workbook(["Item", "Net (£)"], ["a", 1.239], ["b", "(2.50)"], ["c", 3])
    (table,) = read_document("a.xlsx", content).tables
    assert column(table, "Net (£)") == [1239, -2500, 3000]


def test_blank_labels_stay_blank() -> None:
    """A few rows without a region are of none, and of no region above them."""
    rows = [[f"SO-{at}", "North" if at % 5 else None, at] for at in range(1, 21)]
    (table,) = read_document("a.xlsx", workbook(["Order no.", "Region", "Qty"], *rows)).tables
    assert column(table, "Region").count(None) == 4


def test_two_tables_of_a_sheet_are_two() -> None:
    content = workbook(
        ["Product", "Price"], ["a", 1], ["b", 2], [None], [None], [None],
        ["Plan", "Visits", "Fee"], ["Gold", "two", 5], ["Silver", "one", 3],
    )  # fmt: skip
    found = read_document("a.xlsx", content).tables
    assert [[each.name for each in table.shape.columns] for table in found] == [
        ["Product", "Price"],
        ["Plan", "Visits", "Fee"],
    ]


def test_long_file_is_text_at_its_top(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_limits, "CELLS", 1_000)
    monkeypatch.setattr(document_limits, "SAMPLED_ROWS", 20)
    text = "Item,Qty\n" + "".join(f"item {at},{at}\n" for at in range(2_000))
    parsed = read_document("a.csv", text.encode())
    assert parsed.tables[0].shape.rows == 2_000
    assert len(parsed.blocks) == 19
    assert "questions over all 2,000 are answered by a query" in parsed.notes[0]


@pytest.mark.parametrize("most", [1_000, 20])
def test_tables_of_sheet_are_packed_once(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Packing a long sheet takes longer than reading its rows."""
    monkeypatch.setattr(document_limits, "CELLS", most)
    monkeypatch.setattr(document_limits, "SAMPLED_ROWS", 5)
    packed: list[SheetTables] = []
    made = SheetTables.tables

    def tables(sheet: SheetTables) -> list[PackedTable]:
        packed.append(sheet)
        return made(sheet)

    monkeypatch.setattr(SheetTables, "tables", tables)
    content = workbook(["Item", "Qty"], *[[f"item {at}", at] for at in range(30)])
    (table,) = read_document("a.xlsx", content).tables
    assert (table.shape.rows, len(packed)) == (30, 1)


def test_rows_without_a_header_are_no_table() -> None:
    assert SheetTables([["1", "2"], ["3", "4"]], is_grid=False).tables() == []
