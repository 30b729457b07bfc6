"""The agents without a model service: they quote, compare and measure, and never make up a word."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np

from masis.answering import citations
from masis.domain import CitationAudit, Critique, EvidenceChunk, Question, Scores, WorkspaceId
from masis.extractive import (
    answer_reading,
    answerability,
    answers,
    comparison,
    conflict,
    given_values,
    instructed,
    selection,
    summary,
    tiers,
)
from masis.extractive.render import Statement, as_text, statements
from masis.graphs.research import texts
from masis.graphs.research.agents import Audit, Draft, Judgement, Summaries
from masis.phrases import counted_events, held_roles, told_cases
from masis.ports import AnswerReader, Repository, Vectors
from masis.questions import choice, question_audit
from masis.questions.question_audit import Vocabulary
from masis.retrieval import extraction, introduction, succession
from masis.retrieval.extraction import Scored
from masis.retrieval.sentence_vectors import SentenceVectors, blended
from masis.text import lexical
from masis.words import synonyms

MAX_CONFLICTS: Final = 3
SAME_THING: Final = 0.7
"""From this cosine on a sentence speaks of what was asked (relevance 0.90 of the bundled embedder)."""
NO_OTHER_ANSWER: Final = 0.30
"""The most that a draft is trusted where no statement that disagreed counts, and no passage that is
left gives another answer: what else the documents say of the matter is not what was asked."""
NO_VALUE: Final = 0.30
"""The most that a draft is trusted none of whose statements can be the answer, by what is asked for."""
CHOSEN_LEAD: Final = 1.2
"""A statement that the asker chose scores so much of the best one: others of its document may follow
it, those of other documents hardly ever reach it."""
SUCCESSOR_FLOOR: Final = 0.65
"""An older version is passed over where the one in force has a passage of this share of its score."""
_WORD: Final = re.compile(r"[\w'’-]+")
_FIGURE_OF_CASE: Final = re.compile(r"(?!(?:19|20)\d\d$)\d+k?")
"""A figure of who asks: "over 500" is told by a limit of 1,500. A year is none."""


_Pair = tuple[Scored, Scored]


class Lexicon(Protocol):
    """Weigh terms by how rare they are in a workspace."""

    async def weights(self, workspace_id: WorkspaceId, question: str) -> dict[str, float]:
        """The IDF of each of the question's terms."""
        ...


class WorkspaceLexicon:
    """Term weights from the workspace's own documents."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def weights(self, workspace_id: WorkspaceId, question: str) -> dict[str, float]:
        """The IDF of each of the question's terms, an unknown one weighing most."""
        asked = lexical.terms(question)
        ids = {lexical.term_id(term) for term in asked}
        chunks, frequencies = await self._repository.term_frequencies(workspace_id, ids)
        return lexical.idf_weights(asked, chunks, frequencies)


@dataclass(frozen=True, slots=True)
class Reading:
    """The evidence, read with a question in mind."""

    scored: list[Scored]
    vectors: Vectors | None
    parts_near: list[list[float]]
    weights: Mapping[str, float]


class Reader:
    """Parts evidence into passages and scores them: the work that all three agents share."""

    def __init__(self, lexicon: Lexicon, vectors: SentenceVectors | None) -> None:
        self._lexicon = lexicon
        self._vectors = vectors

    async def weights(self, question: str, evidence: Sequence[EvidenceChunk]) -> dict[str, float]:
        """The term weights of the evidence's workspace."""
        return await self._lexicon.weights(evidence[0].workspace_id, question)

    async def read(self, question: str, evidence: Sequence[EvidenceChunk]) -> Reading:
        """Every quotable passage with its score."""
        await asyncio.to_thread(synonyms.bundled)  # a file, which is read the first time
        found = extraction.passages(evidence)
        weights = told_cases.lowered(question, await self.weights(question, evidence))
        if self._vectors is None:
            scored = extraction.score(question, found, None, None, weights)
            return Reading(scored, None, [], weights)
        workspace_id = evidence[0].workspace_id
        texts = [extraction.embedded_text(passage) for passage in found]
        vectors = await self._vectors.of(workspace_id, texts)
        asked = await self._vectors.question(workspace_id, question)
        if share := told_cases.share(question):
            clause = told_cases.parted(question).asked
            alone = await self._vectors.question(workspace_id, clause)
            asked = blended(asked, alone, share)
        scored = extraction.score(question, found, asked, vectors, weights)
        parts = [
            await self._vectors.question(workspace_id, part) for part in extraction.parts(question)
        ]
        return Reading(scored, vectors, [(vectors @ part).tolist() for part in parts], weights)

    async def cosines(
        self, question: str, texts: Sequence[str], evidence: Sequence[EvidenceChunk]
    ) -> list[float]:
        """Measure how near each text is to the question. All are zero without an embedder."""
        if self._vectors is None or not texts:
            return [0.0] * len(texts)
        workspace_id = evidence[0].workspace_id
        vectors = await self._vectors.of(workspace_id, texts)
        asked = await self._vectors.question(workspace_id, question)
        return [float(value) for value in vectors @ asked]


class OfflineSynthesizer:
    """Quotes the best sentences, four at most or a short list whole, each cited, in reading order.

    Of a document that is asked for as a whole it quotes the first ones.
    Of two versions of a document the one in force is quoted, unless the older one is asked for;
    where that says otherwise, it follows, marked as such. Of two that disagree only the one is
    quoted that the question names or that was chosen, or both where both are wished.
    """

    max_context_chars: int | None = None

    def __init__(self, reader: Reader, answers: AnswerReader | None = None) -> None:
        self._reader = reader
        self._answers = answers

    async def draft(
        self,
        question: Question,
        evidence: Sequence[EvidenceChunk],
        critique: Critique | None,  # a wider search is what a retry changes here
    ) -> Draft:
        """The quoted answer; never empty, since evidence never is."""
        asked = question.standalone
        reading = await self._reader.read(asked, evidence)
        if begins := _first(reading.scored, introduction.opening(evidence)):
            return Draft(text=as_text(asked, begins, evidence, in_order=True))
        older = succession.older_versions(evidence)
        pairs = conflict.conflicts(asked, reading.scored)
        if sides := _both(question, reading.scored, pairs):
            return Draft(text=_side_by_side(asked, sides, evidence))
        wanted = _asked_for(question, evidence, older)
        overruled = _overruled(question, pairs)
        replaced = {older[old].document_id for old in wanted}
        if replaced:  # what both versions say was read in the one in force
            kept = [chunk for chunk in evidence if chunk.document_id not in replaced]
            reading = await self._reader.read(asked, kept)
        passed = {old: newer for old, newer in older.items() if old not in wanted}
        current = [s for s in _in_force(reading.scored, passed) if s.passage.key not in overruled]
        for pair in _unsettled(question, pairs, older)[:1]:
            # The two that disagree are what has to be read; the rest waits until it is settled.
            return Draft(text=as_text(asked, pair, evidence))
        if compared := _comparison(asked, reading, evidence):
            return Draft(text=compared)
        if points := summary.points(asked, current):
            return Draft(text=as_text(asked, points, evidence, in_order=True))
        chosen = await self._chosen(question, reading, current)
        chosen += _outdated(pairs, chosen, older)
        replaced_by = {chunk.document_id: chunk for chunk in evidence if chunk.replaced_by}
        return Draft(text=_written(asked, chosen, evidence, replaced_by | older))

    async def _chosen(
        self, question: Question, reading: Reading, current: list[Scored]
    ) -> list[Scored]:
        """Choose the sentences that answer, in the shape that the question asks for."""
        asked = question.standalone
        # Of "2 to 5 years" it is known that it holds for four, however alike the other rows read.
        current = tiers.of_the_number(asked, tiers.of_the_tier(asked, current))
        current = selection.readable(current, compares=comparison.compares(asked))
        current = selection.of_the_month(asked, current)
        current = instructed.of_the_place(asked, instructed.answering(asked, current))
        current = instructed.of_the_name(asked, current)
        # Worded anew, a question may ask for it no more.
        current = instructed.as_asked(f"{question.text}\n{asked}", current)
        current = instructed.of_the_files(asked, instructed.of_the_code(asked, current))
        current = await answer_reading.judged(self._answers, asked, current)
        current = instructed.ruling(asked, current)
        current = _chosen_first(question, current)
        shape = _shape(asked)
        if shape in {"any", "steps"} and not extraction.asks_for_list(asked):
            current = tiers.of_the_kind(f"{question.text}\n{asked}", current)
        if shape == "name":
            current = extraction.holding_role(asked, current)
        if listed := _of_a_kind(asked, shape, current):
            current, shape = listed, "all"
        return selection.choose(
            current,
            reading.vectors,
            reading.parts_near,
            wants_list=shape == "all" or extraction.asks_for_list(asked),
            shape=shape,
        )

    async def summarise(
        self,
        question: Question,  # there is no prompt to fit
        chunks: Sequence[EvidenceChunk],  # the same
    ) -> Summaries:
        """Nothing to shorten: there is no prompt."""
        return Summaries(by_chunk={})


class OfflineCritic:
    """Measures whether the quotes answer the question, and whether the sources disagree."""

    def __init__(
        self,
        reader: Reader,
        model: answerability.Model = answerability.FITTED,
        answers: AnswerReader | None = None,
        vocabulary: Vocabulary | None = None,
    ) -> None:
        self._reader = reader
        self._model = model
        self._answers = answers
        self._vocabulary = vocabulary

    async def audit(
        self,
        question: Question,
        draft: str,
        evidence: Sequence[EvidenceChunk],
        passed_over: Sequence[EvidenceChunk] = (),
    ) -> Audit:
        """Confidence from the signals of answerability; gaps are the words that nothing covers."""
        asked = question.standalone
        reading = await self._reader.read(asked, evidence)
        older = succession.older_versions(evidence)
        pairs = _unsettled(question, conflict.conflicts(asked, reading.scored), older)
        possible = (
            [] if pairs else _unsettled(question, conflict.doubts(asked, reading.scored), older)
        )
        if not pairs and not possible:
            possible = await self._doubts_beside(question, evidence, passed_over)
        gaps = [] if introduction.opening(evidence) else _uncovered(asked, evidence)
        confidence = await self._confidence(question, evidence, reading)
        if _set_all_aside(question) and not _gives_another(asked, reading.scored):
            confidence = min(confidence, NO_OTHER_ANSWER)
        now = question_audit.latest(question)
        if _is_of_the_past(question, draft, evidence, older):
            confidence = min(confidence, NO_VALUE)
        if _lacks_value(now, draft, evidence) or question_audit.leaves_open(now, draft, evidence):
            confidence = min(confidence, NO_VALUE)
        critique = Critique(
            confidence=confidence,
            logical_gaps=[f"{texts.NOT_MENTIONED}{', '.join(gaps)}"] if gaps else [],
            conflicting_evidence=[_described(*pair) for pair in pairs[:MAX_CONFLICTS]],
            possible_conflicts=[_described(*pair) for pair in possible[:MAX_CONFLICTS]],
        )
        return Audit(critique=critique)

    async def _doubts_beside(
        self,
        question: Question,
        evidence: Sequence[EvidenceChunk],
        passed_over: Sequence[EvidenceChunk],
    ) -> list[_Pair]:
        """Find what may say otherwise among passages left out of the evidence.

        They were found by the search, too.
        """
        asked = question.standalone
        if not passed_over or not conflict.names_something(asked):
            return []
        found = [*evidence, *passed_over]
        scored = (await self._reader.read(asked, found)).scored
        kept = {chunk.chunk_id for chunk in evidence}
        doubts = conflict.doubts(asked, scored, kept)
        return _unsettled(question, doubts, succession.older_versions(found))

    async def _confidence(
        self, question: Question, evidence: Sequence[EvidenceChunk], reading: Reading
    ) -> float:
        found = await self.signals(question, evidence, reading)
        return self._model.confidence(found) if found else 0.0

    async def signals(
        self, question: Question, evidence: Sequence[EvidenceChunk], reading: Reading
    ) -> answerability.Signals | None:
        """Read the signals of what was found, as to what is asked now; None where nothing was.

        That a document was asked for by name says nothing of an answer.
        """
        found = introduction.found(evidence)
        if not found:
            return None
        if len(found) < len(evidence):
            reading = await self._reader.read(question.standalone, found)
        asked = question_audit.latest(question)
        # What is told of another place, or of another year of a table, speaks for no answer.
        scored = tiers.of_the_number(asked, instructed.of_the_place(asked, reading.scored))
        left = {s.passage.chunk.chunk_id for s in scored}
        found = [chunk for chunk in found if chunk.chunk_id in left] or found
        return answerability.signals(
            asked,
            scored,
            has_vectors=reading.vectors is not None,
            weights=reading.weights,
            parts_near=reading.parts_near,
            stopped=self._model.stopped,
            read=await answer_reading.read(self._answers, asked, found, scored),
            typed=question.reply if asked == question.reply else question.text,
            is_absent=await question_audit.names_absent(
                asked, found, self._vocabulary, found[0].workspace_id
            ),
        )


class OfflineEvaluator:
    """Four scores from support, nearness and coverage."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def score(
        self,
        question: Question,
        answer: str,
        evidence: Sequence[EvidenceChunk],
        audit: CitationAudit,
        critique: Critique,
    ) -> Judgement:
        """Faithfulness is the share of claims that hold; the others follow the answer's signals."""
        said = statements(answer, evidence)
        query = question.standalone
        cosines = await self._reader.cosines(query, [s.text for s in said], evidence)
        weights = await self._reader.weights(query, evidence)
        asked = list(dict.fromkeys(lexical.terms(query)))
        covered = set(lexical.terms(" ".join(f"{s.context} {s.text}" for s in said)))
        held = 1.0 - len(audit.unsupported) / max(1, audit.claims)
        near = max(cosines, default=0.0) if any(cosines) else critique.confidence
        scores = Scores(
            faithfulness=_unit(held),
            relevance=_unit(0.5 * critique.confidence + 0.5 * min(1.0, near / SAME_THING)),
            completeness=_unit(lexical.coverage(asked, covered, weights)),
            reasoning_quality=_unit(0.5 + 0.5 * _coherence(said)),
        )
        return Judgement(scores=scores)


def _first(scored: Sequence[Scored], opening: Sequence[EvidenceChunk]) -> list[Scored]:
    """The first sentences of an opening, or its first rows and items where it has no sentence.

    They follow each other, and need no sentence before them.
    """
    at = {chunk.chunk_id: chunk.position for chunk in opening}
    there = [s for s in scored if s.passage.chunk.chunk_id in at]
    there.sort(key=lambda s: (at[s.passage.chunk.chunk_id], s.passage.index))
    sentences = [
        replace(s, passage=replace(s.passage, dangling=False))
        for s in there
        if s.passage.unit.kind == "sentence"
    ]
    return (sentences or there)[: selection.MAX_STATEMENTS]


def _shape(asked: str) -> selection.Shape:
    if comparison.compares(asked):
        return "compare"
    if held_roles.asks_who_is(asked):
        return "name"
    if extraction.asks_how_to(asked):
        return "steps"
    return "all" if extraction.asks_for_all(asked) else "any"


def _of_a_kind(asked: str, shape: selection.Shape, scored: Sequence[Scored]) -> list[Scored]:
    """The passages with the table of what is asked for first; none where a fact is asked for."""
    if shape not in {"any", "all"} or extraction.wanted(asked) != "any":
        return []
    return selection.of_a_kind(extraction.kinds_asked_for(asked), scored)


def _document(scored: Scored) -> str:
    return scored.passage.chunk.document_id


def _asked_for(
    question: Question, evidence: Sequence[EvidenceChunk], older: Mapping[str, EvidenceChunk]
) -> frozenset[str]:
    """The older versions that were chosen or asked for over the one in force."""
    first = {chunk.document_id: chunk for chunk in reversed(evidence)}
    return frozenset(
        old
        for old, newer in older.items()
        if choice.chosen(question, first[old], newer) is first[old]
        or succession.is_asked_for(question.standalone, first[old], newer)
    )


def _in_force(scored: Sequence[Scored], older: Mapping[str, EvidenceChunk]) -> list[Scored]:
    """The passages without those of older versions whose successor speaks of the question too."""
    best: dict[str, float] = {}
    for one in scored:
        best[_document(one)] = max(best.get(_document(one), 0.0), one.score)
    passed = {
        document
        for document, newer in older.items()
        if best.get(newer.document_id, 0.0) >= SUCCESSOR_FLOOR * best.get(document, 0.0)
    }
    return [one for one in scored if _document(one) not in passed]


def _unsettled(
    question: Question, pairs: Sequence[_Pair], older: Mapping[str, EvidenceChunk]
) -> list[_Pair]:
    """The pairs that disagree while both of their documents are in force, and nobody has chosen.

    A file that comes with the question is about another matter than the documents.
    """
    overruled = _overruled(question, pairs)
    return [
        pair
        for pair in pairs
        if older.keys().isdisjoint(map(_document, pair))
        and pair[0].passage.chunk.attached == pair[1].passage.chunk.attached
        and choice.between(question.choices, *map(_document, pair)) is None
        and overruled.isdisjoint(s.passage.key for s in pair)
    ]


def _overruled(question: Question, pairs: Sequence[_Pair]) -> frozenset[tuple[str, int]]:
    """The passages that disagree with one of a document that was chosen over theirs."""
    return frozenset(
        side.passage.key
        for pair in pairs
        if (winner := _winner(question, pair)) is not None
        for side in pair
        if _document(side) != winner
    )


def _winner(question: Question, pair: _Pair) -> str | None:
    """The document of the two that was chosen by what the two passages say; its id."""
    one, other = (
        side.passage.chunk.model_copy(update={"text": side.passage.text}) for side in pair
    )
    found = choice.chosen(question, one, other)
    return None if found is None else found.document_id


def _both(question: Question, scored: Sequence[Scored], pairs: Sequence[_Pair]) -> Sequence[Scored]:
    """The passages of a disagreement that is to be shown from both sides; none where there is none."""
    for made in question.choices:
        if made.kind not in {"both", "undecided"}:
            continue
        said = {(each.document_id, each.text) for each in made.statements}
        shown = [s for s in scored if (_document(s), s.passage.text) in said]
        if len(set(map(_document, shown))) > 1:
            return shown
        for pair in pairs:
            if made.among.issuperset(map(_document, pair)):
                return pair
    return ()


def _chosen_first(question: Question, scored: Sequence[Scored]) -> list[Scored]:
    """The passages with those that a reply chose above the best: that is what was asked for.

    A later question in the thread, which only carries the choice on, may ask for something else.
    """
    if not question.reply:
        return list(scored)
    counting = {
        (said.document_id, said.text)
        for made in question.choices
        if made.kind == "documents"
        for said in made.statements
        if said.document_id in made.documents
    }
    top = CHOSEN_LEAD * max((s.score for s in scored), default=0.0)
    return [
        replace(s, score=top) if (_document(s), s.passage.text) in counting else s for s in scored
    ]


def _comparison(asked: str, reading: Reading, evidence: Sequence[EvidenceChunk]) -> str:
    """Both sides of a comparison; of one side, and that the other is missing. Empty for no comparison."""
    pair = comparison.sides(asked)
    found = pair and comparison.compared(pair, reading.scored)
    if not pair or not found:
        return ""
    of_both = found.chosen or reading.scored
    parts_near = [] if found.chosen else reading.parts_near
    if found.missing or len(found.chosen) > comparison.MOST_RESPECTS * 2:
        of_both = selection.choose(
            of_both, reading.vectors, parts_near, wants_list=True, shape="compare"
        )
    missing = [citations.neutralise(texts.missing_side(side.name)) for side in found.missing]
    if found.missing or all(comparison.names_its_side(s.passage, pair) for s in of_both):
        return "\n\n".join([as_text("", of_both, evidence), *missing])
    sources = {_document(s): s.passage.chunk for s in of_both}
    paragraphs: list[str] = []
    for document, source in sources.items():
        quoted = as_text("", [s for s in of_both if _document(s) == document], evidence)
        paragraphs += [citations.neutralise(texts.says(source)), quoted]
    return "\n\n".join(paragraphs)


def _side_by_side(asked: str, sides: Sequence[Scored], evidence: Sequence[EvidenceChunk]) -> str:
    """The passages, each document's under its name."""
    sources = {_document(s): s.passage.chunk for s in sides}
    paragraphs: list[str] = []
    for document, source in sources.items():
        lead = citations.neutralise(texts.differing(source, first=not paragraphs))
        quoted = as_text(asked, [s for s in sides if _document(s) == document], evidence)
        paragraphs += [lead, quoted]
    return "\n\n".join(paragraphs)


def _settled(pair: _Pair, older: Mapping[str, EvidenceChunk]) -> bool:
    one, other = (s.passage.chunk for s in pair)
    return succession.settled(one, other, older)


def _outdated(
    pairs: Sequence[_Pair], chosen: Sequence[Scored], older: Mapping[str, EvidenceChunk]
) -> list[Scored]:
    """Find what an older version says otherwise than a quoted passage. It is one at most."""
    quoted = {one.passage.key for one in chosen}
    past = [
        old
        for pair in pairs
        if _settled(pair, older)
        for old, new in (pair, pair[::-1])
        if _document(old) in older and new.passage.key in quoted and old.passage.key not in quoted
    ]
    return past[:1]


def _written(
    question: str,
    chosen: Sequence[Scored],
    evidence: Sequence[EvidenceChunk],
    older: Mapping[str, EvidenceChunk],
) -> str:
    """The quotes, those of older versions last, each document of them under its name."""
    paragraphs = [as_text(question, [s for s in chosen if _document(s) not in older], evidence)]
    past = {_document(s): s.passage.chunk for s in chosen if _document(s) in older}
    for document, source in past.items():
        lead = citations.neutralise(texts.older_version(source))
        quoted = as_text(question, [s for s in chosen if _document(s) == document], evidence)
        paragraphs += [lead, quoted]
    return "\n\n".join(filter(None, paragraphs))


def _set_all_aside(question: Question) -> bool:
    """Say whether none of the statements that disagree counts."""
    return any(made.kind == "neither" for made in question.choices)


def _gives_another(asked: str, scored: Sequence[Scored]) -> bool:
    """Say whether a passage speaks of what was asked and gives what could be the answer."""
    wanted = answers.asked(asked)
    return any(
        s.coverage >= conflict.SAME_SUBJECT
        and (wanted is None or answers.given(wanted, s.passage.text))
        for s in scored
    )


def _lacks_value(asked: str, draft: str, evidence: Sequence[EvidenceChunk]) -> bool:
    """Say whether the statements of a draft give no value of the kind that is asked for."""
    by_id = {chunk.chunk_id: chunk for chunk in evidence}
    cited = [
        (c, by_id[name]) for c in citations.claims(draft) for name in c.ids[:1] if name in by_id
    ]
    stated = [(c.text, f"{k.title}\n{k.document}\n{k.context}") for c, k in cited]
    found = [f"{k.context}\n{k.text}" for k in evidence]
    return (
        given_values.is_of_another(asked, stated)
        or given_values.lacks_value(asked, stated, found)
        or counted_events.is_of_all(asked, stated)
    )


def _is_of_the_past(
    question: Question,
    draft: str,
    evidence: Sequence[EvidenceChunk],
    older: Mapping[str, EvidenceChunk],
) -> bool:
    """Say whether a draft quotes older versions alone, and nobody asks what once was."""
    if succession.asks_of_the_past(question.standalone):
        return False
    chosen = _asked_for(question, evidence, older)
    cited = {name for claim in citations.claims(draft) for name in claim.ids}
    sources = [chunk for chunk in evidence if chunk.chunk_id in cited]
    return bool(sources) and all(
        (chunk.replaced_by or chunk.document_id in older) and chunk.document_id not in chosen
        for chunk in sources
    )


def _described(one: Scored, other: Scored) -> str:
    return " against ".join(
        f"“{s.passage.text}” [{s.passage.chunk.chunk_id}]" for s in (one, other)
    )


def _uncovered(question: str, evidence: Sequence[EvidenceChunk]) -> list[str]:
    """The things of a question that stand nowhere in the evidence, word by word."""
    present: set[str] = set()
    for chunk in evidence:
        present.update(lexical.terms(f"{chunk.context} {chunk.text}"))
    words = dict.fromkeys(_WORD.findall(question))
    return [
        word
        for word in words
        if (own := set(lexical.terms(word)))
        and not own & present
        and not question_audit.speaks_of_nothing(word)
        and not _FIGURE_OF_CASE.fullmatch(word)
    ]


def _coherence(said: Sequence[Statement]) -> float:
    """One document read in order is more coherent than quotes from many."""
    sources = {s.document for s in said}
    return 1.0 / max(1, len(sources))


def _unit(value: float) -> float:
    return float(np.clip(value, 0.0, 1.0))
