"""Outlining a document."""

from masis.extractive.wholes import outline
from tests.whole_papers import part

PAPER = [
    part(0, "Purpose text that says what this paper is for.", "Purpose"),
    part(
        1,
        "The week has 37 hours. It may be spread over 4 days. People like that very much.",
        "Hours",
    ),
    part(
        2,
        "Item: Meals | Limit: £34\nItem: Hotel | Limit: £120\nItem: Total | Limit: £154",
        "Limits",
    ),
    part(3, "- Bring your badge\n- Report a loss within 2 hours", "Access"),
    part(4, "Leave is 26 days a year. Who told you otherwise?", "Leave"),
]


def told() -> str:
    lines, _ = outline.outlined(PAPER)
    return "\n".join(line.text for line in lines)


def test_each_part_is_told() -> None:
    """A line for each part, led by its heading; what only tells of the paper is left out."""
    lines, count = outline.outlined(PAPER)
    assert [line.text.partition(" – ")[0] for line in lines] == [
        "Hours",
        "Limits",
        "Access",
        "Leave",
    ]
    assert count == 4
    assert [line.ids for line in lines] == [[PAPER[n].chunk_id] for n in (1, 2, 3, 4)]


def test_tables_are_told_by_rows() -> None:
    """A table is told by what its rows are about, and its total."""
    assert "Meals (£34); Hotel (£120)" in told()


def test_questions_tell_nothing() -> None:
    """A question is no statement of a part."""
    assert "otherwise" not in told()


def test_long_documents_are_bounded() -> None:
    """However long a document is, its outline is read in a minute."""
    text = " ".join(f"Section sentence number {n} says that {n} pumps run." for n in range(12))
    many = [part(n, text, f"Part {n}") for n in range(60)]
    lines, count = outline.outlined(many)
    assert count == 60
    assert len(lines) <= outline.MOST_PARTS
    assert sum(len(line.text) for line in lines) <= 2 * outline.MOST_CHARS


def test_document_without_headings_is_told() -> None:
    """Without headings each chunk is a part."""
    found, _ = outline.outlined(
        [part(0, "The pump runs for 8 hours."), part(1, "It weighs 40 kg.")]
    )
    assert [line.text for line in found] == ["The pump runs for 8 hours.", "It weighs 40 kg."]
