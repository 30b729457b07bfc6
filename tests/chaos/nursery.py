"""Starts the program again and again without waiting for its imports: seconds, each time.

As a program of its own it imports the bot once, and forks a process for each line that it is sent.
What it forks runs `python -m bot` from its first line to the interpreter's own end, or to that of
whoever ordered it: nobody's program outlives its test, however that one ends.
"""

import asyncio
import contextlib
import ctypes
import dataclasses
import importlib
import json
import os
import runpy
import select
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from tests.chaos.death import Moment, arm

WARM: Final = (
    "bot.api.compose",
    "bot.cli.operations.serve_command",
    "bot.cli.operations.worker_command",
    "bot.roles",
    "bot.serve",
    "bot.slack.compose",
    "masis.adapters.openai_chat",
    "masis.documents.parsing.sandbox.pool",
    "masis.models.gateway",
    "masis.graphs.research.model",
    "masis.graphs.research.offline",
    "storage.vectors.qdrant_store",
    "storage.vectors.embedded_store",
)
"""What the program imports as it begins. The embedder's engine starts a thread, which no fork
takes along: whoever needs it imports it anew."""
READY: Final = "ready"
START_SECONDS: Final = 60.0
_LOOK_SECONDS: Final = 0.02
_COLD: Final = "--cold"
_SET_DEATH_SIGNAL: Final = 1
"""`PR_SET_PDEATHSIG` of `linux/prctl.h`."""


@dataclasses.dataclass
class Program:
    """One running process. Its code is the exit code, or a signal's number below zero."""

    pid: int
    log: Path
    code: "asyncio.Future[int]"

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended, stopped or not."""
        return not self.code.done()

    def send(self, number: signal.Signals) -> None:
        """Send it a signal, if it is still there."""
        if self.is_alive:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def killed(self) -> None:
        """End it by SIGKILL, and wait until it is gone."""
        self.send(signal.SIGKILL)
        await self.ended(10)

    async def ended(self, seconds: float) -> int:
        """Its exit code, once it has ended.

        Raises:
            TimeoutError: it did not end in time; the message shows the end of its log.
        """
        try:
            return await asyncio.wait_for(asyncio.shield(self.code), seconds)
        except TimeoutError:
            raise TimeoutError(f"still running after {seconds} s: {self.said()}") from None

    def said(self, characters: int = 2000) -> str:
        """The end of what it has printed and logged."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-characters:]


class Nursery:
    """Where programs are started; all of them are gone when the block ends.

    Without `warm` nothing is imported beforehand.
    """

    def __init__(self, *, warm: bool = True) -> None:
        self._warm = warm
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._ends: dict[int, asyncio.Future[int]] = {}
        self._born: asyncio.Queue[int] = asyncio.Queue()
        self._starting = asyncio.Lock()

    async def __aenter__(self) -> Self:
        single = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.chaos.nursery", *(() if self._warm else (_COLD,))),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=os.environ | single,
            # What ends this process by its group is not to end that one before its programs.
            start_new_session=True,
        )
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), START_SECONDS)
        assert line.strip() == READY.encode(), line
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        for pid, ended in self._ends.items():
            if not ended.done():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            _end_group(pid)
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            try:
                await asyncio.wait_for(self._process.wait(), 10)
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
        if self._reading is not None:
            await asyncio.wait({self._reading})

    @property
    def pid(self) -> int:
        """Of the process that forks the programs."""
        assert self._process is not None
        return self._process.pid

    async def start(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        log: Path,
        moment: Moment | None = None,
        pragma: str = "",
    ) -> Program:
        """Start `python -m bot` with these arguments, to die at the moment where one is named.

        `pragma` is told to every SQLite connection.
        """
        assert self._process is not None
        assert self._process.stdin is not None
        order = {
            "arguments": list(arguments),
            "environment": dict(environment),
            "log": str(log),
            "moment": moment.json() if moment else None,
            "pragma": pragma,
        }
        async with self._starting:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            await self._process.stdin.drain()
            pid = await asyncio.wait_for(self._born.get(), START_SECONDS)
        return Program(pid, log, self._ends[pid])

    async def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            told = json.loads(line)
            if "born" in told:
                # Here, since the process may be gone before anybody looks.
                self._ends[told["born"]] = asyncio.get_running_loop().create_future()
                self._born.put_nowait(told["born"])
            else:
                self._ends[told["ended"]].set_result(told["code"])


def _end_group(pid: int) -> None:
    """End what a program has started itself, such as a parser's process."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


# --- the program ---------------------------------------------------------------------------


def main() -> None:
    """Fork what is ordered, and tell what has ended, until nobody orders any more."""
    for name in () if _COLD in sys.argv else WARM:
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module(name)
    going: set[int] = set()
    own = os.getpid()
    try:
        # Nobody listens any more: whoever ordered is gone.
        with contextlib.suppress(BrokenPipeError):
            _tell(READY)
            _obey(going)
    finally:
        # What was forked comes by here, too.
        if os.getpid() == own:
            for pid in going:
                _end_group(pid)
                with contextlib.suppress(ProcessLookupError):  # it may have none yet
                    os.kill(pid, signal.SIGKILL)


def _obey(going: set[int]) -> None:
    """Fork what is ordered until the input ends; `going` is what runs by then."""
    # Not by a buffered reader: a line that it holds back would wake nobody.
    own, rest = os.getpid(), b""
    while True:
        if select.select([0], [], [], _LOOK_SECONDS)[0]:
            read = os.read(0, 65_536)
            if not read:
                return
            *orders, rest = (rest + read).split(b"\n")
            for order in orders:
                pid = os.fork()
                if pid == 0:
                    _end_with(own)
                    # By itself: whoever hears of it may count on its end.
                    _tell(json.dumps({"born": os.getpid()}))
                    _become(json.loads(order))
                    sys.exit()
                going.add(pid)
        for pid, code in _buried():
            going.discard(pid)
            _tell(json.dumps({"ended": pid, "code": code}))


def _end_with(parent: int) -> None:
    """End when the parent does, even if nobody is left to say so. Elsewhere the input's end must do."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:  # it was gone before it was asked for
            os._exit(1)


def _buried() -> Iterator[tuple[int, int]]:
    """Children that have ended, and how."""
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            yield pid, os.waitstatus_to_exitcode(status)


def _become(order: Mapping[str, Any]) -> None:
    """Be the program, to its end."""
    os.setsid()
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for target, source in ((0, nothing), (1, log), (2, log)):
        os.dup2(source, target)
    os.environ.clear()
    os.environ.update(order["environment"])
    if order["moment"]:
        arm(Moment.of(order["moment"]))
    if order["pragma"]:
        for name in ("storage.sql.sqlite", "storage.durable.workflows"):
            module: Any = importlib.import_module(name)
            module.PRAGMAS = (*module.PRAGMAS, order["pragma"])
    sys.argv = ["masis", *order["arguments"]]
    runpy.run_module("bot", run_name="__main__", alter_sys=True)


def _tell(line: str) -> None:
    os.write(1, line.encode() + b"\n")


if __name__ == "__main__":
    main()
