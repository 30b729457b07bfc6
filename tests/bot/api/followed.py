"""A run as a client follows it: server-sent events, read as they come."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from tests.bot.api.service import Service


@dataclass
class Sent:
    """One event."""

    event: str
    id: str
    data: Any


@dataclass
class Stream:
    """An open stream."""

    status: int
    headers: dict[str, str]
    content: aiohttp.StreamReader
    comments: list[str] = field(default_factory=list)

    async def one(self) -> Sent | None:
        """The next event; None at the end of the stream."""
        fields: dict[str, str] = {}
        while line := await self.content.readline():
            text = line.decode().rstrip("\n")
            if text.startswith(":"):
                self.comments.append(text)
            elif text:
                name, _, value = text.partition(": ")
                fields[name] = f"{fields[name]}\n{value}" if name in fields else value
            elif "event" in fields:
                return Sent(fields["event"], fields["id"], json.loads(fields["data"]))
        return None

    async def rest(self) -> list[Sent]:
        """All events that still come."""
        found = []
        while (event := await self.one()) is not None:
            found.append(event)
        return found


@asynccontextmanager
async def following(
    service: Service, run_id: str, *, after: str = "", token: str = ""
) -> AsyncIterator[Stream]:
    """Follow a run until the block ends."""
    headers = {"Authorization": f"Bearer {token or service.token}"}
    if after:
        headers["Last-Event-ID"] = after
    url = f"{service.url}/masis/runs/{run_id}/events"
    limit = aiohttp.ClientTimeout(total=20)
    async with (
        aiohttp.ClientSession(timeout=limit, read_bufsize=2**20) as session,
        session.get(url, headers=headers) as answer,
    ):
        yield Stream(answer.status, dict(answer.headers), answer.content)
