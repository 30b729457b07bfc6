"""The run engine: accepted requests, carried to their end by durable workflows."""

import asyncio
import contextlib
import datetime as dt
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, Literal, Self, TypeVar

import sqlalchemy as sa

from masis.conversation import OPEN, Acceptance, ChatRun, RunStatus
from masis.errors import RunCancelled, RunInterrupted, RunTakenOver, StoreUnavailable
from masis.policy import ACCEPT_SECONDS, RUN_ATTEMPTS, RUN_LIMIT_SECONDS
from storage.acceptance import let_through
from storage.admissions import Admissions
from storage.chat import requests
from storage.database import Database
from storage.execution import Execution
from storage.workflows import Workflows

log = logging.getLogger(__name__)

T = TypeVar("T")
Handler = Callable[[ChatRun], Awaitable[None]]
_Mishap = Literal["broken off", "too long", "raised"]

CONCURRENCY: Final = 8
"""Runs at a time in this process: they wait for models more than they work."""
POLL_SECONDS: Final = 0.2

_LAST_WORD: Final = RUN_ATTEMPTS + 1
"""The attempt in which a handler only says that it gave up."""
_LAST_TRY: Final = _LAST_WORD + 6
"""An apology does nothing that could kill its process: what breaks it off is something else."""
_LAST_WORD_SECONDS: Final = 60.0
_PATIENCE_SECONDS: Final = 5.0
"""A post takes less; what is outside of a step for longer is broken off where it stands."""
_STOP_PATIENCE_SECONDS: Final = 2.0
_PAUSES: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Before a write is tried again, while the database is locked or its disk is full."""
_RETRY_SECONDS: Final = 2.0
"""Before a run whose handler failed is tried again, times the attempt."""


class DbosEngine:
    """The `RunEngine` of `masis.ports` in one process, on the database that holds our rows.

    Made by `open`, which is enough to accept; `start` makes it work, `stop` ends it for good. One
    engine works in a process at a time.
    """

    def __init__(
        self,
        database: Database,
        workflows: Workflows,
        *,
        accept_seconds: float = ACCEPT_SECONDS,
        limit_seconds: float = RUN_LIMIT_SECONDS + _LAST_WORD_SECONDS,
        patience_seconds: float = _PATIENCE_SECONDS,
        retry_seconds: float = _RETRY_SECONDS,
    ) -> None:
        self._database = database
        self._workflows = workflows
        self._admissions = Admissions(database, workflows.enqueue, seconds=accept_seconds)
        self._limit_seconds = limit_seconds
        self._patience_seconds = patience_seconds
        self._retry_seconds = retry_seconds
        self._handler: Handler | None = None
        self._stopping = asyncio.Event()
        self._working: set[asyncio.Task[Any]] = set()
        self._to_forget: set[str] = set()
        self._background: set[asyncio.Task[Any]] = set()
        self._running: dict[str, Execution] = {}

    @classmethod
    async def open(
        cls,
        database: Database,
        *,
        concurrency: int = CONCURRENCY,
        poll_seconds: float = POLL_SECONDS,
        **times: float,
    ) -> Self:
        """Bring the engine's own tables up to date; `times` are those of the constructor.

        Raises:
            StoreUnavailable: the database cannot be opened or written.
        """
        with database.reported():
            workflows = await Workflows.open(
                database.url, concurrency=concurrency, poll_seconds=poll_seconds
            )
        return cls(database, workflows, **times)

    # --- what a surface calls --------------------------------------------------------------

    async def accept(self, run: ChatRun) -> Acceptance:
        """Store the request and put it into the queue, in one transaction.

        Raises:
            StoreUnavailable: the database is locked or gone, or took over 2 s; nothing was stored.
            UnknownWorkspace: its tenant has no such workspace.
        """
        return await self._admissions.accept(run)

    async def cancel(self, run_id: str, by: str) -> bool:
        """Ask an open run to end without an answer; False when it has ended already."""
        if not await self._database.transact(
            lambda connection: self._cancel(connection, run_id, by)
        ):
            return False
        if (execution := self._running.get(run_id)) is not None:
            self._interrupt(execution, RunCancelled, self._patience_seconds)
        return True

    def _cancel(self, connection: sa.Connection, run_id: str, by: str) -> bool:
        run = requests.find(connection, run_id)
        if run is None or run.status not in OPEN:
            return False
        requests.mark(connection, run_id, run.status, cancelled_by=run.cancelled_by or by)
        let_through(connection, self._workflows.enqueue)
        return True

    async def forget(self, workspace_id: str) -> int:
        """Delete what the steps of a workspace's runs left: it may quote its documents.

        What is at work goes on, and is forgotten at its end.
        """
        opened = await requests.ChatRuns(self._database).open_runs(None)
        self._to_forget |= {run.id for run in opened if run.workspace_id == workspace_id}
        with self._database.reported():
            deleted = await self._workflows.forget(workspace_id)
        await self._database.erase_traces()
        return deleted

    async def purge_steps(self, before: dt.datetime) -> int:
        """Delete what the steps of runs that ended before left; the requests' rows stay."""
        with self._database.reported():
            return await self._workflows.purge(before)

    # --- its life --------------------------------------------------------------------------

    async def start(self, handler: Handler) -> None:
        """Work on what is queued, and on what a former process left.

        Raises:
            RuntimeError: an engine works in this process already.
        """
        self._handler = handler
        with self._database.reported():
            await self._repair()
            await self._workflows.launch(self._work)

    async def stop(self, grace_seconds: float = 20.0) -> None:
        """Take no more, let running ones finish for so long, leave the rest to the next start."""
        if self._handler is not None:
            self._stopping.set()
            self._workflows.pause()
            await _settled(self._working, grace_seconds)
            for execution in self._running.values():
                patience = min(self._patience_seconds, _STOP_PATIENCE_SECONDS)
                self._interrupt(execution, RunTakenOver, patience)
        await _settled(self._working | self._background, 2 * _STOP_PATIENCE_SECONDS)
        await self._admissions.close(2 * _STOP_PATIENCE_SECONDS)
        await self._workflows.close()

    async def _repair(self) -> None:
        """Queue every open run that the engine does not know of, or holds for ended."""
        opened = await requests.ChatRuns(self._database).open_runs(None)
        going = [run for run in opened if run.status != "waiting"]
        known = await self._workflows.unfinished([run.id for run in going])
        lost = [run for run in going if run.id not in known]

        def queue(connection: sa.Connection) -> None:
            for run in lost:
                if requests.mark(connection, run.id, "queued"):
                    self._workflows.enqueue(connection, run.id, run.workspace_id)
            let_through(connection, self._workflows.enqueue)

        await self._database.transact(queue)

    # --- a run -----------------------------------------------------------------------------

    async def _work(self, run_id: str) -> None:
        """The workflow. It ends with the run; raising `RunTakenOver` it stays for the next start."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a workflow is a task
        self._working.add(task)
        task.add_done_callback(lambda _: self._worked(task, run_id))
        if self._stopping.is_set():
            raise RunTakenOver
        run = await self._insist(lambda: self._begin(run_id))
        if run is None:
            return
        try:
            status = await self._carried(run)
        except RunTakenOver:
            await self._give_back(run)
            raise
        if status is None:
            await self._try_again(run)
            raise RunTakenOver
        await self._insist(lambda: self._end(run_id, status))

    def _worked(self, task: asyncio.Task[Any], run_id: str) -> None:
        self._working.discard(task)
        if run_id in self._to_forget:
            self._in_background(self._forget_run(run_id))

    async def _forget_run(self, run_id: str) -> None:
        if not await self._insist(lambda: self._workflows.unfinished([run_id])):
            self._to_forget.discard(run_id)
            await self._database.erase_traces()

    async def _begin(self, run_id: str) -> ChatRun | None:
        """Count the attempt; None when there is nothing to do (any more).

        One that got further than the last one counts from the start: what killed its process was
        not the run.
        """
        before = await requests.ChatRuns(self._database).get(None, run_id)
        steps = await self._workflows.steps(run_id) if before and before.attempt else 0

        def begin(connection: sa.Connection) -> ChatRun | None:
            run = requests.find(connection, run_id)
            if run is None:  # its workspace was deleted, and others may have waited for it
                let_through(connection, self._workflows.enqueue)
                return None
            attempt = 1 if steps > run.steps else run.attempt + 1
            begun = run.model_copy(update={"status": "running", "attempt": attempt, "steps": steps})
            counted = requests.mark(connection, run_id, "running", attempt=attempt, steps=steps)
            return begun if counted else None

        return await self._database.transact(begin)

    async def _end(self, run_id: str, status: RunStatus) -> None:
        def end(connection: sa.Connection) -> None:
            requests.mark(connection, run_id, status)
            let_through(connection, self._workflows.enqueue)

        await self._database.transact(end)

    async def _carried(self, run: ChatRun) -> RunStatus | None:
        """Take the run to its end, whose kind it gives; None when it is to be tried again.

        Raises:
            RunTakenOver: it goes on elsewhere, or at the next start.
        """
        if run.attempt > _LAST_TRY:
            return "failed"  # not even the apology was survived
        match await self._attempt(run, self._limit_seconds):
            case "broken off":
                await self._attempt(await self._seen(run), _LAST_WORD_SECONDS)
                return "cancelled"
            case "too long":
                late = run.model_copy(update={"attempt": _LAST_WORD})
                await self._attempt(late, _LAST_WORD_SECONDS)
                return "failed"
            case "raised":
                return None if run.attempt < _LAST_TRY else "failed"
            case status:
                return status

    async def _attempt(self, run: ChatRun, seconds: float) -> RunStatus | _Mishap:
        """Hand the run over, for so long."""
        try:
            async with asyncio.timeout(seconds):
                return await self._handled(run)
        except RunCancelled:
            return "broken off"
        except TimeoutError:
            log.warning("run %s took too long", run.id)
            return "too long"
        except Exception:
            # Whatever it was, the one who asked is owed an outcome.
            log.exception("run %s failed in attempt %d", run.id, run.attempt)
            return "raised"

    async def _handled(self, run: ChatRun) -> RunStatus:
        """One call of the handler, which may be broken off."""
        execution = Execution(run.workspace_id, lambda: self._is_cancelled(run))
        self._running[run.id] = execution
        try:
            await execution.run(self._call(run))
        finally:
            del self._running[run.id]
        if run.cancelled_by or (execution.told and execution.interrupted is RunCancelled):
            return "cancelled"
        return "finished" if run.attempt < _LAST_WORD else "failed"

    async def _call(self, run: ChatRun) -> None:
        assert self._handler is not None  # noqa: S101 - set by `start`
        await self._handler(run)

    async def _try_again(self, run: ChatRun) -> None:
        """Queue the run anew after a pause; its finished steps are not done again."""
        pause = self._retry_seconds * run.attempt
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), pause)
            return
        await self._insist(lambda: self._workflows.again(run.id))

    async def _give_back(self, run: ChatRun) -> None:
        """An attempt that this process's own end broke off does not count."""
        if not self._stopping.is_set():
            return
        with contextlib.suppress(StoreUnavailable):
            await requests.ChatRuns(self._database).mark(run.id, "queued", attempt=run.attempt - 1)

    async def _seen(self, run: ChatRun) -> ChatRun:
        """The run as it stands in the database, with this attempt."""
        found = await self._insist(lambda: requests.ChatRuns(self._database).get(None, run.id))
        return run if found is None else found

    async def _is_cancelled(self, run: ChatRun) -> bool:
        if run.cancelled_by:
            return True
        with contextlib.suppress(StoreUnavailable):
            found = await requests.ChatRuns(self._database).get(None, run.id)
            return found is not None and found.cancelled_by != ""
        return False

    async def _insist(self, action: Callable[[], Awaitable[T]]) -> T:
        """Do it again while the database is locked, full or away.

        Raises:
            RunTakenOver: it stays so; the next start goes on.
        """
        for pause in _PAUSES:
            try:
                with self._database.reported():
                    return await action()
            except StoreUnavailable as error:
                log.warning("The engine waits for its database: %s", error)
                await asyncio.sleep(pause)
        raise RunTakenOver

    def _interrupt(self, execution: Execution, why: type[RunInterrupted], patience: float) -> None:
        self._in_background(execution.interrupt(why, patience))

    def _in_background(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Work that outlives its caller; the loop itself holds tasks by weak references only."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return task


async def _settled(tasks: set[asyncio.Task[Any]], seconds: float) -> None:
    """Wait for the tasks' end, for so long."""
    if tasks:
        await asyncio.wait(tasks, timeout=seconds)
