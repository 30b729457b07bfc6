"""Points of an answer as rows: nothing that they say is lost."""

import pytest

from masis.graphs.chat import texts
from masis.graphs.chat.points_table import points_table


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("Meals – £34; Notes: abroad only", ["Meals", "£34; Notes: abroad only"]),
        ("Meals – Note: a; Note: b", ["Meals", "Note: a; Note: b"]),
        ("Meals – Limit: £34; Notes: abroad; with a receipt", ["Meals", "Limit: £34; Notes: abroad; with a receipt"]),
    ],
)  # fmt: skip
def test_odd_cells_stay_whole(text: str, row: list[str]) -> None:
    """What does not fall into cells, each with a key of its own, is told as it stands."""
    table = points_table([(text, "Policy")])

    assert [each.name for each in table.columns] == [texts.ITEM, texts.SAYS, texts.STANDS_IN]
    assert table.rows == [[*row, "Policy"]]


def test_cells_have_columns() -> None:
    table = points_table([("- **Meals** – Limit: £34; Days: 7", "Policy")])

    assert [each.name for each in table.columns] == [texts.ITEM, "Limit", "Days", texts.STANDS_IN]
    assert table.rows == [["Meals", "£34", "7", "Policy"]]


@pytest.mark.parametrize(
    ("text", "said"), [("-5 °C at night", "-5 °C at night"), ("- • -5 °C", "-5 °C"), ("* 3 kg", "3 kg")]
)  # fmt: skip
def test_signs_are_no_list_marks(text: str, said: str) -> None:
    """A minus is a figure's own; the mark of a list stands apart."""
    assert points_table([(text, "Store")]).rows == [[said, "Store"]]
