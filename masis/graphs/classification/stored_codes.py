"""Find codes with the product's own search, in the code lists of a workspace."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from masis.codelists.code_list import KIND, KIND_FIELD, Code
from masis.codelists.described import GENERIC, called
from masis.codelists.index import CodeIndex
from masis.codelists.ranking import Ranked, SentenceEmbedder, by_group, ranked, spread
from masis.domain import EvidenceChunk, SearchResult, WorkspaceId
from masis.filters import NO_FILTERS, Filters
from masis.graphs.classification.agents import Found
from masis.graphs.classification.state import Above, Candidate
from masis.graphs.classification.thresholds import REPLY_WEIGHT
from masis.ports import Repository
from masis.retrieval.evidence import unscored
from masis.text.lexical import terms

SEARCHED: Final = 40
"""Passages of a search, whose codes are looked at beside those that share words."""
MOST_ABOUT: Final = 90
"""Characters of a row's description that a question back shows."""
WITH_PATH: Final = 8
"""Codes whose path may be shown."""
IN_LISTS: Final = Filters(fields=((KIND_FIELD, KIND),))


class Search(Protocol):
    """Searches a workspace as the researcher does."""

    async def search(
        self,
        workspace_id: WorkspaceId,
        query: str,
        *,
        limit: int,
        question: str | None = None,
        filters: Filters = NO_FILTERS,
    ) -> SearchResult:
        """At most `limit` candidates within `filters`, best first."""
        ...


class CodeLists(Protocol):
    """Knows the code lists of a workspace."""

    async def of(self, workspace_id: WorkspaceId) -> list[CodeIndex]:
        """Return them, by name."""
        ...


class StoredCodes:
    """Finds codes by what their rows say: words, and nearness of meaning."""

    def __init__(
        self,
        lists: CodeLists,
        search: Search,
        repository: Repository,
        embedder: SentenceEmbedder | None,
    ) -> None:
        self._lists = lists
        self._search = search
        self._repository = repository
        self._embedder = embedder

    async def find(
        self, workspace_id: WorkspaceId, texts: Sequence[str], *, kind: str = "", limit: int
    ) -> Found:
        """Return at most `limit` codes of one list that all of the texts together describe."""
        lists = await self._lists.of(workspace_id)
        if not lists or not texts:
            return Found([], [], 0.0, [each.codes.name for each in lists])
        searches = [
            await self._search.search(workspace_id, text, limit=SEARCHED, filters=IN_LISTS)
            for text in texts
        ]
        chunks = [chunk.chunk_id for each in searches for chunk in each.candidates]
        found = [
            _OfList(index, await self._ranked(index, workspace_id, texts, chunks))
            for index in _naming(named(lists, kind), texts)
        ]
        chosen = max(found, key=lambda each: each.best)
        best = chosen.best_of(limit, texts)
        near = [chunk for each in searches for chunk in each.candidates]
        held = chosen.code_index.codes.document_id
        relevance = max((c.score for c in near if c.document_id == held), default=0.0)
        names = [index.codes.name for index in lists if index is not chosen.code_index]
        evidence = await self._evidence(workspace_id, best)
        apart = await self._spread(chosen.code_index, workspace_id, texts)
        return Found(best, evidence, relevance, [chosen.code_index.codes.name, *names], apart)

    async def _spread(
        self, index: CodeIndex, workspace_id: WorkspaceId, texts: Sequence[str]
    ) -> float | None:
        """Tell how differently near a list is; where rows say more than titles their passages tell better."""
        if self._embedder is None or not index.has_titles_alone:
            return None
        return await spread(index, workspace_id, texts, self._embedder)

    async def _ranked(
        self,
        index: CodeIndex,
        workspace_id: WorkspaceId,
        texts: Sequence[str],
        chunks: Sequence[str],
    ) -> list[Candidate]:
        """Return the codes of one list, best first."""
        also = _named_chunks(index, texts)
        rankings = [
            await ranked(index, workspace_id, text, [*chunks, *also], self._embedder)
            for text in texts
        ]
        holders = index.holders(term for text in texts for term in terms(text))
        found = by_group(_averaged(rankings, _weights(texts)), index, " ".join(texts))
        return [_candidate(each, index, holders) for each in found]

    async def _evidence(
        self, workspace_id: WorkspaceId, found: Sequence[Candidate]
    ) -> list[EvidenceChunk]:
        """Return the passages of the rows that name the codes, and what stands above and below the best."""
        own = [each.chunk_ids[0] for each in found if each.chunk_ids]
        beside = [step.chunk_id for each in found[:WITH_PATH] for step in (*each.path, *each.below)]
        ids = list(dict.fromkeys(filter(None, [*own, *beside])))
        known = await self._repository.chunks(workspace_id, ids)
        return [unscored(*known[each]) for each in ids if each in known]


class _OfList(NamedTuple):
    """The codes of a list, best first."""

    code_index: CodeIndex
    candidates: list[Candidate]

    @property
    def best(self) -> float:
        """Tell how much its best code is favoured."""
        return max((each.score for each in self.candidates), default=-math.inf)

    def best_of(self, limit: int, texts: Sequence[str]) -> list[Candidate]:
        """Return the best codes, and those beyond that are named outright; first what was asked for."""
        named = _named(self.code_index, texts)
        beyond = [each for each in self.candidates[limit:] if each.code in named]
        found = [*self.candidates[:limit], *beyond]
        # What was said last stands first, so that a code is looked up by the first message alone.
        asked = self._asked(texts[-1])
        return [asked, *(each for each in found if each.code != asked.code)] if asked else found

    def _asked(self, text: str) -> Candidate | None:
        name = self.code_index.asked(text)
        if name in self.code_index.codes.children:
            own: Candidate | None = _group(self.code_index, name)
        else:
            own = next((each for each in self.candidates if each.code == name), None)
        score = max(self.best, 0.0)
        return own.model_copy(update={"is_asked": True, "score": score}) if own else None


def named(lists: Sequence[CodeIndex], kind: str) -> list[CodeIndex]:
    """Return the lists that words call by their names best, or all where they call none of them."""
    said = set(terms(kind)) - GENERIC
    shared = [len(called(said, each.codes.called)) for each in lists]
    most = max(shared, default=0)
    return [each for each, count in zip(lists, shared, strict=True) if count == most]


def _naming(lists: Sequence[CodeIndex], texts: Sequence[str]) -> Sequence[CodeIndex]:
    """Return the lists of which a text names a code outright, or all where none does."""
    return [each for each in lists if _named(each, texts)] or lists


def _named(index: CodeIndex, texts: Sequence[str]) -> set[str]:
    """Return the codes that somebody names, and those below them."""
    codes = {code for text in texts if (code := index.asked(text))}
    return codes.union(*(index.codes.children.get(code, ()) for code in codes))


def _named_chunks(index: CodeIndex, texts: Sequence[str]) -> list[str]:
    named = _named(index, texts) & index.at.keys()
    return [row.chunk_id for code in named for row in index.entries[index.at[code]].code.rows]


def _group(index: CodeIndex, name: str) -> Candidate:
    """Return a code that has others below it; nothing is classified as that."""
    codes = index.codes
    below = [
        _above(codes.by_code[each]).model_copy(update={"holds": codes.holds(each)})
        for each in codes.children[name]
    ]
    return _of_code(codes.by_code[name], index).model_copy(update={"below": below})


def _weights(texts: Sequence[str]) -> list[float]:
    """Tell how much each text counts: what was said last more, and what says much."""
    lasts = [REPLY_WEIGHT, *[1.0] * (len(texts) - 1)]
    return [
        last * math.sqrt(max(1, len(set(terms(text)))))
        for last, text in zip(lasts, texts, strict=True)
    ]


def _averaged(rankings: Sequence[Sequence[Ranked]], weights: Sequence[float]) -> list[Ranked]:
    """Rank codes by all texts; of a text that a code was not looked at for, it has the last place."""
    if len(rankings) == 1:
        return list(rankings[0])
    lowest = [min((each.score for each in ranking), default=0.0) for ranking in rankings]
    by_code = [{each.code.code: each for each in ranking} for ranking in rankings]
    codes = {each.code.code: each for ranking in rankings for each in ranking}
    made = []
    for name, each in codes.items():
        weighed = [
            weight * (held[name].score if name in held else low)
            for held, low, weight in zip(by_code, lowest, weights, strict=True)
        ]
        score = sum(weighed) / sum(weights)
        nearest = max(held[name].cosine for held in by_code if name in held)
        made.append(Ranked(each.code, score, nearest, each.coverage))
    return sorted(made, key=lambda each: -each.score)


def _above(code: Code) -> Above:
    chunk_id = code.rows[0].chunk_id if code.rows else ""
    return Above(code=code.code, title=code.title, chunk_id=chunk_id)


def _candidate(found: Ranked, index: CodeIndex, holders: Mapping[int, Sequence[str]]) -> Candidate:
    at = index.at[found.code.code]
    return _of_code(found.code, index).model_copy(
        update={
            "score": found.score,
            "cosine": found.cosine,
            "words": list(holders.get(at, ())),
            "row_terms": index.terms_of_row[at],
        }
    )


def _of_code(code: Code, index: CodeIndex) -> Candidate:
    return Candidate(
        code=code.code,
        title=code.title,
        document_id=index.codes.document_id,
        path=[_above(each) for each in index.codes.path(code.code)],
        score=0.0,
        about=_cut(code.description),
        chunk_ids=[row.chunk_id for row in code.rows],
        column=index.codes.columns[0],
        is_title_alone=index.has_titles_alone,
    )


def _cut(description: str) -> str:
    """Return the first sentence of a description on one line, cut where it is long."""
    line = " ".join(description.split())
    first = re.split(r"(?<=[.;])\s", line, maxsplit=1)[0].rstrip(".;")
    if len(first) <= MOST_ABOUT:
        return first
    return f"{first[:MOST_ABOUT].rsplit(' ', 1)[0].rstrip(' ,;:')} …"
