import datetime as dt
import math
import re
from pathlib import Path

import pytest

from bot.observability.metrics import Metrics
from masis.assistant import Finished
from masis.conversation import Acceptance, ChatRun, Tenant
from masis.domain import Badge, CitationAudit, Failed, NeedsClarification, Usage
from storage.chat.backlog import Backlog

NOW = dt.datetime(2026, 3, 1, 12, 0, tzinfo=dt.UTC)


def a_run(**other: object) -> ChatRun:
    known: dict[str, object] = {
        "id": "r1",
        "tenant": Tenant(team="T0SECRET"),
        "channel": "C0SECRET",
        "asker": "U0SECRET",
        "question": "What?",
        "query": "What?",
        "workspace_id": "w_secret",
    }
    return ChatRun.model_validate(known | other)


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


def test_process_metrics_are_separate() -> None:
    """Two processes in one interpreter count apart."""
    one, other = Metrics(), Metrics()
    one.ended(a_run(), "answer")
    assert value(one, "masis_runs_total", status="answer") == 1
    assert value(other, "masis_runs_total", status="answer") == 0


def test_known_outcomes_exist_initially() -> None:
    """Every outcome is there from the start and an unknown one makes no series."""
    metrics = Metrics()
    for status in ("answer", "clarification", "refused", "failed", "stopped", "report"):
        assert value(metrics, "masis_runs_total", status=status) == 0
    metrics.ended(a_run(), "T0SECRET")
    metrics.ended(a_run(), "U0SECRET")
    assert value(metrics, "masis_runs_total", status="other") == 2


def test_waiting_time_is_never_negative() -> None:
    """What people waited counts from the acceptance and is never negative."""
    metrics = Metrics()
    metrics.ended(a_run(accepted_at=dt.datetime.now(dt.UTC) - dt.timedelta(seconds=45)), "answer")
    assert value(metrics, "masis_outcome_seconds_bucket", le="30.0") == 0
    assert value(metrics, "masis_outcome_seconds_bucket", le="600.0") == 1
    metrics.ended(a_run(accepted_at=dt.datetime.now(dt.UTC) + dt.timedelta(hours=1)), "answer")
    assert value(metrics, "masis_outcome_seconds_bucket", le="0.5") == 1


@pytest.mark.parametrize(
    ("attempt", "steps", "recovered"),
    [(1, 0, 0), (1, 2, 1), (2, 0, 1), (3, 1, 1), (4, 2, 0)],
)
def test_resumed_run_counts_as_recovery(attempt: int, steps: int, recovered: int) -> None:
    """A run that was begun before is a recovery and its last word is none."""
    metrics = Metrics()
    metrics.begun(a_run(attempt=attempt, steps=steps))
    assert value(metrics, "masis_recoveries_total") == recovered


def test_research_counts_steps_and_citations() -> None:
    """Research is told by its steps its made up citations and its confidence."""
    metrics = Metrics()
    outcome = NeedsClarification(
        run_id="r1",
        question="What?",
        kind="low_confidence",
        clarification_question="Which?",
        answer="It is.",
        confidence=0.64,
        badge=Badge(level="Low", confidence=0.64),
        audit=CitationAudit(),
    )
    metrics.researched(
        Finished(
            outcome=outcome,
            trace=[],
            figures={
                "node_latency_ms": {"researcher": [40, 300], "U0SECRET": [1]},
                "citation_violations": [{"invalid": ["c_x", "c_y"]}, {"invalid": []}],
            },
            evidence=[],
            seconds=4.0,
        )
    )
    assert value(metrics, "masis_run_seconds_bucket", le="5.0") == 1
    assert value(metrics, "masis_node_seconds_count", node="researcher") == 2
    assert value(metrics, "masis_node_seconds_sum", node="researcher") == pytest.approx(0.34)
    assert value(metrics, "masis_citations_invalid_total") == 2
    assert value(metrics, "masis_confidence_bucket", le="0.6") == 0
    assert value(metrics, "masis_confidence_bucket", le="0.65") == 1


def test_what_failed_has_no_confidence() -> None:
    metrics = Metrics()
    failed = Failed(run_id="r1", question="What?", error="Down.", retryable=True)
    metrics.researched(Finished(outcome=failed, trace=[], figures={}, evidence=[], seconds=1.0))
    assert value(metrics, "masis_run_seconds_count") == 1
    assert value(metrics, "masis_confidence_count") == 0


def test_intake_is_counted_by_outcome() -> None:
    """Requests at the door are counted by what became of them."""
    metrics = Metrics()
    metrics.accepted(Acceptance(state="over_quota", run_id="r1"))
    metrics.accepted("unavailable")
    assert value(metrics, "masis_accepts_total", state="over_quota") == 1
    assert value(metrics, "masis_accepts_total", state="unavailable") == 1
    assert value(metrics, "masis_accepts_total", state="accepted") == 0


def test_cost_requires_a_price() -> None:
    """Money is counted where there is a price."""
    metrics = Metrics()
    metrics.paid("gpt-4o", 0.25)
    metrics.paid("my-llama", None)
    assert value(metrics, "masis_llm_cost_total", model="gpt-4o") == 0.25
    assert value(metrics, "masis_llm_cost_total", model="my-llama") is None
    metrics.over_budget("call")
    assert value(metrics, "masis_budget_refusals_total", at="call") == 1
    assert value(metrics, "masis_budget_refusals_total", at="door") == 0


def test_queue_shows_an_unresponsive_database() -> None:
    """The queue is shown and so is a database that does not answer."""
    metrics = Metrics()
    oldest = NOW - dt.timedelta(seconds=90)
    metrics.backlog(Backlog(waiting=2, queued=3, running=4, oldest=oldest), NOW)
    assert value(metrics, "masis_queue_depth") == 5
    assert value(metrics, "masis_runs_running") == 4
    assert value(metrics, "masis_oldest_queued_seconds") == 90
    assert value(metrics, "masis_database_up") == 1
    metrics.backlog(Backlog(), NOW)
    assert value(metrics, "masis_oldest_queued_seconds") == 0
    metrics.backlog(None, NOW)
    assert value(metrics, "masis_database_up") == 0
    depth = value(metrics, "masis_queue_depth")
    assert depth is not None
    assert math.isnan(depth)


def test_the_page_names_nobody() -> None:
    metrics = Metrics()
    run = a_run(accepted_at=NOW, attempt=2)
    metrics.begun(run)
    metrics.ended(run, "answer")
    metrics.called("gpt-4o", "ok", Usage(prompt_tokens=7, completion_tokens=2))
    body, content_type = metrics.page()
    text = body.decode()
    assert content_type.startswith("text/plain")
    assert 'masis_llm_tokens_total{kind="prompt",model="gpt-4o"} 7.0' in text
    assert "secret" not in text.lower()
    modern, content_type = metrics.page("application/openmetrics-text; version=1.0.0")
    assert content_type.startswith("application/openmetrics-text")
    assert modern.endswith(b"# EOF\n")


def test_documented_figures_are_those_exported() -> None:
    """The figures on the operators page are those that there are."""
    page = Path(__file__).parents[3].joinpath("docs", "operating.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\b(masis_[a-z_]+)", page)) - {"masis_data", "masis_vectors"}
    families = {family.name: family.type for family in Metrics().registry.collect()}
    known = {
        f"{name}_total" if kind == "counter" else name
        for name, kind in families.items()
        if name.startswith("masis_")
    }
    assert {name.removesuffix("_bucket") for name in named} == known - {"masis_build_info"}
