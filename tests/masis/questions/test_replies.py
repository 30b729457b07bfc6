import pytest

from masis.domain import ClarificationKind
from masis.questions.replies import answering

ASKED = "How long is the notice?"


def test_the_reply_to_a_conflict_is_not_searched() -> None:
    asked = answering(ASKED, ASKED, "conflict", "new.md counts")

    assert (asked.text, asked.standalone, asked.reply) == (ASKED, ASKED, "new.md counts")


@pytest.mark.parametrize("kind", ["low_confidence", "below_threshold", "not_audited"])
def test_any_other_reply_narrows_what_is_searched(kind: ClarificationKind) -> None:
    asked = answering(ASKED, ASKED, kind, "For managers")

    assert asked.standalone == f"{ASKED}\nFor managers"
    assert (asked.text, asked.reply) == (ASKED, "For managers")


@pytest.mark.parametrize("reply", ["Thanks!", "not sure, ask HR", "No idea, sorry."])
def test_a_reply_that_says_nothing_is_not_searched(reply: str) -> None:
    assert answering(ASKED, ASKED, "low_confidence", reply).standalone == ASKED


def test_a_question_that_was_offered_is_asked_alone() -> None:
    offered = ["What is the notice period?"]

    asked = answering(ASKED, ASKED, "low_confidence", offered[0], questions=offered)
    typed = answering(ASKED, ASKED, "low_confidence", "What is it for managers?", questions=offered)

    assert (asked.text, asked.standalone, asked.reply) == (ASKED, offered[0], offered[0])
    assert typed.standalone == f"{ASKED}\nWhat is it for managers?"


def test_a_chain_of_replies_does_not_grow() -> None:
    """What is searched holds the question and the last two replies, each once."""
    standalone = ASKED
    for reply in ("For managers", "In Leeds", "In Leeds", "After probation"):
        standalone = answering(ASKED, standalone, "low_confidence", reply).standalone

    assert standalone == f"{ASKED}\nIn Leeds\nAfter probation"


def test_what_was_narrowed_stays_so_in_a_conflict() -> None:
    narrowed = answering(ASKED, ASKED, "low_confidence", "For managers")
    asked = answering(ASKED, narrowed.standalone, "conflict", "the newer one")

    assert asked.standalone == f"{ASKED}\nFor managers"
