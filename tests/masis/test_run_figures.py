import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.domain import CitationAudit, Evaluation, Scores, Usage
from masis.graphs.research.state import AuditedDraft
from masis.run_figures import APPENDED, SUMMED, Metrics, as_json, merge, of_usage
from tests.scripted_agents import GOOD_SCORES, chunk, critique


@pytest.mark.parametrize(
    ("old", "new", "merged"),
    [
        ({}, {"searches": 1}, {"searches": 1}),
        ({"searches": 1}, {}, {"searches": 1}),
        ({"searches": 1}, {"searches": 1}, {"searches": 2}),
        ({"model_calls": 3}, {"model_calls": 0}, {"model_calls": 3}),
        (
            {"confidence_history": [0.5]},
            {"confidence_history": [0.9]},
            {"confidence_history": [0.5, 0.9]},
        ),
        ({"retry_reasons": []}, {"retry_reasons": [{"iteration": 1}]}, None),
        ({"cost_usd": 0.25}, {"cost_usd": 0.5}, {"cost_usd": 0.75}),
        ({"cost_usd": 0.25}, {"cost_usd": None}, {"cost_usd": 0.25}),
        ({"penalty_factor": 0.5}, {"penalty_factor": 1.0}, {"penalty_factor": 1.0}),
        ({"evaluation": "some"}, {"evaluation": None}, {"evaluation": None}),
        ({"evaluation": None}, {"evaluation": "some"}, {"evaluation": "some"}),
        (
            {"node_latency_ms": {"critic": [1.0]}},
            {"node_latency_ms": {"critic": [2.0], "writer": [3.0]}},
            {"node_latency_ms": {"critic": [1.0, 2.0], "writer": [3.0]}},
        ),
    ],
)
def test_each_figure_adds_up_by_its_own_rule(
    old: Metrics, new: Metrics, merged: Metrics | None
) -> None:
    assert merge(old, new) == (new if merged is None else merged)


REPORTS = st.fixed_dictionaries(
    {},
    optional={
        **{key: st.lists(st.integers(), max_size=3) for key in sorted(APPENDED)},
        **{key: st.integers(0, 100) for key in sorted(SUMMED)},
        "cost_usd": st.integers(0, 100),
        "node_latency_ms": st.dictionaries(
            st.sampled_from("abc"), st.lists(st.integers(), max_size=2), max_size=3
        ),
        "confidence_raw": st.floats(0, 1),
    },
)


@settings(max_examples=60, deadline=None)
@given(REPORTS, REPORTS, REPORTS)
def test_it_does_not_matter_in_which_bundles_reports_arrive(
    one: dict[str, Any], two: dict[str, Any], three: dict[str, Any]
) -> None:
    assert merge(merge(one, two), three) == merge(one, merge(two, three))
    assert merge({}, one) == merge(one, {}) == one


@settings(max_examples=60, deadline=None)
@given(REPORTS, REPORTS)
def test_merging_changes_neither_side(one: dict[str, Any], two: dict[str, Any]) -> None:
    before = copy.deepcopy((one, two))
    merge(one, two)

    assert (one, two) == before


def test_usage_without_a_known_price_has_no_cost() -> None:
    unpriced = of_usage(Usage(calls=1, prompt_tokens=100, completion_tokens=20))
    free = of_usage(Usage(cost_usd=0.0))

    assert unpriced == {"model_calls": 1, "prompt_tokens": 100, "completion_tokens": 20}
    assert free["cost_usd"] == 0.0


def test_as_json_gives_plain_values_and_no_text_of_the_best_drafts_evidence() -> None:
    secret = "The merger is planned for May."
    best = AuditedDraft(
        number=2,
        answer="It is planned.",
        confidence=0.9,
        confidence_raw=0.9,
        penalty_factor=1.0,
        critique=critique(),
        audit=CitationAudit(),
        evidence=[chunk(0, text=secret)],
    )
    scores: Scores = GOOD_SCORES
    evaluation = Evaluation(**scores.model_dump(), overall_score=0.9, raw=scores)
    figures = {"searches": 1, "evaluation": evaluation, "best_draft": best}

    plain = as_json(figures)

    assert plain["best_pass"] == 2
    assert plain["evaluation"]["overall_score"] == 0.9
    assert secret not in json.dumps(plain)
    assert figures["best_draft"] is best, "the state keeps its own"


def test_a_run_without_a_draft_has_no_best_pass() -> None:
    assert as_json({"evaluation": None, "best_draft": None}) == {"evaluation": None}
