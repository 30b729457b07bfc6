"""A question back as every surface shows it."""

import datetime as dt

import pytest

from bot.chat.shown.clarification_shown import (
    clarification_shown,
    closed_clarification,
    draft_shown,
    hours_open,
)
from bot.chat.words import shared_sentences
from masis.answering.outcome_texts import NEAREST
from tests.bot.slack.view_samples import NOW, RUN_ID, TODAY, asked_back, session

ASKED = "Which target counts?"


def test_question_has_reason_and_replies() -> None:
    shown = clarification_shown(asked_back(), ASKED, session(), TODAY)
    assert shown.title == shared_sentences.ASKS_BACK
    assert shown.why == shared_sentences.WHY["conflict"]
    assert shown.session == session().id
    assert shown.suggestions == ("a.md counts", "b.md counts")
    assert shown.scores.endswith("overall 90 %")
    assert shown.badge is not None
    assert shown.badge.level == "Low"
    assert shown.may_widen


def test_nothing_can_be_replied_without_session() -> None:
    shown = clarification_shown(asked_back(), ASKED)
    assert (shown.session, shown.suggestions, shown.may_widen) == ("", (), False)


@pytest.mark.parametrize(("kind", "is_wider"), [("choice", False), ("conflict", True)])
def test_some_questions_widen_nothing(kind: str, *, is_wider: bool) -> None:
    shown = clarification_shown(asked_back(kind=kind), ASKED, session(), TODAY, is_wider=is_wider)
    assert not shown.may_widen


def test_nearest_has_its_own_sources() -> None:
    value = asked_back(kind="low_confidence", nearest="It is 10 [2].", gaps=["No word on Leeds."])
    shown = clarification_shown(value, ASKED, session(), TODAY)
    assert shown.title == shared_sentences.UNSURE
    assert [each.n for each in shown.near_sources] == [2]
    assert [each.n for each in shown.sources] == [1, 2]
    assert shown.gaps.lines == ("No word on Leeds.",)
    assert shown.summary.startswith(f"{shared_sentences.UNSURE}: {NEAREST} It is 10 [2].")


def test_gaps_that_the_question_names_are_left() -> None:
    shown = clarification_shown(asked_back(gaps=["No word on Leeds."]), ASKED)
    assert shown.gaps.lines == ()


def test_empty_workspace_tells_no_reading() -> None:
    value = asked_back(kind="empty_workspace", understood="Which Leeds target?")
    assert clarification_shown(value, ASKED).understood == ""
    other = asked_back(understood="Which Leeds target?")
    assert "Which Leeds target?" in clarification_shown(other, ASKED).understood


def test_search_terms_are_said_once() -> None:
    """The badge says what was searched for; without one a line of its own does."""
    with_draft = clarification_shown(asked_back(searched_for=["mileage"]), ASKED)
    assert with_draft.searched_for == ""
    assert with_draft.badge is not None
    assert "mileage" in with_draft.badge.line
    bare = asked_back(audit=None, badge=None, searched_for=["mileage"])
    assert "mileage" in clarification_shown(bare, ASKED).searched_for


def test_options_may_be_named_already() -> None:
    asked = "Which is it?\n1. Pump leaks: a hose\n2. Roof leaks"
    value = asked_back(clarification_question=asked, options=["Pump leaks", "Roof leaks"])
    assert clarification_shown(value, ASKED).names_options
    other = asked_back(clarification_question="Which is it?", options=["Pump leaks"])
    assert not clarification_shown(other, ASKED).names_options


def test_draft_is_near_or_asked_for() -> None:
    """A draft of what nothing speaks of stands behind a press."""
    assert draft_shown(asked_back(audit=None)) is None
    near, far = draft_shown(asked_back()), draft_shown(asked_back(kind="not_covered"))
    assert near is not None
    assert near.is_near
    assert far is not None
    assert not far.is_near


def test_closed_question_keeps_its_title() -> None:
    closed = closed_clarification(session())
    assert (closed.run_id, closed.title) == (RUN_ID, shared_sentences.ASKS_BACK)
    near = closed_clarification(session(clarification=f"{NEAREST} It is 10."))
    assert near.title == shared_sentences.UNSURE


def test_session_is_open_an_hour_at_least() -> None:
    assert hours_open(session()) == 24
    assert hours_open(session(expires_at=NOW + dt.timedelta(minutes=5))) == 1
