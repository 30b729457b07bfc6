"""What a question says about the files that came with it."""

import pytest

from masis.words.attachment_words import hands_over, means_files_alone, says_nothing, without


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "…",
        "see attached",
        "Please find the document attached.",
        "here is the file",
        "the attachment",
        "FYI: pdf",
        "Here you go!",
        "Here it is: the contract",
        "As requested, the report and the minutes.",
    ],
)
def test_some_texts_say_nothing(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "summarise this",
        "what is this?",
        "is this right?",
        "is this the contract?",
        "is it there",
        "leave days",
        "x" * 5000,
        "the file " * 50,
    ],
)
def test_a_request_says_something(text: str) -> None:
    assert not says_nothing(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Here you go", True),
        ("ok, there it is!", True),
        ("I've just uploaded the policy", True),
        ("done", True),
        ("I uploaded it yesterday, why is it not there?", False),
        ("here is what I mean", False),
        ("It is about laptops", False),
        ("", False),
    ],
)
def test_giving_asks_nothing(text: str, *, expected: bool) -> None:
    """Who says that something was given asks nothing with it."""
    assert hands_over(text) is expected


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("What is the notice period in the attached file?", "What is the notice period?"),
        ("What is the notice period (see attachment)?", "What is the notice period?"),
        ("In the attached document, who signs?", "who signs?"),
        ("What does the attached contract cost?", "What does the contract cost?"),
        ("What does the attachment say about leave?", "What does the document say about leave?"),
        ("How are files uploaded?", "How are files uploaded?"),
        ("Attached", "Attached"),
    ],
)
def test_mentions_of_files_are_left_out(asked: str, left: str) -> None:
    assert without(asked) == left


@pytest.mark.parametrize(
    ("asked", "alone"),
    [
        ("What is the notice period of the attached contract?", True),
        ("What does this letter say about notice?", True),
        ("When does this signed agreement end?", True),
        ("Is the attached contract in line with our policy?", False),
        ("Does this offer comply with the purchasing rules?", False),
        ("How many days of leave are there?", False),
    ],
)
def test_comparisons_look_at_documents_too(asked: str, alone: bool) -> None:
    """A question about the files alone is not answered by documents of the workspace."""
    assert means_files_alone(asked) is alone
