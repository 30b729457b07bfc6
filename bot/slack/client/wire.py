"""The wire to Slack: the vendor's client over one session of ours, bounded in time and size.

The vendor's client builds requests. Sending them is ours, because its own way follows redirects,
reads bodies of any size, ignores its timeout when a session is given, repeats posts after a
dropped connection, shows message texts in debug logs and stumbles over replies that are not JSON.
"""

import contextlib
import json
import urllib.request
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final, NamedTuple

import aiohttp
from opentelemetry.trace import SpanKind
from slack_sdk.web.async_client import AsyncWebClient
from yarl import URL

from bot.observability.spans import span
from bot.slack.client.pacing import Clock, retry_after
from bot.slack.slack_errors import (
    RATE_LIMIT_CODES,
    Garbled,
    RateLimited,
    SlackError,
    Unavailable,
    refusal,
)

SECONDS: Final = 10.0
"""One call as a whole. Slack wants its own answered within 3; a busy Web API takes up to 5."""
CONNECT_SECONDS: Final = 5.0
REPLY_BYTES: Final = 8_000_000
"""A hundred messages with fifty full blocks each stay below."""
CONNECTIONS: Final = 50
CHUNK: Final = 65_536

SLACK_API: Final = URL("https://slack.com/api/")
FILE_HOSTS: Final = frozenset({"files.slack.com", "slack-files.com", "files.slack-gov.com"})
HOOK_HOSTS: Final = frozenset({"hooks.slack.com", "hooks.slack-gov.com"})
HTTPS_PORT: Final = 443
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_TOO_MANY_REQUESTS: Final = 429
_SERVER_ERRORS: Final = 500
_REDIRECTS: Final = range(300, 400)


class Response(NamedTuple):
    """A whole HTTP response."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Wire:
    """The one HTTP session to Slack. `close` ends it.

    `api_url` is the Web API's address. Where it is not Slack's own, files and response addresses
    of the same origin are ours too.
    """

    def __init__(self, api_url: str, clock: Clock, *, seconds: float = SECONDS) -> None:
        self._api = URL(api_url.rstrip("/") + "/")
        self._clock = clock
        self._timeout = aiohttp.ClientTimeout(total=seconds, connect=CONNECT_SECONDS)
        self._session: aiohttp.ClientSession | None = None
        self._closed = False
        self.client: Final = _Client(self)

    @property
    def api_url(self) -> str:
        """The Web API's address, with a slash at its end."""
        return str(self._api)

    def trusted(self, address: object, hosts: frozenset[str]) -> URL | None:
        """The address as it is to be asked, None unless it is https on one of `hosts`.

        Where the Web API is not Slack's own, its origin is trusted as well.
        """
        try:
            url = URL(address) if isinstance(address, str) else URL()
            if not url.absolute or url.user is not None or url.password is not None:
                return None
            own = self._api.host != SLACK_API.host and url.origin() == self._api.origin()
        except ValueError:
            return None
        secure = url.scheme == "https" and url.port == HTTPS_PORT
        return url if own or (secure and url.host in hosts) else None

    async def send(
        self, method: str, http_verb: str, url: str | URL, request: Mapping[str, Any]
    ) -> Response:
        """Send one request and read its reply whole; `method` names it in errors.

        `request` holds what aiohttp's own `request` takes: headers, params, data, json.

        Raises:
            Unavailable: no reply, or not in time.
            Garbled: a redirect, or more than `REPLY_BYTES`.
        """
        async with self.open(method, http_verb, url, request) as response:
            body = await read(response, REPLY_BYTES)
            if body is None:
                raise Garbled(f"{method} was answered with more than {REPLY_BYTES} bytes.")
            return Response(response.status, response.headers, body)

    @contextlib.asynccontextmanager
    async def open(
        self, method: str, http_verb: str, url: str | URL, request: Mapping[str, Any]
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """The response to one request, its body unread. Redirects are an error.

        Raises:
            Unavailable: no reply, or not in time (also while the block reads).
            Garbled: a redirect.
        """
        target = URL(url)
        arguments = {"timeout": self._timeout, "proxy": _proxy(target), **request}
        try:
            async with self._open_session().request(
                http_verb, target, allow_redirects=False, **arguments
            ) as response:
                if response.status in _REDIRECTS:
                    raise Garbled(f"{method} was answered with a redirect, which is not followed.")
                yield response
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise Unavailable(
                f"Slack ({target.host}) cannot be reached for {method}{_hindrance(error)}. "
                "Check the network, and MASIS_SLACK_API_URL if it is set.",
                unsent=True,
            ) from error
        except (aiohttp.ClientError, OSError) as error:
            # A TimeoutError is an OSError.
            raise Unavailable(
                f"{method} was not answered: {type(error).__name__}. Slack may have done it."
            ) from error

    def check(self, method: str, status: int, headers: Mapping[str, str]) -> None:
        """Pass what is neither a rate limit nor a server error.

        Raises:
            RateLimited: status 429, with the time it told.
            Unavailable: status 500 and over.
        """
        if status == _TOO_MANY_REQUESTS:
            raise self._limited(method, headers)
        if status >= _SERVER_ERRORS:
            raise Unavailable(f"Slack failed at {method} with status {status}.")

    def understood(self, reply: Response, method: str) -> dict[str, Any]:
        """The body of a reply that says `"ok": true`.

        Raises:
            SlackError: it says anything else.
        """
        self.check(method, reply.status, reply.headers)
        try:
            body = json.loads(reply.body)
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict) or not isinstance(body.get("ok"), bool):
            raise Garbled(
                f"{method} was answered with status {reply.status} and what is no reply of "
                "Slack's. Check MASIS_SLACK_API_URL, and what stands between MASIS and Slack."
            )
        if body.get("error") in RATE_LIMIT_CODES:
            raise self._limited(method, reply.headers)
        if not body["ok"]:
            raise refusal(method, body)
        return body

    async def close(self) -> None:
        """End the session, or see to it that none begins any more."""
        self._closed = True
        if self._session is not None:
            await self._session.close()

    def _limited(self, method: str, headers: Mapping[str, str]) -> SlackError:
        seconds = retry_after(headers.get("Retry-After"), self._clock.wall())
        return RateLimited(f"Slack limits {method} for {seconds:.0f} s.", retry_after=seconds)

    def _open_session(self) -> aiohttp.ClientSession:
        if self._closed:
            raise Unavailable("MASIS is stopping and calls Slack no more.", unsent=True)
        # Made here and not in the constructor: a session belongs to a running loop.
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=CONNECTIONS),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session


class _Client(AsyncWebClient):
    """The vendor's client, sending over our wire; the token goes with each call."""

    def __init__(self, wire: Wire) -> None:
        # Theirs send a post again whose connection broke, so that it may stand there twice, and sit
        # out a rate limit where no other call of its budget hears of it.
        super().__init__(base_url=wire.api_url, retry_handlers=[])
        self._wire = wire

    async def _request(
        self, *, http_verb: str, api_url: str, req_args: dict[str, Any]
    ) -> dict[str, Any]:
        method = api_url.removeprefix(self.base_url)
        given = {name: value for name, value in req_args.items() if value is not None}
        given.pop("proxy", None)
        about = {"slack.method": method}
        with span(f"slack.post {method}", about, kind=SpanKind.CLIENT) as calling:
            reply = await self._wire.send(method, http_verb, api_url, given)
            calling.set_attribute("http.response.status_code", reply.status)
            data = self._wire.understood(reply, method)
        return {"data": data, "headers": reply.headers, "status_code": reply.status}


async def read(response: aiohttp.ClientResponse, most: int) -> bytes | None:
    """The body, None as soon as it is longer than `most` bytes, whatever its headers say."""
    if (response.content_length or 0) > most:
        return None
    body = bytearray()
    async for part in response.content.iter_chunked(CHUNK):
        body += part
        if len(body) > most:
            return None
    return bytes(body)


def _hindrance(error: aiohttp.ClientConnectionError) -> str:
    """Say how a connection failed, where a reader would look for the fault in another place."""
    match error:
        case aiohttp.ClientSSLError():
            return ", since its certificate or its encryption is not accepted"
        case aiohttp.ClientProxyConnectionError():
            return " through the proxy of the environment"
        case aiohttp.ConnectionTimeoutError():
            return " in time"
    return ""


def _proxy(url: URL) -> str | None:
    """The proxy that the environment names for an address, as every program reads it."""
    host = url.host or ""
    if host in _LOOPBACK or urllib.request.proxy_bypass(host):
        return None
    return urllib.request.getproxies().get(url.scheme)
