"""The supervisor's decision over everything that a pass can leave behind."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.domain import Choice, CitationAudit, Evaluation, Scores
from masis.graphs.research import texts
from masis.graphs.research.decisions import (
    ONE_OF_SEVERAL,
    PASSED,
    Findings,
    Verdict,
    better,
    decide,
    findings,
    left_to_asker,
    question_for,
    route_from_researcher,
    route_from_supervisor,
)
from masis.graphs.research.state import AuditedDraft, ToDecide
from masis.policy import Policy, allowed_retries
from masis.questions.choice import statement_of
from masis.questions.question_audit import QuestionAudit
from masis.questions.readings import Readings
from masis.words.wording import Wording
from tests.examples import examples
from tests.scripted_agents import GOOD_SCORES, chunk, chunk_id, cited, critique

ISSUES = ("low_confidence", "citation_issue", "hallucination", "asks_for_retry", "clamped")
FLAGS = (*ISSUES, "conflict", "audited")
EVALUATION = Evaluation(**GOOD_SCORES.model_dump(), overall_score=0.9, raw=GOOD_SCORES)


def every_finding() -> Iterator[Findings]:
    """All 128 combinations of the flags."""
    for values in itertools.product([False, True], repeat=len(FLAGS)):
        yield Findings(confidence=0.7, **dict(zip(FLAGS, values, strict=True)))


EVERY = list(every_finding())
LEFT, USED_UP = 0, 2
"""How many retries were made, of two."""


def sound(**flags: bool) -> Findings:
    values: dict[str, Any] = dict.fromkeys(FLAGS, False) | {"audited": True} | flags
    return Findings(confidence=0.9, **values)


# --- decide --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "retries", "decision", "reason"),
    [
        ({}, LEFT, "finalize", "quality_threshold_met"),
        ({}, USED_UP, "finalize", "quality_threshold_met"),
        *(({issue: True}, LEFT, "retry", "quality_issue_detected") for issue in ISSUES),
        *(({issue: True}, USED_UP, "hitl_quality", "retries_exhausted") for issue in ISSUES),
        ({"conflict": True}, LEFT, "retry", "conflicting_evidence_attempting_resolution"),
        ({"conflict": True}, USED_UP, "hitl_conflict", "conflicting_evidence_unresolved"),
        ({"conflict": True, "clamped": True}, LEFT, "retry", "quality_issue_detected"),
        (
            {"conflict": True, "low_confidence": True},
            USED_UP,
            "hitl_conflict",
            "conflicting_evidence_unresolved",
        ),
        ({"audited": False}, LEFT, "hitl_not_audited", "model_audit_failed"),
        ({"audited": False, "conflict": True}, USED_UP, "hitl_not_audited", "model_audit_failed"),
    ],
)
def test_the_decision_and_its_reason(
    flags: dict[str, bool], retries: int, decision: str, reason: str
) -> None:
    verdict = decide(sound(**flags), retries, 2)

    assert (verdict.decision, verdict.reason) == (decision, reason)


def by_the_design(found: Findings, *, retries_left: bool) -> str:
    """Section 2 of the design, written down once more."""
    if not found.audited:
        return "hitl_not_audited"
    issue = any(getattr(found, name) for name in ISSUES)
    if not issue and not found.conflict:
        return "finalize"
    if retries_left:
        return "retry"
    return "hitl_conflict" if found.conflict else "hitl_quality"


@pytest.mark.parametrize("max_retries", [None, 0, 1, 2, 5, -3, 99])
@pytest.mark.parametrize("retry_count", range(7))
def test_every_finding_combination_follows_the_design(
    retry_count: int, max_retries: int | None
) -> None:
    """Every combination of findings is decided as the design says."""
    retries_left = retry_count < allowed_retries(max_retries)
    for found in EVERY:
        verdict = decide(found, retry_count, max_retries)
        assert verdict.decision == by_the_design(found, retries_left=retries_left), found


def test_extra_finding_never_yields_an_answer() -> None:
    """Adding an issue to any combination cannot lead to finalize."""
    for found in EVERY:
        if decide(found, USED_UP, 2).decision == "finalize":
            continue
        for name in (*ISSUES, "conflict"):
            worse = found.model_copy(update={name: True})
            assert decide(worse, USED_UP, 2).decision != "finalize"


def test_only_clean_audited_pass_is_finalized() -> None:
    """Only an audited pass without any issue is finalized."""
    finalized = [found for found in EVERY if decide(found, LEFT, 2).decision == "finalize"]

    assert finalized == [sound().model_copy(update={"confidence": 0.7})]


# --- findings ------------------------------------------------------------------------------


def draft(number: int = 1, confidence: float = 0.9, **more: Any) -> AuditedDraft:
    values: dict[str, Any] = {
        "number": number,
        "answer": cited(0),
        "confidence": confidence,
        "confidence_raw": confidence,
        "penalty_factor": 1.0,
        "critique": critique(),
        "audit": CitationAudit(citations=[chunk_id(0)], claims=1, cited_claims=1),
        "evidence": [chunk(0)],
        "evaluation": EVALUATION,
    }
    return AuditedDraft(**(values | more))


INVALID = CitationAudit(
    citations=[chunk_id(0)], invalid=["c_zzzzzzzzzzzz"], claims=1, cited_claims=1
)
CLAMPED = EVALUATION.model_copy(update={"clamps": ["hallucination"]})


@pytest.mark.parametrize(
    ("change", "flags"),
    [
        ({}, {"audited"}),
        ({"confidence": 0.6499}, {"low_confidence", "audited"}),
        ({"confidence": 0.65}, {"audited"}),
        ({"audit": INVALID}, {"citation_issue", "audited"}),
        ({"critique": critique(hallucination_detected=True)}, {"hallucination", "audited"}),
        ({"critique": critique(needs_retry=True)}, {"asks_for_retry", "audited"}),
        ({"critique": critique(conflicting_evidence=["x"])}, {"conflict", "audited"}),
        ({"evaluation": CLAMPED}, {"clamped", "audited"}),
        ({"evaluation": None}, set()),
        ({"critique": None}, set()),
        ({"critique": None, "audit": INVALID}, {"citation_issue"}),
    ],
)
def test_findings_are_read_from_the_draft(change: dict[str, Any], flags: set[str]) -> None:
    found = findings(draft(**change), Policy())

    assert {name for name in FLAGS if getattr(found, name)} == flags


def test_policy_sets_pass_mark_and_clamp() -> None:
    """The policy says what passes and whether a clamp is an issue."""
    mild = Policy(confidence_threshold=0.3, clamp_is_an_issue=False)
    found = findings(draft(confidence=0.31, evaluation=CLAMPED), mild)

    assert not found.quality_issue


# --- the better draft ----------------------------------------------------------------------

UNAUDITED: dict[str, Any] = {"critique": None, "evaluation": None}


@pytest.mark.parametrize(
    ("reason", "best", "other"),
    [
        ("more confidence", draft(1, 0.9), draft(2, 0.8)),
        ("no invalid citation", draft(2, 0.2), draft(1, 0.9, audit=INVALID)),
        ("audited at all", draft(2, 0.1, audit=INVALID), draft(1, 0.9, **UNAUDITED)),
        ("sound", draft(2, 0.7, sound=True), draft(1, 0.9)),
        ("no invalid before sound", draft(2, 0.1), draft(1, 0.9, audit=INVALID, sound=True)),
        ("the earlier of two equals", draft(1, 0.7), draft(2, 0.7)),
    ],
)
def test_better_draft_wins_in_any_order(
    reason: str, best: AuditedDraft, other: AuditedDraft
) -> None:
    """The better draft wins whichever came last."""
    assert better(best, other) is best, reason
    assert better(other, best) is best, reason


def test_first_draft_is_initially_best() -> None:
    """The first draft is the best so far."""
    first = draft(confidence=0.0, **UNAUDITED)

    assert better(first, None) is first


DRAFTS = st.builds(
    lambda confidence, audited, invalid, is_sound: (confidence, audited, invalid, is_sound),
    st.sampled_from([0.0, 0.3, 0.65, 0.9]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


@settings(max_examples=examples(80), deadline=None)
@given(st.lists(DRAFTS, min_size=1, max_size=6))
def test_no_draft_beats_the_best(
    made: list[tuple[float, bool, bool, bool]],
) -> None:
    """The best of many has no better one among them."""
    drafts = [
        draft(
            number,
            confidence,
            critique=critique() if audited else None,
            audit=INVALID if invalid else CitationAudit(),
            sound=is_sound,
        )
        for number, (confidence, audited, invalid, is_sound) in enumerate(made, 1)
    ]
    best: AuditedDraft | None = None
    for one in drafts:
        best = better(one, best)

    assert best is not None
    assert all(better(other, best) is best for other in drafts)


# --- the question back ---------------------------------------------------------------------


def ask(decision: str, best: AuditedDraft, retries: int = 2, **more: Any) -> str:
    verdict = Verdict.model_validate({"decision": decision, "reason": ""})
    back = question_for(
        verdict,
        best,
        retries,
        list(more.get("disagreeing", [])),
        Policy(),
        choices=more.get("choices", []),
    )
    return back.text


def test_low_confidence_names_attempts_and_percentage() -> None:
    """Low confidence names the attempts and the percentage of the shown draft."""
    told = ask("hitl_quality", draft(confidence=0.4236))
    assert told.startswith("I found nothing that clearly answers it.")
    assert told.endswith("(After 2 refinement attempts the confidence is 42.4 %.)")
    assert "1 refinement attempt the" in ask("hitl_quality", draft(confidence=0.4), retries=1)


def test_open_point_is_said_to_be_open() -> None:
    left_open = QuestionAudit(open_point=True, nearest=[0])
    assert ask("hitl_quality", draft(confidence=0.3, left_open=left_open)) == texts.OPEN_POINT


def test_conflict_shows_statements_documents_and_dates() -> None:
    """A conflict shows each statement with its document and date."""
    sources = [
        chunk(0, date="2023-04-01"),
        chunk(1),
    ]
    question = ask("hitl_conflict", draft(), disagreeing=map(statement_of, sources))

    assert question.splitlines()[1:] == [
        "1. paper-0.md (1 Apr 2023): “Office number 0 opens at nine in the morning.”",
        "2. paper-1.md (undated): “Office number 1 opens at nine in the morning.”",
        "Which one counts?",
    ]


def test_title_year_is_shown_without_day() -> None:
    """A year in a title is shown without a day."""
    sources = [chunk(0, date="2026-01-01", date_source="title"), chunk(1, date="2026-01-01")]
    question = ask("hitl_conflict", draft(), disagreeing=map(statement_of, sources))

    assert "paper-0.md (2026): " in question
    assert "paper-1.md (1 Jan 2026): " in question


def test_repeated_conflict_question_is_reworded() -> None:
    """A conflict is asked about differently again."""
    sources = [*map(statement_of, (chunk(0, text="word " * 200), chunk(1)))]
    unclear = Choice(kind="unclear", statements=sources)
    question = ask("hitl_conflict", draft(), disagreeing=sources, choices=[unclear])

    assert "reply with 1 or 2" in question
    assert "word…”" in question
    assert len(question) < 700
    elsewhere = [each.model_copy(update={"document_id": "d_9"}) for each in sources]
    other = unclear.model_copy(update={"statements": elsewhere})
    assert "Which one counts?" in ask(
        "hitl_conflict", draft(), disagreeing=sources, choices=[other]
    )


def test_conflict_marks_date_of_file() -> None:
    """A conflict says which date is the files."""
    noted = chunk(0, date="2023-04-01").model_copy(update={"date_source": "file"})
    question = ask("hitl_conflict", draft(), disagreeing=[noted, chunk(1)])
    assert "paper-0.md (file dated 1 Apr 2023)" in question


def test_conflict_without_named_sources_still_asks() -> None:
    """A conflict whose sources are not named is still a question."""
    assert ask("hitl_conflict", draft()).endswith("?")


def test_unaudited_draft_is_labelled_unaudited() -> None:
    """A draft that nobody audited says so."""
    assert "could not be audited" in ask("hitl_not_audited", draft(**UNAUDITED))


def test_each_kind_has_its_own_words() -> None:
    said = {
        ask("hitl_quality", draft(confidence=0.3)),
        ask("hitl_conflict", draft()),
        ask("hitl_not_audited", draft(**UNAUDITED)),
    }

    assert len(said) == 3


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"audit": INVALID}, "it cites a source that does not exist"),
        ({"audit": CitationAudit()}, "it cites no source"),
        (
            {"critique": critique(hallucination_detected=True)},
            "it says something that the evidence does not bear out",
        ),
        ({"critique": critique(needs_retry=True)}, "the audit asks for more"),
    ],
)
def test_quality_question_names_the_actual_fault(change: dict[str, Any], fault: str) -> None:
    """What is wrong is named when it is not the confidence."""
    question = ask("hitl_quality", draft(**change))

    assert fault in question
    assert "too low" not in question


def test_one_of_several_is_left_to_the_asker() -> None:
    """A draft that takes one of what is called alike asks which one is meant; others stand."""
    several = Readings(thing="RSUs", options=["Service RSUs", "Bonus RSUs"], called_alike=True)
    taken = draft(answer="Service RSUs: 5 [c]", left_open=QuestionAudit(readings=several))
    passed = Verdict(decision="finalize", reason=PASSED)
    asked = left_to_asker(taken, passed)

    assert asked == Verdict(decision="hitl_quality", reason=ONE_OF_SEVERAL)
    back = question_for(asked, taken, 0, [], Policy())
    assert (back.kind, back.options) == ("ambiguous", several.options)
    assert "hich RSUs do you mean: Service RSUs or Bonus RSUs?" in back.text
    both = draft(answer="Service RSUs: 5, Bonus RSUs: 6 [c]", left_open=taken.left_open)
    assert left_to_asker(both, passed) == passed
    assert left_to_asker(draft(), passed) == passed


def test_later_failed_audit_keeps_draft_audited() -> None:
    """An audited draft is not called unaudited because a later pass was not."""
    assert "could not be audited" not in ask("hitl_not_audited", draft(confidence=0.5))


def test_unscored_draft_yields_to_scored_one() -> None:
    """A draft whose scores failed gives way to an earlier one that has them."""
    earlier = draft(1, 0.5)
    unscored = draft(2, 0.9, evaluation=None)

    assert better(unscored, earlier) is earlier
    assert better(unscored, earlier, to_be_scored=True) is unscored


# --- the routers ---------------------------------------------------------------------------


@pytest.mark.parametrize("review", [True, False])
@pytest.mark.parametrize("written", [None, "", "A draft."])
@pytest.mark.parametrize("last", [None, "retry", "finalize", "hitl_quality", "no decision"])
async def test_the_supervisors_routes(review: bool, written: str | None, last: str | None) -> None:
    trace = {
        None: [],
        "no decision": [{"node": "evaluator"}],
    }.get(last, [{"node": "supervisor", "decision": last}])
    state: ToDecide = {
        "draft_answer": written,
        "this_draft": None,
        "best_draft": None,
        "wording": None,
        "confidence": 0.5,
        "retry_count": 0,
        "max_retries": 2,
        "requires_human_review": review,
        "reply": "",
        "choices": [],
        "trace": trace,
    }
    expected = (
        "end"
        if review
        else "retry"
        if last == "retry"
        else "first_run"
        if written is None
        else "end"
    )

    assert await route_from_supervisor(state) == expected
    assert await route_from_researcher(state) == ("none" if review else "evidence")


def test_scores_are_what_the_table_assumes() -> None:
    assert Scores(**EVALUATION.model_dump(include=set(Scores.model_fields))) == GOOD_SCORES


@pytest.mark.parametrize(
    ("missing", "kind", "options"),
    [
        ("prya", "ambiguous", ["who does Priya report to?"]),
        ("Prya Raman", "ambiguous", ["who does Priya report to?"]),
        ("Veltona", "not_covered", []),
    ],
)
def test_missed_name_is_offered(missing: str, kind: str, options: list[str]) -> None:
    """A name that nothing mentions, a letter from one that the documents have, is asked about."""
    wording = Wording(
        text="who does prya report to",
        names={missing.split(maxsplit=1)[0]: "Priya"} if options else {"prya": "Priya"},
        meant="who does Priya report to?",
    )
    asked = Verdict(decision="hitl_quality", reason="retries_exhausted")
    left_open = QuestionAudit(unmentioned=[missing], nowhere=[missing])

    back = question_for(asked, draft(left_open=left_open), 2, [], Policy(), wording=wording)

    assert (back.kind, back.options) == (kind, options)
    assert ("Did you mean Priya?" in back.text) == bool(options)


@pytest.mark.parametrize(
    ("years", "asks"), [(["2025", "2024", "2023"], True), (["2025", "2024"], False)]
)
def test_change_between_several_years_is_asked_back(years: list[str], *, asks: bool) -> None:
    """What was not calculated, since it was not said between which years, is asked; of two there is one change."""
    left_open = QuestionAudit(readings=Readings(thing="year", options=years), calculation=True)
    passed = Verdict(decision="finalize", reason=PASSED)

    verdict = left_to_asker(draft(left_open=left_open), passed)
    assert (verdict.reason == ONE_OF_SEVERAL) == asks
