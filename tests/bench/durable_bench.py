"""What durable runs cost, beside the bare engine that they stand on, in one run.

Run it with `python -m tests.bench.durable_bench` (about eight minutes of two idle cores; `--quick`
only shows that all of it runs, `--only PART` is one part). Accept, overhead and throughput
do the same with DBOS alone (workflows whose steps do nothing but wait) and with MASIS (the research
graph, each node a step, its agents scripted to wait as long). PostgreSQL is the one of the tests,
which does not wait for its disk; SQLite does.
"""

import argparse
import asyncio
import contextlib
import logging
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import sqlalchemy as sa
from dbos import DBOS, DBOSClient, DBOSConfig, DBOSPortableJSONSerializer, EnqueueOptions

from masis.assistant import Assistant
from masis.conversation import ChatRun
from masis.domain import CitationAudit, Critique, EvidenceChunk, Question
from masis.graphs.research.agents import Audit, Draft, Judgement
from masis.graphs.research.graph import RESEARCH
from storage.chat import requests
from storage.documents.repository import SqlRepository
from storage.durable import workflows
from storage.durable.durable_steps import durable
from storage.queue.engine import DbosEngine
from storage.queue.executors import TTL_SECONDS
from storage.sql import workflow_tables
from storage.sql.database import Database
from tests.postgres import fresh_database
from tests.scripted_agents import ScriptedCritic, ScriptedEvaluator, ScriptedSynthesizer, research
from tests.storage.durable_run import QUESTION, TENANT, Asking, stocked

Kind = Literal["bare", "masis"]


@dataclass(frozen=True)
class Sizes:
    """How much of everything.

    Args:
        accepts: requests that are stored and queued, one after the other.
        idle_runs: runs that wait for nothing, for the overhead of one.
        rounds: how often each place of a worker is used.
        workers: how many there are, one figure each.
        kills: for the time to recover.
    """

    accepts: int = 300
    idle_runs: int = 180
    rounds: int = 5
    workers: tuple[int, ...] = (1, 2, 4)
    kills: int = 5


QUICK: Final = Sizes(accepts=20, idle_runs=20, rounds=1, workers=(1, 2), kills=1)
IDLE_WIDTH: Final = 20
WIDTH: Final = 4
"""Runs at a time in a worker: so few that two cores are not what holds four workers up."""
CALL_SECONDS: Final = 1.0
BARE_STEPS: Final = (0, 1, 1, 1, 0)
"""What the steps of a bare workflow wait, in calls: a run has a search, three calls and an end."""
TARGET_GROWTH: Final = 0.9
"""Of the bare engine's own growth with more workers, in the same run."""
RECOVERY_SECONDS: Final = TTL_SECONDS + 6
"""From a kill -9 to the answer, at most."""
POLL_SECONDS: Final = 0.2
"""The product's own."""
GIVE_UP_SECONDS: Final = 240.0
LOOK_SECONDS: Final = 0.02

WORKSPACES: Final = 10

_QUEUE: Final = "bare"


def main() -> None:
    """Measure, and print tables; as `--worker` be one of the processes that work."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worker", nargs=4, metavar=("KIND", "URL", "WIDTH", "SECONDS"))
    parser.add_argument("--only", choices=sorted(_PARTS))
    parser.add_argument("--quick", action="store_true", help="little of everything")
    chosen = parser.parse_args()
    logging.basicConfig(level=logging.CRITICAL)
    if chosen.worker:
        kind, url, width, seconds = chosen.worker
        work = _bare_worker if kind == "bare" else _masis_worker
        asyncio.run(work(url, int(width), float(seconds)))
        return
    for name, part in _PARTS.items():
        if chosen.only in {None, name}:
            part(QUICK if chosen.quick else Sizes())


# --- the parts -----------------------------------------------------------------------------


def accept(sizes: Sizes) -> None:
    """Print how long a request takes to be stored and queued, one after the other."""
    print(f"\nAccept, {sizes.accepts} one after the other, ms\n\n| | p50 | p99 |\n|---|---|---|")
    for place in ("sqlite", "postgres"):
        for kind, accepted in (("bare", _bare_accepts), ("masis", _masis_accepts)):
            with _database(place) as url:
                times = asyncio.run(accepted(url, sizes.accepts))
            print(f"| {place}, {kind} | {_ms(times, 50)} | {_ms(times, 99)} |", flush=True)


def overhead(sizes: Sizes) -> None:
    """Print what a run costs whose agents answer at once."""
    print(
        f"\nA run without waits, ms ({sizes.idle_runs} of them, {IDLE_WIDTH} at a time, one worker)\n\n"
        "| | bare | masis | the graph without an engine |\n|---|---|---|---|"
    )
    for place in ("sqlite", "postgres"):
        shown = [f"{1000 / _idle(place, kind, sizes.idle_runs):.1f}" for kind in _KINDS]
        with _database(place) as url:
            shown.append(f"{asyncio.run(_graph_alone(url, sizes.idle_runs)) * 1000:.1f}")
        print(f"| {place} | {' | '.join(shown)} |", flush=True)


def throughput(sizes: Sizes) -> None:
    """Print runs a second with calls of a second, at one, two and four workers."""
    print(
        f"\nRuns a second, three calls of {CALL_SECONDS:.0f} s each, {WIDTH} runs at a time in a"
        " worker, PostgreSQL\n\n| workers | bare | masis | masis to bare | its growth to bare's own"
        f" (target {TARGET_GROWTH:.0%}) |\n|---|---|---|---|---|"
    )
    first: dict[Kind, float] = {}
    for count in sizes.workers:
        runs = count * WIDTH * sizes.rounds
        rates = {
            kind: _throughput(
                "postgres", kind, workers=count, width=WIDTH, seconds=CALL_SECONDS, runs=runs
            )
            for kind in _KINDS
        }
        first = first or rates
        grown = {kind: rates[kind] / first[kind] for kind in _KINDS}
        shown = [f"{rates[kind]:.2f} (x {grown[kind]:.2f})" for kind in _KINDS]
        shown += [f"{rates['masis'] / rates['bare']:.0%}", f"{grown['masis'] / grown['bare']:.0%}"]
        print(f"| {count} | {' | '.join(shown)} |", flush=True)


def recovery(sizes: Sizes) -> None:
    """Print how long after a kill -9 the runs of the dead have their answers."""
    print(
        f"\nFrom a kill -9 of one of two workers, each with {WIDTH} runs in the middle of three calls"
        f" of {CALL_SECONDS:.0f} s, to the answers of its runs, s (target {RECOVERY_SECONDS:.0f}: a"
        f" beat's time to live of {TTL_SECONDS:.0f} and 6)\n\n"
        "| kill | taken over | first answer | last answer | |\n|---|---|---|---|---|"
    )
    for number in range(1, sizes.kills + 1):
        taken = _recovery()
        verdict = "ok" if taken[-1] < RECOVERY_SECONDS else "**too late**"
        cells = " | ".join(f"{seconds:.1f}" for seconds in taken)
        print(f"| {number} | {cells} | {verdict} |", flush=True)


def memory(_: Sizes) -> None:
    """Print what idle processes of the program weigh."""
    # Here, since its parts are imported by nobody else here, and weigh as much as the others do.
    from tests.bench import idle_memory  # noqa: PLC0415

    idle_memory.show()


_KINDS: Final[tuple[Kind, ...]] = ("bare", "masis")
_PARTS: Final[dict[str, Callable[[Sizes], None]]] = {
    "accept": accept,
    "overhead": overhead,
    "throughput": throughput,
    "recovery": recovery,
    "memory": memory,
}


def _idle(place: str, kind: Kind, runs: int) -> float:
    """Runs a second of such that wait for nothing."""
    return _throughput(place, kind, workers=1, width=IDLE_WIDTH, seconds=0, runs=runs)


def _throughput(
    place: str, kind: Kind, *, workers: int, width: int, seconds: float, runs: int
) -> float:
    """Runs a second, from the first in the queue to the end of the last."""
    with _prepared(place, kind) as url, _workers(kind, url, workers, width, seconds):
        began = time.monotonic()
        asyncio.run(_QUEUED[kind](url, runs))
        _until(url, kind, runs)
        return runs / (time.monotonic() - began)


def _recovery() -> tuple[float, float, float]:
    """Kill one of two workers in the middle of its runs; seconds to what became of them."""
    with (
        _prepared("postgres", "masis") as url,
        _workers("masis", url, 1, WIDTH, CALL_SECONDS) as [victim],
        contextlib.closing(_Look(url)) as look,
    ):
        [dead] = look.executors()
        with _workers("masis", url, 1, WIDTH, CALL_SECONDS):
            asyncio.run(_queue_masis(url, 2 * WIDTH))
            _wait_for(lambda: len(look.owned()) == 2 * WIDTH)
            time.sleep(CALL_SECONDS)
            orphans = {run for run, owner in look.owned().items() if owner == dead}
            victim.kill()
            began = time.monotonic()
            _wait_for(lambda: dead not in look.owned().values())
            taken_over = time.monotonic() - began
            _wait_for(lambda: orphans & look.answered())
            first = time.monotonic() - began
            _wait_for(lambda: orphans <= look.answered())
            return taken_over, first, time.monotonic() - began


class _Look:
    """What a database says of workers and runs."""

    def __init__(self, url: str) -> None:
        self._engine = sa.create_engine(url)

    def close(self) -> None:
        self._engine.dispose()

    def executors(self) -> list[str]:
        """The processes at work."""
        return [row.id for row in self._rows("SELECT id FROM executors")]

    def owned(self) -> dict[str, str]:
        """By run at work its process."""
        query = "SELECT workflow_uuid, executor_id FROM dbos.workflow_status WHERE status='PENDING'"
        return {row.workflow_uuid: row.executor_id for row in self._rows(query)}

    def answered(self) -> set[str]:
        """Runs that ended well."""
        return {row.id for row in self._rows("SELECT id FROM chat_runs WHERE status='finished'")}

    def _rows(self, query: str) -> Sequence[sa.Row[Any]]:
        with self._engine.connect() as connection:
            return connection.execute(sa.text(query)).all()


# --- databases and processes ---------------------------------------------------------------


@contextlib.contextmanager
def _database(place: str) -> Iterator[str]:
    """The address of a fresh database of that kind, with all tables."""
    if place == "postgres":
        with fresh_database() as url:
            yield (
                sa.make_url(url)
                .set(drivername="postgresql+psycopg")
                .render_as_string(hide_password=False)
            )
        return
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/masis.db"
        asyncio.run(_made(url))
        yield url


@contextlib.contextmanager
def _prepared(place: str, kind: Kind) -> Iterator[str]:
    """A database with what the runs ask for."""
    with _database(place) as url:
        if kind == "masis":
            asyncio.run(_stock(url))
        yield url


async def _made(url: str) -> None:
    database = await Database.open(url)
    await database.close()
    workflow_tables.migrate(sa.make_url(url))


@contextlib.contextmanager
def _workers(
    kind: Kind, url: str, count: int, width: int, seconds: float
) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that work, once all of them are ready; ended with the block."""
    own = [sys.executable, "-m", "tests.bench.durable_bench", "--worker"]
    told = [kind, url, str(width), str(seconds)]
    started: list[subprocess.Popen[str]] = []
    try:
        for _ in range(count):
            process = subprocess.Popen(  # noqa: S603 - our own program
                [*own, *told], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            started.append(process)
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == "ready"
        yield started
    finally:
        for process in started:
            process.kill()
            process.communicate()


async def _told_to_end() -> None:
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)  # whoever measured is gone, and the database with it: there is nothing to close


def _until(url: str, kind: Kind, runs: int) -> None:
    """Wait until so many have ended well."""
    engine = sa.create_engine(url)
    own = "dbos.workflow_status" if engine.dialect.name == "postgresql" else "workflow_status"
    table, status = (own, "SUCCESS") if kind == "bare" else ("chat_runs", "finished")
    query = sa.text(f"SELECT count(*) FROM {table} WHERE status = '{status}'")  # noqa: S608 - both are ours

    def ended() -> bool:
        with engine.connect() as connection:
            return bool(connection.scalar(query) == runs)

    _wait_for(ended)
    engine.dispose()


def _wait_for(happened: Callable[[], object]) -> None:
    give_up = time.monotonic() + GIVE_UP_SECONDS
    while not happened():
        assert time.monotonic() < give_up, "the runs did not get there"
        time.sleep(LOOK_SECONDS)


def _ms(times: Sequence[float], percent: int) -> str:
    return f"{statistics.quantiles(times, n=100)[percent - 1] * 1000:.1f}"


# --- DBOS alone ----------------------------------------------------------------------------


def _bare_client(url: str) -> tuple[DBOSClient, sa.Engine]:
    engine = workflows._engine(sa.make_url(url))
    client = DBOSClient(
        system_database_engine=engine, serializer=DBOSPortableJSONSerializer(), lazy=True
    )
    return client, engine


def _enqueue(client: DBOSClient, connection: sa.Connection) -> None:
    """What everybody has who queues a request with a row of their own."""
    name = uuid.uuid4().hex
    options: EnqueueOptions = {
        "workflow_name": "bare",
        "queue_name": _QUEUE,
        "workflow_id": name,
    }
    connection.execute(sa.text("INSERT INTO bare (id) VALUES (:id)"), {"id": name})
    client.enqueue_in_transaction(connection, options, name)


async def _bare_accepts(url: str, accepts: int) -> list[float]:
    client, engine = _bare_client(url)
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE bare (id TEXT PRIMARY KEY)"))
    times: list[float] = []
    for _ in range(accepts):
        began = time.perf_counter()
        with engine.begin() as connection:
            _enqueue(client, connection)
        times.append(time.perf_counter() - began)
    engine.dispose()
    return times


async def _queue_bare(url: str, runs: int) -> None:
    client, engine = _bare_client(url)
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE bare (id TEXT PRIMARY KEY)"))
        for _ in range(runs):
            _enqueue(client, connection)
    engine.dispose()


async def _bare_worker(url: str, width: int, seconds: float) -> None:
    engine = workflows._engine(sa.make_url(url))
    config: DBOSConfig = {
        "name": "bare",
        "system_database_url": url,
        "system_database_engine": engine,
        "serializer": DBOSPortableJSONSerializer(),
        "application_version": "1",
        "executor_id": uuid.uuid4().hex,
        "run_migrations": False,
        "use_listen_notify": False,
        "enable_otlp": False,
        "log_level": "CRITICAL",
    }
    DBOS(config=config)

    async def step(wait: float) -> None:
        await asyncio.sleep(wait)

    async def bare(_: str) -> None:
        for number, calls in enumerate(BARE_STEPS):
            await DBOS.run_step_async({"name": f"step {number}"}, step, calls * seconds)

    DBOS.workflow(name="bare")(bare)
    DBOS.launch()
    await DBOS.register_queue_async(
        _QUEUE, worker_concurrency=width, polling_interval_sec=POLL_SECONDS
    )
    await _told_to_end()


# --- MASIS ---------------------------------------------------------------------------------


async def _request(repository: SqlRepository, number: int) -> ChatRun:
    """Somebody else's question each time, so that no quota is in the way."""
    workspace = await repository.create_workspace(TENANT.owner, f"handbook-{number % WORKSPACES}")
    return ChatRun(
        id=str(uuid.uuid4()),
        graph=RESEARCH.name,
        tenant=TENANT,
        channel=f"C{number}",
        asker=f"U{number}",
        question=QUESTION,
        query=QUESTION,
        workspace_id=workspace.id,
    )


async def _masis_accepts(url: str, accepts: int) -> list[float]:
    database = await Database.open(url)
    engine = await DbosEngine.open(database)
    repository, times = SqlRepository(database), list[float]()
    for number in range(accepts):
        run = await _request(repository, number)
        began = time.perf_counter()
        acceptance = await engine.accept(run)
        times.append(time.perf_counter() - began)
        assert acceptance.state == "accepted", acceptance
        # So that the queue does not grow beyond what it takes.
        await requests.ChatRuns(database).mark(run.id, "finished")
    await engine.stop()
    await database.close()
    return times


async def _queue_masis(url: str, runs: int) -> None:
    database = await Database.open(url)
    # How long an acceptance takes is measured elsewhere.
    engine = await DbosEngine.open(database, accept_seconds=GIVE_UP_SECONDS)
    repository = SqlRepository(database)
    wanted = [await _request(repository, number) for number in range(runs)]
    for acceptance in await asyncio.gather(*map(engine.accept, wanted)):
        assert acceptance.state == "accepted", acceptance
    await engine.stop()
    await database.close()


async def _stock(url: str) -> None:
    """Put a document into each workspace."""
    database = await Database.open(url)
    for number in range(WORKSPACES):
        await stocked(SqlRepository(database), f"handbook-{number}")
    await database.close()


async def _masis_worker(url: str, width: int, seconds: float) -> None:
    database = await Database.open(url)
    asking = await _everywhere(database, seconds)
    engine = await DbosEngine.open(database, concurrency=width, poll_seconds=POLL_SECONDS)
    await engine.start(asking)
    await _told_to_end()


async def _graph_alone(url: str, runs: int) -> float:
    """Seconds a run takes that is asked without an engine; its trail is stored all the same."""
    await _stock(url)
    database = await Database.open(url)
    asking = await _everywhere(database, 0, durably=False)
    wanted = [await _request(SqlRepository(database), number) for number in range(runs)]
    began = time.perf_counter()
    for start in range(0, runs, IDLE_WIDTH):
        await asyncio.gather(*map(asking, wanted[start : start + IDLE_WIDTH]))
    taken = time.perf_counter() - began
    await database.close()
    return taken / runs


async def _everywhere(
    database: Database, seconds: float, *, durably: bool = True
) -> Callable[[ChatRun], Awaitable[None]]:
    """Asks each run's own workspace, of agents that take so long."""
    repository = SqlRepository(database)
    workspaces = {each.id: each for each in await repository.workspaces(TENANT.owner)}
    asking = {key: Asking(repository, each) for key, each in workspaces.items()}
    for each in asking.values():
        each.cast.synthesizer = _SlowWriter(seconds)
        each.cast.critic = _SlowCritic(seconds)
        each.cast.evaluator = _SlowJudge(seconds)
        wrap = durable(RESEARCH, repository) if durably else None
        graphs = research(each.cast.context(), wrap)
        each.assistant = Assistant(repository=repository, graphs=graphs)

    async def ask(run: ChatRun) -> None:
        await asking[run.workspace_id](run)

    return ask


class _SlowWriter(ScriptedSynthesizer):
    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds

    async def draft(
        self, question: Question, evidence: Sequence[EvidenceChunk], critique: Critique | None
    ) -> Draft:
        await asyncio.sleep(self._seconds)
        return await super().draft(question, evidence, critique)


class _SlowCritic(ScriptedCritic):
    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds

    async def audit(
        self,
        question: Question,
        draft: str,
        evidence: Sequence[EvidenceChunk],
        passed_over: Sequence[EvidenceChunk],
    ) -> Audit:
        await asyncio.sleep(self._seconds)
        return await super().audit(question, draft, evidence, passed_over)


class _SlowJudge(ScriptedEvaluator):
    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds

    async def score(
        self,
        question: Question,
        answer: str,
        evidence: Sequence[EvidenceChunk],
        audit: CitationAudit,
        critique: Critique,
    ) -> Judgement:
        await asyncio.sleep(self._seconds)
        return await super().score(question, answer, evidence, audit, critique)


_QUEUED: Final[dict[Kind, Callable[[str, int], Coroutine[Any, Any, None]]]] = {
    "bare": _queue_bare,
    "masis": _queue_masis,
}

if __name__ == "__main__":
    main()
