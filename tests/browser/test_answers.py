"""A question, its progress, its answer, and what can be done with an answer."""

import time

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.tab import Tab

TENDER = "When does Northmoor's framework tender for dosing equipment open?"
CLOSED = "Do we close between Christmas and New Year?"


def test_a_question_shows_its_progress_and_ends_in_a_cited_answer_with_a_badge(
    opened: Open, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_a_citation_opens_its_passage_and_the_audit_shows_how_it_was_made(tab: Tab) -> None:
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


def test_a_vote_is_taken_and_its_reason_with_it(tab: Tab) -> None:
    tab.asks(TENDER)
    tab.answered()

    tab.presses("Bad answer", tab.votes)
    tab.reads("What was wrong?", tab.form)
    tab.form.get_by_role("textbox").first.fill("It left out the lot numbers.")
    tab.presses("Send", tab.form)

    tab.reads("your reason is stored")
    tab.reads("1 vote")


def test_what_nobody_wrote_down_is_asked_back_and_not_answered(tab: Tab) -> None:
    tab.asks(CLOSED)

    tab.reads("I need your help")
    tab.reads("Asked back")
    expect(tab.votes).to_have_count(0)


def test_a_channel_without_documents_refuses_for_the_asker_alone(opened: Open) -> None:
    asker, other = opened(), opened()
    other.becomes("Denise")
    asker.goes_to("lunch")
    other.goes_to("lunch")

    asker.types(f"/masis {TENDER}")

    asker.reads("This channel is not linked to a workspace yet", asker.channel)
    asker.reads("Only visible to you", asker.channel)
    expect(other.channel).not_to_contain_text("not linked to a workspace yet")
