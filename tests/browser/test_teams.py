"""The channel of Teams beside Slack's: cards drawn by `adaptivecards`, over the real wire."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Open
from tests.browser.tab import ANSWER_MS, Tab

TENDER = "When does Northmoor's framework tender for dosing equipment open?"
BUDGET = "What is the approved service tooling budget for 2026?"


@pytest.fixture
def teams(tab: Tab) -> Tab:
    """The asker's tab, in the channel of Teams."""
    tab.page.locator(".banner").wait_for(state="detached", timeout=ANSWER_MS)
    tab.goes_to("General")
    return tab


def card(tab: Tab, words: str) -> Locator:
    """The newest card with these words in it, once it is there."""
    found = tab.channel.locator(".ac-card", has_text=words).last
    found.wait_for(timeout=ANSWER_MS)
    return found


def asks(tab: Tab, question: str) -> None:
    entry = tab.channel.get_by_role("textbox", name="Start a post")
    entry.fill(question)
    send = tab.channel.get_by_role("button", name="Send").last
    expect(send).to_have_attribute("aria-disabled", "false")
    send.click()


def dialog(tab: Tab, button: str, shown: Locator, words: str) -> None:
    """Press a button that opens a dialog; it has these words in it, and can be closed."""
    shown.get_by_role("button", name=button).click()
    expect(tab.form).to_contain_text(words)
    tab.closes_the_form()


def test_question_is_asked_back_and_answered(teams: Tab) -> None:
    """A question is asked, comes back, is replied to within its card, and answered."""
    asks(teams, f"@MASIS {BUDGET}")
    asked = card(teams, "The sources disagree")
    asked.get_by_role("textbox", name="Your reply").fill("the april one")
    asked.get_by_role("button", name="Reply", exact=True).click()

    answer = card(teams, "£74,500 [1]")
    expect(answer).to_contain_text(re.compile(r"High \d+ %"))
    expect(card(teams, "Answered by Owen")).to_contain_text("the april one")
    dialog(teams, "How I got this", answer, "Scores")
    dialog(teams, "Passage", answer, "74,500")
    thumb = teams.channel.get_by_role("button", name="Good answer").last
    thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "true")


def test_only_a_mention_is_heard(teams: Tab) -> None:
    asks(teams, TENDER)
    asks(teams, f"@MASIS {TENDER}")
    card(teams, "11 January 2027")
    expect(teams.channel.locator(".teams-post")).to_have_count(3)
    expect(teams.channel.locator(".ac-card")).to_have_count(2)


def test_own_chat_answers_without_a_mention(teams: Tab) -> None:
    teams.goes_to("Chat with MASIS")
    entry = teams.channel.get_by_role("textbox", name="Message MASIS")
    entry.fill(TENDER)
    entry.press("Enter")
    card(teams, "11 January 2027")


def test_guest_alone_reads_the_refusal(teams: Tab, opened: Open) -> None:
    guest = opened()
    guest.becomes("Jonas")
    guest.goes_to("General")
    asks(guest, f"@MASIS {TENDER}")
    card(guest, "Guests cannot use MASIS here")
    expect(teams.channel).not_to_contain_text("Guests cannot")


def test_axe_passes_for_cards(teams: Tab, axe: str) -> None:
    asks(teams, f"@MASIS {BUDGET}")
    card(teams, "The sources disagree")
    assert teams.flaws(axe) == []
