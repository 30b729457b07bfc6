"""Rows above a ruled table of a PDF page: its header, and rows without rules."""

import re
from pathlib import Path

import pytest

from masis.documents.parsing.pdf.ruled_tables import Grid, page_items
from masis.documents.parsing.pdf.table_columns import Table
from masis.documents.parsing.placed_words import Line, Word
from masis.documents.parsing.recognition.read_document import read_document
from masis.documents.parsing.tables.row_text import readable_rows

REPORTS = Path(__file__).parents[5].parent / "shared" / "data" / "sec-10q" / "docs"
WIDTH = 5.0
"""Points of a letter."""
# The names of the rows, then three times a sign, a figure and a gap.
COLUMNS = [20.0, 200, 206, 280, 290, 296, 370, 380, 386, 460]
ROWS = [500.0, 512, 524]
FIGURES = {"$": (200, 290, 380), "figure": (275, 365, 455)}


def words(text: str, left: float, bottom: float) -> list[Word]:
    found = []
    for word in text.split():
        found.append(Word(word, left, left + WIDTH * len(word), bottom, bottom + 9))
        left = found[-1].right + WIDTH
    return found


def centred(text: str, middle: float, bottom: float) -> Line:
    """A line in the middle of `middle`."""
    return Line(1, 9, bold=False, words=words(text, middle - WIDTH * len(text) / 2, bottom))


def row(name: str, bottom: float, *figures: str, signed: bool = False) -> Line:
    """A row of the table, its figures to the right of their columns."""
    found = words(name, 22, bottom)
    for at, figure in enumerate(figures):
        if signed:
            found += words("$", FIGURES["$"][at], bottom)
        found += words(figure, FIGURES["figure"][at] - WIDTH * len(figure), bottom)
    return Line(1, 9, bold=False, words=found)


def read(*above: Line) -> list[str]:
    """A page of these lines and two ruled rows: its text, and its table as rows."""
    ruled = [row("Cost", 513, "4", "5", "6", signed=True), row("Profit", 501, "7", "8", "9")]
    found: list[str] = []
    for item in page_items([*above, *ruled], [Grid(COLUMNS, ROWS)]):
        if isinstance(item, Table):
            found += [text for _, text in readable_rows(item.rows)]
        else:
            found.append(item.text)
    return found


def years(bottom: float = 526) -> list[Line]:
    middles = {"2021": 240.0, "2022": 330.0, "2023": 420.0}
    return [centred(year, middle, bottom) for year, middle in middles.items()]


def test_centred_names_are_table_header() -> None:
    """Names in the middle of their columns are the header of the table."""
    assert read(*years()) == [
        "Cost | 2021: $4 | 2022: $5 | 2023: $6",
        "Profit | 2021: 7 | 2022: 8 | 2023: 9",
    ]


def test_unruled_row_belongs_to_table() -> None:
    """A row without rules is a row of the table."""
    assert read(*years(538), row("Sales", 526, "1", "2", "3", signed=True))[0] == (
        "Sales | 2021: $1 | 2022: $2 | 2023: $3"
    )


def test_spanning_name_covers_its_columns() -> None:
    """What stands in the middle of several columns names these."""
    periods = [centred("May 2021", 240, 538), centred("June 2022", 375, 538)]
    names = [centred("Cost", 240, 526), centred("Gain", 330, 526), centred("Loss", 420, 526)]
    assert read(*periods, *names)[-1] == (
        "Profit | May 2021 Cost: 7 | June 2022 Gain: 8 | June 2022 Loss: 9"
    )


def test_wrapped_name_continues_below() -> None:
    """A name goes on in the lines below it."""
    names = [centred("June 25,", 240, 535), centred("2021", 240, 526)]
    names += [centred("June 26,", 330, 535), centred("2022", 330, 526), centred("Change", 420, 526)]
    assert read(*names)[-1] == "Profit | June 25, 2021: 7 | June 26, 2022: 8 | Change: 9"


def test_name_above_two_covers_both() -> None:
    """A name over two others names both though another goes on beside it."""
    names = [centred("Common Stock Outstanding", 285, 535), centred("Paid-in", 420, 535)]
    names += [
        centred("Shares", 240, 526),
        centred("Amount", 330, 526),
        centred("Capital", 420, 526),
    ]
    assert read(*names)[-1] == (
        "Profit | Common Stock Outstanding Shares: 7 | Common Stock Outstanding Amount: 8 | Paid-in Capital: 9"
    )


def test_unit_over_table_covers_all() -> None:
    """A unit in the middle of all columns is said of all."""
    assert read(*years(538), centred("(In millions)", 330, 526))[-1] == (
        "(In millions): Profit | 2021: 7 | 2022: 8 | 2023: 9"
    )


@pytest.mark.parametrize(
    "line",
    [
        Line(
            1,
            9,
            bold=False,
            words=words("The table below shows what was sold in 2021 and", 22, 526),
        ),
        Line(1, 9, bold=False, words=words("Balance sheet", 22, 526)),
        Line(1, 9, bold=False, words=words("2021", 480, 526)),
        centred("Year ended 2021", 285, 526),
        centred("2021", 240, 560),
    ],
    ids=["a sentence", "a title", "beside the table", "over some columns", "too far away"],
)
def test_other_lines_stay_text(line: Line) -> None:
    assert read(line) == [line.text, "Cost | $4 | $5 | $6", "Profit | 7 | 8 | 9"]


def test_names_centred_over_nothing_stay_text() -> None:
    """Names that are in the middle of no columns stay text."""
    above = [centred("May 2021", 300, 538), centred("June 2022", 400, 538)]
    assert read(*above, *years())[:2] == ["May 2021", "June 2022"]


def test_one_column_table_is_read() -> None:
    """A table of one column and its signs is read."""
    grid = Grid([20.0, 200, 280], [500.0, 512, 524])
    lines = [row("12", 513), row("15", 501)]
    for line in lines:
        line.words += words("%", 210, line.bottom)
    assert [item.rows for item in page_items(lines, [grid]) if isinstance(item, Table)] == [
        [["12", "%"], ["15", "%"]]
    ]


def test_stacked_words_stay_outside_table() -> None:
    # Each would be compared with all the others: this took minutes.
    """Thousands of words over each other are none of the table."""
    above = [
        Line(1, 9, bold=False, words=[Word("x", left, left + 1, 525, 534) for left in cells])
        for cells in (range(22 + at, 40_000, 30) for at in range(60))
    ]
    table = [row("Sales", 513, "12", "15", "18"), row("Costs", 501, "9", "8", "7")]
    found = page_items([*above, *table], [Grid(COLUMNS, ROWS)])
    assert [item for item in found if isinstance(item, Line)] == above
    assert [item.rows for item in found if isinstance(item, Table)] == [
        [["Sales", "12", "15", "18"], ["Costs", "9", "8", "7"]]
    ]


@pytest.mark.shared
@pytest.mark.skipif(not REPORTS.is_dir(), reason="the development data is not beside the checkout")
def test_quarterly_figures_have_their_quarters() -> None:
    """The figures of a quarterly report stand under their quarters."""
    report = REPORTS / "2022_Q3_AAPL.pdf"
    rows = [block.text for block in read_document(report.name, report.read_bytes()).blocks]
    named = re.compile(
        r"iPhone \| Three Months Ended June 25, 2022: \$[\d,]+ \| Three Months Ended June 26, 2021: \$[\d,]+"
        r" \| Nine Months Ended June 25, 2022: \$[\d,]+ \| Nine Months Ended June 26, 2021: \$[\d,]+"
    )
    assert any(map(named.fullmatch, rows))
