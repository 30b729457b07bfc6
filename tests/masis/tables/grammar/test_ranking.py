"""Most and fewest, sums of several rows, and words that a query does not use."""

import datetime as dt

import pytest

from masis.tables.grammar import family, questions
from masis.tables.grammar.asking_words import IN_TIME, LEAST, MOST
from masis.tables.grammar.family import Read
from masis.tables.grammar.questions import read
from masis.values.tabular import Group, Measure, TableInfo
from tests.masis.tables.samples import info, packed

TODAY = dt.date(2026, 4, 1)
BOATS = (
    ["Boat no.", "Year built", "Harbour", "Inspected", "Owner", "Kind", "Crew", "Toll (EUR)", "Repairs (EUR)"],
    ["RB-1", "1998", "Esbjerg", "2026-01-06", "Ida Holm", "Trawler", "4", "310.00", "90.00"],
    ["RB-2", "1998", "Esbjerg", "2026-01-06", "Ida Holm", "Ferry", "2", "75.50", "10.00"],
    ["RB-3", "2004", "Thisted", "2026-02-07", "Jens Bak", "Trawler", "6", "120.00", "35.00"],
    ["LS-4", "2011", "", "2026-02-09", "Jens Bak", "Ferry", "3", "60.00", "20.00"],
)  # fmt: skip
CLAIMS = (
    ["Claim", "Employee", "Category", "Currency", "Amount"],
    ["EX-1", "M. Abara", "Hotel", "EUR", "61.50"],
    ["EX-2", "M. Abara", "Meals", "USD", "9.00"],
    ["EX-3", "N. Bruck", "", "EUR", "30.00"],
)
CREWS = (
    ["Site", "Department", "Team", "Jan 26", "Feb 26", "Mar 26"],
    ["Leeds", "Stores", "Goods out", "5", "6", "6"],
    ["Leeds", "Office", "Payroll", "7", "7", "8"],
    ["Truro", "Stores", "Goods out", "3", "2", "2"],
    ["Truro", "Stores", "Goods in", "4", "4", "4"],
)


@pytest.fixture(autouse=True)
def _ask_small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables of these tests have a few rows."""
    monkeypatch.setattr(questions, "FEWEST_ASKED", 0)
    monkeypatch.setattr(family, "FEWEST_REFUSED", 0)


@pytest.fixture(scope="module")
def tables() -> list[TableInfo]:
    return [
        info(packed(BOATS), "boats.csv", "boats"),
        info(packed(CLAIMS), "claims.csv", "claims"),
        info(packed(CREWS, sheet="Headcount 2026"), "headcount.xlsx", "crews"),
    ]


def asked(tables: list[TableInfo], question: str) -> Read:
    found = read(question, tables, TODAY)
    assert isinstance(found, Read), found
    return found


@pytest.mark.parametrize(
    ("question", "group"),
    [
        ("on what date were the most boats inspected", Group(column="Inspected", grain="day")),
        ("which owner has the fewest boats", Group(column="Owner")),
        ("in which year built do we have the most boats", Group(column="Year built")),
    ],
)
def test_most_rows_are_counted(tables: list[TableInfo], question: str, group: Group) -> None:
    made = asked(tables, question).query
    assert (made.groups, made.measures) == ([group], [Measure(aggregate="count")])
    assert made.limit == 1


def test_several_of_the_most_are_given(tables: list[TableInfo]) -> None:
    made = asked(tables, "which 2 people have the most boats").query
    assert (made.groups, made.limit) == ([Group(column="Owner")], 2)


def test_most_rows_without_a_group_order_nothing(tables: list[TableInfo]) -> None:
    assert not isinstance(read("where are the most boats inspected", tables, TODAY), Read)


def test_amount_of_several_rows_is_added_up(tables: list[TableInfo]) -> None:
    found = asked(tables, "toll of the boats without a harbour")
    assert found.query.measures == [Measure(aggregate="sum", column="Toll (EUR)")]
    assert found.assumed == ["I added up “Toll (EUR)”."]


def test_how_much_is_no_number_of_rows(tables: list[TableInfo]) -> None:
    found = asked(tables, "how much did Abara claim for hotels")
    assert found.query.measures == [Measure(aggregate="sum", column="Amount")]
    assert found.query.groups == [Group(column="Currency")]
    assert found.assumed == ["I took “Amount” for it."]


@pytest.mark.parametrize(
    ("question", "unused"),
    [
        ("which owner commands the most boats", "I did not use “commands” of your question."),
        ("how many boats did we scrap in 2026", "I did not use “scrap” of your question."),
        ("latest boat per harbour", "I did not use “latest” of your question."),
    ],
)
def test_unused_words_are_said(tables: list[TableInfo], question: str, unused: str) -> None:
    found = read(question, tables, TODAY)
    assert not isinstance(found, Read) or any(unused in each for each in found.assumed)


def test_words_begin_as_names_of_rows(tables: list[TableInfo]) -> None:
    kept, left = (
        asked(tables, f"average toll {how} rowing boats") for how in ("of the", "without the")
    )
    assert [each.operator for each in kept.query.filters] == ["begins"]
    assert [each.operator for each in left.query.filters] == ["begins not"]
    assert kept.assumed == ["I took “rowing boats” for the rows whose “Boat no.” begins with “RB”."]


def test_finest_column_names_rows(tables: list[TableInfo]) -> None:
    found = asked(tables, "smallest team in feb 26")
    assert (found.query.order, found.query.limit, found.query.descending) == ("Feb 26", 1, False)
    assert found.assumed
    summed = asked(tables, "smallest department over all sites in feb 26").query
    assert summed.groups == [Group(column="Department")]


def test_periods_of_columns_are_a_series(tables: list[TableInfo]) -> None:
    made = asked(tables, "total headcount per month").query
    assert [each.column for each in made.measures] == ["Jan 26", "Feb 26", "Mar 26"]
    assert made.is_series


def test_mean_of_what_each_has(tables: list[TableInfo]) -> None:
    made = asked(tables, "how many boats per harbour on average").query
    assert (made.derived, made.groups) == ("mean", [Group(column="Harbour")])
    assert [(each.column, each.operator) for each in made.filters] == [("Harbour", "filled")]


@pytest.mark.parametrize("what", ["head", "hour", "guest"])
def test_unread_unit_behind_per_is_no_query(tables: list[TableInfo], what: str) -> None:
    assert not isinstance(read(f"total toll of the boats per {what}", tables[:1], TODAY), Read)


def test_groups_may_be_wanted_in_percent(tables: list[TableInfo]) -> None:
    made = asked(tables, "boats per kind in percent").query
    assert (made.derived, made.groups) == ("share", [Group(column="Kind")])


def test_share_may_be_wanted_in_percent(tables: list[TableInfo]) -> None:
    assert asked(tables, "share of trawlers in all boats, in %").query.derived == "share"


@pytest.mark.parametrize(
    ("said", "first", "behind"),
    [
        ("jan-march 26", "2026-01-01", "2026-04-01"),
        ("from november 2025 to feb 2026", "2025-11-01", "2026-03-01"),
        ("q1-q3 2026", "2026-01-01", "2026-10-01"),
        ("between q3 25 and q1 2026", "2025-07-01", "2026-04-01"),
    ],
)
def test_ranges_of_months_and_quarters(
    tables: list[TableInfo], said: str, first: str, behind: str
) -> None:
    made = asked(tables, f"how many boats were inspected {said}").query
    assert [(each.operator, each.values) for each in made.filters] == [
        ("from", [first]),
        ("before", [behind]),
    ]


def test_range_without_a_year_is_not_read(tables: list[TableInfo]) -> None:
    assert not isinstance(read("how many boats were inspected jan-march", tables, TODAY), Read)


def test_most_of_nothing_is_the_only_amount(tables: list[TableInfo]) -> None:
    found = asked(tables, "which employee claims the most")
    assert found.query.measures == [Measure(aggregate="sum", column="Amount")]
    assert found.assumed[0] == "I ordered them by “Amount”."


def test_values_of_a_column_are_counted(tables: list[TableInfo]) -> None:
    made = asked(tables, "how many owners have ferries").query
    assert made.measures == [Measure(aggregate="distinct", column="Owner")]


def test_amount_per_row_is_a_mean(tables: list[TableInfo]) -> None:
    made = asked(tables[:1], "toll per boat in esbjerg").query
    assert made.measures == [Measure(aggregate="mean", column="Toll (EUR)")]


def test_first_of_rows_is_by_date(tables: list[TableInfo]) -> None:
    made = asked(tables[:1], "what was the first boat of Jens Bak").query
    assert (made.order, made.descending) == ("Inspected", False)


def test_share_of_what_fits_is_said(tables: list[TableInfo]) -> None:
    found = asked(tables, "share of ferries per owner")
    assert "Each share is one of all the rows that fit." in found.assumed


def test_total_of_a_thing_is_its_quantity() -> None:
    rows = (
        ["Order no", "Date", "Customer", "Code", "Qty"],
        ["SO-1", "2026-01-06", "Abbey Foods", "CP-10", "4"],
        ["SO-2", "2026-02-06", "Bexley Water", "CP-10", "2"],
        ["SO-3", "2026-07-06", "Abbey Foods", "CP-20", "9"],
    )
    made = asked([info(packed(rows), "orders.csv", "orders")], "total CP-10 ordered by abbey foods")
    assert made.query.measures == [Measure(aggregate="sum", column="Qty")]


@pytest.mark.parametrize(
    ("question", "measure"),
    [
        ("claims total per employee", Measure(aggregate="sum", column="Amount")),
        ("total claims per employee", Measure(aggregate="count")),
    ],
)
def test_total_for_each_is_of_an_amount(
    tables: list[TableInfo], question: str, measure: Measure
) -> None:
    found = asked(tables, question)
    assert found.query.measures[:1] == [measure]
    assert found.assumed


def test_currency_may_be_said_in_words(tables: list[TableInfo]) -> None:
    made = asked(tables, "average spend on claims in euros").query
    assert made.measures == [Measure(aggregate="mean", column="Amount")]
    assert [(each.column, each.values) for each in made.filters] == [("Currency", ["eur"])]


def test_price_without_a_currency_is_no_revenue() -> None:
    rows = (
        ["Order no", "Date", "Customer", "Qty", "list_price"],
        ["SO-1", "2026-01-06", "Abbey Foods", "4", "120"],
        ["SO-2", "2026-02-06", "Bexley Water", "2", "90"],
    )
    orders = [info(packed(rows), "orders.csv", "orders")]
    assert not isinstance(read("revenue growth from 2025 to 2026", orders, TODAY), Read)


@pytest.mark.parametrize("word", ["my first", "your last", "their first"])
def test_days_of_a_person_rank_no_rows(word: str) -> None:
    """ "my first day" is a day of mine, where "the first order" ranks orders by their date."""
    assert not any(each.search(f"when is {word} day") for each in (MOST, LEAST, IN_TIME))
    assert LEAST.search("when was our first order")
    assert MOST.search("what was the last order")
