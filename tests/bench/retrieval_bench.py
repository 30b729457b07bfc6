"""Recall@5 and nDCG@10 of each way to search, over three collections, in one run.

Run it with `python -m tests.bench.retrieval_bench` (four minutes of processor time). The exit code
is 1 when the data is not beside the checkout, or when a part does as well as the whole. A chunk
counts as right when it holds a passage that was marked as the answer's place.
"""

import asyncio
import json
import math
import re
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from masis.adapters.minilm import MiniLMEmbedder
from masis.adapters.parsing.reading import read_document
from masis.calibration import calibrate
from masis.chunking import chunk_document
from masis.domain import Block, Chunk, EmbeddingProfile, ParsedDocument, WorkspaceId
from masis.lexical import sparse_document, sparse_query
from masis.policy import FIRST_PASS_LIMIT, RELEVANCE_THRESHOLD
from masis.ports import Point, Vectors
from masis.rerank import Rerank
from masis.retrieval import POOL, Retrieval
from masis.sentence_vectors import SentenceVectors
from storage.database import Database
from storage.repository import SqlRepository
from storage.vectors import EdgeVectorStores

SHARED: Final = Path(__file__).parents[2].parent / "shared" / "data"
QUESTIONS: Final = 60
"""At most this many of each collection, evenly picked."""
OFF_TOPIC: Final = 30
"""Questions of each other collection that are put to one."""
_MARK_CHARS: Final = 60
"""A marked passage is recognised by its beginning, since a chunk may end inside it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the passages where its answer stands, as `plain` gives them."""

    text: str
    marks: tuple[str, ...]


@dataclass(slots=True)
class Collection:
    """Documents by name, and what is asked of them."""

    name: str
    documents: dict[str, ParsedDocument]
    questions: list[Asked]
    texts: dict[str, str] = field(default_factory=dict)
    """The plain texts of its chunks by id, once it is indexed."""

    def right(self, asked: Asked) -> set[str]:
        """The ids of the chunks that hold a marked passage."""
        return {
            chunk_id
            for chunk_id, text in self.texts.items()
            if any(mark in text for mark in asked.marks)
        }


class Remembering:
    """An embedder that embeds each text once: the ways to search share most sentences."""

    def __init__(self, embedder: MiniLMEmbedder) -> None:
        self._embedder = embedder
        self._known: dict[str, NDArray[np.float32]] = {}

    @property
    def profile(self) -> EmbeddingProfile:
        """That of the embedder."""
        return self._embedder.profile

    async def embed(
        self, texts: Sequence[str], kind: Literal["document", "query"] = "document"
    ) -> Vectors:
        """One row a text."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        for text, row in zip(missing, await self._embedder.embed(missing, kind), strict=True):
            self._known[text] = row
        return np.stack([self._known[text] for text in texts])


class Workbench:
    """The real stores in a folder, filled with one collection at a time."""

    def __init__(
        self, repository: SqlRepository, stores: EdgeVectorStores, embedder: Remembering
    ) -> None:
        self.repository = repository
        self.stores = stores
        self.embedder = embedder

    async def fill(self, collection: Collection) -> WorkspaceId:
        """Index the collection as a new workspace."""
        workspace = (await self.repository.create_workspace("bench", collection.name)).id
        for name, parsed in collection.documents.items():
            chunks = await self._add(workspace, name, parsed)
            collection.texts |= {chunk.id: plain(chunk.indexed_text) for chunk in chunks}
        return workspace

    async def _add(self, workspace: WorkspaceId, name: str, parsed: ParsedDocument) -> list[Chunk]:
        version = await self.repository.begin_version(workspace, name, name, 1)
        chunks = chunk_document(
            parsed,
            workspace_id=workspace,
            document_id=version.document_id,
            version_id=version.id,
        )
        texts = [chunk.indexed_text for chunk in chunks]
        sparse = [sparse_document(text) for text in texts]
        dense = await self.embedder.embed(texts)
        store = await self.stores.open(workspace, self.embedder.profile)
        await store.upsert(
            [
                Point(
                    chunk_id=chunk.id,
                    document_id=chunk.document_id,
                    version_id=chunk.version_id,
                    position=chunk.position,
                    format=parsed.format,
                    dense=dense[at],
                    sparse=sparse[at],
                )
                for at, chunk in enumerate(chunks)
            ]
        )
        terms = Counter(term for weights in sparse for term in weights)
        await self.repository.write_chunks(version, chunks, terms)
        await self.repository.activate(version, parsed, len(chunks))
        return chunks


Searcher = Callable[[str], Awaitable[list[str]]]


def searchers(bench: Workbench, workspace: WorkspaceId) -> dict[str, Searcher]:
    """Each way to search, as a function from a question to chunk ids, best first."""

    def hybrid(*, dense: bool, sparse: bool) -> Searcher:
        async def search(query: str) -> list[str]:
            store = await bench.stores.open(workspace, bench.embedder.profile)
            vector = (await bench.embedder.embed([query], "query"))[0] if dense else None
            words = sparse_query(query) if sparse else {}
            return [hit.chunk_id for hit in await store.search(vector, words, limit=POOL)]

        return search

    def reranked(rerank: Rerank, *, lexical: bool = False) -> Searcher:
        retrieval = Retrieval(
            repository=bench.repository,
            stores=bench.stores,
            embedder=None if lexical else bench.embedder,
            sentences=None if lexical else SentenceVectors(bench.embedder),
            rerank=rerank,
        )

        async def search(query: str) -> list[str]:
            result = await retrieval.search(workspace, query, limit=FIRST_PASS_LIMIT)
            return [candidate.chunk_id for candidate in result.candidates]

        return search

    return {
        "BM25": hybrid(dense=False, sparse=True),
        "dense": hybrid(dense=True, sparse=False),
        "hybrid (DBSF)": hybrid(dense=True, sparse=True),
        "BM25 + sentences": reranked(Rerank(), lexical=True),
        "hybrid + words of sentences": reranked(Rerank(sentences=0)),
        "hybrid + 16 sentences": reranked(Rerank(sentences=16)),
        "hybrid + 32 sentences": reranked(Rerank(sentences=32)),
        "hybrid + 64 sentences (used)": reranked(Rerank()),
        "hybrid + 128 sentences": reranked(Rerank(sentences=128)),
        "64 sentences alone": reranked(Rerank(fused_weight=0.0)),
    }


# --- the collections -----------------------------------------------------------------------


def plain(text: str) -> str:
    """Letters and digits alone: marking, quotes and wraps differ between question and chunk."""
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


def _lines(path: str) -> Iterator[dict[str, Any]]:
    with (SHARED / path).open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _marks(passages: Sequence[str]) -> tuple[str, ...]:
    return tuple(mark for mark in (plain(text)[:_MARK_CHARS] for text in passages) if mark)


def _prose(title: str, paragraphs: Sequence[str], rows: Sequence[str] = ()) -> ParsedDocument:
    blocks = [Block(kind="paragraph", text=text) for text in paragraphs]
    blocks += [Block(kind="table_row", text=row) for row in rows]
    return ParsedDocument(format="txt", title=title, blocks=blocks)


def clapnq() -> Collection:
    """Encyclopedic passages, each asked one question."""
    passages = {row["doc_id"]: row for row in _lines("clapnq-dev/passages.jsonl")}
    questions = [
        Asked(
            row["question"],
            _marks([passages[row["gold_doc_id"]]["sentences"][at] for at in row["gold_sentences"]]),
        )
        for row in _lines("clapnq-dev/questions.jsonl")
        if row["answerable"]
    ]
    documents = {key: _prose(row["title"], [row["text"]]) for key, row in passages.items()}
    return Collection("clapnq", documents, questions)


def tatqa() -> Collection:
    """Notes of financial reports with their tables; questions that the paragraphs answer."""
    contexts = {row["context_id"]: row for row in _lines("tatqa-finance/contexts.jsonl")}
    documents = {
        key: _prose("", row["paragraphs"], [" | ".join(cells) for cells in row["table"]])
        for key, row in contexts.items()
    }
    questions = [
        Asked(
            row["question"],
            _marks(
                [
                    contexts[row["context_id"]]["paragraphs"][int(at) - 1]
                    for at in row["rel_paragraphs"]
                ]
            ),
        )
        for row in _lines("tatqa-finance/questions.jsonl")
        if row["rel_paragraphs"]
    ]
    return Collection("tatqa", documents, questions)


def handbook() -> Collection:
    """The Markdown pages of a real handbook, and the questions that they answer alone."""
    pages = [
        row["path"] for row in _lines("demo-workspace/manifest.jsonl") if row["format"] == "md"
    ]
    documents = {
        path: read_document(path, (SHARED / "demo-workspace" / path).read_bytes()) for path in pages
    }
    questions = [
        Asked(row["question"], _marks([gold["quote"] for gold in row["gold"]]))
        for row in _lines("demo-workspace/questions.jsonl")
        if row["type"] in {"single", "multi", "numeric", "format"}
        and all(gold["doc"] in documents for gold in row["gold"])
    ]
    return Collection("handbook", documents, questions)


# --- figures -------------------------------------------------------------------------------


def recall(found: Sequence[str], right: set[str], at: int = 5) -> float:
    """1 when a right chunk is among the first `at`, else 0."""
    return float(not right.isdisjoint(found[:at]))


def ndcg(found: Sequence[str], right: set[str], at: int = 10) -> float:
    """Normalised discounted cumulative gain with gains of 0 and 1."""
    gain = sum(1 / math.log2(rank + 2) for rank, item in enumerate(found[:at]) if item in right)
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(at, len(right))))
    return gain / ideal


def _sample(questions: Sequence[Asked], most: int) -> list[Asked]:
    step = max(1, math.ceil(len(questions) / most))
    return list(questions[::step])


async def _measured(
    bench: Workbench, workspace: WorkspaceId, collection: Collection
) -> dict[str, tuple[float, float]]:
    """By searcher: recall@5 and nDCG@10 over the collection's questions."""
    asked = [(item, collection.right(item)) for item in _sample(collection.questions, QUESTIONS)]
    asked = [(item, right) for item, right in asked if right]
    figures = {}
    for name, search in searchers(bench, workspace).items():
        found = [(await search(item.text), right) for item, right in asked]
        figures[name] = (
            statistics.fmean(recall(ids, right) for ids, right in found),
            statistics.fmean(ndcg(ids, right) for ids, right in found),
        )
    print(f"{collection.name}: {len(collection.texts)} chunks, {len(asked)} questions")
    return figures


async def _cosines(
    bench: Workbench, workspace: WorkspaceId, questions: Sequence[Asked], right: Collection | None
) -> list[float]:
    """For each question the best cosine, among the right chunks or among all."""
    store = await bench.stores.open(workspace, bench.embedder.profile)
    best = []
    for item in questions:
        vector = (await bench.embedder.embed([item.text], "query"))[0]
        hits = await store.search(vector, sparse_query(item.text), limit=POOL)
        wanted = right.right(item) if right else {hit.chunk_id for hit in hits}
        cosines = [hit.cosine for hit in hits if hit.chunk_id in wanted]
        best += [max(cosines)] if cosines else []
    return best


@asynccontextmanager
async def _workbench(folder: Path) -> AsyncIterator[Workbench]:
    database = await Database.open(folder / "bench.db")
    stores = EdgeVectorStores(folder / "vectors")
    try:
        async with MiniLMEmbedder() as embedder:
            yield Workbench(SqlRepository(database), stores, Remembering(embedder))
    finally:
        await stores.close()
        await database.close()


def _print(figures: dict[str, dict[str, tuple[float, float]]]) -> None:
    print(f"{'recall@5 / nDCG@10':30s}" + "".join(f"{name:>16s}" for name in figures) + "   mean")
    for way in next(iter(figures.values())):
        row = [figures[name][way] for name in figures]
        cells = "".join(f"   {found:.3f} / {gain:.3f}" for found, gain in row)
        print(f"{way:30s}{cells}   {statistics.fmean(gain for _, gain in row):.3f}")


async def main(folder: Path) -> bool:
    """Measure in this folder; whether the search in use beats its parts."""
    collections = [clapnq(), tatqa(), handbook()]
    figures: dict[str, dict[str, tuple[float, float]]] = {}
    good: list[float] = []
    bad: list[float] = []
    async with _workbench(folder) as bench:
        for collection in collections:
            workspace = await bench.fill(collection)
            figures[collection.name] = await _measured(bench, workspace, collection)
            own = _sample(collection.questions, QUESTIONS)
            good += await _cosines(bench, workspace, own, collection)
            for other in collections:
                if other is not collection:
                    foreign = _sample(other.questions, OFF_TOPIC)
                    bad += await _cosines(bench, workspace, foreign, None)
        gate = next(x for x, y in bench.embedder.profile.calibration if y == RELEVANCE_THRESHOLD)
    _print(figures)
    _print_gate(good, bad, gate)
    return _beats_its_parts(figures)


def _print_gate(good: Sequence[float], bad: Sequence[float], gate: float) -> None:
    made = calibrate(good, bad)
    lost = statistics.fmean(cosine < gate for cosine in good)
    stopped = statistics.fmean(cosine < gate for cosine in bad)
    print(f"gate at {gate}: {lost:.1%} of good ones lost, {stopped:.1%} of off-topic ones stopped")
    print(f"calibrated: {made.points}, AUROC {made.separation}, gate {made.gate}")


def _beats_its_parts(figures: dict[str, dict[str, tuple[float, float]]]) -> bool:
    means = {
        way: statistics.fmean(figures[name][way][1] for name in figures)
        for way in figures["clapnq"]
    }
    hybrid = means["hybrid (DBSF)"]
    return means["hybrid + 64 sentences (used)"] > hybrid > max(means["BM25"], means["dense"])


if __name__ == "__main__":
    if not SHARED.is_dir():
        sys.exit(f"{SHARED} is missing: the development data stands beside the checkout")
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(0 if asyncio.run(main(Path(temporary))) else 1)
