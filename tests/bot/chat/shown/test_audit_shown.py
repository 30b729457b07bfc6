"""“How I got this” as every chat shows it: its sections in their order, and what is only counted elsewhere."""

from typing import Any

from bot.chat.shown.audit_shown import LONG_QUESTION, AuditShown, audit_shown
from bot.chat.trail import trail_sentences as sentences
from masis.domain import Answered, NeedsClarification
from masis.records import StoredRun
from tests.bot.slack.view_samples import RUN_ID, answered, asked_back, faulty_audit

TRACE = [
    {"node": "router", "intent": "direct_rag", "pass": 1, "duration_ms": 2},
    {"node": "researcher", "pass": 1, "chunks": 1, "duration_ms": 40},
    {"node": "researcher", "pass": 2, "chunks": 2, "duration_ms": 60},
]
FIGURES: dict[str, Any] = {
    "retrieval_scores": [
        {
            "threshold": 0.6,
            "candidates": [{"document": "a.md", "chunk_id": "c_1", "score": 0.9, "kept": True}],
        }
    ],
    "retry_reasons": [{"iteration": 1, "reason": "low"}],
}


def shown(of: Answered | NeedsClarification | None = None, **changes: Any) -> AuditShown:
    kept = of or answered()
    values: dict[str, Any] = {
        "run_id": RUN_ID,
        "graph": "research",
        "workspace_id": "ws_a",
        "question": "How much annual leave is there?",
        "status": "success" if isinstance(kept, Answered) else "needs_clarification",
        "outcome": kept.model_dump(mode="json"),
        "evidence": [],
        "trace": TRACE,
        "figures": FIGURES,
    }
    return audit_shown(StoredRun.model_validate({**values, **changes}))


def lines(content: AuditShown, title: str) -> list[str]:
    return [line for each in content.sections if each.title == title for line in each.lines]


def test_trail_has_its_sections_in_order() -> None:
    content = shown()
    assert [each.title for each in content.sections] == [
        sentences.UNDERSTANDING,
        "First pass",
        "Retry 1",
        sentences.FINDINGS,
    ]
    first = content.sections[1]
    assert first.search is not None
    assert first.search.head == "Looked at 1 passage, kept 1 (threshold 0.60):"
    assert first.reason == "↻ reason low"
    assert content.scores is not None
    assert dict(content.scores.named)["Overall"] == "90 %"
    assert content.badge is not None


def test_failed_run_has_its_error() -> None:
    content = shown(status="failed", outcome={"error": "The model is away."})
    assert content.error == "❌ The model is away."
    assert (content.badge, content.scores) == (None, None)


def test_blanked_run_warns() -> None:
    assert shown(blanked=True, question="").warning.startswith("⚠️ ")
    assert shown().warning == ""


def test_counted_notes_are_listed_whole() -> None:
    """What an answer only counts, or cuts, stands in its trail."""
    noted = [f"No word on place {number}." for number in range(9)]
    for outcome in (answered(gaps=noted), asked_back(kind="low_confidence", gaps=noted)):
        assert lines(shown(outcome), sentences.NOTED) == [f"• {each}" for each in noted]
    long = "Not read: " + "x" * 900
    assert lines(shown(answered(unread=[long])), sentences.NOTED) == [f"• {long}"]


def test_notes_shown_whole_are_not_repeated() -> None:
    assert lines(shown(answered(gaps=["No word on Leeds."])), sentences.NOTED) == []


def test_long_question_is_listed_whole() -> None:
    asked = "Which?\n" * LONG_QUESTION
    content = shown(asked_back(clarification_question=asked))
    assert lines(content, sentences.ASKED_BACK) == ["Which?"] * LONG_QUESTION
    assert lines(shown(asked_back()), sentences.ASKED_BACK) == []


def test_all_claims_are_found() -> None:
    """The trail lists every claim that does not hold; the answer only the first."""
    content = shown(answered(audit=faulty_audit("It is 9.", 20)))
    assert len(lines(content, sentences.FINDINGS)) == 60
