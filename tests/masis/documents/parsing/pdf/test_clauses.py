"""Numbered clauses of PDFs, and figures that only look like their numbers."""

from masis.documents.parsing.recognition.read_document import read_document
from tests.pdfs import Run, made


def blocks(*lines: str) -> list[tuple[str, str]]:
    runs = [Run(line, 60, 700 - 14 * at, 11) for at, line in enumerate(lines)]
    return [(block.kind, block.text) for block in read_document("a.pdf", made([runs])).blocks]


def test_clauses_are_items_under_titles() -> None:
    """Part clauses that are drawn as close as the lines of a paragraph."""
    read = blocks(
        "1. Term",
        "1.1 This contract runs for three years, from the first of August until the last day of",
        "July in the third year.",
        "1.2 Either party may end it with three months' written notice.",
        "2. Price",
        "2.1 The School pays the Caterer 2.48 pounds for each meal served in the hall.",
    )

    assert read == [
        ("heading", "1. Term"),
        (
            "list_item",
            (
                "1.1 This contract runs for three years, from the first of August until the last"
                " day of July in the third year."
            ),
        ),
        ("list_item", "1.2 Either party may end it with three months' written notice."),
        ("heading", "2. Price"),
        (
            "list_item",
            "2.1 The School pays the Caterer 2.48 pounds for each meal served in the hall.",
        ),
    ]


def test_wrapped_figure_is_no_clause() -> None:
    """Join a sentence that goes on with a figure and a capital letter in the next line."""
    read = blocks(
        "The fund grew in the last of the four years that this report looks at to more than",
        "2.5 Million pounds, of which one half is kept for repairs of the roof and the tower.",
    )

    assert len(read) == 1


def test_nested_clause_continues_numbering() -> None:
    """Take 3.1.1 for the first part of 3.1, and 3.2 for what follows it."""
    read = blocks(
        "3. Service",
        "3.1 Menus run in a cycle of three weeks, and are sent out before they begin:",
        "3.1.1 The first one goes to the school's office.",
        "3.2 There is one dish without meat on each day.",
    )

    assert [kind for kind, _ in read] == ["heading", "list_item", "list_item", "list_item"]
