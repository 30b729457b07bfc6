"""The supervisor's decision and the two routers: pure functions of what the passes left behind."""

from collections.abc import Sequence
from typing import Literal

from masis.domain import Choice, Critique, SourceStatement, Value
from masis.graphs.research import texts
from masis.graphs.research.state import AskBack, AuditedDraft, ToDecide
from masis.policy import (
    NEAREST_ABSENT,
    NEAREST_LIKELY,
    NEAREST_LIKELY_MARK,
    NEAREST_MARK,
    NEAREST_MOST_WORDS,
    NEAREST_READ_MARK,
    NEAREST_WORDS,
    Policy,
    allowed_retries,
)
from masis.questions import nearest
from masis.questions.question_audit import QuestionAudit
from masis.questions.readings import PAPERS, are_times, takes_one
from masis.retrieval import introduction
from masis.words.wording import Wording

Decision = Literal["retry", "finalize", "hitl_conflict", "hitl_quality", "hitl_not_audited"]
Route = Literal["first_run", "retry", "end"]

QUALITY = "quality_issue_detected"
CONFLICT = "conflicting_evidence_attempting_resolution"
PASSED = "quality_threshold_met"
CONFLICT_REMAINS = "conflicting_evidence_unresolved"
RETRIES_USED_UP = "retries_exhausted"
CHOSEN = "asker_has_chosen"
ONE_OF_SEVERAL = "one_of_several_taken"
NOT_AUDITED = "model_audit_failed"


class Findings(Value):
    """The quality signals of one pass."""

    confidence: float
    low_confidence: bool
    citation_issue: bool
    nothing_cited: bool = False
    nothing_stated: bool = False
    hallucination: bool
    asks_for_retry: bool
    clamped: bool
    conflict: bool
    audited: bool

    @property
    def quality_issue(self) -> bool:
        """Anything that a further pass might mend, a conflict aside."""
        return (
            self.low_confidence
            or self.citation_issue
            or self.nothing_cited
            or self.nothing_stated
            or self.hallucination
            or self.asks_for_retry
            or self.clamped
        )


class Verdict(Value):
    """Hold what the supervisor decided, and why."""

    decision: Decision
    reason: str


def findings(draft: AuditedDraft, policy: Policy) -> Findings:
    """Read a pass's quality signals."""
    critique = draft.critique or Critique(confidence=0.0)
    clamped = draft.evaluation is not None and bool(draft.evaluation.clamps)
    return Findings(
        confidence=draft.confidence,
        low_confidence=draft.confidence < policy.confidence_threshold,
        citation_issue=bool(draft.audit.invalid),
        nothing_cited=not draft.audit.citations,
        nothing_stated=not draft.audit.claims,
        hallucination=critique.hallucination_detected,
        asks_for_retry=critique.needs_retry,
        clamped=clamped and policy.clamp_is_an_issue,
        conflict=bool(critique.conflicting_evidence),
        audited=is_audited(draft),
    )


def decide(found: Findings, retry_count: int, max_retries: int | None) -> Verdict:
    """Retry while that may help, ask a person when it cannot, finalize otherwise."""
    if not found.audited:
        return Verdict(decision="hitl_not_audited", reason=NOT_AUDITED)
    if not (found.quality_issue or found.conflict):
        return Verdict(decision="finalize", reason=PASSED)
    if retry_count < allowed_retries(max_retries):
        return Verdict(decision="retry", reason=QUALITY if found.quality_issue else CONFLICT)
    if found.conflict:
        return Verdict(decision="hitl_conflict", reason=CONFLICT_REMAINS)
    return Verdict(decision="hitl_quality", reason=RETRIES_USED_UP)


def ended_by_choice(draft: AuditedDraft, verdict: Verdict) -> Verdict:
    """End with a draft that shows what the asker chose, or both sides for want of a choice.

    To ask once more what is meant makes neither more certain; its badge says how certain it is.
    """
    if draft.by_choice is None or verdict.decision != "hitl_quality" or draft.audit.invalid:
        return verdict
    return Verdict(decision="finalize", reason=CHOSEN)


def left_to_asker(draft: AuditedDraft, verdict: Verdict) -> Verdict:
    """Ask where the draft takes one of several things between which the question does not choose.

    So it is where nothing was calculated, since it was not said between which times.
    """
    several = draft.left_open.readings
    is_uncalculated = draft.left_open.calculation and are_times(several)
    if verdict.decision != "finalize" or not (takes_one(several, draft.answer) or is_uncalculated):
        return verdict
    return Verdict(decision="hitl_quality", reason=ONE_OF_SEVERAL)


def question_for(
    verdict: Verdict,
    best: AuditedDraft,
    retries: int,
    disagreeing: Sequence[SourceStatement],
    policy: Policy,
    *,
    choices: Sequence[Choice] = (),
    wording: Wording | None = None,
) -> AskBack:
    """The question back that belongs to a decision to ask, and to the draft shown."""
    if is_audited(best) and (missing := unmentioned(best.left_open)):
        return (
            did_you_mean(best.left_open.unmentioned, wording)
            or not_covered(best.left_open)
            or missing
        )
    if verdict.decision == "hitl_conflict":
        return _which_counts(disagreeing, choices)
    if not is_audited(best):
        return AskBack(kind="not_audited", text=texts.not_audited())
    if verdict.reason == ONE_OF_SEVERAL:
        several = best.left_open.readings
        text = texts.ambiguous(several.thing, several.options, is_near=is_near(best))
        return AskBack(kind="ambiguous", text=text, options=several.options)
    found = findings(best, policy)
    if not found.low_confidence:
        text = texts.quality_remains(retries, _faults(found))
        return AskBack(kind="low_confidence", text=text)
    return _unsure(best, retries, choices, wording)


def _which_counts(statements: Sequence[SourceStatement], choices: Sequence[Choice]) -> AskBack:
    """Ask which of the statements counts, in other words where a reply to that chose nothing."""
    among = {said.document_id for said in statements}
    is_again = any(each.kind == "unclear" and each.among == among for each in choices)
    text = texts.which_counts(statements) if is_again else texts.conflict(statements)
    return AskBack(kind="conflict", text=text)


def _unsure(
    best: AuditedDraft, retries: int, choices: Sequence[Choice], wording: Wording | None
) -> AskBack:
    """Choose what to ask where the confidence is too low, by what the draft leaves open."""
    if begins := introduction.opening(best.evidence):
        return AskBack(kind="low_confidence", text=texts.only_begins(begins[0]))
    if any(each.kind == "neither" for each in choices):
        return AskBack(kind="low_confidence", text=texts.nothing_else())
    left_open, several = best.left_open, best.left_open.readings
    if left_open.unanswered and is_near(best):
        text = texts.partly_answered(left_open.answered, left_open.unanswered)
        return AskBack(kind="partly_answered", text=text)
    if missing := not_covered(left_open):
        return did_you_mean(left_open.absent, wording) or missing
    is_paper = is_near(best) and several.thing in PAPERS
    if several.options and not is_paper and not left_open.open_point:
        text = texts.ambiguous(several.thing, several.options, is_near=is_near(best))
        return AskBack(kind="ambiguous", text=text, options=several.options)
    if left_open.open_point and is_near(best):
        text = texts.OPEN_POINT
    else:
        text = texts.low_confidence(retries, best.confidence, is_near=is_near(best))
    return AskBack(kind="low_confidence", text=text)


def not_covered(left_open: QuestionAudit) -> AskBack | None:
    """The question back that says what nothing speaks of; None where everything is mentioned."""
    if left_open.other_language:
        return AskBack(kind="not_covered", text=texts.OTHER_LANGUAGE)
    if missing := unmentioned(left_open):
        return missing
    if not left_open.absent:
        return None
    text = texts.not_covered(left_open.absent, [])
    return AskBack(kind="not_covered", text=text)


def unmentioned(left_open: QuestionAudit) -> AskBack | None:
    """The question back that says which names and figures nothing mentions; None without any."""
    if not left_open.unmentioned:
        return None
    text = texts.not_covered(left_open.nowhere, left_open.unmentioned)
    return AskBack(kind="not_covered", text=text)


def did_you_mean(missing: Sequence[str], wording: Wording | None) -> AskBack | None:
    """Ask whether names are meant that what no document mentions misses by a letter.

    None where anything of it misses none. The one option is the question with these names.
    """
    if wording is None or not missing:
        return None
    if any(wording.names.keys().isdisjoint(each.split()) for each in missing):
        return None
    text = texts.did_you_mean(wording.names)
    return AskBack(kind="ambiguous", text=text, options=[wording.meant])


def is_near(draft: AuditedDraft) -> bool:
    """Tell whether something of a draft that did not pass is worth reading above its question back."""
    return bool(nearest_claims(draft))


def nearest_claims(draft: AuditedDraft) -> list[int]:
    """Return which claims of a draft that did not pass are worth reading, by their places in it.

    Nothing is where the documents have other names or years than those asked for, and less is
    where they lack a word of the question: then the draft is often about something else. A low
    confidence weighs less where the nearest statement comes near to the question, and nothing where the
    draft as a whole is what was asked for: the confidence is in one fact that answers.
    """
    if draft.left_open.unmentioned or not _is_worth_reading(draft):
        return []
    return nearest.borne_out(draft.left_open.nearest, draft.answer, draft.audit)


def _is_worth_reading(draft: AuditedDraft) -> bool:
    left_open = draft.left_open
    if (left_open.answers_whole or left_open.open_point) and not left_open.absent:
        return True
    weight = draft.confidence - (NEAREST_ABSENT if left_open.absent else 0.0)
    weight += NEAREST_WORDS * left_open.nearest_share
    if left_open.nearness is None:
        return weight >= NEAREST_MARK
    is_likely = draft.confidence >= NEAREST_LIKELY or left_open.nearest_share >= NEAREST_MOST_WORDS
    mark = NEAREST_LIKELY_MARK if is_likely else NEAREST_READ_MARK
    return weight + left_open.nearness >= mark


def _faults(found: Findings) -> list[str]:
    faults = [
        (found.citation_issue, texts.CITES_NOTHING_REAL),
        (found.nothing_cited, texts.CITES_NOTHING),
        (found.nothing_stated and not found.nothing_cited, texts.STATES_NOTHING),
        (found.hallucination and not found.citation_issue, texts.GOES_BEYOND),
    ]
    return [text for applies, text in faults if applies] or [texts.WANTS_MORE]


def is_audited(draft: AuditedDraft) -> bool:
    """Say whether both the audit and the scores of the models were usable."""
    return draft.critique is not None and draft.evaluation is not None


def better(
    new: AuditedDraft, old: AuditedDraft | None, *, to_be_scored: bool = False
) -> AuditedDraft:
    """The better of two drafts: audited, no invalid citation, sound, then higher confidence.

    `sound` (the critic found nothing that wants a retry) stands before confidence because a pass
    is finalized only when it is sound: so the finalized pass is always the best one. `to_be_scored`
    says that the new draft's scores are still to come.
    """
    if old is None:
        return new
    hopeful = to_be_scored and new.critique is not None
    return max(new, old, key=lambda draft: _rank(draft, audited=hopeful and draft is new))


def _rank(draft: AuditedDraft, *, audited: bool) -> tuple[bool, bool, bool, float, int]:
    usable = audited or is_audited(draft)
    return (usable, not draft.audit.invalid, draft.sound, draft.confidence, -draft.number)


# LangGraph sends a plain function to a thread, which takes longer than the rest of a step.
async def route_from_supervisor(state: ToDecide) -> Route:
    """Return where to go after the supervisor, in this order.

    `first_run` and `retry` stay distinct.
    """
    if state["requires_human_review"]:
        return "end"
    if state["trace"] and state["trace"][-1].get("decision") == "retry":
        return "retry"
    if state["draft_answer"] is None:
        return "first_run"
    return "end"


async def route_from_researcher(state: ToDecide) -> Literal["evidence", "none"]:
    """Nothing qualified: straight back to the supervisor, without a model call."""
    return "none" if state["requires_human_review"] else "evidence"
