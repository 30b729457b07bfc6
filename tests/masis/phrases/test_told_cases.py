"""The clause that asks, behind a case that is told."""

import pytest

from masis.phrases.told_cases import SHARE, lowered, parted, share


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "a tile came down in the hall this morning and nobody is hurt, who do i report it to",
            "who do i report it to",
        ),
        (
            "I was on a course all of last week and missed it. When is the next one, and where?",
            "When is the next one, and where?",
        ),
        (
            "my ladder is bent since somebody drove over it, if i buy one, until when is it paid back",
            "if i buy one, until when is it paid back",
        ),
        (
            "the tenant has asked us twice for a second key and did a copy himself, may he have one",
            "may he have one",
        ),
    ],
)
def test_case_is_parted_from_question(question: str, asked: str) -> None:
    case = parted(question)
    assert case.asked == asked
    assert question.startswith(case.told)


@pytest.mark.parametrize(
    "question",
    [
        "on Fridays, when do we close",
        "who do i ring if the lift is stuck with somebody in it, and by when",
        "If I drive to a customer from home, what is paid?",
        "how tall is the mast",
    ],
)
def test_a_question_alone_tells_nothing(question: str) -> None:
    assert parted(question) == ("", question)
    assert share(question) == 0.0


def test_an_empty_clause_counts_less() -> None:
    """What says what it asks about counts for itself, and words that are only told weigh less."""
    told = "i slept in the van for three nights on the island job, "
    full, empty = (
        f"{told}what allowance is paid for nights without a hotel",
        f"{told}do i get that back",
    )
    assert share(full) == SHARE > share(empty)
    weights = lowered(full, {"van": 1.0, "allow": 1.0})
    assert weights["van"] < weights["allow"] == 1.0
