import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.text.numbered import speaks_of_others, things, years
from tests.examples import examples

MOCKS = ["Year 11 mocks: 4 to 8 May", "Year 13 mocks: 12 to 23 January"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("what was the budget in 2023", {2023}),
        ("budget 2023-24", {2023, 2024}),
        ("2024, £k: 22,037", {2024}),
        ("budget 2023/24 and 2019", {2023, 2024, 2019}),
        ("when are the FY27 reviews", {2027}),
        ("fy 26/27", {2026, 2027}),
        ("we sold 2,019 of them for 1999.50", set()),
        ("call 01632 2019", {2019}),
        ("part 120193", set()),
    ],
)
def test_year_formats_are_all_read(text: str, named: set[int]) -> None:
    """Years are read as people write them."""
    assert years(text) == named


@pytest.mark.parametrize(
    ("text", "numbered"),
    [
        ("when do the year 12 mocks start", {"year": {12}}),
        ("Years 7-9 and 11", {"year": {7, 8, 9, 11}}),
        ("sev3 deadline", {"sev": {3}}),
        ("Week: 29", {"week": {29}}),
        ("WH-060 or LS-4", {"wh": {60}, "ls": {4}}),
        ("form TC-18-C", {}),
        ("after 6 years", {}),
        ("wait 5 days, pay 30 %", {}),
        ("version 2.4", {}),
        ("over 500 in 2026", {}),
    ],
)
def test_number_after_name_identifies_thing(text: str, numbered: dict[str, set[int]]) -> None:
    """Things are numbered by the number behind their name."""
    assert things(text) == numbered


def test_other_year_makes_passage_foreign() -> None:
    """A passage of another year speaks of others."""
    last_year = ["Supply cover, 2025-26: £62,000"]

    assert speaks_of_others("supply cover budget 2023", last_year, last_year)
    assert not speaks_of_others("supply cover budget 2026", last_year, last_year)
    assert not speaks_of_others("supply cover budget", last_year, last_year)


def test_other_number_makes_passage_foreign() -> None:
    """A passage of another numbered thing speaks of others."""
    assert speaks_of_others("when do the year 12 mocks start", MOCKS, MOCKS)
    assert not speaks_of_others("when do the year 13 mocks start", MOCKS, MOCKS)


def test_number_identifies_only_numbered_things() -> None:
    """A number behind a word names nothing unless evidence numbers it."""
    assert not speaks_of_others("can I order 30 pumps", MOCKS, MOCKS)
    assert speaks_of_others("can I order 30", MOCKS, [*MOCKS, "Order 12 was late"])


def test_one_missing_thing_makes_foreign() -> None:
    """One of several things that is missing is enough."""
    assert speaks_of_others("mocks of year 11 and 12", MOCKS, MOCKS)
    assert not speaks_of_others("mocks of year 11 and 13", MOCKS, MOCKS)


@settings(max_examples=examples(60), deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_lacks_nothing_of_itself(question: str, other: str) -> None:
    """Any text is read and lacks nothing of itself."""
    assert not speaks_of_others(question, [question], [question, other])


def test_hostile_text_is_read_linearly() -> None:
    """Hostile text is read in linear time."""
    assert set(things("a-1-" * 20_000)) == set()
    assert set(things("week 7 and " * 20_000)) == {"week"}
    assert set(things("w" * 100_000 + " 7")) == set()
    assert years("2019-" * 20_000) <= {2019, 2020}
    assert years("fy " * 20_000) == set()
