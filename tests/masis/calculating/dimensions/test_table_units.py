"""Test in what currency and scale the figures of a table are, wherever the document says it."""

from decimal import Decimal

import pytest

from masis.calculating.figure_pool import table_figures
from masis.calculating.figures import tables
from masis.domain import EvidenceChunk, Figure

ROWS = "Sales | 2023: 57,300 | 2022: 44,100\nCosts | 2023: 31,000 | 2022: 29,500"


def chunk(text: str, *, at: int = 0, context: str = "Report", title: str = "Report") -> EvidenceChunk:  # fmt: skip
    return EvidenceChunk(chunk_id=f"c_{at}", document_id="d", version_id="v", document="r.html", title=title, context=context, text=text, position=at, score=1)  # fmt: skip


def first(*chunks: EvidenceChunk) -> Figure:
    """Return the first figure of the last table."""
    return table_figures(tables(chunks)[-1])[0]


@pytest.mark.parametrize(
    ("figure", "amount", "currency"),
    [
        (first(chunk("(In thousands): Sales | 2023: $ 57,300 | 2022: $ 44,100")), 57_300_000, "$"),
        (first(chunk(f"Income statement (£ in millions)\n\n{ROWS}")), 57_300_000_000, "£"),
        (first(chunk(f"Unit: £k\n\n{ROWS}")), 57_300_000, "£"),
        (first(chunk(ROWS, context="Report › All figures in thousands of euros")), 57_300_000, "€"),
        (first(chunk(ROWS, title="Accounts in £m", context="Accounts in £m")), 57_300_000_000, "£"),
        (first(chunk("The result was as follows (in thousands):"), chunk(ROWS, at=1)), 57_300_000, ""),
        (first(chunk("All amounts are in US$ thousands."), chunk("Rooms: 3 | Beds: 4", at=1), chunk(ROWS, at=2)), 57_300_000, "$"),
        (first(chunk("Item: Sales | 2023 $M: 57.3 | 2022 $M: 44.1")), 57_300_000, "$"),
        (first(chunk("USDm: Sales | 2023: 57.3 | 2022: 44.1")), 57_300_000, "$"),
        (first(chunk("(in thousands): Fees | 2023 NT$: 62,040 | 2022 NT$: 52,794")), 62_040_000, "NT$"),
    ],
)  # fmt: skip
def test_scale_is_read_wherever_it_stands(figure: Figure, amount: int, currency: str) -> None:
    assert (figure.amount, figure.currency, figure.doubt) == (Decimal(amount), currency, "")


def test_passage_with_scale_is_named() -> None:
    found = first(chunk("Unit: £k"), chunk(ROWS, at=1))
    assert found.stated is not None
    assert (found.stated.said, found.stated.chunk_id) == ("£k", "c_0")


def test_own_scale_of_a_cell_holds() -> None:
    found = first(chunk("(In thousands): Sales | 2023: $1.2m | 2022: $0.9m"))
    assert found.amount == Decimal(1200000)


@pytest.mark.parametrize("row", ["Sales per share | 2023: 1.24", "Shares issued | 2023: 1,024"])
def test_what_is_excepted_is_in_full(row: str) -> None:
    said = "(in thousands, except share and per share data)"
    assert first(chunk(f"{said}\n\n{row} | 2022: 1.10")).scale == 1


@pytest.mark.parametrize(
    "above",
    ["Some tables of this report are in thousands.", "(In millions): Rent | 2023: 4 | 2022: 3"],
)
def test_scale_that_may_hold_is_doubtful(above: str) -> None:
    """Nothing is multiplied by what may not be meant, and it is known that it may be."""
    found = first(chunk(above), chunk(ROWS, at=1))
    assert found.scale == 1
    assert found.doubt


def test_pounds_in_table_of_thousands_are_doubtful() -> None:
    found = first(chunk("Unit: £k\n\nItem: Shelf | Price of one (£): 45 | Stock (£): 90"))
    assert (found.scale, bool(found.doubt)) == (1, True)


def test_counts_are_no_money() -> None:
    text = "Amounts are in US$ millions.\n\nPlant: Coalport | Output: 38.2 | Employees: 410\nPlant: Madeley | Output: 12.9 | Employees: 148"
    output, employees, *_ = table_figures(tables([chunk(text)])[0])
    assert (output.amount, output.currency) == (Decimal(38_200_000), "$")
    assert (employees.amount, employees.currency, employees.doubt) == (Decimal(410), "", "")


def test_labels_with_colons_stay_whole() -> None:
    """A report's first column has no name: the colon is the label's own."""
    text = "Land | 2023: $1,095 | 2022: $1,136\nLess: depreciation | 2023: (188) | 2022: (203)\nNet | 2023: $105 | 2022: $99"
    (table,) = tables([chunk(text)])
    assert [row.cells[0].text for row in table.rows] == ["Land", "Less: depreciation", "Net"]


def test_row_without_a_label_is_of_its_table() -> None:
    text = "Bonds: Municipal | Cost: $44 | Gains: $1\nBonds: Corporate | Cost: $48 | Gains: $2\nCost: $92 | Gains: $3"
    (table,) = tables([chunk(text)])
    assert table.rows[2].cells[0].text == ""


def test_currency_of_a_column_is_written_once() -> None:
    figures = table_figures(tables([chunk("(In thousands): Sales | 2023: $ 57 | 2022: $ 44\n(In thousands): Costs | 2023: 31 | 2022: 29")])[0])  # fmt: skip
    assert {figure.currency for figure in figures} == {"$"}


def test_unit_of_a_note_ends_with_it() -> None:
    """What "Note 1" says holds below it, and not for the table under "Note 12"."""
    said = chunk("Balances (in thousands):", context="Report › Note 1")
    assert first(said, chunk(ROWS, at=1, context="Report › Note 12")).scale == 1
    assert first(said, chunk(ROWS, at=1, context="Report › Note 1 › Sales")).scale == 1_000


@pytest.mark.parametrize("head", ["Diameter (mm)", "Height (m)", "M", "Temperature (K)"])
def test_lengths_are_no_millions(head: str) -> None:
    assert first(chunk(f"Pipe: A | {head}: 22\nPipe: B | {head}: 24")).amount == Decimal(22)


def test_unit_of_length_is_no_scale() -> None:
    assert first(chunk("Unit: mm"), chunk(ROWS, at=1)).scale == 1


def test_weight_in_pounds_is_no_money() -> None:
    assert first(chunk("Box: A | Weight (in pounds): 20 | Depth: 3")).currency == ""
