"""Countries in questions and in documents."""

import pytest

from masis.words.countries import mentioned, speaks_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("which broker covers people in brazil?", ["brazil"]),
        ("offices in South Korea and the UK", ["South Korea", "UK"]),
        ("can you tell us how the US office does it", ["US"]),
        ("the U.S. plan", ["U.S."]),
        ("turkey and chips, may I polish the floor", []),
        ("a trip to Turkey", ["Turkey"]),
        ("people in Berlin", ["Berlin"]),
        ("Brazilians", []),
        ("", []),
    ],
)
def test_countries_are_found_in_any_spelling(text: str, found: list[str]) -> None:
    """Countries are found as they are written."""
    assert [mention.written for mention in mentioned(text)] == found


@pytest.mark.parametrize(
    ("asked", "text", "speaks"),
    [
        ("Brazil", "Our Brazilian colleagues are covered.", True),
        ("Brazil", "Staff in Latin America are covered.", True),
        ("Spain", "Within the EU or the UK only.", True),
        ("Norway", "Within the EU only.", False),
        ("Norway", "Working abroad needs approval.", True),
        ("Norway", "In any country outside the plan.", True),
        ("US", "Let us know by Friday.", False),
        ("US", "Staff of the United States office.", True),
        ("Texas", "Employees in the US are covered.", True),
        ("Lisbon", "For Portugal the rate is 90 euros.", True),
        ("Australia", "The Austrian office.", False),
    ],
)
def test_a_region_speaks_of_its_countries(asked: str, text: str, speaks: bool) -> None:
    country = next(mentioned(asked)).country

    assert speaks_of(text, country) is speaks
