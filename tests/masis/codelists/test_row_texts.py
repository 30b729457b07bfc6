"""Which rows of a file want a code, and what their descriptions are."""

import pytest

from masis.codelists.row_texts import asks_of_rows, descriptions
from masis.domain import Chunk, WorkspaceId


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
    ("text", "said"),
    [
        ("Id: 1 | Problem: jam | Comment: a long text of no matter\nId: 2 | Problem: leak | Comment: none at all", ["jam", "leak"]),
        ("Id: 1 | A: x | B: the printer jams\nId: 2 | A: y | B: it leaks", ["the printer jams", "it leaks"]),
        ("What: jam\nWhat: leak", ["jam", "leak"]),
        ("- jam\n- leak: a drop", ["jam", "leak: a drop"]),
    ],
)  # fmt: skip
def test_descriptions_are_read_from_rows(text: str, said: list[str]) -> None:
    assert descriptions([chunk(text)]) == said
