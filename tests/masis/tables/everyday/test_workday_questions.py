"""Test questions as they are typed at work, over small sheets: people, prices, a forecast, quarters."""

import datetime as dt

import pytest

from masis.tables.everyday.typed_questions import read
from masis.tables.grammar.family import Read, Unread
from masis.tables.grammar.unused import pronouns
from masis.values.tabular import Filter, TableInfo, TableQuery
from tests.masis.tables.samples import info, packed

TODAY = dt.date(2026, 11, 28)
NAMES = (
    "Ada Moss",
    "Ben Rook",
    "Cleo Tarn",
    "Dev Hale",
    "Eli Dunn",
    "Fay Birch",
    "Gus Wold",
    "Hana Lund",
)
TEAMS = ("IT", "Finance", "IT", "Sales", "Sales", "Finance", "IT", "Sales")
SITES = ("Hull", "Leith", "Hull", "Hull", "Leith", "Hull", "Leith", "Hull")
DIRECTORY = (
    ["Name", "Department", "Site", "Start_year", "Spend (£)", "Reports_to"],
    *([name, team, site, str(2011 + at), str(100 * at + 40), NAMES[at // 3]] for at, (name, team, site) in enumerate(zip(NAMES, TEAMS, SITES, strict=True))),
)  # fmt: skip
PRICES = (
    ["Code", "Product", "Price 2025 (£)", "Price 2026 (£)"],
    ["TH-1", "Tarn hoist", "200", "260"],
    ["TH-2", "Tarn hoist long", "300", "310"],
    ["RG-1", "Rill gauge", "45", "45"],
    ["RG-2", "Rill gauge wide", "60", "66"],
    ["BX-1", "Box", "5", "6"],
)
PLAN = (
    ["Product", "Region", "Q1", "Q2", "Q3", "Q4"],
    *([product, region, *(str(each * size) for each in range(1, 5))] for product in ("Tarn hoist", "Rill gauge", "Box") for region, size in (("North", 1), ("South", 2), ("All regions", 3))),
)  # fmt: skip
ENDS = ("03-31", "06-30", "09-30", "12-31")
QUARTERS = (
    ["Quarter", "Quarter end", "Revenue (£)", "Headcount"],
    *([f"{year - 2000}Q{at + 1}", f"{year}-{end}", str(1000 + year + at), str(80 + at)] for year in (2025, 2026) for at, end in enumerate(ENDS[: 3 if year == 2026 else 4])),
)  # fmt: skip


@pytest.fixture(scope="module")
def tables() -> list[TableInfo]:
    return [
        info(packed(DIRECTORY), "staff-directory.csv", "staff"),
        info(packed(PRICES, sheet="Products"), "price-list-2026.xlsx", "prices"),
        info(packed(PLAN, sheet="Units 2027"), "sales-forecast-2027.xlsx", "plan"),
        info(packed(QUARTERS, sheet="Quarters"), "financials.xlsx", "quarters"),
    ]


def query(tables: list[TableInfo], question: str) -> TableQuery:
    found = read(question, tables, TODAY)
    assert isinstance(found, Read), (question, found)
    return found.query


def test_small_letters_name_a_department(tables: list[TableInfo]) -> None:
    found = read("total spend of it", tables, TODAY)
    assert isinstance(found, Read)
    assert found.query.filters == [Filter(column="Department", operator="is", values=["it"])]
    assert "I took “it” for “IT”." in found.assumed


@pytest.mark.parametrize(
    "question",
    [
        "how much does it cost",
        "what is the total of it",
        "how many of it are left",
        "how much of it do we still have",
        "when does it open this year",
        "is it the highest",
        "who is in charge of it",
        "what did it come to in total",
        "how much is left of it",
        "can i get more of it",
        "what was the most important part of it",
    ],
)
def test_pronoun_is_no_department(tables: list[TableInfo], question: str) -> None:
    found = read(question, tables, TODAY)
    held = found.query.filters if isinstance(found, Read) else []
    assert not any("it" in each.values for each in held)


def test_department_elsewhere_is_kept(tables: list[TableInfo]) -> None:
    """A table without departments must not answer for IT with the figure of everybody."""
    found = read("total revenue of IT", [tables[3]], TODAY)
    assert found is None or isinstance(found, Unread)


def test_headcounts_are_not_added_up(tables: list[TableInfo]) -> None:
    """What there was at the end of each quarter comes to nothing added up."""
    assert not isinstance(read("total headcount", [tables[3]], TODAY), Read)
    assert isinstance(read("total revenue in 2025", [tables[3]], TODAY), Read)


@pytest.mark.parametrize(
    ("question", "rise"),
    [
        ("what went up the most in the price list", "rise (Price 2026 − Price 2025)"),
        ("which product has risen the most", "rise (Price 2026 − Price 2025)"),
        ("which product got cheaper the most", "fall (Price 2025 − Price 2026)"),
    ],
)
def test_change_is_between_two_years(tables: list[TableInfo], question: str, rise: str) -> None:
    made = query(tables, question)
    assert (made.order, made.descending, made.limit) == (rise, True, 1)
    assert made.filters == [Filter(column=rise, operator="above", values=["0"])]


def test_change_without_columns_is_none(tables: list[TableInfo]) -> None:
    """The highest price is not what went up the most."""
    one = [tables[0], tables[3]]
    assert not isinstance(read("which department's spend went up the most", one, TODAY), Read)


def test_quarters_have_the_year_beside_them(tables: list[TableInfo]) -> None:
    made = query(tables, "q3 revenue vs q2 this year")
    told = {(each.operator, each.values[0]) for each in made.filters}
    assert told == {("from", "2026-04-01"), ("before", "2026-10-01")}
    assert [each.grain for each in made.groups] == ["quarter"]


def test_no_day_in_common_is_refused(tables: list[TableInfo]) -> None:
    found = read("total revenue in q3 2026 in q2 2026 since 2026", tables, TODAY)
    assert not isinstance(found, Read)


def test_forecast_is_that_of_its_year(tables: list[TableInfo]) -> None:
    """The table itself says that it is a forecast, and of which year; its rows of all regions are no rows."""
    made = query(tables, "how many tarn hoists are forecast for next year")
    assert [(each.aggregate, each.column) for each in made.measures] == [
        ("sum", "whole year (Q1 + Q2 + Q3 + Q4)")
    ]
    assert [(each.column, each.values) for each in made.filters] == [("Product", ["tarn hoist"])]
    assert tables[2].shape.rows == 6


def test_other_year_than_the_forecast(tables: list[TableInfo]) -> None:
    assert not isinstance(
        read("how many tarn hoists are forecast for last year", tables, TODAY), Read
    )


def test_newest_of_years_is_last(tables: list[TableInfo]) -> None:
    made = query(tables, "whos the newest joiner")
    assert (made.order, made.descending, made.limit) == ("Start_year", True, 1)


def test_people_sit_where_they_are(tables: list[TableInfo]) -> None:
    made = query(tables, "how many people sit in hull")
    assert made.filters == [Filter(column="Site", operator="is", values=["hull"])]
    assert [each.aggregate for each in made.measures] == ["count"]


def test_counted_word_is_kept(tables: list[TableInfo]) -> None:
    """What is counted says of what table: people of IT are no orders of it."""
    assert not isinstance(read("how many orders for IT", tables, TODAY), Read)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("how many orders did they place", "they"),
        ("how many orders did he place in 2026", "he"),
        ("total net of orders by them", "them"),
    ],
)
def test_left_out_pronoun_is_said(question: str, word: str) -> None:
    rows = (
        ["Order", "Date", "Net (£)"],
        *([f"SO-{at}", f"2026-0{1 + at % 9}-11", str(at)] for at in range(60)),
    )
    found = read(question, [info(packed(rows), "orders.csv")], TODAY)
    assert not isinstance(found, Read) or any(word in each for each in found.assumed)


@pytest.mark.parametrize(
    "question",
    [
        "how many orders do we have",
        "total net of all orders",
        "how many orders from 2026",
        "how long does it take",
    ],
)
def test_other_words_are_no_pronouns(question: str) -> None:
    assert pronouns(question) == []


@pytest.mark.parametrize(
    ("question", "column", "value"),
    [
        ("who's in finance", "Department", "finance"),
        ("who works in it", "Department", "it"),
        ("who sits in leith", "Site", "leith"),
        ("who reports to ben", "Reports_to", "ben rook"),
    ],
)
def test_people_of_teams_are_listed(
    tables: list[TableInfo], question: str, column: str, value: str
) -> None:
    made = query(tables, question)
    assert made.filters == [Filter(column=column, operator="is", values=[value])]
    assert "Name" in made.columns


@pytest.mark.parametrize(
    "question",
    [
        "who is ben",
        "who is ben rook",
        "who is head of hull",
        "who do i call in finance",
        "who approves expenses in finance",
        "who is in charge of it",
        "who is on call this weekend",
        "who can i ask about pensions",
        "who left sales this year",
        "who is in",
        "who decides in hull",
        "whos cover for ada",
    ],
)
def test_doing_something_is_no_list(tables: list[TableInfo], question: str) -> None:
    """A directory says where people are, and not what they do."""
    assert not isinstance(read(question, tables, TODAY), Read)


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("total spend of sales... finance i mean", "finance"),
        ("who earns most... no sorry how many people are in finance", "finance"),
    ],
)
def test_corrected_word_counts(tables: list[TableInfo], question: str, other: str) -> None:
    made = query(tables, question)
    assert made.filters == [Filter(column="Department", operator="is", values=[other])]


COSTS = (
    ["Quarter", "Quarter end", "Status", "Cost of sales (£)", "Overheads (£)"],
    *([f"{year - 2000}Q{at + 1}", f"{year}-{end}", "final", str(3000 + 7 * at), str(1700 + 9 * at)] for year in (2024, 2025) for at, end in enumerate(ENDS)),
)  # fmt: skip
STOCK = (
    ["Item", "On hand", "Reorder level"],
    *([f"Part {at}", str(3 * at), "12"] for at in range(1, 8)),
)
BUDGETS = (
    ["Project", "Budget", "Spent"],
    *([f"Project {at}", "900", str(300 * at)] for at in range(1, 6)),
)
RESULTS = (
    ["Quarter", "Quarter end", "Order intake", "Revenue"],
    *([f"{year - 2000}Q{at + 1}", f"{year}-{end}", str(500 + 60 * at), str(640 + at)] for year in (2024, 2025) for at, end in enumerate(ENDS)),
)  # fmt: skip


@pytest.mark.parametrize(
    "question",
    [
        "how many quarters did orders come in lower than sales",
        "how many quarters were orders below overheads",
        "how many quarters were overheads below sales",
        "in how many quarters did tickets come in higher than overheads",
    ],
)
def test_comparison_needs_both_of_its_columns(question: str) -> None:
    """Sales are no cost of sales, and orders are neither of two costs."""
    found = read(question, [info(packed(COSTS, sheet="Costs"), "financials.xlsx", "costs")], TODAY)

    assert not (isinstance(found, Read) and found.query.calculated)


@pytest.mark.parametrize(
    ("question", "formula"),
    [
        ("how many items are below their reorder level", ["On hand", "Reorder level"]),
        ("how many parts are below the reorder level", ["On hand", "Reorder level"]),
        ("which items are under their reorder level", ["On hand", "Reorder level"]),
        ("how many projects are over their budget", ["Spent", "Budget"]),
        ("which projects are over budget", ["Spent", "Budget"]),
        ("how many projects spent less than their budget", ["Spent", "Budget"]),
        ("how many quarters were overheads below cost of sales", ["Overheads (£)", "Cost of sales (£)"]),
        ("how many quarters were overheads above the cost of sales", ["Overheads (£)", "Cost of sales (£)"]),
        ("how many quarters had order intake below revenue", ["Order intake", "Revenue"]),
        ("how many quarters did orders come in lower than revenue", ["Order intake", "Revenue"]),
    ],
)  # fmt: skip
def test_named_columns_are_still_compared(question: str, formula: list[str]) -> None:
    held = [
        info(packed(COSTS, sheet="Costs"), "financials.xlsx", "costs"),
        info(packed(STOCK, sheet="Stock"), "stock.xlsx", "stock"),
        info(packed(BUDGETS, sheet="Projects"), "portfolio.xlsx", "projects"),
        info(packed(RESULTS, sheet="Results"), "results.xlsx", "results"),
    ]
    found = [read(question, [each], TODAY) for each in held]

    made = [column for each in found if isinstance(each, Read) for column in each.query.calculated]
    assert formula in [each.formula.columns for each in made if each.formula]
