"""Which rows of a file want a code, and what their descriptions are."""

import pytest

from masis.codelists.row_texts import asks_of_rows, sent_rows
from masis.domain import Chunk, WorkspaceId
from masis.text.lexical import terms


def chunk(text: str) -> Chunk:
    return Chunk(id="c_1", workspace_id=WorkspaceId("w_1"), document_id="f_1", version_id="v_1", position=0, text=text)  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "is_so"),
    [
        ("classify these 200 rows", True),
        ("Please classify the attached file", True),
        ("code these tickets", True),
        ("classify: the printer jams", False),
        ("what is in these rows?", False),
    ],
)
def test_questions_about_rows_are_told(asked: str, is_so: bool) -> None:
    assert asks_of_rows(asked) is is_so


@pytest.mark.parametrize(
    ("asked", "is_so"),
    [
        ("give each row in this file its ticket type", True),
        ("what ticket type is each of these?", True),
        ("Please add the ticket type to each line", True),
        ("find the ticket type of each message in the attached file", True),
        ("sort these by ticket type", True),
        ("give every row a code", True),
        ("what is the total of each row", False),
        ("how many rows have a ticket type?", False),
        ("find all the tickets of type hardware", False),
        ("which ticket type is a leak in each room?", False),
    ],
)
def test_kinds_of_each_row_are_asked(asked: str, is_so: bool) -> None:
    """What each row is to get must be a kind of code that the lists are called by."""
    assert asks_of_rows(asked, frozenset(terms("ticket type"))) is is_so


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Id: 1 | Problem: jam | Comment: a long text of no matter\nId: 2 | Problem: leak | Comment: none at all", ["jam", "leak"]),
        ("Id: 1 | A: x | B: the printer jams\nId: 2 | A: y | B: it leaks", ["the printer jams", "it leaks"]),
        ("What: jam\nWhat: leak", ["jam", "leak"]),
        ("- jam\n- leak: a drop", ["jam", "leak: a drop"]),
    ],
)  # fmt: skip
def test_descriptions_are_read_from_rows(text: str, said: list[str]) -> None:
    assert [row.text for row in sent_rows([chunk(text)])] == said
