"""Say what would make a Medium or Low answer better, from what the audit found out about it."""

from collections.abc import Iterator
from typing import Final

from masis.domain import Badge, Evaluation
from masis.graphs.research import texts
from masis.graphs.research.state import AuditedDraft

_BEST: Final = "High"
MAX_QUOTED: Final = 160
"""Characters of a claim or a gap that are quoted: the sentence is read once, under the answer."""


def sentence(draft: AuditedDraft, badge: Badge | None) -> str:
    """Return the one sentence that helps most; empty for an answer that is High or has no badge."""
    if badge is None or badge.level == _BEST:
        return ""
    return next(_suggestions(draft), texts.MORE_DIRECT)


def _suggestions(draft: AuditedDraft) -> Iterator[str]:
    """Yield what would help, the most telling first. What else is found out about a draft goes here."""
    for claim in draft.audit.uncited[:1]:
        yield texts.wants_source(_quoted(claim))
    for found in draft.audit.unsupported[:1]:
        yield texts.wants_support(_quoted(found.fault), _quoted(found.sentence))
    yield from _gaps(draft)
    if draft.evaluation is not None:
        yield from _weakest(draft.evaluation)


def _gaps(draft: AuditedDraft) -> Iterator[str]:
    gaps = draft.critique.logical_gaps if draft.critique else []
    for gap in gaps:
        words = gap.removeprefix(texts.NOT_MENTIONED)
        if words != gap:
            yield texts.wants_document(_quoted(words))
        elif gap != texts.OVER_COMPRESSION_GAP:
            yield texts.wants_settled(_quoted(gap).rstrip("."))


def _weakest(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.completeness < min(evaluation.relevance, evaluation.faithfulness):
        yield texts.ONLY_IN_PART


def _quoted(text: str) -> str:
    """A text of others in one line, cut visibly."""
    flat = " ".join(text.split())
    return flat if len(flat) <= MAX_QUOTED else f"{flat[: MAX_QUOTED - 1].rstrip()}…"
