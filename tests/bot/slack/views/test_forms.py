from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.chat.words import admin_sentences
from bot.slack import ids
from bot.slack.text import sentences
from bot.slack.views import forms
from bot.slack.views.modal import loading, sentence_modal
from masis.conversation import TeamSettings
from tests.bot.slack.view_samples import (
    HOSTILE,
    RUN_ID,
    actions,
    check,
    document,
    link,
    session,
    texts,
    workspace,
)
from tests.examples import examples

PLACE: dict[str, Any] = {"channel": "C0CHANNEL", "thread": "1700000000.000100"}


def inputs(view: Any) -> list[str]:
    return [block["block_id"] for block in view["blocks"] if block["type"] == "input"]


def test_link_form_lists_team_workspaces() -> None:
    """A link form offers the teams workspaces and a new one."""
    known = [workspace(1, "handbook"), workspace(2, "sales")]
    view = forms.link_form(ids.LinkForm(**PLACE), known, chosen=known[1].id)
    menu = actions(view)[ids.IN_WORKSPACE]

    assert [option["text"]["text"] for option in menu["options"]] == [
        "handbook",
        "sales",
        admin_sentences.NEW_WORKSPACE,
    ]
    assert menu["initial_option"]["value"] == known[1].id
    assert actions(view)[ids.IN_CHANNEL]["initial_conversation"] == "C0CHANNEL"
    assert inputs(view) == [
        ids.IN_CHANNEL,
        ids.IN_WORKSPACE,
        ids.IN_NEW_WORKSPACE,
        ids.IN_FOLLOW_UPS,
        ids.IN_MODE,
    ]
    old, new = view["blocks"][2:4]
    assert (old["optional"], new["optional"]) == (True, True)
    assert (old["hint"]["text"], new["hint"]["text"]) == (
        admin_sentences.CHOOSE_HINT,
        admin_sentences.NEW_HINT,
    )
    assert ids.LinkForm.loaded(view["private_metadata"]) == ids.LinkForm(**PLACE)
    check("modal", view)


def test_first_workspace_is_new() -> None:
    """The first workspace is a new one."""
    view = forms.link_form(ids.LinkForm(), [])

    assert inputs(view) == [ids.IN_CHANNEL, ids.IN_NEW_WORKSPACE, ids.IN_FOLLOW_UPS, ids.IN_MODE]
    assert view["blocks"][2]["optional"] is False
    assert admin_sentences.LINK_FIRST in texts(view)
    assert actions(view)[ids.IN_CHANNEL]["default_to_current_conversation"] is True
    check("modal", view)


def test_shared_channel_choice_follows_settings() -> None:
    """Shared channels can be chosen only where the settings allow it."""
    closed = forms.link_form(ids.LinkForm(), [])
    opened = forms.link_form(
        ids.LinkForm(), [], external_allowed=True, link=link(external_allowed=True)
    )

    assert "exclude_external_shared_channels" in actions(closed)[ids.IN_CHANNEL]["filter"]
    assert ids.IN_EXTERNAL not in inputs(closed)
    assert "exclude_external_shared_channels" not in actions(opened)[ids.IN_CHANNEL]["filter"]
    assert actions(opened)[ids.IN_EXTERNAL]["initial_options"]
    check("modal", opened)


def test_the_settings_stand_in_their_form() -> None:
    now = TeamSettings(managers=["U0MANAGER"], guests=True, user_per_minute=7)
    view = forms.settings_form(ids.SettingsForm(), now)
    found = actions(view)

    assert found[ids.IN_MANAGERS]["initial_users"] == ["U0MANAGER"]
    assert found[ids.IN_GUESTS]["initial_options"]
    assert "initial_options" not in found[ids.IN_EXTERNAL_CHANNELS]
    assert found[ids.IN_KEEP]["initial_options"]
    assert found[ids.IN_USER_PER_MINUTE]["initial_value"] == "7"
    assert {ids.IN_FOLLOW_UPS, ids.IN_MODE}.isdisjoint(found)
    kept = link(follow_ups="tagged", mode="documents")
    linked = actions(forms.settings_form(ids.SettingsForm(), now, kept))
    assert linked[ids.IN_FOLLOW_UPS]["initial_option"]["value"] == "tagged"
    assert linked[ids.IN_MODE]["initial_option"]["value"] == "documents"
    check("modal", view)
    check("modal", forms.settings_form(ids.SettingsForm(), TeamSettings()))


def test_quota_bounds_match_the_settings() -> None:
    """The bounds of a quota are those of the settings."""
    found = actions(forms.settings_form(ids.SettingsForm(), TeamSettings()))

    for name in ("user_per_minute", "user_running", "channel_per_minute", "workspace_running"):
        field = found[f"masis_in_{name}"]
        for bound in ("min_value", "max_value"):
            assert TeamSettings.model_validate({name: int(field[bound])})
        with pytest.raises(ValueError, match=name):
            TeamSettings.model_validate({name: int(field["max_value"]) + 1})


def test_delete_form_confirms_or_offers_documents() -> None:
    """A document to delete is asked about or chosen."""
    known = [document(id="d_1", name="a.md"), document(id="d_2", name="b.md")]
    asked = forms.delete_form(ids.DeleteForm(document="d_2", **PLACE), workspace(), known)
    chosen = forms.delete_form(ids.DeleteForm(**PLACE), workspace(), known)
    nothing = forms.delete_form(ids.DeleteForm(**PLACE), workspace(), [])

    assert "Delete “b.md” from the workspace “handbook”?" in texts(asked)
    assert inputs(asked) == []
    assert [o["value"] for o in actions(chosen)[ids.IN_DOCUMENT]["options"]] == ["d_1", "d_2"]
    assert sentences.NO_DOCUMENTS in texts(nothing)
    assert "submit" not in nothing
    for view in (asked, chosen, nothing):
        check("modal", view)


def test_long_list_names_another_way() -> None:
    """A long list says how else a document is deleted."""
    many = [document(id=f"d_{n}", name=f"{n}.md") for n in range(120)]
    view = forms.delete_form(ids.DeleteForm(), workspace(), many)

    assert len(actions(view)[ids.IN_DOCUMENT]["options"]) == 100
    assert view["blocks"][0]["hint"]["text"] == sentences.DELETE_BY_NAME
    check("modal", view)


def test_reply_form_repeats_both_questions() -> None:
    """A reply form repeats both questions and offers documents."""
    form = ids.ReplyForm(session="s_1", **PLACE)
    view = forms.reply_form(form, session(), [document()])

    assert "Which one counts?" in texts(view)
    assert "You asked: Which target counts?" in texts(view)
    assert inputs(view) == [ids.IN_REPLY, ids.IN_DOCUMENTS]
    assert inputs(forms.reply_form(form, session(), [])) == [ids.IN_REPLY]
    check("modal", view)


def test_other_forms_have_one_input() -> None:
    """The other forms ask one thing each."""
    upload = forms.upload_form(ids.UploadForm(**PLACE), workspace())
    reason = forms.feedback_reason(ids.ReasonForm(run=RUN_ID))
    ask = forms.ask_form(ids.AskForm(**PLACE), "two\nlines")

    assert actions(upload)[ids.IN_FILES]["max_files"] == 10
    assert inputs(reason) == [ids.IN_REASON]
    assert actions(ask)[ids.IN_QUESTION]["initial_value"] == "two\nlines"
    for view in (
        upload,
        reason,
        ask,
        loading(),
        sentence_modal("Nothing here.", "A title that is too long"),
    ):
        check("modal", view)


ugly = st.one_of(st.just(HOSTILE * 4), st.text(max_size=200), st.just("&\n" * 1600))


@given(ugly, ugly)
@settings(max_examples=examples(12), deadline=None)
def test_no_field_is_live(text: str, other: str) -> None:
    known = [document(id=f"d_{n}", name=text, title=other) for n in range(3)]
    place, parked = workspace(1, text), session(clarification=text, question=other)

    check("modal", forms.link_form(ids.LinkForm(), [place, workspace(2, other)], chosen=place.id))
    check("modal", forms.upload_form(ids.UploadForm(), place))
    check("modal", forms.delete_form(ids.DeleteForm(document="d_1"), place, known))
    check("modal", forms.delete_form(ids.DeleteForm(), place, known))
    check("modal", forms.reply_form(ids.ReplyForm(session="s_1"), parked, known))
    check("modal", forms.ask_form(ids.AskForm(), text))
    check("modal", sentence_modal(text, other))


def test_chosen_workspace_survives_truncation() -> None:
    """Of more workspaces than slack shows the chosen one is there."""
    known = [workspace(number, f"w{number:03d}") for number in range(1, 131)]
    view = forms.link_form(ids.LinkForm(**PLACE), known, chosen=known[120].id)
    menu = actions(view)[ids.IN_WORKSPACE]

    assert menu["initial_option"]["value"] == known[120].id
    assert len(menu["options"]) == 100
    assert "31 more workspaces: write `/masis link` and the name" in texts(view)
    check("modal", view)
