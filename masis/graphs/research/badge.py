"""Caps a draft's badge by what was found out about the draft, whatever its confidence is."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from masis import scoring
from masis.domain import Badge
from masis.graphs.research import texts
from masis.graphs.research.state import AuditedDraft

_ORDER: Final = ("Not audited", "Low", "Medium", "High")


class Cap(NamedTuple):
    """The highest level that a finding allows, and the finding in words for people."""

    level: str
    note: str


def of(draft: AuditedDraft, *, audited: bool) -> Badge:
    """Return the badge of a draft: its confidence's level, held down by the lowest of its caps."""
    badge = scoring.badge(draft.confidence, draft.evaluation, audited=audited)
    if not audited:
        return badge
    cap = min(_caps(draft), key=lambda cap: _ORDER.index(cap.level), default=None)
    if cap is None or (cap.level != "Low" and _ORDER.index(badge.level) <= _ORDER.index(cap.level)):
        return badge
    return badge.model_copy(update={"level": cap.level, "note": cap.note})


def _caps(draft: AuditedDraft) -> Iterator[Cap]:
    """Yield what holds the badge down, the most telling first."""
    if draft.critique is not None and draft.critique.conflicting_evidence:
        yield Cap("Low", texts.SOURCES_DISAGREE)
    if draft.critique is not None and draft.critique.possible_conflicts:
        yield Cap("Medium", texts.SOURCES_MAY_DISAGREE)
    if draft.audit.claims and not draft.audit.cited_claims:
        # Whatever the models think of it: who follows a document's orders cites nothing.
        yield Cap("Low", texts.NOTHING_CITED)
    if draft.audit.unsupported:
        yield Cap("Medium", texts.NOT_IN_ITS_SOURCE)
