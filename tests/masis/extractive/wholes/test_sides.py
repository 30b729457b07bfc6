"""Telling two things in the same respects."""

from masis.extractive import comparison
from masis.extractive.wholes import sides
from masis.extractive.wholes.collections import collections
from masis.text.lexical import terms
from tests.whole_papers import part

ROWS = part(
    0, "Plan: Gold | Price: £90 | Visits: 4\nPlan: Silver | Price: £50 | Visits: 2", "Plans"
)
COLUMNS = part(
    1, "What: Price | Gold: £90 | Silver: £50\nWhat: Visits | Gold: 4 | Silver: 2", "Plans"
)
SEVERAL = part(
    2,
    "Insurer: Acorn | Service: Scan | Ask first: no | Code: A\n"
    "Insurer: Acorn | Service: Surgery | Ask first: yes | Code: A\n"
    "Insurer: Birch | Service: Scan | Ask first: yes | Code: B\n"
    "Insurer: Birch | Service: Surgery | Ask first: yes | Code: B",
    "Insurers",
)


def told(question: str, number: int) -> list[str]:
    pair = comparison.sides(question)
    assert pair is not None
    names = {word for side in pair for word in side.words}
    narrowing = [term for term in terms(question) if term not in names]
    found = collections([(ROWS, COLUMNS, SEVERAL)[number]])
    tables = sides.compared(pair, found, narrowing)
    return [line.text for each in tables for line in each.lines]


def test_rows_are_told_by_column() -> None:
    """Of two rows each column is a respect."""
    expected = ["Price – Gold: £90; Silver: £50", "Visits – Gold: 4; Silver: 2"]
    assert told("compare gold and silver plans", 0) == expected
    assert told("compare gold and silver plans", 1) == expected


def test_respect_that_is_asked_for() -> None:
    """One respect alone is told where it is asked for."""
    assert told("gold vs silver price", 0) == ["Price – Gold: £90; Silver: £50"]


def test_other_respects_are_not_told() -> None:
    """What a table does not say is answered by no other of its respects."""
    assert told("compare the colours of gold and silver", 0) == []


def test_several_rows_of_each_side() -> None:
    """Rows of one kind are held against each other, what they share is told once."""
    assert told("compare acorn and birch", 2) == [
        "Scan, Ask first – Acorn: no; Birch: yes",
        "Code – Acorn: A; Birch: B",
        "Surgery, Ask first – Acorn: yes; Birch: yes",
    ]


def test_one_name_within_the_other() -> None:
    """A name that is part of the other one is told from it."""
    table = part(3, "Kind: Friend | A year: £38\nKind: Good Friend | A year: £95", "Membership")
    pair = sides.pair_of(("friend", "good friend"))
    assert pair is not None
    [found] = sides.compared(pair, collections([table]), [])
    assert [line.text for line in found.lines] == ["A year – Friend: £38; Good Friend: £95"]


def test_lines_of_each_side() -> None:
    """Where no table has both, the lines that begin with each are told."""
    text = "GOLD  Two visits a year and a call back.\nSILVER  One visit a year and no call.\n"
    pair = sides.pair_of(("gold", "silver"))
    assert pair is not None
    found = sides.stated(pair, [part(3, text, "Tickets")])
    assert [line.text.split()[0] for line in found] == ["GOLD", "SILVER"]
    assert sides.stated(pair, [part(3, "GOLD  Two visits.", "Tickets")]) == []
