import asyncio
import datetime as dt
from collections.abc import Callable, Collection, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, Literal, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from masis.documents.ingestion import Ingest
from masis.domain import (
    Chunk,
    Document,
    EmbeddingProfile,
    Narrowed,
    SearchResult,
    Workspace,
    WorkspaceId,
    workspace_id,
)
from masis.errors import (
    BudgetSpent,
    EmbeddingError,
    MasisError,
    ModelServiceError,
    UnknownWorkspace,
)
from masis.filters import parse
from masis.ports import Embedder, Hit, Repository, Scope, SparseVector, Vectors, VectorStores
from masis.retrieval.rerank import Rerank
from masis.retrieval.search import Retrieval
from masis.retrieval.sentence_vectors import SentenceVectors
from masis.text.lexical import sparse_document, term_id, terms
from tests.fakes import FakeEmbedder, FakeParser, FakeRepository, FakeVectorStores

HERE, ELSEWHERE = workspace_id("ws_here"), workspace_id("ws_elsewhere")
DIMENSION = 512


def words_vector(text: str) -> NDArray[np.float32]:
    """A bag of hashed terms: texts with the same words are near to each other."""
    vector = np.full(DIMENSION, 1e-3, dtype=np.float32)
    for term in terms(text):
        vector[term_id(term) % DIMENSION] += 1
    unit: NDArray[np.float32] = vector / np.linalg.norm(vector)
    return unit


class WordsEmbedder:
    """An embedder that remembers what it was asked."""

    profile = EmbeddingProfile(
        name="words",
        model="words",
        dimension=DIMENSION,
        version="1",
        calibration=[(0.0, 0.0), (0.5, 0.6), (1.0, 1.0)],
    )

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []

    async def embed(
        self, texts: Sequence[str], kind: Literal["document", "query"] = "document"
    ) -> Vectors:
        self.asked.append((kind, list(texts)))
        return np.stack([words_vector(text) for text in texts])


class BrokenEmbedder(WordsEmbedder):
    async def embed(
        self,
        texts: Sequence[str],
        kind: Literal["document", "query"] = "document",
    ) -> Vectors:
        raise EmbeddingError(f"no model for {len(texts)} {kind} texts; reinstall it")


class Shelf:
    """A workspace's chunks, seen as vector store and as repository."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.kept = {chunk.id: chunk for chunk in chunks}
        self.hidden: list[str] = []
        self.forgotten_by_the_database: set[str] = set()
        self.opened: list[tuple[WorkspaceId, EmbeddingProfile | None]] = []
        self.limits: list[int] = []

    # --- vector stores and store ---

    async def open(self, workspace: WorkspaceId, profile: EmbeddingProfile | None) -> "Shelf":
        self.opened.append((workspace, profile))
        return self

    async def search(
        self,
        dense: NDArray[np.float32] | None,
        sparse: SparseVector,
        *,
        limit: int,
        hidden: Collection[str] = (),
        within: Scope | None = None,
    ) -> list[Hit]:
        self.limits.append(limit)
        hits = [
            self._hit(chunk, dense, sparse)
            for chunk in self.kept.values()
            if chunk.version_id not in hidden
            and (
                within is None or within.documents is None or chunk.document_id in within.documents
            )
        ]
        found = [hit for hit in hits if hit.score > 0]
        return sorted(found, key=lambda hit: hit.score, reverse=True)[:limit]

    def _hit(self, chunk: Chunk, dense: NDArray[np.float32] | None, sparse: SparseVector) -> Hit:
        weights = sparse_document(chunk.indexed_text)
        lexical = sum(weights.get(term, 0.0) * count for term, count in sparse.items())
        cosine = 0.0 if dense is None else float(words_vector(chunk.indexed_text) @ dense)
        return Hit(chunk.id, chunk.version_id, score=cosine + lexical, cosine=cosine)

    # --- repository ---

    async def workspace_by_id(self, workspace: WorkspaceId) -> Workspace | None:
        return Workspace(id=HERE, owner="local", name="papers") if workspace == HERE else None

    async def documents(self, _: WorkspaceId) -> list[Document]:
        held = dict.fromkeys(chunk.document_id for chunk in self.kept.values())
        first = next(iter(self.kept.values()))
        return [
            document(first).model_copy(update={"id": each, "name": f"paper-{at}.pdf"})
            for at, each in enumerate(held)
        ]

    async def neighbours(
        self, _: WorkspaceId, version_id: str, positions: Collection[int]
    ) -> list[Chunk]:
        return [
            chunk
            for chunk in self.kept.values()
            if chunk.version_id == version_id and chunk.position in positions
        ]

    async def hidden_versions(self, _: WorkspaceId) -> list[str]:
        return self.hidden

    async def chunks(
        self, _: WorkspaceId, chunk_ids: Sequence[str]
    ) -> dict[str, tuple[Chunk, Document]]:
        return {
            chunk_id: (self.kept[chunk_id], document(self.kept[chunk_id]))
            for chunk_id in chunk_ids
            if chunk_id not in self.forgotten_by_the_database
        }

    async def term_frequencies(
        self, _: WorkspaceId, asked: Collection[int]
    ) -> tuple[int, dict[int, int]]:
        visible = [c for c in self.kept.values() if c.version_id not in self.hidden]
        per_chunk = [set(sparse_document(chunk.indexed_text)) for chunk in visible]
        counts = {term: sum(term in found for found in per_chunk) for term in asked}
        return len(visible), {term: count for term, count in counts.items() if count}


def chunk(number: int, text: str, *, context: str = "Handbook", version: str = "v1") -> Chunk:
    return Chunk(
        id=f"c_{number:012d}",
        workspace_id=HERE,
        document_id="d_1",
        version_id=version,
        position=number,
        text=text,
        context=context,
    )


def document(of: Chunk) -> Document:
    return Document(
        id=of.document_id,
        workspace_id=of.workspace_id,
        name="handbook.md",
        title="Handbook",
        format="md",
        version_id=of.version_id,
        version_number=1,
        content_hash="",
        size_bytes=1,
        chunks=1,
        date=dt.date(2026, 1, 1),
        ingested_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
    )


def retrieval(
    shelf: Shelf, embedder: Embedder | None = None, rerank: Rerank | None = None
) -> Retrieval:
    return Retrieval(
        # The search needs four of the repository's calls, and of the stores only to open one.
        repository=cast(Repository, shelf),
        stores=cast(VectorStores, shelf),
        embedder=embedder,
        sentences=SentenceVectors(embedder) if embedder else None,
        rerank=rerank,
    )


FILLER = "The canteen opens at noon. Bicycles stand behind the house. Parcels go to the porter. "

PAPERS = [
    chunk(1, "Annual leave is 25 days a year. Sick leave is not counted."),
    chunk(2, "The price of the enterprise plan is 40 euros a seat."),
    chunk(3, FILLER * 3 + "Unused annual leave lapses at the end of March."),
    chunk(4, "Leave the building by the stairs."),
]


async def test_best_candidate_leads_with_display_fields() -> None:
    """The best candidate comes first with everything needed to show it."""
    result = await retrieval(Shelf(PAPERS), WordsEmbedder()).search(
        HERE, "How many days is annual leave?", limit=10
    )
    best = result.candidates[0]
    assert (best.chunk_id, best.document, best.title) == (
        "c_000000000001",
        "handbook.md",
        "Handbook",
    )
    assert (best.position, best.context, best.date) == (1, "Handbook", dt.date(2026, 1, 1))
    assert (result.indexed, result.workspace, result.lexical_only) == (4, "papers", False)


async def test_score_combines_chunk_sentence_and_words() -> None:
    """The score is read from the chunk its best sentence and its words."""
    embedder = WordsEmbedder()
    query = "price of the enterprise plan"
    result = await retrieval(Shelf(PAPERS), embedder).search(HERE, query, limit=10)
    best = result.candidates[0]
    cosine = float(words_vector(PAPERS[1].indexed_text) @ words_vector(query))
    sentence = float(words_vector(PAPERS[1].text) @ words_vector(query))
    assert best.cosine == pytest.approx(cosine)
    assert best.coverage == 1.0
    assert best.nearness == pytest.approx(0.45 * (cosine + sentence) + 0.18)
    assert best.score == embedder.profile.relevance(best.nearness)


async def test_answering_sentence_lifts_mixed_chunk() -> None:
    """One sentence that answers lifts a chunk about much else."""
    result = await retrieval(Shelf(PAPERS), WordsEmbedder()).search(
        HERE, "When does unused annual leave lapse?", limit=10
    )
    best = result.candidates[0]
    assert best.chunk_id == "c_000000000003"
    assert best.nearness > best.cosine


async def test_one_sentence_finds_its_chunk() -> None:
    """A chunk is found by one sentence among many."""
    shelf = Shelf([*PAPERS, chunk(5, "Annual reports, annual meetings: leave them on the desk.")])
    result = await retrieval(shelf, WordsEmbedder()).search(
        HERE, "When does unused annual leave lapse?", limit=2
    )
    assert result.candidates[0].chunk_id == "c_000000000003"


class Reports(Shelf):
    """Two reports that say the same thing; only their names and dates part them."""

    MADE: Final = {
        "v1": ("2023_Q1_report.pdf", dt.date(2023, 4, 28)),
        "v3": ("2023_Q3_report.pdf", dt.date(2023, 10, 27)),
    }

    def __init__(self) -> None:
        super().__init__(
            [chunk(at, "Net sales rose.", version=version) for at, version in enumerate(self.MADE)]
        )

    async def chunks(
        self, workspace: WorkspaceId, chunk_ids: Sequence[str]
    ) -> dict[str, tuple[Chunk, Document]]:
        return {
            key: (found, paper.model_copy(update={"name": name, "date": date}))
            for key, (found, paper) in (await super().chunks(workspace, chunk_ids)).items()
            for name, date in [self.MADE[found.version_id]]
        }


@pytest.mark.parametrize("embedder", [WordsEmbedder(), None])
@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How did net sales do in Q1 2023?", "v1"),
        ("How did net sales do in Q3 2023?", "v3"),
        ("How did net sales do in the third quarter?", "v3"),
        ("How did net sales do in the latest report?", "v3"),
    ],
)
async def test_mentioned_document_leads_at_equal_score(
    question: str, first: str, embedder: Embedder | None
) -> None:
    """The document that a question speaks of comes first and scores no higher."""
    result = await retrieval(Reports(), embedder).search(HERE, question, limit=10)
    assert result.candidates[0].version_id == first
    assert len({found.score for found in result.candidates}) == 1


async def test_unknown_term_lowers_every_coverage() -> None:
    """A term that no paper has lowers the coverage of all."""
    search = retrieval(Shelf(PAPERS), WordsEmbedder()).search
    known = await search(HERE, "annual leave", limit=1)
    unknown = await search(HERE, "annual leave Timbuktu", limit=1)
    assert known.candidates[0].coverage == 1.0
    assert unknown.candidates[0].coverage < 0.6


class TestFilters:
    """Against the real narrowing, with every paper in a document of its own."""

    @staticmethod
    def searched(question: str) -> Coroutine[object, object, SearchResult]:
        plain, filters = parse(question)
        shelf = Shelf(
            [paper.model_copy(update={"document_id": f"d_{at}"}) for at, paper in enumerate(PAPERS)]
        )
        return retrieval(shelf, WordsEmbedder()).search(HERE, plain, limit=10, filters=filters)

    async def test_unfiltered_search_reports_no_filters(self) -> None:
        """Without filters nothing is told of them."""
        assert (await self.searched("annual leave")).narrowed is None

    async def test_filtered_search_keeps_the_scores(self) -> None:
        """Only what is within them is found and scores as it does without."""
        everywhere = await self.searched("annual leave")
        narrowed = await self.searched("annual leave @paper-2.pdf")
        assert [found.document_id for found in narrowed.candidates] == ["d_2"]
        [same] = [found for found in everywhere.candidates if found.document_id == "d_2"]
        [found] = narrowed.candidates
        assert (found.score, found.coverage) == (same.score, same.coverage)
        assert narrowed.narrowed == Narrowed(filters="@paper-2.pdf", documents=1)

    @pytest.mark.parametrize("filters", ["@paper.pdf", "after:2031", "after:2026-99", "type:epub"])
    async def test_empty_filter_result_asks_no_store(self, filters: str) -> None:
        """Where they leave nothing no store is asked."""
        result = await self.searched(f"annual leave {filters}")
        assert result.candidates == []
        assert result.indexed == len(PAPERS)
        assert result.timings == {}
        assert result.narrowed is not None

    async def test_hit_outside_filters_is_dropped(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A hit outside them is dropped whoever brought it."""
        looked = Shelf.search

        async def careless(shelf: Shelf, *asked: Any, within: object, **more: Any) -> list[Hit]:
            assert within is not None
            return await looked(shelf, *asked, **more)

        monkeypatch.setattr(Shelf, "search", careless)
        result = await self.searched("annual leave @paper-2.pdf")
        assert [found.document_id for found in result.candidates] == ["d_2"]


class TestAnAugmentedQuery:
    question = "annual leave in days"
    query = f"{question} The enterprise plan has a price in euros a seat."

    @pytest.mark.parametrize("embedder", [WordsEmbedder(), None])
    async def test_coverage_uses_the_question_alone(self, embedder: Embedder | None) -> None:
        """Coverage is that of the question alone."""
        found = await self.covered(embedder, self.question)
        assert found["c_000000000001"] == 1.0, "it answers"
        assert found["c_000000000002"] == 0.0, "it repeats the rest of the query"
        without = await self.covered(embedder, None)
        assert without["c_000000000001"] < 0.8
        assert without["c_000000000002"] > 0.5

    async def covered(self, embedder: Embedder | None, question: str | None) -> dict[str, float]:
        result = await retrieval(Shelf(PAPERS), embedder).search(
            HERE, self.query, limit=10, question=question
        )
        return {item.chunk_id: item.coverage for item in result.candidates}

    async def test_vector_and_words_use_query(self) -> None:
        """Vector and words are those of the query."""
        embedder = WordsEmbedder()
        result = await retrieval(Shelf(PAPERS), embedder).search(
            HERE, self.query, limit=10, question=self.question
        )
        assert embedder.asked[0] == ("query", [self.query])
        assert "c_000000000002" in [item.chunk_id for item in result.candidates]


async def test_candidates_are_limited_and_ordered() -> None:
    """Candidates are at most the limit and ordered."""
    many = [chunk(n, f"Annual leave rule {n} applies to team {n}.") for n in range(60)]
    result = await retrieval(Shelf(many), WordsEmbedder()).search(HERE, "annual leave", limit=20)
    ranks = [candidate.rank_score for candidate in result.candidates]
    assert len(ranks) == 20
    assert ranks == sorted(ranks, reverse=True)


async def test_limit_beyond_reranked_is_served() -> None:
    """A limit beyond the reranked ones is served."""
    many = [chunk(n, f"Annual leave rule {n} applies to team {n}.") for n in range(60)]
    result = await retrieval(Shelf(many), WordsEmbedder()).search(HERE, "annual leave", limit=50)
    ranks = [candidate.rank_score for candidate in result.candidates]
    assert len(ranks) == 50
    assert ranks == sorted(ranks, reverse=True)


async def test_identical_text_is_one_candidate() -> None:
    """The same text twice is one candidate."""
    shelf = Shelf([*PAPERS, chunk(9, PAPERS[0].text.upper())])
    result = await retrieval(shelf, WordsEmbedder()).search(HERE, "annual leave days", limit=10)
    ids = [candidate.chunk_id for candidate in result.candidates]
    assert len({"c_000000000001", "c_000000000009"} & set(ids)) == 1


async def test_near_duplicates_leave_room() -> None:
    """Near equal chunks of one document leave room for others."""
    forms = [
        chunk(n, f"Annual leave form of employee {n}: signed by the manager and filed.")
        for n in range(15)
    ]
    rule = chunk(
        99, "Leave is applied for a month before; annual plans are made in May."
    ).model_copy(update={"document_id": "d_rules", "version_id": "v_rules"})
    result = await retrieval(Shelf([*forms, rule]), WordsEmbedder()).search(
        HERE, "annual leave form", limit=5
    )
    assert "d_rules" in [found.document_id for found in result.candidates]
    ranks = [found.rank_score for found in result.candidates]
    assert ranks == sorted(ranks, reverse=True)


class Editions(Shelf):
    """Two versions of a policy, each its own document, among other papers."""

    async def documents(self, _: WorkspaceId) -> list[Document]:
        return list({c.document_id: self._paper(c) for c in self.kept.values()}.values())

    async def active_versions(self, _: WorkspaceId) -> list[str]:
        return list({c.version_id for c in self.kept.values()})

    async def chunks(
        self, _: WorkspaceId, chunk_ids: Sequence[str]
    ) -> dict[str, tuple[Chunk, Document]]:
        return {each: (self.kept[each], self._paper(self.kept[each])) for each in chunk_ids}

    def _paper(self, of: Chunk) -> Document:
        year = 2026 if of.document_id == "d_new" else 2020
        is_policy = of.document_id in {"d_old", "d_new"}
        title = "Remote Work Policy" if is_policy else "Notes of the works council"
        made = dt.date(year, 1, 1)
        return document(of).model_copy(update={"title": title, "date": made})


async def test_older_version_brings_the_one_in_force() -> None:
    """Where only an older version is found, the document that replaces it is looked in, too."""
    texts = {
        "d_old": ["A desk and a chair are lent to whoever works remotely."],
        "d_new": ["Furniture is bought by the office."],
        "d_other": [f"A desk {n} and a chair {n} came remotely late." for n in range(6)],
    }
    chunks = [
        chunk(at * 10 + n, text).model_copy(update={"document_id": name, "version_id": f"v_{name}"})
        for at, (name, own) in enumerate(texts.items())
        for n, text in enumerate(own)
    ]
    result = await retrieval(Editions(chunks), WordsEmbedder()).search(
        HERE, "is a desk lent to me remotely, with a chair", limit=3
    )

    found = [each.document_id for each in result.candidates]
    assert found[:2] == ["d_old", "d_new"]
    assert result.candidates[0].replaced_by == "d_new"
    assert len(found) == 3


class TestWhatMustNotBeFound:
    async def test_an_unknown_workspace_is_an_error(self) -> None:
        with pytest.raises(UnknownWorkspace, match="ws_elsewhere"):
            await retrieval(Shelf(PAPERS)).search(ELSEWHERE, "leave", limit=10)

    async def test_hidden_versions_stay_hidden(self) -> None:
        shelf = Shelf([*PAPERS, chunk(7, "Annual leave is 99 days.", version="v2")])
        shelf.hidden = ["v2"]
        result = await retrieval(shelf, WordsEmbedder()).search(HERE, "annual leave", limit=10)
        assert "c_000000000007" not in [item.chunk_id for item in result.candidates]
        assert result.indexed == 4

    async def test_vanished_chunk_is_left_out(self) -> None:
        """A chunk that vanished between search and reading is left out."""
        shelf = Shelf(PAPERS)
        shelf.forgotten_by_the_database = {"c_000000000001"}
        result = await retrieval(shelf, WordsEmbedder()).search(HERE, "annual leave", limit=10)
        assert "c_000000000001" not in [item.chunk_id for item in result.candidates]

    async def test_chunk_of_other_workspace_is_dropped(self) -> None:
        """A chunk of another workspace is dropped whatever the stores say."""
        foreign = PAPERS[0].model_copy(update={"workspace_id": ELSEWHERE, "id": "c_foreign"})
        result = await retrieval(Shelf([*PAPERS, foreign]), WordsEmbedder()).search(
            HERE, "annual leave days", limit=10
        )
        assert "c_foreign" not in [item.chunk_id for item in result.candidates]

    async def test_an_empty_workspace_costs_no_embedding(self) -> None:
        shelf, embedder = Shelf([]), WordsEmbedder()
        result = await retrieval(shelf, embedder).search(HERE, "annual leave", limit=10)
        assert (result.candidates, result.indexed) == ([], 0)
        assert (embedder.asked, shelf.opened) == ([], [])

    async def test_broken_embedder_raises_an_error(self) -> None:
        """A broken embedder is an error and no empty result."""
        with pytest.raises(EmbeddingError, match="reinstall"):
            await retrieval(Shelf(PAPERS), BrokenEmbedder()).search(HERE, "leave", limit=10)


class TestWithoutAnEmbedder:
    async def test_search_is_lexical_and_says_so(self) -> None:
        """The search is lexical and says so."""
        shelf = Shelf(PAPERS)
        result = await retrieval(shelf).search(HERE, "price of the enterprise plan", limit=10)
        assert result.lexical_only
        assert shelf.opened == [(HERE, None)]
        best = result.candidates[0]
        assert (best.chunk_id, best.cosine, best.score) == ("c_000000000002", 0.0, 1.0)

    async def test_the_score_rises_with_coverage(self) -> None:
        result = await retrieval(Shelf(PAPERS)).search(HERE, "annual leave Timbuktu", limit=10)
        pairs = sorted((item.coverage, item.score) for item in result.candidates)
        assert [score for _, score in pairs] == sorted(score for _, score in pairs)
        assert all(score < 1 for _, score in pairs)

    async def test_stop_word_question_finds_nothing(self) -> None:
        """A question of stop words finds nothing."""
        result = await retrieval(Shelf(PAPERS)).search(HERE, "What is it?", limit=10)
        assert result.candidates == []


class TestSentencesAtQueryTime:
    async def test_sentence_embeddings_are_bounded(self) -> None:
        """Only a bounded number is embedded in one batch."""
        long = [
            chunk(n, " ".join(f"Annual leave of team {n} has rule {m}." for m in range(30)))
            for n in range(30)
        ]
        embedder = WordsEmbedder()
        await retrieval(Shelf(long), embedder).search(HERE, "annual leave", limit=10)
        kinds = [(kind, len(texts)) for kind, texts in embedder.asked]
        assert kinds == [("query", 1), ("document", Rerank().sentences)]

    async def test_sentence_embeddings_are_cached(self) -> None:
        """They are remembered for the next question."""
        embedder = WordsEmbedder()
        search = retrieval(Shelf(PAPERS), embedder)
        await search.search(HERE, "annual leave", limit=10)
        await search.search(HERE, "annual leave", limit=10)
        assert [kind for kind, _ in embedder.asked] == ["query", "document"]
        search.forget(HERE)
        await search.search(HERE, "annual leave", limit=10)
        assert [kind for kind, _ in embedder.asked[2:]] == ["query", "document"]

    async def test_costly_embedder_embeds_no_sentences(self) -> None:
        """None is embedded where embedding costs too much."""
        embedder = WordsEmbedder()
        search = retrieval(Shelf(PAPERS), embedder, Rerank(sentences=0))
        result = await search.search(HERE, "How many days is annual leave?", limit=10)
        assert [kind for kind, _ in embedder.asked] == ["query"]
        assert all(found.nearness == found.cosine for found in result.candidates)
        assert result.candidates[0].chunk_id == "c_000000000001"

    async def test_concurrent_searches_do_not_interfere(self) -> None:
        """Searches at the same time do not disturb each other."""
        search = retrieval(Shelf(PAPERS), WordsEmbedder())
        queries = ["annual leave days", "price of the enterprise plan", "leave by the stairs"]
        alone = [await search.search(HERE, query, limit=3) for query in queries]
        together = await asyncio.gather(*(search.search(HERE, query, limit=3) for query in queries))
        assert [result.candidates for result in together] == [result.candidates for result in alone]


async def test_the_time_is_told_by_parts() -> None:
    result = await retrieval(Shelf(PAPERS), WordsEmbedder()).search(HERE, "leave", limit=10)
    assert set(result.timings) == {"embedding", "search", "rerank"}
    assert all(spent >= 0 for spent in result.timings.values())


class Switching(FakeRepository):
    """Does something once, between what a search finds in the vectors and in the database."""

    meanwhile: Callable[[], Coroutine[None, None, object]] | None = None

    async def chunks(
        self, workspace_id: WorkspaceId, chunk_ids: Sequence[str]
    ) -> dict[str, tuple[Chunk, Document]]:
        if self.meanwhile is not None:
            then, self.meanwhile = self.meanwhile, None
            await then()
        return await super().chunks(workspace_id, chunk_ids)


async def test_version_switched_during_search_is_complete() -> None:
    """A version that is switched during a search is found whole."""
    repository, stores, embedder = Switching(), FakeVectorStores(), FakeEmbedder()
    ingest = Ingest(repository=repository, stores=stores, embedder=embedder, parser=FakeParser())
    workspace = await repository.create_workspace("local", "acme")
    await ingest.ingest(workspace, "leave.md", b"# Leave\nYou may carry over 240 hours.")
    new = b"# Leave\nYou may carry over 160 hours now."
    repository.meanwhile = partial(ingest.ingest, workspace, "leave.md", new)
    retrieval = Retrieval(repository=repository, stores=stores, embedder=embedder)
    found = await retrieval.search(workspace.id, "How many hours carry over?", limit=5)
    assert ["160 hours" in chunk.text for chunk in found.candidates] == [True]


class Stale(FakeRepository):
    """Says once of versions that they are hidden, as it was before they were switched."""

    earlier: list[str]

    async def hidden_versions(self, workspace_id: WorkspaceId) -> list[str]:
        earlier, self.earlier = getattr(self, "earlier", []), []
        return earlier or await super().hidden_versions(workspace_id)


async def test_version_switched_before_search_is_found() -> None:
    """A version that is switched once what is hidden was read is found, not nothing at all."""
    repository, stores, embedder = Stale(), FakeVectorStores(), FakeEmbedder()
    ingest = Ingest(repository=repository, stores=stores, embedder=embedder, parser=FakeParser())
    workspace = await repository.create_workspace("local", "acme")
    await ingest.ingest(workspace, "leave.md", b"# Leave\nYou may carry over 160 hours now.")
    document = await repository.document(workspace.id, "leave.md")
    assert document is not None
    repository.earlier = [document.version_id]
    retrieval = Retrieval(repository=repository, stores=stores, embedder=embedder)
    found = await retrieval.search(workspace.id, "How many hours carry over?", limit=5)
    assert ["160 hours" in chunk.text for chunk in found.candidates] == [True]


class LastFirst:
    """A reranker that turns the order round, or fails."""

    def __init__(self, error: MasisError | None = None) -> None:
        self.error = error
        self.asked: list[tuple[str, list[str]]] = []

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        self.asked.append((query, list(texts)))
        if self.error is not None:
            raise self.error
        return [float(at) for at in range(len(texts))]


class TestAReranker:
    many: Final = [chunk(n, f"Annual leave rule {n} applies to team {n}.") for n in range(60)]

    async def searched(self, reranker: LastFirst | None, limit: int = 10) -> SearchResult:
        shelf, embedder = Shelf(self.many), WordsEmbedder()
        search = Retrieval(
            repository=cast(Repository, shelf),
            stores=cast(VectorStores, shelf),
            embedder=embedder,
            sentences=SentenceVectors(embedder),
            reranker=reranker,
        )
        query = "annual leave rule and what else a critique found"
        return await search.search(HERE, query, limit=limit, question="annual leave rule")

    async def test_reranker_orders_twenty_without_gating(
        self,
    ) -> None:
        """It decides about the order of the first twenty and not about the gate."""
        plain, reranker = await self.searched(None, limit=25), LastFirst()
        turned = await self.searched(reranker, limit=25)
        before = [found.chunk_id for found in plain.candidates]
        after = [found.chunk_id for found in turned.candidates]
        assert after == [*reversed(before[:20]), *before[20:]]
        ranks = [found.rank_score for found in turned.candidates]
        assert ranks == sorted(ranks, reverse=True)
        scores = {found.chunk_id: (found.score, found.nearness) for found in plain.candidates}
        assert {f.chunk_id: (f.score, f.nearness) for f in turned.candidates} == scores
        assert (plain.reranked, turned.reranked) == (None, True)

    async def test_reranker_reads_twenty_at_any_limit(self) -> None:
        """It is asked the question about twenty whatever the limit."""
        reranker = LastFirst()
        assert len((await self.searched(reranker, limit=5)).candidates) == 5
        [(question, texts)] = reranker.asked
        assert question == "annual leave rule"
        assert len(texts) == 20
        assert all(text.startswith("Handbook\nAnnual leave") for text in texts)

    @pytest.mark.parametrize("error", [ModelServiceError("refused"), BudgetSpent("spent")])
    async def test_failed_reranker_leaves_sentence_order(self, error: MasisError) -> None:
        """Where it fails sentences decide and the result says so."""
        plain = await self.searched(None)
        failed = await self.searched(LastFirst(error))
        assert failed.candidates == plain.candidates
        assert failed.reranked is False


class TestSeveralQueries:
    question = "What does a seat of the enterprise plan cost?"
    widened = f"{question} Annual days many leave rule: annual days, many leave rule, annual leave."

    async def searched(self, queries: int) -> tuple[SearchResult, WordsEmbedder]:
        filler = [chunk(n, f"Annual days many leave rule {n}.") for n in range(50, 110)]
        embedder = WordsEmbedder()
        shelf = Shelf([*filler, *PAPERS])
        search = Retrieval(
            repository=cast(Repository, shelf),
            stores=cast(VectorStores, shelf),
            embedder=embedder,
            sentences=SentenceVectors(embedder),
            queries=queries,
        )
        found = await search.search(HERE, self.widened, limit=40, question=self.question)
        assert len(shelf.limits) == queries
        return found, embedder

    async def test_plain_question_complements_the_critique(self) -> None:
        """The question finds what a critique looks away from."""
        found, embedder = await self.searched(2)
        assert "c_000000000002" in [each.chunk_id for each in found.candidates]
        alone, _ = await self.searched(1)
        assert "c_000000000002" not in [each.chunk_id for each in alone.candidates]
        [asked] = [texts for kind, texts in embedder.asked if kind == "query"]
        assert asked == [self.widened, self.question]
        assert len({each.chunk_id for each in found.candidates}) == len(found.candidates)

    async def test_unaugmented_search_embeds_one_query(self) -> None:
        """One query is asked where nothing else is said."""
        _, embedder = await self.searched(1)
        assert [kind for kind, _ in embedder.asked].count("query") == 1


class TestPointsOfEarlierReleases:
    """They do not say which headings they stand under; their rows do."""

    async def test_a_section_finds_them_too(self) -> None:
        repository, stores, embedder = FakeRepository(), FakeVectorStores(), FakeEmbedder()
        ingest = Ingest(
            repository=repository, stores=stores, embedder=embedder, parser=FakeParser()
        )
        workspace = await repository.create_workspace("local", "acme")
        for name in ("old.md", "new.md"):
            said = f"# Annual leave\n{f'It is granted by {name}. ' * 40}\n# Parking\nLeave the car {name}."
            await ingest.ingest(workspace, name, said.encode())
        store = stores.opened[workspace.id]
        [old, _] = sorted(
            await repository.documents(workspace.id), key=lambda d: d.name != "old.md"
        )
        for key, point in store.points.items():
            if point.document_id == old.id:
                store.points[key] = replace(point, section=())
        search = Retrieval(repository=repository, stores=stores, embedder=embedder)
        plain, filters = parse('Is it granted? section:"annual leave"')
        found = await search.search(workspace.id, plain, limit=10, filters=filters)
        assert {each.document for each in found.candidates} == {"old.md", "new.md"}
        assert {tuple(each.place.headings) for each in found.candidates} == {("Annual leave",)}
