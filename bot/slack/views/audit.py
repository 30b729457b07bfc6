"""“How I got this”: the audit trail of a run, from what was kept of it, in pages that fit."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from bot.chat.shown.audit_shown import AuditShown, ScoresShown, TrailSection, audit_shown
from bot.chat.trail import trail_sentences as sentences
from bot.chat.words import shared_sentences
from bot.slack import ids
from bot.slack.text.defuse import strong
from bot.slack.views import blocks
from bot.slack.views.badge import badge_line
from bot.slack.views.blocks import Blocks
from bot.slack.views.channel_info import turning
from bot.slack.views.message import View
from bot.slack.views.modal import modal
from masis.records import StoredRun

PAGE_BLOCKS: Final = 90
PAGE_BYTES: Final = 200_000
"""A page keeps below what Slack takes of a view, with room for its frame."""


def audit(run: StoredRun, page: int = 0) -> View:
    """A page of the trail; pages count from 0, and one that is not there is the nearest."""
    content = audit_shown(run)
    pages = list(_pages(_all(content)))
    held = max(0, min(page, len(pages) - 1))
    turn = turning(ids.AUDIT_PAGE, held, len(pages), content.run_id)
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


def _all(content: AuditShown) -> Blocks:
    return [
        *_head(content),
        *([] if content.scores is None else _scores(content.scores)),
        *(block for each in content.sections for block in _section(each)),
        _titled(sentences.FIGURES),
        blocks.context(content.costs),
        blocks.context(f"run {content.run_id}"),
    ]


def _head(content: AuditShown) -> Blocks:
    parts: Blocks = [blocks.section(content.warning)] if content.warning else []
    if content.question:
        parts.append(blocks.section((strong(content.question),)))
    badge = "" if content.badge is None else badge_line(content.badge)
    parts += [blocks.context(said) for said in (content.replied, badge) if said]
    return [*parts, *([blocks.section(content.error)] if content.error else [])]


def _scores(scores: ScoresShown) -> Blocks:
    if not scores.named:
        return [_titled(sentences.SCORES), blocks.context(sentences.NOT_SCORED)]
    return [
        _titled(sentences.SCORES),
        blocks.fields([f"{name}: {value}" for name, value in scores.named]),
        blocks.context(scores.clamps),
    ]


def _section(content: TrailSection) -> Iterator[dict[str, Any]]:
    """One section: its lines, what was looked at, why there was a further pass."""
    if content.lines:
        yield _titled(content.title)
        yield from blocks.sections("\n".join(content.lines))
    if content.search is not None:
        yield blocks.context(content.search.head)
        yield from blocks.sections("\n".join(content.search.passages))
    if content.reason:
        yield blocks.context(content.reason)


def _titled(text: str) -> dict[str, Any]:
    return blocks.section((strong(text),))
