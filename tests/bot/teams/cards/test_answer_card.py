"""An answer as a card: sound for Teams' grammar, in its size, and nothing in it alive."""

import json
import re
from typing import Any

import pytest

from bot.chat.shown.source_shown import source_shown, sources_shown
from bot.teams.cards.answer_card import all_sources, answer, passage, rest_pages
from bot.teams.cards.card_elements import card
from bot.teams.cards.carried import TypedQuestion
from masis.domain import Answered
from tests.bot.slack.view_samples import (
    HOSTILE,
    RUN_ID,
    TODAY,
    answered,
    faulty_audit,
    run,
    source,
)
from tests.bot.slack.views.test_injection import cases as injected
from tests.bot.slack.views.test_injection import issued, judged
from tests.bot.teams.card_checker import card_violations, texts, violations
from tests.drawn_samples import KINDS, at_the_limits, chart, table


def card_of(message: dict[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = message["attachments"][0]["content"]
    return content


def shown(message: dict[str, Any]) -> str:
    return "\n".join(texts(card_of(message)))


def titles(value: Any) -> list[str]:
    """The titles of everything that can be pressed."""
    whole = json.dumps(value)
    return re.findall(r'"Action\.(?:Execute|Submit)", "title": "([^"]*)"', whole)


def test_answer_has_all_its_parts() -> None:
    made = answer(run(), answered(), TODAY)
    assert violations(made) == []
    said = shown(made)
    for part in ("Annual leave is 26 days [1].", "High 86 %", "1 of 1 claim cited", "leave.md"):
        assert part in said
    assert titles(card_of(made)) == ["Passage", "How I got this", "Search wider"]
    assert made["summary"] == "High 86 %: Annual leave is 26 days [1]."


def test_own_chats_answer_can_be_asked_on() -> None:
    """In a channel a thread is gone on with; the rest of a long answer is the same in both."""
    made = answer(run(direct=True), answered(), TODAY, in_chat=True)
    assert violations(made) == []
    (field,) = (each for each in card_of(made)["body"] if each["type"] == "Input.Text")
    (send,) = (row["actions"][0] for row in card_of(made)["body"] if row["type"] == "ActionSet")
    typed = TypedQuestion.loaded(send["data"] | {field["id"]: "And when?"})
    assert (typed.run, typed.question) == (RUN_ID, "And when?")
    long = answered(answer="\n\n".join(f"Paragraph {at} {'x' * 400}" for at in range(200)))
    parts = [answer(run(), long, TODAY, in_chat=here)["attachments"][0] for here in (True, False)]
    said = [[each for each in texts(part["content"]) if "Paragraph" in each] for part in parts]
    assert said[0] == said[1]


def test_answer_is_labelled_and_rated() -> None:
    made = answer(run(), answered(), TODAY)
    assert made["entities"][0]["additionalType"] == ["AIGeneratedContent"]
    assert made["channelData"] == {"feedbackLoop": {"type": "default"}}
    assert "text" not in made


def test_wider_answer_offers_no_wider_search() -> None:
    assert "Search wider" not in titles(answer(run(wider=True), answered(), TODAY))


def test_markdown_is_drawn() -> None:
    text = (
        "# Leave\n\nIt is **26 days** and `x = 1` [1].\n\n- one\n- two\n  1. inner\n\n"
        "| Kind | Days |\n|---|---|\n| annual | 26 |\n\n```\ncode {{DATE}}\n```\n\n[1]: https://e.example"
    )
    made = answer(run(), answered(answer=text), TODAY)
    assert violations(made) == []
    said = texts(card_of(made))
    for part in ("Leave", "26 days", "x = 1", "• ", "1. ", "annual", "code { {DATE}}"):
        assert any(part in each for each in said), part
    assert "[1]: https[:]//e[.]example" in shown(made)
    assert '"type": "Table"' in json.dumps(made)


def test_links_become_words() -> None:
    made = answer(run(), answered(answer="See [the page](https://evil.example/x) [1]."), TODAY)
    assert "the page\n (https[:]//evil[.]example/x)" in shown(made)


@pytest.mark.parametrize("where", ["answer", "document", "title", "gap", "improvement", "unread"])
def test_hostile_texts_do_nothing(where: str) -> None:
    cases: dict[str, dict[str, Any]] = {
        "answer": {"answer": f"{HOSTILE} {{{{DATE(2026-01-01)}}}} [1]."},
        "document": {"citations": [source(document=HOSTILE)]},
        "title": {"citations": [source(title=HOSTILE)]},
        "gap": {"gaps": [HOSTILE] * 9},
        "improvement": {"improvement": HOSTILE},
        "unread": {"unread": [HOSTILE] * 9},
    }
    assert violations(answer(run(question=HOSTILE), answered(**cases[where]), TODAY)) == []


def test_faults_are_listed() -> None:
    made = answer(run(), answered(audit=faulty_audit(HOSTILE, 20)), TODAY)
    assert violations(made) == []
    assert "+15 more" in shown(made)


@pytest.mark.parametrize("length", [1, 5_000, 30_000])
@pytest.mark.parametrize(
    "piece", ["Leave is 26 days [1]. ", "word\n\n", "x", "- item [1]\n", "é💡 "]
)
def test_long_answers_go_on(length: int, piece: str) -> None:
    """Nothing is cut without a word: the card and the dialog's pages have it all."""
    text = (piece * (length // len(piece) + 1))[:length]
    outcome = answered(answer=text)
    made = answer(run(), outcome, TODAY)
    assert violations(made) == []
    is_cut = "Read on" in titles(made)
    pages = rest_pages(run(), outcome, TODAY) if is_cut else []
    for page in pages:
        assert card_violations(card(page)) == []
    whole = "".join(each for part in [card_of(made), *pages] for each in texts(part))
    assert sum(each.isalnum() for each in whole) >= sum(each.isalnum() for each in text)


def test_wide_and_long_tables_fit() -> None:
    wide = "|" + "a|" * 40 + "\n|" + "---|" * 40 + "\n" + ("|" + "1|" * 40 + "\n") * 50
    huge = "|a|b|\n|---|---|\n" + ("|" + "x" * 9000 + "|1|\n") * 5
    for text in (wide, huge):
        made = answer(run(), answered(answer=text), TODAY)
        assert violations(made) == []
        for page in rest_pages(run(), answered(answer=text), TODAY):
            assert card_violations(card(page)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_charts_are_drawn_with_fallback(kind: Any) -> None:
    made = answer(run(), answered(charts=[chart(kind)]), TODAY)
    assert violations(made) == []
    assert '"type": "Chart.' in json.dumps(made)
    assert "Q1 2025" in shown(made)
    assert "5,682" in shown(made)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["x", "é", "💡", HOSTILE])
def test_figures_at_every_limit_fit(kind: Any, name: str) -> None:
    outcome = answered(
        answer="A long answer. " * 4000,
        charts=[at_the_limits(kind, name)] * 2,
        tables=[table(rows=100, columns=20, cell=name * 50)] * 2,
        citations=[source(n, document=name * 20) for n in range(1, 30)],
        audit=faulty_audit(name * 100, 20),
        gaps=[name * 500] * 9,
    )
    assert violations(answer(run(), outcome, TODAY)) == []


def test_notes_are_counted_beyond_the_first() -> None:
    noted = [f"No word on place {number}." for number in range(9)]
    said = shown(answer(run(), answered(gaps=noted, unread=noted), TODAY))
    assert said.count("+4 more: see “How I got this”") == 2
    assert "place 4." in said
    assert "place 5." not in said


def test_table_says_what_is_left_out() -> None:
    made = answer(run(), answered(tables=[table(rows=500, columns=14)]), TODAY)
    assert violations(made) == []
    assert re.search(r"The first \d+ of 500 rows", shown(made))
    assert "4 more columns" in shown(made)


def test_many_sources_are_a_press_away() -> None:
    outcome = answered(citations=[source(n) for n in range(1, 41)])
    made = answer(run(), outcome, TODAY)
    assert "+32 more" in shown(made)
    assert "All sources" in titles(made)
    assert len(all_sources(RUN_ID, sources_shown(outcome.citations))) == 40


def test_passage_is_shown_as_cited() -> None:
    made = card(passage(source_shown(source(text=f"one\n\n{HOSTILE}"), TODAY)))
    assert card_violations(made) == []
    assert "one" in texts(made)
    assert "removed" in "".join(texts(card(passage(source_shown(source(text=""))))))


@pytest.mark.shared
@pytest.mark.parametrize("case", injected())
def test_injection_cases_hold(case: dict[str, Any]) -> None:
    if not case:
        pytest.skip("the injection set is not beside the checkout")
    outcome: Answered = judged(case)
    expect = case["expect"]
    made = answer(run(), outcome, TODAY)
    whole = json.dumps(made, ensure_ascii=False)
    assert violations(made) == []
    for host in expect.get("no_active_link_to", []):
        assert host not in whole
    if "citations_only" in expect:
        cited = [each.chunk_id for each in outcome.citations]
        assert cited == [issued(each) for each in expect["citations_only"]]
    said = "".join(texts(card_of(made)))
    assert all(words in said for words in expect.get("must_contain", []))
    assert not any(words in said for words in expect.get("must_not_contain", []))
