"""Conversations that people wrote over the sample workspace, held in Slack by the real bot."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib import resources
from pathlib import Path
from typing import Any, Final

import pytest

from bot.playground import samples
from bot.playground.people.people import Person
from bot.playground.remembered import by_heart, sources
from bot.playground.slack.entities import Channel, Message
from masis.words.chat_words import small_talk
from tests.walks.office import Office, decide, link, office

ROWS: Final = Path(__file__).parents[1] / "bench" / "conversations"
_GENEROUS: Final = {
    "user_per_minute": 1000,
    "user_running": 100,
    "channel_per_minute": 10_000,
    "workspace_per_minute": 10_000,
    "workspace_running": 100,
}
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation: who holds it, and in which channel of their own."""

    row: Row
    person: Person
    channel: Channel

    @property
    def name(self) -> str:
        """What it is called in its file."""
        return str(self.row["id"])


def rows(name: str) -> list[Row]:
    """Read the conversations of a file."""
    text = (ROWS / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@asynccontextmanager
async def sample_office(folder: Path, only: str = "*") -> AsyncIterator[Office]:
    """Open an office that asks the sample workspace, or the files of it that fit, without a model."""
    with pytest.MonkeyPatch.context() as patch:
        # Slack's budgets are of a minute; here days of talk pass in one.
        patch.setattr("bot.slack.client.pacing.RATES", {})
        async with office(folder, documents={}, model=False) as here:
            await _filled(here, only)
            yield here


async def _filled(here: Office, only: str) -> None:
    await decide(here, **_GENEROUS)
    if here.app.embedder is not None:
        here.app.embedder = by_heart(here.app.embedder)
    with resources.as_file(samples.SAMPLE / samples.DOCS) as documents:
        files = [each for each in sources(documents) if fnmatch(each.name, only)]
        async for put_in in here.app.ingest.ingest_many(here.workspace, files):
            assert put_in.status == "added", put_in


async def hold(here: Office, held: Sequence[Row]) -> list[Talk]:
    """Hold conversations beside each other, each in one thread, a turn of all of them at a time.

    Who asked goes on without a mention.
    """
    talks = [await _begun(here, row) for row in held]
    roots: dict[str, Message] = {}
    for turn in range(max(len(row["turns"]) for row in held)):
        speaking = [each for each in talks if turn < len(each.row["turns"])]
        await asyncio.gather(*(_says(here, each, turn, roots) for each in speaking))
        await here.settled()
    return talks


async def _begun(here: Office, row: Row) -> Talk:
    name = str(row["id"])
    person = here.slack.person(name)
    channel = here.slack.channel(name, person, here.admin)
    await link(here, channel)
    return Talk(row, person, channel)


async def _says(here: Office, talk: Talk, turn: int, roots: dict[str, Message]) -> None:
    root = roots.get(talk.name)
    before = [str(each["say"]) for each in talk.row["turns"][:turn]]
    text = str(talk.row["turns"][turn]["say"])
    # A thread is MASIS's once something was asked in it.
    is_asked = any(small_talk(each) is None for each in before)
    said = await here.says(talk.person, text if is_asked else f"@MASIS {text}", root, talk.channel)
    if root is None and said.message is not None:
        roots[talk.name] = said.message
