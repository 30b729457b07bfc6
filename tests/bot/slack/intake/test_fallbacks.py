"""What no listener hears, and a listener that breaks: through a real Bolt app."""

import json
import logging
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp, AsyncBoltRequest
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.response import BoltResponse

from bot.slack.intake.fallbacks import unforeseen
from masis.errors import StoreUnavailable

CANARY = "what-is-the-salary-of-the-chief"


async def authorize(**_: Any) -> AuthorizeResult:
    return AuthorizeResult(enterprise_id=None, team_id="T1", bot_token="xoxb-1", bot_user_id="UBOT")


async def breaks(text: str) -> None:
    raise ValueError(f"no: {text}")


async def breaks_with(event: dict[str, Any]) -> None:
    if event["user"] == "UNLUCKY":
        raise StoreUnavailable("The disk is full.")
    await breaks(event["text"])


@pytest.fixture
def app() -> AsyncApp:
    made = AsyncApp(
        authorize=authorize,
        signing_secret="",
        request_verification_enabled=False,
        process_before_response=True,
        raise_error_for_unhandled_request=True,
    )
    made.error(unforeseen)
    made.event("message")(breaks_with)
    return made


async def sent(app: AsyncApp, **body: Any) -> BoltResponse:
    headers = {"content-type": "application/json"}
    told = {"team_id": "T1", **body}
    return await app.async_dispatch(AsyncBoltRequest(body=json.dumps(told), headers=dict(headers)))


async def test_unhandled_event_is_acknowledged(app: AsyncApp) -> None:
    """An event that nobody hears is received."""
    heard = await sent(app, type="event_callback", event={"type": "reaction_added", "user": "U1"})

    assert heard.status == 200


async def test_withheld_events_reach_the_operator(
    app: AsyncApp, caplog: pytest.LogCaptureFixture
) -> None:
    """Events that slack holds back are told to the operator."""
    heard = await sent(app, type="app_rate_limited", minute_rate_limited=1518467820)

    assert heard.status == 200
    assert "Slack holds events back" in caplog.text


async def test_unhandled_button_shows_failure(app: AsyncApp) -> None:
    """A button that nobody hears is shown as failed."""
    actions = [{"type": "button", "action_id": "of_another", "block_id": "b", "value": "v"}]

    heard = await sent(app, type="block_actions", actions=actions, user={"id": "U1"})

    assert heard.status == 404


async def test_exception_is_logged_without_text(
    app: AsyncApp, caplog: pytest.LogCaptureFixture
) -> None:
    """A mistake is logged by its name and place alone."""
    event = {"type": "message", "channel": "C1", "user": "U1", "ts": "1.1", "text": CANARY}
    caplog.set_level(logging.INFO)

    heard = await sent(app, type="event_callback", event=event)

    assert heard.status == 500
    assert "ValueError in breaks:" in caplog.text
    assert CANARY not in caplog.text


async def test_unstorable_event_is_not_acknowledged(
    app: AsyncApp, caplog: pytest.LogCaptureFixture
) -> None:
    """An event that cannot be stored now is not received."""
    event = {"type": "message", "channel": "C1", "user": "UNLUCKY", "ts": "1.1", "text": CANARY}

    heard = await sent(app, type="event_callback", event=event)

    assert heard.status == 503
    assert "The disk is full" in caplog.text
    assert CANARY not in caplog.text
