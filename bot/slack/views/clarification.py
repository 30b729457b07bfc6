"""A question back to the asker: why it is asked, how the best draft did, and ways to reply."""

import datetime as dt
from typing import Final

from bot.chat.shown.clarification_shown import (
    ClarificationShown,
    ClosedClarification,
    clarification_shown,
    closed_clarification,
    hours_open,
)
from bot.chat.words import shared_sentences
from bot.slack import ids
from bot.slack.text import sentences
from bot.slack.text.defuse import Said, strong
from bot.slack.views import blocks
from bot.slack.views.answer import source_line, understood
from bot.slack.views.badge import badge_line
from bot.slack.views.blocks import Blocks
from bot.slack.views.message import Message
from masis.answering.outcome_texts import NEAREST
from masis.conversation import ChatRun, Payload, Session
from masis.domain import NeedsClarification

QUESTION_SECTIONS: Final = 8
"""Paragraphs of 3,000 characters that a question has in its message."""


def clarification(
    run: ChatRun, outcome: NeedsClarification, session: Session | None, today: dt.date
) -> Message:
    """The question, with what is likely right above it.

    Without a session (nothing that a reply could mend) it has no way to reply.
    """
    content = clarification_shown(outcome, run.question, session, today, is_wider=run.wider)
    parts = [
        *_titled(content.title),
        *understood(content.understood),
        *_nearest(content),
        *_question(content.question),
        *(blocks.context(line) for line in content.unread.listed),
        blocks.context(content.why),
        *_checked(content),
        *_suggested(content),
        _ways(content),
    ]
    return Message(text=blocks.fallback(content.summary), blocks=parts)


def _nearest(content: ClarificationShown) -> Blocks:
    """Show what of an unsure draft comes nearest, with its sources, and what it leaves open."""
    gaps = [blocks.context(line) for line in content.gaps.listed]
    if not content.nearest:
        return gaps
    return [
        blocks.context((strong(NEAREST),)),
        *blocks.sections(content.nearest),
        *gaps,
        *(blocks.context(source_line(source)) for source in content.near_sources),
    ]


def _checked(content: ClarificationShown) -> Blocks:
    badge = "" if content.badge is None else badge_line(content.badge)
    said = filter(None, (badge, content.searched_for, content.scores))
    return [blocks.context(line) for line in said]


def closed(session: Session, said: Said) -> Message:
    """The same message when it takes no reply any more, and why."""
    return _closed(closed_clarification(session), said)


def _closed(content: ClosedClarification, said: Said) -> Message:
    asked = [*_titled(content.title), *_question(content.question)]
    return Message(text=blocks.fallback(said), blocks=[*asked, blocks.context(said)])


def expired(session: Session) -> Message:
    """The question when nobody replied in time."""
    return closed(session, sentences.expired(hours_open(session)))


def _titled(title: str) -> Blocks:
    return [blocks.section(("⚠️ ", strong(title)))]


def _question(question: str) -> Blocks:
    """The question, whole where it has room; else it is said where the whole of it stands."""
    parts = blocks.sections(question)
    if len(parts) <= QUESTION_SECTIONS:
        return parts
    return [*parts[:QUESTION_SECTIONS], blocks.context(shared_sentences.QUESTION_GOES_ON)]


def _suggested(content: ClarificationShown) -> Blocks:
    if not content.session:
        return []
    how = sentences.HOW_TO_CHOOSE if content.suggestions else sentences.HOW_TO_REPLY
    buttons = [
        blocks.button(
            text,
            ids.numbered(ids.REPLY, at),
            ids.SuggestedReply(session=content.session, choice=at),
        )
        for at, text in enumerate(content.suggestions)
    ]
    return [blocks.context(how), *([blocks.actions(*buttons)] if buttons else [])]


def _ways(content: ClarificationShown) -> Payload:
    carried = ids.RunRef(run=content.run_id)
    held = ids.SessionRef(session=content.session) if content.session else None
    buttons = []
    if held is not None:
        label = sentences.ANSWER_IN_FORM
        buttons.append(blocks.button(label, ids.REPLY_FORM, held, style="primary"))
    if content.draft is not None:
        buttons.append(blocks.button(shared_sentences.SHOW_DRAFT, ids.DRAFT, carried))
    if content.may_widen:
        buttons.append(blocks.button(shared_sentences.SEARCH_WIDER, ids.WIDER, carried))
    buttons.append(blocks.button(shared_sentences.HOW, ids.AUDIT, carried))
    if held is not None:
        buttons.append(blocks.button(sentences.CANCEL_QUESTION, ids.DISMISS, held))
    return blocks.actions(*buttons)
