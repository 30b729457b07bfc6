"""What “How I got this” says of a run, in the words of both chats."""

from typing import Any

from bot.chat.trail import run_trail
from bot.slack.views.audit import audit as slack_audit
from bot.teams.cards.audit_card import audit as teams_audit
from masis.records import StoredRun
from tests.bot.slack.view_samples import RUN_ID, answered, faulty_audit
from tests.bot.slack.view_samples import texts as slack_texts
from tests.bot.teams.card_checker import texts as teams_texts

UNDERSTOOD = [
    {"node": "router", "intent": "direct_rag", "exchanges": 1, "heard": 0, "duration_ms": 3.0},
    {"node": "rewriter", "rewritten": True, "understood": "How long is leave?", "duration_ms": 2},
    {"node": "planner", "plan": ["leave", "days"], "duration_ms": 1.0},
]
PASS = {"node": "researcher", "pass": 1, "chunks": 2, "threshold_used": 0.6, "duration_ms": 41.0}
CANDIDATE = {
    "chunk_id": "c_aaaaaaaaaaab",
    "document": "leave.md",
    "score": 0.7123,
    "coverage": 0.5,
    "kept": False,
    "because": "weak",
}
FIGURES = {
    "retrieval_scores": [{"threshold": 0.6, "candidates": [CANDIDATE]}],
    "retry_reasons": [{"iteration": 1, "reason": "quality_issue_detected"}],
    "searches": 1,
    "model_calls": 3,
}


def kept(**changes: Any) -> StoredRun:
    values: dict[str, Any] = {
        "run_id": RUN_ID,
        "graph": "research",
        "workspace_id": "ws_1",
        "question": "How long is leave?",
        "status": "success",
        "outcome": answered(audit=faulty_audit("a claim", 2)).model_dump(mode="json"),
        "evidence": [],
        "trace": [*UNDERSTOOD, PASS],
        "figures": FIGURES,
    }
    return StoredRun.model_validate(values | changes)


def test_both_chats_say_the_same() -> None:
    """Each line of the trail is in Slack's modal and in Teams' dialog."""
    run = kept()
    result = run_trail.result_of(run)
    assert result is not None
    (only,) = run_trail.passes(run)
    assert only.search is not None
    lines = [*run_trail.understood(run), *only.steps, *run_trail.findings(result)]
    lines += [only.search.head, *only.search.passages, only.reason, run_trail.costs(run)]
    shown = slack_texts(slack_audit(run)), "\n".join(teams_texts(teams_audit(run)))
    assert len(lines) > 8
    for line in lines:
        assert all(line in each for each in shown), line


def test_old_or_broken_trails_are_read() -> None:
    """What an older release kept, or what is no value of its kind, is passed over."""
    odd = kept(
        outcome={"status": "nonsense"},
        trace=[{"node": 3, "pass": "x", "duration_ms": float("inf")}, {}],
        figures={"retrieval_scores": "none", "retry_reasons": [1, {"iteration": 9}]},
    )
    assert run_trail.result_of(odd) is None
    assert run_trail.understood(odd) == []
    assert [each.title for each in run_trail.passes(odd)] == ["First pass"]
