"""What the nodes leave behind where a whole is asked for."""

from collections.abc import Sequence
from typing import Final

from masis import run_figures
from masis.answering import citations
from masis.domain import Critique, EvidenceChunk, Question
from masis.extractive.wholes.values import FoundWhole, Whole
from masis.graphs.common import TraceEntry, made
from masis.graphs.research import texts
from masis.graphs.research.agents import Audit, ResearchAgents
from masis.graphs.research.state import AskBack, Drafted, Researched
from masis.text.redaction import redacted
from masis.words.wording import Wording

WHICH_DOCUMENT: Final = "which_document"
"""Why nothing was scored: it was asked back which document is meant."""


def researched(found: FoundWhole, wording: Wording) -> Researched:
    """Return what the researcher leaves: the whole with its evidence, or a question back."""
    entry: TraceEntry = {"node": "researcher", "route": "first_run", "chunks": len(found.evidence)}
    if wording.searched_for:
        entry["searched_for"] = wording.searched_for
    update: Researched = {
        "evidence": found.evidence,
        "wording": Wording(text=wording.text, searched_for=wording.searched_for),
        "trace": [entry],
        "figures": {
            "searches": 1,
            "retry_reasons": [],
            "citation_violations": [],
            "retrieval_scores": [],
            "avg_retrieval_score": 0.0,
        },
    }
    if found.whole is not None:
        update["whole"] = found.whole
        entry["whole"] = found.whole.kind
        return update
    back = AskBack(kind="ambiguous", text=found.asked_back, options=found.options)
    update["requires_human_review"] = True
    update["clarification_question"], update["clarification"] = back.text, back
    update["figures"] |= {"evaluation": None, "evaluation_skipped_reason": WHICH_DOCUMENT}
    return update


async def drafted(
    whole: Whole, question: Question, evidence: Sequence[EvidenceChunk], agents: ResearchAgents
) -> Drafted:
    """Return what the synthesizer leaves: a whole is read in its order, and nothing of it is shortened."""
    writer = made(agents.wholes)
    draft = await writer.draft(question, whole, evidence)
    text = redacted(draft.text)
    size = sum(len(chunk.text) for chunk in evidence)
    return {
        "draft_answer": text,
        "trace": [
            {
                "node": "synthesizer",
                "context_compressed": False,
                "citations": len(citations.cited(text, evidence)),
                "answer_length": len(text),
            }
        ],
        "figures": run_figures.merge(
            {"context_chars": size, "over_compression_flag": False},
            run_figures.of_usage(draft.usage),
        ),
    }


def audited(whole: Whole) -> Audit:
    """Return the audit of a whole that was copied line by line: as sure as it is what was asked for."""
    gaps = [texts.OTHERS_MAY_BE_NAMED] if whole.may_lack else []
    return Audit(critique=Critique(confidence=whole.confidence, logical_gaps=gaps))
