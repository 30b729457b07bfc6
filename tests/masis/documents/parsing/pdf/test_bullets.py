"""Bullets of PDF lists, and what only looks like one."""

import pytest

from masis.documents.parsing.recognition.read_document import read_document
from tests.pdfs import Run, made


def blocks(*lines: str | Run) -> list[tuple[str, str]]:
    """Lines under each other, or where they are drawn; what is read."""
    runs = [
        line if isinstance(line, Run) else Run(line, 60, 700 - 14 * at, 11)
        for at, line in enumerate(lines)
    ]
    return [(block.kind, block.text) for block in read_document("a.pdf", made([runs])).blocks]


def items(*lines: str) -> list[str]:
    found = blocks(*lines)
    assert {kind for kind, _ in found} == {"list_item"}
    return [text for _, text in found]


def test_numbered_items_keep_every_letter() -> None:
    clauses = (
        "1. There is no fee for a call to our desk.",
        "2. Keep vaccines at - 18 C or colder.",
        "3. Sheet 4 - 6 and lists a - c go to finance.",
        "(a) The two o clock train and so on.",
    )
    assert items(*clauses) == list(clauses)


@pytest.mark.parametrize("bullet", ["-", "o", "\u2013", "\u2014", "\u00b7", "\u2022"])
def test_bullets_at_the_beginning_alone_go(bullet: str) -> None:
    texts = ("two o clock - no fee", "Bring - or send - the form", "to no avail")
    assert items(*(f"{bullet} {text}" for text in texts)) == list(texts)


@pytest.mark.parametrize("bullet", ["-", "o"])
def test_one_bullet_drawn_apart_goes(bullet: str) -> None:
    above = Run("The desk is open", 60, 700, 11)
    marked = Run(bullet, 60, 686, 11), Run("on every day but Sunday and", 78, 686, 11)
    assert blocks(above, *marked)[-1] == ("list_item", "on every day but Sunday and")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The freezer has to be kept at", "- 18 C or colder at all times."),
        ("The doctor comes at two", "o clock and leaves at four."),
        ("The freezer \u2013 a small one", "\u2013 stands in the cellar."),
    ],
)
def test_sentence_continues_after_a_dash(first: str, second: str) -> None:
    """A sentence goes on with a dash."""
    assert blocks(first, second) == [("paragraph", f"{first} {second}")]


def test_a_minus_after_a_sentence_stays() -> None:
    found = blocks("The freezer is cold.", "- 18 C is what it must reach.")
    assert found[-1][1].endswith("- 18 C is what it must reach.")
