import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.text.numbered import speaks_of_others, things, years

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
def test_years_are_read_as_people_write_them(text: str, named: set[int]) -> None:
    assert years(text) == named


@pytest.mark.parametrize(
    ("text", "numbered"),
    [
        ("when do the year 12 mocks start", {"year": {12}}),
        ("Years 7-9 and 11", {"year": {7, 8, 9, 11}}),
        ("sev3 deadline", {"sev": {3}}),
        ("Week: 29", {"week": {29}}),
        ("WH-060 or LS-4", {"wh": {60}, "ls": {4}}),
        ("after 6 years", {}),
        ("wait 5 days, pay 30 %", {}),
        ("version 2.4", {}),
        ("over 500 in 2026", {}),
    ],
)
def test_things_are_numbered_by_the_number_behind_their_name(
    text: str, numbered: dict[str, set[int]]
) -> None:
    assert things(text) == numbered


def test_a_passage_of_another_year_speaks_of_others() -> None:
    last_year = ["Supply cover, 2025-26: £62,000"]

    assert speaks_of_others("supply cover budget 2023", last_year, last_year)
    assert not speaks_of_others("supply cover budget 2026", last_year, last_year)
    assert not speaks_of_others("supply cover budget", last_year, last_year)


def test_a_passage_of_another_numbered_thing_speaks_of_others() -> None:
    assert speaks_of_others("when do the year 12 mocks start", MOCKS, MOCKS)
    assert not speaks_of_others("when do the year 13 mocks start", MOCKS, MOCKS)


def test_a_number_behind_a_word_names_nothing_unless_evidence_numbers_it() -> None:
    assert not speaks_of_others("can I order 30 pumps", MOCKS, MOCKS)
    assert speaks_of_others("can I order 30", MOCKS, [*MOCKS, "Order 12 was late"])


def test_one_of_several_things_that_is_missing_is_enough() -> None:
    assert speaks_of_others("mocks of year 11 and 12", MOCKS, MOCKS)
    assert not speaks_of_others("mocks of year 11 and 13", MOCKS, MOCKS)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_is_read_and_lacks_nothing_of_itself(question: str, other: str) -> None:
    assert not speaks_of_others(question, [question], [question, other])


def test_hostile_text_is_read_in_linear_time() -> None:
    assert set(things("a-1-" * 20_000)) == set()
    assert set(things("week 7 and " * 20_000)) == {"week"}
    assert set(things("w" * 100_000 + " 7")) == set()
    assert years("2019-" * 20_000) <= {2019, 2020}
    assert years("fy " * 20_000) == set()
