"""What becomes of a run that an attempt does not bring to its end."""

import asyncio
import contextlib
import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import dbos
import psycopg
import pytest
import sqlalchemy as sa

from masis.conversation import ChatRun
from masis.domain import Workspace
from masis.errors import StoreUnavailable
from masis.policy import RUN_ATTEMPTS, RUN_OUTAGE_SECONDS
from storage.chat.requests import ChatRuns
from storage.documents.repository import SqlRepository
from storage.queue import last_attempts
from storage.queue.engine import DbosEngine
from storage.sql.database import Database
from storage.sql.tables import chat_runs
from tests.storage.beside import is_server
from tests.storage.handled import TENANT, Ask, Engines, Handler, asked, ended, status, until

NOW = dt.datetime.now(dt.UTC)


@pytest.fixture
async def workspace(repository: SqlRepository) -> Workspace:
    return await repository.create_workspace(TENANT.owner, "acme")


@pytest.fixture
def ask(workspace: Workspace) -> Ask:
    return partial(asked, workspace)


# --- attempts ------------------------------------------------------------------------------


async def test_failing_run_exhausts_its_attempts(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    """A run that keeps failing is given up after its attempts."""
    handler = Handler(errors=[OSError("no way")] * RUN_ATTEMPTS)
    await engine.start(handler)
    await engine.accept(ask())
    await ended(runs, "run-0", "failed")
    assert [run.attempt for run in handler.got] == [1, 2, 3, 4]
    assert handler.ended == ["run-0"]


async def test_long_outage_costs_no_run(engine: DbosEngine, runs: ChatRuns, ask: Ask) -> None:
    """An outage longer than the attempts costs no run its answer."""
    handler = Handler(errors=[StoreUnavailable("away")] * 5)
    await engine.start(handler)
    await engine.accept(ask())
    await ended(runs, "run-0")
    assert [run.attempt for run in handler.got] == [1] * 6


async def test_outage_wait_is_bounded(
    engine: DbosEngine, database: Database, runs: ChatRuns, ask: Ask
) -> None:
    """An outage is not waited for without end."""
    handler = Handler(errors=[StoreUnavailable("away")] * RUN_ATTEMPTS)
    await engine.accept(ask())
    long_ago = NOW - dt.timedelta(seconds=RUN_OUTAGE_SECONDS)
    async with database.write() as connection:
        await connection.execute(sa.update(chat_runs).values(accepted_at=long_ago))
    await engine.start(handler)
    await ended(runs, "run-0", "failed")
    assert [run.attempt for run in handler.got] == [1, 2, 3, 4]


async def test_repeatedly_interrupted_apology_is_abandoned(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    """A run whose apologies all broke off is not tried any more."""
    handler = Handler()
    await engine.accept(ask())
    await runs.mark("run-0", "running", attempt=RUN_ATTEMPTS + 7)
    await engine.start(handler)
    await ended(runs, "run-0", "failed")
    assert handler.got == []


async def test_interrupted_apology_is_repeated(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    """An apology that was broken off is made again."""
    handler = Handler()
    await engine.accept(ask())
    await runs.mark("run-0", "running", attempt=RUN_ATTEMPTS + 1)
    await engine.start(handler)
    await ended(runs, "run-0", "failed")
    assert [run.attempt for run in handler.got] == [RUN_ATTEMPTS + 2]


async def test_overlong_run_gets_last_word(engines: Engines, runs: ChatRuns, ask: Ask) -> None:
    """A run that takes too long is asked for its last word."""
    engine = await engines.open(limit_seconds=0.05)
    handler = Handler(gates={"run-0": asyncio.Event()})
    await engine.start(handler)
    await engine.accept(ask())
    await until(lambda: len(handler.got) > 1)
    handler.gates["run-0"].set()
    await ended(runs, "run-0", "failed")
    assert [run.attempt for run in handler.got] == [1, RUN_ATTEMPTS + 1]


@dataclass
class LastWordFails(Handler):
    """Fails the first time that it is asked for its last word."""

    async def __call__(self, run: ChatRun) -> None:
        if len(self.got) == 1:
            self.got.append(run)
            raise OSError("no way")
        await super().__call__(run)


async def test_failed_last_word_is_repeated(engine: DbosEngine, runs: ChatRuns, ask: Ask) -> None:
    """A cancelled run whose last word failed says it again."""
    handler = LastWordFails(gates={"run-0": asyncio.Event()}, in_step=False)
    await engine.start(handler)
    await engine.accept(ask())
    await until(lambda: handler.got != [])
    await engine.cancel("run-0", "U7")
    await ended(runs, "run-0", "cancelled")
    assert [run.cancelled_by for run in handler.got] == ["", "U7", "U7"]
    assert handler.ended == ["run-0"]


async def test_overlong_run_only_repeats_its_apology(
    engines: Engines, runs: ChatRuns, ask: Ask
) -> None:
    """A run that took too long and whose apology failed only apologises again."""
    engine = await engines.open(limit_seconds=0.2, retry_seconds=0.001)
    handler = LastWordFails(gates={"run-0": asyncio.Event()})
    await engine.start(handler)
    await engine.accept(ask())
    await until(lambda: len(handler.got) > 1)
    handler.gates["run-0"].set()
    await ended(runs, "run-0", "failed")
    last = RUN_ATTEMPTS + 1
    assert [run.attempt for run in handler.got] == [1, last, last + 1]
    assert handler.ended == ["run-0"]


async def test_handler_timeout_is_retried(engine: DbosEngine, runs: ChatRuns, ask: Ask) -> None:
    """A handler that ran out of its own time is tried again."""
    handler = Handler(errors=[TimeoutError("of a lookup")])
    await engine.start(handler)
    await engine.accept(ask())
    await ended(runs, "run-0")
    assert [run.attempt for run in handler.got] == [1, 2]


# --- pauses --------------------------------------------------------------------------------


async def pauses(engine: DbosEngine, handler: Handler, run: ChatRun, runs: ChatRuns) -> None:
    """An outage ends the run's first attempt."""
    before = len(handler.got)
    handler.errors.append(StoreUnavailable("away"))
    await engine.accept(run)
    await until(lambda: len(handler.got) > before)
    await ended(runs, run.id, "queued")


async def test_cancel_ends_the_retry_pause(engines: Engines, runs: ChatRuns, ask: Ask) -> None:
    """A cancel ends the pause before the next attempt."""
    engine = await engines.open(retry_seconds=60, heartbeat_seconds=0.05)
    beside = await engines.open()
    handler = Handler()
    await engine.start(handler)
    for number, other in enumerate((engine, beside)):
        await pauses(engine, handler, ask(number), runs)
        assert await other.cancel(f"run-{number}", "U7")
        await ended(runs, f"run-{number}", "cancelled")
    assert [run.cancelled_by for run in handler.got] == ["", "U7"] * 2


async def test_pausing_run_keeps_queue_free(engines: Engines, runs: ChatRuns, ask: Ask) -> None:
    """A run that pauses holds up nobody in the queue."""
    engine = await engines.open(retry_seconds=60, concurrency=1)
    handler = Handler()
    await engine.start(handler)
    await pauses(engine, handler, ask(0), runs)
    await engine.accept(ask(1))
    await engine.cancel("run-1", "U7")
    await ended(runs, "run-1", "cancelled")
    assert await status(runs, "run-0") == "queued"


async def test_run_pausing_at_stop_resumes(engines: Engines, runs: ChatRuns, ask: Ask) -> None:
    """A run that pauses at a stop is taken up by the next process at once."""
    engine = await engines.open(retry_seconds=60)
    handler = Handler()
    await engine.start(handler)
    await pauses(engine, handler, ask(0), runs)
    await engine.stop(0)
    await (await engines.open()).start(handler)
    await ended(runs, "run-0")
    assert [run.attempt for run in handler.got] == [1, 1]


async def test_waiting_last_attempt_hears_cancellation(
    engines: Engines, runs: ChatRuns, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A last attempt that waits for another ones hears that it is cancelled."""
    monkeypatch.setattr(last_attempts, "_ALONE_SECONDS", 60)
    engine = await engines.open(heartbeat_seconds=0.05)
    handler = Handler(gates={f"run-{number}": asyncio.Event() for number in range(2)})
    for number in range(2):
        await engine.accept(ask(number))
        await runs.mark(f"run-{number}", "queued", attempt=RUN_ATTEMPTS - 1)
    await engine.start(handler)
    await until(lambda: handler.got != [])
    [waiting] = {"run-0", "run-1"} - {handler.got[0].id}
    beside = await engines.open()
    assert await beside.cancel(waiting, "U7")
    await ended(runs, waiting, "cancelled")


# --- what the engine itself cannot write ---------------------------------------------------


@contextlib.contextmanager
def no_room(engine: DbosEngine, location: str) -> Iterator[None]:
    """No step of any workflow can be written down: the server has become a standby.

    A full disk of a server is waited for by DBOS. A file's is tried for here.
    """
    if is_server(location):
        with psycopg.connect(location, autocommit=True) as beside:
            beside.execute(
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                " $$ BEGIN RAISE EXCEPTION 'a standby' USING ERRCODE = '25006'; END $$"
            )
            beside.execute(
                "CREATE TRIGGER refuse BEFORE INSERT ON dbos.operation_outputs"
                " FOR EACH ROW EXECUTE FUNCTION refuse()"
            )
            yield
            beside.execute("DROP FUNCTION refuse() CASCADE")
        return

    pages = ["1"]  # not one more than there are

    def limit(connection: sa.Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages[0]}")

    sa.event.listen(engine._workflows._engine, "begin", limit)
    yield
    pages[0] = "1073741823"


async def test_unwritable_step_is_repeated(
    engine: DbosEngine, runs: ChatRuns, ask: Ask, location: str
) -> None:
    """A step that could not be written down is done again and fails no run."""
    tries: list[int] = []

    async def much() -> str:
        return "x" * 1_000_000

    with contextlib.ExitStack() as disk:
        disk.enter_context(no_room(engine, location))

        async def handler(run: ChatRun) -> None:
            tries.append(run.attempt)
            if len(tries) > RUN_ATTEMPTS:
                disk.close()
            await dbos.DBOS.run_step_async({"name": "much"}, much)

        await engine.accept(ask())
        await engine.start(handler)
        await ended(runs, "run-0")
    assert tries == [1] * (RUN_ATTEMPTS + 1)
