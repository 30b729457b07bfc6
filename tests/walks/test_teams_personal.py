"""Somebody's own chat in Teams: replies without a mention, commands, and what they can ask there."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.playground.teams.teams_payloads import CHAT, mention, personal
from tests.walks.teams_office import TeamsOffice, assert_told, teams_office, words
from tests.walks.test_teams_conversations import befallen

QUESTION = "How many days of annual leave does every employee have?"
UNKNOWN = "When is the swimming pool heated?"


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[TeamsOffice]:
    """One whose channel's place is known."""
    async with teams_office(tmp_path) as opened:
        await opened.say(mention("hello"))
        await opened.shown("Hello")
        yield opened


async def test_plain_message_replies_in_own_chat(office: TeamsOffice) -> None:
    """It is taken as the reply to what was asked back, as nobody need mention MASIS there.

    Each is seen to be worked on before anything stands there, where Teams takes that.
    """
    office.connector.fail("TYPING", "dropped")
    await office.say(personal(UNKNOWN))
    asked = await office.shown("Reply below, or just write your reply.", messages=2)
    await office.say(personal("status"))
    await office.shown("Here you can ask", messages=3)
    await office.say(personal("the annual leave"))
    await office.shown(messages=4)
    await office.until(lambda: "Answered by Ann Example" in words(asked))
    await office.until(lambda: not office.is_at_work())
    assert "“the annual leave”" in words(asked)
    assert office.connector.typing == [CHAT] * 2, "not in the channel, and not what was dropped"
    await assert_told(office, "reply_in_own_chat")


async def test_own_question_begins_anew(office: TeamsOffice) -> None:
    """What asks something of its own is no reply; what was asked back still waits."""
    await office.say(personal(UNKNOWN))
    asked = await office.shown("Your reply", messages=2)
    await office.say(personal(QUESTION))
    await office.shown("26 days of annual leave", messages=3)
    assert "Your reply" in words(asked)


async def test_commands_are_no_questions(office: TeamsOffice) -> None:
    """However they are written; history has one's own questions in that place."""
    await office.say(mention("History"))
    await office.shown("You have not asked anything here yet", messages=2)
    await office.say(mention(QUESTION))
    await office.shown("26 days of annual leave", messages=3)
    for told, (said, answer) in enumerate(
        [
            ("STATUS?", "asks the workspace"),
            ("/status", "asks the workspace"),
            ("/history", "Your recent questions here"),
            ("upload", "in its own chat alone"),
        ],
        start=4,
    ):
        await office.say(mention(said))
        message = await office.shown(answer, messages=told)
        assert message.targeted
    await office.say(personal("upload"))
    await office.shown("Attach the files to the same message", messages=8)
    await assert_told(office, "commands_as_people_write_them")


async def test_each_reason_ends_by_itself(office: TeamsOffice) -> None:
    """An archived team that comes back brings no deleted channel back."""
    await office.send(befallen("teamArchived"))
    await office.send(befallen("channelDeleted"))
    await office.say(mention(QUESTION))
    await office.shown("the team is archived; the channel was deleted", messages=2)
    await office.send(befallen("teamUnarchived"))
    await office.say(mention(QUESTION))
    await office.shown("suspended: the channel was deleted", messages=3)
    await office.send(befallen("channelRestored"))
    await office.say(mention(QUESTION))
    await office.shown("26 days of annual leave", messages=4)
