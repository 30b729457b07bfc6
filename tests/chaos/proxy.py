"""A TCP proxy on loopback that forwards, hangs, resets or dawdles, as it is told."""

import asyncio
import contextlib
import socket
import struct
from types import TracebackType
from typing import Final, Literal, Self
from urllib.parse import urlsplit

Mode = Literal["pass", "black hole", "reset", "slow"]

_CHUNK: Final = 65_536
_ACCEPTED_SECONDS: Final = 0.01
"""What the kernel accepted gets its task; one that never began would leave its connection open."""
_AT_ONCE: Final = struct.pack("ii", 1, 0)
"""`SO_LINGER` with no time to linger: what closes sends a reset."""


class Proxy:
    """Stands before a service. `be` changes what becomes of every connection, open or new.

    In a `black hole` bytes are taken and none come back; they go on their way when the hole closes.
    `reset` ends each connection in the middle. `slow` holds each piece back for `delay_s`.
    """

    def __init__(self, address: str, *, delay_s: float = 0.5) -> None:
        parts = urlsplit(address)
        assert parts.hostname
        assert parts.port
        self._upstream = parts.hostname, parts.port
        self._path = parts.path
        self._delay_s = delay_s
        self._mode: Mode = "pass"
        self._open = asyncio.Event()
        self._open.set()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        host, port = self._server.sockets[0].getsockname()[:2]
        self.url = f"http://{host}:{port}{self._path}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()
        await asyncio.sleep(_ACCEPTED_SECONDS)
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._server is not None:
            await self._server.wait_closed()

    def be(self, mode: Mode) -> None:
        """Treat every connection like this from now on."""
        self._mode = mode
        if mode == "black hole":
            self._open.clear()
        else:
            self._open.set()
        if mode == "reset":
            for writer in [*self._writers]:
                _reset(writer)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._writers.add(writer)
        try:
            if self._mode == "reset":
                _reset(writer)
            else:
                await self._joined(reader, writer)
        except (OSError, asyncio.CancelledError):
            pass  # either side hung up, which is what is played here, or the proxy is closed
        finally:
            self._writers.discard(writer)
            await _closed(writer)

    async def _joined(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Both directions of a connection, until either ends."""
        await self._open.wait()
        beyond, to_beyond = await asyncio.open_connection(*self._upstream)
        ways = [
            asyncio.create_task(self._carry(reader, to_beyond)),
            asyncio.create_task(self._carry(beyond, writer)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            await _closed(to_beyond)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(_CHUNK):
                if self._mode == "slow":
                    await asyncio.sleep(self._delay_s)
                await self._open.wait()
                writer.write(piece)
                await writer.drain()


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


def _reset(writer: asyncio.StreamWriter) -> None:
    sock = writer.get_extra_info("socket")
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
    writer.transport.abort()
