import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.words.visible_text import one_line, visible
from bot.teams.text.inert_text import inert, label
from tests.bot.teams.card_checker import LIVE


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("26 days [1]", "26 days [1]"),
        ("see https://evil.example/a.b?c", "see https[:]//evil[.]example/a.b?c"),
        ("www.evil.example/a", "www[.]evil[.]example/a"),
        ("mailto:a@b.example", "mailto[:]a@b.example"),
        ("javascript:alert(1)", "javascript[:]alert(1)"),
        ("{{DATE(2026-01-01, SHORT)}}", "{ {DATE(2026-01-01, SHORT)}}"),
        ("${secret}", "$ {secret}"),
        ("MASIS-SYSTEM-abc repeats", "(withheld) repeats"),
        ("a\u200bb\u202ec\x07d", "abcd"),
        ("10:30 a.m. at 4.5 %", "10:30 a.m. at 4.5 %"),
        ("handbook/leave.md", "handbook/leave.md"),
    ],
)
def test_what_is_alive_is_taken_apart(text: str, shown: str) -> None:
    assert inert(text) == shown


@given(st.text(st.sampled_from("ahtps:/w.{}$[]mailto \u200b\u202e\x07")))
def test_nothing_stays_alive(text: str) -> None:
    assert LIVE.search(inert(text)) is None


@given(st.text())
def test_text_is_inert_once_and_for_all(text: str) -> None:
    assert inert(inert(text)) == inert(text)
    assert visible(visible(text)) == visible(text)


@given(st.text(), st.integers(1, 50))
def test_labels_are_short_lines(text: str, most: int) -> None:
    made = label(text, most)
    assert len(made) <= most
    assert one_line(made) == made
