"""The one place that knows DBOS's process: durable workflows on tables of its own beside ours.

DBOS is one a process. It runs its workflows on the event loop in which it was launched, and keeps
what each step of them gave, so that a workflow whose process died goes on after its last step.
"""

import asyncio
import datetime as dt
import logging
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, Final, Self

import sqlalchemy as sa
from dbos import DBOS, DBOSClient, DBOSConfig, DBOSPortableJSONSerializer, EnqueueOptions
from dbos._sys_db import SystemDatabase

from storage import postgres
from storage.sqlite import PRAGMAS, is_sqlite

_APPLICATION: Final = "masis"
_QUEUE: Final = "runs"
_WORKFLOW: Final = "chat_run"
_VERSION: Final = "1"
"""Raised when old steps cannot be replayed any more: a workflow of another version is not taken up."""
_EXECUTOR: Final = "local"
"""One process works on a SQLite file; under a constant name it takes up what its last life left."""
_ENDED: Final = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
_THREADS: Final = 32
"""DBOS reads and writes in threads, and makes them the loop's own; unbounded by default."""
_CONNECTIONS: Final = 8
"""To a server; threads of DBOS wait for each other's."""
_BUSY_MS: Final = 30_000
_LISTEN_SECONDS: Final = 0.25
"""How often DBOS looks for messages, of which we send none: its shutdown waits for one look."""
_BATCH: Final = 200

Work = Callable[[str], Awaitable[None]]
"""Takes a run id. Whatever it raises that is no `Exception` leaves the workflow to the next start."""


class Workflows:
    """Queued, run and forgotten by run id. Made by `open`; `launch` runs them, `close` ends all."""

    _launched: ClassVar["Workflows | None"] = None

    def __init__(self, url: sa.URL) -> None:
        self._engine = _engine(url)
        self._dbos: DBOS | None = None
        self._closed = False
        sa.event.listen(self._engine, "checkin", self._close_late)
        self._client = DBOSClient(
            system_database_engine=self._engine,
            serializer=DBOSPortableJSONSerializer(),
            application_name=_APPLICATION,
            retry_connection_errors=False,
            lazy=True,
        )

    @classmethod
    async def open(cls, url: sa.URL, *, concurrency: int, poll_seconds: float) -> Self:
        """Bring DBOS's tables up to date, and name the queue and how many of it run at a time."""
        _quiet()
        sync = _sync_url(url)
        await asyncio.to_thread(migrate, sync)
        workflows = cls(sync)
        await workflows._client.register_queue_async(
            _QUEUE, worker_concurrency=concurrency, polling_interval_sec=poll_seconds
        )
        return workflows

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

    async def again(self, run_id: str) -> None:
        """Put a run back into the queue: its finished steps stay."""
        await self._client.resume_workflows_async([run_id], queue_name=_QUEUE)

    async def steps(self, run_id: str) -> int:
        """How many of a run's steps are finished."""
        return len(await self._client.list_workflow_steps_async(run_id, load_output=False))

    async def unfinished(self, run_ids: Collection[str]) -> set[str]:
        """Those that are queued or at work. What ended among them is forgotten."""
        found: set[str] = set()
        for part in _parts(sorted(run_ids)):
            listed = await self._client.list_workflows_async(
                workflow_ids=part, load_input=False, load_output=False
            )
            ended = [one.workflow_id for one in listed if one.status in _ENDED]
            await self._delete(ended)
            found |= {one.workflow_id for one in listed} - set(ended)
        return found

    # --- what is kept ----------------------------------------------------------------------

    async def purge(self, before: dt.datetime) -> int:
        """Delete what is kept of workflows that ended before; how many they were."""
        return await self._delete_ended(completed_before=before.astimezone(dt.UTC).isoformat())

    async def forget(self, workspace_id: str) -> int:
        """Delete what is kept of a workspace's workflows that ended."""
        return await self._delete_ended(user=workspace_id)

    async def _delete_ended(self, **which: Any) -> int:  # noqa: ANN401 - the filters of DBOS
        deleted = 0
        while True:
            listed = await self._client.list_workflows_async(
                status=list(_ENDED), limit=_BATCH, load_input=False, load_output=False, **which
            )
            await self._delete([one.workflow_id for one in listed])
            deleted += len(listed)
            if len(listed) < _BATCH:
                return deleted

    async def _delete(self, run_ids: list[str]) -> None:
        if run_ids:
            await self._client.delete_workflows_async(run_ids)

    # --- the process -----------------------------------------------------------------------

    async def launch(self, work: Work) -> None:
        """Run what is queued and what a former process left, with `work`.

        Raises:
            RuntimeError: this process runs workflows already.
        """
        if Workflows._launched is not None:
            raise RuntimeError("one run engine a process: stop the other one first")
        Workflows._launched = self
        try:
            self._launch(work)
        except BaseException:
            await self._destroy()
            raise

    def pause(self) -> None:
        """Take nothing more out of the queue."""
        if self._dbos is not None:
            for event in self._dbos.background_thread_stop_events:
                event.set()

    async def close(self) -> None:
        """Stop at once; what is at work stays for the next start."""
        if Workflows._launched is self:
            await self._destroy()
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
            "executor_id": _EXECUTOR,
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

    def _close_late(self, _connection: object, record: Any) -> None:  # noqa: ANN401 - SQLAlchemy's pool record
        """A connection that a thread of DBOS gives back after the end is closed at once."""
        if self._closed:
            record.invalidate()


def _quiet() -> None:
    """Let DBOS log by our own handlers: without one it adds its own, and shows every start."""
    log = logging.getLogger("dbos")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    log.setLevel(logging.WARNING)


def migrate(url: sa.URL) -> None:
    """Bring DBOS's tables up to date: none of its triggers that would notify listeners.

    Several processes do so one after the other. `DBOS.migrate` knows no such choice, and connects
    in its own way, which a pooler does not take.
    """
    sync = _sync_url(url)
    address = sync.render_as_string(hide_password=False)
    if is_sqlite(sync):
        DBOS.migrate(address)
        return
    engine = postgres.migrating(sync)
    try:
        with postgres.schema_lock(engine):
            SystemDatabase.create(
                system_database_url=address,
                engine_kwargs={},
                engine=engine,
                schema="dbos",
                serializer=DBOSPortableJSONSerializer(),
                executor_id=None,
                use_listen_notify=False,
            ).run_migrations()
    finally:
        engine.dispose()


def _sync_url(url: sa.URL) -> sa.URL:
    return url.set(drivername="sqlite") if is_sqlite(url) else url


def _engine(url: sa.URL) -> sa.Engine:
    if not is_sqlite(url):
        return postgres.blocking_engine(url, _CONNECTIONS)
    engine = sa.create_engine(url, hide_parameters=True)
    sa.event.listen(engine, "connect", _prepare)
    return engine


def _prepare(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's connection
    """Like our own connections; DBOS expects a transaction to take the right to write at once."""
    connection.isolation_level = "IMMEDIATE"
    for pragma in (*PRAGMAS, f"PRAGMA busy_timeout = {_BUSY_MS}"):
        connection.execute(pragma)


def _parts(ids: list[str]) -> list[list[str]]:
    return [ids[at : at + _BATCH] for at in range(0, len(ids), _BATCH)]
