import asyncio
from pathlib import Path
from typing import Any, Final

import pytest

from bot.cli.doctor.findings import Check
from bot.cli.doctor.slack_probes import probe
from bot.playground.server import Playground
from bot.settings import load
from bot.slack.install.manifest import packaged
from storage.secrets import generate_key
from tests.bot.cli.spoken import KEYS, Said, on
from tests.bot.program import Masis
from tests.bot.slack.loopback import Slack, limits, page, refuses, says, serving

SCOPES: Final[list[str]] = packaged()["oauth_config"]["scopes"]["bot"]
WHO: Final = {
    "ok": True,
    "team": "Northmoor",
    "team_id": "T0123",
    "user": "masis",
    "bot_id": "B1",
}
SIGNED: Final = {"slack_signing_secret": "s3cret"}
REACHED: Final = refuses("not_authed")


async def found(**settings: Any) -> dict[str, Check]:
    return {check.name: check for check in await probe(load(**settings))}


async def with_bot(slack: Slack, **settings: Any) -> dict[str, Check]:
    given = {"slack_api_url": slack.api_url, "slack_bot_token": "xoxb-1"}
    return await found(**given | settings)


async def test_missing_slack_skips_its_checks() -> None:
    """Without slack everything is skipped with the reason."""
    [check] = (await found()).values()
    assert (check.name, check.state) == ("slack", "skipped")
    assert "MASIS_SLACK_BOT_TOKEN" in check.detail


async def test_single_workspace_bot_is_ok(masis: Masis) -> None:
    """A bot for one workspace is ok against the stand in."""
    async with Playground() as slack:
        result = await asyncio.to_thread(
            masis,
            "doctor",
            MASIS_EMBEDDER="none",
            MASIS_SLACK_API_URL=slack.api_url,
            MASIS_SLACK_BOT_TOKEN=slack.bot_token,
            MASIS_SLACK_APP_TOKEN=slack.app_token,
        )
        assert slack.bots.sockets == [], "it opens Socket Mode, and does not connect"
    assert result.exit_code == 0, result.output
    shown = result.stdout.splitlines()
    assert f"ok      slack: {slack.api_url} answers" in shown
    assert f"ok      slack bot token: masis in Northmoor ({slack.team.id})" in shown
    assert "ok      slack app token: Socket Mode can be opened" in shown
    assert "skipped slack signing secret: Socket Mode needs none" in shown
    assert slack.bot_token not in result.output


async def test_refused_slack_tokens_are_found() -> None:
    """Tokens that slack refuses are found with what to do."""
    async with Playground() as slack:
        checks = await found(
            slack_api_url=slack.api_url, slack_bot_token="xoxb-wrong", slack_app_token="xapp-wrong"
        )
    bot, app = checks["slack bot token"], checks["slack app token"]
    assert (bot.state, bot.detail) == ("fail", "Slack does not accept it (invalid_auth)")
    assert "OAuth & Permissions" in bot.hint
    assert (app.state, app.detail) == ("fail", "Slack does not accept it (invalid_auth)")
    assert "connections:write" in app.hint


async def test_app_token_for_bot_is_noticed() -> None:
    """An app token in place of the bots is noticed."""
    async with Playground() as slack:
        checks = await found(slack_api_url=slack.api_url, slack_bot_token=slack.app_token, **SIGNED)
    assert "not_allowed_token_type" in checks["slack bot token"].detail


@pytest.mark.parametrize("token", ["xoxb-1\n", "xoxb 1", "xoxb-…"])
async def test_malformed_token_is_not_sent(token: str) -> None:
    """What can be no token is not sent."""
    async with serving(Slack()) as slack:
        slack.will("auth.test", REACHED)
        checks = await with_bot(slack, slack_bot_token=token, slack_app_token=token)
        assert len(slack.received) == 1
    for name in ("slack bot token", "slack app token"):
        assert checks[name].state == "fail"
        assert "no token has" in checks[name].detail


async def test_missing_scope_is_named() -> None:
    """A missing scope is named and more than enough is fine."""
    for scopes, state in ((SCOPES[1:], "fail"), ([*SCOPES, "emoji:read"], "ok"), ([], "skipped")):
        async with serving(Slack()) as slack:
            told: dict[str, Any] = {"x-oauth-scopes": ", ".join(scopes)} if scopes else {}
            slack.will("auth.test", REACHED, says(WHO, **told))
            check = (await with_bot(slack, **SIGNED))["slack scopes"]
        assert check.state == state
        if state == "fail":
            assert check.detail == f"the token lacks {SCOPES[0]}"
            assert "masis manifest" in check.hint


async def test_personal_or_expiring_token_fails() -> None:
    """A persons token and one that ends are found."""
    for body, said in (
        (WHO | {"bot_id": None}, "it is no bot's"),
        (WHO | {"expires_in": 43_000}, "it ends in 11 h"),
    ):
        async with serving(Slack()) as slack:
            slack.will("auth.test", REACHED, says(body))
            check = (await with_bot(slack, **SIGNED))["slack bot token"]
        assert check.state == "fail"
        assert said in check.detail


async def test_rate_limit_is_not_wrong_token() -> None:
    """A busy slack is no wrong token."""
    async with serving(Slack()) as slack:
        slack.will("auth.test", REACHED, limits("7"))
        check = (await with_bot(slack, **SIGNED))["slack bot token"]
    assert "limits auth.test for 7 s" in check.detail
    assert check.hint == "Try again in a minute."


async def test_foreign_slack_address_is_not_called() -> None:
    """An address that is not slacks is found and nothing is sent there."""
    async with serving(Slack()) as slack:
        slack.will("auth.test", page())
        checks = await with_bot(slack, **SIGNED)
        assert [call.token for call in slack.received] == [""]
    assert checks["slack"].state == "fail"
    assert "MASIS_SLACK_API_URL" in checks["slack"].hint
    assert "slack bot token" not in checks
    unreachable = await found(slack_api_url="http://127.0.0.1:9/api", slack_bot_token="xoxb-1")
    assert "cannot be reached for auth.test. Check the network" in unreachable["slack"].detail


async def test_http_wants_a_signing_secret() -> None:
    async with serving(Slack()) as slack:
        slack.will("auth.test", REACHED, says(WHO), REACHED, says(WHO))
        without = (await with_bot(slack))["slack signing secret"]
        assert (without.state, "Socket Mode" in without.hint) == ("fail", True)
        assert (await with_bot(slack, **SIGNED))["slack signing secret"].state == "ok"


async def test_oauth_requires_keys_and_https() -> None:
    """Oauth wants keys and an https address."""
    app = {"slack_client_id": "1.2", "slack_client_secret": "x", **SIGNED}
    async with serving(Slack()) as slack:
        slack.will("auth.test", REACHED, REACHED)
        bare = await found(slack_api_url=slack.api_url, public_url="http://masis.test", **app)
        whole = await found(
            slack_api_url=slack.api_url,
            public_url="https://masis.test",
            secret_keys=f"k1:{generate_key()}",
            **app,
        )
    assert {name: bare[name].state for name in ("public address", "secret keys")} == {
        "public address": "fail",
        "secret keys": "fail",
    }
    assert "masis keys generate" in bare["secret keys"].hint
    assert {check.state for check in whole.values()} == {"ok"}


def test_installations_without_key_are_found(masis: Masis, data_dir: Path) -> None:
    """Installations whose key is gone are found."""
    on(data_dir, lambda database: Said(database).install("xoxb-secret"))
    oauth = {
        "MASIS_EMBEDDER": "none",
        "MASIS_SLACK_API_URL": "http://127.0.0.1:9/api",
        "MASIS_SLACK_CLIENT_ID": "1.2",
        "MASIS_SLACK_CLIENT_SECRET": "x",
    }
    whole = masis("doctor", **oauth, MASIS_SECRET_KEYS=KEYS)
    assert "ok      installations: 1 whose tokens can be read" in whole.stdout
    lost = masis("doctor", **oauth, MASIS_SECRET_KEYS=f"k2:{generate_key()}")
    assert lost.exit_code == 1
    assert "fail    installations: A stored secret" in lost.stdout
    assert "does not hold" in lost.stdout
