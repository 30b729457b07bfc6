"""A draft from passages of which none is close enough to answer from, to be read beside a question back.

No answer is made of it, whatever its audit says.
"""

from collections.abc import Sequence
from typing import Final

from masis.answering import citations
from masis.domain import EvidenceChunk, Question, WorkspaceId
from masis.extractive.set_aside import in_force
from masis.graphs.research.agents import ResearchAgents
from masis.graphs.research.state import AuditedDraft
from masis.questions import question_audit
from masis.questions.question_parts import ASKING
from masis.retrieval import evidence
from masis.text.lexical import terms
from masis.text.redaction import redacted
from masis.words import synonyms

LOOKED_AT: Final = 3
"""Passages that are quoted from: what answers is mostly the first."""


async def draft(
    workspace_id: WorkspaceId,
    question: Question,
    candidates: Sequence[EvidenceChunk],
    agents: ResearchAgents,
) -> AuditedDraft | None:
    """Return the statements that probably answer, audited as a draft is; None where none does.

    Nothing is where the passages have other names or years than those asked for: then they are
    about something else. Nor is there anything for a question without a word to search for.
    """
    passages = in_force(question, evidence.distinct(candidates)[:LOOKED_AT])
    if agents.quoter is None or not passages or not terms(question.standalone):
        return None
    quoted = await agents.quoter.quote(question, passages)
    if quoted is None or not _speaks_of(question.standalone, quoted.text):
        return None
    text = redacted(quoted.text)
    left_open = await question_audit.audit(
        question_audit.latest(question), text, passages, agents.vocabulary, workspace_id
    )
    audit = citations.audit(text, passages, question.standalone)
    if left_open.unmentioned or audit.invalid or audit.unsupported:
        return None
    return AuditedDraft(
        number=1,
        answer=text,
        confidence=0.0,
        confidence_raw=0.0,
        penalty_factor=1.0,
        critique=None,
        audit=audit,
        evidence=passages,
        left_open=left_open,
    )


def _speaks_of(question: str, text: str) -> bool:
    """Tell whether a text has a word of what is asked about, or one that means the same.

    Of the plain questions that ended so none with an answer is lost, and three in four without one
    are shown nothing.
    """
    said = set(terms(text))
    own = {
        t for t in terms(question) if t not in ASKING and not question_audit.speaks_of_nothing(t)
    }
    others = (
        set(terms(other))
        for each in synonyms.found(question, synonyms.bundled())
        for other in each.others
    )
    return not own.isdisjoint(said) or any(other and other <= said for other in others)
