"""“How I got this”: the audit trail of a run, from what was kept of it, in pages that fit."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from bot.chat.trail import run_trail
from bot.chat.trail import trail_sentences as sentences
from bot.chat.trail.run_trail import Pass, Result, quoted
from bot.chat.words import shared_sentences
from bot.slack import ids
from bot.slack.text.defuse import strong
from bot.slack.views import blocks
from bot.slack.views.badge import badge_line
from bot.slack.views.blocks import Blocks
from bot.slack.views.channel_info import turning
from bot.slack.views.figured.calculated_figures import calculated
from bot.slack.views.message import View
from bot.slack.views.modal import modal
from masis.domain import Answered
from masis.records import StoredRun

PAGE_BLOCKS: Final = 90
PAGE_BYTES: Final = 200_000
"""A page keeps below what Slack takes of a view, with room for its frame."""


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
    result = run_trail.result_of(run)
    return [
        *_head(run, result),
        *([] if result is None else _scores(result)),
        *_titled_lines(sentences.UNDERSTANDING, run_trail.understood(run)),
        *(block for each in run_trail.passes(run) for block in _pass(each)),
        *(calculated(result) if isinstance(result, Answered) else []),
        *([] if result is None else _findings(result)),
        _titled(sentences.FIGURES),
        blocks.context(run_trail.costs(run)),
        blocks.context(f"run {run.run_id}"),
    ]


def _head(run: StoredRun, result: Result | None) -> Blocks:
    parts: Blocks = []
    if run.blanked:
        parts.append(blocks.section(f"⚠️ {sentences.BLANKED_RUN}"))
    if run.question:
        parts.append(blocks.section((strong(quoted(run.question)),)))
    if result is not None and result.reply:
        parts.append(blocks.context(shared_sentences.replied(quoted(result.reply))))
    if result is not None:
        parts.append(blocks.context(badge_line(result)))
    elif error := run_trail.error_of(run):
        parts.append(blocks.section(error))
    return parts


def _scores(result: Result) -> Blocks:
    named = run_trail.scores(result)
    if not named:
        return [_titled(sentences.SCORES), blocks.context(sentences.NOT_SCORED)]
    return [
        _titled(sentences.SCORES),
        blocks.fields([f"{name}: {value}" for name, value in named.items()]),
        blocks.context(run_trail.clamps(result)),
    ]


def _pass(done: Pass) -> Iterator[dict[str, Any]]:
    """One pass: its steps with their figures, what was looked at, why there was a further one."""
    yield from _titled_lines(done.title, done.steps)
    if done.search is not None:
        yield blocks.context(done.search.head)
        yield from blocks.sections("\n".join(done.search.passages))
    if done.reason:
        yield blocks.context(done.reason)


def _findings(result: Result) -> Blocks:
    found = run_trail.findings(result)
    return _titled_lines(sentences.FINDINGS, [f"• {line}" for line in found])


def _titled_lines(title: str, lines: list[str]) -> Blocks:
    return [_titled(title), *blocks.sections("\n".join(lines))] if lines else []


def _titled(text: str) -> dict[str, Any]:
    return blocks.section((strong(text),))
