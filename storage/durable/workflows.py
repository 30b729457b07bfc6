"""The one place that knows DBOS's process: durable workflows on tables of its own beside ours.

DBOS is one a process. It runs its workflows on the event loop in which it was launched, and keeps
what each step of them gave, so that a workflow whose process died goes on after its last step.
"""

import asyncio
import contextlib
import datetime as dt
import os
import socket
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, Final, Self

import sqlalchemy as sa
from dbos import (
    DBOS,
    DBOSClient,
    DBOSConfig,
    DBOSPortableJSONSerializer,
    EnqueueOptions,
    WorkflowStatus,
)
from dbos._error import DBOSNonExistentWorkflowError
from dbos._utils import retriable_postgres_exception, retriable_sqlite_exception

from masis.errors import RunHeldUp
from storage.durable.execution import current
from storage.sql import postgres, workflow_tables
from storage.sql.sqlite import PRAGMAS, give_time, is_sqlite, write_lock
from storage.sql.unavailable import is_outage

_APPLICATION: Final = "masis"
_QUEUE: Final = "runs"
_WORKFLOW: Final = "chat_run"
_VERSION: Final = "1"
"""Raised when old steps cannot be replayed any more: a workflow of another version is not taken up."""
_PENDING: Final = "PENDING"
_UNFINISHED: Final = ("ENQUEUED", "DELAYED", _PENDING)
_ENDED: Final = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
_THREADS: Final = 32
"""DBOS reads and writes in threads, and makes them the loop's own; unbounded by default."""
_CONNECTIONS: Final = 8
"""Threads of DBOS wait for each other's."""
_BUSY_MS: Final = 30_000
_LISTEN_SECONDS: Final = 0.25
"""How often DBOS looks for messages, of which we send none: its shutdown waits for one look."""
_BATCH: Final = 200

_HOST: Final = 24
"""Characters of the host's name in an executor's."""

Work = Callable[[str], Awaitable[None]]
"""Takes a run id. Whatever it raises that is no `Exception` leaves the workflow where it is."""


class Workflows:
    """Queued, run and forgotten by run id. Made by `open`; `launch` runs them, `close` ends all."""

    _launched: ClassVar["Workflows | None"] = None

    def __init__(self, url: sa.URL) -> None:
        self.executor: Final = _executor()
        """Under which name this process works: its own for ever, so that it can be declared dead."""
        self._engine = _engine(url)
        self._dbos: DBOS | None = None
        self._closed = False
        sa.event.listen(self._engine, "checkin", self._close_late)
        sa.event.listen(self._engine, "handle_error", _held_up, retval=True)
        self._client = DBOSClient(
            system_database_engine=self._engine,
            serializer=DBOSPortableJSONSerializer(),
            application_name=_APPLICATION,
            retry_connection_errors=False,
            lazy=True,
        )

    @classmethod
    async def open(cls, url: sa.URL, *, migrate: bool = True) -> Self:
        """Bring DBOS's tables up to date; without `migrate` they have to be.

        Raises:
            StoreUnavailable: they are not.
        """
        workflow_tables.quiet()
        sync = workflow_tables.sync_url(url)
        if migrate:
            await asyncio.to_thread(workflow_tables.migrate, sync)
        else:
            await asyncio.to_thread(workflow_tables.check, sync)
        return cls(sync)

    # --- the queue -------------------------------------------------------------------------

    def enqueue(self, connection: sa.Connection, run_id: str, workspace_id: str) -> None:
        """Put a run into the queue with the caller's transaction; one that is there stays as it is."""
        options: EnqueueOptions = {
            "workflow_name": _WORKFLOW,
            "queue_name": _QUEUE,
            "workflow_id": run_id,
            # DBOS has no workspaces; a workflow's user is what it can be listed by.
            "authenticated_user": workspace_id,
        }
        self._client.enqueue_in_transaction(connection, options, run_id)

    async def again(self, run_ids: Collection[str]) -> None:
        """Put runs back into the queue, whoever is at work on them: their finished steps stay.

        What ended or is gone stays so.
        """
        for part in _parts(sorted(run_ids)):
            try:
                await self._client.resume_workflows_async(part, queue_name=_QUEUE)
            except DBOSNonExistentWorkflowError:
                there = await self._list(workflow_ids=part)
                if len(there) == len(part):
                    raise
                await self.again([one.workflow_id for one in there])

    async def is_mine(self, run_id: str) -> bool:
        """Say whether this process is the one that the run was given to."""
        listed = await self._list(workflow_ids=[run_id], status=_PENDING)
        return [one.executor_id for one in listed] == [self.executor]

    async def at_work(self, executor: str | None = None) -> dict[str, str]:
        """The runs that were given to that process, or to any: each with whose it is."""
        found: dict[str, str] = {}
        while True:
            known, pages = len(found), 0
            async for listed in self._pages(executor):
                found |= {one.workflow_id: one.executor_id or "" for one in listed}
                pages += 1
            # What ends between two pages moves another past them: then all are gone through again.
            if pages == 1 or len(found) == known:
                return found

    async def _pages(self, executor: str | None) -> AsyncIterator[list[WorkflowStatus]]:
        more = {} if executor is None else {"executor_id": executor}
        offset = 0
        while True:
            listed = await self._list(
                name=_WORKFLOW, status=_PENDING, limit=_BATCH, offset=offset, **more
            )
            yield listed
            if len(listed) < _BATCH:
                return
            offset += _BATCH

    async def steps(self, run_id: str) -> int:
        """Count how many of a run's steps are finished."""
        return len(await self._client.list_workflow_steps_async(run_id, load_output=False))

    async def unfinished(self, run_ids: Collection[str]) -> set[str]:
        """Those that are queued or at work. What ended among them is forgotten."""
        found: set[str] = set()
        for part in _parts(sorted(run_ids)):
            listed = await self._list(workflow_ids=part)
            ended = [one.workflow_id for one in listed if one.status in _ENDED]
            await self._delete(ended)
            found |= {one.workflow_id for one in listed} - set(ended)
        return found

    async def unfinished_of(self, workspace_id: str) -> set[str]:
        """A workspace's runs that are queued or at work, as the engine has noted it."""
        listed = await self._list(user=workspace_id, status=list(_UNFINISHED))
        return {one.workflow_id for one in listed}

    # --- what is kept ----------------------------------------------------------------------

    async def delete_ended(
        self, *, before: dt.datetime | None = None, workspace_id: str | None = None
    ) -> int:
        """Delete what is kept of workflows that ended; return how many they were."""
        ended = None if before is None else before.astimezone(dt.UTC).isoformat()
        deleted = 0
        while True:
            listed = await self._list(
                status=list(_ENDED), limit=_BATCH, user=workspace_id, completed_before=ended
            )
            await self._delete([one.workflow_id for one in listed])
            deleted += len(listed)
            if len(listed) < _BATCH:
                return deleted

    async def remove(self, run_ids: Collection[str]) -> None:
        """Delete what is kept of these, in whatever state they are."""
        for part in _parts(sorted(run_ids)):
            await self._delete(part)

    async def _list(self, **which: Any) -> list[WorkflowStatus]:
        return await self._client.list_workflows_async(load_input=False, load_output=False, **which)

    async def _delete(self, run_ids: list[str]) -> None:
        if run_ids:
            await self._client.delete_workflows_async(run_ids)

    # --- the process -----------------------------------------------------------------------

    async def launch(self, work: Work, *, concurrency: int, poll_seconds: float) -> None:
        """Run what is queued with `work`, so many at a time.

        The queue's width and pace are one row for all processes: those that work write it, alike.

        Raises:
            RuntimeError: this process runs workflows already.
        """
        self.check_alone()
        Workflows._launched = self
        async with contextlib.AsyncExitStack() as undoing:
            undoing.push_async_callback(self._destroy)
            await self._client.register_queue_async(
                _QUEUE, worker_concurrency=concurrency, polling_interval_sec=poll_seconds
            )
            self._launch(work)
            undoing.pop_all()

    def check_alone(self) -> None:
        """Check that nothing works in this process yet.

        Raises:
            RuntimeError: something does.
        """
        if Workflows._launched is not None:
            raise RuntimeError("one run engine a process: stop the other one first")

    def pause(self) -> None:
        """Take nothing more out of the queue."""
        if self._dbos is not None:
            for event in self._dbos.background_thread_stop_events:
                event.set()

    async def stop(self) -> None:
        """Stop at once; what is at work stays this process's."""
        if Workflows._launched is self:
            await self._destroy()

    async def close(self) -> None:
        """Stop, and close every connection."""
        await self.stop()
        self._closed = True
        await asyncio.to_thread(self._engine.dispose)

    def _launch(self, work: Work) -> None:
        """Block for a few reads: DBOS keeps the loop of the thread that launches it."""
        config: DBOSConfig = {
            "name": _APPLICATION,
            "system_database_url": self._engine.url.render_as_string(hide_password=False),
            "system_database_engine": self._engine,
            "serializer": DBOSPortableJSONSerializer(),
            "application_version": _VERSION,
            "executor_id": self.executor,
            "run_migrations": False,
            "use_listen_notify": False,
            "notification_listener_polling_interval_sec": _LISTEN_SECONDS,
            "max_executor_threads": _THREADS,
            "enable_otlp": False,
            "log_level": "WARNING",
        }
        self._dbos = DBOS(config=config)

        async def chat_run(run_id: str) -> None:
            await work(run_id)

        # Our own count of attempts ends a run that kills its process.
        DBOS.workflow(name=_WORKFLOW, max_recovery_attempts=None)(chat_run)
        DBOS.launch()

    async def _destroy(self) -> None:
        Workflows._launched, self._dbos = None, None
        # DBOS made its own threads the loop's, and takes them along.
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(thread_name_prefix="asyncio"))
        await asyncio.to_thread(DBOS.destroy, destroy_registry=True)

    def _close_late(self, _connection: object, record: Any) -> None:
        """A connection that a thread of DBOS gives back after the end is closed at once."""
        if self._closed:
            record.invalidate()


def _executor() -> str:
    """A name that no other start has: readable by its host and process, unique by the rest."""
    host = socket.gethostname()[:_HOST]
    return f"{host}-{os.getpid()}-{uuid.uuid4().hex[:12]}"


def _engine(url: sa.URL) -> sa.Engine:
    if not is_sqlite(url):
        return postgres.blocking_engine(url, _CONNECTIONS)
    engine = sa.create_engine(url, pool_size=_CONNECTIONS, max_overflow=0, hide_parameters=True)
    write_lock(url).guard(engine)
    sa.event.listen(engine, "connect", _prepare)
    return engine


def _prepare(connection: Any, _record: object) -> None:
    """Like our own connections; DBOS expects a transaction to take the right to write at once."""
    connection.isolation_level = "IMMEDIATE"
    for pragma in (*PRAGMAS, f"PRAGMA busy_timeout = {_BUSY_MS}"):
        connection.execute(pragma)
    give_time(connection)


def _held_up(context: sa.ExceptionContext) -> RunHeldUp | None:
    """Return what to raise where a run's step cannot be looked up or written down.

    None leaves the error alone.

    An `Exception` DBOS would take for the step's own: it would note it, and raise it again whenever
    the run goes on. What it tries again by itself is left to it.
    """
    error = context.sqlalchemy_exception
    if error is None or current() is None or not is_outage(error):
        return None
    if retriable_postgres_exception(error) or retriable_sqlite_exception(error):
        return None
    return RunHeldUp(type(context.original_exception).__name__)


def _parts(ids: list[str]) -> list[list[str]]:
    return [ids[at : at + _BATCH] for at in range(0, len(ids), _BATCH)]
