import pytest
from hypothesis import given
from hypothesis import strategies as st

from masis.words import english
from masis.words.english import is_english, reads_other

LISTED = english._words().decode().split()
KNOWN = frozenset(LISTED)


def test_the_list_is_in_order() -> None:
    """It is searched by halves."""
    assert sorted(LISTED) == LISTED


@given(st.sampled_from(LISTED))
def test_every_listed_word_is_found(word: str) -> None:
    assert is_english(word)


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8))
def test_no_other_word_is_found(word: str) -> None:
    assert is_english(word) == (word in KNOWN)


@pytest.mark.parametrize("word", ["", "\n", "two words", "Zebra", "naïve", LISTED[0], LISTED[-1]])
def test_what_is_no_word_is_not_found(word: str) -> None:
    assert is_english(word) == (word in KNOWN)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Wat is het maximum voor een hotel?", True),
        ("Wie viel Urlaub habe ich?", True),
        ("Combien de jours de congés ?", True),
        ("what is the limit for hotels in Den Haag", False),
        ("who leads the war effort", False),
        ("", False),
    ],
)
def test_small_words_of_other_languages(text: str, other: bool) -> None:
    assert reads_other(text) is other
