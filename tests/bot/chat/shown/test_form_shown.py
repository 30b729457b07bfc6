"""The forms of those who run MASIS in a team, as every chat shows them."""

from hypothesis import given
from hypothesis import strategies as st

from bot.chat.shown.form_shown import (
    ChoiceShown,
    ChoicesShown,
    delete_form_shown,
    link_form_shown,
    settings_form_shown,
    workspace_choices,
)
from bot.chat.words import admin_sentences
from masis.conversation import TEAMS, TeamSettings, Tenant
from tests.bot.slack.view_samples import document, link, workspace


def choices(number: int, chosen: str = "") -> ChoicesShown:
    return ChoicesShown(tuple(ChoiceShown(f"w{at}", f"W {at}") for at in range(number)), chosen)


def test_link_form_has_what_is_now() -> None:
    known = [workspace(1, "handbook"), workspace(2, "sales\nand more")]
    now = link(workspace_id=known[1].id, follow_ups="tagged", mode="documents")
    shown = link_form_shown(known, now)
    assert shown.how == admin_sentences.LINK_HOW
    assert [each.name for each in shown.workspaces.choices] == ["handbook", "sales and more"]
    assert shown.workspaces.chosen == known[1].id
    assert (shown.follow_ups, shown.mode) == ("tagged", "documents")
    assert link_form_shown(known, now, known[0].id).workspaces.chosen == known[0].id


def test_organisations_workspace_is_told_apart() -> None:
    """It may have the name of a team's own."""
    team = Tenant(chat=TEAMS, enterprise="E1", team="T1")
    known = [workspace(1, owner=team.owner), workspace(2, owner=team.organisation_owner)]
    shown = workspace_choices(known).choices
    assert [each.name for each in shown] == ["handbook", "handbook (whole organisation)"]


def test_first_link_names_a_workspace() -> None:
    shown = link_form_shown([], None)
    assert shown.how == admin_sentences.LINK_FIRST
    assert (shown.follow_ups, shown.mode, shown.external) == ("mine", "auto", False)


def test_settings_form_has_each_quota() -> None:
    shown = settings_form_shown(TeamSettings(user_per_minute=7), None)
    assert {each.name: each.now for each in shown.quotas}["user_per_minute"] == 7
    assert (shown.mode, shown.follow_ups) == (None, None)
    assert settings_form_shown(TeamSettings(), link(mode="documents")).mode == "documents"
    for each in shown.quotas:
        TeamSettings.model_validate({each.name: each.most})


def test_delete_form_names_one_or_lists() -> None:
    held = [document(id=f"d_{at}", name=f"n{at}.md") for at in range(3)]
    one = delete_form_shown(workspace(), held, "d_1")
    assert one is not None
    assert "n1.md" in one.said
    listed = delete_form_shown(workspace(), held, "d_9")
    assert listed is not None
    assert (listed.document, listed.said, len(listed.documents.choices)) == ("", "", 3)
    assert delete_form_shown(workspace(), [], "") is None


@given(st.integers(0, 400), st.integers(1, 120), st.integers(0, 400))
def test_pages_have_every_choice(number: int, size: int, chosen: int) -> None:
    """Each choice stands on a page, and the one that is chosen on all of them."""
    listed = choices(number, f"w{chosen}")
    pages = [listed.page(size, at) for at in range(listed.pages(size))]
    assert {each for page in pages for each in page} == set(listed.choices)
    assert all(len(page) <= size + 1 for page in pages)
    if chosen < number:
        assert all(listed.choices[chosen] in page for page in pages)
    assert listed.page(size, 9999) == pages[-1]


@given(st.integers(0, 400), st.integers(1, 120), st.integers(0, 400))
def test_first_choices_have_the_chosen(number: int, most: int, chosen: int) -> None:
    listed = choices(number, f"w{chosen}")
    first = listed.first(most)
    assert len(first) + listed.left(most) == number
    assert chosen >= number or listed.choices[chosen] in first
