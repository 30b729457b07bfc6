"""Which words are one, spelt otherwise."""

import pytest

from masis.words.mistyped import is_spelt_otherwise


@pytest.mark.parametrize(
    ("term", "known", "is_so"),
    [
        ("centr", "center", True),
        ("center", "centr", True),
        ("acount", "account", True),
        ("organis", "organiz", True),
        ("tape", "type", False),
        ("post", "cost", False),
        ("cost", "cost", False),
    ],
)
def test_spellings_of_one_word_are_told(term: str, known: str, is_so: bool) -> None:
    assert is_spelt_otherwise(term, known) is is_so
