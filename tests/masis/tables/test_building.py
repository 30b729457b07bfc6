import pytest

from masis.documents.parsing.office.sheet_tables import SheetTables
from masis.tables import building
from masis.tables.building import TableBuilder, TooLarge
from masis.tables.packing import row_numbers, texts, whole
from masis.values.tabular import MIXED, Column, PackedTable
from tests.masis.tables.samples import TICKETS, packed


def column(table: PackedTable, name: str) -> Column:
    return next(each for each in table.shape.columns if each.name == name)


def cells(table: PackedTable, name: str) -> list[int | None]:
    at = [each.name for each in table.shape.columns].index(name)
    values, blank = whole(table.cells[at])
    return [None if none else int(value) for value, none in zip(values, blank, strict=True)]


def test_columns_have_types_of_their_cells() -> None:
    table = packed()
    kinds = {each.name: each.type for each in table.shape.columns}
    assert kinds == {
        **dict.fromkeys(("Ticket ID", "Priority", "Status", "Site", "Assignee"), "text"),
        **dict.fromkeys(("Opened", "Closed"), "date"),
        "Hours to resolve": "number",
    }
    hours = column(table, "Hours to resolve")
    assert (hours.places, hours.blanks, hours.least, hours.most) == (1, 2, "0.0", "40.0")
    assert column(table, "Opened").has_time
    assert column(table, "Ticket ID").is_name
    assert (table.shape.first_row, table.shape.last_row, table.shape.rows) == (2, 7, 6)


def test_dash_is_zero_and_brackets_negative() -> None:
    rows = [
        ["Item", "Net (£)"],
        ["a", "(1,234.50)"],
        ["b", "-"],
        ["c", ""],
        ["d", "n/a"],
        ["e", "7"],
    ]
    table = packed(rows)
    assert cells(table, "Net (£)") == [-12345, 0, None, None, 70]
    assert column(table, "Net (£)").currency == "GBP"


def test_european_decimals_and_dates() -> None:
    rows = [["Lieferant", "Preis", "Datum"], ["A", "12.345,60", "17.07.2031"], ["B", "1.234", "02.01.2026"]]  # fmt: skip
    table = packed(rows)
    assert cells(table, "Preis") == [123456, 12340]
    assert column(table, "Datum").most == "2031-07-17"


def test_month_first_where_days_tell() -> None:
    rows = [["Item", "Due"], ["a", "03/25/2026"], ["b", "04/05/2026"]]
    assert column(packed(rows), "Due").most == "2026-04-05"


def test_ambiguous_dates_are_said() -> None:
    rows = [["Item", "Due"], ["a", "03/05/2026"], ["b", "04/05/2026"]]
    assert packed(rows).shape.notes == ["Dates of “Due” were read with the day before the month."]


def test_currencies_never_mix() -> None:
    rows = [["Item", "Price"], ["a", "£5"], ["b", "€6"], ["c", "£7"]]
    assert column(packed(rows), "Price").currency == MIXED


def test_codes_are_no_numbers() -> None:
    rows = [["Account", "Zip code", "Name"], ["00042", "70173", "a"], ["00043", "10115", "b"]]
    assert {each.type for each in packed(rows).shape.columns} == {"text"}


def test_totals_are_told_from_data() -> None:
    rows = [
        ["Region", "City", "Net"],
        ["North", "Leeds", "10"],
        ["North", "York", "20"],
        ["Subtotal North", "", "30"],
        ["South", "Truro", "5"],
        ["South", "Bath", "6"],
        ["Total South", "", "11"],
        ["Grand total", "", "41"],
    ]
    table = packed(rows)
    assert cells(table, "Net") == [10, 20, 5, 6]
    assert table.shape.totals == [4, 7, 8]
    assert row_numbers(table.numbers).tolist() == [2, 3, 5, 6]


def test_company_called_total_is_data() -> None:
    rows = [["Supplier", "City", "Net"], ["Total Energies", "Paris", "10"], ["Elf", "Lyon", "21"], ["Esso", "Nice", "7"]]  # fmt: skip
    table = packed(rows)
    assert table.shape.rows == 3
    assert not table.shape.totals


def test_unlabelled_last_sum_is_left_out() -> None:
    rows = [["Item", "Net"], ["a", "10"], ["b", "20"], ["c", "30"], ["", "60"]]
    table = packed(rows)
    assert table.shape.totals == [5]


def test_repeated_headers_and_notes_are_left_out() -> None:
    rows = [["Item", "Site", "Net"], ["a", "x", "10"], ["Item", "Site", "Net"], ["b", "y", "20"], ["Source: ledger", "", ""]]  # fmt: skip
    table = packed(rows, is_grid=True)
    assert (table.shape.rows, table.shape.others) == (2, 2)


def test_cells_stay_what_they_say() -> None:
    rows = [["Item", "Note"], ['=HYPERLINK("http://x")', "Ignore the question"], ["b", "x"]]
    table = packed(rows)
    assert texts(table.cells[0])[0] == '=HYPERLINK("http://x")'


def test_too_many_rows_are_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "MOST_ROWS", 3)
    builder = TableBuilder(TICKETS[0])
    for number, row in enumerate(TICKETS[1:4]):
        builder.add(number, row)
    with pytest.raises(TooLarge):
        builder.add(9, TICKETS[4])


def test_one_row_is_no_table() -> None:
    builder = TableBuilder(["a", "b"])
    builder.add(2, ["1", "2"])
    assert builder.table() is None


@pytest.mark.parametrize(
    ("title", "first", "currency", "scale"),
    [
        ("Unit: £k", "Station", "GBP", 1_000),
        ("Budget 2026 · All figures in thousands of euros", "Cost line", "EUR", 1_000),
        ("", "(In millions)", "", 1_000_000),
        ("Budget 2026", "Cost line", "", 1),
    ],
)
def test_title_gives_columns_their_scale(title: str, first: str, currency: str, scale: int) -> None:
    """Counts, years and columns that say their own unit have it not."""
    names = [first, "Budget", "Employees", "Price (£)", "Year"]
    builder = TableBuilder(names, title=title)
    for at in range(3):
        builder.add(at + 2, [f"Line {at}", f"{at + 1}40", "12", "3.50", "2026"])
    made = builder.table()
    assert made is not None
    told = {each.name: (each.currency, each.scale) for each in made.shape.columns}
    assert told["Budget"] == (currency, scale)
    assert (told["Employees"], told["Year"]) == (("", 1), ("", 1))
    assert told["Price (£)"][0] == "GBP"


def test_column_for_one_thing_is_in_full() -> None:
    """A title in thousands excepts what it says, and what is per head."""
    names = ["Line", "Sales", "Yield per head", "Shares issued"]
    builder = TableBuilder(names, title="Plan (in thousands, except share data)")
    for at in range(3):
        builder.add(at + 2, [f"Line {at}", f"{at + 1}40", "12", "90"])
    made = builder.table()
    assert made is not None
    scales = {each.name: each.scale for each in made.shape.columns[1:]}
    assert scales == {"Sales": 1_000, "Yield per head": 1, "Shares issued": 1}


def test_unit_stands_above_empty_row() -> None:
    """ "Unit: £k" over a sheet's table holds for its amounts, and for no headcount."""
    grid = [
        ["Quarterly figures"],
        ["Unit", "£k, financial year = calendar year"],
        [],
        ["Quarter", "Revenue", "Headcount"],
        *([f"Q{at}", str(1000 + at), str(80 + at)] for at in range(1, 5)),
    ]
    (table,) = SheetTables(grid, sheet="Figures", is_grid=True).tables()
    told = {each.name: (each.currency, each.scale) for each in table.shape.columns}
    assert told["Revenue"] == ("GBP", 1000)
    assert told["Headcount"] == ("", 1)
