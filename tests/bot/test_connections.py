"""Slow and many senders at the server, over real sockets."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import pytest
from slack_bolt import BoltResponse
from slack_bolt.async_app import AsyncBoltRequest

from bot.connections import Bounds, Connections, bounded
from bot.http import EVENTS_PATH, build
from tests.bot.test_http import COMMAND, SECRET, signed

LONG = 600.0
"""Seconds that no test waits."""
SHORT = 0.05
BUSY = 4

Sender = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Server:
    """Slack's endpoint behind the bounds."""

    port: int = 0
    seen: list[str] = field(default_factory=list)
    answering: asyncio.Event = field(default_factory=asyncio.Event)
    all_seen: asyncio.Event = field(default_factory=asyncio.Event)
    ends: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def open(self, sent: bytes = b"") -> Sender:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.ends.callback(writer.close)
        writer.write(sent)
        await writer.drain()
        return reader, writer

    async def answer(self, sent: bytes) -> bytes:
        """What is answered until the server ends the connection."""
        reader, _ = await self.open(sent)
        return await reader.read()


@asynccontextmanager
async def serving(bounds: Bounds, *, body_seconds: float = LONG) -> AsyncIterator[Server]:
    server = Server()
    server.answering.set()

    async def dispatch(request: AsyncBoltRequest) -> BoltResponse:
        server.seen.append(str(request.body["command"]))
        if len(server.seen) == BUSY:
            server.all_seen.set()
        await server.answering.wait()
        return BoltResponse(status=200, body="")

    async def problems() -> list[str]:
        return []

    application = build(
        dispatch=dispatch,
        signing_secret=SECRET,
        problems=problems,
        routes=[],
        body_seconds=body_seconds,
    )
    async with server.ends, bounded(application, "127.0.0.1", 0, bounds) as (_, server.port):
        yield server


def bounds(*, head_seconds: float = LONG, per_address: int = 100, most: int = 100) -> Bounds:
    return Bounds(
        head_seconds=head_seconds, linger_seconds=SHORT, per_address=per_address, most=most
    )


def head(length: int, **headers: str) -> bytes:
    lines = [
        f"POST {EVENTS_PATH} HTTP/1.1",
        "Host: masis",
        f"Content-Length: {length}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def delivery(*, close: bool = True) -> bytes:
    """A whole request of Slack's."""
    ending = {"Connection": "close"} if close else {}
    return head(len(COMMAND), **signed(COMMAND), **ending) + COMMAND


HEALTH = b"GET /healthz HTTP/1.1\r\nHost: masis\r\nConnection: close\r\n\r\n"


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing that strangers do is an error of ours."""
    yield
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("begun", [b"", b"POST /slack/ev", head(10)[:-2]])
async def test_a_head_that_stalls_is_ended(begun: bytes) -> None:
    async with serving(bounds(head_seconds=SHORT)) as server:
        assert await server.answer(begun) == b""
        assert (await server.answer(HEALTH)).startswith(b"HTTP/1.1 200")


async def test_a_dripping_head_is_ended_too() -> None:
    async with serving(bounds(head_seconds=SHORT)) as server:
        reader, writer = await server.open(b"POST /slack/events HTTP/1.1\r\n")
        with contextlib.suppress(ConnectionError):
            while not reader.at_eof():
                writer.write(b"X: y\r\n")
                await writer.drain()  # says that nobody listens any more, whatever was sent before
                await asyncio.sleep(SHORT / 10)
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""


async def test_next_request_head_is_timed() -> None:
    """The next head of a connection is timed."""
    async with serving(bounds(head_seconds=SHORT)) as server:
        reader, writer = await server.open(delivery(close=False))
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"POST /slack/ev")
        assert await reader.read() == b""


async def test_stalled_signed_body_is_refused() -> None:
    """A signed body that stalls is refused."""
    async with serving(bounds(), body_seconds=SHORT) as server:
        begun = head(len(COMMAND), **signed(COMMAND)) + COMMAND[:5]
        assert (await server.answer(begun)).startswith(b"HTTP/1.1 408")
        assert server.seen == []


async def test_unsigned_head_is_refused_before_body() -> None:
    """An unsigned head is refused before its body."""
    unsigned = {"X-Slack-Request-Timestamp": "1", "X-Slack-Signature": "v0=short"}
    async with serving(bounds()) as server:
        for headers in ({}, unsigned):
            assert (await server.answer(head(1000, **headers))).startswith(b"HTTP/1.1 401")


async def test_long_body_is_refused_early() -> None:
    """A long body is refused before it comes."""
    async with serving(bounds()) as server:
        announced = head(2 * 1024 * 1024, **signed(COMMAND))
        assert (await server.answer(announced)).startswith(b"HTTP/1.1 413")


async def test_disconnecting_sender_logs_no_error() -> None:
    """A sender that leaves writes no error."""
    async with serving(bounds()) as server:
        for _ in range(3):
            _, writer = await server.open(head(len(COMMAND), **signed(COMMAND)) + b"te")
            await asyncio.sleep(0)
            writer.transport.abort()
        assert (await server.answer(delivery())).startswith(b"HTTP/1.1 200")
        assert server.seen == ["/masis"]


async def test_undecodable_body_is_malformed() -> None:
    """A body that cannot be unpacked is malformed."""
    packed = {"Content-Encoding": "gzip", "Connection": "close"}
    async with serving(bounds()) as server:
        answer = await server.answer(head(9, **signed(COMMAND), **packed) + b"no gzip\r\n")
        assert b" 400 Bad Request" in answer


async def test_non_http_is_refused_quietly() -> None:
    """What is no http is refused quietly."""
    async with serving(bounds()) as server:
        assert (await server.answer(b"\x16\x03\x01 hello\r\n\r\n")).startswith(b"HTTP/1.0 400")
        assert (await server.answer(HEALTH)).startswith(b"HTTP/1.1 200")


async def test_oldest_connection_makes_room() -> None:
    """The oldest of an address makes room."""
    async with serving(bounds(per_address=3)) as server:
        slow = [await server.open(b"POST ") for _ in range(3)]
        body = await server.open(head(len(COMMAND), **signed(COMMAND)))
        assert await slow[0][0].read() == b""
        assert (await server.answer(delivery())).startswith(b"HTTP/1.1 200")
        assert await slow[1][0].read() == b""
        body[1].write(COMMAND)
        assert (await body[0].readline()).startswith(b"HTTP/1.1 200")


async def test_requests_being_answered_are_never_ended() -> None:
    async with serving(bounds(per_address=1)) as server:
        server.answering.clear()
        busy = [await server.open(delivery()) for _ in range(BUSY)]
        async with asyncio.timeout(LONG):
            await server.all_seen.wait()
        server.answering.set()
        for reader, _ in busy:
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")


async def test_a_connection_that_rests_counts_again() -> None:
    async with serving(bounds(per_address=1)) as server:
        reader, _ = await server.open(delivery(close=False))
        await reader.readuntil(b"\r\n\r\n")
        await server.open(b"POST ")
        assert await reader.read() == b""


class Held:
    """A connection as the bounds see it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.ended = False

    def end(self) -> None:
        self.ended = True


async def test_all_addresses_together_are_bounded() -> None:
    connections = Connections(bounds(per_address=2, most=3))
    held = [Held(address) for address in ("a", "b", "c", "d", "d", "d")]
    for each in held:
        connections.wait(each)  # type: ignore[arg-type] # all that is asked of a connection
    assert [each.ended for each in held] == [True, True, False, True, False, False]
    assert len(connections) == 3
