"""Show what stands behind an answer: a cited passage, and the draft that did not pass."""

import datetime as dt
from typing import Final

from bot.chat.words import shared_sentences
from bot.chat.words.badge_words import not_held
from bot.chat.words.phrases import age
from bot.chat.words.visible_text import one_line
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
    name, title = one_line(citation.document), one_line(citation.title)
    place = one_line(citation.place.label())
    parts = [place, age(citation.date, today, citation.date_source), _version(citation, current)]
    head: Blocks = [blocks.section((strong(title or name),))]
    if title and title != name:
        head.append(blocks.context(name))
    head.append(blocks.context(" · ".join(part for part in parts if part)))
    text = blocks.sections(citation.text)[: blocks.MOST_SECTIONS]
    body = text or [blocks.section(shared_sentences.MADE_EMPTY)]
    return modal(sentences.source(citation.n), [*head, blocks.divider(), *body])


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
    if outcome.audit is None:
        return modal(sentences.DRAFT, [blocks.section(shared_sentences.NO_DRAFT)])
    text = blocks.sections(outcome.answer)[: blocks.MOST_SECTIONS]
    parts = [
        blocks.section(("⚠️ ", strong(shared_sentences.DRAFT_WARNING))),
        *(text or [blocks.section(shared_sentences.MADE_EMPTY)]),
        blocks.context(badge_line(outcome)),
        *(blocks.context(f"• {line}") for line in not_held(outcome)),
        *(blocks.context(source_line(each, today)) for each in outcome.citations[:MAX_SOURCES]),
    ]
    if len(outcome.citations) > MAX_SOURCES:
        parts.append(blocks.context(shared_sentences.more(len(outcome.citations) - MAX_SOURCES)))
    return modal(sentences.DRAFT, parts)
