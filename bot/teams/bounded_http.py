"""Send requests that are bounded in time and size, and follow no redirect."""

import asyncio
import json
import urllib.request
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, NamedTuple

import aiohttp
from yarl import URL

from bot.settings import LOOPBACK
from masis.errors import MasisError

SECONDS: Final = 10.0
CONNECT_SECONDS: Final = 5.0
MOST_BYTES: Final = 1024 * 1024
CONNECTIONS: Final = 50
_CHUNK: Final = 65_536


class NoReply(MasisError):
    """There is no whole reply. `unsent`: the request cannot have arrived."""

    retryable = True

    def __init__(self, message: str, *, unsent: bool) -> None:
        super().__init__(message)
        self.unsent: Final = unsent


class TooMuch(NoReply):
    """The reply is larger than may be read."""

    def __init__(self, message: str) -> None:
        super().__init__(message, unsent=False)


class Reply(NamedTuple):
    """A whole HTTP response. A redirect is one like any other."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        """Say whether the request was done."""
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES

    def object(self) -> dict[str, Any]:
        """Return the body's JSON object; an empty one where there is none."""
        try:
            found = json.loads(self.body)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}


class BoundedHttp:
    """One HTTP session. `close` ends it."""

    def __init__(self, *, seconds: float = SECONDS, most_bytes: int = MOST_BYTES) -> None:
        self._timeout = aiohttp.ClientTimeout(total=seconds, connect=CONNECT_SECONDS)
        self._most_bytes = most_bytes
        self._session: aiohttp.ClientSession | None = None

    async def send(self, verb: str, url: URL | str, **request: Any) -> Reply:
        """Send one request and read its reply whole.

        `request` holds what aiohttp's own `request` takes: headers, params, data.

        Raises:
            NoReply: there is none, not in time, or it is too large.
        """
        target = url if isinstance(url, URL) else URL(url)
        try:
            async with self._opened().request(
                verb, target, allow_redirects=False, proxy=_proxy(target), **request
            ) as response:
                body = await self._body(response)
                return Reply(response.status, response.headers, body)
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            said = f"{target.host} cannot be reached: {type(error).__name__}"
            raise NoReply(said, unsent=True) from error
        except (aiohttp.ClientError, OSError) as error:
            # A TimeoutError is an OSError.
            said = f"{target.host} did not answer: {type(error).__name__}"
            raise NoReply(said, unsent=False) from error

    async def close(self) -> None:
        """End the session."""
        if self._session is not None:
            await self._session.close()
            await asyncio.sleep(0)  # lets the transports say goodbye

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                timeout=self._timeout,
                connector=aiohttp.TCPConnector(limit=CONNECTIONS),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session

    async def _body(self, response: aiohttp.ClientResponse) -> bytes:
        """Read a body.

        Raises:
            TooMuch: it has too many bytes.
        """
        body = bytearray()
        async for part in response.content.iter_chunked(_CHUNK):
            body += part
            if len(body) > self._most_bytes:
                raise TooMuch(f"{response.url.host} answered too much")
        return bytes(body)


def _proxy(url: URL) -> str | None:
    """The proxy that the environment names for an address, as every program reads it."""
    host = url.host or ""
    if host in LOOPBACK or urllib.request.proxy_bypass(host):
        return None
    return urllib.request.getproxies().get(url.scheme)
