"""The statements by which documents disagree: which they are, and which are settled by a choice."""

from collections.abc import Iterator, Sequence

from masis.answering import citations
from masis.domain import Choice, ChoiceKind, Critique, EvidenceChunk, SourceStatement
from masis.graphs.research.state import AuditedDraft
from masis.questions import choice
from masis.text import lexical
from masis.text.sentences import units

MAX_STATEMENTS = 3
"""Shown side by side; of more nobody says in one reply which counts."""


def disagreeing(draft: AuditedDraft) -> list[SourceStatement]:
    """Return what the documents say that the critic's conflicts name, one statement of each."""
    by_id = {chunk.chunk_id: chunk for chunk in draft.evidence}
    found: dict[str, SourceStatement] = {}
    for conflict in _conflicts(draft.critique):
        for chunk in _cited(conflict, by_id):
            found.setdefault(
                chunk.document_id, choice.statement_of(chunk, _stated(chunk, conflict))
            )
    return list(found.values())[:MAX_STATEMENTS]


def unsettled(
    conflicts: Sequence[str], evidence: Sequence[EvidenceChunk], choices: Sequence[Choice]
) -> list[str]:
    """Return the conflicts that no choice has settled.

    Where something was chosen, a conflict that names no evidence cannot be asked about again.
    """
    by_id = {chunk.chunk_id: chunk for chunk in evidence}
    settling = [each.among for each in choices if each.settles]
    if not settling:
        return list(conflicts)
    documents = [{chunk.document_id for chunk in _cited(each, by_id)} for each in conflicts]
    return [
        each
        for each, named in zip(conflicts, documents, strict=True)
        if named and not any(named <= among for among in settling)
    ]


def by_choice(
    choices: Sequence[Choice], cited: Sequence[str], evidence: Sequence[EvidenceChunk]
) -> ChoiceKind | None:
    """Return by what choice a draft that cites these chunks shows what it shows; None if by none."""
    documents = {chunk.document_id for chunk in evidence if chunk.chunk_id in cited}
    shown = [
        each.kind
        for each in choices
        if each.settles and any(said.document_id in documents for said in each.in_force)
    ]
    return shown[-1] if shown else None


def _conflicts(critique: Critique | None) -> list[str]:
    return [] if critique is None else critique.conflicting_evidence


def _cited(conflict: str, by_id: dict[str, EvidenceChunk]) -> Iterator[EvidenceChunk]:
    named = dict.fromkeys(name for mark in citations.find(conflict) for name in mark.ids)
    return (by_id[name] for name in named if name in by_id)


def _stated(chunk: EvidenceChunk, conflict: str) -> str:
    """The sentence of a chunk that a conflict speaks of: that it quotes, or shares most with."""
    said = [unit.flat for unit in units(chunk.text) if unit.kind != "heading"]
    quoted = next((text for text in said if text in conflict), None)
    if quoted is not None or not said:
        return quoted or chunk.text
    about = frozenset(lexical.terms(conflict))
    return max(said, key=lambda text: len(about & frozenset(lexical.terms(text))))
