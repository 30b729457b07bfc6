"""Bounds what a connection to the HTTP server may owe: a request soon, and not too many of them.

The server library waits as long as a sender likes. Here a request's head has to arrive in time,
and of the connections that have no whole request under way only so many stay open, of one address
and of all: the one that has waited longest goes first. Who sends at once is never that one, however
many senders share an address, as behind a proxy. Connections that are being answered do not count.
"""

import asyncio
import ipaddress
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Protocol

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

log = logging.getLogger(__name__)

HEAD_SECONDS: Final = 10.0
BODY_SECONDS: Final = 10.0
LINGER_SECONDS: Final = 2.0
"""For the rest of a body that was refused: its sender reads the answer before a reset."""
MOST_WAITING: Final = 500
"""Connections of all addresses without a whole request. Processes may often open 1,024 files."""

KEEP_ALIVE_SECONDS: Final = 75.0
SHUTDOWN_SECONDS: Final = 5.0

_BACKLOG: Final = 128
_IPV6_PREFIX: Final = 64
"""One customer's network: whoever has one has all of its addresses."""
_TOLD_EVERY_SECONDS: Final = 60.0

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Body(Protocol):
    """The part of a request's body stream that is needed here."""

    def on_eof(self, callback: Callable[[], None]) -> None:
        """Call back when the body is there as a whole, at once if it is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Bounds:
    """Hold how long a request's head may take, and how many connections may wait."""

    per_address: int
    head_seconds: float = HEAD_SECONDS
    linger_seconds: float = LINGER_SECONDS
    most: int = MOST_WAITING


class Connections:
    """The connections that have no whole request under way, the longest waiting first."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds: Final = bounds
        self._waiting: dict[Connection, None] = {}
        self._of: dict[str, dict[Connection, None]] = {}
        self._told_at: float | None = None

    def wait(self, connection: "Connection") -> None:
        """Count a connection as waiting from now on, and end another where they are too many."""
        self.leave(connection)
        same = self._of.setdefault(connection.address, {})
        same[connection] = self._waiting[connection] = None
        if len(same) > self.bounds.per_address:
            self._end(next(iter(same)))
        elif len(self._waiting) > self.bounds.most:
            self._end(next(iter(self._waiting)))

    def leave(self, connection: "Connection") -> None:
        """Count it no more: it is gone, or its request is whole."""
        self._waiting.pop(connection, None)
        same = self._of.get(connection.address, {})
        same.pop(connection, None)
        if not same:
            self._of.pop(connection.address, None)

    def __len__(self) -> int:
        """Count the connections that wait."""
        return len(self._waiting)

    def _end(self, connection: "Connection") -> None:
        self.leave(connection)
        connection.end()
        now = asyncio.get_running_loop().time()
        if self._told_at is None or now - self._told_at >= _TOLD_EVERY_SECONDS:
            self._told_at = now
            log.warning(
                "connections without a request are ended: over %d of one address, or over %d"
                " (MASIS_HTTP_CONNECTIONS_PER_ADDRESS)",
                self.bounds.per_address,
                self.bounds.most,
            )


class Connection(asyncio.Protocol):
    """Watches one connection on behalf of the server library's own protocol."""

    def __init__(self, inner: asyncio.Protocol, connections: Connections) -> None:
        self.address = ""
        self._inner = inner
        self._connections = connections
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._at_work = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for the first request."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - a server over TCP has no other
        self._transport = transport
        self.address = _network(transport.get_extra_info("peername"))
        self._inner.connection_made(transport)
        self._start_timer()
        self._connections.wait(self)

    def data_received(self, data: bytes) -> None:
        """Hand bytes on; the first ones of a request start its time."""
        if not self._at_work and self._timer is None:
            self._start_timer()
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        """Hand on that the sender has ended."""
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        """Hand on that the receiver is slow."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Hand on that the receiver goes on."""
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection; whatever ended it reads as a reset."""
        self._stop_timer()
        self._connections.leave(self)
        self._inner.connection_lost(exc and ConnectionResetError(str(exc)))

    def begin(self, body: Body) -> None:
        """Take note that a request's head is there; it is under way once its body is."""
        self._at_work = True
        self._stop_timer()
        body.on_eof(self._whole)

    def excuse(self) -> None:
        """Count it no more while its request goes on: who reads the body bounds how many do."""
        if self._at_work:
            self._connections.leave(self)

    def finish(self) -> None:
        """Take note that a request is answered."""
        self._at_work = False
        if self._transport is not None and not self._transport.is_closing():
            self._connections.wait(self)

    def end(self) -> None:
        """Close the connection at once, whatever is under way."""
        self._stop_timer()
        if self._transport is not None:
            self._transport.abort()

    def _whole(self) -> None:
        if self._at_work:  # else it was answered before, and waits for the next request
            self._connections.leave(self)

    def _start_timer(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._connections.bounds.head_seconds, self.end)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None


@web.middleware
async def watched(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Tell a request's connection what is under way, and let a sender leave without a word."""
    transport = request.transport
    connection = transport.get_protocol() if transport else None
    if not isinstance(connection, Connection):
        return await handler(request)
    connection.begin(request.content)
    try:
        return await handler(request)
    except ConnectionError:
        if request.transport is not None:
            raise
        return web.Response()  # nobody reads it
    finally:
        connection.finish()


def excuse(request: web.Request) -> None:
    """Let the request's connection stay however long its body takes; see `Connection.excuse`."""
    transport = request.transport
    connection = transport.get_protocol() if transport else None
    if isinstance(connection, Connection):
        connection.excuse()


@asynccontextmanager
async def bounded(
    application: web.Application, host: str, port: int, bounds: Bounds
) -> AsyncIterator[tuple[str, int]]:
    """Serve an application within bounds; gives the host and the port.

    Raises:
        OSError: the port cannot be opened.
    """
    application.middlewares.insert(0, watched)
    # Access logs hold paths with states and codes of installations.
    runner = web.AppRunner(
        application,
        access_log=None,
        logger=_server_log(),
        keepalive_timeout=KEEP_ALIVE_SECONDS,
        lingering_time=bounds.linger_seconds,
        shutdown_timeout=SHUTDOWN_SECONDS,
    )
    await runner.setup()
    try:
        async with _listening(runner, host, port, Connections(bounds)) as address:
            yield address
    finally:
        await runner.cleanup()


@asynccontextmanager
async def _listening(
    runner: web.AppRunner, host: str, port: int, connections: Connections
) -> AsyncIterator[tuple[str, int]]:
    inner = runner.server
    assert inner is not None  # noqa: S101 - the runner is set up

    def connection() -> Connection:
        return Connection(inner(), connections)

    loop = asyncio.get_running_loop()
    server = await loop.create_server(connection, host, port, backlog=_BACKLOG)
    try:
        bound = server.sockets[0].getsockname()
        yield str(bound[0]), int(bound[1])
    finally:
        server.close()


def _server_log() -> logging.Logger:
    """Give the server library a log in which a sender's garbage is no error of ours."""
    quiet = logging.getLogger(f"{__name__}.server")
    quiet.addFilter(_is_ours)  # a filter that is there is not added again
    return quiet


def _is_ours(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, HttpProcessingError)


def _network(peer: object) -> str:
    """The address that a connection is counted under."""
    host = str(peer[0]) if isinstance(peer, tuple) and peer else ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, _IPV6_PREFIX), strict=False))
    return str(address)
