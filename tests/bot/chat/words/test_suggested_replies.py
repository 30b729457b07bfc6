"""The replies that a question back suggests."""

from typing import Any

import pytest

from bot.chat.words.suggested_replies import suggestions
from masis.conversation import BOTH
from tests.bot.slack.view_samples import asked_back, source

NEAREST = {
    "retrieval_scores": [
        {"threshold": 0.6, "candidates": [{"document": "old.md", "score": 0.9}]},
        {
            "threshold": 0.55,
            "candidates": [
                {"document": "far.md", "score": 0.1},
                {"document": "near.md", "score": 0.5},
                {"document": "near.md", "score": 0.4},
            ],
        },
    ]
}


def bare(**changes: Any) -> Any:
    nothing: dict[str, Any] = {
        "kind": "below_threshold",
        "audit": None,
        "evaluation": None,
        "critique": None,
        "citations": [],
    }
    return asked_back(**{**nothing, **changes})


def test_a_conflict_offers_its_sources() -> None:
    third = [*asked_back().citations, source(3, document="c.md")]

    assert suggestions(asked_back(citations=third), {}) == ["a.md counts", "b.md counts", BOTH]


def test_sourceless_conflict_offers_cited_documents() -> None:
    """A conflict that names no source offers those that are cited."""
    value = asked_back(critique=None, citations=[source(3, document="c.md")])

    assert suggestions(value, {}) == ["c.md counts"]


def test_remote_question_offers_nearest_documents() -> None:
    """Nothing close offers the nearest documents of the last search."""
    assert suggestions(bare(), NEAREST) == ["Look in near.md", "Look in far.md"]
    assert suggestions(bare(), {}) == []


def test_weak_draft_offers_cited_documents() -> None:
    """A weak draft offers what it cites."""
    assert suggestions(asked_back(kind="low_confidence"), {}) == ["Go by a.md", "Go by b.md"]


def test_answered_questions_precede_documents() -> None:
    """Questions that are answered come before documents."""
    value = asked_back(kind="low_confidence", questions=["What is the notice period?"])

    assert suggestions(value, {}) == [
        "What is the notice period?",
        "Go by a.md",
        "Go by b.md",
    ]


def test_absent_word_offers_only_questions() -> None:
    """Where a word is absent questions alone are offered."""
    value = asked_back(kind="not_covered", questions=["What is the notice period?"])

    assert suggestions(value, {}) == ["What is the notice period?"]


def test_draft_from_named_document_offers_none() -> None:
    """A weak draft from the one document that was named offers nothing."""
    looked_at = {"retrieval_scores": [{"candidates": [{"document": "a.md", "score": 0.2}] * 2}]}
    value = asked_back(kind="low_confidence", citations=[source(1, document="a.md")])

    assert suggestions(value, looked_at) == []


def test_previous_reply_is_not_reoffered() -> None:
    """What was replied already is not offered again."""
    cited = [source(1, document="a.md"), source(2, document="b.md")]
    value = asked_back(kind="low_confidence", citations=cited, reply="Go by a.md")

    assert suggestions(value, {}) == ["Go by b.md"]


@pytest.mark.parametrize("kind", ["not_audited", "empty_workspace"])
def test_unanswerable_question_offers_no_documents(kind: str) -> None:
    """What no document can mend offers none."""
    assert suggestions(asked_back(kind=kind), NEAREST) == []


def test_options_equal_the_replies() -> None:
    """Options are the replies as they are."""
    value = asked_back(kind="ambiguous", options=["Leeds", "York", "Hull", "Bath", "Ely"])

    assert suggestions(value, {}) == ["Leeds", "York", "Hull", "Bath", "Ely"]


def test_four_suggestions_are_enough() -> None:
    many = [source(n, document=f"{n}.md") for n in range(1, 9)]

    assert len(suggestions(asked_back(kind="low_confidence", citations=many), {})) == 4
