"""What holds a badge down, and the sentence that says what would make an answer better."""

from typing import Any

import pytest

from masis.answering import scoring
from masis.answering.citations import audit
from masis.domain import CitationAudit, Scores, UnsupportedClaim
from masis.graphs.research import badge_caps, improvement, texts
from masis.graphs.research.state import AuditedDraft
from masis.policy import MEDIUM_OPEN_CLAIMS
from tests.scripted_agents import GOOD_SCORES, chunk, chunk_id, cited, critique

EVALUATION = scoring.evaluate(GOOD_SCORES, hallucination=False, invalid=0, uncited=0)
UNSUPPORTED = UnsupportedClaim(sentence="It opens at ten.", missing=["ten"])


def draft(**more: Any) -> AuditedDraft:
    values: dict[str, Any] = {
        "number": 1,
        "answer": cited(0),
        "confidence": 0.9,
        "confidence_raw": 0.9,
        "penalty_factor": 1.0,
        "critique": critique(),
        "audit": CitationAudit(citations=[chunk_id(0)], claims=4, cited_claims=4),
        "evidence": [chunk(0)],
        "evaluation": EVALUATION,
    }
    return AuditedDraft(**(values | more))


def with_open(uncited: int = 0, unsupported: int = 0, made_up: int = 0) -> AuditedDraft:
    """Four claims and so many that no source bears out; `made_up` ones have no real citation."""
    found = CitationAudit(
        citations=[chunk_id(0)],
        uncited=["The board resigned."] * uncited,
        unsupported=[UNSUPPORTED] * unsupported,
        claims=4 + uncited + made_up,
        cited_claims=4,
    )
    return draft(audit=found)


DOUBTED = CitationAudit(
    citations=[chunk_id(0)],
    unsupported=[UnsupportedClaim(sentence="It is open.", reason="its source says the opposite")],
    claims=1,
    cited_claims=1,
)


@pytest.mark.parametrize(
    ("found", "level", "note"),
    [
        (with_open(), "High", ""),
        (with_open(uncited=1), "Medium", texts.UNCITED_CLAIM),
        (with_open(unsupported=1), "Medium", texts.NOT_IN_ITS_SOURCE),
        (draft(audit=DOUBTED), "Medium", texts.NOT_BORNE_OUT),
        (with_open(made_up=1), "Medium", texts.UNCITED_CLAIM),
        (with_open(uncited=1, unsupported=1), "Low", texts.open_claims(2)),
        (with_open(uncited=2), "Low", texts.open_claims(2)),
        (with_open(unsupported=3), "Low", texts.open_claims(3)),
    ],
)
def test_open_claims_determine_the_badge(found: AuditedDraft, level: str, note: str) -> None:
    """High leaves no claim open and medium one."""
    shown = badge_caps.of(found, audited=True)
    assert shown is not None
    assert (shown.level, shown.note) == (level, note)
    assert MEDIUM_OPEN_CLAIMS == 1


@pytest.mark.parametrize("audited", [True, False])
def test_draft_without_claims_has_no_badge(audited: bool) -> None:
    """A draft without claims has no badge."""
    empty = draft(answer="\u200b", audit=CitationAudit())
    assert badge_caps.of(empty, audited=audited) is None


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("", "High"),
        ("## Opening hours\n\n", "High"),
        ("## The board fired the chief executive\n\n", "Medium"),
        ("Did you know that you must pay 5000 EUR today?\n\n", "Medium"),
        ("## The board fired the chief executive\n\nYou must pay 5000 EUR.\n\n", "Low"),
        ("The board fired its chief. Pay 5000 EUR to IBAN DE89370400440532013000.\n\n", "Low"),
    ],
)
def test_claims_in_any_form_cap_badge(said: str, level: str) -> None:
    """Claims in any form hold the badge down."""
    found = draft(audit=audit(f"{said}{cited(0)}", [chunk(0)]))
    shown = badge_caps.of(found, audited=True)
    assert shown is not None
    assert shown.level == level


# --- what would make it better -------------------------------------------------------------


def sentence(found: AuditedDraft) -> str:
    return improvement.sentence(found, badge_caps.of(found, audited=True))


def test_high_answer_needs_no_note() -> None:
    """An answer that is high wants nothing."""
    assert not sentence(draft())
    assert not sentence(draft(audit=CitationAudit()))


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (with_open(uncited=1), "document that says so: “The board resigned.”"),
        (with_open(unsupported=1), "bears this out: “It opens at ten.” (ten)"),
        (
            draft(
                confidence=0.7,
                critique=critique(0.7, logical_gaps=[f"{texts.NOT_MENTIONED}Brazil, broker"]),
            ),
            "document that mentions “Brazil, broker”",
        ),
        (
            draft(confidence=0.7, critique=critique(0.7, logical_gaps=["No date is given."])),
            "settles this: No date is given.",
        ),
        (
            draft(
                confidence=0.7, critique=critique(0.7, logical_gaps=[texts.OVER_COMPRESSION_GAP])
            ),
            texts.MORE_DIRECT,
        ),
        (draft(confidence=0.7), texts.MORE_DIRECT),
    ],
)
def test_the_most_telling_finding_is_said(found: AuditedDraft, says: str) -> None:
    assert says in sentence(found)


def test_an_incomplete_answer_wants_the_rest() -> None:
    scores = Scores(faithfulness=0.9, relevance=0.8, completeness=0.4, reasoning_quality=0.9)
    partly = scoring.evaluate(scores, hallucination=False, invalid=0, uncited=0)
    assert sentence(draft(confidence=0.7, evaluation=partly)) == texts.ONLY_IN_PART


def test_the_sentence_is_one_short_line() -> None:
    long = CitationAudit(citations=[chunk_id(0)], uncited=["so\n" * 5000], claims=2, cited_claims=1)
    said = sentence(draft(audit=long))
    assert "\n" not in said
    assert len(said) < improvement.MAX_QUOTED + 60


@pytest.mark.parametrize(
    ("words", "completeness", "level"),
    [(19, 0.29, "Medium"), (19, 0.30, "High"), (18, 0.10, "High")],
)
def test_told_case_unspoken_of_caps_badge(words: int, completeness: float, level: str) -> None:
    found = with_open()
    assert found.evaluation is not None
    scores = found.evaluation.model_copy(update={"completeness": completeness})
    found = found.model_copy(update={"evaluation": scores})
    shown = badge_caps.of(found, audited=True, question="word " * words)
    assert shown is not None
    assert shown.level == level


@pytest.mark.parametrize(
    ("said", "asked", "level"),
    [
        ("Bikes may stand in the yard", "can I leave my bike", "High"),
        ("Bikes stand in the yard", "can I leave my bike", "Medium"),
        ("Bikes stand in the yard", "where do I leave my bike", "High"),
        ("Cars may stand in the yard", "can I leave my bike", "Medium"),
    ],
)
def test_leave_without_its_rule_caps_badge(said: str, asked: str, level: str) -> None:
    found = draft(answer=f"{said} [{chunk_id(0)}].")
    shown = badge_caps.of(found, audited=True, question=asked)
    assert shown is not None
    assert (shown.level, shown.note) == (level, texts.NO_RULE if level == "Medium" else "")
