"""The forms of those who run MASIS in a team: sound cards, in which nothing is cut without a word."""

import json
import re
from typing import Any

from bot.teams.cards.carried import FormRef
from bot.teams.managing import form_cards
from masis.conversation import TeamSettings
from tests.bot.slack.view_samples import HOSTILE, document, link, workspace
from tests.bot.teams.card_checker import card_violations, texts
from tests.bot.teams.cards.test_answer_card import titles

MANY = [workspace(at, f"w{at:03d}") for at in range(250)]
HELD = [document(id=f"d_{at}", name=f"n{at:03d}.md") for at in range(250)]


def values(card: dict[str, Any]) -> set[str]:
    return set(re.findall(r'"title": "([wn]\d{3}(?:\.md)?)"', json.dumps(card)))


def refs(card: dict[str, Any]) -> list[FormRef]:
    return [FormRef.loaded(each["data"]) for each in card["actions"]]


def test_every_workspace_can_be_linked() -> None:
    """Of more workspaces than a card holds each stands on a page of the form."""
    pages = [form_cards.link_form(MANY, None, {}, page=at) for at in range(3)]
    for page in pages:
        assert card_violations(page) == []
    assert set().union(*map(values, pages)) == {each.name for each in MANY}
    assert titles(pages[0]) == ["Link", "Next"]
    assert titles(pages[1]) == ["Link", "Back", "Next"]
    assert "Page 2 of 3" in texts(pages[1])
    sent, back, onward = refs(pages[1])
    assert (sent.turned, sent.page) == (False, 1)
    assert (back.turned, back.page, onward.page) == (True, 0, 2)
    assert pages[1]["actions"][1]["associatedInputs"] == "auto"


def test_linked_workspace_stays_chosen() -> None:
    now = link(workspace_id=MANY[240].id)
    made = form_cards.link_form(MANY, now, {})
    assert made["body"][1]["value"] == MANY[240].id
    assert "w240" in values(made)
    typed = form_cards.link_form(MANY, now, {form_cards.IN_WORKSPACE: form_cards.NEW})
    assert typed["body"][1]["value"] == form_cards.NEW


def test_few_workspaces_have_one_page() -> None:
    assert titles(form_cards.link_form(MANY[:3], None, {})) == ["Link"]
    assert titles(form_cards.link_form([], None, {})) == ["Link"]


def test_every_document_can_be_deleted() -> None:
    pages = [form_cards.delete_form(workspace(), HELD, "", page=at) for at in range(3)]
    assert [fault for page in pages for fault in card_violations(page)] == []
    assert set().union(*map(values, pages)) == {each.name for each in HELD}
    assert titles(pages[2]) == ["Delete", "Back"]
    named = form_cards.delete_form(workspace(), HELD, "d_7")
    assert titles(named) == ["Delete"]
    assert refs(named)[0].chosen == "d_7"


def test_hostile_names_do_nothing() -> None:
    hostile = [workspace(at, HOSTILE * 9) for at in range(250)]
    held = [document(id=f"d_{at}", name=HOSTILE * 9) for at in range(250)]
    for made in (
        form_cards.link_form(hostile, None, {}, HOSTILE, 1),
        form_cards.delete_form(workspace(), held, "", HOSTILE, 1),
        form_cards.settings_form(TeamSettings(), link(), {}, HOSTILE),
        form_cards.documents_page(workspace(1, HOSTILE), held, 2),
    ):
        assert card_violations(made) == []


def test_long_names_are_cut_visibly() -> None:
    said = texts(form_cards.documents_page(workspace(), [document(name="x" * 300)], 0))
    assert any("xxx… · md" in each for each in said)


def test_settings_keep_what_was_typed() -> None:
    typed = {"user_per_minute": 9, form_cards.IN_MANAGERS: "a,b"}
    made = json.dumps(form_cards.settings_form(TeamSettings(), None, typed))
    assert '"value": 9' in made
    assert '"value": "a,b"' in made
