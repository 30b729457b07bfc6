"""A bare Web API on loopback that says what a test tells it to, and time that nobody waits for."""

import asyncio
import contextlib
import json
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from aiohttp import web

from bot.slack.client.pacing import Clock
from masis.conversation import Tenant

OURS: Final = Tenant(enterprise="E1", team="T1")
THEIRS: Final = Tenant(team="T2")


@dataclass(frozen=True)
class Token:
    token: str
    bot_id: str = "B1"
    bot_user_id: str = "U0BOT"


class Tokens:
    """A token for each team; `next_tokens` are handed out first."""

    def __init__(self) -> None:
        self.next_tokens: deque[str] = deque()

    async def for_tenant(self, tenant: Tenant) -> Token:
        if self.next_tokens:
            return Token(self.next_tokens.popleft())
        return Token(f"xoxb-{tenant.team}")


class Time:
    """A clock that goes on when somebody sleeps."""

    def __init__(self) -> None:
        self.at = 1000.0
        self.slept: list[float] = []
        self.clock: Final = Clock(now=lambda: self.at, sleep=self._sleep, wall=lambda: self.at)

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds
        await asyncio.sleep(0)


class Received(NamedTuple):
    method: str
    arguments: dict[str, Any]
    token: str
    at: float


Script = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Slack:
    """Serves `/api/<method>`: the next scripted reply, else a plain `ok` of that method."""

    time: Time = field(default_factory=Time)
    received: list[Received] = field(default_factory=list)
    posted: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, Script] = field(default_factory=dict)
    scripts: defaultdict[str, deque[Script]] = field(default_factory=lambda: defaultdict(deque))
    origin: str = ""

    @property
    def api_url(self) -> str:
        return f"{self.origin}/api"

    def calls(self, method: str) -> list[Received]:
        return [call for call in self.received if call.method == method]

    def will(self, method: str, *scripts: Script) -> None:
        self.scripts[method].extend(scripts)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        name = request.path.removeprefix("/api/")
        body = await request.read()
        arguments: dict[str, Any] = dict(request.query)
        if body and request.content_type == "application/json":
            arguments |= json.loads(body)
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        self.received.append(Received(name, arguments, token, self.time.at))
        if self.scripts[name]:
            return await self.scripts[name].popleft()(request)
        if name in self.files:
            return await self.files[name](request)
        return web.json_response({"ok": True} | self._plain(name, arguments))

    def post(self, arguments: dict[str, Any]) -> str:
        ts = f"{self.time.at + len(self.posted):.6f}"
        message = {name: arguments.get(name) for name in ("text", "metadata", "thread_ts")}
        self.posted.append(message | {"ts": ts, "bot_id": "B1", "user": "U0BOT"})
        return ts

    def _plain(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if name == "chat.postMessage":
            return {"ts": self.post(arguments)}
        if name in {"conversations.replies", "conversations.history"}:
            return {"messages": self.posted}
        if name == "files.getUploadURLExternal":
            return {"upload_url": f"{self.origin}/upload", "file_id": "F1"}
        if name == "files.completeUploadExternal":
            [file] = json.loads(arguments["files"])
            shared = [{"id": file["id"], "name": file["title"]}]
            self.posted.append({"ts": "2.2", "bot_id": "B1", "files": shared})
        return {}


@contextlib.asynccontextmanager
async def serving(slack: Slack) -> AsyncIterator[Slack]:
    app = web.Application(client_max_size=2**26)
    app.router.add_route("*", "/{path:.*}", slack.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        slack.origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield slack
    finally:
        await runner.cleanup()


def says(body: object, status: int = 200, **headers: str) -> Script:
    """A JSON reply."""

    async def script(_: web.Request) -> web.Response:
        return web.json_response(body, status=status, headers=headers)

    return script


def refuses(code: str, **more: str) -> Script:
    return says({"ok": False, "error": code, **more})


def limits(retry_after: str | None) -> Script:
    """A 429 with this header, or without."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return says({"ok": False, "error": "ratelimited"}, 429, **headers)


def page(body: str = "<!DOCTYPE html><p>Sign in</p>", status: int = 200) -> Script:
    """A page for people."""

    async def script(_: web.Request) -> web.Response:
        return web.Response(text=body, status=status, content_type="text/html")

    return script


def drops(slack: Slack, *, taken: bool) -> Script:
    """The connection breaks instead of a reply; `taken` says that the message was posted."""

    async def script(request: web.Request) -> web.Response:
        if taken:
            slack.post(await request.json())
        if request.transport is not None:
            request.transport.close()
        return web.Response()

    return script
