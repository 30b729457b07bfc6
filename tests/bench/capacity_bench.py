"""What a run takes of a PostgreSQL and of a worker, for the arithmetic of docs/operating.md.

Run it with `python -m tests.bench.capacity_bench` (about a minute of two idle cores). The agents
answer at once and Slack is not there: what is counted is the engine, the graph, and what is kept.
The server is the one of the tests; it writes no full pages and no more log than it needs.
"""

import asyncio
import logging
import time
import timeit
from dataclasses import dataclass
from typing import Final

import psutil
import sqlalchemy as sa
from structlog.contextvars import bound_contextvars

from bot.observability.spans import span
from tests.bench import durable_bench as durable

RUNS: Final = 180
WIDTH: Final = 20
IDLE_SECONDS: Final = 10.0
SPANS: Final = 20_000
LOOKS: Final = """
SELECT (SELECT sum(xact_commit) FROM pg_stat_database) AS commits,
       pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS log,
       pg_database_size(current_database()) AS bytes,
       (SELECT count(*) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()) AS connections
"""


@dataclass(frozen=True)
class Look:
    """How a server and a worker stand at a moment."""

    at: float
    commits: int
    log: int
    bytes: int
    connections: int
    cpu: float
    memory: int


def main() -> None:
    """Measure, and print a table."""
    logging.basicConfig(level=logging.CRITICAL)
    print("| | |\n|---|---|")
    with (
        durable._prepared("postgres", "masis") as url,
        durable._workers("masis", url, 1, WIDTH, 0) as [worker],
    ):
        engine, process = sa.create_engine(url), psutil.Process(worker.pid)
        time.sleep(3.0)
        idle = _look(engine, process)
        time.sleep(IDLE_SECONDS)
        before = _look(engine, process)
        asyncio.run(durable._queue_masis(url, RUNS))
        durable._until(url, "masis", RUNS)
        after = _look(engine, process)
        engine.dispose()
    _show_idle(idle, before)
    _show_runs(idle, before, after)
    _show_spans()


def _show_idle(first: Look, then: Look) -> None:
    seconds = then.at - first.at
    print(
        f"| an idle worker: transactions a second | {(then.commits - first.commits) / seconds:.1f} |"
    )
    print(f"| its share of a core | {(then.cpu - first.cpu) / seconds:.1%} |")
    print(f"| its connections | {then.connections} |")
    print(f"| its memory, without the embedder and Slack, MB | {then.memory / 2**20:.0f} |")


def _show_runs(idle: Look, before: Look, after: Look) -> None:
    quiet = (before.commits - idle.commits) / (before.at - idle.at)
    own = after.commits - before.commits - quiet * (after.at - before.at)
    print(f"| a run: transactions | {own / RUNS:.1f} |")
    print(f"| log, kB | {(after.log - before.log) / RUNS / 1000:.1f} |")
    print(f"| kept, with indexes, kB | {(after.bytes - before.bytes) / RUNS / 1000:.1f} |")
    print(f"| worker's processor time, ms | {(after.cpu - before.cpu) / RUNS * 1000:.0f} |")
    print(f"| connections of a worker at work | {after.connections} |")


def _show_spans() -> None:
    """What a span costs where no SDK is set up; the ids are bound for the log in any case."""

    def spanned() -> None:
        with span("node"):
            pass

    with bound_contextvars(run="r", team="t", workspace="w"):
        each = min(timeit.repeat(spanned, number=SPANS, repeat=5)) / SPANS
    print(f"| a span without an SDK, microseconds | {each * 1e6:.1f} |")


def _look(engine: sa.Engine, process: psutil.Process) -> Look:
    # A server's sessions report what they did within a second.
    time.sleep(1.5)
    with engine.connect() as connection:
        found = connection.execute(sa.text(LOOKS)).one()
    times = process.cpu_times()
    return Look(
        at=time.monotonic(),
        commits=int(found.commits),
        log=int(found.log),
        bytes=int(found.bytes),
        connections=int(found.connections),
        cpu=times.user + times.system,
        memory=process.memory_info().rss,
    )


if __name__ == "__main__":
    main()
