"""“How I got this”: the audit trail of a run, from what was kept of it, in pages that fit."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from bot.chat.words import shared_sentences
from bot.chat.words.badge_words import percent
from bot.chat.words.visible_text import one_line
from bot.slack import ids
from bot.slack.text import sentences
from bot.slack.text.defuse import strong
from bot.slack.text.thread_sentences import (
    INTENTS,
    UNDERSTANDING,
    search_plan,
    taken_for,
)
from bot.slack.views import blocks
from bot.slack.views.badge import badge_line
from bot.slack.views.blocks import Blocks
from bot.slack.views.channel_info import turning
from bot.slack.views.figured.calculated_figures import calculated
from bot.slack.views.message import View
from bot.slack.views.modal import modal
from masis.domain import Answered, NeedsClarification
from masis.graphs.chat.graph import CHAT
from masis.graphs.chat.texts import UNDERSTOOD
from masis.graphs.registry import steps_of
from masis.graphs.research.texts import DROPPED
from masis.records import StoredRun

PAGE_BLOCKS: Final = 90
PAGE_BYTES: Final = 200_000
"""A page keeps below what Slack takes of a view, with room for its frame."""
QUESTION_CHARS: Final = 500
CLAIM_CHARS: Final = 500

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

_CHAT_NODES: Final = frozenset(step.node for step in CHAT.steps)

_RESULT: Final[TypeAdapter[Answered | NeedsClarification]] = TypeAdapter(
    Answered | NeedsClarification
)


def audit(run: StoredRun, page: int = 0) -> View:
    """A page of the trail; pages count from 0, and one that is not there is the nearest."""
    pages = list(_pages(_all(run)))
    held = max(0, min(page, len(pages) - 1))
    turn = turning(ids.AUDIT_PAGE, held, len(pages), run.run_id)
    return modal(shared_sentences.HOW, [*pages[held], *turn])


def _pages(parts: Iterable[dict[str, Any]]) -> Iterator[Blocks]:
    page: Blocks = []
    size = 0
    for part in parts:
        length = len(json.dumps(part))
        if page and (len(page) == PAGE_BLOCKS or size + length > PAGE_BYTES):
            yield page
            page, size = [], 0
        page.append(part)
        size += length
    yield page


def _all(run: StoredRun) -> Blocks:
    result = _result(run)
    return [
        *_head(run, result),
        *_scores(result),
        *_understanding(run),
        *_passes(run),
        *(calculated(result) if isinstance(result, Answered) else []),
        *_findings(result),
        *_figures(run),
    ]


def _result(run: StoredRun) -> Answered | NeedsClarification | None:
    """The outcome as a value; None for an end without an answer, or one of an older release."""
    if run.status not in {"success", "needs_clarification"}:
        return None
    try:
        return _RESULT.validate_python(run.outcome)
    except ValidationError:
        return None


def _head(run: StoredRun, result: Answered | NeedsClarification | None) -> Blocks:
    parts: Blocks = []
    if run.blanked:
        parts.append(blocks.section(f"⚠️ {sentences.BLANKED_RUN}"))
    if run.question:
        parts.append(blocks.section((strong(_short(run.question, QUESTION_CHARS)),)))
    if result is not None and result.reply:
        parts.append(blocks.context(shared_sentences.replied(_short(result.reply, QUESTION_CHARS))))
    if result is not None:
        parts.append(blocks.context(badge_line(result)))
    elif error := run.outcome.get("error") or run.outcome.get("reason"):
        parts.append(blocks.section(f"❌ {_short(str(error), CLAIM_CHARS)}"))
    return parts


def _scores(result: Answered | NeedsClarification | None) -> Blocks:
    if result is None:
        return []
    evaluation = result.evaluation
    if evaluation is None:
        return [_titled(sentences.SCORES), blocks.context(sentences.NOT_SCORED)]
    named = {
        "Faithfulness": evaluation.faithfulness,
        "Relevance": evaluation.relevance,
        "Completeness": evaluation.completeness,
        "Reasoning": evaluation.reasoning_quality,
        "Overall": evaluation.overall_score,
        "Confidence": result.confidence,
    }
    clamps = ", ".join(map(one_line, evaluation.clamps)) or "none"
    return [
        _titled(sentences.SCORES),
        blocks.fields([f"{name}: {percent(value)}" for name, value in named.items()]),
        blocks.context(f"Clamps: {clamps}"),
    ]


# --- what was understood -------------------------------------------------------------------


def _understanding(run: StoredRun) -> Blocks:
    """Show what the message was taken for, the question that was answered, and the search plan."""
    left = {str(entry.get("node")): entry for entry in run.trace if _is_understanding(entry)}
    lines = [*_understood(*(left.get(node, {}) for node in ("router", "rewriter", "planner")))]
    if not lines:
        return []
    took = sum(_number(entry.get("duration_ms")) for entry in left.values())
    lines[0] += f" · {took} ms"
    return [_titled(UNDERSTANDING), *blocks.sections("\n".join(lines))]


def _understood(
    router: Mapping[str, Any], rewriter: Mapping[str, Any], planner: Mapping[str, Any]
) -> Iterator[str]:
    """Say each of these, as far as it was kept: with a deleted document its words go."""
    # What a question is for that asks for a code, or a whole table, is seen when it is planned.
    if meant := one_line(str(planner.get("intent") or router.get("intent") or "")):
        counts = _number(router.get("exchanges")), _number(router.get("heard"))
        yield taken_for(INTENTS.get(meant, meant), *counts)
    if rewriter.get("rewritten") and (said := one_line(str(rewriter.get("understood") or ""))):
        yield UNDERSTOOD.format(question=_short(said, QUESTION_CHARS))
    plan = planner.get("plan")
    if isinstance(plan, list) and any(plan):
        yield search_plan(_written(plan))


def _is_understanding(entry: Mapping[str, Any]) -> bool:
    return str(entry.get("node")) in _CHAT_NODES


# --- passes --------------------------------------------------------------------------------


def _passes(run: StoredRun) -> Iterator[dict[str, Any]]:
    """Each pass: its steps with their figures, what was looked at, why there was a further one."""
    searches = _listed(run.figures, "retrieval_scores")
    reasons = {each.get("iteration"): each for each in _listed(run.figures, "retry_reasons")}
    titles = {step.node: step.title for step in steps_of(run.graph)}
    trace = [entry for entry in run.trace if not _is_understanding(entry)]
    for number in sorted({_number(entry.get("pass")) for entry in trace}):
        name = shared_sentences.FIRST_ROUND if number == 1 else f"Retry {number - 1}"
        yield _titled(name)
        entries = [entry for entry in trace if _number(entry.get("pass")) == number]
        steps = [_step(entry, titles) for entry in entries]
        yield from blocks.sections("\n".join(steps))
        if 0 < number <= len(searches):
            yield from _looked_at(searches[number - 1])
        if number in reasons:
            yield blocks.context(f"↻ {_pairs(reasons[number], {'iteration'})}")


def _step(entry: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    node = str(entry.get("node", ""))
    name = titles.get(node) or one_line(node)
    took = f"{_number(entry['duration_ms'])} ms" if "duration_ms" in entry else ""
    figures = " · ".join(part for part in (_pairs(entry, _UNSAID), took) if part)
    return f"{name}: {figures}" if figures else name


def _looked_at(search: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    candidates = _listed(search, "candidates")
    kept = sum(bool(each.get("kept")) for each in candidates)
    threshold = search.get("threshold")
    yield blocks.context(sentences.looked_at(len(candidates), kept, _score(threshold)))
    lines = [
        f"{'✅ kept' if each.get('kept') else '▫️ dropped'}"
        f" {_score(each.get('score'))} · coverage {_score(each.get('coverage'))}"
        f" · {one_line(str(each.get('document', ''))) or sentences.DELETED_DOCUMENT}"
        f" · {one_line(str(each.get('chunk_id', '')))}"
        f"{_because(each)}"
        for each in candidates
    ]
    yield from blocks.sections("\n".join(lines))


def _because(candidate: Mapping[str, Any]) -> str:
    """Why a passage was dropped; a run of an older release does not say."""
    said = DROPPED.get(str(candidate.get("because")))
    return f" · {said}" if said else ""


# --- findings, figures ---------------------------------------------------------------------


def _findings(result: Answered | NeedsClarification | None) -> Blocks:
    """List what the critic and the deterministic audit found in the draft that is shown."""
    if result is None or result.audit is None:
        return []
    critique = result.critique
    found = [
        *(
            shared_sentences.without_source(_short(each, CLAIM_CHARS))
            for each in result.audit.uncited
        ),
        *(
            shared_sentences.not_in_source(_short(each.sentence, CLAIM_CHARS), each.fault)
            for each in result.audit.unsupported
        ),
        *(f"Made up: {_short(each, CLAIM_CHARS)}" for each in result.audit.invalid),
    ]
    if critique is not None:
        found += [
            *(f"Unsupported: {_short(each, CLAIM_CHARS)}" for each in critique.unsupported_claims),
            *(f"Gap: {_short(each, CLAIM_CHARS)}" for each in critique.logical_gaps),
            *(f"Conflict: {_short(each, CLAIM_CHARS)}" for each in critique.conflicting_evidence),
        ]
    lines = found or [sentences.NOTHING_FOUND]
    return [_titled(sentences.FINDINGS), *blocks.sections("\n".join(f"• {x}" for x in lines))]


def _figures(run: StoredRun) -> Blocks:
    metrics = run.figures
    costs = [
        f"{_written(metrics[key])} {_COST_OF_ONE.get(key, name) if metrics[key] == 1 else name}"
        for key, name in _COST.items()
        if key in metrics
    ]
    spent = sum(_number(entry.get("duration_ms")) for entry in run.trace)
    return [
        _titled(sentences.FIGURES),
        blocks.context(" · ".join([*costs, f"{spent / 1000:.1f} s of work"])),
        blocks.context(f"run {run.run_id}"),
    ]


def _titled(text: str) -> dict[str, Any]:
    return blocks.section((strong(text),))


def _pairs(values: Mapping[str, Any], unsaid: Iterable[str]) -> str:
    shown = {key: value for key, value in values.items() if key not in set(unsaid)}
    return " · ".join(
        f"{FIGURES.get(key, one_line(key).replace('_', ' '))} {_shown(key, value)}".strip()
        for key, value in shown.items()
    )


def _shown(key: str, value: object) -> str:
    # Filters are shown as they are written: an underscore of a file's name stays one.
    return _short(str(value), CLAIM_CHARS) if key == "filters" else _written(value)


def _written(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4g}"
        case None:
            return "–"
        case list():
            return _short(", ".join(str(each) for each in value if each), CLAIM_CHARS)
        case _:
            return _short(str(value).replace("_", " "), CLAIM_CHARS)


def _score(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, int | float) else "–"


def _number(value: object) -> int:
    return int(value) if isinstance(value, int | float) and math.isfinite(value) else 0


def _listed(values: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    found = values.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _short(text: str, most: int) -> str:
    words = one_line(text)
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
