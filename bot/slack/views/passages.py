"""Show what stands behind an answer: a cited passage, and the draft that did not pass."""

import datetime as dt
from typing import Final

from bot.chat.shown.clarification_shown import draft_shown
from bot.chat.shown.source_shown import source_shown
from bot.chat.words import shared_sentences
from bot.slack.text import sentences
from bot.slack.text.defuse import strong
from bot.slack.views import blocks
from bot.slack.views.answer import source_line
from bot.slack.views.badge import badge_line
from bot.slack.views.blocks import Blocks
from bot.slack.views.message import View
from bot.slack.views.modal import modal
from masis.domain import Citation, Document, NeedsClarification

MAX_SOURCES: Final = 20


def passage(citation: Citation, today: dt.date, current: Document | None = None) -> View:
    """A cited passage as it stood when it was cited.

    `current` is the document as it is now, None when it was deleted since.
    """
    source = source_shown(citation, today)
    head: Blocks = [blocks.section((strong(source.heading),))]
    if source.heading != source.name:
        head.append(blocks.context(source.name))
    parts = [source.place, source.dated, _version(citation, current)]
    head.append(blocks.context(" · ".join(part for part in parts if part)))
    text = blocks.sections(source.text)[: blocks.MOST_SECTIONS]
    body = text or [blocks.section(shared_sentences.MADE_EMPTY)]
    return modal(sentences.source(source.n), [*head, blocks.divider(), *body])


def _version(citation: Citation, current: Document | None) -> str:
    if citation.attached:
        return sentences.ATTACHED
    if current is None:
        return sentences.VERSION_GONE
    if current.version_id == citation.version_id:
        return sentences.version_current(current.version_number)
    return sentences.version_old(current.version_number)


def draft(outcome: NeedsClarification, today: dt.date) -> View:
    """The best draft of a run that asked back, with a warning, its badge and its sources."""
    shown = draft_shown(outcome, today)
    if shown is None:
        return modal(sentences.DRAFT, [blocks.section(shared_sentences.NO_DRAFT)])
    text = blocks.sections(shown.text)[: blocks.MOST_SECTIONS]
    parts = [
        blocks.section(("⚠️ ", strong(shared_sentences.DRAFT_WARNING))),
        *(text or [blocks.section(shared_sentences.MADE_EMPTY)]),
        blocks.context(badge_line(shown.badge)),
        *(blocks.context(f"• {line}") for line in shown.not_held),
        *(blocks.context(source_line(each)) for each in shown.sources[:MAX_SOURCES]),
    ]
    if len(shown.sources) > MAX_SOURCES:
        parts.append(blocks.context(shared_sentences.more(len(shown.sources) - MAX_SOURCES)))
    return modal(sentences.DRAFT, parts)
