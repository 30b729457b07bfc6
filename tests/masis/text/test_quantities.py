import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.text.quantities import Quantity, apart, in_base, quantities
from tests.examples import examples

INFINITE = float("inf")


def read(text: str) -> list[Quantity]:
    return [placed.value for placed in quantities(text)]


def one(text: str) -> Quantity:
    [found] = read(text)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It takes 3 to 5 days.", [Quantity(3, "day", 3, 5)]),
        ("6 months to 2 years", [Quantity(0.5, "year", 0.5, 2)]),
        ("We expect $112–115 million.", [Quantity(112e6, "$", 112e6, 115e6)]),
        ("A lynx weighs 18–25 kg.", [Quantity(18, "kg", 18, 25)]),
        ("It holds up to 120 guests.", [Quantity(120, "", 0, 120)]),
        ("There are at least 3 people.", [Quantity(3, "", 3, INFINITE)]),
        ("It holds about 110 guests.", [Quantity(110, "", 55, 220)]),
        ("It may take 10 days.", [Quantity(10, "day", 0, INFINITE)]),
        ("You may carry over 10 days.", [Quantity(10, "day")]),
        ("The term is six months.", [Quantity(6, "month")]),
        ("Half a year is enough.", [Quantity(0.5, "year")]),
        ("Mileage is 45p a mile.", [Quantity(45, "pence")]),
        ("Revenue, £ million | FY2025: 109.8", [Quantity(109.8e6, "£")]),
        ("It ran 2019-2021.", []),
        ("It ran on 2024-05-01.", []),
        ("In the first year there is none.", []),
    ],
)
def test_figures_are_read_with_tolerance(text: str, expected: list[Quantity]) -> None:
    """Figures are read with what they allow."""
    assert read(text) == expected


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ("It takes 3 to 5 days.", "It takes 4 days.", False),
        ("It takes 3 to 5 days.", "It takes 9 days.", True),
        ("It takes 3 to 5 days.", "It takes 5 to 7 days.", True),
        ("It holds up to 120 guests.", "It holds about 110 guests.", False),
        ("It holds up to 120 guests.", "It holds up to 150 guests.", True),
        ("It holds about 110 guests.", "It holds 120 guests.", False),
        ("It holds about 110 guests.", "It holds 400 guests.", True),
        ("At least 8 characters.", "At least 14 characters.", True),
        ("At least 3 people.", "It needs 4 people.", False),
        ("The term is 6 months.", "The term is half a year.", False),
        ("The term is 14 days.", "The term is two weeks.", False),
        ("Kept for 30 days.", "Kept for one month.", False),
        ("Kept for 30 days.", "Kept for six weeks.", True),
        ("It is 2.5 km away.", "It is 2,500 m away.", False),
        ("It costs £1.2 million.", "It costs £1,200 thousand.", False),
        ("It costs £0.45.", "It costs 45p.", False),
    ],
)
def test_incompatible_figures_are_apart(ours: str, theirs: str, *, expected: bool) -> None:
    """Figures are apart that cannot both be true."""
    left, right = (in_base(one(text)) for text in (ours, theirs))

    assert apart(left, right) is expected
    assert apart(right, left) is expected


@settings(max_examples=examples(80), deadline=None)
@given(st.text(alphabet="0123456789 ,.-–£kmday to upabout|:", max_size=120))
def test_reading_figures_never_raises(text: str) -> None:
    for quantity in read(text):
        assert not apart(quantity, quantity)


def test_column_supplies_currency_of_figures() -> None:
    """A column gives its figures their currency."""
    row = "Item: Kayak | Price (£): 2.95 | Deposit (EUR): 40 | Seats: 2 | Fee: GBP 1,200"

    found = [(one.value, one.dimension) for one in read(row)]

    assert found == [(2.95, "£"), (40.0, "€"), (2.0, ""), (1200.0, "£")]


def test_hostile_text_is_read_linearly() -> None:
    """Hostile text is read in linear time."""
    assert len(read("1-" * 20_000)) < 20_000
    assert read("between " * 20_000) == []
    assert len(read("| (£) " * 20_000)) == 0
