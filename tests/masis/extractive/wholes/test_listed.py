"""Choosing the rows of what is listed."""

import pytest

from masis.extractive.wholes.collections import collections
from masis.extractive.wholes.listed import (
    Match,
    chosen,
    matches,
    singular,
    under_their_name,
    wanted,
)
from masis.retrieval.named_documents import like
from tests.whole_papers import part

STAFF = part(
    0,
    "Name: Ada Lund | Role: Finance Director | Site: Leeds\n"
    "Name: Bo Quist | Role: Sales Director | Site: York\n"
    "Name: Cy Vane | Role: Engineer | Site: York",
    "Staff",
)
SUPPLIERS = part(
    1, "No.: 1 | Supplier: Acorn | For: oak\nNo.: 2 | Supplier: Birch | For: ply", "Suppliers"
)
ENDED = part(2, "Supplier: Cedar | Ended: May\nSupplier: Dogwood | Ended: June", "Former suppliers")
PLANNING = part(3, "Item: Search | Days: 3\nItem: Export | Days: 5", "Planning 7.5")


def found(of: str) -> list[Match]:
    asked = wanted(of)
    assert asked is not None
    parts = [STAFF, SUPPLIERS, ENDED, PLANNING]
    return chosen(matches(asked, collections(parts), like))


def names(of: str) -> list[str]:
    return [row.name for match in found(of) for row in match.rows]


def test_list_is_called_so() -> None:
    """A heading or a column names what is listed; what has ended is left out."""
    assert names("our suppliers") == ["Acorn", "Birch"]


def test_ended_ones_are_asked_for() -> None:
    """Who asks for what was gets that."""
    assert names("former suppliers") == ["Cedar", "Dogwood"]


def test_rows_say_the_role() -> None:
    """Of a list of others those rows are meant whose cell ends so."""
    assert names("directors") == ["Ada Lund", "Bo Quist"]


def test_rows_are_narrowed_down() -> None:
    """What else is asked narrows the rows, or no list is meant."""
    assert names("staff in York") == ["Bo Quist", "Cy Vane"]
    assert names("suppliers in Leeds") == []


def test_planning_is_no_plan() -> None:
    """A word of the same stem is another thing."""
    assert names("plans") == []


def test_one_row_is_no_list() -> None:
    """One row alone is no list of those that are asked for."""
    assert names("engineers") == []


@pytest.mark.parametrize(
    ("word", "one"),
    [
        ("policies", "policy"),
        ("boxes", "box"),
        ("bus", "bus"),
        ("staff", "staff"),
        ("plans", "plan"),
    ],
)
def test_nouns_in_the_singular(word: str, one: str) -> None:
    """An ending tells the plural."""
    assert singular(word) == one


STEPS = part(4, "1. Lock the till.\n2. Switch off the lights.\n", "Closing the shop")
HOLIDAYS = part(
    5, "Term: Spring | Starts: 6 Jan\nTerm: Fair 1 | Starts: 2 Feb\nTerm: Fair 2 | Starts: 3 Mar"
)


@pytest.mark.parametrize(
    ("of", "first"), [("steps for closing the shop", "Lock"), ("fair days this year", "Fair")]
)
def test_lists_that_say_no_kind(of: str, first: str) -> None:
    """Steps stand under their matter, and days under their names and numbers."""
    asked = wanted(of)
    assert asked is not None
    rows = [m.rows for m in chosen(matches(asked, collections([STEPS, HOLIDAYS]), like))]
    assert [len(each) for each in rows] == [2]
    assert first in rows[0][0].text


def test_section_of_that_name_comes_before_a_list() -> None:
    """A list that is called otherwise gives way to a section called as is asked."""
    priced = part(
        4, "Item: Night hour, working days | Price: 90\nItem: Day hour | Price: 60", "Hours"
    )
    told = part(5, "The full week has 37 hours.", "3 Working hours")
    fitting = [Match(each, tuple(each.rows), 0.84) for each in collections([priced])]

    assert under_their_name(fitting, "working hours", [priced, told]) == []
    assert under_their_name(fitting, "working hours", [priced]) == fitting
    assert under_their_name(fitting, "hours", [priced, told]) == fitting


def test_where_people_belong_is_told_without_team() -> None:
    """A team is those of its department; a table of roles names nobody."""
    roles = part(
        6, "Who: Site Manager | Most: 5\nWho: Sales Director | Most: 9", "Who may give what"
    )
    asked = wanted("everybody in the York team")
    assert asked is not None
    fitting = matches(asked, collections([roles, STAFF]), like)
    assert [row.name for match in fitting for row in match.rows] == ["Bo Quist", "Cy Vane"]
