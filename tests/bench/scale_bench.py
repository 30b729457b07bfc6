"""How long a search takes in a large store, beside the engine's own search in the same run.

Run it with `python -m tests.bench.scale_bench` (10,000 and 100,000 chunks; ten minutes of a busy
core), or with the sizes to measure. The vectors are random unit vectors around 200 centres and the
terms are drawn by Zipf's law: fine for how long a search takes, and for nothing else. What a search
finds is measured by `tests.bench.retrieval_bench` on real texts.
"""

import argparse
import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

import numpy as np
import qdrant_edge as edge
from numpy.typing import NDArray

from masis.domain import Chunk, EmbeddingProfile, ParsedDocument, Place, Workspace
from masis.ports import Point, SparseVector, Vectors
from masis.retrieval.search import POOL, Retrieval
from masis.text.lexical import sparse_query, term_id, terms
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from storage.vectors.embedded_store import EdgeVectorStore, EdgeVectorStores
from storage.vectors.points import BRANCH_LIMIT, DENSE, SPARSE, sparse_lists

SIZES: Final = (10_000, 100_000)
TENANTS: Final = (1, 50)
QUERIES: Final = 200
TARGET: Final = 1.3
"""Our store call beside the engine's own."""

DIMENSION: Final = 384
CENTRES: Final = 200
SPREAD: Final = 1.5
"""Noise beside a centre: the cosine of two chunks of one centre is about 0.3, as of like texts."""
VOCABULARY: Final = 50_000
CHUNK_WORDS: Final = 80
QUESTION_WORDS: Final = 8
DOCUMENT_CHUNKS: Final = 1_000
HIDDEN: Final = 3
"""Versions that are not visible, as while three documents are being replaced."""

PROFILE: Final = EmbeddingProfile(
    name="bench", model="none", dimension=DIMENSION, version="1", calibration=[(0, 0), (1, 1)]
)


# --- what is stored -------------------------------------------------------------------------


class Texts:
    """Random chunks and questions, the same in every run."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(0)
        self._centres = self._random.standard_normal((CENTRES, DIMENSION)).astype(np.float32)
        self.words = [_word(number) for number in range(VOCABULARY)]
        self._ids = [term_id(terms(word)[0]) for word in self.words]
        shares = 1 / np.arange(1, VOCABULARY + 1)
        self._cumulated = np.cumsum(shares / shares.sum())

    def vectors(self, count: int) -> NDArray[np.float32]:
        """So many unit vectors."""
        near = self._centres[self._random.integers(0, CENTRES, count)]
        noise = self._random.standard_normal(near.shape).astype(np.float32)
        found = near + SPREAD * noise
        unit: NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
        return unit

    def drawn(self, count: int, words: int) -> NDArray[np.int64]:
        """Numbers of words, one row a text."""
        return np.searchsorted(self._cumulated, self._random.random((count, words)))

    def sparse(self, drawn: NDArray[np.int64]) -> SparseVector:
        """The terms of a text with their saturated counts."""
        numbers, counts = np.unique(drawn, return_counts=True)
        weights = (counts * 2.2 / (counts + 1.2)).tolist()
        return {
            self._ids[number]: weight
            for number, weight in zip(numbers.tolist(), weights, strict=True)
        }

    def text(self, drawn: NDArray[np.int64]) -> str:
        """The words themselves."""
        return " ".join(self.words[number] for number in drawn.tolist())


def _word(number: int) -> str:
    """A word of its own for each number, which no stemmer shortens and no list of stop words has."""
    letters = "bcdfghjklmnpqrtvwxz"
    parts = []
    for _ in range(4):
        number, letter = divmod(number, len(letters))
        parts.append(letters[letter])
    return f"{parts[3]}o{parts[2]}{parts[1]}o{parts[0]}k"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as text, and as store and engine take it."""

    text: str
    dense: NDArray[np.float32]
    sparse: SparseVector


class TableEmbedder:
    """Gives each question the vector that it was made with, at once. It is an `Embedder`."""

    profile = PROFILE

    def __init__(self, asked: Sequence[Asked]) -> None:
        self._vectors = {each.text: each.dense for each in asked}

    async def embed(
        self,
        texts: Sequence[str],
        kind: Literal["document", "query"] = "document",  # noqa: ARG002 - a table has no prefixes
    ) -> Vectors:
        return np.stack([self._vectors[text] for text in texts])


@dataclass(frozen=True, slots=True)
class Filled:
    """Workspaces that hold an equal part of the chunks each."""

    database: Database
    repository: SqlRepository
    stores: EdgeVectorStores
    workspaces: list[Workspace]
    has_rows: bool

    async def close(self) -> None:
        """Let go of both stores."""
        await self.stores.close()
        await self.database.close()


async def filled(folder: Path, made: Texts, *, chunks: int, tenants: int, has_rows: bool) -> Filled:
    """Workspaces of so many chunks each, their texts in the database as well if it `has_rows`."""
    database = await Database.open(folder / "masis.db")
    repository, stores = SqlRepository(database), EdgeVectorStores(folder / "vectors")
    workspaces = []
    for number in range(tenants):
        workspace = await repository.create_workspace("bench", f"workspace {number}")
        store = await stores.open(workspace.id, PROFILE)
        for start in range(0, chunks, DOCUMENT_CHUNKS):
            count = min(DOCUMENT_CHUNKS, chunks - start)
            await _document(repository, store, made, start, count, with_rows=has_rows)
        workspaces.append(workspace)
    return Filled(database, repository, stores, workspaces, has_rows)


async def _document(
    repository: SqlRepository,
    store: EdgeVectorStore,
    made: Texts,
    start: int,
    count: int,
    *,
    with_rows: bool,
) -> None:
    name = f"document-{start}.txt"
    version = await repository.begin_version(store.workspace_id, name, f"hash-{start}", 1)
    dense, drawn = made.vectors(count), made.drawn(count, CHUNK_WORDS)
    sparse = [made.sparse(row) for row in drawn]
    points = [
        Point(
            chunk_id=f"c{start + row}",
            document_id=version.document_id,
            version_id=version.id,
            position=row,
            format="txt",
            dense=dense[row],
            sparse=sparse[row],
            section=(1, 2),
        )
        for row in range(count)
    ]
    await store.upsert(points)
    chunks = []
    if with_rows:
        chunks = [
            Chunk(
                id=point.chunk_id,
                workspace_id=store.workspace_id,
                document_id=version.document_id,
                version_id=version.id,
                position=point.position,
                text=made.text(drawn[point.position]),
                place=Place(),
            )
            for point in points
        ]
        await repository.write_chunks(version, chunks, Counter(t for each in sparse for t in each))
    parsed = ParsedDocument(format="txt", title=name, blocks=[])
    await repository.activate(version, parsed, len(chunks))


# --- searches ------------------------------------------------------------------------------


def engine_query(store: EdgeVectorStore, asked: Asked, *, within: bool) -> None:
    """The hybrid query as one would ask the engine oneself: one workspace's, or unfiltered."""
    mine = edge.FieldCondition(key="workspace_id", match=edge.MatchValue(store.workspace_id))
    only = edge.Filter(must=[mine]) if within else None
    rarity = edge.SearchParams(idf=edge.IdfParams(corpus=only)) if only else None
    dense = edge.Query.Nearest(asked.dense.tolist(), using=DENSE)
    sparse = edge.Query.Nearest(edge.SparseVector(*sparse_lists(asked.sparse)), using=SPARSE)
    store._shard.engine.query(
        edge.QueryRequest(
            limit=POOL,
            prefetches=[
                edge.Prefetch(limit=BRANCH_LIMIT, query=dense, filter=only),
                edge.Prefetch(limit=BRANCH_LIMIT, query=sparse, filter=only, params=rarity),
            ],
            query=edge.Fusion.Dbsf(),  # type: ignore[arg-type] # the stub's variants do not inherit
            with_payload=True,
        )
    )


@dataclass(slots=True)
class Taken:
    """Milliseconds of one way to search, by the clock and of this process's processors."""

    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    async def measure(self, search: Callable[[], Awaitable[object]]) -> None:
        """Time one search, the second of two: each way has its data in the cache of its own core."""
        await search()
        clock, processor = time.perf_counter(), time.process_time()
        await search()
        self.clock.append((time.perf_counter() - clock) * 1000)
        self.processor.append((time.process_time() - processor) * 1000)


SAME: Final = "the engine, the same query"
THREADED: Final = "the same, asked in a thread"
"""As whoever has an event loop must ask it; on a busy machine much of the time is the way there."""
OURS: Final = "the store's search"


async def measured(place: Filled, asked: Sequence[Asked]) -> dict[str, Taken]:
    """Each question in each way, one after the other; which way is first changes."""
    retrieval = Retrieval(
        repository=place.repository, stores=place.stores, embedder=TableEmbedder(asked)
    )
    taken: dict[str, Taken] = {}
    for number, question in enumerate(asked):
        workspace = place.workspaces[number % len(place.workspaces)]
        store = await place.stores.open(workspace.id, PROFILE)
        ways = list(_ways(store, retrieval, question, whole=place.has_rows))
        first = number % len(ways)
        for name, way in [*ways[first:], *ways[:first]]:
            await taken.setdefault(name, Taken()).measure(way)
    return taken


def _ways(
    store: EdgeVectorStore, retrieval: Retrieval, asked: Asked, *, whole: bool
) -> Iterator[tuple[str, Callable[[], Awaitable[object]]]]:
    async def bare(*, within: bool) -> None:
        engine_query(store, asked, within=within)

    async def ours(hidden: Sequence[str] = ()) -> None:
        await store.search(asked.dense, asked.sparse, limit=POOL, hidden=hidden)

    async def hopping() -> None:
        await asyncio.to_thread(engine_query, store, asked, within=True)

    yield "the engine, unfiltered", lambda: bare(within=False)
    yield SAME, lambda: bare(within=True)
    yield THREADED, hopping
    yield OURS, ours
    unseen = [f"v_hidden_{number}" for number in range(HIDDEN)]
    yield f"the store's, {HIDDEN} versions hidden", lambda: ours(unseen)
    if whole:
        yield (
            "the whole search",
            lambda: retrieval.search(store.workspace_id, asked.text, limit=POOL),
        )


def questions(made: Texts, count: int) -> list[Asked]:
    """Questions of a few words, and of vectors as near to the chunks as chunks are to each other."""
    drawn, dense = made.drawn(count, QUESTION_WORDS), made.vectors(count)
    texts = [made.text(row) for row in drawn]
    return [Asked(text, dense[at], sparse_query(text)) for at, text in enumerate(texts)]


def told(size: int, tenants: int, taken: dict[str, Taken]) -> None:
    """Print a table of one store."""
    print(f"\n{size:,} chunks, {tenants} workspace{'s' * (tenants > 1)}, {QUERIES} questions, ms")
    print("| way | p50 | p95 | processor, median | processor, to the engine's |")
    print("|---|---|---|---|---|")
    engine = float(np.median(taken[SAME].processor))
    for name, each in taken.items():
        p50, p95 = np.percentile(each.clock, (50, 95))
        spent = float(np.median(each.processor))
        print(f"| {name} | {p50:.2f} | {p95:.2f} | {spent:.2f} | {spent / engine:.2f} |")
    for name in (SAME, THREADED):
        ratio = _ratio(taken[OURS].clock, taken[name].clock)
        spent = _ratio(taken[OURS].processor, taken[name].processor)
        reached = "" if ratio <= TARGET else "   MISSED"
        print(f"store's search to {name}: {ratio:.2f} by the clock, {spent:.2f} by processor time,")
        print(f"  target {TARGET}{reached}")


def _ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Of the medians."""
    return float(np.median(ours) / np.median(theirs))


async def main(sizes: Sequence[int], rows: int) -> None:
    """Measure each size, with one workspace and with many."""
    made = Texts()
    for size in sizes:
        for tenants in TENANTS:
            with tempfile.TemporaryDirectory() as temporary:
                begun = time.perf_counter()
                chunks, has_rows = size // tenants, size <= rows
                place = await filled(
                    Path(temporary), made, chunks=chunks, tenants=tenants, has_rows=has_rows
                )
                print(f"\nfilled in {time.perf_counter() - begun:.0f} s", flush=True)
                await measured(place, questions(made, max(20, tenants)))  # all is warm
                told(size, tenants, await measured(place, questions(made, QUERIES)))
                await place.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES, help="chunks in all")
    parser.add_argument(
        "--rows", type=int, default=100_000, help="up to this size the texts are stored as well"
    )
    given = parser.parse_args()
    asyncio.run(main(given.sizes, given.rows))
