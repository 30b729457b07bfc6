import pytest

from masis.words.commands import command


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("search wider", "wider"),
        ("Can you look a bit further please?", "wider"),
        ("show me the source", "sources"),
        ("ok, in which document is that?", "sources"),
        ("where does it say that", "sources"),
        ("who says so?", "sources"),
        ("shorter please", "shorter"),
        ("could you make it a bit shorter", "shorter"),
        ("tl;dr", "shorter"),
        ("oops, in English please", "language"),
        ("translate that into German", "language"),
        ("auf Deutsch bitte", "language"),
    ],
)
def test_what_is_asked_of_an_answer(text: str, meant: str) -> None:
    assert command(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "search for a wider belt",
        "in which document is the leave policy?",
        "what documents are there about leave",
        "documents?",
        "shorter working week",
        "who translates the manual into German?",
        "is the handbook in English?",
        "the source of the leak",
        "who says when we close?",
        "",
        "shorter " * 40,
    ],
)
def test_questions_are_no_commands(text: str) -> None:
    """What has another word in it asks the documents."""
    assert command(text) is None
