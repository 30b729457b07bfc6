"""Say what was kept of a run, line by line, for “How I got this”; each chat draws it its own way."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from pydantic import TypeAdapter, ValidationError

from bot.chat.trail import trail_sentences as sentences
from bot.chat.words import shared_sentences
from bot.chat.words.badge_words import cut, percent
from bot.chat.words.visible_text import one_line
from masis.answering.outcome_texts import DROPPED, UNDERSTOOD
from masis.domain import DEFAULT_GRAPH, Answered, NeedsClarification
from masis.graphs.registry import GRAPHS, steps_of
from masis.records import StoredRun

QUOTED_CHARS: Final = 500
"""Of a question, a reply or a claim."""

FIGURES: Final = {
    "chunks": "kept",
    "filtered_out": "dropped",
    "avg_score": "mean relevance",
    "threshold_used": "threshold",
    "augmented_query_used": "query widened",
    "searched_for": "searched for",
    "introduction": "read from its beginning",
    "neighbours": "read beside",
    "shown_unsure": "shown as unsure",
    "filters": "only",
    "context_compressed": "evidence shortened",
    "answer_length": "characters",
    "invalid_citations": "made-up citations",
    "uncited_claims": "claims without a source",
    "overall_score": "overall",
    "reasoning_quality": "reasoning",
    "retry_count": "retries so far",
    "decision": "",
    "texts": "wordings",
    "codes": "codes looked at",
    "improved": "in other words",
    "lists": "code lists",
    "said": "would say",
    "best": "most favoured",
}
"""How a figure of the trace is called; others keep their name."""
_UNSAID: Final = frozenset({"node", "pass", "route", "duration_ms", "named"})
_COST: Final = {
    "model_calls": "model calls",
    "prompt_tokens": "tokens read",
    "completion_tokens": "tokens written",
    "cost_usd": "US$",
    "searches": "searches",
    "indexed_chunks": "passages in the workspace",
}
_COST_OF_ONE: Final = {"model_calls": "model call", "searches": "search"}
_CHAT_NODES: Final = frozenset(step.node for step in GRAPHS[DEFAULT_GRAPH].steps)

Result = Answered | NeedsClarification

_RESULT: Final[TypeAdapter[Result]] = TypeAdapter(Result)


class Search(NamedTuple):
    """What one search looked at: `head` says how much, `passages` is a line for each."""

    head: str
    passages: list[str]


class Pass(NamedTuple):
    """One pass: a line for each step, what it looked at, and why there was a further one."""

    title: str
    steps: list[str]
    search: Search | None
    reason: str


def quoted(text: str) -> str:
    """Return words that the trail repeats, in one line, cut visibly."""
    return cut(text, QUOTED_CHARS)


def result_of(run: StoredRun) -> Result | None:
    """The outcome as a value; None for an end without an answer, or one of an older release."""
    if run.status not in {"success", "needs_clarification"}:
        return None
    try:
        return _RESULT.validate_python(run.outcome)
    except ValidationError:
        return None


def error_of(run: StoredRun) -> str:
    """Say why a run ended without an answer; empty where nothing was kept of that."""
    error = run.outcome.get("error") or run.outcome.get("reason")
    return f"❌ {quoted(str(error))}" if error else ""


def scores(result: Result) -> dict[str, str]:
    """Return the scores by name; none where there was nothing to score."""
    evaluation = result.evaluation
    if evaluation is None:
        return {}
    named = {
        "Faithfulness": evaluation.faithfulness,
        "Relevance": evaluation.relevance,
        "Completeness": evaluation.completeness,
        "Reasoning": evaluation.reasoning_quality,
        "Overall": evaluation.overall_score,
        "Confidence": result.confidence,
    }
    return {name: percent(value) for name, value in named.items()}


def clamps(result: Result) -> str:
    """Say what held a score down."""
    found = result.evaluation.clamps if result.evaluation else []
    return f"Clamps: {', '.join(map(one_line, found)) or 'none'}"


# --- what was understood -------------------------------------------------------------------


def understood(run: StoredRun) -> list[str]:
    """Say what the message was taken for, the question that was answered, and the search plan."""
    left = {str(entry.get("node")): entry for entry in run.trace if _is_understanding(entry)}
    lines = [*_understood(*(left.get(node, {}) for node in ("router", "rewriter", "planner")))]
    if lines:
        took = sum(_number(entry.get("duration_ms")) for entry in left.values())
        lines[0] += f" · {took} ms"
    return lines


def _understood(
    router: Mapping[str, Any], rewriter: Mapping[str, Any], planner: Mapping[str, Any]
) -> Iterator[str]:
    """Say each of these, as far as it was kept: with a deleted document its words go."""
    # What a question is for that asks for a code, or a whole table, is seen when it is planned.
    if meant := one_line(str(planner.get("intent") or router.get("intent") or "")):
        counts = _number(router.get("exchanges")), _number(router.get("heard"))
        yield sentences.taken_for(sentences.INTENTS.get(meant, meant), *counts)
    if rewriter.get("rewritten") and (said := one_line(str(rewriter.get("understood") or ""))):
        yield UNDERSTOOD.format(question=quoted(said))
    plan = planner.get("plan")
    if isinstance(plan, list) and any(plan):
        yield sentences.search_plan(_written(plan))


def _is_understanding(entry: Mapping[str, Any]) -> bool:
    return str(entry.get("node")) in _CHAT_NODES


# --- passes --------------------------------------------------------------------------------


def passes(run: StoredRun) -> Iterator[Pass]:
    """Return each pass, in order."""
    searches = _listed(run.figures, "retrieval_scores")
    reasons = {each.get("iteration"): each for each in _listed(run.figures, "retry_reasons")}
    titles = {step.node: step.title for step in steps_of(run.graph)}
    trace = [entry for entry in run.trace if not _is_understanding(entry)]
    for number in sorted({_number(entry.get("pass")) for entry in trace}):
        entries = [entry for entry in trace if _number(entry.get("pass")) == number]
        yield Pass(
            shared_sentences.FIRST_ROUND if number <= 1 else shared_sentences.retry(number - 1),
            [_step(entry, titles) for entry in entries],
            _search(searches[number - 1]) if 0 < number <= len(searches) else None,
            f"↻ {_pairs(reasons[number], {'iteration'})}" if number in reasons else "",
        )


def _step(entry: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    node = str(entry.get("node", ""))
    name = titles.get(node) or one_line(node)
    took = f"{_number(entry['duration_ms'])} ms" if "duration_ms" in entry else ""
    figures = " · ".join(part for part in (_pairs(entry, _UNSAID), took) if part)
    return f"{name}: {figures}" if figures else name


def _search(search: Mapping[str, Any]) -> Search:
    candidates = _listed(search, "candidates")
    kept = sum(bool(each.get("kept")) for each in candidates)
    head = sentences.looked_at(len(candidates), kept, _score(search.get("threshold")))
    return Search(head, [quoted(_candidate(each)) for each in candidates])


def _candidate(found: Mapping[str, Any]) -> str:
    """Say why a passage was kept or dropped; a run of an older release does not say the latter."""
    because = DROPPED.get(str(found.get("because")))
    return (
        f"{'✅ kept' if found.get('kept') else '▫️ dropped'}"
        f" {_score(found.get('score'))} · coverage {_score(found.get('coverage'))}"
        f" · {one_line(str(found.get('document', ''))) or sentences.DELETED_DOCUMENT}"
        f" · {one_line(str(found.get('chunk_id', '')))}"
        f"{f' · {because}' if because else ''}"
    )


# --- findings, costs -----------------------------------------------------------------------


def findings(result: Result) -> list[str]:
    """List what the critic and the deterministic audit found in the draft that is shown."""
    if result.audit is None:
        return []
    found = [shared_sentences.without_source(quoted(each)) for each in result.audit.uncited]
    found += [
        shared_sentences.not_in_source(quoted(each.sentence), each.fault)
        for each in result.audit.unsupported
    ]
    named = {"Made up": result.audit.invalid}
    if result.critique is not None:
        named |= {
            "Unsupported": result.critique.unsupported_claims,
            "Gap": result.critique.logical_gaps,
            "Conflict": result.critique.conflicting_evidence,
        }
    found += [f"{name}: {quoted(each)}" for name, listed in named.items() for each in listed]
    return found or [sentences.NOTHING_FOUND]


def costs(run: StoredRun) -> str:
    """Say what a run took."""
    kept = {key: run.figures[key] for key in _COST if key in run.figures}
    said = [
        f"{_written(value)} {_COST_OF_ONE.get(key, _COST[key]) if value == 1 else _COST[key]}"
        for key, value in kept.items()
    ]
    spent = sum(_number(entry.get("duration_ms")) for entry in run.trace)
    return " · ".join([*said, f"{spent / 1000:.1f} s of work"])


# --- values --------------------------------------------------------------------------------


def _pairs(values: Mapping[str, Any], unsaid: Iterable[str]) -> str:
    shown = {key: value for key, value in values.items() if key not in set(unsaid)}
    return " · ".join(
        f"{FIGURES.get(key, one_line(key).replace('_', ' '))} {_shown(key, value)}".strip()
        for key, value in shown.items()
    )


def _shown(key: str, value: object) -> str:
    # Filters are shown as they are written: an underscore of a file's name stays one.
    return quoted(str(value)) if key == "filters" else _written(value)


def _written(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4g}"
        case None:
            return "–"
        case list():
            return quoted(", ".join(str(each) for each in value if each))
        case _:
            return quoted(str(value).replace("_", " "))


def _score(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, int | float) else "–"


def _number(value: object) -> int:
    return int(value) if isinstance(value, int | float) and math.isfinite(value) else 0


def _listed(values: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    found = values.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
