"""The graph's agents with a model service. What a model says is data: read, bounded, checked."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from masis.answering import citations
from masis.answering.scoring import clean_unit
from masis.domain import (
    CitationAudit,
    Critique,
    EvidenceChunk,
    Question,
    Scores,
    WorkspaceId,
)
from masis.errors import ModelAnswerUnusable
from masis.extractive.wholes.values import FoundWhole, Whole
from masis.filters import Filters
from masis.graphs.research import prompts
from masis.graphs.research.agents import Audit, Draft, Judgement, Summaries, Wholes
from masis.models.prompting import Unusable, clipped, inert
from masis.models.two_tries import two_tries
from masis.policy import FINDING_CHARS, MAX_CONTEXT_CHARS, MAX_FINDINGS, SUMMARY_CHARS
from masis.ports import ChatModel, ChatReply

_GAVE_UP: Final[dict[Unusable, str]] = {
    "refusal": "The writer model declined to answer, twice. Ask in other words, or set another"
    " model (MASIS_WRITER_MODEL).",
    "empty": "The writer model gave an empty answer, twice. Ask again, or set another model"
    " (MASIS_WRITER_MODEL).",
    "cut_off": "The writer model's answer was too long to finish, twice. Ask about less at a time.",
    "filtered": "The model service's content filter stopped the answer, twice. Ask in other words,"
    " or look at the documents yourself.",
    "malformed": "The model service gave no usable answer, twice. Check that its address"
    " (MASIS_MODEL_BASE_URL) is that of an OpenAI-compatible service.",
}

# Models that find nothing like to say so in a list that should be empty.
_NOTHING: Final = re.compile(
    r"(?:none|null|nil|n/?a|nothing|[-–.]+|no (?:(?:major|such|significant|logical) )?(?:conflicts?"
    r"|conflicting evidence|contradictions?|gaps?|unsupported claims?|issues?|hallucinations?))"
    r"(?: (?:was |were )?(?:found|detected|identified|present|noted))?\W*",
    re.IGNORECASE,
)
_FIGURE: Final = re.compile(r"\d(?:[\d.,]*\d)?")


class ModelSynthesizer:
    """Writes with the writer model."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    @property
    def max_context_chars(self) -> int | None:
        """Return how many characters go into a prompt uncompressed."""
        return MAX_CONTEXT_CHARS

    async def draft(
        self, question: Question, evidence: Sequence[EvidenceChunk], critique: Critique | None
    ) -> Draft:
        """A cited answer; on a retry the last critique comes along.

        Raises:
            ModelAnswerUnusable: the model refused, stayed empty or never came to an end, twice.
        """
        messages = prompts.synthesis(question, evidence, critique)
        found = await two_tries(self._chat, "writer", messages, None, lambda reply: reply.text)
        if found.value is None:
            raise ModelAnswerUnusable(_GAVE_UP[found.fault])
        return Draft(text=found.value, usage=found.usage)

    async def summarise(self, question: Question, chunks: Sequence[EvidenceChunk]) -> Summaries:
        """Each chunk in under 200 characters; what is missing or adds a figure is left out."""
        by_id = {chunk.chunk_id: chunk for chunk in chunks}
        if not by_id:
            return Summaries(by_chunk={})

        def read(reply: ChatReply) -> dict[str, str] | None:
            if not isinstance(reply.parsed, prompts.SummariesReply):
                return None
            offered = reply.parsed.summaries[: 2 * len(by_id)]
            pairs = ((each.id, _summary(each.summary, by_id.get(each.id))) for each in offered)
            return {chunk_id: text for chunk_id, text in pairs if text} or None

        messages = prompts.compression(question, chunks)
        found = await two_tries(self._chat, "writer", messages, prompts.SummariesReply, read)
        return Summaries(by_chunk=found.value or {}, usage=found.usage)


class ModelWholes:
    """Finds wholes as code does, and has the writer model word those that are no plain lists."""

    def __init__(self, finder: Wholes, chat: ChatModel) -> None:
        self._finder = finder
        self._chat = chat

    async def find(
        self, workspace_id: WorkspaceId, question: str, filters: Filters
    ) -> FoundWhole | None:
        """The whole with its evidence; None where a question asks for none, or none is there."""
        return await self._finder.find(workspace_id, question, filters)

    async def draft(
        self, question: Question, whole: Whole, evidence: Sequence[EvidenceChunk]
    ) -> Draft:
        """What it is, in the words of code, and below it what the model writes.

        Raises:
            ModelAnswerUnusable: the model refused, stayed empty or never came to an end, twice.
        """
        if not whole.written:
            return await self._finder.draft(question, whole, evidence)
        messages = prompts.whole(question, whole, evidence)
        found = await two_tries(self._chat, "writer", messages, None, lambda reply: reply.text)
        if found.value is None:
            raise ModelAnswerUnusable(_GAVE_UP[found.fault])
        return Draft(text=f"{whole.said}\n\n{found.value}", usage=found.usage)


class ModelCritic:
    """Audits with the auditor model."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    async def audit(
        self,
        question: Question,
        draft: str,
        evidence: Sequence[EvidenceChunk],
        passed_over: Sequence[EvidenceChunk] = (),  # what the prompt has room for is evidence
    ) -> Audit:
        """Raw findings; without a critique when two replies could not be believed."""
        cited = {chunk_id for mark in citations.find(draft) for chunk_id in mark.ids}
        if not cited & {chunk.chunk_id for chunk in evidence}:
            # A draft that cites nothing can still be true of something.
            cited = {chunk.chunk_id for chunk in evidence}
        messages = prompts.audit(question, draft, evidence, cited)
        found = await two_tries(
            self._chat, "auditor", messages, prompts.CritiqueReply, _read_critique
        )
        return Audit(critique=found.value, usage=found.usage)


class ModelEvaluator:
    """Scores with the judge model."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    async def score(
        self,
        question: Question,
        answer: str,
        evidence: Sequence[EvidenceChunk],
        audit: CitationAudit,
        critique: Critique,
    ) -> Judgement:
        """Raw scores; none when two replies could not be believed."""
        messages = prompts.judgement(question, answer, evidence, audit, critique)
        found = await two_tries(self._chat, "judge", messages, prompts.ScoresReply, _read_scores)
        return Judgement(scores=found.value, usage=found.usage)


# --- reading replies -----------------------------------------------------------------------


def _read_critique(reply: ChatReply) -> Critique | None:
    said = reply.parsed
    if not isinstance(said, prompts.CritiqueReply):
        return None
    confidence = clean_unit(said.confidence)
    if confidence is None:
        return None
    return Critique(
        confidence=confidence,
        hallucination_detected=said.hallucination_detected,
        unsupported_claims=_findings(said.unsupported_claims),
        logical_gaps=_findings(said.logical_gaps),
        conflicting_evidence=_findings(said.conflicting_evidence),
        needs_retry=said.needs_retry,
    )


def _read_scores(reply: ChatReply) -> Scores | None:
    said = reply.parsed
    if not isinstance(said, prompts.ScoresReply):
        return None
    cleaned = {name: clean_unit(getattr(said, name)) for name in Scores.model_fields}
    return None if None in cleaned.values() else Scores.model_validate(cleaned)


def _findings(texts: Iterable[str]) -> list[str]:
    """The texts on one line each, bounded in length and number, once each, without "none"."""
    lines = (clipped(inert(text[: 4 * FINDING_CHARS]), FINDING_CHARS) for text in texts)
    real = dict.fromkeys(line for line in lines if line and not _NOTHING.fullmatch(line))
    return list(real)[:MAX_FINDINGS]


def _summary(text: str, chunk: EvidenceChunk | None) -> str:
    """The summary as evidence may show it; empty when it has a figure that the chunk has not."""
    if chunk is None or not set(_FIGURE.findall(text)) <= set(_FIGURE.findall(chunk.text)):
        return ""
    short = inert(text[: 4 * SUMMARY_CHARS])
    return clipped(citations.neutralise(short), SUMMARY_CHARS - 1)
