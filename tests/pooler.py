"""A pooler before a PostgreSQL as strict as PgBouncer's transaction mode, which can also fail.

Each transaction gets the connection of the server that has rested longest, so that whatever a client
leaves in a session it does not find again. Options at the start of a session are refused. It lives
in a thread of its own: a client may block its event loop.
"""

import asyncio
import contextlib
import struct
import threading
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Self, TypeVar

import sqlalchemy as sa

T = TypeVar("T")

_PROTOCOL: Final = 3 << 16
_ENCRYPTION: Final = {80877103, 80877104}
_CANCEL: Final = 80877102
_IDLE: Final = b"I"
"""What the server calls a session without a transaction."""


class Said(NamedTuple):
    """A message of PostgreSQL's protocol."""

    kind: bytes
    body: bytes

    @property
    def raw(self) -> bytes:
        """As it goes over the wire."""
        return self.kind + struct.pack("!i", len(self.body) + 4) + self.body


@dataclass
class Session:
    """A connection to the server."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    greeting: bytes = b""


@dataclass
class Pooler:
    """Listens at `url` while it is entered."""

    behind: str
    servers: int = 2
    transactions: int = 0
    muted: bool = False
    """Whether it takes connections and says nothing, like a server that hangs."""
    loses_commits: int = 0
    """How many commits get to the server whose answers are lost, with their connections."""
    url: str = ""
    sessions: list[Session] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="pooler")
        self._thread.start()
        self._do(self._open())
        return self

    def __exit__(self, *_: object) -> None:
        self._do(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def drop(self) -> None:
        """End the connection of every client, as a restart does."""
        self._do(self._drop())

    def ask(self, query: str) -> list[str]:
        """The first column of what each session of the server answers, all in one list."""
        return [cell for session in self.sessions for cell in self._do(_ask(session, query))]

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    async def _open(self) -> None:
        self._free: asyncio.Queue[Session] = asyncio.Queue()
        self._serving: set[asyncio.Task[None]] = set()
        for _ in range(self.servers):
            await self._connect()
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        here = sa.make_url(self.behind).set(host="127.0.0.1", port=port, query={})
        self.url = here.render_as_string(hide_password=False)

    async def _close(self) -> None:
        self._server.close()
        await self._drop()
        for session in self.sessions:
            session.writer.close()
            with contextlib.suppress(ConnectionError):
                await session.writer.wait_closed()

    async def _drop(self) -> None:
        for task in self._serving.copy():
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _connect(self) -> None:
        """Open one more session of the server, which lets everybody in who comes from here."""
        url = sa.make_url(self.behind)
        folder = str(url.query.get("host", ""))
        opening = (
            asyncio.open_unix_connection(f"{folder}/.s.PGSQL.{url.port or 5432}")
            if folder.startswith("/")
            else asyncio.open_connection(url.host, url.port or 5432)
        )
        session = Session(*await opening)
        words = ["user", url.username or "", "database", url.database or "", ""]
        body = struct.pack("!i", _PROTOCOL) + "\0".join([*words, ""]).encode()
        session.writer.write(struct.pack("!i", len(body) + 4) + body)
        session.greeting = b"".join(said.raw for said in await _until_ready(session.reader))
        self.sessions.append(session)
        self._free.put_nowait(session)

    # --- a client --------------------------------------------------------------------------

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                if await self._greeted(reader, writer):
                    while await self._transaction(reader, writer):
                        pass
        finally:
            writer.close()

    async def _greeted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        while True:
            (length,) = struct.unpack("!i", await reader.readexactly(4))
            body = await reader.readexactly(length - 4)
            (code,) = struct.unpack("!i", body[:4])
            if code not in _ENCRYPTION:
                break
            writer.write(b"N")
        if code == _CANCEL:
            return False
        if b"\0options\0" in body:
            refusal = b"SFATAL\0C08P01\0Munsupported startup parameter: options\0\0"
            writer.write(Said(b"E", refusal).raw)
            return False
        writer.write(self.sessions[0].greeting)
        return True

    async def _transaction(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Carry one transaction over; False when the client said goodbye instead."""
        said = await _message(reader)
        if said.kind == b"X":
            return False
        session = await self._free.get()
        self.transactions += 1
        state = b""
        try:
            while state != _IDLE:
                state = await self._carry(said, session, writer)
                if state != _IDLE:
                    said = await _message(reader)
        finally:
            if state == _IDLE:
                self._free.put_nowait(session)
            else:  # the client left in the middle of it
                session.writer.close()
                self.sessions.remove(session)
                await self._connect()
        return True

    async def _carry(self, said: Said, session: Session, writer: asyncio.StreamWriter) -> bytes:
        """Hand a message on, and the answer back if it wants one; the state of the session then."""
        while self.muted:  # noqa: ASYNC110 - a silence has no event
            await asyncio.sleep(0.01)
        session.writer.write(said.raw)
        if said.kind not in {b"Q", b"S"}:
            return b""
        answer = await _until_ready(session.reader)
        if said.body.startswith(b"COMMIT") and self.loses_commits:
            self.loses_commits -= 1
            writer.close()
            return answer[-1].body
        writer.write(b"".join(each.raw for each in answer))
        return answer[-1].body


async def _ask(session: Session, query: str) -> list[str]:
    session.writer.write(Said(b"Q", query.encode() + b"\0").raw)
    rows = [said for said in await _until_ready(session.reader) if said.kind == b"D"]
    return [row.body[6:].decode() for row in rows]


async def _message(reader: asyncio.StreamReader) -> Said:
    kind = await reader.readexactly(1)
    (length,) = struct.unpack("!i", await reader.readexactly(4))
    return Said(kind, await reader.readexactly(length - 4))


async def _until_ready(reader: asyncio.StreamReader) -> list[Said]:
    """What the server says until it is ready for more."""
    answer = [await _message(reader)]
    while answer[-1].kind != b"Z":
        answer.append(await _message(reader))
    return answer
