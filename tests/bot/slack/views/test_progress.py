import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.chat.shown.progress_shown import ProgressShown
from bot.slack import ids
from bot.slack.text import sentences
from bot.slack.text.thread_sentences import READ_THE_LAST
from bot.slack.views.progress import progress
from masis.conversation import MOST_HEARD
from masis.domain import Failed, NotLinked, Refused
from masis.graphs.registry import GRAPHS
from masis.runs import Step
from tests.bot.slack.view_samples import (
    HOSTILE,
    RUN_ID,
    actions,
    answered,
    asked_back,
    run,
    sound,
    texts,
)
from tests.examples import examples
from tests.second_graph import COUNTING, NAME


def step(name: str, number: int = 1, state: str = "started", note: str = "") -> Step:
    return Step.model_validate({"name": name, "number": number, "state": state, "note": note})


def states(state: ProgressShown) -> list[tuple[str, str]]:
    return [(task.title, task.state) for task in state.steps]


def after(*steps: Step) -> ProgressShown:
    state = ProgressShown.planned(run())
    for each in steps:
        state = state.with_step(each)
    return state


@pytest.mark.parametrize(("heard", "said"), [(MOST_HEARD, True), (MOST_HEARD - 1, False)])
def test_cut_thread_is_said(heard: int, said: bool) -> None:
    """Where a thread was long it is said how much of it was read."""
    asked = run(heard=["word"] * heard)
    message = progress(asked, ProgressShown.begun(asked))

    assert (READ_THE_LAST in texts(message.blocks)) == said


def test_run_starts_with_pending_steps() -> None:
    """A run begins with five pending steps."""
    assert states(ProgressShown.planned(run())) == [
        ("Understand", "pending"),
        ("Search", "pending"),
        ("Draft", "pending"),
        ("Audit", "pending"),
        ("Evaluate", "pending"),
    ]


def test_first_state_is_true_at_once() -> None:
    """What is shown first is true at once."""
    assert states(ProgressShown.begun(run()))[:2] == [
        ("Understand", "in_progress"),
        ("Search", "pending"),
    ]
    assert ProgressShown.begun(run()).with_step(step("understand")) == ProgressShown.begun(run())
    assert progress(run(), ProgressShown.begun(run())).text == "Working on it: Understand"


def test_the_plan_as_slack_gets_it() -> None:
    state = after(step("search"), step("search", state="finished"), step("draft"))

    assert progress(run(), state).payload() == {
        "text": "Working on it: Draft",
        "blocks": [
            {
                "type": "plan",
                "title": "Working on it",
                "tasks": [
                    {
                        "type": "task_card",
                        "task_id": "understand_1",
                        "title": "Understand",
                        "status": "complete",
                    },
                    {
                        "type": "task_card",
                        "task_id": "search_1",
                        "title": "Search",
                        "status": "complete",
                    },
                    {
                        "type": "task_card",
                        "task_id": "draft_1",
                        "title": "Draft",
                        "status": "in_progress",
                    },
                    {
                        "type": "task_card",
                        "task_id": "audit_1",
                        "title": "Audit",
                        "status": "pending",
                    },
                    {
                        "type": "task_card",
                        "task_id": "evaluate_1",
                        "title": "Evaluate",
                        "status": "pending",
                    },
                ],
            },
            {
                "type": "actions",
                "elements": [
                    {
                        "type": "button",
                        "action_id": "masis_cancel",
                        "text": {"type": "plain_text", "text": "Cancel", "emoji": False},
                        "value": f'{{"v":1,"run":"{RUN_ID}"}}',
                        "style": "danger",
                        "confirm": {
                            "title": {
                                "type": "plain_text",
                                "text": "Stop this question?",
                                "emoji": False,
                            },
                            "text": {
                                "type": "plain_text",
                                "text": "The work on this question ends, and no answer is posted.",
                                "emoji": False,
                            },
                            "confirm": {"type": "plain_text", "text": "Stop it", "emoji": False},
                            "deny": {"type": "plain_text", "text": "Keep going", "emoji": False},
                            "style": "danger",
                        },
                    }
                ],
            },
        ],
    }


def test_a_retry_says_what_is_different() -> None:
    state = after(step("evaluate", state="finished"), step("search", 2), step("draft", 2))

    assert states(state)[5:] == [
        ("Retry 1: widened search", "complete"),
        ("Draft", "in_progress"),
        ("Audit", "pending"),
        ("Evaluate", "pending"),
    ]
    sound(progress(run(), state))


def test_model_service_wait_is_shown() -> None:
    """A wait for the model service is shown and passes."""
    note = "waiting 12 s for a free place at the model service"
    waiting = after(step("draft"), step("draft", note=note))

    assert "Waiting 12 s for a free place at the model service" in texts(
        progress(run(), waiting).payload()
    )
    going_on = waiting.with_step(step("draft", state="finished"))
    assert "Waiting" not in texts(progress(run(), going_on).payload())


def test_another_graph_has_its_own_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GRAPHS, NAME, COUNTING)
    counting = run(graph=NAME)
    state = ProgressShown.begun(counting).with_step(step("count", state="finished"))

    assert states(state) == [("Count the passages", "complete"), ("Tell the number", "pending")]
    assert state.with_step(step("search")) == state
    (plan,) = progress(counting, state.finished(answered())).blocks
    assert plan["tasks"][0]["title"] == "First pass: count the passages"


def test_a_graph_nobody_has_shows_no_steps() -> None:
    strange = run(graph="strange")
    state = ProgressShown.begun(strange).with_step(step("search"))

    assert states(state) == []
    sound(progress(strange, state.finished("failed")))


def test_wait_is_in_title() -> None:
    """A run waits, which stands in the title, until it begins."""
    waiting = ProgressShown.planned(run()).waiting(sentences.WAITING_IN_THREAD)

    assert progress(run(), waiting).text == "Waiting for the question before it in this thread"
    assert progress(run(), waiting.with_step(step("search"))).text == "Working on it: Search"


@pytest.mark.parametrize(
    ("outcome", "title", "last"),
    [
        (answered(), "Done · 2 passes", "complete"),
        (asked_back(), "Asked back · 2 passes", "complete"),
        (Failed(run_id="r", question="q", error="e"), "Failed · 2 passes", "error"),
        (Refused(run_id="r", question="q", reason="r"), "Not answered · 2 passes", "complete"),
        (
            NotLinked(run_id="r", question="q", instructions="i"),
            "Not answered · 2 passes",
            "complete",
        ),
        ("stopped", "Stopped · 2 passes", "error"),
        ("withheld", "Withheld · 2 passes", "complete"),
    ],
)
def test_finished_plan_lists_each_pass(outcome: object, title: str, last: str) -> None:
    """A finished plan is a line a pass without a button."""
    state = after(step("search"), step("search", 2)).finished(outcome)  # type: ignore[arg-type]
    (plan,) = progress(run(), state).blocks

    assert plan["title"] == title
    assert [(task["title"], task["status"]) for task in plan["tasks"]] == [
        ("First pass: understand, search, draft, audit, evaluate", "complete"),
        ("Retry 1: search", last),
    ]
    sound(progress(run(), state))


def test_nothing_changes_after_the_end() -> None:
    ended = after(step("search")).finished("stopped")

    assert ended.with_step(step("draft")) == ended


def test_early_end_shows_no_steps() -> None:
    """A run that ended before it began shows no steps."""
    (plan,) = progress(run(), ProgressShown.planned(run()).finished("stopped")).blocks

    assert (plan["title"], plan["tasks"]) == ("Stopped", [])


def test_wider_search_names_its_requester() -> None:
    """A wider search says who asked for it to the end."""
    wider = run(wider=True)

    for state in (ProgressShown.planned(run()), ProgressShown.planned(run()).finished("answered")):
        assert texts(progress(wider, state).blocks).startswith("<@U0ASKER01> asked to search wider")


def test_the_button_carries_the_run() -> None:
    button = actions(progress(run(), ProgressShown.planned(run())).payload())[ids.CANCEL]

    assert ids.RunRef.loaded(button["value"]).run == RUN_ID


@given(
    st.lists(
        st.builds(
            step,
            st.sampled_from(["search", "draft", "audit", "evaluate"]),
            st.integers(min_value=-1, max_value=60),
            st.sampled_from(["started", "finished"]),
            st.one_of(st.just(HOSTILE * 40), st.text(max_size=50)),
        ),
        max_size=12,
    ),
    st.booleans(),
)
@settings(max_examples=examples(60), deadline=None)
def test_slack_accepts_any_step_order(steps: list[Step], ends: bool) -> None:
    """No order of steps is refused by slack."""
    state = after(*steps)

    sound(progress(run(), state.finished("failed") if ends else state))
