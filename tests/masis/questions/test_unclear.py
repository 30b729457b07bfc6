import pytest

from masis.domain import EvidenceChunk, Place
from masis.questions import unclear


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("how long does it take?", "it"),
        ("when is it out?", "it"),
        ("hi, who approves this?", "this"),
        ("how long does the leak test take?", ""),
        ("is it possible to work from abroad?", ""),
        ("when is the IT desk open?", ""),
        ("what do customers say when they send it back?", ""),
        ("where is the form that I need?", ""),
        ("", ""),
    ],
)
def test_pronoun_in_place_of_all_else(question: str, word: str) -> None:
    """Only what has nothing else to search by is unclear."""
    assert unclear.pronoun(question) == word


def _chunk(number: int, text: str, heading: str = "") -> EvidenceChunk:
    return EvidenceChunk(
        chunk_id=f"c{number}",
        document_id=f"d{number}",
        version_id=f"v{number}",
        document=f"{number}.md",
        title=f"Paper {number}",
        place=Place(headings=[heading] if heading else []),
        text=text,
        score=0.5,
    )


def test_options_are_what_would_answer() -> None:
    """Headings over passages of the kind that is asked for come first; titles stand in for none."""
    found = [
        _chunk(1, "Nothing here has a length.", "Other things"),
        _chunk(2, "The test takes 30 minutes.", "3 Leak test"),
        _chunk(3, "An update takes 14 minutes."),
    ]
    options = unclear.options("how long does it take?", found)
    assert options[:2] == ["Leak test", "Paper 3"]
    assert len(options) <= unclear.MOST_OPTIONS
