"""Draw “How I got this”: the audit trail of a run, from what was kept of it, in pages that fit."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from bot.chat.words import shared_sentences
from bot.chat.words.badge_words import cut, percent
from bot.chat.words.visible_text import one_line
from bot.teams.cards.answer_card import paged
from bot.teams.cards.badge_line import badge_line
from bot.teams.cards.card_elements import Elements, Json, card, rich, run, small, strong, turn
from bot.teams.cards.carried import DialogRef
from bot.teams.text import sentences
from masis.calculating.calculation import stated
from masis.domain import Answered, NeedsClarification
from masis.graphs.registry import steps_of
from masis.graphs.research.texts import DROPPED
from masis.records import StoredRun

QUESTION_CHARS: Final = 500
CLAIM_CHARS: Final = 500
MOST_CALCULATIONS: Final = 40

_UNSAID: Final = frozenset({"node", "pass", "route", "duration_ms", "named"})
_NAMES: Final = {
    "chunks": "kept",
    "filtered_out": "dropped",
    "avg_score": "mean relevance",
    "threshold_used": "threshold",
    "invalid_citations": "made-up citations",
    "uncited_claims": "claims without a source",
    "overall_score": "overall",
    "retry_count": "retries so far",
    "decision": "",
}
"""How a figure of the trace is called; others keep their name."""
_COST: Final = {
    "model_calls": "model calls",
    "prompt_tokens": "tokens read",
    "completion_tokens": "tokens written",
    "cost_usd": "US$",
    "searches": "searches",
    "indexed_chunks": "passages in the workspace",
}
_RESULT: Final[TypeAdapter[Answered | NeedsClarification]] = TypeAdapter(
    Answered | NeedsClarification
)


def audit(kept: StoredRun, page: int = 0) -> Json:
    """Return a page of the trail; one that is not there is the nearest."""
    ref = DialogRef(dialog="audit", run=kept.run_id, page=page)
    return turned(paged(list(_all(kept))), ref)


def turned(pages: list[Elements], ref: DialogRef) -> Json:
    """Return a page of a dialog, with the ways to those beside it."""
    held = max(0, min(ref.page, len(pages) - 1))
    ways = [(shared_sentences.BACK, held - 1), (sentences.CONTINUED, held + 1)]
    actions = [
        turn(name, ref.model_copy(update={"page": to}).data())
        for name, to in ways
        if 0 <= to < len(pages)
    ]
    counted = [small(sentences.page_of(held + 1, len(pages)))] if len(pages) > 1 else []
    return card([*pages[held], *counted], actions)


def result_of(kept: StoredRun) -> Answered | NeedsClarification | None:
    """Return the outcome; None for an end without an answer, or one of an older release."""
    if kept.status not in {"success", "needs_clarification"}:
        return None
    try:
        return _RESULT.validate_python(kept.outcome)
    except ValidationError:
        return None


def _all(kept: StoredRun) -> Iterator[Json]:
    result = result_of(kept)
    yield from _head(kept, result)
    if result is not None:
        yield from _scores(result)
    yield from _passes(kept)
    if isinstance(result, Answered):
        yield from _calculations(result)
    if result is not None and result.audit is not None:
        yield from _findings(result)
    yield from _figures(kept)


def _head(kept: StoredRun, result: Answered | NeedsClarification | None) -> Iterator[Json]:
    if kept.blanked:
        yield rich(f"⚠️ {sentences.BLANKED_RUN}")
    if kept.question:
        yield rich(strong(cut(kept.question, QUESTION_CHARS)))
    if result is not None and result.reply:
        yield small(shared_sentences.replied(result.reply))
    if result is not None:
        yield badge_line(result)
    elif error := kept.outcome.get("error") or kept.outcome.get("reason"):
        yield rich(f"❌ {cut(str(error), CLAIM_CHARS)}")


def _scores(result: Answered | NeedsClarification) -> Iterator[Json]:
    yield _titled(sentences.SCORES_TITLE)
    evaluation = result.evaluation
    if evaluation is None:
        yield small(sentences.NOT_SCORED)
        return
    named = {name: getattr(evaluation, key) for key, name in sentences.SCORES.items()}
    named |= {"Overall": evaluation.overall_score, "Confidence": result.confidence}
    yield rich(" · ".join(f"{name} {percent(value)}" for name, value in named.items()))
    yield small(f"Clamps: {', '.join(map(one_line, evaluation.clamps)) or 'none'}")


def _passes(kept: StoredRun) -> Iterator[Json]:
    """Each pass: its steps with their figures, what was looked at, why there was a further one."""
    searches = _listed(kept.figures, "retrieval_scores")
    reasons = {each.get("iteration"): each for each in _listed(kept.figures, "retry_reasons")}
    titles = {step.node: step.title for step in steps_of(kept.graph)}
    for number in sorted({_number(entry.get("pass")) for entry in kept.trace}):
        yield _titled(shared_sentences.FIRST_ROUND if number <= 1 else f"Retry {number - 1}")
        for entry in kept.trace:
            if _number(entry.get("pass")) == number:
                yield rich(_step(entry, titles), spacing="None")
        if 0 < number <= len(searches):
            yield from _looked_at(searches[number - 1])
        if number in reasons:
            yield small(f"↻ {_pairs(reasons[number], {'iteration'})}")


def _step(entry: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    node = str(entry.get("node", ""))
    name = titles.get(node) or one_line(node)
    took = f"{_number(entry['duration_ms'])} ms" if "duration_ms" in entry else ""
    figures = " · ".join(part for part in (_pairs(entry, _UNSAID), took) if part)
    return f"{name}: {figures}" if figures else name


def _looked_at(search: Mapping[str, Any]) -> Iterator[Json]:
    candidates = _listed(search, "candidates")
    kept = sum(bool(each.get("kept")) for each in candidates)
    yield small(sentences.looked_at(len(candidates), kept, _score(search.get("threshold"))))
    for each in candidates:
        because = DROPPED.get(str(each.get("because")), "")
        parts = [
            f"{'✅ kept' if each.get('kept') else '▫️ dropped'} {_score(each.get('score'))}",
            f"coverage {_score(each.get('coverage'))}",
            one_line(str(each.get("document", ""))) or sentences.DELETED_DOCUMENT,
            one_line(str(each.get("chunk_id", ""))),
            because,
        ]
        line = cut(" · ".join(part for part in parts if part), CLAIM_CHARS)
        yield rich(run(line, size="Small"), spacing="None")


def _calculations(result: Answered) -> Iterator[Json]:
    """Each calculation with its formula; nothing where there is none, or their texts are gone."""
    shown = [each for each in result.calculations if each.formula][:MOST_CALCULATIONS]
    if shown:
        yield _titled(sentences.CALCULATIONS)
    for each in shown:
        yield rich(f"• {cut(stated(each), CLAIM_CHARS)}", spacing="None")
    if left := len(result.calculations) - len(shown):
        yield small(shared_sentences.more(left))


def _findings(result: Answered | NeedsClarification) -> Iterator[Json]:
    """List what the critic and the deterministic audit found in the draft that is shown."""
    assert result.audit is not None  # noqa: S101 - the caller has looked
    found = [shared_sentences.without_source(_claim(each)) for each in result.audit.uncited]
    found += [
        shared_sentences.not_in_source(_claim(each.sentence), _claim(each.fault))
        for each in result.audit.unsupported
    ]
    named = {"Made up": result.audit.invalid}
    if result.critique is not None:
        named |= {
            "Unsupported": result.critique.unsupported_claims,
            "Gap": result.critique.logical_gaps,
            "Conflict": result.critique.conflicting_evidence,
        }
    found += [f"{name}: {_claim(each)}" for name, listed in named.items() for each in listed]
    yield _titled(sentences.FINDINGS)
    for line in found or [sentences.NOTHING_FOUND]:
        yield rich(f"• {line}", spacing="None")


def _figures(kept: StoredRun) -> Iterator[Json]:
    costs = [
        f"{_written(kept.figures[key])} {name}"
        for key, name in _COST.items()
        if key in kept.figures
    ]
    spent = sum(_number(entry.get("duration_ms")) for entry in kept.trace)
    yield _titled(sentences.FIGURES)
    yield small(" · ".join([*costs, f"{spent / 1000:.1f} s of work"]))
    yield small(f"run {kept.run_id}")


def _titled(text: str) -> Json:
    return rich(strong(text), spacing="Medium")


def _claim(text: str) -> str:
    return cut(text, CLAIM_CHARS)


def _pairs(values: Mapping[str, Any], unsaid: Iterable[str]) -> str:
    shown = {key: value for key, value in values.items() if key not in set(unsaid)}
    return " · ".join(
        f"{_NAMES.get(key, one_line(key).replace('_', ' '))} {_written(value)}".strip()
        for key, value in shown.items()
    )


def _written(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4g}"
        case None:
            return sentences.NOTHING
        case list() | dict():
            return _claim(json.dumps(value, ensure_ascii=False, default=str))
        case _:
            return _claim(str(value))


def _score(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, int | float) else sentences.NOTHING


def _number(value: object) -> int:
    return int(value) if isinstance(value, int | float) and math.isfinite(value) else 0


def _listed(values: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    found = values.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
