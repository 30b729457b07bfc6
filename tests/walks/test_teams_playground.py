"""The stand-in for Teams at a terminal: typed lines are mentions, numbers are buttons."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from bot.playground.teams.playing_teams import oneshot
from bot.playground.teams.room import button
from bot.playground.teams.teams_conversation import TeamsConversation
from bot.playground.teams.teams_payloads import ANN, BEN, mention
from bot.playground.teams.teams_scene import IN_CHAT, TeamsScene
from bot.settings import Settings, load
from bot.teams.cards.carried import IN_REPLY
from bot.teams.managing.form_cards import IN_MANAGERS
from tests.walks.teams_office import teams_office, words

QUESTION = "How many days of annual leave does every employee have?"


def typing(typed: Iterable[str]) -> Iterator[str]:
    """What somebody types, and then the end of the input."""
    yield from typed
    raise EOFError


async def played(folder: Path, *typed: str) -> str:
    """What is said in answer to these lines."""
    said: list[str] = []
    told = typing(typed)
    async with teams_office(folder) as office:
        await TeamsConversation(office, said.append).typed(lambda _: next(told))
    return "\n".join(said)


async def test_typed_lines_are_a_conversation(tmp_path: Path) -> None:
    said = await played(
        tmp_path,
        QUESTION,
        "2",  # How I got this
        "99",
        "When is the swimming pool heated?",
        "1",  # Reply
        QUESTION,
        "",
    )
    assert "26 days of annual leave" in said
    assert "2: How I got this" in said
    assert "What the audit found" in said
    assert "not here, or not any more" in said
    assert "On it, with your reply." in said
    assert "Answered by" in said


async def test_forms_are_filled_in_line_by_line(tmp_path: Path) -> None:
    said = await played(
        tmp_path, "unlink", "link", "1", "", "papers", "None: every message asks the documents", ""
    )
    assert "no longer linked" in said
    assert "This channel now asks the workspace “papers” (0 documents)" in said


async def test_client_lists_who_may_be_chosen(tmp_path: Path) -> None:
    """A form names no people: the client looks up those of the team, and the page is one."""
    async with teams_office(tmp_path) as office:
        await office.say(mention("settings"))
        message = await office.shown("Who manages MASIS")
        data = button(message.card, "Settings")["data"]
        form = (await TeamsScene(office).open(ANN, message, data)).card
        assert form is not None
        (picker,) = (each for each in form["body"] if each.get("id") == IN_MANAGERS)
        assert {"title": "Ben Example", "value": BEN} in picker["choices"]


async def test_who_presses_is_named(tmp_path: Path) -> None:
    """In their own chat too, where nobody else writes."""
    async with teams_office(tmp_path) as office:
        scene = TeamsScene(office)
        await office.say(mention("status"))  # the channel's place is known from now on
        await office.shown("asks the workspace")
        await scene.say(BEN, IN_CHAT, "When is the swimming pool heated?")
        asked = await office.shown("Your reply", messages=2)
        action = button(asked.card, "Reply")
        await scene.press(BEN, asked, action["verb"], action["data"] | {IN_REPLY: QUESTION})
        await office.shown(messages=3)
        assert "Answered by Ben Example" in words(office.connector.messages[asked.id])


@pytest.mark.long
async def test_whole_conversation_is_held(tmp_path: Path) -> None:
    said: list[str] = []

    def loaded(**over: object) -> Settings:
        return load(Path("no.env"), **({"data_dir": tmp_path, "embedder": "none"} | over))

    await oneshot(loaded, said.append, said.append)
    told = "\n".join(said)
    for part in ("now asks the workspace", "claim cited", "The sources disagree", "Guests cannot"):
        assert part in told
