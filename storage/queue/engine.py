"""The run engine: accepted requests, brought to their end by durable workflows."""

import asyncio
import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import sqlalchemy as sa
from filelock import FileLock, Timeout

from masis.conversation import Acceptance, ChatRun
from masis.errors import StoreLocked
from masis.policy import ACCEPT_SECONDS, RUNS_AT_ONCE
from masis.spending import NO_BUDGET, Budget
from storage.admission.acceptance import let_through
from storage.admission.admissions import Admissions
from storage.admission.quota_settings import Limits
from storage.chat import requests
from storage.durable.timeouts import INTERRUPT_SECONDS, LIMIT_SECONDS, RETRY_SECONDS, Timeouts
from storage.durable.workflows import Workflows
from storage.queue.executors import CLAIM_SECONDS, TTL_SECONDS, Duties, Executors
from storage.queue.failover import HEARTBEAT_SECONDS, Failover, FailoverParts
from storage.queue.forgotten import Forgotten
from storage.queue.heartbeat import Heartbeat
from storage.queue.worker import Handler, Takes, Worker
from storage.sql.database import Database
from storage.sql.exclusive import take_admission_lock
from storage.sql.sqlite import is_sqlite

CONCURRENCY: Final = RUNS_AT_ONCE
"""Runs at a time in this process."""
POLL_SECONDS: Final = 0.2
GRACE_SECONDS: Final = 20.0
"""How long a stop lets runs finish before others go on with them."""

_ADMISSION_SECONDS: Final = 4.0
"""How long a stop waits for requests that are being stored: none takes longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineTimes:
    """Set how long an engine waits for what, in seconds."""

    poll_seconds: float = POLL_SECONDS
    """Between two looks for work, in an engine that works."""
    accept_seconds: float = ACCEPT_SECONDS
    """For storing a request, at most."""
    limit_seconds: float = LIMIT_SECONDS
    interrupt_seconds: float = INTERRUPT_SECONDS
    retry_seconds: float = RETRY_SECONDS
    heartbeat_seconds: float = HEARTBEAT_SECONDS
    ttl_seconds: float = TTL_SECONDS
    """Since the last beat of a process, after which it counts as dead."""
    claim_seconds: float = CLAIM_SECONDS

    @property
    def of_runs(self) -> Timeouts:
        """Return those of a run's attempts."""
        return Timeouts(self.limit_seconds, self.interrupt_seconds, self.retry_seconds)


class DbosEngine:
    """The `RunEngine` of `masis.ports`, on the database that holds our rows.

    Made by `open`, which is enough to accept; `start` makes it work, `stop` ends it for good. One
    engine works in a process at a time, on SQLite one on a file. On a server many processes work:
    each beats, and the runs of one that died go on in the others.
    """

    def __init__(
        self,
        database: Database,
        workflows: Workflows,
        times: EngineTimes,
        *,
        concurrency: int = CONCURRENCY,
        budget: Budget = NO_BUDGET,
        takes: Takes | None = None,
        hurry: asyncio.Event | None = None,
        on_takeover: Callable[[], None] | None = None,
    ) -> None:
        self._database = database
        self._workflows = workflows
        self._times = times
        self._concurrency = concurrency
        self._takes = takes
        self._hurry = hurry or asyncio.Event()
        self._limits = Limits(runs_at_once=concurrency, budget=budget)
        self._admissions = Admissions(
            database, workflows.enqueue, seconds=times.accept_seconds, limits=self._limits
        )
        self._forgotten = Forgotten(database, workflows)
        self._duties = Duties(database, workflows.executor)
        self._executors = _executors(database, times)
        heartbeat = Heartbeat(workflows.executor, self._executors)
        self._worker = Worker(
            database, workflows, heartbeat, self._forgotten, times.of_runs, limits=self._limits
        )
        self._failover = Failover(
            FailoverParts(
                database, workflows, self._worker, heartbeat, self._duties, self._executors
            ),
            self._do_chores,
            heartbeat_seconds=times.heartbeat_seconds,
            on_takeover=on_takeover,
        )
        self._lock = _lock(database.url)
        self._is_working = False

    @classmethod
    async def open(
        cls,
        database: Database,
        *,
        migrate: bool = True,
        concurrency: int = CONCURRENCY,
        budget: Budget = NO_BUDGET,
        takes: Takes | None = None,
        hurry: asyncio.Event | None = None,
        on_takeover: Callable[[], None] | None = None,
        **times: float,
    ) -> Self:
        """Bring the engine's own tables up to date; without `migrate` they have to be.

        `concurrency` is for an engine that works: the queue's width is what the last one that
        started said. Every engine, one that only accepts too, lets so many runs at a
        time through for each process that works; `budget` is a workspace's a day. What `takes`
        says no to stays for another process. Once `hurry` is set a stop, under way or still to
        come, waits for no run. `on_takeover` is called for each dead process whose runs this one
        handed on. `times` are those
        of `EngineTimes`.

        Raises:
            StoreUnavailable: the database cannot be opened or written, or is to be migrated first.
        """
        with database.reported():
            workflows = await Workflows.open(database.url, migrate=migrate)
        return cls(
            database,
            workflows,
            EngineTimes(**times),
            concurrency=concurrency,
            budget=budget,
            takes=takes,
            hurry=hurry,
            on_takeover=on_takeover,
        )

    # --- what a surface calls --------------------------------------------------------------

    async def accept(self, run: ChatRun, *, seconds: float | None = None) -> Acceptance:
        """Store the request and put it into the queue, in one transaction.

        Raises:
            TooBusy: too many wait before it for it to be in time; nothing was stored.
            StoreUnavailable: the database is locked or gone, or took too long; nothing was stored.
            UnknownWorkspace: its tenant has no such workspace.
        """
        return await self._admissions.accept(run, seconds=seconds)

    async def cancel(self, run_id: str, by: str) -> bool:
        """Ask an open run to end without an answer; False when it has ended already.

        Where another process is at work on it, that one notices within seconds.
        """
        if not await self._database.transact(
            lambda connection: self._cancel(connection, run_id, by)
        ):
            return False
        self._worker.cancel(run_id)
        return True

    def _cancel(self, connection: sa.Connection, run_id: str, by: str) -> bool:
        take_admission_lock(connection)
        if not requests.mark_cancelled(connection, run_id, by):
            return False
        let_through(connection, self._workflows.enqueue, self._limits)
        return True

    async def forget(self, workspace_id: str) -> int:
        """Delete what the steps of a workspace's runs left: it may quote its documents.

        What is at work, in whichever process, goes on, and is forgotten at its end.
        """
        await self._forgotten.note(workspace_id)
        with self._database.reported():
            await self._forgotten.note_ending(workspace_id)
            deleted = await self._workflows.delete_ended(workspace_id=workspace_id)
        await self._database.erase_traces()
        return deleted

    async def purge_steps(self, before: dt.datetime) -> int:
        """Delete what the steps of runs that ended before left; the requests' rows stay."""
        with self._database.reported():
            return await self._workflows.delete_ended(before=before)

    async def has_duty(self, name: str, seconds: float) -> bool:
        """Say whether this process has the duty that one has for all.

        If so, it has it for so long from now.

        Raises:
            StoreUnavailable: nobody can say.
        """
        return self._executors is None or await self._duties.hold(name, seconds)

    # --- its life --------------------------------------------------------------------------

    async def start(self, handler: Handler) -> None:
        """Work on what is queued, and on what former processes left.

        Raises:
            RuntimeError: an engine works in this process already.
            StoreLocked: another process works on this SQLite file.
        """
        self._workflows.check_alone()
        await asyncio.to_thread(self._take_lock)
        self._is_working = True
        self._worker.begin(handler, self._takes)
        with self._database.reported():
            await self._failover.begin()
            if self._lock is not None:  # whoever worked before is dead: we have its lock
                await self._workflows.again(await self._workflows.at_work())
            await self._do_chores()
            await self._workflows.launch(
                self._worker.work,
                concurrency=self._concurrency,
                poll_seconds=self._times.poll_seconds,
            )
        self._failover.look()

    async def stop(self, grace_seconds: float = GRACE_SECONDS) -> None:
        """Take no more, let running ones finish for so long, leave the rest to others at once."""
        if self._is_working:
            self._workflows.pause()
            await self._failover.stop_looking()
            await self._worker.stop(grace_seconds, self._hurry)
        await self._admissions.close(_ADMISSION_SECONDS)
        await self._workflows.stop()
        if self._is_working:
            await self._failover.leave()
        await self._workflows.close()
        if self._lock is not None:
            await asyncio.to_thread(self._lock.release)

    def _take_lock(self) -> None:
        if self._lock is None:
            return
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise StoreLocked(
                f"Another MASIS process works on {self._database.place}: only one can on SQLite."
                " End it first, or use PostgreSQL (MASIS_DATABASE_URL) for several."
            ) from None

    async def _do_chores(self) -> None:
        await self._repair()
        await self._forgotten.sweep()

    async def _repair(self) -> None:
        """Queue every open run that the engine does not know of, or holds for ended."""
        opened = await requests.ChatRuns(self._database).open_runs(None)
        going = [run for run in opened if run.status != "waiting"]
        known = await self._workflows.unfinished([run.id for run in going])
        lost = [run for run in going if run.id not in known]

        def queue(connection: sa.Connection) -> None:
            take_admission_lock(connection)
            for run in lost:
                if requests.mark(connection, run.id, "queued", held=run):
                    self._workflows.enqueue(connection, run.id, run.workspace_id)
            let_through(connection, self._workflows.enqueue, self._limits)

        await self._database.transact(queue)


def _executors(database: Database, times: EngineTimes) -> Executors | None:
    """Build the list of the processes at work, where there can be several: not on a file."""
    if is_sqlite(database.url):
        return None
    return Executors(database, ttl_seconds=times.ttl_seconds, claim_seconds=times.claim_seconds)


def _lock(url: sa.URL) -> FileLock | None:
    """Return the lock of the one process that works on a SQLite file; None elsewhere."""
    name = url.database or ":memory:"
    if not is_sqlite(url) or name.startswith((":memory:", "file:")):
        return None
    return FileLock(Path(f"{name}.lock"), thread_local=False)
