"""Questions as people type them, put into a table's own words."""

import datetime as dt

import pytest

from masis.tables.everyday.typed_questions import read
from masis.tables.grammar.family import Read
from masis.values.tabular import Filter, TableInfo, TableQuery
from tests.masis.tables.samples import info, packed

TODAY = dt.date(2026, 4, 1)
SALES = (
    ["Order no.", "Ordered", "Buyer", "Code", "Qty", "Unit price", "Discount_pct"],
    ["SO-1", "2026-01-06", "Kelm Farms", "TN-1", "12", "30", "8"],
    ["SO-2", "2026-01-20", "Kelm Farms", "TN-2", "3", "410", "0"],
    ["SO-3", "2026-02-11", "Aldous Mill", "TN-1", "10", "30", "5"],
    ["SO-4", "2026-03-02", "Aldous Mill", "TN-3", "1", "95", "0"],
    ["SO-5", "2026-03-19", "Orrin Bros", "TN-2", "2", "410", "10"],
    ["SO-6", "2026-03-30", "Orrin Bros", "TN-1", "4", "30", "3"],
)
CATALOGUE = (
    ["Code", "Product"],
    ["TN-1", "Tarn strap"],
    ["TN-2", "Rill gauge"],
    ["TN-3", "Rill cover"],
    ["TN-4", "Fell lamp"],
    ["TN-5", "Beck hook"],
)
CREW = (
    ["Staff no.", "Name", "Team", "Hired", "Left on", "FTE", "Salary (€)"],
    ["P-1", "Odd Lund", "Yard", "2014-05-05", "", "1", "41000"],
    ["P-2", "Siri Dahl", "Yard", "2019-02-01", "2025-08-31", "0.5", "39000"],
    ["P-3", "Kai Moen", "Shop", "2024-03-11", "", "0.8", "36000"],
    ["P-4", "Liv Aas", "Shop", "2025-09-01", "", "1", "35500"],
    ["P-5", "Per Vik", "Shop", "2021-01-04", "", "1", "44000"],
)
BILLS = (
    ["Bill", "Sent", "Due", "Client", "Net (€)", "VAT (€)", "Paid on"],
    ["B-1", "2026-01-03", "2026-02-02", "Kelm Farms", "12000", "2280", "2026-01-28"],
    ["B-2", "2026-01-10", "2026-02-09", "Orrin Bros", "800", "152", ""],
    ["B-3", "2026-02-14", "2026-03-16", "Kelm Farms", "15500", "2945", ""],
    ["B-4", "2026-03-20", "2026-04-19", "Aldous Mill", "400", "76", ""],
    ["B-5", "2026-03-22", "2026-04-21", "Aldous Mill", "950", "180.5", "2026-03-30"],
)
JOBS = (
    ["Job", "Lead", "Budget (€)", "Spent (€)"],
    ["Quay", "Siri Dahl", "5000", "5600"],
    ["Roof", "Kai Moen", "8000", "2000"],
    ["Crane", "Kai Moen", "9000", "9400"],
    ["Shed", "Per Vik", "3000", "1000"],
    ["Gate", "Per Vik", "2500", "2400"],
)
PARTS = (
    ["Thing", "Share", "Cost (€)"],
    ["Hull", "whole hull", "900"],
    ["Hull", "planks", "500"],
    ["Hull", "nails", "400"],
    ["Mast", "whole mast", "300"],
    ["Mast", "spar", "300"],
)
HALL = (
    ["Region", "Q1", "Q2", "Q3", "Q4"],
    ["North", "1", "2", "3", "4"],
    ["South", "5", "5", "5", "5"],
    ["East", "2", "2", "2", "2"],
    ["West", "7", "1", "1", "1"],
    ["Isles", "0", "1", "0", "1"],
)


@pytest.fixture(scope="module")
def tables() -> list[TableInfo]:
    return [
        info(packed(SALES), "sales.csv", "sales"),
        info(packed(CATALOGUE), "catalogue.csv", "catalogue"),
        info(packed(CREW), "staff.csv", "crew"),
        info(packed(BILLS), "bills.csv", "bills"),
        info(packed(JOBS, sheet="Jobs"), "jobs.xlsx", "jobs"),
        info(packed(PARTS, sheet="Parts"), "parts.xlsx", "parts"),
        info(packed(HALL, sheet="Tickets 2027"), "plan.xlsx", "plan"),
    ]


def query(tables: list[TableInfo], question: str) -> TableQuery:
    found = read(question, tables, TODAY)
    assert isinstance(found, Read), (question, found)
    assert found.assumed, "what came of everyday words is never sure"
    return found.query


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("how many orders of ten or more in one go", [("Qty", "at least", ["10"])]),
        ("how many orders went out with no discount whatsoever", [("Discount_pct", "is", ["0"])]),
        ("how many orders over 4 percent off, for anybody but kelm", [("Buyer", "is not", ["kelm farms"]), ("Discount_pct", "above", ["4"])]),
        ("how many folks work less than full time", [("FTE", "below", ["1"])]),
        ("how many bills are past due", [("Paid on", "blank", []), ("Due", "before", ["2026-04-01"])]),
        ("how many bills havent been paid yet", [("Paid on", "blank", [])]),
    ],
)  # fmt: skip
def test_conditions_in_everyday_words(
    tables: list[TableInfo], question: str, wanted: list[tuple[str, str, list[str]]]
) -> None:
    made = query(tables, question)
    assert [each.aggregate for each in made.measures] == ["count"]
    told = {(each.column, each.operator, tuple(each.values)) for each in made.filters}
    assert told == {(column, operator, tuple(values)) for column, operator, values in wanted}


@pytest.mark.parametrize(
    ("question", "aggregate", "column"),
    [
        ("what did kelm's orders come to once the discounts are off", "sum", "line value (Qty × Unit price, less Discount_pct %)"),
        ("top 2 buyers by net order value q1 2026 (after discount)", "sum", "line value (Qty × Unit price, less Discount_pct %)"),
        ("add up qty for the first three quarters of 26", "sum", "Qty"),
        ("total order value before discount for kelm", "sum", "list value (Qty × Unit price)"),
        ("how many straps did aldous take altogether", "sum", "Qty"),
        ("how much of the budget is left for kai", "sum", "remainder (Budget − Spent)"),
        ("total for the north over the whole of 2027", "sum", "whole year (Q1 + Q2 + Q3 + Q4)"),
        ("how much did kelm's bills bring in", "sum", "Net (€)"),
        ("average pay in the shop", "mean", "Salary (€)"),
    ],
)  # fmt: skip
def test_measures_in_everyday_words(
    tables: list[TableInfo], question: str, aggregate: str, column: str
) -> None:
    made = query(tables, question)
    assert [(each.aggregate, each.column) for each in made.measures] == [(aggregate, column)]


def test_columns_are_compared_row_by_row(tables: list[TableInfo]) -> None:
    made = query(tables, "which jobs are over budget")
    (column,) = made.calculated
    assert made.filters == [Filter(column=column.name, operator="above", values=["0"])]
    assert column.formula is not None
    assert column.formula.columns == ["Spent (€)", "Budget (€)"]


def test_best_month_is_ranked_by_value(tables: list[TableInfo]) -> None:
    made = query(tables, "what month was best for us in order value after discount")
    assert [(each.column, each.grain) for each in made.groups] == [("Ordered", "month")]
    assert made.limit == 1
    assert made.descending


def test_whole_question_in_one_tail_is_one(tables: list[TableInfo]) -> None:
    made = query(tables, "worst month for qty since 2026? which one n how much")
    assert [(each.column, each.grain) for each in made.groups] == [("Ordered", "month")]
    assert not made.descending


def test_longest_serving_is_hired_first(tables: list[TableInfo]) -> None:
    made = query(tables, "who has been with us the longest and since when")
    assert (made.order, made.descending, made.limit) == ("Hired", False, 1)


@pytest.mark.parametrize(
    "question",
    [
        "which sales person brought in most orders",
        "how many orders did kelm cancel",
        "how much profit did kelm bring in",
        "how many of our people have kids",
        "can i get a discount on a strap",
        "who do i call when the crane is stuck",
        "total unit price of the straps",
        "how much revenue did the yard team make",
        "how many orders did kelm place in 2019",
        "total cost of all the parts",
        "how many did they order",
    ],
)
def test_what_no_column_has_is_refused(tables: list[TableInfo], question: str) -> None:
    assert not isinstance(read(question, tables, TODAY), Read)


@pytest.mark.parametrize(
    ("question", "group", "aggregate", "column"),
    [
        ("which buyer gets the best discount", "Buyer", "mean", "Discount_pct"),
        ("which team has the most people", "Team", "count", ""),
        ("which client has the biggest bill still outstanding", "Client", "sum", "Net (€)"),
    ],
)
def test_groups_in_everyday_words(
    tables: list[TableInfo], question: str, group: str, aggregate: str, column: str
) -> None:
    made = query(tables, question)
    assert [each.column for each in made.groups] == [group]
    assert [(each.aggregate, each.column) for each in made.measures] == [(aggregate, column)]


def test_two_stretches_are_set_against_each_other(tables: list[TableInfo]) -> None:
    made = query(tables, "did we sell more tarn straps jan to feb or feb to march, how many each")
    assert made.derived == "difference"
    assert [each.label for each in made.measures] == ["Feb to March 2026", "Jan to Feb 2026"]
    assert {each.column for each in made.measures} == {"Qty"}


def test_percent_is_of_the_percentages(tables: list[TableInfo]) -> None:
    made = query(tables, "how many orders are above 6 percent")
    assert made.filters == [Filter(column="Discount_pct", operator="above", values=["6"])]


def test_idiom_is_no_superlative(tables: list[TableInfo]) -> None:
    made = query(tables, "whos the best paid in the shop")
    assert (made.order, made.descending) == ("Salary (€)", True)


def test_names_of_codes_are_told(tables: list[TableInfo]) -> None:
    found = read("how many rill gauges did we sell altogether", tables, TODAY)
    assert isinstance(found, Read)
    assert any("catalogue.csv calls so" in each for each in found.assumed)
    assert found.query.filters == [Filter(column="Code", operator="is", values=["tn-2"])]
