"""Two papers disagree: MASIS asks which counts, and goes on with the reply."""

from tests.browser.tab import ANSWER_MS, Tab

BUDGET = "What is the approved service tooling budget for 2026?"
COUNTS = "minutes/2026-04-16-operations-meeting.md counts"


def test_a_reply_in_the_thread_is_answered_there(tab: Tab) -> None:
    tab.asks(BUDGET)
    tab.reads("The sources disagree")

    tab.replies(COUNTS)
    tab.answered()

    tab.reads("The new answer follows below")
    tab.reads(COUNTS, tab.thread.get_by_role("article", name="Owen"))


def test_a_choice_may_be_pressed_instead(tab: Tab) -> None:
    tab.asks(BUDGET)
    choice = tab.thread.get_by_role("button", name="counts").first
    choice.wait_for(timeout=ANSWER_MS)

    choice.click()
    tab.answered()

    tab.reads("Answered by")


def test_it_may_be_answered_in_a_form(tab: Tab) -> None:
    tab.asks(BUDGET)
    button = tab.thread.get_by_role("button", name="Answer in a form")
    button.wait_for(timeout=ANSWER_MS)
    button.click()

    tab.form.get_by_role("textbox").first.fill(COUNTS)
    tab.form.locator("button[type=submit]").click()
    tab.answered()

    tab.reads("Answered by")
