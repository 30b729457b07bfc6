"""What people abbreviate in a chat."""

import pytest

from masis.words.abbreviations import in_full
from masis.words.chat_words import plain


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("kiln pw 4 visitors", "kiln password for visitors"),
        ("clay w/o grog, w/ lid, w the glaze", "clay without grog, with lid, with the glaze"),
        ("do i have 2 book the kiln", "do i have to book the kiln"),
        ("do i have 2 kilns", "do i have 2 kilns"),
        ("do we have 4 visitors", "do we have 4 visitors"),
        ("the glaze 4 my vase", "the glaze for my vase"),
        ("i got in at 4 this morning", "i got in at 4 this morning"),
        ("cld smth break, shes off", "could something break, she is off"),
        ("till what time is the till open", "until what time is the till open"),
        ("kiln mtg last yr, how many hrs", "kiln meeting last year, how many hours"),
        ("fires after how many min", "fires after how many minutes"),
        ("min order over 600 quid, a 5 min rest", "minimum order over £600, a 5 minutes rest"),
        ("see pw.docx or REG", "see pw.docx or REG"),
    ],
)
def test_abbreviations_are_written_in_full(typed: str, meant: str) -> None:
    assert in_full(plain(typed)) == meant


def test_words_of_the_workspace_stay() -> None:
    assert in_full("min pw of the kiln", {"pw"}.__contains__) == "minimum pw of the kiln"
