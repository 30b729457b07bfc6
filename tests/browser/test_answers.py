"""A question, its progress, its answer, and what can be done with an answer."""

import time

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.tab import Tab

TENDER = "When does Northmoor's framework tender for dosing equipment open?"
CLOSED = "Do we close between Christmas and New Year?"


def test_question_progresses_to_cited_answer(
    opened: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    """A question shows its progress and ends in a cited answer with a badge."""
    began = time.perf_counter()
    tab = opened()
    tab.asks(TENDER)
    tab.thread.locator(".plan").wait_for()
    tab.answered()
    took = time.perf_counter() - began
    with capsys.disabled():
        print(f"\nthe first answer stood {took:.1f} s after the page was opened")  # noqa: T201

    tab.reads("[1]")
    tab.reads("1 of 1 claim cited")
    tab.reads("Sources")
    tab.reads("Done")


def test_citation_opens_passage_and_audit(tab: Tab) -> None:
    """A citation opens its passage and the audit shows how it was made."""
    tab.asks(TENDER)
    tab.answered()

    tab.presses("Passage")
    tab.reads("Source [", tab.form)
    tab.reads("the current one", tab.form)
    tab.closes_the_form()

    tab.presses("How I got this")
    tab.reads(TENDER, tab.form)
    for words in ("Faithfulness", "First pass", "Looked at", "What it took"):
        tab.reads(words, tab.form)
    tab.closes_the_form()


def test_vote_is_stored_with_reason(tab: Tab) -> None:
    """A vote is taken and its reason with it."""
    tab.asks(TENDER)
    tab.answered()

    tab.presses("Bad answer", tab.votes)
    tab.reads("What was wrong?", tab.form)
    tab.form.get_by_role("textbox").first.fill("It left out the lot numbers.")
    tab.presses("Send", tab.form)

    tab.reads("your reason is stored")
    tab.reads("1 vote")


def test_undocumented_question_is_clarified(tab: Tab) -> None:
    """What nobody wrote down is asked back and not answered."""
    tab.asks(CLOSED)

    tab.reads("I need your help")
    tab.reads("Asked back")
    expect(tab.votes).to_have_count(0)


def test_channel_without_documents_refuses_privately(opened: Open) -> None:
    """A channel without documents refuses for the asker alone."""
    asker, other = opened(), opened()
    other.becomes("Denise")
    asker.goes_to("lunch")
    other.goes_to("lunch")

    asker.types(f"/masis {TENDER}")

    asker.reads("This channel is not linked to a workspace yet", asker.channel)
    asker.reads("Only visible to you", asker.channel)
    expect(other.channel).not_to_contain_text("not linked to a workspace yet")
