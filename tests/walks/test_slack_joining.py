"""A mention inside other people's thread: what stands there is read once, and kept no longer than needed."""

import asyncio
from pathlib import Path

import pytest

from bot.playground.slack.entities import Message
from bot.slack.text.thread_sentences import READ_THE_LAST
from masis.conversation import MOST_HEARD, ChatRun
from tests.openai_server import critique
from tests.walks.office import QUESTION, Held, Office, assert_told, office

LAPTOP = "How soon must a lost laptop be reported?"


async def talked(here: Office, *said: str) -> Message:
    """A thread in which Bob and Alice talk in turns; gives its first message."""
    root: Message | None = None
    for number, text in enumerate(said):
        who = here.alice if number % 2 else here.bob
        message = (await here.says(who, text, thread=root)).message
        root = root or message
    assert root is not None
    return root


async def newest(here: Office) -> ChatRun:
    return (await here.bot.services.runs.recent(here.tenant, 1))[0]


async def test_thread_is_heard_while_answered(tmp_path: Path) -> None:
    """What others wrote is there while the run is open, and nowhere after it."""
    async with office(tmp_path) as here:
        assert here.service is not None
        held = Held(critique())
        here.service.will("auditor", held)
        root = await talked(here, "My laptop is gone since <@U1|yesterday>", "Oh no!")
        await here.says(here.bob, f"@MASIS {LAPTOP}", thread=root)
        await asyncio.wait_for(held.asked.wait(), 30)

        assert (await newest(here)).heard == ["My laptop is gone since @yesterday", "Oh no!"]
        prompts = str([each.data for each in here.service.asked])
        assert "Oh no!" not in prompts, "it is evidence of nothing"
        held.go.set()
        await here.settled()

        run = await newest(here)
        assert (run.kind, run.heard) == ("ask", [])
        trail = await here.bot.services.trails.of(here.tenant, run.id)
        assert trail is not None
        assert "Oh no!" not in str(trail)
    files = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert [path.name for path in files if b"Oh no!" in path.read_bytes()] == []


async def test_long_thread_is_cut_and_said(tmp_path: Path) -> None:
    """Of a long thread the last messages are read, which is said; of the next question none."""
    async with office(tmp_path, model=False) as here:
        root = await talked(here, *(f"word {number}" for number in range(MOST_HEARD + 3)))
        await here.says(here.alice, f"@MASIS {LAPTOP}", thread=root)
        await here.sees(here.bob, "within 2 hours", thread=root)
        await here.settled()
        assert [line for line in here.lines() if READ_THE_LAST in line]
        await here.clicks(here.alice, await here.sees(here.alice, "High", thread=root), "How I got")
        await here.modal(here.alice, f"{MOST_HEARD} messages of the thread read")
        await here.alice.closes()

        calls = len(here.slack.called("conversations.replies"))
        await here.says(here.bob, f"@MASIS {QUESTION}", thread=root)
        await here.sees(here.alice, "26 days", thread=root)
        await assert_told(here, "joined_thread")
        assert len(here.slack.called("conversations.replies")) == calls, "it is read once"


@pytest.mark.parametrize("error", ["missing_scope", "internal_error", "channel_not_found"])
async def test_unreadable_thread_is_answered_without(tmp_path: Path, error: str) -> None:
    """Where the thread cannot be read the question is answered without it, and without a word."""
    async with office(tmp_path, model=False) as here:
        root = await talked(here, "My laptop is gone")
        here.slack.hub.faults.add(
            kind="error", method="conversations.replies", error=error, times=9
        )
        await here.says(here.alice, f"@MASIS {LAPTOP}", thread=root)
        await here.sees(here.bob, "within 2 hours", thread=root)
        await here.settled()
        assert len(here.slack.called("conversations.replies")) == 1
        told = [note for note in here.slack.world.private if note.only_for == here.alice.id]
        assert told == []


async def test_own_thread_is_not_read(tmp_path: Path) -> None:
    """A question that begins its thread has nothing before it."""
    async with office(tmp_path, model=False) as here:
        await here.says(here.alice, f"@MASIS {LAPTOP}")
        await here.sees(here.bob, "within 2 hours")
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "26 days")
        await here.settled()
        assert here.slack.called("conversations.replies") == []


async def test_thread_says_what_is_meant(tmp_path: Path) -> None:
    """What the question leaves out stands in the thread, and the answer says how it was read."""
    async with office(tmp_path, model=False) as here:
        root = await talked(here, "Does anybody know how often laptops are replaced?", "No idea.")
        await here.says(here.alice, "@MASIS and how soon must a lost one be reported?", thread=root)
        await here.settled()
        await assert_told(here, "joined_thread_understood")
