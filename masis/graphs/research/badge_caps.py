"""Caps a draft's badge by what was found out about the draft, whatever its confidence is."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from masis.answering import citations, scoring
from masis.domain import Badge, CitationAudit
from masis.graphs.research import texts
from masis.graphs.research.state import AuditedDraft
from masis.phrases import obligations
from masis.policy import CASE_COMPLETENESS, CASE_WORDS, MEDIUM_OPEN_CLAIMS
from masis.text.lexical import terms
from masis.words.thread_words import taken_about

_ORDER: Final = ("Not audited", "Low", "Medium", "High")


class Cap(NamedTuple):
    """The highest level that a finding allows, and the finding in words for people."""

    level: str
    note: str


def of(
    draft: AuditedDraft, *, audited: bool, question: str = "", understood: str = ""
) -> Badge | None:
    """Return the badge of a draft to a question: its confidence's level, held down by the lowest of its caps.

    A draft that states nothing has none: there is nothing to be confident in.
    """
    if not draft.audit.claims:
        return None
    badge = scoring.badge(draft.confidence, draft.evaluation, audited=audited)
    if not audited:
        return badge
    cap = min(
        _caps(draft, question, understood), key=lambda cap: _ORDER.index(cap.level), default=None
    )
    if cap is None or (cap.level != "Low" and _ORDER.index(badge.level) <= _ORDER.index(cap.level)):
        return badge
    return badge.model_copy(update={"level": cap.level, "note": cap.note})


def _disagreeing(draft: AuditedDraft) -> Iterator[Cap]:
    if draft.critique is not None and draft.critique.conflicting_evidence:
        yield Cap("Low", texts.SOURCES_DISAGREE)
    if draft.by_choice == "undecided":
        yield Cap("Low", texts.SOURCES_DISAGREE)
    elif draft.critique is not None and draft.critique.possible_conflicts:
        yield Cap("Medium", texts.SOURCES_MAY_DISAGREE)


def _caps(draft: AuditedDraft, question: str, understood: str) -> Iterator[Cap]:
    """Yield what holds the badge down, the most telling first."""
    yield from _disagreeing(draft)
    if draft.audit.claims and not draft.audit.cited_claims:
        # Whatever the models think of it: who follows a document's orders cites nothing.
        yield Cap("Low", texts.NOTHING_CITED)
    if draft.left_open.unmentioned:
        yield Cap("Low", texts.no_mention_of(draft.left_open.unmentioned))
    yield from _unlisted(draft)
    yield from _open_claims(draft)
    if draft.by_choice == "both":
        yield Cap("Medium", texts.SOURCES_DIFFER)
    if draft.left_open.unanswered:
        yield Cap("Medium", texts.PART_UNANSWERED)
    if draft.left_open.calculation:
        yield Cap("Medium", texts.NOT_CALCULATED)
    yield from _of_the_question(draft, question, understood)


def _of_the_question(draft: AuditedDraft, question: str, understood: str) -> Iterator[Cap]:
    """Yield what holds the badge down where less was answered than was typed."""
    if _leaves_case(draft, question):
        yield Cap("Medium", texts.CASE_NOT_SPOKEN_OF)
    if taken_about(question, understood):
        yield Cap("Medium", texts.ONLY_TAKEN_ABOUT)
    if _lacks_rule(draft, understood or question):
        yield Cap("Medium", texts.NO_RULE)


def _lacks_rule(draft: AuditedDraft, question: str) -> bool:
    """Tell whether it is asked whether one may, and no sentence about that allows, limits or denies anything."""
    if not obligations.asks_leave(question):
        return False
    asked = set(terms(question))
    return not any(
        obligations.rules(claim.text) and not asked.isdisjoint(terms(claim.text))
        for claim in citations.claims(draft.answer)
    )


def _unlisted(draft: AuditedDraft) -> Iterator[Cap]:
    """Yield the cap of a list of those that happen to be named, where no document lists them."""
    if draft.critique is not None and texts.OTHERS_MAY_BE_NAMED in draft.critique.logical_gaps:
        yield Cap("Low", texts.OTHERS_MAY_BE_NAMED)


def _leaves_case(draft: AuditedDraft, question: str) -> bool:
    """Tell whether a case is told of which the draft says next to nothing."""
    evaluation = draft.evaluation
    is_told = len(question.split()) > CASE_WORDS
    return is_told and evaluation is not None and evaluation.completeness < CASE_COMPLETENESS


def _open_claims(draft: AuditedDraft) -> Iterator[Cap]:
    """Yield the cap of claims that no source bears out: one may be left open, no more."""
    audit = draft.audit
    without_source = audit.claims - audit.cited_claims
    open_claims = without_source + len(audit.unsupported)
    if open_claims > MEDIUM_OPEN_CLAIMS:
        yield Cap("Low", texts.open_claims(open_claims))
    elif open_claims:
        yield Cap("Medium", texts.UNCITED_CLAIM if without_source else _fault(audit))


def _fault(audit: CitationAudit) -> str:
    """Say what is wrong with the one claim that its source does not bear out."""
    [claim] = audit.unsupported
    return texts.NOT_IN_ITS_SOURCE if claim.missing else texts.NOT_BORNE_OUT
