from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.chat.trail import trail_sentences as sentences
from bot.chat.trail.trail_sentences import INTENTS
from bot.slack import ids
from bot.slack.views.audit import audit
from masis.graphs.chat.state import Intent
from masis.graphs.registry import GRAPHS
from masis.records import StoredRun
from storage.documents.blanking import blanked
from tests.bot.slack.view_samples import (
    HOSTILE,
    RUN_ID,
    actions,
    answered,
    asked_back,
    check,
    faulty_audit,
    texts,
)
from tests.examples import examples
from tests.second_graph import COUNTING, NAME


def candidate(document: str = "handbook/leave.md", *, kept: bool = True) -> dict[str, Any]:
    return {
        "chunk_id": "c_aaaaaaaaaaab",
        "document": document,
        "score": 0.7123 if kept else 0.41,
        "coverage": 0.5,
        "kept": kept,
    }


def search(threshold: float, *candidates: dict[str, Any]) -> dict[str, Any]:
    return {"threshold": threshold, "candidates": list(candidates)}


TRACE = [
    {
        "node": "researcher",
        "route": "first_run",
        "chunks": 1,
        "filtered_out": 1,
        "avg_score": 0.7123,
        "threshold_used": 0.6,
        "augmented_query_used": False,
        "pass": 1,
        "duration_ms": 400.0,
    },
    {"node": "critic", "confidence": 0.5, "hallucination": False, "pass": 1, "duration_ms": 100.0},
    {"node": "supervisor", "decision": "retry", "reason": "quality_issue_detected", "pass": 1},
    {"node": "researcher", "chunks": 2, "threshold_used": 0.55, "pass": 2, "duration_ms": 1000.0},
    {"node": "supervisor", "decision": "finalize", "pass": 2, "duration_ms": 0.2},
]
METRICS = {
    "retrieval_scores": [
        search(0.6, candidate(), candidate(kept=False)),
        search(0.55, candidate()),
    ],
    "retry_reasons": [
        {
            "iteration": 1,
            "confidence": 0.5,
            "reason": "quality_issue_detected",
            "citation_issue": False,
            "hallucination": False,
        }
    ],
    "model_calls": 6,
    "prompt_tokens": 4200,
    "completion_tokens": 310,
    "cost_usd": 0.0123,
    "searches": 2,
}


def kept(**changes: Any) -> StoredRun:
    values: dict[str, Any] = {
        "run_id": RUN_ID,
        "graph": "research",
        "workspace_id": "ws_a",
        "question": "How much annual leave is there?",
        "status": "success",
        "outcome": answered().model_dump(mode="json"),
        "evidence": [],
        "trace": TRACE,
        "figures": METRICS,
    }
    return StoredRun(**{**values, **changes})


def test_a_step_is_called_as_its_graph_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GRAPHS, NAME, COUNTING)
    trace = [{"node": "count", "pass": 1, "passages": 3}, {"node": "other", "pass": 1}]

    said = texts(audit(kept(graph=NAME, trace=trace))).split("\n")

    assert "Count the passages: passages 3" in said
    assert "other" in said


def test_the_trail_tells_everything_there_is() -> None:
    view = audit(kept())
    narrow, calls = "query widened no", "6 model calls · 4200 tokens read · 310 tokens written"

    assert texts(view).split("\n") == [
        "How I got this",
        "Close",
        "*How much annual leave is there?*",
        "🟢 High 86 % · 1 of 1 claim cited · 1 document · extractive",
        "*Scores*",
        "Faithfulness: 95 %",
        "Relevance: 90 %",
        "Completeness: 90 %",
        "Reasoning: 80 %",
        "Overall: 90 %",
        "Confidence: 86 %",
        "Clamps: none",
        "*First pass*",
        f"Search: kept 1 · dropped 1 · mean relevance 0.7123 · threshold 0.6 · {narrow} · 400 ms",
        "Audit: confidence 0.5 · hallucination no · 100 ms",
        "Decide: retry · reason quality issue detected",
        "Looked at 2 passages, kept 1 (threshold 0.60):",
        "✅ kept 0.71 · coverage 0.50 · handbook/leave.md · c_aaaaaaaaaaab",
        "▫️ dropped 0.41 · coverage 0.50 · handbook/leave.md · c_aaaaaaaaaaab",
        "↻ confidence 0.5 · reason quality issue detected · citation issue no · hallucination no",
        "*Retry 1*",
        "Search: kept 2 · threshold 0.55 · 1000 ms",
        "Decide: finalize · 0 ms",
        "Looked at 1 passage, kept 1 (threshold 0.55):",
        "✅ kept 0.71 · coverage 0.50 · handbook/leave.md · c_aaaaaaaaaaab",
        "*What the audit found*",
        "• Nothing to object to.",
        "*What it took*",
        f"{calls} · 0.0123 US$ · 2 searches · 1.5 s of work",
        f"run {RUN_ID}",
    ]
    check("modal", view)


def test_trail_shows_what_was_understood() -> None:
    """What a message was taken for, its standalone question and the search plan stand first."""
    router = {"node": "router", "intent": "specific_doc_rag", "exchanges": 2, "heard": 15}
    rewriter = {"node": "rewriter", "rewritten": True, "understood": "How much <!channel> leave?"}
    planner = {"node": "planner", "plan": ["leave in a.md", "leave in b.md"]}
    steps = [each | {"pass": 1, "duration_ms": 2.0} for each in (router, rewriter, planner)]
    search = {"node": "researcher", "pass": 1}
    told = texts(audit(kept(trace=[*steps, search]))).split("\n")

    at = told.index("*Understand*")
    read = "2 earlier questions of the thread · 15 messages of the thread read"
    assert told[at + 1 : at + 6] == [
        f"taken for a question about named documents · {read} · 6 ms",
        "Understood as: How much &lt;!channel&gt; leave?",
        "search plan: leave in a.md, leave in b.md",
        "*First pass*",
        "Search",
    ]
    gone = texts(audit(kept(trace=blanked(steps), blanked=True, question="")))
    assert "leave in" not in gone
    assert "Understand" not in gone


def test_every_intent_has_words() -> None:
    assert set(INTENTS) == set(get_args(Intent))


def test_one_search_is_not_called_searches() -> None:
    told = texts(audit(kept(figures={"model_calls": 1, "searches": 1})))
    assert "1 model call · 1 search · " in told


def test_trail_shows_the_requested_scope() -> None:
    """The trail tells where the question had it look."""
    where = {"node": "researcher", "filters": "in:board_pack/ type:pdf", "documents": 3, "pass": 1}
    told = texts(audit(kept(trace=[where])))
    assert "Search: only in:board_pack/ type:pdf · documents 3" in told


def test_trail_shows_the_substituted_search() -> None:
    """The trail tells what was searched instead."""
    where = {"node": "researcher", "searched_for": ["mileage", "annual leave"], "pass": 1}
    assert "Search: searched for mileage, annual leave" in texts(audit(kept(trace=[where])))


def test_deleted_document_removes_search_terms() -> None:
    """A deleted document leaves nothing of what was searched."""
    outcome = answered(searched_for=["mileage"]).model_dump(mode="json")
    where = {"node": "researcher", "searched_for": ["mileage"], "pass": 1}
    told = texts(audit(kept(outcome=blanked(outcome), trace=blanked([where]), blanked=True)))
    assert "mileage" not in told
    assert "searched for “" not in told


def test_audit_findings_are_listed_whole() -> None:
    """What the audit found is listed whole."""
    outcome = asked_back(audit=faulty_audit("It is 9.", 7)).model_dump(mode="json")
    told = texts(audit(kept(status="needs_clarification", outcome=outcome)))

    assert told.count("Without a source: “It is 9.”") == 7
    assert told.count("Not in its source: “It is 9.” (It is 9.)") == 7
    assert told.count("Made up: It is 9.") == 7
    assert "Conflict: “10”" in told


def test_deleted_document_keeps_run_figures() -> None:
    """A run whose document was deleted says so and keeps its figures."""
    run = kept(
        question="",
        outcome=blanked(answered().model_dump(mode="json")),
        figures=blanked(METRICS),
        trace=blanked(TRACE),
        blanked=True,
    )
    told = texts(audit(run))

    assert sentences.BLANKED_RUN in told
    assert "handbook" not in told
    assert f"0.71 · coverage 0.50 · {sentences.DELETED_DOCUMENT}" in told
    assert "Faithfulness: 95 %" in told
    check("modal", audit(run))


def test_a_failed_run_shows_its_error() -> None:
    run = kept(status="failed", outcome={"error": "The model service did not answer."}, figures={})

    assert "❌ The model service did not answer." in texts(audit(run))
    check("modal", audit(run))


def test_unknown_outcome_keeps_rest_readable() -> None:
    """An outcome of another release leaves the rest readable."""
    told = texts(audit(kept(outcome={"answer": 7})))

    assert "Faithfulness" not in told
    assert "*First pass*" in told


def test_a_run_without_scores_says_so() -> None:
    outcome = answered(evaluation=None).model_dump(mode="json")

    assert sentences.NOT_SCORED in texts(audit(kept(outcome=outcome)))


def test_a_long_trail_is_paged() -> None:
    trace = [{**entry, "pass": number} for number in range(1, 40) for entry in TRACE]
    run = kept(trace=trace)
    first, last = audit(run), audit(run, 99)

    assert set(actions(first)) == {f"{ids.AUDIT_PAGE}_1"}
    carried = ids.PageRef.loaded(actions(first)[f"{ids.AUDIT_PAGE}_1"]["value"])
    assert (carried.run, carried.page) == (RUN_ID, 1)
    assert f"{ids.AUDIT_PAGE}_1" not in actions(last)
    assert f"run {RUN_ID}" in texts(last)
    assert audit(run, -1) == first
    check("modal", first)
    check("modal", last)


json_like = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.floats(), st.integers(), st.text(max_size=9), st.just(HOSTILE)
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.parametrize(
    "changes",
    [
        {"question": HOSTILE * 20},
        {"figures": {**METRICS, "retrieval_scores": [search(0.6, *[candidate(HOSTILE * 3)] * 40)]}},
        {"outcome": answered(audit=faulty_audit(HOSTILE * 3, 30)).model_dump(mode="json")},
        {"status": "failed", "outcome": {"error": HOSTILE}},
        {"trace": [{"node": HOSTILE, HOSTILE: HOSTILE, "pass": 1}]},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_no_field_is_live(changes: dict[str, Any]) -> None:
    for page in range(2):
        check("modal", audit(kept(**changes), page))


@given(
    st.dictionaries(
        st.sampled_from(["retrieval_scores", "retry_reasons", "model_calls", "cost_usd"]), json_like
    ),
    st.lists(st.dictionaries(st.sampled_from(["node", "pass", "duration_ms", "x"]), json_like)),
)
@settings(max_examples=examples(60), deadline=None)
def test_whatever_was_kept_can_be_shown(metrics: dict[str, Any], trace: list[Any]) -> None:
    check("modal", audit(kept(figures=metrics, trace=trace)))
