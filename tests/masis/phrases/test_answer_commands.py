"""What a message wants of the last answer, and what only sounds like it."""

import pytest

from masis.phrases.answer_commands import command, language


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("search wider", "wider"),
        ("Search wider please", "wider"),
        ("can you look again?", "wider"),
        ("thanks, but could you search more widely", "wider"),
        ("is that all?", "wider"),
        ("tell me more", "more"),
        ("more details please", "more"),
        ("can you give me more details?", "more"),
        ("can you elaborate on that", "more"),
        ("ok, tell me more about that", "more"),
        ("more", "more"),
        ("show me the source", "source"),
        ("show me the sources please", "source"),
        ("where does it say that?", "source"),
        ("in which document?", "source"),
        ("which document is that in", "source"),
        ("source?", "source"),
        ("sources pls", "source"),
        ("where did you get that from", "source"),
        ("says who?", "source"),
        ("how do you know that?", "source"),
        ("what's the source", "source"),
        ("what is your source for that", "source"),
        ("thanks! where does it say so?", "source"),
        ("are you sure?", "source"),
        ("can you show me where it says that", "source"),
        ("what page is that on", "source"),
        ("which page?", "source"),
        ("who says that", "source"),
        ("wo steht das?", "source"),
        ("in what document did you find that", "source"),
        ("shorter please", "shorter"),
        ("can you make it shorter", "shorter"),
        ("tl;dr", "shorter"),
        ("tldr", "shorter"),
        ("in one sentence please", "shorter"),
        ("summarise that", "shorter"),
        ("too long", "shorter"),
        ("a shorter answer please", "shorter"),
        ("too long, one line please", "shorter"),
        ("in two sentences", "shorter"),
        ("summarise that for my boss", "shorter"),
        ("make it a list", "list"),
        ("as bullet points please", "list"),
        ("in english please", "language"),
        ("auf deutsch bitte", "language"),
        ("auf Deutsch", "language"),
        ("can you say that in german?", "language"),
        ("translate that into french", "language"),
        ("en français s'il vous plaît", "language"),
        ("English please", "language"),
        ("please answer in German", "language"),
    ],
)
def test_commands_are_told(typed: str, wanted: str) -> None:
    assert command(typed) == wanted


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "shorter " * 40,
        "search wider for the laptop policy",
        "tell me more about contractors",
        "more holidays",
        "where does it say what to bring",
        "which document do I need for a visa",
        "source code policy",
        "shorter working hours",
        "short notice",
        "is there a german version of the handbook",
        "english lessons",
        "in english class",
        "translate the handbook",
        "what documents are there",
        "which documents",
        "show me the documents about leave",
        "show me the holiday policy",
        "summarise the handbook",
        "summary of the board pack",
        "more than ten days",
        "are you sure about the limit",
        "who says when we close",
        "where is it",
        "is it true for contractors",
        "thanks",
        "hello",
        "what else do I need",
        "what are the references for a new job",
        "list the files",
        "list all documents",
        "show me all documents",
    ],
)
def test_questions_are_no_commands(typed: str) -> None:
    assert command(typed) is None


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("in English please", "English"),
        ("auf Deutsch", "German"),
        ("en français s'il vous plaît", "French"),
        ("translate that", ""),
    ],
)
def test_a_language_has_many_names(typed: str, named: str) -> None:
    assert language(typed) == named
