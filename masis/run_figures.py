"""Add up a run's figures: one rule a key, applied whenever a node reports."""

from typing import Any, Final

from masis.domain import Usage

Figures = dict[str, Any]

APPENDED: Final = frozenset(
    {"confidence_history", "retry_reasons", "retrieval_scores", "citation_violations", "passes"}
)
"""Lists that grow by what each pass reports."""

SUMMED: Final = frozenset({"model_calls", "prompt_tokens", "completion_tokens", "searches"})
"""Counters."""


def merge(old: Figures, new: Figures) -> Figures:
    """Both together, neither changed: lists grow, counters add up, latencies collect by node."""
    merged = dict(old)
    for key, value in new.items():
        merged[key] = _merged(key, old.get(key), value)
    return merged


def _merged(key: str, old: Any, new: Any) -> Any:
    if old is None:
        return new
    if key in APPENDED:
        return [*old, *new]
    if key in SUMMED:
        return old + new
    if key == "cost_usd":
        return old + (new or 0.0)
    if key == "node_latency_ms":
        return {name: [*old.get(name, []), *new.get(name, [])] for name in {**old, **new}}
    return new


def of_usage(usage: Usage) -> Figures:
    """The counters of one agent's work. Without a known price there is no cost."""
    figures: Figures = {
        "model_calls": usage.calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
    }
    return figures if usage.cost_usd is None else {**figures, "cost_usd": usage.cost_usd}
