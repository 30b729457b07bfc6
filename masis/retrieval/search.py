"""From a question to candidates: hybrid search in one workspace, then a rerank by sentences.

Measured by `tests/bench/retrieval_bench.py`, where the reasons of the numbers below can be seen.
"""

import asyncio
import copy
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from masis.attached import Attached
from masis.domain import (
    Chunk,
    Document,
    EvidenceChunk,
    Place,
    SearchResult,
    Workspace,
    WorkspaceId,
)
from masis.errors import BudgetSpent, ModelServiceError, UnknownWorkspace
from masis.filters import NO_FILTERS, Filters
from masis.models.reranking import reranked
from masis.phrases import told_cases
from masis.policy import RERANK_DEPTH
from masis.ports import Embedder, Hit, Repository, Reranker, Scope, Vectors, VectorStores
from masis.retrieval.attached_search import AttachedSearch, shared
from masis.retrieval.diversity import diverse
from masis.retrieval.evidence import distinct, unscored
from masis.retrieval.introduction import asks_for_the_whole, introduction
from masis.retrieval.multi_query import fused, wordings
from masis.retrieval.narrowing import Narrowing, narrow
from masis.retrieval.rerank import Question, Rerank, SentenceRerank, descending, timed
from masis.retrieval.sentence_vectors import SentenceVectors, blended
from masis.retrieval.succession import Openings, in_force_first, successors
from masis.text.lexical import idf_weights, sparse_query, term_id, terms

log = logging.getLogger(__name__)

POOL: Final = 40
"""Fused hits that are read: twice the most candidates, so that duplicates may be dropped."""

MOST_NEWER: Final = 2
"""Documents that replace one that was found, and that the search did not find itself: they are looked in."""
NEWER_PASSAGES: Final = 5
NEWER_EACH: Final = 2
"""Passages of each that stand behind the first one of the document that it replaces."""

_LOOKS: Final = 3
"""A hit that the database does not show is of a version that was switched between the two. Looked
for again, a document answers whole with its new version instead of not at all."""

_Vector = NDArray[np.float32]


class Retrieval:
    """Searches one workspace at a time; fits `masis.ports.Search` and the graph's researcher.

    A search is up to `queries` queries at once (`masis.retrieval.multi_query`).

    Raises:
        UnknownWorkspace: there is no workspace of that id.
        ProfileMismatch: it holds vectors of another embedder.
        EmbeddingError: the question could not be embedded.
        StoreUnavailable: the database or the vectors cannot be read.
    """

    def __init__(
        self,
        *,
        repository: Repository,
        stores: VectorStores,
        embedder: Embedder | None,
        sentences: SentenceVectors | None = None,
        rerank: Rerank | None = None,
        reranker: Reranker | None = None,
        queries: int = 1,
    ) -> None:
        self._queries = queries
        self._reranker = reranker
        self._repository = repository
        self._stores = stores
        self._embedder = embedder
        self._sentences = sentences
        profile = embedder.profile if embedder else None
        self._rerank = SentenceRerank(profile, sentences, rerank or Rerank())
        self._attached: AttachedSearch | None = None
        self._openings = Openings(repository)

    async def search(
        self,
        workspace_id: WorkspaceId,
        query: str,
        *,
        limit: int,
        question: str | None = None,
        filters: Filters = NO_FILTERS,
    ) -> SearchResult:
        """The `limit` best candidates of the workspace, best first, ungated.

        Store and embedder look for `query`. Coverage is that of `question`, where one is given:
        a query that was augmented with a critique's findings would pass off a chunk that repeats
        them as one that answers, and lower the coverage of one that does answer.

        With `filters` only what is within them is looked at, and nothing where one of them names
        what is not there. How rare a term is remains what it is in the whole workspace, so that
        the same passage scores the same.
        """
        workspace = await self._repository.workspace_by_id(workspace_id)
        if workspace is None:
            raise UnknownWorkspace(f"there is no workspace {workspace_id}; see `masis workspaces`")
        timings: dict[str, float] = {}
        text = question or query
        asked = terms(text)
        indexed, frequencies = await self._statistics(workspace_id, asked)
        candidates: list[EvidenceChunk] = []
        narrowing = await self._narrowed(workspace_id, filters) if indexed else None
        if indexed and not (narrowing and narrowing.finds_nothing):
            with timed(timings, "embedding"):
                asked_for = await self._asked_for(workspace_id, query, question)
            weights = told_cases.lowered(text, idf_weights(asked, indexed, frequencies))
            within = narrowing.scope if narrowing else None
            wanted = Question(workspace_id, text, asked, weights, asked_for[0][1], within)
            depth = max(RERANK_DEPTH, limit)
            if self._is_searched(workspace, text, narrowing):
                with timed(timings, "search"):
                    found = await self._found(wanted, asked_for, max(POOL, limit))
                candidates = await self._rerank.order(wanted, found, depth, timings)
            candidates = await self._with_attached(wanted, filters, candidates, depth, timings)
            candidates = await self._openings.marked(candidates)
            newer = [] if narrowing else successors(candidates[:limit])
            candidates = await self._with_newer(wanted, asked_for, candidates, newer, timings)
        candidates, by_model = await self._reranked(text, candidates, timings)
        candidates = in_force_first(text, diverse(candidates))
        candidates = shared(descending(candidates), limit)
        begins = await self._introduction(text, narrowing, candidates)
        result = self._result(workspace, indexed, candidates, timings, narrowing)
        return result.model_copy(update={"reranked": by_model, "introduction": begins})

    def with_files(self, attached: Attached) -> Self:
        """Return a search that finds in the files of one run's question as well."""
        beside = copy.copy(self)
        beside._attached = AttachedSearch(attached)  # noqa: SLF001 - its own copy
        return beside

    def forget(self, workspace_id: WorkspaceId) -> None:
        """Drop what is kept in memory of a workspace; to be called when something is deleted."""
        self._openings.forget(workspace_id)
        if self._sentences is not None:
            self._sentences.forget(workspace_id)

    def _result(
        self,
        workspace: Workspace,
        indexed: int,
        candidates: list[EvidenceChunk],
        timings: dict[str, float],
        narrowing: Narrowing | None,
    ) -> SearchResult:
        return SearchResult(
            candidates=candidates,
            indexed=indexed,
            workspace=workspace.name,
            lexical_only=self._embedder is None,
            timings={part: round(spent, 3) for part, spent in timings.items()},
            narrowed=narrowing.told if narrowing else None,
        )

    async def _statistics(
        self, workspace_id: WorkspaceId, asked: Sequence[str]
    ) -> tuple[int, dict[int, int]]:
        """Count the passages there are, and for each term id how many of them it stands in."""
        indexed, frequencies = await self._repository.term_frequencies(
            workspace_id, {term_id(term) for term in asked}
        )
        if self._attached is None:
            return indexed, frequencies
        count, beside = await self._attached.statistics(asked)
        both = Counter(frequencies) + Counter({term_id(t): n for t, n in beside.items()})
        return indexed + count, dict(both)

    def _is_searched(
        self, workspace: Workspace, question: str, narrowing: Narrowing | None
    ) -> bool:
        """Say whether to look in the workspace: not where files came with "what is this about?"."""
        if self._attached is None:
            return True
        is_theirs = narrowing is None and (self._attached.alone or asks_for_the_whole(question))
        return bool(workspace.chunks) and not is_theirs

    async def _with_attached(
        self,
        question: Question,
        filters: Filters,
        candidates: list[EvidenceChunk],
        depth: int,
        timings: dict[str, float],
    ) -> list[EvidenceChunk]:
        """The candidates with those of the run's files, judged alike, in one order."""
        if self._attached is None:
            return candidates

        async def embed(texts: Sequence[str]) -> Vectors | None:
            return await self._documents_embedded(question.workspace_id, texts)

        with timed(timings, "search"):
            found = await self._attached.nearest(question, filters, embed, POOL)
        beside = await self._rerank.order(question, found, depth, timings)
        both = sorted([*candidates, *beside], key=lambda chunk: -chunk.rank_score)
        return shared(distinct(both), depth)

    async def _documents_embedded(
        self, workspace_id: WorkspaceId, texts: Sequence[str]
    ) -> Vectors | None:
        if self._embedder is None:
            return None
        if self._sentences is not None:
            return await self._sentences.of(workspace_id, texts)
        return await self._embedder.embed(texts)

    async def _with_newer(
        self,
        question: Question,
        queries: Sequence[tuple[str, _Vector | None]],
        candidates: list[EvidenceChunk],
        newer: Sequence[str],
        timings: dict[str, float],
    ) -> list[EvidenceChunk]:
        """The candidates with what the documents say that replace one of them and were not found."""
        if not newer:
            return candidates
        within = replace(question, within=Scope(documents=frozenset(newer[:MOST_NEWER])))
        with timed(timings, "search"):
            found = await self._found(within, queries, NEWER_PASSAGES)
        beside = await self._rerank.order(within, found, NEWER_PASSAGES, timings)
        return _with_successors(candidates, beside)

    async def _reranked(
        self, question: str, candidates: list[EvidenceChunk], timings: dict[str, float]
    ) -> tuple[list[EvidenceChunk], bool | None]:
        """The candidates, and whether the reranker ordered them: not where it failed."""
        if self._reranker is None or not candidates:
            return candidates, None
        try:
            with timed(timings, "rerank"):
                return await reranked(self._reranker, question, candidates), True
        except (ModelServiceError, BudgetSpent) as error:
            log.warning("reranked by sentences alone: %s", error)
            return candidates, False

    async def _introduction(
        self, question: str, narrowing: Narrowing | None, found: Sequence[EvidenceChunk]
    ) -> list[EvidenceChunk]:
        """Find how the one named document begins, where the question asks for that as a whole.

        It is of the version that was found, so that nobody reads two versions side by side.
        """
        named = narrowing.named if narrowing and not narrowing.finds_nothing else None
        if not asks_for_the_whole(question):
            return []
        if self._attached is not None and (
            narrowing is None or (named is not None and self._attached.has(named))
        ):
            return self._attached.openings(named)
        if named is None:
            return []
        version_id = found[0].version_id if found else named.version_id
        return await introduction(self._repository, named, version_id)

    async def _narrowed(self, workspace_id: WorkspaceId, filters: Filters) -> Narrowing | None:
        if not filters:
            return None
        documents = await self._repository.documents(workspace_id)
        if self._attached is not None:  # they can be named as well
            documents = [*documents, *self._attached.documents]
        # Beside the event loop: names that are not there are compared with all that are.
        return await asyncio.to_thread(narrow, filters, documents)

    async def _asked_for(
        self, workspace_id: WorkspaceId, query: str, question: str | None
    ) -> list[tuple[str, _Vector | None]]:
        """Return the wordings to look for, each with its vector where there is an embedder."""
        queries = wordings(query, question, self._queries)
        vectors = await self._embedded(workspace_id, queries)
        vectors = await self._of_what_is_asked(workspace_id, question or query, vectors)
        return list(zip(queries, vectors, strict=True))

    async def _embedded(
        self, workspace_id: WorkspaceId, queries: Sequence[str]
    ) -> Sequence[_Vector | None]:
        if self._embedder is None:
            return [None] * len(queries)
        if self._sentences is not None:
            return list(await self._sentences.questions(workspace_id, queries))
        return list(await self._embedder.embed(queries, "query"))

    async def _of_what_is_asked(
        self, workspace_id: WorkspaceId, text: str, vectors: Sequence[_Vector | None]
    ) -> Sequence[_Vector | None]:
        """The vectors, the first of a case that is told with more of what it asks."""
        share = told_cases.share(text)
        whole = vectors[0] if share else None
        if whole is None:
            return vectors
        [part] = await self._embedded(workspace_id, [told_cases.parted(text).asked])
        return [blended(whole, part, share), *vectors[1:]] if part is not None else vectors

    async def _found(
        self, question: Question, queries: Sequence[tuple[str, _Vector | None]], limit: int
    ) -> list[EvidenceChunk]:
        """Find what the store has for each query and the database shows, in the order of fusion.

        `rank_score` is the fused score relative to the best one's, since its scale is the
        engine's own. All queries see the same versions: the database is asked once for all.
        """
        workspace_id = question.workspace_id
        profile = self._embedder.profile if self._embedder else None
        store = await self._stores.open(workspace_id, profile)
        scopes = _scopes(question.within)
        for _ in range(_LOOKS):
            hidden = await self._repository.hidden_versions(workspace_id)
            rankings = await asyncio.gather(
                *(
                    store.search(
                        vector, sparse_query(text), limit=limit, hidden=hidden, within=each
                    )
                    for each in scopes
                    for text, vector in queries
                )
            )
            ids = dict.fromkeys(hit.chunk_id for hits in rankings for hit in hits)
            known = await self._repository.chunks(workspace_id, list(ids))
            if len(known) == len(ids) and await self._is_still(workspace_id, hidden):
                break
        shown = [_shown(hits, known, question) for hits in rankings]
        found, unfiled = fused(shown[: len(queries)]), fused(shown[len(queries) :] or [[]])
        return _with_unfiled(found, unfiled, question.within)[:limit]

    async def _is_still(self, workspace_id: WorkspaceId, hidden: Sequence[str]) -> bool:
        """Say whether the same versions are hidden: one that was switched meanwhile is not found at all.

        Where none was, none was being written.
        """
        return not hidden or {*hidden} == {*await self._repository.hidden_versions(workspace_id)}


def _with_successors(
    candidates: Sequence[EvidenceChunk], beside: Sequence[EvidenceChunk]
) -> list[EvidenceChunk]:
    """The candidates, behind the first one of an older version what the one in force says."""
    waiting: dict[str, list[EvidenceChunk]] = {}
    inserted: set[str] = set()
    for chunk in beside:
        waiting.setdefault(chunk.document_id, []).append(chunk)
    found: list[EvidenceChunk] = []
    for chunk in candidates:
        newer = waiting.pop(chunk.replaced_by, [])[:NEWER_EACH]
        inserted.update(each.chunk_id for each in newer)
        as_near = [each.model_copy(update={"rank_score": chunk.rank_score}) for each in newer]
        found += [*([] if chunk.chunk_id in inserted else [chunk]), *as_near]
    return found


def _shown(
    hits: Sequence[Hit], known: Mapping[str, tuple[Chunk, Document]], question: Question
) -> list[EvidenceChunk]:
    """The hits that the database knows, each checked again."""
    best = max((hit.score for hit in hits), default=0.0)
    return [
        _evidence(*known[hit.chunk_id], hit, best)
        for hit in hits
        if hit.chunk_id in known
        and _is_the_same(hit, known[hit.chunk_id][0], question.workspace_id)
        and _is_within(known[hit.chunk_id][0], question.within)
    ]


def _scopes(within: Scope | None) -> list[Scope | None]:
    """List where to look.

    One more look is without a section, as points of earlier releases know of none.
    """
    if within is None or within.sections is None:
        return [within]
    return [within, Scope(documents=within.documents)]


def _with_unfiled(
    found: list[EvidenceChunk], others: Sequence[EvidenceChunk], within: Scope | None
) -> list[EvidenceChunk]:
    """Return what was found, and below it the others that are in the section.

    Their rows say that they are.
    """
    if within is None or within.sections is None:
        return found
    there = {chunk.chunk_id for chunk in found}
    return descending(
        [
            *found,
            *(
                chunk
                for chunk in others
                if chunk.chunk_id not in there and _stands_under(chunk.place, within.sections)
            ),
        ]
    )


def _stands_under(place: Place, sections: Sequence[Sequence[int]]) -> bool:
    said = terms(" ".join([*place.headings, place.sheet or ""]))
    held = {term_id(term) for term in said}
    return any(held.issuperset(section) for section in sections)


def _is_the_same(hit: Hit, chunk: Chunk, workspace_id: WorkspaceId) -> bool:
    """Checked again after store and database: a tenant's text must never reach another."""
    return chunk.workspace_id == workspace_id and chunk.version_id == hit.version_id


def _is_within(chunk: Chunk, scope: Scope | None) -> bool:
    """Checked again like the tenant: who names a file gets nothing from another one."""
    return scope is None or scope.documents is None or chunk.document_id in scope.documents


def _evidence(chunk: Chunk, document: Document, hit: Hit, best: float) -> EvidenceChunk:
    rank_score = hit.score / best if best > 0 else 0.0
    found = unscored(chunk, document)
    return found.model_copy(update={"cosine": hit.cosine, "rank_score": rank_score})
