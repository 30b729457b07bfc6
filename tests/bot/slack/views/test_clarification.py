from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.chat.words import shared_sentences
from bot.chat.words.suggested_replies import suggestions
from bot.slack import ids
from bot.slack.text import sentences
from bot.slack.views.clarification import clarification, closed, expired
from masis.answering.outcome_texts import below_nearest
from masis.domain import Badge
from masis.questions.readings import MOST
from tests.bot.slack.view_samples import (
    HOSTILE,
    RUN_ID,
    TODAY,
    actions,
    asked_back,
    faulty_audit,
    run,
    session,
    sound,
    texts,
)
from tests.examples import examples


def bare(**changes: Any) -> Any:
    nothing: dict[str, Any] = {
        "kind": "below_threshold",
        "audit": None,
        "evaluation": None,
        "critique": None,
        "citations": [],
    }
    return asked_back(**{**nothing, **changes})


def test_question_back_says_how_it_was_read() -> None:
    """How a question was read stands above the question back, unless nothing can be found at all."""
    read = "Which target of the budget counts?"

    said = clarification(run(), asked_back(understood=read), session(), TODAY)
    empty = asked_back(understood=read, kind="empty_workspace")
    assert f"Understood as: {read}" in texts(said.blocks)
    assert read not in texts(clarification(run(), empty, None, TODAY).blocks)
    sound(said)


def test_a_clarification_as_slack_gets_it() -> None:
    message = clarification(run(), asked_back(), session(), TODAY)

    assert message.text == (
        "I need your help to answer this: The sources disagree: a.md and b.md. Which one counts?"
    )
    assert texts(message.blocks).split("\n") == [
        "⚠️ *I need your help to answer this*",
        "The sources disagree: a.md and b.md. Which one counts?",
        "Why: the sources disagree, and further searches did not settle it.",
        "🔴 Low 50 % · 1 of 2 claims cited · 2 documents · the sources disagree",
        "Faithfulness 95 % · Relevance 90 % · Completeness 90 % · Reasoning 80 % · overall 90 %",
        "Reply in this thread, choose one of these, or use the form.",
        "a.md counts",
        "b.md counts",
        "Answer in a form",
        "Show the best draft",
        "Search wider",
        "How I got this",
        "Cancel",
    ]
    assert [block["type"] for block in message.blocks] == [
        "section",
        "section",
        "context",
        "context",
        "context",
        "context",
        "actions",
        "actions",
    ]
    sound(message)


def test_each_button_carries_what_it_means() -> None:
    found = actions(clarification(run(), asked_back(), session(), TODAY).payload())

    assert ids.SuggestedReply.loaded(found[f"{ids.REPLY}_1"]["value"]).choice == 1
    assert ids.SessionRef.loaded(found[ids.REPLY_FORM]["value"]).session == session().id
    assert ids.SessionRef.loaded(found[ids.DISMISS]["value"]).session == session().id
    assert ids.RunRef.loaded(found[ids.DRAFT]["value"]).run == RUN_ID
    assert ids.RunRef.loaded(found[ids.WIDER]["value"]).run == RUN_ID


def test_missing_draft_is_not_shown() -> None:
    """Without a draft there is none to show."""
    message = clarification(run(), bare(), session(suggestions=[]), TODAY)

    assert ids.DRAFT not in actions(message.payload())
    assert sentences.HOW_TO_REPLY in texts(message.blocks)
    assert "Faithfulness" not in texts(message.blocks)
    sound(message)


def test_unhelpful_reply_is_not_requested() -> None:
    """Where no reply helps none is asked for."""
    message = clarification(run(), bare(kind="empty_workspace"), None, TODAY)

    assert set(actions(message.payload())) == {ids.AUDIT}
    assert sentences.HOW_TO_REPLY not in texts(message.blocks)
    sound(message)


@pytest.mark.parametrize("kind", shared_sentences.WHY)
def test_every_kind_says_why(kind: str) -> None:
    message = clarification(run(), asked_back(kind=kind), session(), TODAY)

    assert shared_sentences.WHY[asked_back(kind=kind).kind] in texts(message.blocks)
    sound(message)


def test_search_terms_show_without_draft() -> None:
    """What was searched for is told without a draft."""
    value = asked_back(kind="below_threshold", audit=None, badge=None, searched_for=["mileage"])

    assert "searched for “mileage”" in texts(clarification(run(), value, session(), TODAY).blocks)


NEAR = "It is 10 [1]."


def test_nearest_statement_cites_its_source() -> None:
    """The nearest statement is shown with its source alone."""
    value = asked_back(kind="low_confidence", nearest=NEAR, gaps=["Nothing was calculated."])

    shown = texts(clarification(run(), value, session(), TODAY).blocks).split("\n")

    assert shown[0] == "⚠️ *I am not sure about this one*"
    at = shown.index("*The nearest that the documents say:*")
    assert at < shown.index(value.clarification_question)
    assert shown[at + 1 : at + 3] == [NEAR, "Nothing was calculated."]
    assert "a.md" in shown[at + 3]
    assert not any("[2]" in line for line in shown)


@pytest.mark.parametrize("nearest", ["", NEAR])
def test_what_is_missing_is_told_of_far_passages(nearest: str) -> None:
    value = asked_back(kind="below_threshold", nearest=nearest, gaps=["I drew no chart."])

    shown = texts(clarification(run(), value, session(), TODAY).blocks).split("\n")

    assert "I drew no chart." in shown


def test_no_draft_without_nearest_statement() -> None:
    """Without a nearest statement no draft is shown."""
    shown = texts(clarification(run(), asked_back(), session(), TODAY).blocks)

    assert "The nearest" not in shown
    assert "It is 10" not in shown


def test_notification_contains_nearest_statement() -> None:
    """Who reads the notification alone has the nearest."""
    value = asked_back(kind="low_confidence", nearest=NEAR)

    message = clarification(run(), value, session(), TODAY)

    assert message.text == (
        "I am not sure about this one: The nearest that the documents say: It is 10 [1]. "
        "The sources disagree: a.md and b.md. Which one counts?"
    )


def test_hostile_text_stays_text() -> None:
    """Hostile text beside a question back stays text."""
    value = asked_back(
        kind="low_confidence", nearest=f"{HOSTILE} [1]", gaps=[HOSTILE], options=[HOSTILE]
    )

    sound(clarification(run(), value, session(suggestions=suggestions(value, {})), TODAY))


# --- suggestions ---------------------------------------------------------------------------


def test_named_options_have_buttons() -> None:
    """Every option that is named has its button."""
    options = [f"Site {n}" for n in range(MOST)]
    value = asked_back(kind="ambiguous", options=options)

    message = clarification(run(), value, session(suggestions=suggestions(value, {})), TODAY)

    assert [f"{ids.REPLY}_{n}" for n in range(MOST)] == [
        each
        for each in actions(message.payload())
        if each.startswith(f"{ids.REPLY}_") and each != ids.REPLY_FORM
    ]
    sound(message)


# --- its end -------------------------------------------------------------------------------


def test_closed_question_loses_its_buttons() -> None:
    """A closed question keeps its text and loses its buttons."""
    message = closed(session(), sentences.answered_by("U0OTHER01", ""))

    assert message.text == "Answered by <@U0OTHER01>. The new answer follows below."
    assert "Which one counts?" in texts(message.blocks)
    assert actions(message.payload()) == {}
    sound(message)


def test_closed_question_keeps_nearest_title() -> None:
    """A closed question that showed the nearest keeps its title."""
    shown = session(clarification=below_nearest("It is 10. [1]", "Is this what you meant?"))

    message = closed(shown, sentences.answered_by("U0OTHER01", ""))

    assert texts(message.blocks).startswith(f"⚠️ *{shared_sentences.UNSURE}*\n")


def test_unseen_reply_replaces_the_buttons() -> None:
    """A reply that nobody else has read is repeated where the buttons were."""
    chosen = sentences.answered_by("U0OTHER01", "old.md counts")
    typed = sentences.answered_by("U0OTHER01", "<!channel> " + "long " * 100)

    assert closed(session(), chosen).text.startswith("Answered by <@U0OTHER01>: “old.md counts”. ")
    assert "<!channel>" not in closed(session(), typed).text
    assert len(closed(session(), typed).text) < 300
    sound(closed(session(), typed))


def test_an_expired_question_says_so() -> None:
    assert "Nobody replied within 24 hours" in expired(session()).text


# --- hostile texts -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"clarification_question": HOSTILE * 40},
        {"answer": HOSTILE},
        {"badge": Badge(level="Low", confidence=0.1, note=HOSTILE * 30)},
        {"audit": faulty_audit(HOSTILE, 3)},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_no_field_is_live(changes: dict[str, Any]) -> None:
    sound(clarification(run(), asked_back(**changes), session(), TODAY))


@given(st.lists(st.one_of(st.just(HOSTILE * 5), st.text(max_size=100)), max_size=9), st.text())
@settings(max_examples=examples(50), deadline=None)
def test_slack_takes_whatever_is_suggested(replies: list[str], question: str) -> None:
    parked = session(suggestions=replies, clarification=question)

    sound(clarification(run(), asked_back(clarification_question=question), parked, TODAY))
    sound(closed(parked, sentences.cancelled_by(question)))


def test_overlong_question_says_where_it_stands() -> None:
    """A question for which a message has no room says where all of it can be read."""
    whole = clarification(
        run(), asked_back(clarification_question="Which? " * 1500), session(), TODAY
    )
    cut = clarification(
        run(), asked_back(clarification_question="Which? " * 5000), session(), TODAY
    )
    assert texts(whole.blocks).count("Which?") == 1500
    assert shared_sentences.QUESTION_GOES_ON not in texts(whole.blocks)
    assert shared_sentences.QUESTION_GOES_ON in texts(cut.blocks)
    sound(cut)
