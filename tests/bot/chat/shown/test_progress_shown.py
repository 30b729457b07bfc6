"""A run while it goes on, as every chat shows it."""

import pytest

from bot.chat.shown.progress_shown import MAX_PASSES, ProgressShown
from masis.runs import Step
from tests.bot.slack.view_samples import answered, run


def step(name: str, number: int = 1, state: str = "started", note: str = "") -> Step:
    return Step.model_validate({"name": name, "number": number, "state": state, "note": note})


def states(state: ProgressShown) -> list[tuple[str, str]]:
    return [(each.title, each.state) for each in state.steps]


def after(*steps: Step) -> ProgressShown:
    state = ProgressShown.planned(run())
    for each in steps:
        state = state.with_step(each)
    return state


def test_summary_says_what_is_done() -> None:
    assert ProgressShown.planned(run()).summary == "Working on it"
    assert after(step("search")).summary == "Working on it: Search"
    waiting = ProgressShown.planned(run()).waiting("Waiting for others")
    assert waiting.summary == "Waiting for others"
    assert waiting.with_step(step("search")).note == ""


def test_begun_steps_stand_alone() -> None:
    assert ProgressShown.planned(run()).begun_steps == []
    assert [each.title for each in after(step("search")).begun_steps] == ["Understand", "Search"]


@pytest.mark.parametrize(("end", "has_failed"), [("answered", False), ("failed", True)])
def test_each_pass_is_a_line(end: str, *, has_failed: bool) -> None:
    state = after(step("evaluate", state="finished"), step("search", 2))
    first, second = state.finished("failed" if end == "failed" else "answered").passes
    assert first.title.startswith("First pass: ")
    assert second.title == "Retry 1: search"
    assert (first.has_failed, second.has_failed) == (False, has_failed)


def test_passes_are_bounded() -> None:
    state = after(step("search"))
    assert state.with_step(step("search", MAX_PASSES + 1)) == state
    assert state.with_step(step("search", 0)) == state


def test_repeated_step_keeps_its_note() -> None:
    """A step begun again waits for the same."""
    waiting = after(step("search", note="waiting for the document index"))
    assert waiting.with_step(step("search")) == waiting
    found = waiting.with_step(step("search", state="finished"))
    assert all(not task.note for task in found.with_step(step("draft")).steps)


def test_skipped_step_is_marked_complete() -> None:
    """A step that was not told of is complete when a later one begins."""
    assert states(after(step("audit")))[:4] == [
        ("Understand", "complete"),
        ("Search", "complete"),
        ("Draft", "complete"),
        ("Audit", "in_progress"),
    ]


def test_a_calculation_shows_its_steps() -> None:
    """A graph that answers in place of the usual one puts its steps where the run is."""
    state = after(step("understand"), step("find"), step("calculate"))
    assert states(state)[:4] == [
        ("Understand", "complete"),
        ("Look for figures", "complete"),
        ("Calculate", "in_progress"),
        ("Check the sources", "pending"),
    ]
    ended = state.with_step(step("quality")).finished(answered())
    assert [title for title, _ in states(ended)][-1] == "Check the sources"


def test_steps_left_out_are_not_told_done() -> None:
    """What a graph that handed a question on did not come to is no step of the run."""
    state = after(step("understand"), step("find"), step("search"))
    assert states(state)[:3] == [
        ("Understand", "complete"),
        ("Look for figures", "complete"),
        ("Search", "in_progress"),
    ]
