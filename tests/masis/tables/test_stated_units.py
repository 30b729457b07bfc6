"""Test which texts state the unit of figures, and of which figures they say it."""

import pytest

from masis.tables.stated_units import statements, unit_in


@pytest.mark.parametrize(
    ("name", "currency", "scale"),
    [
        ("(In thousands)", "", 1_000),
        ("(In thousands, except percentages)", "", 1_000),
        ("$ in millions", "$", 1_000_000),
        ("(U.S. $ in thousands)", "$", 1_000),
        ("Unit: £k", "£", 1_000),
        ("Revenue by segment (€ in millions)", "€", 1_000_000),
        ("All figures in thousands of euros", "€", 1_000),
        ("All figures in USD ‘000 ", "$", 1_000),
        ("£'000", "£", 1_000),
        ("Worth (USD thousands)", "$", 1_000),
        ("2019 $M", "$", 1_000_000),
        ("USDm", "$", 1_000_000),
        ("Tsd. €", "€", 1_000),
        ("Price ($)", "$", 1),
        ("(In US dollars)", "$", 1),
        ("Net sales (in pounds sterling)", "£", 1),
        ("Costs (in thousands of pounds)", "£", 1_000),
        ("Revenue (m)", "", 1_000_000),
        ("Sales (mn)", "", 1_000_000),
    ],
)
def test_names_state_their_unit(name: str, currency: str, scale: int) -> None:
    found = unit_in(name)
    assert found is not None
    assert found.dimensions == (currency, scale)


@pytest.mark.parametrize(
    "name",
    [
        "Employees 2025", "Sales in m", "Length in m", "Cost of 5 million dollars", "Sold in thousands of shops", "Diameter (mm)",
        "Height (m)", "Temperature (K)", "M", "Weight (in pounds)",
    ],
)  # fmt: skip
def test_other_names_state_none(name: str) -> None:
    assert unit_in(name) is None


@pytest.mark.parametrize(
    ("line", "reach", "scale"),
    [
        ("The balances were as follows (in thousands):", "next", 1_000),
        ("NOTES (Tabular amounts in millions, unless otherwise disclosed)", "all", 1_000_000),
        ("NOTES (Expressed in thousands of U.S. dollars)", "next", 1_000),
        ("Amounts are in US$ millions, except the number of employees.", "all", 1_000_000),
        ("Some tables are in thousands of pounds, others in pounds.", "some", 1_000),
        ("£ in millions", "next", 1_000_000),
    ],
)
def test_lines_say_of_which_figures(line: str, reach: str, scale: int) -> None:
    (found,) = statements(line)
    assert (found.reach, found.scale) == (reach, scale)


@pytest.mark.parametrize(
    "line",
    [
        "The product line was sold for $540 thousand. It had been held since 2005.",
        "The company invests in thousands of dollars of equipment every year for the sites.",
        "We reached millions of homes.",
        "It cost 5 million dollars to build.",
        "Unit: mm",
        "Unit: pounds",
    ],
)
def test_amounts_in_sentences_state_no_unit(line: str) -> None:
    assert not list(statements(line))


def test_what_is_excepted_is_kept() -> None:
    (found,) = statements("(in thousands, except for share and per share data)")
    assert found.apart == "share and per share data"
