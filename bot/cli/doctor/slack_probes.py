"""Ask Slack, for `masis doctor`, and check the settings for it."""

import re
from typing import Any, Final, NamedTuple

from pydantic import SecretStr

from bot.cli.doctor.findings import Check
from bot.settings import SLACK, Settings
from bot.slack.client.pacing import Clock
from bot.slack.client.wire import Wire
from bot.slack.install.grants import SCOPES_HEADER
from bot.slack.install.key_ring import key_ring
from bot.slack.install.manifest import packaged
from bot.slack.slack_errors import Garbled, SlackError, Unavailable
from masis.errors import InvalidSettings

_TOKEN: Final = re.compile(r"[!-~]{1,4000}")
"""What fits into a header; Slack's tokens do."""

_NO_SLACK: Final = (
    "not set up: MASIS_SLACK_BOT_TOKEN and MASIS_SLACK_APP_TOKEN connect one workspace,"
    " MASIS_SLACK_CLIENT_ID and its secret many"
)
_NO_TOKEN: Final = "it holds blanks or characters that no token has"  # noqa: S105 - a sentence
_ANY_URL: Final = "MASIS_SLACK_API_URL should be Slack's own address, a proxy or a stand-in."
_NETWORK: Final = "Let this machine reach slack.com over https, or set HTTPS_PROXY."
_WRONG_BOT: Final = (
    "Copy the bot token (xoxb-…) from the app's page, under OAuth & Permissions, into"
    " MASIS_SLACK_BOT_TOKEN."
)
_WRONG_APP: Final = (
    "Make an app-level token (xapp-…) with the scope connections:write on the app's page, under"
    " Basic Information, and set it as MASIS_SLACK_APP_TOKEN."
)
_SCOPES: Final = (
    "Paste the output of `masis manifest` into the app's page, under App Manifest, and install the"
    " app again."
)
_SIGNING: Final = (
    "Copy it from the app's page, under Basic Information, or set MASIS_SLACK_APP_TOKEN for Socket"
    " Mode."
)
_ROTATING: Final = (
    "A token in a setting cannot be renewed: create the app with token rotation off, as"
    " `masis manifest --socket` has it, or let it be installed by OAuth."
)


async def probe(settings: Settings) -> list[Check]:
    """Check everything of Slack that is set up."""
    if not (settings.slack_client_id or _has(settings.slack_bot_token)):
        return [_skipped("slack", _NO_SLACK)]
    wire = Wire(settings.slack_api_url, Clock())
    try:
        reached = await _reached(wire, settings)
        asked = await _asked(wire, settings) if reached.state == "ok" else []
    finally:
        await wire.close()
    return [reached, *asked, *_set_up(settings)]


async def _asked(wire: Wire, settings: Settings) -> list[Check]:
    """Check what only Slack knows."""
    checks = []
    if _has(settings.slack_bot_token):
        checks += await _bot(wire, settings.slack_bot_token)
    if _has(settings.slack_app_token):
        checks.append(await _socket(wire, settings.slack_app_token))
    return checks


# --- Slack's word --------------------------------------------------------------------------


class _Answer(NamedTuple):
    """Hold Slack's reply: a body, with a header of interest, or the error."""

    body: dict[str, Any]
    scopes: str
    error: SlackError | None = None


async def _answer(wire: Wire, method: str, token: SecretStr | None = None) -> _Answer:
    # The client moves it into a header.
    given = {} if token is None else {"token": token.get_secret_value()}
    try:
        response = await wire.client.api_call(method, params=given)
    except SlackError as error:
        return _Answer({}, "", error)
    body = response.data if isinstance(response.data, dict) else {}
    return _Answer(body, response.headers.get(SCOPES_HEADER, ""))


async def _reached(wire: Wire, settings: Settings) -> Check:
    """Ask without a token: whoever refuses that in Slack's words is Slack."""
    error = (await _answer(wire, "auth.test")).error
    if isinstance(error, Unavailable | Garbled):
        hint = _NETWORK if settings.slack_api_url == SLACK else _ANY_URL
        return _failed("slack", str(error), hint)
    return _ok("slack", f"{settings.slack_api_url} answers")


async def _bot(wire: Wire, token: SecretStr) -> list[Check]:
    """Check whose the bot token is, and what it may do."""
    name = "slack bot token"
    if not _TOKEN.fullmatch(token.get_secret_value()):
        return [_failed(name, _NO_TOKEN, _WRONG_BOT)]
    body, scopes, error = await _answer(wire, "auth.test", token)
    if error is not None:
        return [_refused(name, error, _WRONG_BOT)]
    if not body.get("bot_id"):
        return [_failed(name, "it is valid, but it is no bot's", _WRONG_BOT)]
    found = f"{body.get('user')} in {body.get('team')} ({body.get('team_id')})"
    hours = _hours(body.get("expires_in"))
    if hours is not None:
        return [_failed(name, f"{found}; it ends in {hours} h", _ROTATING), _scopes(scopes)]
    return [_ok(name, found), _scopes(scopes)]


def _hours(seconds: object) -> int | None:
    return seconds // 3600 if isinstance(seconds, int) else None


def _scopes(told: str) -> Check:
    """Compare what the token may do with what the manifest asks for."""
    name = "slack scopes"
    granted = {scope.strip() for scope in told.split(",")} - {""}
    wanted = packaged()["oauth_config"]["scopes"]["bot"]
    if not granted:
        return _skipped(name, "Slack did not say what the token may do")
    if missing := sorted(set(wanted) - granted):
        return _failed(name, f"the token lacks {', '.join(missing)}", _SCOPES)
    return _ok(name, f"all {len(wanted)} of the manifest")


async def _socket(wire: Wire, token: SecretStr) -> Check:
    """Open Socket Mode, without connecting: what would be sent there goes on to the bot."""
    name = "slack app token"
    if not _TOKEN.fullmatch(token.get_secret_value()):
        return _failed(name, _NO_TOKEN, _WRONG_APP)
    error = (await _answer(wire, "apps.connections.open", token)).error
    if error is not None:
        return _refused(name, error, _WRONG_APP)
    return _ok(name, "Socket Mode can be opened")


def _refused(name: str, error: SlackError, hint: str) -> Check:
    """The token is wrong, or Slack has no time to look at it."""
    if error.retryable or not error.code:
        return _failed(name, str(error), "Try again in a minute.")
    return _failed(name, f"Slack does not accept it ({error.code})", hint)


# --- settings ------------------------------------------------------------------------------


def _set_up(settings: Settings) -> list[Check]:
    """Check the settings that the way in which Slack calls needs."""
    checks = [_signing(settings)]
    if settings.slack_client_id:
        checks += [_public_url(settings.public_url), _keys(settings)]
    return checks


def _signing(settings: Settings) -> Check:
    name = "slack signing secret"
    if _has(settings.slack_app_token):
        return _skipped(name, "Socket Mode needs none")
    if not _has(settings.slack_signing_secret):
        return _failed(name, "MASIS_SLACK_SIGNING_SECRET is not set", _SIGNING)
    return _ok(name, "set; Slack's first request shows whether it is the right one")


def _public_url(url: str) -> Check:
    if not url.startswith("https://"):
        hint = "Set MASIS_PUBLIC_URL to the https address that Slack and browsers reach it by."
        return _failed("public address", f"“{url}” is no https address", hint)
    return _ok("public address", url)


def _keys(settings: Settings) -> Check:
    name = "secret keys"
    hint = "`masis keys generate` makes one, `masis keys status` says which are in use."
    try:
        ring = key_ring(settings)
        first = ring.current
    except InvalidSettings as error:
        return _failed(name, str(error), hint)
    return _ok(name, f"{first} encrypts, of {len(ring.ids)}")


def _has(secret: SecretStr) -> bool:
    return bool(secret.get_secret_value())


def _ok(name: str, detail: str) -> Check:
    return Check(name=name, state="ok", detail=detail)


def _failed(name: str, detail: str, hint: str) -> Check:
    return Check(name=name, state="fail", detail=detail, hint=hint)


def _skipped(name: str, detail: str) -> Check:
    return Check(name=name, state="skipped", detail=detail)
