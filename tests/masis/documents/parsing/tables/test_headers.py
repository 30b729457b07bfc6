"""Headers of several rows: which rows belong to them, and what they call the columns."""

import io

import docx
import openpyxl
import pytest

from masis.documents.parsing.recognition.read_document import read_document
from masis.documents.parsing.tables.row_text import readable_rows


def table(text: str) -> list[list[str]]:
    """The cells of rows that are written one a line, parted by bars."""
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


def lines(text: str, header_rows: int | None = None) -> list[str]:
    return [line for _, line in readable_rows(table(text), header_rows)]


STACKED = {
    "a date once over two years": (
        """(In thousands) | December 31, |
                         | 2019 | 2018
           Receivables   | 21,193 | 14,135""",
        ["(In thousands): Receivables | December 31, 2019: 21,193 | December 31, 2018: 14,135"],
    ),
    "a period once over years": (
        """ | Year ended |
             | 2018 | 2019
           Sales | 4 | 5""",
        ["Sales | Year ended 2018: 4 | Year ended 2019: 5"],
    ),
    "a date in the middle of three years is said once": (
        """      |      | Years Ended March 31, |
                  | 2019 | 2018 | 2017
           Costs  | $12,594 | $7,518 | $4,352""",
        ["Years Ended March 31: Costs | 2019: $12,594 | 2018: $7,518 | 2017: $4,352"],
    ),
    "the same word over each column": (
        """ | December 31, | December 31,
             | 2019 | 2018
           Cash | $ (20.0) | 5""",
        ["Cash | December 31, 2019: $ (20.0) | December 31, 2018: 5"],
    ),
    "units below the years": (
        """ | FY19 | FY18 | Change
             | $M | $M | %
           Dividends | 23.9 | 21.8 | 10%""",
        ["Dividends | FY19 $M: 23.9 | FY18 $M: 21.8 | Change %: 10%"],
    ),
    "one unit for all": (
        """ | Fiscal 2019 | Fiscal 2018 | % Change
             |  | (in millions) |
           Sales | $ 849.8 | $ 670.7 | 27 %""",
        ["(in millions): Sales | Fiscal 2019: $ 849.8 | Fiscal 2018: $ 670.7 | % Change: 27 %"],
    ),
    "a unit of one column stays there": (
        """ | Number of shares | Fair value
             | (in thousands) |
           Granted | 9,780 | 12.41""",
        ["Granted | Number of shares (in thousands): 9,780 | Fair value: 12.41"],
    ),
    "years given once, names that repeat": (
        """ | June 2019 | | June 2018 |
             | Cost | Fair | Cost | Fair
           Note | 5 | 6 | 7 | 8""",
        ["Note | June 2019 Cost: 5 | June 2019 Fair: 6 | June 2018 Cost: 7 | June 2018 Fair: 8"],
    ),
    "years at the right of names that repeat": (
        """ | | Fiscal 2019 | | Fiscal 2018
             | High | Low | High | Low
           Q1 | 8.1 | 6 | 4.2 | 3""",
        [
            "Q1 | Fiscal 2019 High: 8.1 | Fiscal 2019 Low: 6 | Fiscal 2018 High: 4.2 | Fiscal 2018 Low: 3"
        ],
    ),
    "two groups of different width": (
        """ | Fiscal | | Change in |
           (In millions) | 2018 | 2017 | Dollars | %
           Sales | 5 | 4 | 1 | 8%""",
        [
            "(In millions): Sales | Fiscal 2018: 5 | Fiscal 2017: 4 | Change in Dollars: 1 | Change in %: 8%"
        ],
    ),
    "three rows": (
        """ |  | Years Ended December 31, |
           Process | 2017 | 2018 | 2019
             | % | % | %
           14 nm | 0.9 | 2.6 | 0.0
           28 nm | 16.2 | 12.6 | 11.3""",
        [
            "Years Ended December 31, Process: 14 nm | 2017 %: 0.9 | 2018 %: 2.6 | 2019 %: 0.0",
            "Years Ended December 31, Process: 28 nm | 2017 %: 16.2 | 2018 %: 12.6 | 2019 %: 11.3",
        ],
    ),
    "a date of the years is none of the change between them": (
        """ | December 31, | | |
             | 2019 | 2018 | Change
           Cash | 5 | 4 | 1""",
        ["Cash | December 31, 2019: 5 | December 31, 2018: 4 | Change: 1"],
    ),
    "a title across the table": (
        """Pension plans | |
           Measure | 2019 | 2018
           Discount rate | 3.1% | n/a""",
        ["Pension plans", "Measure: Discount rate | 2019: 3.1% | 2018: n/a"],
    ),
    "words that go on": (
        """Plan | Price | Visits
             | per skid | a year
           Bronze | 1,450 | 1""",
        ["Plan: Bronze | Price per skid: 1,450 | Visits a year: 1"],
    ),
    "groups over names of their own": (
        """Order | | Customer | | Amounts |
           No | Date | Name | Region | Units | Net (£)
           S-1 | 2024-03-01 | Alder Ltd | North | 3 | 10.50""",
        [
            "Order No: S-1 | Date: 2024-03-01 | Customer Name: Alder Ltd | Region: North | Amounts Units: 3 | Net (£): 10.50"
        ],
    ),
}


@pytest.mark.parametrize("shape", STACKED)
def test_stacked_name_rows_are_header(shape: str) -> None:
    """Rows of names above figures are one header."""
    text, read = STACKED[shape]
    assert lines(text) == read


AS_BEFORE = {
    "one row of names": (
        """Part | 2024 | 2025
           Pumps | 1,720 | 1,850""",
        ["Part: Pumps | 2024: 1,720 | 2025: 1,850"],
    ),
    "a row of words under a whole header": (
        """Item | Monday | Tuesday
           Colour | Blue | Red
           Count | 1 | 2""",
        ["Item: Colour | Monday: Blue | Tuesday: Red", "Item: Count | Monday: 1 | Tuesday: 2"],
    ),
    "a row of words under a header without a name of the first column": (
        """ | Monday | Tuesday
           Colour | Blue | Red
           Count | 1 | 2""",
        ["Colour | Monday: Blue | Tuesday: Red", "Count | Monday: 1 | Tuesday: 2"],
    ),
    "years as the first row of data": (
        """Name | Begun | Ended
           Ann | 2018 | 2019
           Bob | 2001 | 2020""",
        ["Name: Ann | Begun: 2018 | Ended: 2019", "Name: Bob | Begun: 2001 | Ended: 2020"],
    ),
    "currencies as the first row of data": (
        """Site | 2018 | 2019
           Currency | GBP | EUR
           Sales | 5 | 6""",
        ["Site: Currency | 2018: GBP | 2019: EUR", "Site: Sales | 2018: 5 | 2019: 6"],
    ),
    "a merged first cell beside words": (
        """Region | Kind | Amount
             | Retail | high
           North | Retail | 5""",
        ["Kind: Retail | Amount: high", "Region: North | Kind: Retail | Amount: 5"],
    ),
    "prices in words": (
        """Plan | Basic | Pro
             | Free | On request
           Users | 5 | 50""",
        ["Basic: Free | Pro: On request", "Plan: Users | Basic: 5 | Pro: 50"],
    ),
    "a form whose columns have no figures": (
        """Description | Type | Start
             | Target |
           Reduce emissions | Actual | later""",
        ["Type: Target", "Description: Reduce emissions | Type: Actual | Start: later"],
    ),
    "a row of words beside a column without a name": (
        """Item | | Stock
           Screws | loose | 5
           Nails | boxed | 6""",
        ["Item: Screws | loose | Stock: 5", "Item: Nails | boxed | Stock: 6"],
    ),
    "a section below the header": (
        """ | 2019 | 2018
           Net income | |
           Sales | 5 | 4""",
        ["Net income", "Sales | 2019: 5 | 2018: 4"],
    ),
    "a total without a name": (
        """ | 2019 | 2018
             | 9 | 8
           Sales | 5 | 4""",
        ["2019: 9 | 2018: 8", "Sales | 2019: 5 | 2018: 4"],
    ),
    "what is spanned cannot be told": (
        """ | | Average | | Total
             | Price | Shares | Weight | Value
           Granted | 5 | 6 | 7 | 8""",
        [
            "Price | Average: Shares | Weight | Total: Value",
            "Granted | 5 | Average: 6 | 7 | Total: 8",
        ],
    ),
    "a form of labels": (
        """Owner | Jane Doe | Finance
           Date | May 2026 | Leeds
           Version | 4 | 2""",
        [
            "Owner: Date | Jane Doe: May 2026 | Finance: Leeds",
            "Owner: Version | Jane Doe: 4 | Finance: 2",
        ],
    ),
    "figures alone": ("1 | 2 | 3\n4 | 5 | 6", ["1 | 2 | 3", "4 | 5 | 6"]),
    "two columns": ("Item | 2019\n | $M\nSales | 5", ["2019: $M", "Item: Sales | 2019: 5"]),
}


@pytest.mark.parametrize("shape", AS_BEFORE)
def test_possible_data_row_is_no_header(shape: str) -> None:
    """A row that may be data is none of the header."""
    text, read = AS_BEFORE[shape]
    assert lines(text) == read


def test_partly_marked_header_is_extended() -> None:
    """A header that is marked in part goes on where its rows say so."""
    text = "| | Year ended | |\n|---|---|---|\n| | 2018 | 2019 |\n| Sales | 4 | 5 |\n"
    blocks = read_document("sales.md", text.encode()).blocks
    assert [block.text for block in blocks] == ["Sales | Year ended 2018: 4 | Year ended 2019: 5"]


def test_marked_header_rows_spread_spanning_names() -> None:
    """Two rows that are marked as header spread what spans columns."""
    text = """Region | 2018 | | Note
              | High | Low |
              North | cold | warm | none"""
    assert lines(text, header_rows=2) == [
        "Region: North | 2018 High: cold | 2018 Low: warm | Note: none"
    ]


def test_merged_word_cells_name_columns() -> None:
    """Merged cells of a word table name the columns below them."""
    document, file = docx.Document(), io.BytesIO()
    cells = document.add_table(rows=3, cols=3)
    for column, text in enumerate(("", "2018", "2019")):
        cells.cell(1, column).text = text
    for column, text in enumerate(("Sales", "4", "5")):
        cells.cell(2, column).text = text
    cells.cell(0, 1).merge(cells.cell(0, 2)).text = "Year ended"
    document.save(file)
    blocks = read_document("sales.docx", file.getvalue()).blocks
    assert [block.text for block in blocks] == ["Sales | Year ended 2018: 4 | Year ended 2019: 5"]


def test_merged_sheet_cells_name_columns() -> None:
    """Merged cells of a sheet name the columns below them and its title stays one."""
    book, file = openpyxl.Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Plan"
    sheet.append(["", "Sales of 2019"])
    sheet.append(["", "in CHF", "Year ended", ""])
    sheet.append(["", "", 2018, 2019])
    sheet.append(["", "Pumps", 4, 5])
    sheet.merge_cells("C2:D2")
    book.save(file)
    blocks = read_document("plan.xlsx", file.getvalue()).blocks
    assert [(block.kind, block.text) for block in blocks] == [
        ("heading", "Plan"),
        ("heading", "Sales of 2019"),
        ("table_row", "in CHF: Pumps | Year ended 2018: 4 | Year ended 2019: 5"),
    ]
    assert blocks[-1].place.cells == "B4:D4"


def test_header_row_count_is_bounded() -> None:
    # Each of its names would be looked up in all the others: this took minutes.
    """A header is not believed to have thousands of rows."""
    rows = [[f"{row}", ""] * 8 for row in range(10_000)]
    found = list(readable_rows([*rows, ["x", "1"] * 8], header_rows=10_000))
    assert [index for index, _ in found] == [10_000]
    assert found[0][1].endswith("9999: x | 1")
