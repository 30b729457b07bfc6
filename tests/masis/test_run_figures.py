import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.domain import Usage
from masis.run_figures import APPENDED, SUMMED, Figures, merge, of_usage
from tests.examples import examples


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
def test_each_figure_has_merge_rule(old: Figures, new: Figures, merged: Figures | None) -> None:
    """Each figure adds up by its own rule."""
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


@settings(max_examples=examples(60), deadline=None)
@given(REPORTS, REPORTS, REPORTS)
def test_merging_reports_is_associative(
    one: dict[str, Any], two: dict[str, Any], three: dict[str, Any]
) -> None:
    """It does not matter in which bundles reports arrive."""
    assert merge(merge(one, two), three) == merge(one, merge(two, three))
    assert merge({}, one) == merge(one, {}) == one


@settings(max_examples=examples(60), deadline=None)
@given(REPORTS, REPORTS)
def test_merging_changes_neither_side(one: dict[str, Any], two: dict[str, Any]) -> None:
    before = copy.deepcopy((one, two))
    merge(one, two)

    assert (one, two) == before


def test_unpriced_usage_has_no_cost() -> None:
    """Usage without a known price has no cost."""
    unpriced = of_usage(Usage(calls=1, prompt_tokens=100, completion_tokens=20))
    free = of_usage(Usage(cost_usd=0.0))

    assert unpriced == {"model_calls": 1, "prompt_tokens": 100, "completion_tokens": 20}
    assert free["cost_usd"] == 0.0
