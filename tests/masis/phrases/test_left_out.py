"""Rows that are of what is asked, and rows of all but that."""

import pytest

from masis.phrases.left_out import is_row_of, leaves_out
from masis.text.lexical import terms

LONDON = "Item: Hotel, London, per night | Limit: £170"
ELSEWHERE = "Item: Hotel, United Kingdom outside London, per night | Limit: £130"


@pytest.mark.parametrize(
    ("question", "row", "left_out"),
    [
        ("hotel limit in London", ELSEWHERE, True),
        ("hotel limit in London", LONDON, False),
        ("hotel limit outside London", ELSEWHERE, False),
        ("hotel limit in Leeds", ELSEWHERE, False),
        ("fee for children", "Group: everybody except children | Fee: £4", True),
    ],
)
def test_exception_is_not_what_is_asked(question: str, row: str, *, left_out: bool) -> None:
    assert leaves_out(question, row) == left_out


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("can contractors use the gym", "Benefit: Gym | Who: colleagues, not for contractors"),
        ("is breakfast included in the hotel limit", "Hotel | Limit: £170 excluding breakfast"),
        ("is breakfast included in the hotel limit", "Hotel: £170 excluding breakfast"),
        ("what is paid with no receipt", "Without a receipt | £20"),
    ],
)
def test_exception_in_a_cell_answers(question: str, row: str) -> None:
    """A row is left out by its name alone: what its other cells leave out is what was asked."""
    assert not leaves_out(question, row)


def test_row_is_of_every_word() -> None:
    """The words of a question stand in the first cell and over one other, or it is another row's."""
    asked = terms("hotel limit London")
    assert is_row_of(asked, "hotel limit London", LONDON)
    assert not is_row_of(asked, "hotel limit London", ELSEWHERE)
    assert not is_row_of(terms("hotel limit London Hilton"), "hotel limit London Hilton", LONDON)
    assert not is_row_of(terms("limit"), "limit", LONDON)
    assert not is_row_of(terms("bids price"), "bids price", "Reason: Price | Bids lost: 23")
    assert not is_row_of(asked, "hotel limit London", "Hotel limit in London")
