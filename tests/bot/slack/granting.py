"""A small Slack on loopback that grants: oauth.v2.access and auth.test, over real HTTP."""

import asyncio
import functools
import tempfile
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from aiohttp import web
from pydantic import SecretStr

from bot.slack.client.pacing import Clock
from bot.slack.install.grants import Grants
from storage.sql.database import Database

CLIENT_ID: Final = "123.456"
CLIENT_SECRET: Final = "cs-7d1f0c"

Body = dict[str, Any]
Answer = Callable[[], web.Response]


@dataclass
class Team:
    """A workspace; `team` is empty where its organisation installs as a whole."""

    team: str = "T1"
    enterprise: str = ""
    name: str = "Acme"
    expires_in: int | None = None
    changed: Body = field(default_factory=dict)
    """What the grant says otherwise."""


def answers(body: Body | str, status: int = 200, **headers: str) -> Answer:
    """This very answer."""
    wire = {name.replace("_", "-"): value for name, value in headers.items()}
    if isinstance(body, str):
        return lambda: web.Response(text=body, status=status, content_type="text/html")
    return lambda: web.json_response(body, status=status, headers=wire)


def refuses(code: str) -> Answer:
    return answers({"ok": False, "error": code})


@dataclass
class GrantingSlack:
    """Codes and refresh tokens are good for one use, as Slack's are."""

    delay: float = 0.0
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once oauth.v2.access was called."""
    codes: dict[str, Team] = field(default_factory=dict)
    refreshable: dict[str, Team] = field(default_factory=dict)
    tokens: dict[str, Team] = field(default_factory=dict)
    script: deque[Answer] = field(default_factory=deque)
    """The next answers of oauth.v2.access."""
    identities: deque[Answer] = field(default_factory=deque)
    """The next answers of auth.test."""
    access: list[Body] = field(default_factory=list)
    calls: list[tuple[str, str]] = field(default_factory=list)
    """Every call of any method: its name, and the token it came with."""
    api_url: str = ""
    _made: int = 0
    _runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/api/oauth.v2.access", self._access)
        app.router.add_post("/api/{method}", self._method)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.api_url = f"http://{host}:{port}/api"
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    def grants(self, clock: Clock | None = None, secret: str = CLIENT_SECRET) -> Grants:
        return Grants(
            api_url=self.api_url,
            client_id=CLIENT_ID,
            client_secret=SecretStr(secret),
            clock=clock,
            seconds=2,
        )

    @property
    def renewals(self) -> list[str]:
        """The refresh tokens that were sent."""
        return [body["refresh_token"] for body in self.access if "refresh_token" in body]

    def made(self, team: Team) -> Body:
        """New tokens for a team."""
        self._made += 1
        token, refresh = f"xoxb-{self._made}", f"xoxe-{self._made}"
        self.tokens[token] = team
        named = {"id": team.enterprise, "name": "Org"} if team.enterprise else None
        body: Body = {
            "ok": True,
            "access_token": token,
            "token_type": "bot",
            "scope": "commands,chat:write",
            "bot_user_id": "UBOT",
            "app_id": "A1",
            "team": {"id": team.team, "name": team.name} if team.team else None,
            "enterprise": named,
            "authed_user": {"id": "U1"},
            "is_enterprise_install": not team.team,
        }
        if team.expires_in is not None:
            self.refreshable[refresh] = team
            body |= {"refresh_token": refresh, "expires_in": team.expires_in}
        return body | team.changed

    async def _access(self, request: web.Request) -> web.Response:
        body = dict(await request.post())
        self.access.append(body)
        self.asked.set()
        await asyncio.sleep(self.delay)
        if self.script:
            return self.script.popleft()()
        if (body.get("client_id"), body.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return refuses("bad_client_secret")()
        if body.get("grant_type") == "refresh_token":
            team = self.refreshable.pop(str(body.get("refresh_token")), None)
            return (
                web.json_response(self.made(team)) if team else refuses("invalid_refresh_token")()
            )
        team = self.codes.pop(str(body.get("code")), None)
        return web.json_response(self.made(team)) if team else refuses("invalid_code")()

    async def _method(self, request: web.Request) -> web.Response:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        method = request.match_info["method"]
        self.calls.append((method, token))
        if method == "auth.test" and self.identities:
            return self.identities.popleft()()
        team = self.tokens.get(token)
        if team is None:
            return refuses("invalid_auth")()
        body = {
            "ok": True,
            "team": team.name,
            "team_id": team.team or "T0",
            "enterprise_id": team.enterprise or None,
            "is_enterprise_install": not team.team,
            "user_id": "UBOT",
            "bot_id": "BBOT",
            "app_id": "A1",
        }
        return web.json_response(body, headers={"X-OAuth-Scopes": "commands, chat:write"})


# --- databases -----------------------------------------------------------------------------


@functools.cache
def _empty_database() -> bytes:
    """A database of the current schema; building it takes longer than most tests."""

    async def build(file: Path) -> None:
        await (await Database.open(file)).close()

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as thread:
        file = Path(folder) / "masis.db"
        # In a thread of its own: the caller's event loop may be running.
        thread.submit(asyncio.run, build(file)).result()
        return file.read_bytes()


async def database_in(folder: Path) -> Database:
    """A database in that folder; made when it is new."""
    file = folder / "masis.db"
    if not file.exists():
        file.write_bytes(_empty_database())
    return await Database.open(file)
