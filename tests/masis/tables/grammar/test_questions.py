"""Questions over rows as queries, and questions that are none."""

import datetime as dt

import pytest

from masis.tables.grammar import family, questions
from masis.tables.grammar.family import Read, Unread
from masis.tables.grammar.questions import read
from masis.values.tabular import Filter, Group, Measure, TableInfo, TableQuery
from tests.masis.tables.samples import info, packed

TODAY = dt.date(2026, 4, 1)
ORDERS = (
    ["Order no.", "Date", "Customer", "Region", "Qty", "Net (£)"],
    ["SO-501", "2025-01-06", "Abbey Foods", "North", "2", "100.00"],
    ["SO-502", "2025-02-06", "Bexley Water", "South", "1", "90.00"],
    ["SO-503", "2025-07-06", "Abbey Foods", "North", "4", "410.00"],
)
LATER = (
    ORDERS[0],
    ["SO-504", "2026-01-06", "Abbey Foods", "North", "2", "120.00"],
    ["SO-505", "2026-02-06", "Calder Paints", "South", "1", "95.50"],
    ["SO-506", "2026-03-06", "Bexley Water", "", "3", "300.00"],
)
HEADS = (
    ["Site", "Team", "Jan 26", "Feb 26"],
    ["Leeds", "Goods out", "5", "6"],
    ["Leeds", "Sales", "7", "7"],
    ["Truro", "Goods out", "3", "-"],
)
SUPPLIERS = (
    ["Supplier", "Country", "Contract years", "Price per year (EUR)", "Rating", "Expiry"],
    ["Brema BV", "Netherlands", "1", "12.687,41", "3,0", "25.08.2027"],
    ["Eifel GmbH", "Germany", "4", "35.095,05", "2,4", "13.01.2027"],
    ["Polder BV", "Netherlands", "3", "9.000,00", "2,1", "13.02.2028"],
)


@pytest.fixture(autouse=True)
def _ask_small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables of these tests have a few rows."""
    monkeypatch.setattr(questions, "FEWEST_ASKED", 0)
    monkeypatch.setattr(family, "FEWEST_REFUSED", 0)


@pytest.fixture(scope="module")
def tables() -> list[TableInfo]:
    return [
        info(packed(), "tickets.csv", "tickets"),
        info(packed(ORDERS, sheet="Orders 2025"), "orders.xlsx", "orders25"),
        info(packed(LATER, sheet="Orders 2026"), "orders.xlsx", "orders26"),
        info(packed(HEADS, sheet="Headcount 2026"), "headcount.xlsx", "heads"),
        info(packed(SUPPLIERS), "suppliers.csv", "suppliers"),
    ]


def query(tables: list[TableInfo], question: str) -> TableQuery:
    found = read(question, tables, TODAY)
    assert isinstance(found, Read), found
    return found.query


def where(made: TableQuery) -> set[tuple[str, str, str]]:
    return {(each.column, each.operator, ",".join(each.values)) for each in made.filters}


def test_count_by_group_of_a_value(tables: list[TableInfo]) -> None:
    made = query(tables, "how many open tickets by priority")
    assert made.measures == [Measure(aggregate="count")]
    assert made.groups == [Group(column="Priority")]
    assert where(made) == {("Status", "is", "open")}


def test_verb_of_a_date_column_is_no_value(tables: list[TableInfo]) -> None:
    made = query(tables, "how many tickets were opened in 2026 vs 2025")
    assert made.groups == [Group(column="Opened", grain="year")]
    assert where(made) == {("Opened", "from", "2025-01-01"), ("Opened", "before", "2027-01-01")}


def test_value_that_is_a_column_is_both(tables: list[TableInfo]) -> None:
    made = query(tables, "top 2 assignees by tickets closed in 2026")
    assert ("Status", "is", "closed") in where(made)
    assert ("Closed", "from", "2026-01-01") in where(made)
    assert (made.groups, made.limit) == ([Group(column="Assignee")], 2)


@pytest.mark.parametrize(
    ("question", "conditions"),
    [
        ("how many tickets older than 30 days as of 1 march 2026", {("Opened", "before", "2026-01-30")}),
        ("how many tickets were opened in the last 30 days", {("Opened", "from", "2026-03-02"), ("Opened", "before", "2026-04-02")}),
        ("how many tickets opened last month", {("Opened", "from", "2026-03-01"), ("Opened", "before", "2026-04-01")}),
        ("how many tickets opened since 1 february 2026", {("Opened", "from", "2026-02-01")}),
        ("how many tickets opened before 2026", {("Opened", "before", "2026-01-01")}),
        ("how many tickets opened in Q1 2026", {("Opened", "from", "2026-01-01"), ("Opened", "before", "2026-04-01")}),
        ("number of tickets over 5 hours", {("Hours to resolve", "above", "5")}),
        ("how many tickets took between 3 and 10 hours", {("Hours to resolve", "at least", "3"), ("Hours to resolve", "at most", "10")}),
        ("how many tickets have no assignee", {("Assignee", "blank", "")}),
        ("how many tickets are not closed", {("Status", "is not", "closed")}),
        ("how many tickets does Okafor have", {("Assignee", "is", "b. okafor")}),
        ("how many tickets in truro and leeds", {("Site", "is", "truro,leeds")}),
    ],
)  # fmt: skip
def test_conditions(tables: list[TableInfo], question: str, conditions: set[tuple[str, str, str]]) -> None:  # fmt: skip
    assert where(query(tables, question)) == conditions


def test_sum_of_a_month_on_its_sheet(tables: list[TableInfo]) -> None:
    made = query(tables, "total net of orders in march 2026")
    assert made.measures == [Measure(aggregate="sum", column="Net (£)")]
    assert made.tables == ["orders26"]


def test_money_words_mean_the_money(tables: list[TableInfo]) -> None:
    made = query(tables, "how much did we sell to abbey foods in 2025")
    assert made.measures == [Measure(aggregate="sum", column="Net (£)")]
    assert ("Customer", "is", "abbey foods") in where(made)
    assert made.tables == ["orders25"]


def test_superlative_of_rows(tables: list[TableInfo]) -> None:
    made = query(tables, "which ticket took longest to resolve, id and hours")
    assert (made.columns[0], made.order, made.limit) == ("Ticket ID", "Hours to resolve", 1)
    cheapest = query(tables, "cheapest supplier")
    assert (cheapest.order, cheapest.descending) == ("Price per year (EUR)", False)


def test_superlative_of_groups(tables: list[TableInfo]) -> None:
    made = query(tables, "which site has most P1s")
    assert made.groups == [Group(column="Site")]
    assert where(made) == {("Priority", "is", "p1"), ("Site", "filled", "")}
    least = query(tables, "smallest team in leeds in january")
    assert (least.groups, least.descending) == ([Group(column="Team")], False)


def test_single_row_in_any_sheet(tables: list[TableInfo]) -> None:
    made = query(tables, "who ordered SO-505")
    assert where(made) == {("Order no.", "is", "SO-505")}
    assert made.tables == ["orders25", "orders26"]
    assert query(tables, "who is assigned to T-104").columns == ["Ticket ID", "Assignee"]


def test_column_of_a_period(tables: list[TableInfo]) -> None:
    made = query(tables, "how many ppl in goods out in leeds in february")
    assert made.measures == [Measure(aggregate="sum", column="Feb 26")]
    assert where(made) == {("Team", "is", "goods out"), ("Site", "is", "leeds")}


def test_people_of_a_country(tables: list[TableInfo]) -> None:
    made = query(tables, "dutch suppliers rated under 2,5 - names")
    assert where(made) == {("Country", "is", "netherlands"), ("Rating", "below", "2.5")}


def test_dates_by_their_verb(tables: list[TableInfo]) -> None:
    made = query(tables, "contracts expiring per year")
    assert made.groups == [Group(column="Expiry", grain="year")]
    long = query(tables, "average price of contracts longer than 2 years")
    assert where(long) == {("Contract years", "above", "2")}


def test_assumptions_are_said(tables: list[TableInfo]) -> None:
    found = read("how many tickets in 2026", tables, TODAY)
    assert isinstance(found, Read)
    assert found.assumed == ["I took the dates for those of “Opened”."]


@pytest.mark.parametrize(
    ("question", "table", "words"),
    [
        ("which customer raised the most tickets?", "tickets.csv", ["customer"]),
        ("how many of our suppliers are iso certified?", "suppliers.csv", ["iso", "certified"]),
        ("how much do we pay our suppliers in japan per year", "suppliers.csv", ["japan"]),
        ("avg salary per team?", "headcount.xlsx", ["salary"]),
        ("how many open tickets in a row?", "tickets.csv", ["in a row"]),
    ],
)
def test_unread_words_are_named(tables: list[TableInfo], question: str, table: str, words: list[str]) -> None:  # fmt: skip
    found = read(question, tables, TODAY)
    assert isinstance(found, Unread)
    assert (found.table, found.words) == (table, words)


@pytest.mark.parametrize(
    "question",
    [
        "how many days of annual leave do I get",
        "how do I reset my password",
        "why did the number of tickets grow",
        "who is the managing director",
        "what does the order process look like",
        "hello",
        "",
        "tickets",
    ],
)
def test_other_questions_ask_no_table(tables: list[TableInfo], question: str) -> None:
    assert read(question, tables, TODAY) is None


def test_mixed_currencies_are_not_added_up() -> None:
    rows = (["Item", "Price"], ["a", "£5"], ["b", "€6"], ["c", "£7"])
    mixed = [info(packed(rows), "prices.csv")]
    assert not isinstance(read("total price of prices", mixed, TODAY), Read)


def test_filter_values_fit_the_query(tables: list[TableInfo]) -> None:
    made = query(tables, "list open P1 tickets in truro")
    assert Filter(column="Priority", operator="is", values=["p1"]) in made.filters
    assert set(made.columns) >= {"Ticket ID", "Status", "Priority", "Site"}


def test_currency_of_each_row_parts_amounts() -> None:
    rows = (
        ["Item", "Currency", "Price"],
        ["a", "GBP", "5"],
        ["b", "EUR", "6"],
        ["c", "GBP", "7"],
    )
    made = query([info(packed(rows), "prices.csv")], "total price of prices")
    assert made.groups == [Group(column="Currency")]


def test_small_tables_stay_with_their_passages(
    tables: list[TableInfo], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "FEWEST_ASKED", 40)
    assert read("how many open tickets by priority", tables, TODAY) is None


def test_counted_things_are_their_quantity(tables: list[TableInfo]) -> None:
    rows = (
        ["Order no.", "Code", "Qty"],
        ["SO-501", "CP-10", "2"],
        ["SO-502", "CP-10", "5"],
        ["SO-503", "WH-60", "1"],
    )
    made = query([info(packed(rows), "orders.csv")], "how many CP-10 were ordered in total")
    assert made.measures == [Measure(aggregate="sum", column="Qty")]
    assert query(tables, "how many orders are there").measures == [Measure(aggregate="count")]


def test_remarks_name_nothing() -> None:
    """A word of a remark that few rows have is no condition: "pumps" does not mean "reserve pumps"."""
    rows = [["Quarter", "Net", "Remark"]]
    rows += [[f"Q{at % 4 + 1}", str(at), "reserve pumps" if at == 7 else ""] for at in range(60)]
    orders = [info(packed(rows), "orders.csv")]
    assert not isinstance(read("pumps by quarter", orders, TODAY), Read)


def test_cheapest_is_of_the_money(tables: list[TableInfo]) -> None:
    for asked in ("cheapest supplier for 3 year contracts", "cheapest supplier for three-year contracts"):  # fmt: skip
        made = query(tables, asked)
        assert (made.order, made.descending) == ("Price per year (EUR)", False)
        assert where(made) == {("Contract years", "is", "3")}
    dearest = query(tables, "most expensive supplier for 4 year contracts")
    assert (dearest.order, dearest.descending) == ("Price per year (EUR)", True)


def test_unit_is_no_name_of_a_column() -> None:
    """The distance is asked for, and nothing is taken for it, where its column says the unit too."""
    rows = [["Trip", "Driver", "Distance km", "Cost (EUR)"]]
    rows += [[f"T-{at}", f"Driver {at % 3}", str(at), str(2 * at)] for at in range(60)]
    trips = [info(packed(rows), "trips.csv")]
    assert not isinstance(read("average cost per km", trips, TODAY), Read)
    assert query(trips, "longest trip").order == "Distance km"
    for asked in ("top 5 drivers by distance", "total distance by driver"):
        assert query(trips, asked).measures == [Measure(aggregate="sum", column="Distance km")]


def test_name_of_something_is_that_thing() -> None:
    """Customers are ranked where their column is called by their name, and no single orders."""
    rows = [["Order No", "Customer Name", "Net (£)"]]
    rows += [[f"S-{at:03}", f"Buyer {'ABC'[at % 3]}", f"{at}.50"] for at in range(60)]
    orders = [info(packed(rows), "sales.csv")]
    made = query(orders, "top 2 customers by net")
    assert made.measures == [Measure(aggregate="sum", column="Net (£)")]
    assert made.groups == [Group(column="Customer Name")]
    counted = query(orders, "how many orders did we have over £20")
    assert counted.measures == [Measure(aggregate="count")]


@pytest.mark.parametrize("asked", ["tickets by site and month", "tickets per month and site"])
def test_time_and_names_are_crossed(tables: list[TableInfo], asked: str) -> None:
    assert query(tables, asked).groups == [
        Group(column="Opened", grain="month"),
        Group(column="Site"),
    ]


def test_capitals_name_a_value() -> None:
    """ "IT" is a department there, and no pronoun that can be left out."""
    rows = [["Booking", "Department", "Amount (EUR)"]]
    rows += [[f"B-{at:03}", ("IT", "Sales")[at % 2], f"{at}.50"] for at in range(60)]
    booked = [info(packed(rows), "bookings.csv")]
    assert where(query(booked, "total amount of IT")) == {("Department", "is", "it")}
    assert not where(query(booked, "what is it in total amount"))


def test_superlative_without_its_column_is_unread() -> None:
    rows = (["Tool", "Site", "Rating"], ["Saw", "Leeds", "3"], ["Drill", "Truro", "4"])
    tools = [info(packed(rows), "tools.csv")]
    assert not isinstance(read("cheapest tool in leeds by rating", tools, TODAY), Read)
    assert not isinstance(read("which site has the most expensive tools", tools, TODAY), Read)


def test_most_of_a_repeated_noun_groups(tables: list[TableInfo]) -> None:
    for asked in ("2 best customers by qty", "2 best selling customers by qty", "top 2 customers by qty", "top 2 north customers by qty"):  # fmt: skip
        made = query(tables, asked)
        assert made.groups == [Group(column="Customer")], asked
        assert (made.measures, made.limit) == ([Measure(aggregate="sum", column="Qty")], 2)
    by_value = query(tables, "top 2 customers by value")
    assert by_value.measures == [Measure(aggregate="sum", column="Net (£)")]
    assert by_value.descending


def test_amount_of_no_one_column_is_unread() -> None:
    rows = (["Buyer", "List (£)", "Net (£)"], ["Ash", "3", "2"], ["Elm", "4", "3"], ["Ash", "5", "4"])  # fmt: skip
    sales = [info(packed(rows), "sales.csv")]
    assert not isinstance(read("top 2 buyers by value", sales, TODAY), Read)
    assert isinstance(read("top 2 buyers by net", sales, TODAY), Read)


@pytest.mark.parametrize(
    ("question", "conditions"),
    [
        ("how many tickets dont have an assignee", {("Assignee", "blank", "")}),
        ("how many tickets don't have an assignee", {("Assignee", "blank", "")}),
        ("tickets that havent got an assignee, how many", {("Assignee", "blank", "")}),
        ("how many tickets doesnt have a priority", {("Priority", "blank", "")}),
        ("how many tickets w/o an assignee", {("Assignee", "blank", "")}),
        ("how many tickets do not have a closed date", {("Closed", "blank", "")}),
        ("how many tickets have no hours to resolve", {("Hours to resolve", "blank", "")}),
        ("how many tickets have an assignee", {("Assignee", "filled", "")}),
        ("how many tickets are not without assignee", {("Assignee", "filled", "")}),
        ("how many tickets arent closed", {("Status", "is not", "closed")}),
    ],
)
def test_blank_as_people_say_it(tables: list[TableInfo], question: str, conditions: set[tuple[str, str, str]]) -> None:  # fmt: skip
    made = query(tables, question)
    assert where(made) == conditions
    assert made.measures == [Measure(aggregate="count")]


@pytest.mark.parametrize(
    "question",
    ["which site has the fewest tickets", "site with the smallest number of tickets", "which site has the least number of tickets"],
)  # fmt: skip
def test_fewest_is_the_smallest_count(tables: list[TableInfo], question: str) -> None:
    made = query(tables, question)
    assert (made.measures, made.groups) == ([Measure(aggregate="count")], [Group(column="Site")])
    assert (made.descending, made.limit) == (False, 1)


@pytest.mark.parametrize("asked", ["on average how long do P1 tickets take", "on average how many hours to resolve P1 tickets"])  # fmt: skip
def test_on_average_is_the_mean(tables: list[TableInfo], asked: str) -> None:
    assert query(tables, asked).measures == [Measure(aggregate="mean", column="Hours to resolve")]


def test_unread_denial_is_no_query(tables: list[TableInfo]) -> None:
    assert not isinstance(read("how many tickets do not take long in leeds", tables, TODAY), Read)


@pytest.mark.parametrize(
    ("question", "derived", "labels"),
    [
        ("what % of open tickets are P1", "share", ["P1", "Open tickets"]),
        ("share of abbey foods in the net of 2025", "share", ["Abbey foods", "Net of 2025"]),
        ("what is the share of open tickets", "share", ["Open tickets", "All"]),
        ("net sales q1 2026 vs q1 2025, growth in %", "growth", ["Q1 2026", "Q1 2025"]),
        ("growth of headcount from jan to feb 26", "growth", ["February 2026", "January 2026"]),
        ("how many more tickets in 2026 than in 2025", "difference", ["2026", "2025"]),
    ],
)
def test_two_figures_are_set_against_each_other(
    tables: list[TableInfo], question: str, derived: str, labels: list[str]
) -> None:
    made = query(tables, question)
    assert (made.derived, [each.label for each in made.measures]) == (derived, labels)


def test_mean_of_months_is_asked_for(tables: list[TableInfo]) -> None:
    made = query(tables, "how many tickets opened per month on avg in 2026")
    assert (made.derived, made.groups) == ("mean", [Group(column="Opened", grain="month")])


@pytest.mark.parametrize(
    "question",
    ["share of tickets and orders in the news", "growth of the company from 2024 to 2025", "what % of staff are happy"],
)  # fmt: skip
def test_other_shares_ask_no_table(tables: list[TableInfo], question: str) -> None:
    assert not isinstance(read(question, tables, TODAY), Read)


def test_several_are_wanted_with_the_most(tables: list[TableInfo]) -> None:
    made = query(tables, "the two customers with the largest net sales in 2025")
    assert (made.limit, made.groups) == (2, [Group(column="Customer")])
    assert made.measures == [Measure(aggregate="sum", column="Net (£)")]


def test_rate_a_year_is_no_group(tables: list[TableInfo]) -> None:
    made = query(tables[4:], "what do we pay all suppliers together per year")
    assert made.groups == []
    assert made.measures == [Measure(aggregate="sum", column="Price per year (EUR)")]
