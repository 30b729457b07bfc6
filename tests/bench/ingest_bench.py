"""How much of an ingestion is the embedder's work, in chunks a second and in processor time.

Run it with `python -m tests.bench.ingest_bench` (about eight minutes of two busy cores). Small groups
of files are ingested in turn with the embedder alone on the same chunks, so that other work on the
machine weighs on both alike. Parsing happens in a process of its own and is told apart, as are the
durable writes: the database's threads, and the points that are handed to the vector engine. The development data beside the checkout is measured too where it is there.
"""

import argparse
import asyncio
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, Self
from unittest.mock import patch

import psutil

from masis.documents.ingestion import Source
from masis.ports import Point
from storage.vectors.embedded_store import EdgeVectorStore
from tests.bench.speed_bench import HANDBOOK, SAMPLE, Bench, opened, texts, told

REPORTS: Final = HANDBOOK.parent / "sec-10q"
GROUP_FILES: Final = 8
"""Each group begins and ends with an embedder that has nothing to do: a whole folder does better."""
TARGET: Final = 0.95
SETS: Final[dict[str, tuple[Path, int]]] = {
    "sample": (SAMPLE, 1),
    "demo-workspace, every eighth file": (HANDBOOK, 8),
    "sec-10q, every sixth file": (REPORTS, 6),
}

EMBEDDER: Final = "minilm"
DATABASE: Final = ("masis-database", "Thread-")
"""How the threads of the embedder and of the database are named."""

File = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class Moment:
    """Seconds: on the clock, of this process's processors, of its parsing children's.

    `beside` is of `own` what Python's threads other than the embedder's took; what is left is the
    embedder's, whose model has threads of its own. `database` is of `beside` that of the database.
    """

    clock: float
    own: float
    parsing: float
    beside: float = 0.0
    database: float = 0.0

    @classmethod
    def now(cls) -> Self:
        """What was spent so far. A child that ended counts from then on with what it had spent."""
        process = psutil.Process()
        spent, ended = 0.0, process.cpu_times()
        for child in process.children():
            times = child.cpu_times()
            spent += times.user + times.system
        parsing = spent + ended.children_user + ended.children_system
        spent_by = _by_thread(process)
        return cls(
            time.perf_counter(),
            time.process_time(),
            parsing,
            sum(each for name, each in spent_by if not name.startswith(EMBEDDER)),
            sum(each for name, each in spent_by if name.startswith(DATABASE)),
        )

    def since(self, before: "Moment") -> "Moment":
        """What was spent between the two."""
        return Moment(
            self.clock - before.clock,
            self.own - before.own,
            self.parsing - before.parsing,
            self.beside - before.beside,
            self.database - before.database,
        )


def _by_thread(process: psutil.Process) -> list[tuple[str, float]]:
    """Processor seconds of each of Python's threads, by its name."""
    names = {thread.native_id: thread.name for thread in threading.enumerate()}
    return [
        (names[thread.id], thread.user_time + thread.system_time)
        for thread in process.threads()
        if thread.id in names
    ]


@contextmanager
def _handing_over(spent: list[float]) -> Iterator[None]:
    """Count the processor seconds of handing points to the engine, which writes them to its log."""
    upsert = EdgeVectorStore._upsert

    def counted(store: EdgeVectorStore, points: Sequence[Point]) -> None:
        begun = time.thread_time()
        upsert(store, points)
        spent.append(time.thread_time() - begun)

    with patch.object(EdgeVectorStore, "_upsert", counted):
        yield


@dataclass(slots=True)
class Group:
    """What a few files took: the embedder alone, and the whole ingestion."""

    chunks: int
    alone: Moment
    whole: Moment
    embedding: float
    handing_over: float
    phases: Counter[str] = field(default_factory=Counter)


async def measured(bench: Bench, name: str, files: Sequence[File]) -> Group:
    """Half of the chunks embedded alone, the files ingested, the other half embedded alone."""
    app, embedder = bench.app, bench.app.embedder
    assert embedder is not None
    workspace = await app.repository.create_workspace(app.owner, name)
    batches = list(texts(files))
    sources = [Source(file, partial(bytes, content)) for file, content in files]
    moments, phases = [Moment.now()], Counter[str]()
    for batch in batches[::2]:
        await embedder.embed(batch)
    moments.append(Moment.now())
    busy = -bench.embedding.seconds
    handing_over: list[float] = []
    with _handing_over(handing_over):
        async for result in app.ingest.ingest_many(workspace, sources):
            assert result.status == "added", result
            phases.update(dict(result.seconds))
    busy += bench.embedding.seconds
    moments.append(Moment.now())
    for batch in batches[1::2]:
        await embedder.embed(batch)
    moments.append(Moment.now())
    before, whole, after = (moments[at + 1].since(moments[at]) for at in range(3))
    alone = Moment(before.clock + after.clock, before.own + after.own, 0.0)
    return Group(sum(map(len, batches)), alone, whole, busy, sum(handing_over), phases)


def groups(root: Path, every: int) -> Iterator[list[File]]:
    """The files of a collection, a few at a time."""
    docs = root / "docs"
    paths = sorted(path for path in docs.rglob("*") if path.is_file())[::every]
    for start in range(0, len(paths), GROUP_FILES):
        chosen = paths[start : start + GROUP_FILES]
        yield [(path.relative_to(docs).as_posix(), path.read_bytes()) for path in chosen]


def report(name: str, found: Sequence[Group]) -> None:
    """Print what all groups of a collection took."""

    def total(part: Callable[[Group], float]) -> float:
        return sum(part(group) for group in found)

    chunks, clock = total(lambda group: group.chunks), total(lambda group: group.whole.clock)
    alone, own = total(lambda group: group.alone.own), total(lambda group: group.whole.own)
    print(f"\n{name}: {chunks:.0f} chunks, {chunks / clock:.1f} a second, alone", end=" ")
    print(f"{chunks / total(lambda group: group.alone.clock):.1f}")
    ratios = [group.alone.clock / group.whole.clock for group in found]
    beside = total(lambda group: group.whole.beside)
    durable = total(lambda group: group.whole.database + group.handing_over)
    for what, value in {
        "embedder alone / whole, by the clock": total(lambda group: group.alone.clock) / clock,
        "the same, median of the groups": statistics.median(ratios),
        "by processor time, parsing apart": alone / own,
        "embedder within the whole / whole, the same": (own - beside) / own,
        "the same, durable writes apart": (own - beside) / (own - durable),
    }.items():
        told(what, value, f"at least {TARGET}", reached=value >= TARGET)
    print(f"  the embedder was at work in {total(lambda group: group.embedding) / clock:.1%}")
    parsing = total(lambda group: group.whole.parsing)
    print(f"  parsing took {parsing / alone:.1%} of the embedder's processor time, and other work")
    print(
        f"  of this process {own / alone - 1:.1%}; a chunk {(own - alone) / chunks * 1000:.2f} ms"
    )
    print(f"  durable writes took {durable / own:.1%} of this process's processor time")
    for phase in ("chunk", "write"):
        share = total(lambda group, phase=phase: group.phases[phase]) / clock  # type: ignore[misc]
        print(f"  {phase}: under way in {share:.1%} of the time, beside the embedder")


async def main(rounds: int, only: str) -> None:
    """Measure each collection whose name begins so, group by group."""
    for name, (root, every) in SETS.items():
        if not name.startswith(only):
            continue
        if not root.is_dir():
            print(f"{name} is skipped: the development data is not beside the checkout")
            continue
        with tempfile.TemporaryDirectory() as temporary:
            async with opened(Path(temporary)) as bench:
                warm = [("warm.md", b"# Warm\n\nThe model is loaded with its first text.\n")]
                await measured(bench, "warm", warm)
                found = [
                    await measured(bench, f"{turn} {number}", files)
                    for turn in range(rounds)
                    for number, files in enumerate(groups(root, every))
                ]
        report(name, found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1, help="how often each file is ingested")
    parser.add_argument("--only", default="", help="how the collection's name begins")
    given = parser.parse_args()
    asyncio.run(main(given.rounds, given.only))
