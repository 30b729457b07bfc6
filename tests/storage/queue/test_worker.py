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


async def test_a_run_that_keeps_failing_is_given_up_after_its_attempts(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    handler = Handler(errors=[OSError("no way")] * RUN_ATTEMPTS)
    await engine.start(handler)
    await engine.accept(ask())
    await ended(runs, "run-0", "failed")
    assert [run.attempt for run in handler.got] == [1, 2, 3, 4]
    assert handler.ended == ["run-0"]


async def test_an_outage_longer_than_the_attempts_costs_no_run_its_answer(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    handler = Handler(errors=[StoreUnavailable("away")] * 5)
    await engine.start(handler)
    await engine.accept(ask())
    await ended(runs, "run-0")
    assert [run.attempt for run in handler.got] == [1] * 6


async def test_an_outage_is_not_waited_for_without_end(
    engine: DbosEngine, database: Database, runs: ChatRuns, ask: Ask
) -> None:
    handler = Handler(errors=[StoreUnavailable("away")] * RUN_ATTEMPTS)
    await engine.accept(ask())
    long_ago = NOW - dt.timedelta(seconds=RUN_OUTAGE_SECONDS)
    async with database.write() as connection:
        await connection.execute(sa.update(chat_runs).values(accepted_at=long_ago))
    await engine.start(handler)
    await ended(runs, "run-0", "failed")
    assert [run.attempt for run in handler.got] == [1, 2, 3, 4]


async def test_a_run_whose_apologies_all_broke_off_is_not_tried_any_more(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    handler = Handler()
    await engine.accept(ask())
    await runs.mark("run-0", "running", attempt=RUN_ATTEMPTS + 7)
    await engine.start(handler)
    await ended(runs, "run-0", "failed")
    assert handler.got == []


async def test_an_apology_that_was_broken_off_is_made_again(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    handler = Handler()
    await engine.accept(ask())
    await runs.mark("run-0", "running", attempt=RUN_ATTEMPTS + 1)
    await engine.start(handler)
    await ended(runs, "run-0", "failed")
    assert [run.attempt for run in handler.got] == [RUN_ATTEMPTS + 2]


async def test_a_run_that_takes_too_long_is_asked_for_its_last_word(
    engines: Engines, runs: ChatRuns, ask: Ask
) -> None:
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


async def test_a_cancelled_run_whose_last_word_failed_says_it_again(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    handler = LastWordFails(gates={"run-0": asyncio.Event()}, in_step=False)
    await engine.start(handler)
    await engine.accept(ask())
    await until(lambda: handler.got != [])
    await engine.cancel("run-0", "U7")
    await ended(runs, "run-0", "cancelled")
    assert [run.cancelled_by for run in handler.got] == ["", "U7", "U7"]
    assert handler.ended == ["run-0"]


async def test_a_run_that_took_too_long_and_whose_apology_failed_only_apologises_again(
    engines: Engines, runs: ChatRuns, ask: Ask
) -> None:
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


async def test_a_handler_that_ran_out_of_its_own_time_is_tried_again(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
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


async def test_a_cancel_ends_the_pause_before_the_next_attempt(
    engines: Engines, runs: ChatRuns, ask: Ask
) -> None:
    engine = await engines.open(retry_seconds=60, heartbeat_seconds=0.05)
    beside = await engines.open()
    handler = Handler()
    await engine.start(handler)
    for number, other in enumerate((engine, beside)):
        await pauses(engine, handler, ask(number), runs)
        assert await other.cancel(f"run-{number}", "U7")
        await ended(runs, f"run-{number}", "cancelled")
    assert [run.cancelled_by for run in handler.got] == ["", "U7"] * 2


async def test_a_run_that_pauses_holds_up_nobody_in_the_queue(
    engines: Engines, runs: ChatRuns, ask: Ask
) -> None:
    engine = await engines.open(retry_seconds=60, concurrency=1)
    handler = Handler()
    await engine.start(handler)
    await pauses(engine, handler, ask(0), runs)
    await engine.accept(ask(1))
    await engine.cancel("run-1", "U7")
    await ended(runs, "run-1", "cancelled")
    assert await status(runs, "run-0") == "queued"


async def test_a_run_that_pauses_at_a_stop_is_taken_up_by_the_next_process_at_once(
    engines: Engines, runs: ChatRuns, ask: Ask
) -> None:
    engine = await engines.open(retry_seconds=60)
    handler = Handler()
    await engine.start(handler)
    await pauses(engine, handler, ask(0), runs)
    await engine.stop(0)
    await (await engines.open()).start(handler)
    await ended(runs, "run-0")
    assert [run.attempt for run in handler.got] == [1, 1]


async def test_a_last_attempt_that_waits_for_another_ones_hears_that_it_is_cancelled(
    engines: Engines, runs: ChatRuns, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
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


async def test_a_step_that_could_not_be_written_down_is_done_again_and_fails_no_run(
    engine: DbosEngine, runs: ChatRuns, ask: Ask, location: str
) -> None:
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
