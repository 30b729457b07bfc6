"""Writes eight small files of made-up companies whose figures are in thousands or millions, said in as many places."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import docx
from openpyxl import Workbook

_PAGE = "<!doctype html><html><head><title>{title}</title></head><body><main><h1>{title}</h1>{body}</main></body></html>"


def scaled_files(folder: Path) -> None:
    """Write the files, each with the scale of its figures somewhere else."""
    folder.mkdir(parents=True, exist_ok=True)
    _page(folder / "marlow-accounts-2023.html", "Marlow Instruments: accounts 2023", _MARLOW)
    _page(folder / "ostrava-segments.html", "Ostrava Paints: segments", _OSTRAVA)
    _page(folder / "fenland-review.html", "Fenland Water: yearly review", _FENLAND)
    _budget(folder / "tarn-budget-2026.xlsx")
    _orders(folder / "pell-orders.xlsx")
    _stations(folder / "kestrel-stations.csv")
    _deals(folder / "brae-pipeline.csv")
    _plant(folder / "ludlow-plants.docx")


def _page(path: Path, title: str, body: str) -> None:
    path.write_text(_PAGE.format(title=title, body=body), encoding="utf-8")


def _table(rows: Sequence[Sequence[str]], caption: str = "") -> str:
    lines = ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
    said = f"<caption>{caption}</caption>" if caption else ""
    return f"<table>{said}{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


_MARLOW = "<h2>Statement of operations</h2><p>For the years ended 31 December.</p>" + _table(
    [
        ["(In thousands)", "2023", "2022", "2021"],
        ["Instrument sales", "$ 61,480", "$ 52,300", "$ 47,910"],
        ["Service contracts", "18,250", "16,040", "14,400"],
        ["Total net sales", "79,730", "68,340", "62,310"],
        ["Cost of sales", "44,610", "39,870", "37,200"],
        ["Research expense", "9,840", "8,120", "7,050"],
        ["Operating loss of the optics unit", "(1,150)", "(2,900)", "(4,050)"],
    ]
)
_OSTRAVA = "<p>The group reports three segments.</p>" + _table(
    [
        ["Segment", "2025", "2024"],
        ["Decorative", "412.6", "388.1"],
        ["Marine", "175.3", "181.9"],
        ["Automotive", "96.4", "80.2"],
    ],
    "Revenue by segment (€ in millions)",
)
_FENLAND = (
    "<p>Some tables of this review are in thousands of pounds, others in pounds.</p><h2>Maintenance</h2>"
    + _table([["Item", "2025", "2024"], ["Pump repairs", "8,420", "7,315"], ["Dredging", "5,160", "5,905"]])
)  # fmt: skip


def _budget(path: Path) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Budget"
    costs = (("Salaries", 4120, 3980), ("Rent", 640, 610), ("Training", 185, 150), ("Travel", 96, 121), ("Software", 410, 372), ("Marketing", 530, 560))  # fmt: skip
    for row in (
        ["Tarn Logistics budget 2026"],
        ["All figures in thousands of euros"],
        ["Cost line", "Budget 2026", "Actual 2025"],
        *costs,
    ):
        sheet.append(list(row))
    book.save(path)


def _orders(path: Path) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Orders"
    sheet.append(["Order", "Customer", "Country", "Month", "Value (£k)"])
    customers = (("Abel", "France"), ("Corin", "Spain"), ("Dyer", "France"), ("Esk", "Norway"), ("Foss", "Spain"))  # fmt: skip
    for at in range(60):
        name, country = customers[at % 5]
        sheet.append(
            [f"PO-{at + 1:03}", name, country, f"2026-{at % 6 + 1:02}", 12 + (at * 7) % 31]
        )
    book.save(path)


def _written(path: Path, lines: Iterable[Sequence[Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows(lines)


def _stations(path: Path) -> None:
    names = ("Alder", "Birch", "Cedar", "Damson", "Elm", "Fir")
    rows = [
        [name, quarter, 210 + 13 * at + 9 * number, 150 + 11 * at + 4 * number]
        for at, name in enumerate(names)
        for number, quarter in enumerate(("Q1 2026", "Q2 2026"))
    ]
    _written(path, [["Unit: £k"], ["Station", "Quarter", "Takings", "Running cost"], *rows])


def _deals(path: Path) -> None:
    regions = ("North", "South", "East")
    rows = [
        [f"D{at + 1:02}", regions[at % 3], "Open" if at % 4 else "Won", 40 + (at * 17) % 90]
        for at in range(36)
    ]
    _written(path, [["Deal", "Region", "Stage", "Worth (USD thousands)"], *rows])


def _plant(path: Path) -> None:
    text = docx.Document()
    text.add_heading("Ludlow Ceramics: plants", level=1)
    text.add_paragraph("Amounts are in US$ millions, except the number of employees.")
    rows = (
        ("Plant", "Output 2025", "Output 2024", "Energy 2025", "Employees 2025"),
        ("Coalport", "38.2", "35.0", "6.1", "410"),
        ("Ironbridge", "21.7", "24.3", "4.4", "265"),
        ("Madeley", "12.9", "11.2", "2.0", "148"),
    )
    table = text.add_table(rows=0, cols=len(rows[0]))
    for row in rows:
        for cell, said in zip(table.add_row().cells, row, strict=True):
            cell.text = said
    text.save(str(path))
