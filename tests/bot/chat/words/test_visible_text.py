from hypothesis import given
from hypothesis import strategies as st

from bot.chat.words.visible_text import one_line, visible


def test_a_name_is_one_line() -> None:
    assert one_line(" a\u2028b\r\n\tc ") == "a b c"


@given(st.text())
def test_visible_text_stays_as_it_is(text: str) -> None:
    """What was made visible is not changed again, and its line ends are plain."""
    once = visible(text)

    assert visible(once) == once
    assert "\r" not in once


def test_smuggled_words_are_gone() -> None:
    """Zero-width, direction and tag characters go; what is composed of them stays one letter."""
    assert visible("pay\u200b\u202eroll\U000e0041") == "payroll"
    assert visible("cafe\u0301") == "café"
