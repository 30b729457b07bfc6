"""Find the whole that a question asks for, and read it: documents, a list, an outline, a comparison."""

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from masis.domain import Document, EvidenceChunk, Question, WorkspaceId
from masis.extractive import comparison
from masis.extractive.wholes import listed, outline, parties, row_lines, several, sides, versions
from masis.extractive.wholes.collections import Collection, collections
from masis.extractive.wholes.text import as_text
from masis.extractive.wholes.values import MOST_CHARS, MOST_ROWS, FoundWhole, Whole, WholeLine
from masis.filters import Filters
from masis.graphs.research.agents import Draft, Researcher
from masis.graphs.research.wholes import whole_texts
from masis.policy import COVERAGE_GATE, RELEVANCE_THRESHOLD
from masis.ports import Repository
from masis.questions.whole_forms.asked_wholes import AskedWhole, asked_for
from masis.retrieval import named_documents, succession
from masis.retrieval.evidence import unscored
from masis.retrieval.narrowing import narrow
from masis.text.lexical import terms

MOST_CHUNKS: Final = 300
"""Of one document that are read."""
MOST_READ: Final = 8
"""Documents that are read for one whole."""
KIN: Final = 4
"""Documents that are called as is asked, before those that share a word with the first of them."""
MOST_SHEETS: Final = 6
SHEETS: Final = frozenset({"xlsx", "csv", "xls"})
"""Formats of lists, which a search for their name alone may miss."""
SEVERAL: Final = 2
"""Passages of a document that speak of a matter, so that the document does."""
_JOINED: Final = re.compile(r"\b[a-z]+(?:-[a-z]+)+\b")
NEAREST: Final = 6
"""The first passages of a search, of which a document must have half to be the one that is meant."""
MOST_OPTIONS: Final = 6
MOST_TABLES: Final = 4
CANDIDATES: Final = 20
OPENING: Final = 3
"""Chunks in which a document says what it replaces."""
PASSAGES_CHARS: Final = 24_000
"""Of the evidence of a summary that a model writes."""
FULLY_NAMED: Final = 0.90
WITH_ALL: Final = 0.90
BY_SEARCH: Final = 0.76
NAMED_AT_HEAD: Final = 0.70
"""Others may be named in no such line."""
VERSIONS: Final = 0.88
SIDE_BY_SIDE: Final = 0.86
ONE_MISSING: Final = 0.74
"""What is missing may stand in another table, under another name."""
TOLD_APART: Final = 0.82
"""Each of the two has lines or a section of its own."""
_OWN: Final = re.compile(r"\b(?:do|have) we\b|\bour\b", re.IGNORECASE)
_AGREEMENT: Final = re.compile(r"\b(?:agreement|contract)\b", re.IGNORECASE)
_OF_OTHERS: Final = re.compile(
    r"\b(?:agreement|contract|account plan|order|offer|quotation)\b", re.IGNORECASE
)
"""How documents are called that list what another party has: no sites of who asks."""
_HAVING: Final = re.compile(r"\s+(?:do|have|are) (?:we|you|i|there)\b.*$", re.IGNORECASE)
LEAST_STRICT: Final = 0.78
"""How sure a list must be where the question may ask for a fact as well."""
ONE_DOCUMENT: Final = 0.5


class WholeFinder:
    """Reads wholes from the documents that a question names, or that a search finds.

    With `passages` the evidence of a summary is all that was read, as far as a prompt has room for it.

    Raises:
        StoreUnavailable: the database or the vectors cannot be read.
    """

    def __init__(
        self, repository: Repository, researcher: Researcher, *, passages: bool = False
    ) -> None:
        self._repository = repository
        self._researcher = researcher
        self._passages = passages

    async def find(
        self, workspace_id: WorkspaceId, question: str, filters: Filters
    ) -> FoundWhole | None:
        """Return the whole that a question asks for; None where it asks for none, or none is there."""
        # Beside the event loop, like all below that reads a list or parts texts into sentences.
        asked = await asyncio.to_thread(asked_for, question)
        if asked is None:
            return None
        documents = await self._documents(workspace_id, filters)
        if not documents:
            return None
        asked = await asyncio.to_thread(_in_their_words, asked, documents)
        reading = _Reading(self._repository, self._researcher, workspace_id, documents, filters)
        match asked.kind:
            case "documents":
                return await reading.documents_of(asked)
            case "summary":
                found = await reading.summary_of(asked)
                return _with_passages(found, reading.read) if found and self._passages else found
            case "list":
                return await reading.list_of(asked)
            case "compare":
                return await reading.comparison_of(asked, question)

    async def draft(
        self,
        question: Question,  # the lines say it
        whole: Whole,
        evidence: Sequence[EvidenceChunk],  # the same
    ) -> Draft:
        """The lines as they stand in their sources, each cited."""
        return Draft(text=as_text(whole))

    async def _documents(self, workspace_id: WorkspaceId, filters: Filters) -> list[Document]:
        """The documents that are looked at."""
        found = await self._repository.documents(workspace_id)
        if not filters:
            return found
        narrowing = narrow(filters, found)
        within = narrowing.scope.documents
        if narrowing.finds_nothing:
            return []
        return [each for each in found if within is None or each.id in within]


class _Reading:
    """Reads for one question."""

    def __init__(
        self,
        repository: Repository,
        researcher: Researcher,
        workspace_id: WorkspaceId,
        documents: Sequence[Document],
        filters: Filters,
    ) -> None:
        self._repository = repository
        self._researcher = researcher
        self._workspace_id = workspace_id
        self._documents = documents
        self._filters = filters
        self.read: list[EvidenceChunk] = []
        """What a summary was made from."""

    # --- documents

    async def documents_of(self, asked: AskedWhole) -> FoundWhole | None:
        """Return the documents that there are: all, those of a kind, or those on a matter."""
        count = len(self._documents)
        if not asked.of and not asked.papers:
            ordered = sorted(self._documents, key=_latest_first)
            shown = ordered[:MOST_ROWS]
            return await self._listed(shown, whole_texts.all_documents(count, len(shown)), WITH_ALL)
        if asked.papers:
            found = await asyncio.to_thread(self._of_kind, asked)
            if found is None:
                return await self.list_of(
                    AskedWhole(kind="list", of=f"{asked.papers} {asked.of}", strict=True)
                )
            if found:
                shown = found[:MOST_ROWS]
                said = whole_texts.documents_of_kind(asked.papers, len(found), len(shown), count)
                return await self._listed(shown, said, WITH_ALL)
            of_kind = await asyncio.to_thread(
                named_documents.of_kind, asked.papers, self._documents
            )
            if asked.of and (about := await self._about(asked.of, of_kind)):
                return about
            asked = asked.model_copy(update={"of": asked.of or asked.papers})
        found = await asyncio.to_thread(self._called, asked)
        if found:
            shown = found[:MOST_ROWS]
            said = whole_texts.documents_of_kind(asked.of, len(found), len(shown), count)
            return await self._listed(shown, said, WITH_ALL)
        return await self._about(asked.of, self._documents)

    def _called(self, asked: AskedWhole) -> list[Document]:
        """The documents that are called as is said before their kind: "HR documents"."""
        return named_documents.named(asked.of, self._documents) if asked.narrowed else []

    def _of_kind(self, asked: AskedWhole) -> list[Document] | None:
        """The documents of a kind, narrowed by what they are of; None where there is no such kind."""
        found = named_documents.of_kind(asked.papers, self._documents)
        if not found:
            return None
        return named_documents.named(asked.of, found) if asked.of else found

    async def _about(self, of: str, among: Sequence[Document]) -> FoundWhole | None:
        """The documents whose names say a matter, and those of which a passage was found."""
        by_name = await asyncio.to_thread(named_documents.saying, of, among)
        best = await self._best_passages(of, among=by_name)
        by_id = {each.id: each for each in among}
        beside = (each for each in best if each not in by_name and each in by_id)
        ordered = [*by_name, *beside]
        if not ordered:
            return None
        shown = [by_id[each] for each in ordered][:MOST_ROWS]
        said = whole_texts.documents_about(of, len(ordered), len(shown), len(self._documents))
        sure = FULLY_NAMED if by_name else BY_SEARCH
        return await self._listed(shown, said, sure, best)

    async def _best_passages(self, of: str, among: Sequence[str]) -> dict[str, EvidenceChunk]:
        """The best passage of each document that speaks of a matter.

        Beside documents that are called so only those count that have it over a passage, or in several.
        """
        ways = named_documents.alternatives(of)
        best: dict[str, EvidenceChunk] = {}
        said_in: Counter[str] = Counter()
        headed: set[str] = set(among)
        for chunk in await self._candidates(of):
            near = chunk.score >= RELEVANCE_THRESHOLD or chunk.coverage >= COVERAGE_GATE
            said = set(terms(f"{chunk.context} {chunk.text}"))
            fitting = [way for way in ways if named_documents.all_in(way, said)]
            if near and fitting and _says_together(of, chunk):
                best.setdefault(chunk.document_id, chunk)
                said_in[chunk.document_id] += 1
                above = set(terms(f"{' '.join(chunk.place.headings)} {chunk.place.sheet or ''}"))
                # Two words or more of a matter are hardly said by chance.
                if any(len(way) > 1 or named_documents.all_in(way, above) for way in fitting):
                    headed.add(chunk.document_id)
        if not among:
            return best
        return {key: c for key, c in best.items() if key in headed or said_in[key] >= SEVERAL}

    async def _listed(
        self,
        shown: Sequence[Document],
        said: str,
        confidence: float,
        best: dict[str, EvidenceChunk] | None = None,
    ) -> FoundWhole | None:
        """A line for each document, which cites its best passage or how it begins."""
        lines, evidence = [], []
        for document in shown:
            chunk = (best or {}).get(document.id)
            if chunk is None:
                found = await self._chunks(document, most=1)
                if not found:
                    continue
                chunk = found[0]
            evidence.append(chunk)
            text = whole_texts.document_line(document, document.name)
            lines.append(WholeLine(text=text, ids=[chunk.chunk_id]))
        if not lines:
            return None
        whole = Whole(kind="documents", said=said, lines=lines, confidence=confidence)
        return FoundWhole(whole=whole, evidence=evidence)

    # --- summaries

    async def summary_of(self, asked: AskedWhole) -> FoundWhole | None:
        """Return the outline of the one document that is named, or ask which of several."""
        named = await asyncio.to_thread(named_documents.named, asked.of, self._documents)
        if asked.strict and not _is_named(asked.of, named):
            return None
        if not named and not asked.strict:
            named = await self._nearest(asked.of)
        found = await self._in_force(named, asked.of)
        if self._filters.files and len(self._documents) == 1:
            found = list(self._documents)
        if len(found) > 1:
            if asked.strict or len(found) > MOST_OPTIONS:
                return None
            names = [each.name for each in found]
            return FoundWhole(options=names, asked_back=whole_texts.which_document(found))
        if not found:
            return None
        chunks = await self._chunks(found[0])
        self.read = chunks
        lines, count = await asyncio.to_thread(outline.outlined, chunks)
        if not lines:
            return None
        shown = min(count, outline.MOST_PARTS)
        said = whole_texts.outline_of(chunks[0], shown, count)
        whole = Whole(kind="summary", said=said, lines=lines, confidence=FULLY_NAMED, written=True)
        return _found(whole, chunks)

    async def _nearest(self, of: str) -> list[Document]:
        """The document that a search finds first by far, and whose name has a word of what is asked for.

        "The rules for hiring our rooms" names none, and is told by "Hire of premises".
        """
        found = await self._candidates(of)
        order = list(dict.fromkeys(chunk.document_id for chunk in found))
        counts = Counter(chunk.document_id for chunk in found[:NEAREST])
        named = await asyncio.to_thread(named_documents.with_any_word, of, self._documents)
        left = [each for each in named if each.id in order]
        if not left or not order:
            return []
        best = max(left, key=lambda each: (counts[each.id], -order.index(each.id)))
        is_first = order[0] == best.id or counts[best.id] * 2 >= min(NEAREST, len(found))
        return [best] if is_first else []

    async def _in_force(self, found: Sequence[Document], of: str) -> list[Document]:
        """The documents without older versions of others of them, unless a time is asked for."""
        if len(found) <= 1 or named_documents.moment_of(of).is_given:  # a choice
            return list(found)
        openings = [
            chunk for each in found[:MOST_READ] for chunk in await self._chunks(each, most=3)
        ]
        older = succession.older_versions(openings)
        return [each for each in found if each.id not in older]

    # --- lists

    async def list_of(self, asked: AskedWhole) -> FoundWhole | None:
        """Return the rows of what is listed, from the one or two places where they stand."""
        wanted = listed.wanted(asked.of)
        if wanted is None:
            return None
        read = await self._read(await self._likely(asked.of, wanted.head, tables=True))
        chosen = await asyncio.to_thread(self._chosen, asked, wanted, read)
        if chosen:
            return _found(_list_whole(chosen), *read)
        if wanted.head in parties.SUPPLYING:
            told = {chunks[0].document_id for chunks in read if chunks}
            more = await self._likely(parties.SUPPLY, wanted.head)
            read = [*read, *await self._read([each for each in more if each.id not in told])]
        return await asyncio.to_thread(_parties, asked, wanted, read)

    def _chosen(
        self, asked: AskedWhole, wanted: listed.Wanted, read: Sequence[Sequence[EvidenceChunk]]
    ) -> list[listed.Match]:
        """The lists that are meant, of documents in force."""
        found = self._collections(asked, read)
        by_id = {each.id: each for each in self._documents}

        def names(one: Collection) -> frozenset[str]:
            document = by_id.get(one.chunk.document_id)
            return named_documents.covered(asked.of, document) if document else frozenset()

        if parties.is_side(wanted.head):
            # In an agreement "Customer" stands over those people of it who are rung up.
            found = [each for each in found if not _AGREEMENT.search(each.chunk.title)]
        if _OWN.search(asked.of):
            found = [each for each in found if not _OF_OTHERS.search(each.chunk.title)]
        fitting = listed.matches(wanted, found, named_documents.like, names)
        if asked.strict:
            told = (chunk for chunks in read for chunk in chunks)
            fitting = listed.under_their_name(fitting, asked.of, told)
        least = LEAST_STRICT if asked.strict else 0.0
        return [each for each in listed.chosen(fitting) if each.confidence >= least]

    def _collections(
        self, asked: AskedWhole, read: Sequence[Sequence[EvidenceChunk]]
    ) -> list[Collection]:
        older = self._older(read, asked.of)
        current = [chunks for chunks in read if chunks and chunks[0].document_id not in older]
        return [each for chunks in current for each in collections(chunks)]

    async def _likely(self, of: str, head: str, *, tables: bool = False) -> list[Document]:
        """The documents that probably hold a list: those named so, those that a search finds, sheets."""
        named = await asyncio.to_thread(named_documents.with_term, head, self._documents)
        by_id = {each.id: each for each in self._documents}
        found = dict.fromkeys(chunk.document_id for chunk in await self._candidates(of))
        ordered = [by_id[each] for each in found if each in by_id]
        both = [each for each in ordered if each in named]
        rest = [each for each in named if each not in both][:2]
        sheets = [each for each in self._documents if tables and each.format in SHEETS]
        likely = [*both, *rest, *ordered[:MOST_READ], *sheets[:MOST_SHEETS]]
        return list({each.id: each for each in likely}.values())

    def _older(self, read: Sequence[Sequence[EvidenceChunk]], of: str) -> frozenset[str]:
        """The ids of the documents that another one replaces, unless a time is asked for."""
        if named_documents.moment_of(of).is_given:
            return frozenset()
        openings = [chunk for chunks in read for chunk in chunks[:OPENING]]
        return named_documents.replaced(self._documents).union(succession.older_versions(openings))

    # --- comparisons

    async def comparison_of(self, asked: AskedWhole, question: str) -> FoundWhole | None:
        """Return what differs between two versions, or two things in the same respects."""
        of = several.several(question)
        if of and (found := await self._several(asked, of)):
            return found
        pair = comparison.sides(question) or sides.pair_of(asked.sides)
        if pair and (found := await self._side_by_side(asked, pair)):
            return found
        return await self._changes(asked) if asked.versions else None

    async def _changes(self, asked: AskedWhole) -> FoundWhole | None:
        pair = await self._versions(asked.of)
        if pair is None:
            return None
        old, new = await self._read(pair)
        if not old or not new:
            return None
        names = named_documents.words_of(pair[0]) | named_documents.words_of(pair[1])
        subject = [
            t
            for t in named_documents.wanted_words(asked.of)
            if named_documents.instead(t).isdisjoint(names) and not named_documents.is_kind(t)
        ]
        found = await asyncio.to_thread(versions.changes, old, new)
        lines = versions.lines(found, subject)
        if not lines:
            return None
        shown = _within(lines, versions.MOST_CHANGES, versions.MOST_TOGETHER)
        said = whole_texts.changes_between(old[0], new[0], len(shown), len(lines))
        whole = Whole(kind="compare", said=said, lines=shown, confidence=VERSIONS, written=True)
        return _found(whole, old, new)

    async def _versions(self, of: str) -> tuple[Document, Document] | None:
        """The two versions that are meant, the older one first."""
        succeeded = await self._succeeded(of)
        return await asyncio.to_thread(named_documents.versions, of, self._documents, succeeded)

    async def _succeeded(self, of: str) -> list[tuple[Document, Document]]:
        """Pairs of documents of which the second replaces the first, by what they say."""
        named = await asyncio.to_thread(
            named_documents.with_any_word,
            named_documents.without_moment(of),
            self._documents,
        )
        # What it replaces may be called otherwise, but not by none of its words.
        of_first = named[0].title if named else ""
        kin = await asyncio.to_thread(named_documents.with_any_word, of_first, self._documents)
        kin = list({each.id: each for each in [*named[:KIN], *kin, *named]}.values())
        likely = kin[:MOST_READ]
        chunks = [chunk for each in likely for chunk in await self._chunks(each, most=6)]
        by_id = {each.id: each for each in likely}
        older = succession.older_versions(chunks)
        return [(by_id[old], by_id[new.document_id]) for old, new in older.items()]

    async def _side_by_side(
        self, asked: AskedWhole, pair: tuple[comparison.Side, comparison.Side]
    ) -> FoundWhole | None:
        read = await self._read(await self._likely(asked.of, pair[0].words[-1]))
        found = await asyncio.to_thread(self._collections, asked, read)
        names = {word for side in pair for word in side.words}
        narrowing = [term for term in terms(asked.of) if term not in names]
        tables = sides.compared(pair, found, narrowing)[:MOST_TABLES]
        if not tables:
            return await asyncio.to_thread(self._stated, asked, pair, read)
        lines = [line for each in tables for line in each.lines][: sides.MOST_RESPECTS]
        names_of = dict.fromkeys(each.collection.chunk.document for each in tables)
        one, other = tables[0].names
        said = whole_texts.compared(one, other, " and ".join(names_of), len(lines))
        whole = Whole(kind="compare", said=said, lines=lines, confidence=SIDE_BY_SIDE, written=True)
        return _found(whole, *read)

    async def _several(self, asked: AskedWhole, of: several.Several) -> FoundWhole | None:
        """Three things or more, from the table that has most of them."""
        head = next(reversed(terms(" ".join(of.names))), "")
        read = await self._read(await self._likely(asked.of, head, tables=True))
        found = await asyncio.to_thread(self._collections, asked, read)
        tables = several.compared(of, found)[:1]
        if not tables:
            return None
        told = tables[0]
        said = whole_texts.compared_several(told)
        more = [whole_texts.lacks(told)] if told.missing else []
        sure = ONE_MISSING if told.missing else SIDE_BY_SIDE
        whole = Whole(kind="compare", said=said, lines=told.lines, more=more, confidence=sure)
        return _found(whole, *read)

    def _stated(
        self,
        asked: AskedWhole,
        pair: tuple[comparison.Side, comparison.Side],
        read: Sequence[Sequence[EvidenceChunk]],
    ) -> FoundWhole | None:
        """What a document in force tells of each of the two, in lines or sections of their own."""
        older = self._older(read, asked.of)
        current = [chunks for chunks in read if chunks and chunks[0].document_id not in older]
        lines = next((told for chunks in current if (told := sides.stated(pair, chunks))), [])
        if not lines:
            return None
        by_id = {chunk.chunk_id: chunk for chunks in current for chunk in chunks}
        said = whole_texts.told_apart(by_id[lines[0].ids[0]].document)
        whole = Whole(kind="compare", said=said, lines=lines, confidence=TOLD_APART, written=True)
        return _found(whole, *current)

    # --- reading

    async def _candidates(self, of: str) -> list[EvidenceChunk]:
        found = await self._researcher.search(
            self._workspace_id, of, limit=CANDIDATES, question=of, filters=self._filters
        )
        return found.candidates

    async def _read(self, documents: Iterable[Document]) -> list[list[EvidenceChunk]]:
        return [await self._chunks(each) for each in documents]

    async def _chunks(self, document: Document, most: int = MOST_CHUNKS) -> list[EvidenceChunk]:
        """The chunks of a document in order, checked again after the database."""
        places = range(min(document.chunks, most))
        found = await self._repository.neighbours(self._workspace_id, document.version_id, places)
        return [
            unscored(chunk, document)
            for chunk in found
            if (chunk.workspace_id, chunk.document_id) == (self._workspace_id, document.id)
        ]


def _in_their_words(asked: AskedWhole, documents: Sequence[Document]) -> AskedWhole:
    """What is asked for with its words as the names of documents have them."""
    told = {"of": named_documents.in_their_words(asked.of, documents)}
    return asked.model_copy(update=told)


def _says_together(of: str, chunk: EvidenceChunk) -> bool:
    """Say whether the words that a question joins by hyphens stand together in a passage too."""
    joined = [re.split("-", each) for each in _JOINED.findall(of.lower())]
    said = f"{chunk.context} {chunk.text}".lower()
    ways = [r"[-\s]?".join(map(re.escape, parts)) for parts in joined]
    return all(re.search(rf"\b{way}", said) for way in ways)


def _is_named(of: str, found: Sequence[Document]) -> bool:
    """Say whether a name is of documents, and not of a thing that they speak of.

    It has a word for a kind of document, or is most of the title of the one that has it, or its time.
    """
    return named_documents.speaks_of_kind(of) or (
        len(found) == 1
        and (named_documents.is_most_of(of, found[0]) or named_documents.has_age(of))
    )


def _list_whole(chosen: Sequence[listed.Match]) -> Whole:
    """The entries of all chosen lists as lines under the name of each."""
    lines: list[WholeLine] = []
    more: list[str] = []
    leads: list[str] = []
    for match in chosen:
        found = row_lines.entries(match)
        shown = found[: max(0, MOST_ROWS - len(lines))]
        if not shown:
            continue
        lead = whole_texts.rows_of(match, len(shown), len(found))
        leads.append(lead)
        lines += row_lines.worded(match, shown, lead, MOST_CHARS // len(chosen))
        if left := len(found) - len(shown):
            more.append(whole_texts.more_rows(left, match))
    sure = min(match.confidence for match in chosen)
    return Whole(kind="list", said=" ".join(leads), lines=lines, more=more, confidence=sure)


def _parties(
    asked: AskedWhole, wanted: listed.Wanted, read: Sequence[Sequence[EvidenceChunk]]
) -> FoundWhole | None:
    """Return who is named so at the head of documents, where none lists them."""
    if wanted.narrowing or len(wanted.core) > 1:
        return None
    lines = parties.parties(wanted, read, named_documents.like)
    if not lines:
        return None
    said = whole_texts.named_as(_HAVING.sub("", asked.of), len(read))
    whole = Whole(kind="list", said=said, lines=lines, confidence=NAMED_AT_HEAD, may_lack=True)
    return _found(whole, *read)


def _within(lines: Sequence[WholeLine], most: int, room: int) -> list[WholeLine]:
    """The first lines that fit."""
    shown: list[WholeLine] = []
    for line in lines[:most]:
        if sum(len(each.text) for each in shown) + len(line.text) > room:
            break
        shown.append(line)
    return shown


def _with_passages(found: FoundWhole, read: Sequence[EvidenceChunk]) -> FoundWhole:
    """With all that was read, in its order, as far as a prompt has room; what is cited has it first."""
    cited = {chunk.chunk_id for chunk in found.evidence}
    room = PASSAGES_CHARS - sum(len(chunk.text) for chunk in found.evidence)
    kept: list[EvidenceChunk] = []
    for chunk in read:
        if chunk.chunk_id not in cited:
            room -= len(chunk.text)
        if chunk.chunk_id in cited or room >= 0:
            kept.append(chunk)
    return found.model_copy(update={"evidence": kept})


def _found(whole: Whole, *read: Iterable[EvidenceChunk]) -> FoundWhole:
    """A whole with the chunks that its lines stand in, in their order."""
    by_id = {chunk.chunk_id: chunk for chunks in read for chunk in chunks}
    return FoundWhole(whole=whole, evidence=[by_id[chunk_id] for chunk_id in whole.cited])


def _latest_first(document: Document) -> tuple[int, str]:
    return (-document.date.toordinal() if document.date else 0, document.name)
