"""The `Parser` port over a few reused child processes."""

import asyncio
import contextlib
import mmap
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

import masis
from masis.documents.parsing import document_limits, refusals
from masis.documents.parsing.sandbox import pipe as messages
from masis.documents.parsing.sandbox.reading_clock import ReadingClock
from masis.domain import Block, ParsedDocument
from masis.errors import DocumentRefused
from masis.tables import packing
from masis.values.tabular import PackedTable

DEFAULT_PROCESSES: Final = 1
"""One child reads faster than an embedder embeds."""

_COMMAND: Final = (sys.executable, "-P", "-m", "masis.documents.parsing.sandbox.child")
# The child sees none of our environment (keys live there), only what it takes to start.
_KEPT_VARIABLES: Final = ("PATH", "SYSTEMROOT", "TEMP", "LANG", "LC_ALL", "LD_LIBRARY_PATH")
_FAREWELL_SECONDS: Final = 2.0
_LOOK_SECONDS: Final = 0.05
"""How long it is waited at least before what a child has had of the processor is looked at again."""


def child_environment() -> dict[str, str]:
    """Return the few variables that a child process may have, and where it finds our modules."""
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    source = str(Path(masis.__file__).resolve().parent.parent)
    return {**kept, "PYTHONPATH": source, "PYTHONUTF8": "1"}


class ParserPool:
    """Reads documents in child processes that are started when needed and used again.

    A child that crashes, takes too long or too much is ended and replaced. Close the pool when
    done. `seconds` of the processor are the time for one file; `command` starts a child.
    """

    def __init__(
        self,
        processes: int = DEFAULT_PROCESSES,
        *,
        seconds: float = document_limits.SECONDS,
        command: Sequence[str] = _COMMAND,
    ) -> None:
        self._free = asyncio.Semaphore(processes)
        self._idle: list[_Child] = []
        self._busy: set[_Child] = set()
        self._seconds = seconds
        self._command = command
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def parse(self, name: str, content: bytes) -> ParsedDocument:
        """Read a document whose format its content decides.

        Raises:
            DocumentRefused: it cannot be read; the message is the reason shown to people.
        """
        if not content:
            raise DocumentRefused(refusals.EMPTY)
        delimited = name.casefold().endswith((".csv", ".tsv"))
        if len(content) > (
            document_limits.TABLE_FILE_BYTES if delimited else document_limits.FILE_BYTES
        ):
            raise DocumentRefused(refusals.TABLE_TOO_BIG if delimited else refusals.TOO_BIG)
        async with self._free:
            used = bool(self._idle)
            try:
                return await self._read(name, content)
            except _ChildLost as lost:
                # What earlier files left in a used child may have been the reason.
                if not used or self._closed or lost.reason == refusals.TOO_SLOW:
                    raise DocumentRefused(lost.reason) from lost
            try:
                return await self._read(name, content, fresh=True)
            except _ChildLost as lost:
                raise DocumentRefused(lost.reason) from lost

    async def close(self) -> None:
        """End all children for good; a file that is being read is given up."""
        self._closed = True
        children = [*self._idle, *self._busy]
        self._idle.clear()
        for child in self._busy:
            child.kill()
        closing = asyncio.gather(*(asyncio.to_thread(child.close) for child in children))
        await asyncio.shield(closing)  # who is cancelled meanwhile leaves no child behind either

    async def _read(self, name: str, content: bytes, *, fresh: bool = False) -> ParsedDocument:
        child = self._idle.pop() if self._idle and not fresh else None
        if child is None:
            child = await self._started()
        self._busy.add(child)
        healthy = False
        try:
            document = await self._read_in_time(child, name, content)
            healthy = True
        except DocumentRefused:
            healthy = True
            raise
        except TimeoutError as error:
            raise _ChildLost(refusals.TOO_SLOW) from error
        finally:
            # Killing it also ends the thread that waits for its reply.
            self._busy.discard(child)
            if healthy and not child.is_spent():
                self._idle.append(child)
            else:
                child.kill()
                await asyncio.shield(asyncio.to_thread(child.close))
        return document

    async def _read_in_time(self, child: "_Child", name: str, content: bytes) -> ParsedDocument:
        """Have a child read as long as it may.

        Raises:
            TimeoutError: its time is over.
        """
        clock = await asyncio.to_thread(ReadingClock, self._seconds, child.processor_seconds)
        reading = asyncio.ensure_future(asyncio.to_thread(child.read, name, content, clock.again))
        left = self._seconds
        try:
            while not (await asyncio.wait([reading], timeout=left))[0]:
                left = await asyncio.to_thread(clock.left)
                if left <= 0:
                    raise TimeoutError
                left = max(left, _LOOK_SECONDS)
            return reading.result()
        finally:
            reading.cancel()

    async def _started(self) -> "_Child":
        """A new child. Who is cancelled meanwhile leaves it to the next file."""
        # A future, not a task: nothing but its thread ends it, so no child is started and lost.
        starting = asyncio.get_running_loop().run_in_executor(None, _Child, self._command)
        try:
            child = await asyncio.shield(starting)
        except asyncio.CancelledError:
            await self._kept(starting)
            raise
        except OSError as error:
            raise DocumentRefused(refusals.UNAVAILABLE) from error
        if self._closed:
            await asyncio.shield(asyncio.to_thread(child.close))
            raise DocumentRefused(refusals.UNAVAILABLE)
        return child

    async def _kept(self, starting: "asyncio.Future[_Child]") -> None:
        """Wait for a child that nobody waits for any more; a start takes milliseconds."""
        while not starting.done():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait([starting])
        if starting.exception() is None:
            child = starting.result()
            if self._closed:
                child.kill()
                await asyncio.shield(asyncio.to_thread(child.close))
            else:
                self._idle.append(child)


class _ChildLost(Exception):
    """A child ended, or must be ended, while it read a file."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _Child:
    """One child process. Its methods block: they are called in threads."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=child_environment(),
        )
        self.files = 0
        self._kept = 0

    def read(self, name: str, content: bytes, more_time: Callable[[], None]) -> ParsedDocument:
        """Have a file read; `more_time` is called for each page whose text was recognised.

        Raises:
            DocumentRefused: the child refused it, and is ready for the next.
            _ChildLost: the child ended.
        """
        if self._process.stdin is None or self._process.stdout is None:
            raise _ChildLost(refusals.UNAVAILABLE)
        self.files += 1
        blocks: list[Block] = []
        tables: list[PackedTable] = []
        try:
            messages.write_request(self._process.stdin, name, content)
            kind, body = self._last_reply(self._process.stdout, blocks, tables, more_time)
            self._kept = self._resident()
            if kind == messages.DOCUMENT:
                return messages.whole(body, blocks, tables)
        # Of these ValueError: the pipe was closed here, or what came is no document.
        except (OSError, EOFError, ValueError) as error:
            raise _ChildLost(refusals.CRASHED) from error
        if kind == messages.EXHAUSTED:
            raise _ChildLost(refusals.TOO_MUCH_MEMORY)
        if kind == messages.REFUSED:
            raise DocumentRefused(body.decode())
        raise _ChildLost(refusals.CRASHED)

    def _last_reply(
        self,
        pipe: IO[bytes],
        blocks: list[Block],
        tables: list[PackedTable],
        more_time: Callable[[], None],
    ) -> tuple[bytes, bytes]:
        """The reply that ends a reading; what comes before it is done, or kept in the lists."""
        pages = portions = chars = packed = 0
        while True:
            kind, body = messages.read_reply(pipe)
            if kind == messages.TABLE:
                packed += len(body)
                if packed > document_limits.TABLES_BYTES:
                    raise EOFError
                tables.append(packing.unframed(body))
                continue
            chars += len(body)
            if kind == messages.RECOGNISED and pages < document_limits.RECOGNISED_PAGES:
                pages += 1
                more_time()
            elif kind == messages.BLOCKS and portions < messages.MOST_PORTIONS:
                portions += 1
                blocks += messages.read_portion(body)
            else:
                return kind, body
            if chars > document_limits.REPLY_BYTES:
                raise EOFError

    def is_spent(self) -> bool:
        """Say whether the process has read many files or kept much memory.

        A fresh one is better then.
        """
        return (
            self.files >= document_limits.FILES_PER_CHILD
            or self._kept > document_limits.GROWN_BYTES
        )

    def _resident(self) -> int:
        """Bytes that it holds in memory; 0 where the platform does not tell."""
        try:
            pages = Path(f"/proc/{self._process.pid}/statm").read_text(encoding="ascii").split()[1]
        except (OSError, IndexError):  # only Linux tells, and only of a process that is there
            return 0
        return int(pages) * mmap.PAGESIZE

    def processor_seconds(self) -> float | None:
        """Return what it had of the processor; None where the platform does not tell."""
        try:
            stat = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii")
            user, system = stat.rpartition(")")[2].split()[11:13]
        except (OSError, ValueError):  # only Linux tells, and only of a process that is there
            return None
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """End it now."""
        self._process.kill()

    def close(self) -> None:
        """Let it end by itself, which it does when its input closes; else end it."""
        with contextlib.suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            self._process.wait(_FAREWELL_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
