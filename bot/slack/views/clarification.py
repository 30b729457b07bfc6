"""A question back to the asker: why it is asked, how the best draft did, and ways to reply."""

import datetime as dt
from typing import Final

from bot.chat.words import shared_sentences
from bot.chat.words.badge_words import percent
from bot.chat.words.suggested_replies import MAX_OPTIONS
from bot.chat.words.visible_text import one_line
from bot.slack import ids
from bot.slack.text import sentences
from bot.slack.text.defuse import Said, strong
from bot.slack.views import blocks
from bot.slack.views.answer import MAX_GAPS, source_line, understood, unread
from bot.slack.views.badge import badge_line
from bot.slack.views.blocks import Blocks
from bot.slack.views.message import Message
from masis.conversation import ChatRun, Payload, Session
from masis.domain import Evaluation, NeedsClarification
from masis.graphs.research.texts import NEAREST, searched_for

MOST_QUESTION: Final = 3000
SCORES: Final = {
    "faithfulness": "Faithfulness",
    "relevance": "Relevance",
    "completeness": "Completeness",
    "reasoning_quality": "Reasoning",
}


def clarification(
    run: ChatRun, outcome: NeedsClarification, session: Session | None, today: dt.date
) -> Message:
    """The question, with what is likely right above it.

    Without a session (nothing that a reply could mend) it has no way to reply.
    """
    title = shared_sentences.UNSURE if outcome.nearest else shared_sentences.ASKS_BACK
    parts = _titled(title)
    # Where nothing can be found, how it was read is of no matter.
    parts += [] if outcome.kind == "empty_workspace" else understood(run, outcome)
    parts += _nearest_said(outcome, today)
    parts += _question(outcome.clarification_question)
    parts += unread(outcome)
    parts.append(blocks.context(shared_sentences.WHY[outcome.kind]))
    if outcome.audit is not None:
        parts.append(blocks.context(badge_line(outcome)))
    elif any(outcome.searched_for):
        parts.append(blocks.context(one_line(searched_for(outcome.searched_for))))
    if outcome.evaluation is not None:
        parts.append(blocks.context(scores(outcome.evaluation)))
    if session is not None:
        how = sentences.HOW_TO_CHOOSE if session.suggestions else sentences.HOW_TO_REPLY
        parts.append(blocks.context(how))
        parts += _suggested(session)
    parts.append(_ways(run, outcome, session))
    near = f"{NEAREST} {outcome.nearest} " if outcome.nearest else ""
    said = f"{title}: {near}{outcome.clarification_question}"
    return Message(text=blocks.fallback(said), blocks=parts)


def _nearest_said(outcome: NeedsClarification, today: dt.date) -> Blocks:
    """Show what of an unsure draft comes nearest, with its sources.

    Nothing is shown where nothing is near.
    """
    if not outcome.nearest:
        return _untold(outcome)
    cited = [source for source in outcome.citations if f"[{source.n}]" in outcome.nearest]
    return [
        blocks.context((strong(NEAREST),)),
        *blocks.sections(outcome.nearest),
        *_untold(outcome),
        *(blocks.context(source_line(source, today)) for source in cited),
    ]


def _untold(outcome: NeedsClarification) -> Blocks:
    """Show the gaps that the question back does not name itself."""
    return [blocks.context(one_line(gap)) for gap in outcome.untold[:MAX_GAPS]]


def closed(session: Session, said: Said) -> Message:
    """The same message when it takes no reply any more, and why."""
    is_near = session.clarification.startswith(NEAREST)
    title = shared_sentences.UNSURE if is_near else shared_sentences.ASKS_BACK
    asked = [*_titled(title), *_question(session.clarification)]
    parts = [*asked, blocks.context(said)]
    return Message(text=blocks.fallback(said), blocks=parts)


def expired(session: Session) -> Message:
    """The question when nobody replied in time."""
    hours = max(1, round((session.expires_at - session.created_at).total_seconds() / 3600))
    return closed(session, sentences.expired(hours))


def scores(evaluation: Evaluation) -> str:
    """The four scores and their mean, in whole percent."""
    parts = [f"{name} {percent(getattr(evaluation, key))}" for key, name in SCORES.items()]
    return " · ".join([*parts, f"overall {percent(evaluation.overall_score)}"])


def _titled(title: str) -> Blocks:
    return [blocks.section(("⚠️ ", strong(title)))]


def _question(question: str) -> Blocks:
    return blocks.sections(question[:MOST_QUESTION])


def _suggested(session: Session) -> Blocks:
    buttons = [
        blocks.button(
            text, ids.numbered(ids.REPLY, at), ids.SuggestedReply(session=session.id, choice=at)
        )
        for at, text in enumerate(session.suggestions[:MAX_OPTIONS])
    ]
    return [blocks.actions(*buttons)] if buttons else []


def _ways(run: ChatRun, outcome: NeedsClarification, session: Session | None) -> Payload:
    carried = ids.RunRef(run=run.id)
    buttons = []
    if session is not None:
        reply = ids.SessionRef(session=session.id)
        buttons.append(
            blocks.button(sentences.ANSWER_IN_FORM, ids.REPLY_FORM, reply, style="primary")
        )
    if outcome.audit is not None:
        buttons.append(blocks.button(shared_sentences.SHOW_DRAFT, ids.DRAFT, carried))
    if session is not None and not run.wider and outcome.kind != "choice":
        buttons.append(blocks.button(shared_sentences.SEARCH_WIDER, ids.WIDER, carried))
    buttons.append(blocks.button(shared_sentences.HOW, ids.AUDIT, carried))
    if session is not None:
        buttons.append(
            blocks.button(
                sentences.CANCEL_QUESTION, ids.DISMISS, ids.SessionRef(session=session.id)
            )
        )
    return blocks.actions(*buttons)
