"""Two papers disagree: MASIS asks which counts, and goes on with the reply."""

import pytest

from tests.browser.tab import ANSWER_MS, Tab

BUDGET = "What is the approved service tooling budget for 2026?"
COUNTS = "minutes/2026-04-16-operations-meeting.md counts"


@pytest.mark.parametrize("reply", [COUNTS, "the april one"])
def test_thread_reply_is_answered_there(tab: Tab, reply: str) -> None:
    """A reply in the thread is answered there."""
    tab.asks(BUDGET)
    tab.reads("The sources disagree")

    tab.replies(reply)
    tab.answered()

    tab.reads("The new answer follows below")
    tab.reads(reply, tab.thread.get_by_role("article", name="Owen"))
    tab.reads("£74,500 [1]")


def test_a_choice_may_be_pressed_instead(tab: Tab) -> None:
    tab.asks(BUDGET)
    choice = tab.thread.get_by_role("button", name="counts").first
    choice.wait_for(timeout=ANSWER_MS)

    choice.click()
    tab.answered()

    tab.reads("Answered by")


def test_clarification_is_answered_in_form(tab: Tab) -> None:
    """It may be answered in a form."""
    tab.asks(BUDGET)
    button = tab.thread.get_by_role("button", name="Answer in a form")
    button.wait_for(timeout=ANSWER_MS)
    button.click()

    tab.form.get_by_role("textbox").first.fill(COUNTS)
    tab.form.locator("button[type=submit]").click()
    tab.answered()

    tab.reads("Answered by")
