"""A browser tab as tests have it: it speaks the contract over the real websocket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self

import aiohttp

from bot.playground.page.contract import TO_BROWSER, Change, Changes, Reply, State
from bot.playground.page.page_server import Page

SECONDS = 10.0


@dataclass
class Browser:
    """One tab. What it was told is kept; `state` is the newest whole state."""

    page: Page
    socket: aiohttp.ClientWebSocketResponse
    session: aiohttp.ClientSession
    state: State | None = None
    seq: int = 0
    told: list[Change] = field(default_factory=list)
    replies: dict[int, Reply] = field(default_factory=dict)
    last_id: int = 0

    async def hello(self, **said: Any) -> Self:
        """Say who it is, and wait for the first frame."""
        await self.socket.send_json({"type": "hello", **said})
        await self.hears()
        return self

    async def hears(self) -> State | Changes | Reply:
        """The next frame."""
        text = await self.socket.receive_str(timeout=SECONDS)
        frame = TO_BROWSER.validate_json(text)
        match frame:
            case State():
                self.state, self.seq = frame, frame.seq
            case Changes():
                self.seq = frame.seq
                self.told += frame.changes
            case Reply():
                self.replies[frame.id] = frame
        return frame

    async def does(self, kind: str, **said: Any) -> Reply:
        """Do something, and wait for what came of it."""
        self.last_id += 1
        await self.socket.send_json({"type": kind, "id": self.last_id, **said})
        while self.last_id not in self.replies:
            await self.hears()
        return self.replies[self.last_id]

    async def until(self, kind: str, **about: Any) -> Any:
        """Wait for the newest change of a kind whose thing is so; gives the thing."""
        while True:
            for change in reversed(self.told):
                thing = getattr(change, kind, None) if change.kind == kind else None
                if thing is not None and all(getattr(thing, n) == v for n, v in about.items()):
                    return thing
            await self.hears()

    async def closed(self) -> int | None:
        """Wait until the page closes it; gives the code."""
        async with asyncio.timeout(SECONDS):
            while not self.socket.closed:
                await self.socket.receive()
        return self.socket.close_code

    async def uploads(self, name: str, content: bytes, **changed: str) -> tuple[int, Any]:
        """Send a file's bytes; gives the status and what was answered."""
        assert self.state is not None
        key = self.page.url.partition("key=")[2]
        said = {"key": key, "person": self.state.you, "name": name} | changed
        origin = {"Origin": self.page.base_url}
        address = f"{self.page.base_url}/upload"
        async with self.session.post(address, params=said, data=content, headers=origin) as reply:
            return reply.status, await reply.json()


@asynccontextmanager
async def tab(page: Page, **headers: str) -> AsyncIterator[Browser]:
    """A tab that has said nothing yet."""
    async with aiohttp.ClientSession() as session:
        address = page.url.replace("http://", "ws://").replace("/?", "/live?")
        given = {"Origin": page.base_url} | headers
        async with session.ws_connect(address, headers=given) as socket:
            yield Browser(page, socket, session)
