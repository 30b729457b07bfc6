"""Write server-sent events to one client, which is let go when it is gone or too slow."""

import asyncio
import re
from collections.abc import Coroutine
from http import HTTPStatus
from typing import Any, Final

from aiohttp import web

CONTENT_TYPE: Final = "text/event-stream"
RETRY_SECONDS: Final = 2
"""When a client comes back whose stream ended before its run."""

_BREAKS: Final = re.compile(r"\r\n|\r|\n")


class EventStream:
    """The answer to one request, as it is written."""

    def __init__(self, request: web.Request, write_seconds: float) -> None:
        headers = {
            "Content-Type": f"{CONTENT_TYPE}; charset=utf-8",
            "Cache-Control": "no-store",
            "X-Accel-Buffering": "no",  # a proxy is to pass each event on at once
        }
        self.response: Final = web.StreamResponse(status=HTTPStatus.OK, headers=headers)
        self._request = request
        self._seconds = write_seconds

    @property
    def is_open(self) -> bool:
        """Say whether the client is still there."""
        transport = self._request.transport
        return transport is not None and not transport.is_closing()

    async def begin(self) -> None:
        """Send the head at once, and when to come back."""
        await self.response.prepare(self._request)
        await self._write(f"retry: {RETRY_SECONDS * 1000}\n\n")

    async def send(self, event: str, event_id: str, data: str) -> None:
        """Send one event.

        Raises:
            ConnectionError: the client is gone, or did not read for too long.
        """
        lines = "".join(f"data: {line}\n" for line in _BREAKS.split(data))
        await self._write(f"event: {event}\nid: {event_id}\n{lines}\n")

    async def keep_alive(self) -> None:
        """Send what clients skip, so that nothing on the way takes the connection for dead.

        Raises:
            ConnectionError: as with an event.
        """
        await self._write(": the run goes on\n\n")

    async def end(self) -> None:
        """End the answer; the connection stays.

        Raises:
            ConnectionError: as with an event.
        """
        await self._in_time(self.response.write_eof())

    async def _write(self, text: str) -> None:
        await self._in_time(self.response.write(text.encode()))

    async def _in_time(self, writing: Coroutine[Any, Any, None]) -> None:
        try:
            async with asyncio.timeout(self._seconds):
                await writing
        except TimeoutError:
            if self._request.transport is not None:
                self._request.transport.abort()
            raise ConnectionResetError("the client does not read") from None
