"""Progress, questions back, the audit, refusals and the welcome as cards."""

import json
from typing import Any, get_args

import pytest

from bot.chat.shown.progress_shown import MAX_PASSES, ProgressShown
from bot.chat.words import shared_sentences
from bot.chat.words.suggested_replies import suggestions
from bot.teams.cards import carried, notice_card
from bot.teams.cards.audit_card import audit
from bot.teams.cards.card_elements import card
from bot.teams.cards.carried import (
    Choice,
    DialogRef,
    RunRef,
    Suggested,
    TypedReply,
    UnreadableValue,
    WorkspaceRef,
)
from bot.teams.cards.progress_card import progress
from bot.teams.cards.question_card import closed, draft, expired, question, whole_question
from bot.teams.managing.team_commands import command_of
from bot.teams.text import sentences
from masis.domain import ClarificationKind, Workspace, WorkspaceId, opaque_id
from masis.records import StoredRun
from masis.runs import Step
from masis.words.chat_words import small_talk
from tests.bot.slack.view_samples import (
    HOSTILE,
    RUN_ID,
    TODAY,
    answered,
    asked_back,
    faulty_audit,
    run,
    session,
    source,
    workspace,
)
from tests.bot.teams.card_checker import card_violations, texts, violations
from tests.bot.teams.cards.test_answer_card import card_of, shown, titles

KINDS = get_args(ClarificationKind)
PLANNED = ProgressShown.planned(run())


def step(name: str, state: Any = "started", number: int = 1, note: str = "") -> Step:
    return Step(name=name, number=number, state=state, title=name.title(), note=note)


# --- progress ------------------------------------------------------------------------------


def test_progress_shows_steps_and_cancel() -> None:
    state = PLANNED.with_step(step("search")).with_step(step("draft", note="waits 3 s"))
    made = progress(run(message="1"), state)
    assert violations(made) == []
    assert texts(card_of(made))[1:4] == ["✓ Understand", "✓ Search", "▸ Draft (waits 3 s)"]
    assert titles(made) == ["Cancel"]
    assert made["summary"] == "Working on it: Draft"


def test_pressed_question_is_named() -> None:
    """Nobody typed it: without it a channel reads an answer to nothing."""
    asked = "Asked: “How much annual leave is there?”"
    assert asked in texts(card_of(progress(run(), PLANNED)))
    for changes in ({"message": "1"}, {"kind": "reply"}):
        assert asked not in texts(card_of(progress(run(**changes), PLANNED)))


def test_progress_is_refreshed_for_the_asker() -> None:
    refresh = card_of(progress(run(asker="ann"), PLANNED))["refresh"]
    assert refresh["action"]["verb"] == carried.REFRESH
    assert refresh["userIds"] == ["8:orgid:ann"]


def test_nothing_begun_is_no_line() -> None:
    assert texts(card_of(progress(run(message="1"), PLANNED)))[1:] == ["Cancel"]


def test_hostile_and_endless_steps_fit() -> None:
    state = PLANNED.waiting(HOSTILE)
    assert violations(progress(run(), state)) == []
    for number in range(1, MAX_PASSES + 9):
        for each in PLANNED.plan:
            state = state.with_step(step(each.name, number=number, note=HOSTILE))
    assert violations(progress(run(), state)) == []
    assert len(state.begun_steps) == len(state.steps)


# --- questions back ------------------------------------------------------------------------


def test_question_can_be_answered_in_its_card() -> None:
    made = question(run(), asked_back(), session(), TODAY)
    assert violations(made) == []
    assert titles(made) == [
        *("a.md counts", "b.md counts", "Reply", "Show the best draft"),
        *("Search wider", "How I got this", "Cancel"),
    ]
    (field,) = [each for each in card_of(made)["body"] if each["type"] == "Input.Text"]
    assert field["id"] == carried.IN_REPLY


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_question_is_sound(kind: ClarificationKind) -> None:
    outcome = asked_back(
        kind=kind,
        nearest=f"{HOSTILE} [1]",
        clarification_question=HOSTILE,
        gaps=[HOSTILE],
        searched_for=[HOSTILE],
        unread=[HOSTILE],
        questions=[f"{HOSTILE}?"],
        options=[HOSTILE],
    )
    asked = session(suggestions=suggestions(outcome, {}))
    assert violations(question(run(question=HOSTILE), outcome, asked, TODAY)) == []
    assert shared_sentences.WHY[kind] in shown(question(run(), outcome, asked, TODAY))


def test_choice_between_codes_is_no_search() -> None:
    made = question(run(), asked_back(kind="choice"), session(), TODAY)
    assert "Search wider" not in titles(made)


def test_question_without_session_takes_no_reply() -> None:
    made = question(run(), asked_back(kind="empty_workspace", audit=None), None, TODAY)
    assert violations(made) == []
    assert titles(made) == ["How I got this"]
    assert "Input.Text" not in json.dumps(made)


def test_long_question_fits() -> None:
    outcome = asked_back(clarification_question="Which? " * 9000, nearest="near [1] " * 9000)
    asked = session(suggestions=["x" * 500] * 8)
    assert violations(question(run(), outcome, asked, TODAY)) == []


@pytest.mark.parametrize("text", ["Which? " * 9000, "Which one?\n" * 4000, HOSTILE * 300])
def test_long_question_is_read_on(text: str) -> None:
    """Nothing is cut without a word: a dialog has all of a question and of what comes nearest."""
    outcome = asked_back(clarification_question=text, nearest="near [1] " * 9000)
    for made in (
        question(run(), outcome, session(), TODAY),
        closed(session(clarification=text), "closed"),
    ):
        assert violations(made) == []
        assert "Read on" in titles(made)
        assert sentences.QUESTION_LONGER in shown(made)
    pages = [card(page) for page in whole_question(run(), outcome, TODAY)]
    assert [fault for page in pages for fault in card_violations(page)] == []
    whole = "".join(said for page in pages for said in texts(page))
    wanted = sum(each.isalnum() for each in text + outcome.nearest)
    assert sum(each.isalnum() for each in whole) >= wanted


def test_short_question_is_whole() -> None:
    outcome = asked_back(clarification_question="Which? " * 1500)
    made = question(run(), outcome, session(), TODAY)
    assert "Read on" not in titles(made)
    assert shown(made).count("Which?") == 1500


def test_closed_question_has_no_buttons() -> None:
    said = sentences.answered_by(HOSTILE, HOSTILE)
    for made in (closed(session(), said), expired(session(clarification=HOSTILE))):
        assert violations(made) == []
        assert titles(made) == []


def test_draft_is_shown_with_a_warning() -> None:
    made = card(draft(asked_back(answer=HOSTILE), TODAY))
    assert card_violations(made) == []
    assert shared_sentences.DRAFT_WARNING in "".join(texts(made))
    assert shared_sentences.NO_DRAFT in texts(card(draft(asked_back(audit=None), TODAY)))


# --- the audit -----------------------------------------------------------------------------


def kept(**changes: Any) -> StoredRun:
    values: dict[str, Any] = {
        "run_id": RUN_ID,
        "graph": "research",
        "workspace_id": "ws_a",
        "question": "How much annual leave is there?",
        "status": "success",
        "outcome": answered().model_dump(mode="json"),
        "evidence": [],
        "trace": [
            {"node": "retrieve", "pass": 1, "chunks": 3, "avg_score": 0.5, "duration_ms": 40}
        ],
        "figures": {
            "searches": 1,
            "retrieval_scores": [
                {
                    "threshold": 0.6,
                    "candidates": [
                        {"document": HOSTILE, "chunk_id": "c_1", "score": 0.9, "kept": True}
                    ],
                }
            ],
        },
    }
    return StoredRun.model_validate({**values, **changes})


def test_audit_shows_the_trail() -> None:
    made = audit(kept())
    assert card_violations(made) == []
    said = "\n".join(texts(made))
    for part in (
        "First pass",
        "kept 3",
        "Faithfulness 95 %",
        "Looked at 1 passage",
        "What the audit found",
    ):
        assert part in said


def test_long_audit_has_pages() -> None:
    found = [{"document": HOSTILE, "chunk_id": "c", "score": 0.1} for _ in range(500)]
    long = kept(figures={"retrieval_scores": [{"candidates": found}]})
    for page in (0, 1, 9999):
        assert card_violations(audit(long, page)) == []
    assert titles(audit(long, 0)) == ["Next"]
    assert titles(audit(long, 1)) == ["Back", "Next"]
    assert titles(audit(long, 9999)) == ["Back"]


@pytest.mark.parametrize(
    "changes",
    [
        {"blanked": True, "question": ""},
        {"status": "failed", "outcome": {"error": HOSTILE}},
        {"outcome": {"of": "an older release"}},
        {"outcome": answered(audit=faulty_audit(HOSTILE, 30)).model_dump(mode="json")},
        {
            "status": "needs_clarification",
            "outcome": asked_back(reply=HOSTILE).model_dump(mode="json"),
        },
        {"trace": [{"node": 5, "pass": "x", "odd": {"a": [1]}, "text": HOSTILE}]},
    ],
)
def test_every_end_has_an_audit(changes: dict[str, Any]) -> None:
    assert card_violations(audit(kept(**changes))) == []


# --- notices -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "made",
    [
        notice_card.refused(HOSTILE),
        notice_card.withheld(HOSTILE),
        notice_card.failed(HOSTILE, retryable=True),
        notice_card.stopped("operator"),
        notice_card.greeting(HOSTILE * 10, [HOSTILE, "x" * 400, ""]),
        notice_card.welcome(personal=True, questions=["How long is leave?"]),
        notice_card.welcome(personal=False),
    ],
)
def test_notices_are_sound(made: dict[str, Any]) -> None:
    assert violations(made) == []


def test_greeting_offers_questions() -> None:
    assert titles(notice_card.greeting("Hello!", ["One?", "Two?"])) == ["One?", "Two?"]


def test_hostile_names_leave_the_chooser_sound() -> None:
    """A menu of workspaces with the longest and worst names keeps its size, and a choice is read."""
    many = [workspace(at, HOSTILE * 9) for at in range(200)]
    made = notice_card.choose_workspace(many)
    assert violations(made) == []
    content = card_of(made)
    (menu,) = (each for each in content["body"] if each["type"] == "Input.ChoiceSet")
    (send,) = content["body"][-1]["actions"]
    chosen = send["data"] | {menu["id"]: menu["choices"][7]["value"]}
    assert WorkspaceRef.loaded(chosen).workspace in {each.id for each in many}


# --- what buttons carry --------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        RunRef(run=RUN_ID),
        Choice(run=RUN_ID, session="s_1", choice=2),
        Suggested(question="Why?"),
        DialogRef(dialog="passage", run=RUN_ID, n=3),
    ],
)
def test_what_is_carried_comes_back(value: carried.Carried) -> None:
    assert type(value).loaded(value.data() | {"msteams": {"type": "x"}}) == value


def test_typed_reply_comes_from_its_input() -> None:
    data = TypedReply(run=RUN_ID, session="s_1").data() | {carried.IN_REPLY: "the new one"}
    assert TypedReply.loaded(data).reply == "the new one"
    assert TypedReply.loaded(TypedReply(run=RUN_ID, session="s_1").data()).reply == ""


@pytest.mark.parametrize(
    "data",
    [
        *(None, [], "x", {}, {"v": 2, "run": RUN_ID}, {"v": 1, "run": 5}),
        *({"v": 1, "run": "a b"}, {"v": 1, "run": "x" * 81}, {"v": "1", "run": RUN_ID}),
    ],
)
def test_odd_values_are_refused(data: Any) -> None:
    with pytest.raises(UnreadableValue):
        RunRef.loaded(data)


def test_many_citations_stay_in_size() -> None:
    outcome = asked_back(
        nearest=" ".join(f"[{n}]" for n in range(1, 31)),
        citations=[source(n, document="x" * 300) for n in range(1, 31)],
    )
    assert violations(question(run(), outcome, session(), TODAY)) == []


@pytest.mark.parametrize("number", [2, 10, 11, 200, 350])
def test_chooser_names_every_workspace(number: int) -> None:
    """Many stand in a menu; what does not fit is counted, and nothing is left out silently."""
    known = [a_workspace(f"Workspace of the department number {at}") for at in range(number)]
    made = notice_card.choose_workspace(known)
    assert violations(made) == []
    told = json.dumps(card_of(made))
    named = sum(f'number {at}"' in told for at in range(number))
    assert named == min(number, notice_card.MOST_WORKSPACES)
    assert (f"{number - named} more workspaces" in told) == (named < number)
    assert len(titles(made)) == (number if number <= notice_card.MOST_BUTTONS else 1)


def a_workspace(name: str) -> Workspace:
    return Workspace(id=WorkspaceId(opaque_id("w", name)), name=name, owner="teams:a:b")


def test_chosen_workspace_is_read_from_either() -> None:
    """From a button, or from the menu beside it."""
    assert WorkspaceRef.loaded({"v": 1, "workspace": "w_1"}).workspace == "w_1"
    assert WorkspaceRef.loaded({"v": 1, carried.IN_CHOSEN: "w_1"}).workspace == "w_1"


@pytest.mark.parametrize(
    ("over", "in_chat", "said"),
    [
        ({}, False, "mention me in this thread"),
        ({"direct": True}, False, "Reply below."),
        ({"direct": True}, True, "just write your reply"),
    ],
)
def test_ways_to_reply_fit_the_place(over: dict[str, Any], in_chat: bool, said: str) -> None:
    waiting = session().model_copy(update={"suggestions": []})
    made = question(run(**over), asked_back(), waiting, TODAY, in_chat=in_chat)
    assert said in json.dumps(card_of(made))
    assert ("thread" in json.dumps(card_of(made))) == ("thread" in said)


def test_chats_welcome_offers_words_that_do_something() -> None:
    """Above the field of one's own chat; in a channel Teams shows none."""
    offered = notice_card.welcome(personal=True)["suggestedActions"]["actions"]
    assert {each["type"] for each in offered} == {"imBack"}
    for said in (each["value"] for each in offered):
        assert command_of(said) or small_talk(said), said
    assert "suggestedActions" not in notice_card.welcome(personal=False)
