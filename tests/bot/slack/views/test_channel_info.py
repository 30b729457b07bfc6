import dataclasses
import datetime as dt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.chat import grammar
from bot.chat.words import history_words
from bot.slack import ids
from bot.slack.text import sentences
from bot.slack.text.thread_sentences import FOLLOW_UP_STATUS, MODE_STATUS
from bot.slack.views import channel_info, picker
from bot.slack.views.home import Check, HomeState, home, prompts
from bot.slack.views.upload import report
from masis.conversation import FollowUpRule
from masis.documents.ingestion import IngestResult
from masis.domain import workspace_id
from masis.values.suggested import Suggestion
from tests.bot.slack.view_samples import (
    HOSTILE,
    NOW,
    TODAY,
    actions,
    check,
    document,
    link,
    live,
    run,
    sound,
    texts,
    workspace,
)
from tests.examples import examples

# --- help, status, documents, history ------------------------------------------------------


def test_help_names_every_verb() -> None:
    message = channel_info.help_message()

    assert all(verb in texts(message.blocks) for verb in grammar.VERBS if verb != "help")
    sound(message)


def test_status_shows_workspace_and_linker() -> None:
    """Status says what is searched and who linked it."""
    message = channel_info.status(link(), workspace(documents=12, chunks=1300))

    assert texts(message.blocks).split("\n") == [
        "This channel asks the workspace “handbook”: 12 documents, 1,300 passages.",
        "Linked by <@U0ADMIN01> on 22 Nov 2026.",
        FOLLOW_UP_STATUS["mine"],
    ]
    sound(message)


@pytest.mark.parametrize("rule", FOLLOW_UP_STATUS)
def test_status_says_who_is_answered(rule: FollowUpRule) -> None:
    """Status says which messages without a mention are answered; none are where a link rests."""
    said = FOLLOW_UP_STATUS[rule]

    assert said in texts(channel_info.status(link(follow_ups=rule), workspace()).blocks)
    plain = channel_info.status(link(follow_ups=rule, mode="documents"), workspace())
    assert f"{said} {MODE_STATUS['documents']}" in texts(plain.blocks)
    resting = channel_info.status(link(follow_ups=rule, suspended="archived"), workspace())
    assert said not in texts(resting.blocks)


def test_status_warns_of_obstacles() -> None:
    """Status warns of what keeps it from answering."""
    message = channel_info.status(link(suspended="it is shared now"), workspace(documents=0))

    assert "suspended: it is shared now" in texts(message.blocks)
    assert message.text == sentences.linked_to("handbook")
    assert sentences.NO_DOCUMENTS in texts(message.blocks)


def test_unanswered_channel_status_gives_reason() -> None:
    """The status of a channel that gets no answers says why."""
    message = channel_info.status(link(), workspace(), sentences.EXTERNAL)

    assert message.text == sentences.linked_to("handbook")
    assert sentences.EXTERNAL_CHANNEL in texts(message.blocks)
    sound(message)


def test_documents_are_listed_in_pages() -> None:
    many = [document(name=f"{n}.md") for n in range(45)]
    pages = [channel_info.docs(workspace(), many, TODAY, page) for page in (0, 1, 2, 9)]

    assert "• 0.md · md · version 1 · 3 passages · 3 months old" in texts(pages[0].blocks)
    assert "Page 2 of 3" in texts(pages[1].blocks)
    assert set(actions(pages[1].payload())) == {f"{ids.DOCS_PAGE}_0", f"{ids.DOCS_PAGE}_1"}
    assert set(actions(pages[2].payload())) == {f"{ids.DOCS_PAGE}_0"}
    assert pages[3] == pages[2]
    sound(*pages)


def test_workspaces_beyond_the_menu_are_counted() -> None:
    many = [workspace(number, f"w{number:03d}") for number in range(130)]
    said = "30 more workspaces: ask each in a channel that is linked to it."

    assert said in texts(picker.workspace_picker(many).blocks)
    assert "more workspace" not in texts(picker.workspace_picker(many[:100]).blocks)
    sound(picker.workspace_picker(many))


def test_empty_workspace_explains_uploading() -> None:
    """An empty workspace says how to fill it."""
    assert channel_info.docs(workspace(), [], TODAY).text == sentences.NO_DOCUMENTS


def test_history_tells_how_each_question_ended() -> None:
    asked = run(status="finished", accepted_at=NOW - dt.timedelta(minutes=5))
    message = channel_info.history([asked, run(status="failed")], NOW)

    assert "• How much annual leave is there? · ✅ · 5 min ago" in texts(message.blocks)
    assert "❌ failed" in texts(message.blocks)
    assert channel_info.history([], NOW).text == history_words.NO_HISTORY
    sound(message)


@pytest.mark.parametrize(
    ("kinds", "told"),
    [
        ({"root", "progress", "answer"}, "· ✅"),
        ({"progress", "clarification"}, "· 💬 asked back"),
        ({"refused"}, "· 🚫 not answered"),
        ({"root", "failed"}, "· ❌ failed"),
    ],
)
def test_finished_question_shows_posted_outcome(kinds: set[str], told: str) -> None:
    """A finished question ended as what it posted."""
    asked = run(status="finished")

    assert channel_info.run_line(asked, NOW, {asked.id: kinds}).endswith(told)
    assert (
        channel_info.run_line(run(question=""), NOW) == f"• {history_words.FILES_SENT} · ⏳ waits"
    )
    assert "⏳ running" in channel_info.run_line(run(status="running"), NOW, {asked.id: kinds})


# --- uploads -------------------------------------------------------------------------------


def test_upload_report_lists_each_file() -> None:
    """An uploads report has a line a file."""
    results = [
        IngestResult(status="added", name="a.md", chunks=3, notes=["1 picture was left out"]),
        IngestResult(status="updated", name="b.md", chunks=1, version=2),
        IngestResult(status="unchanged", name="c.md"),
        IngestResult(status="refused", name="d.exe", reason="This is a program, no document."),
    ]
    message = report(workspace(), results)

    assert texts(message.blocks).split("\n") == [
        "Files for the workspace “handbook”: 1 added, 1 updated, 1 unchanged, 1 refused.",
        "✅ “a.md” is added: 3 passages.",
        "   1 picture was left out",
        "✅ “b.md” is updated to version 2: 1 passage.",
        "✅ “c.md” is there already and has not changed.",
        "❌ “d.exe” was not added. This is a program, no document.",
    ]
    sound(message)
    sound(report(workspace(), []))


# --- the picker ----------------------------------------------------------------------------


def test_chosen_workspace_is_among_options() -> None:
    """The chosen workspace is among the hundred that are shown."""
    many = [workspace(n, f"{n:03}") for n in range(150)]
    menu = actions(picker.workspace_picker(many, many[149].id).payload())[ids.WORKSPACE]

    assert len(menu["options"]) == 100
    assert menu["initial_option"]["text"]["text"] == "149 (12 documents)"
    carried = ids.WorkspaceRef.loaded(menu["initial_option"]["value"])
    assert carried.workspace == many[149].id


def test_deleted_choice_is_not_preselected() -> None:
    """A choice that is gone is not shown as chosen."""
    menu = actions(picker.workspace_picker([workspace()], workspace_id("gone")).payload())

    assert "initial_option" not in menu[ids.WORKSPACE]


# --- the home tab --------------------------------------------------------------------------


def full(**changes: Any) -> HomeState:
    values: dict[str, Any] = {
        "now": NOW,
        "links": [(link(), workspace(), sentences.OPEN)],
        "runs": [run(status="finished", accepted_at=NOW)],
        "checks": [Check("Model service", works=True), Check("Search", works=False, detail="ask")],
        "workspaces": [workspace()],
        "chosen": workspace().id,
        "can_link": True,
        "can_set": True,
    }
    return HomeState(**{**values, **changes})


def test_home_tab_shows_link_health() -> None:
    """The home tab shows links runs and health."""
    view = home(full())

    assert texts(view).split("\n")[-11:] == [
        "Your direct messages ask this workspace:",
        "Workspace",
        "handbook (12 documents)",
        "handbook (12 documents)",
        "Linked channels",
        "• <#C0CHANNEL> asks “handbook” · 12 documents",
        "Your recent questions",
        "• How much annual leave is there? · ✅ · just now",
        "Health",
        "✅ Model service",
        "❌ Search: ask",
    ]
    assert {ids.LINK, ids.SETTINGS, ids.WORKSPACE} <= set(actions(view))
    check("home", view)


def test_unanswering_channel_shows_its_reason() -> None:
    """A linked channel that gets no answers is listed with why."""
    links = [
        (link(), workspace(), sentences.EXTERNAL),
        (link(), workspace(), sentences.ARCHIVED),
        (link(suspended="it was shared"), workspace(), sentences.OPEN),
    ]
    view = home(full(links=links))

    lines = [line for line in texts(view).split("\n") if "C0CHANNEL" in line]
    assert [line.partition("no answers there: ")[2] for line in lines] == [
        "the channel is shared with another organisation",
        "the channel is archived",
        "it was shared",
    ]
    assert not any("asks" in line for line in lines)
    check("home", view)


def test_non_manager_sees_no_buttons() -> None:
    """Who may not manage sees no buttons for it."""
    view = home(HomeState(now=NOW))

    assert actions(view) == {}
    assert sentences.NO_LINKS in texts(view)
    assert sentences.NO_RUNS in texts(view)
    check("home", view)


def test_refused_person_sees_only_reason() -> None:
    """Who may not ask sees why and nothing else."""
    view = home(full(refused=sentences.GUEST))

    assert actions(view) == {}
    assert texts(view).split("\n")[-1] == f"🚫 {sentences.GUEST}"
    assert "handbook" not in texts(view)
    check("home", view)


def test_what_does_not_fit_is_counted() -> None:
    view = home(full(links=[(link(), workspace(), sentences.OPEN)] * 33, runs=[run()] * 14))

    assert "+13 more" in texts(view)
    assert "+4 more" in texts(view)
    check("home", view)


def test_prompts_are_about_the_newest_documents() -> None:
    known = [document(title=f"Title {n}", ingested_at=NOW + dt.timedelta(days=n)) for n in range(6)]
    made = prompts(known)

    assert [prompt["title"] for prompt in made] == [f"About “Title {n}”" for n in (5, 4, 3, 2)]
    assert made[0]["message"] == "What are the main points of “Title 5”?"
    assert prompts([]) == []


TRIED = [Suggestion(text="What is the notice period?", document="Handbook")]


def test_home_tab_offers_document_questions() -> None:
    """The home tab offers questions with their documents."""
    view = home(dataclasses.replace(full(), questions=TRIED))

    shown = texts(view).split("\n")
    at = shown.index("Try asking")
    assert shown[at + 1] == "• What is the notice period? · “Handbook”"
    assert "Try asking" not in texts(home(full()))
    check("home", view)


def test_answered_questions_lead_the_prompts() -> None:
    """Prompts begin with questions that are answered."""
    made = prompts([document(title="Title 1", ingested_at=NOW)], TRIED)

    assert made[0] == {
        "title": "What is the notice period?",
        "message": "What is the notice period?",
    }
    assert made[1]["title"] == "About “Title 1”"


def test_hostile_home_tab_titles_stay_text() -> None:
    """Hostile titles on the home tab stay text."""
    tried = [Suggestion(text=HOSTILE, document=HOSTILE)]

    check("home", home(dataclasses.replace(full(), questions=tried)))
    for ill in ("<!channel>", "<@U0ADMIN01>", "<https://evil.example|a>"):
        assert ill not in texts(home(dataclasses.replace(full(), questions=tried)))


ugly = st.one_of(st.just(HOSTILE), st.just(HOSTILE * 4), st.text(max_size=200))


@given(ugly, ugly)
@settings(max_examples=examples(12), deadline=None)
def test_no_field_is_live(text: str, other: str) -> None:
    place, known = workspace(1, text), [document(name=text, title=other)] * 21
    bad = IngestResult(status="refused", name=text, reason=other)
    good = IngestResult(status="added", name=text, notes=[other] * 5)

    sound(
        channel_info.status(link(suspended=text, linked_by=other), place),
        channel_info.docs(place, known, TODAY),
        channel_info.history([run(question=text)] * 21, NOW),
        report(place, [bad, good] * 10),
        picker.workspace_picker([place]),
    )
    state = full(
        links=[(link(suspended=text, channel=other), place)],
        runs=[run(question=text)],
        checks=[Check(text, works=False, detail=other)],
        workspaces=[place],
    )
    check("home", home(state))
    assert live(prompts(known)) == []


@pytest.mark.parametrize("number", [0, 1, 20, 21])
def test_turning_needs_a_second_page(number: int) -> None:
    message = channel_info.docs(workspace(), [document()] * number, TODAY)

    assert bool(actions(message.payload())) == (number > channel_info.PER_PAGE)
