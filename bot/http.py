"""The HTTP server: Slack's endpoint behind a guard, health, and the pages of an installation.

The guard answers 401, 400, 408 or 413 to whatever is not a well-formed request signed by Slack,
before anything else reads it. Bodies are never logged, and none is read that nobody has signed.
"""

import asyncio
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final
from urllib.parse import parse_qs

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from slack_bolt import BoltResponse
from slack_bolt.async_app import AsyncBoltRequest
from slack_sdk.signature import Clock, SignatureVerifier

from bot.connections import BODY_SECONDS

log = logging.getLogger(__name__)

EVENTS_PATH: Final = "/slack/events"
MAX_BODY_BYTES: Final = 1024 * 1024
"""Slack's own bodies stay far below."""

_STAMPED: Final = "X-Slack-Request-Timestamp"
_SIGNED: Final = "X-Slack-Signature"
_TIMESTAMP: Final = re.compile(r"[0-9]{1,12}", re.ASCII)
_SIGNATURE: Final = re.compile(r"v0=[0-9a-f]{64}", re.ASCII)
_MAX_FIELDS: Final = 100
_UNREAD: Final = frozenset({401, 408, 413})
"""A body may still be on its way, so that the connection cannot be used again."""

Dispatch = Callable[[AsyncBoltRequest], Awaitable[BoltResponse]]
Problems = Callable[[], Awaitable[list[str]]]
"""What keeps this process from working, a line each; empty when it is ready."""
Page = Callable[[str], Awaitable[tuple[bytes, str]]]
"""Takes an `Accept` header; gives a page and its content type."""


def build(
    *,
    dispatch: Dispatch,
    signing_secret: str,
    problems: Problems,
    routes: Iterable[web.RouteDef],
    on_ack: Callable[[float], None] | None = None,
    body_seconds: float = BODY_SECONDS,
) -> web.Application:
    """The server's application. `on_ack` is told how many seconds each delivery was answered after.

    A body has to arrive within `body_seconds`.

    Raises:
        ValueError: there is no signing secret; everybody could speak in Slack's name.
    """
    if not signing_secret:
        raise ValueError("the HTTP endpoint needs Slack's signing secret")
    verifier = SignatureVerifier(signing_secret, Clock())
    endpoint = _Endpoint(dispatch, verifier, on_ack, body_seconds)
    app = web.Application(client_max_size=MAX_BODY_BYTES)
    app.router.add_post(EVENTS_PATH, endpoint.handle)
    app.add_routes([*health(problems), *routes])
    return app


def health(problems: Problems) -> list[web.RouteDef]:
    """`/healthz`: the process answers; `/readyz`: it can work, or 503 and why not."""

    async def alive(_: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def ready(_: web.Request) -> web.Response:
        found = await problems()
        status = {"status": "unavailable" if found else "ok", "problems": found}
        return web.json_response(status, status=503 if found else 200)

    return [web.get("/healthz", alive), web.get("/readyz", ready)]


def metrics(page: Page) -> list[web.RouteDef]:
    """`/metrics`: figures for Prometheus. They name nobody, but are for the operator alone."""

    async def scraped(request: web.Request) -> web.Response:
        body, content_type = await page(request.headers.get("Accept", ""))
        return web.Response(body=body, headers={"Content-Type": content_type})

    return [web.get("/metrics", scraped)]


class _Refusal(Exception):
    """A request that is not let through."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self._status = status

    def response(self) -> web.Response:
        """Say why, and end the connection where a body may still be on its way."""
        log.info("a request to %s was refused: %s", EVENTS_PATH, self)
        response = web.json_response({"error": str(self)}, status=self._status)
        if self._status in _UNREAD:
            response.force_close()
        return response


def _malformed() -> _Refusal:
    return _Refusal(400, "malformed body")


class _Endpoint:
    """Lets Slack's requests through to Bolt, and nothing else."""

    def __init__(
        self,
        dispatch: Dispatch,
        verifier: SignatureVerifier,
        on_ack: Callable[[float], None] | None,
        body_seconds: float,
    ) -> None:
        self._dispatch = dispatch
        self._verifier = verifier
        self._on_ack = on_ack
        self._body_seconds = body_seconds

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        began = time.monotonic()
        try:
            bolt = await self._checked(request)
        except _Refusal as refusal:
            return refusal.response()
        response = await self._dispatch(bolt)
        if self._on_ack is not None:
            self._on_ack(time.monotonic() - began)
        return web.Response(
            status=response.status,
            body=response.body.encode(),
            headers={name: values[0] for name, values in response.headers.items() if values},
        )

    async def _checked(self, request: web.Request) -> AsyncBoltRequest:
        if not _looks_signed(request):
            raise _Refusal(401, "bad signature")
        text = _text(await self._body(request))
        if not self._signed(request, text):
            raise _Refusal(401, "bad signature")
        if not _well_formed(request.content_type, text):
            raise _malformed()
        return _for_bolt(request, text)

    async def _body(self, request: web.Request) -> bytes:
        if (request.content_length or 0) > MAX_BODY_BYTES:
            raise _Refusal(413, "too large")
        try:
            async with asyncio.timeout(self._body_seconds):
                return await request.read()
        except web.HTTPRequestEntityTooLarge:
            raise _Refusal(413, "too large") from None
        except TimeoutError:
            raise _Refusal(408, "slow body") from None
        except (web.RequestPayloadError, HttpProcessingError):
            raise _malformed() from None

    def _signed(self, request: web.Request, body: str) -> bool:
        return self._verifier.is_valid(body, request.headers[_STAMPED], request.headers[_SIGNED])


def _looks_signed(request: web.Request) -> bool:
    """Say whether the headers have the form of Slack's signature. Nothing else is worth reading."""
    timestamp, signature = (request.headers.get(name, "") for name in (_STAMPED, _SIGNED))
    return bool(_TIMESTAMP.fullmatch(timestamp) and _SIGNATURE.fullmatch(signature))


def _for_bolt(request: web.Request, body: str) -> AsyncBoltRequest:
    """Give the request as Bolt takes it, unless the ids that Bolt looks for are no ids."""
    headers: dict[str, str | Sequence[str]] = dict(request.headers)
    try:
        return AsyncBoltRequest(body=body, query=request.query_string, headers=headers)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise _malformed() from None


def _text(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:  # the verifier reads text alone
        raise _malformed() from None


def _well_formed(content_type: str, text: str) -> bool:
    """Say whether the body is what Slack sends.

    That is JSON, or a form whose `payload`, if any, is such JSON.
    """
    if content_type == "application/json":
        return _is_payload(text)
    if content_type != "application/x-www-form-urlencoded":
        return False
    try:
        fields = parse_qs(text, max_num_fields=_MAX_FIELDS)
    except ValueError:
        return False
    return bool(fields) and all(_is_payload(payload) for payload in fields.get("payload", []))


def _is_payload(text: str) -> bool:
    """Say whether the text is a JSON object that Bolt can read.

    It needs the parts that Bolt takes for granted in its kind.
    """
    try:
        payload = json.loads(text)
    except (ValueError, RecursionError):
        return False
    match payload:
        case {"type": "event_callback"}:
            return isinstance(payload.get("event"), dict)
        case {"type": "block_actions"}:
            actions = payload.get("actions")
            found = isinstance(actions, list) and all(_names(each, "action_id") for each in actions)
            return found and bool(actions)
        case {"type": "view_submission" | "view_closed"}:
            return _names(payload.get("view"), "type", "callback_id")
        case {"type": "message_action" | "shortcut"}:
            return _names(payload, "callback_id")
    return isinstance(payload, dict) and isinstance(payload.get("type", ""), str)


def _names(value: object, *keys: str) -> bool:
    """Say whether the value is an object with a text under each of the keys."""
    return isinstance(value, dict) and all(isinstance(value.get(key), str) for key in keys)
