import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlencode

import pytest
from slack_bolt.async_app import AsyncApp, AsyncBoltContext
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.signature import SignatureVerifier
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.install.authorize import NOT_INSTALLED, authorizer
from bot.slack.install.tokens import BotToken, NotInstalled, TokenRevoked
from masis.conversation import Tenant
from tests.bot.slack.granting import GrantingSlack

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
T1 = Tenant(enterprise="E1", team="T1")


class Known:
    """Tokens of two teams; a third one's was revoked."""

    def __init__(self) -> None:
        self.asked: list[Tenant] = []

    async def for_tenant(self, tenant: Tenant) -> BotToken:
        self.asked.append(tenant)
        match tenant.team:
            case "T1" | "T2":
                return BotToken(
                    token=f"xoxb-{tenant.enterprise}-{tenant.team}",
                    bot_id="BBOT",
                    bot_user_id="UBOT",
                    scopes=frozenset({"commands", "chat:write"}),
                )
            case "T3":
                raise TokenRevoked("no", code="token_revoked")
            case _:
                raise NotInstalled("no")

    def drop(self, tenant: Tenant) -> None: ...

    async def lost(self, tenant: Tenant, error: object) -> None: ...

    async def close(self) -> None: ...


@pytest.fixture
async def slack() -> AsyncIterator[GrantingSlack]:
    async with GrantingSlack() as started:
        yield started


@pytest.fixture
def tokens() -> Known:
    return Known()


@pytest.fixture
def seen() -> list[dict[str, Any]]:
    return []


@pytest.fixture
def left() -> asyncio.Event:
    """Set once an uninstallation arrived: Bolt acknowledges before its listener is done."""
    return asyncio.Event()


@pytest.fixture
def app(
    slack: GrantingSlack, tokens: Known, seen: list[dict[str, Any]], left: asyncio.Event
) -> AsyncApp:
    app = AsyncApp(
        signing_secret=SECRET,
        authorize=authorizer(tokens),  # type: ignore[arg-type] # None is Bolt's own word for nobody
        client=AsyncWebClient(base_url=f"{slack.api_url}/", retry_handlers=[]),
        user_facing_authorize_error_message=NOT_INSTALLED,
    )

    @app.command("/masis")
    async def listen(ack: Any, context: AsyncBoltContext) -> None:
        seen.append(
            dict(context) | {"client token": context.client.token if context.client else ""}
        )
        await ack("On it")

    @app.event("app_uninstalled")
    async def leave(context: AsyncBoltContext) -> None:
        seen.append(dict(context))
        left.set()

    return app


async def send(app: AsyncApp, body: str, kind: str) -> BoltResponse:
    moment = str(int(time.time()))
    signature = SignatureVerifier(SECRET).generate_signature(timestamp=moment, body=body)
    headers = {
        "content-type": kind,
        "x-slack-signature": signature or "",
        "x-slack-request-timestamp": moment,
    }
    request = AsyncBoltRequest(body=body, headers=dict(headers), mode="http")
    return await app.async_dispatch(request)


async def command(app: AsyncApp, **team: str) -> BoltResponse:
    body = {"command": "/masis", "text": "q", "user_id": "U1", "trigger_id": "1.2", **team}
    return await send(app, urlencode(body), "application/x-www-form-urlencoded")


async def test_request_gets_its_team_token(
    app: AsyncApp, seen: list[dict[str, Any]], slack: GrantingSlack, tokens: Known
) -> None:
    """A request gets its own teams token and slack is not asked."""
    for enterprise, team in (("E1", "T1"), ("E1", "T2"), ("E2", "T1")):
        response = await command(app, enterprise_id=enterprise, team_id=team)
        assert (response.status, response.body) == (200, "On it")
    assert [each["client token"] for each in seen] == ["xoxb-E1-T1", "xoxb-E1-T2", "xoxb-E2-T1"]
    assert {each["bot_id"] for each in seen} == {"BBOT"}
    assert {each["bot_user_id"] for each in seen} == {"UBOT"}
    assert tokens.asked[0] == T1
    assert slack.calls == []


async def test_unaffiliated_team_is_own_tenant(
    app: AsyncApp, seen: list[dict[str, Any]], tokens: Known
) -> None:
    """A team without an organisation is a tenant of its own."""
    await command(app, team_id="T1")
    assert tokens.asked == [Tenant(team="T1")]
    assert [each["client token"] for each in seen] == ["xoxb--T1"]


@pytest.mark.parametrize("team", ["T3", "T9"])
async def test_missing_installation_is_reported(
    app: AsyncApp, seen: list[dict[str, Any]], slack: GrantingSlack, team: str
) -> None:
    """Who has no installation any more is told so."""
    response = await command(app, enterprise_id="E1", team_id=team)
    assert (response.status, response.body) == (200, NOT_INSTALLED)
    assert seen == []
    assert slack.calls == []


async def test_an_uninstallation_arrives_without_a_token(
    app: AsyncApp, seen: list[dict[str, Any]], tokens: Known, left: asyncio.Event
) -> None:
    body = {
        "type": "event_callback",
        "team_id": "T9",
        "enterprise_id": "E1",
        "event": {"type": "app_uninstalled"},
        "authorizations": [
            {"enterprise_id": "E1", "team_id": "T9", "is_enterprise_install": False}
        ],
    }
    response = await send(app, json.dumps(body), "application/json")
    assert response.status == 200
    await asyncio.wait_for(left.wait(), timeout=5)
    assert [each["team_id"] for each in seen] == ["T9"]
    assert tokens.asked == []
