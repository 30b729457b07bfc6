"""Take Teams' activities over HTTP: checked, read, handed on, and acknowledged.

Bodies are never logged, and of what is refused nothing but the reason is.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from bot.connections import BODY_SECONDS
from bot.teams.inbound.activities import Heard, Unreadable, is_invoke, read
from bot.teams.inbound.activity_guard import MAX_BODY_BYTES, ActivityGuard, Json, NotLetIn, bearer
from bot.teams.inbound.signing_keys import KeysUnavailable
from masis.errors import StoreUnavailable

log = logging.getLogger(__name__)

MESSAGES_PATH: Final = "/teams/messages"
_UNREAD: Final = frozenset({401, 408, 413})
"""A body may still be on its way, so that the connection cannot be used again."""
_LATER: Final = 503
"""Teams repeats what was not taken in time."""

Hear = Callable[[Heard], Awaitable[dict[str, Any] | None]]
"""Takes in what was heard; gives the body that an invoke is answered with."""


class MessagesRoute:
    """The endpoint. `on_ack` is told how many seconds each activity was answered after."""

    def __init__(
        self,
        guard: ActivityGuard,
        hear: Hear,
        *,
        on_ack: Callable[[float], None] | None = None,
        body_seconds: float = BODY_SECONDS,
    ) -> None:
        self._guard = guard
        self._hear = hear
        self._on_ack = on_ack
        self._body_seconds = body_seconds

    def routes(self) -> list[web.RouteDef]:
        """Return the endpoint's routes."""
        return [web.post(MESSAGES_PATH, self._handle)]

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        began = time.monotonic()
        try:
            activity = await self._checked(request)
            answer = await self._heard(activity)
        except NotLetIn as refusal:
            return _refused(refusal)
        except (KeysUnavailable, StoreUnavailable) as error:
            return _refused(NotLetIn(_LATER, type(error).__name__))
        if self._on_ack is not None:
            self._on_ack(time.monotonic() - began)
        return web.json_response(answer or {}) if is_invoke(activity) else web.Response()

    async def _checked(self, request: web.Request) -> Json:
        token = bearer(request.headers.get("Authorization", ""))
        return await self._guard.checked(token, await self._body(request))

    async def _heard(self, activity: Json) -> dict[str, Any] | None:
        try:
            heard = read(activity)
        except Unreadable as error:
            log.info("an activity of Teams is left alone: %s", error)
            return None
        return None if heard is None else await self._hear(heard)

    async def _body(self, request: web.Request) -> bytes:
        """Read the body whole.

        Raises:
            NotLetIn: it is too large, too slow, or broken off.
        """
        if (request.content_length or 0) > MAX_BODY_BYTES:
            raise NotLetIn(413, "too large")
        body = bytearray()
        try:
            async with asyncio.timeout(self._body_seconds):
                async for part in request.content.iter_chunked(65_536):
                    body += part
                    if len(body) > MAX_BODY_BYTES:
                        raise NotLetIn(413, "too large")
        except TimeoutError:
            raise NotLetIn(408, "slow body") from None
        except (web.RequestPayloadError, HttpProcessingError):
            raise NotLetIn(400, "malformed body") from None
        return bytes(body)


def _refused(refusal: NotLetIn) -> web.Response:
    """Say no, and end the connection where a body may still be on its way."""
    log.info("a request to %s was refused: %s", MESSAGES_PATH, refusal)
    response = web.json_response({"error": "not accepted"}, status=refusal.status)
    if refusal.status in _UNREAD:
        response.force_close()
    return response
