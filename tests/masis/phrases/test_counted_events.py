"""How many there are is not how many of them were missed."""

import pytest

from masis.phrases.counted_events import is_of_all

MADE = [("In 2024 we made 1,720 pumps.", "Board paper")]


@pytest.mark.parametrize(
    ("asked", "stated", "of_all"),
    [
        ("how many pumps did we miss in 2024?", MADE, True),
        ("how many pumps were returned in 2024?", MADE, True),
        ("how many pumps did we make in 2024?", MADE, False),
        ("how many pumps were returned?", [("Pumps: 12", "Returns 2024")], False),
        (
            "how many visits were cancelled?",
            [("4 visits were called off or withdrawn.", "")],
            False,
        ),
        ("who returned the pumps?", MADE, False),
        ("how many pumps were returned?", [], False),
        ("How many days off do I get?", [("25 days of annual leave", "Leave")], False),
        ("how many shifts back to back?", [("At most 3 shifts in a row", "Shifts")], False),
        ("how many laptops were lost?", [("2 laptops were stolen", "")], False),
        ("how many orders were late?", [("14 orders were overdue", "")], False),
    ],
)
def test_count_of_all_is_no_count_of_some(
    asked: str, stated: list[tuple[str, str]], *, of_all: bool
) -> None:
    assert is_of_all(asked, stated) == of_all
