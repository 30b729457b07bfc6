import pytest

from masis.adapters.reading_windows import windows

TEXT = "One goes up. Two goes down. Three stays here. Four is gone."


def words(text: str) -> int:
    return len(text.split())


def test_fitting_text_is_one_window() -> None:
    assert windows(TEXT, words(TEXT), words) == [TEXT]
    assert windows("", 0, words) == [""]


@pytest.mark.parametrize(
    ("room", "first", "last"),
    [
        (11, "One goes up. Two goes down. Three stays here.", "Two goes down. Three stays here. Four is gone."),
        (7, "One goes up. Two goes down.", "Three stays here. Four is gone."),
        (3, "One goes up.", "Four is gone."),
    ],
)  # fmt: skip
def test_windows_end_at_sentence_borders(room: int, first: str, last: str) -> None:
    assert windows(TEXT, room, words) == [first, last]


def test_overlong_sentence_stays_a_window() -> None:
    """A sentence that does not fit is left to whoever reads it."""
    assert windows("A " * 50 + "end.", 9, words) == ["A " * 50 + "end."]
    assert windows("Short it is. " + "A " * 50 + "end.", 9, words) == [
        "Short it is.",
        "A " * 50 + "end.",
    ]


def test_lines_are_borders_too() -> None:
    text = "- one item\n- two items\n- three items\n- four items"
    assert windows(text, 6, words) == ["- one item\n- two items", "- three items\n- four items"]
