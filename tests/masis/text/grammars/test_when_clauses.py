"""A "when" that asks for no time."""

import pytest

from masis.retrieval.extraction import wanted
from masis.text.grammars.when_clauses import without


@pytest.mark.parametrize(
    ("question", "left", "kind"),
    [
        ("where do we meet when the bell rings", "where do we meet", "place"),
        ("Who do I call when the kiln leaks?", "Who do I call?", "person"),
        ("how much do i get when i work at night", "how much do i get", "money"),
        ("do i get paid when i'm ill", "do i get paid", "yes_no"),
        ("when the bell rings where do we go", "where do we go", "place"),
        ("when i find a leak, who do i tell", "who do i tell", "person"),
    ],
)
def test_clause_of_time_asks_nothing(question: str, left: str, kind: str) -> None:
    assert without(question) == left
    assert wanted(question) == kind


@pytest.mark.parametrize(
    "question",
    [
        "when is the kiln fired",
        "and when do we get paid",
        "can you tell me when the kiln is fired",
        "do you know when the pond opens",
        "does anybody remember when we moved in",
        "where is the party, and when does it begin",
        "what day and when exactly",
        "since when are we here",
        "have they said anything about when the pond opens",
        "when did the board meet",
        "is there a date when the lease ends",
    ],
)
def test_when_that_asks_stays(question: str) -> None:
    assert without(question) == question
    assert wanted(question) == "time"
