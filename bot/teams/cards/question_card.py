"""Draw a question back to the asker: why it is asked, and ways to reply within the card."""

import datetime as dt
from typing import Final

from bot.chat.words import shared_sentences
from bot.chat.words.badge_words import cut, not_held, percent
from bot.chat.words.suggested_replies import MAX_OPTIONS
from bot.teams.cards import carried
from bot.teams.cards.answer_card import MAX_GAPS, source_line, understood, unread
from bot.teams.cards.badge_line import badge_line
from bot.teams.cards.card_elements import (
    Elements,
    Json,
    buttons,
    card,
    dialog,
    execute,
    message,
    paragraphs,
    rich,
    small,
    strong,
    title,
)
from bot.teams.cards.carried import Choice, DialogRef, RunRef, SessionRef, TypedReply
from bot.teams.text import sentences
from masis.conversation import ChatRun, Session
from masis.domain import Evaluation, NeedsClarification
from masis.graphs.research.texts import NEAREST, searched_for

MOST_QUESTION: Final = 6000
MOST_REPLY: Final = 2000


def question(
    asked: ChatRun,
    outcome: NeedsClarification,
    session: Session | None,
    today: dt.date,
    *,
    in_chat: bool = False,
) -> Json:
    """Return the message of a question back, with what is likely right above it.

    Without a session (nothing that a reply could mend) it has no way to reply. `in_chat`: it is
    asked in somebody's own chat.
    """
    head = shared_sentences.UNSURE if outcome.nearest else shared_sentences.ASKS_BACK
    body = [title(head)]
    # Where nothing can be found, how it was read is of no matter.
    body += [] if outcome.kind == "empty_workspace" else understood(asked, outcome)
    body += _nearest(outcome, today)
    body += paragraphs(_bounded(outcome.clarification_question))
    body += unread(outcome)
    body.append(small(shared_sentences.WHY[outcome.kind]))
    body += _checked(outcome)
    if session is not None:
        body += _reply(session, _how_to_reply(asked, in_chat=in_chat))
    near = f"{NEAREST} {outcome.nearest} " if outcome.nearest else ""
    said = f"{head}: {near}{outcome.clarification_question}"
    return message(card(body, _ways(asked, outcome, session)), said, is_answer=bool(near))


def _nearest(outcome: NeedsClarification, today: dt.date) -> Elements:
    """Show what of an unsure draft comes nearest, with its sources."""
    gaps = [small(cut(gap)) for gap in outcome.untold[:MAX_GAPS]]
    if not outcome.nearest:
        return gaps
    cited = [source for source in outcome.citations if f"[{source.n}]" in outcome.nearest]
    return [
        rich(strong(NEAREST)),
        *paragraphs(_bounded(outcome.nearest)),
        *gaps,
        *(source_line(source, today) for source in cited),
    ]


def _bounded(text: str) -> str:
    """A text that stands in the card whole, or is cut visibly."""
    return text if len(text) <= MOST_QUESTION else f"{text[: MOST_QUESTION - 1].rstrip()}…"


def _checked(outcome: NeedsClarification) -> Elements:
    parts: Elements = []
    if outcome.audit is not None:
        parts.append(badge_line(outcome))
    elif any(outcome.searched_for):
        parts.append(small(cut(searched_for(outcome.searched_for))))
    if outcome.evaluation is not None:
        parts.append(small(scores(outcome.evaluation)))
    return parts


def scores(evaluation: Evaluation) -> str:
    """The four scores and their mean, in whole percent."""
    parts = [
        f"{name} {percent(getattr(evaluation, key))}" for key, name in sentences.SCORES.items()
    ]
    return " · ".join([*parts, f"overall {percent(evaluation.overall_score)}"])


def _how_to_reply(asked: ChatRun, *, in_chat: bool) -> str:
    if in_chat:
        return sentences.HOW_TO_REPLY_CHAT
    # What is asked alone in a channel stands in no thread that is heard.
    return sentences.HOW_TO_REPLY_ALONE if asked.direct else sentences.HOW_TO_REPLY


def _reply(session: Session, how_to_reply: str) -> Elements:
    """The suggested replies, and a field for another one: a reply in the thread is not heard."""
    offered = [
        execute(
            text, carried.CHOOSE, Choice(run=session.run_id, session=session.id, choice=at).data()
        )
        for at, text in enumerate(session.suggestions[:MAX_OPTIONS])
    ]
    how = sentences.HOW_TO_CHOOSE if offered else how_to_reply
    field = {
        "type": "Input.Text",
        "id": carried.IN_REPLY,
        "label": sentences.REPLY_HERE,
        "maxLength": MOST_REPLY,
        "isMultiline": False,
    }
    send = execute(
        sentences.REPLY,
        carried.REPLY,
        TypedReply(run=session.run_id, session=session.id).data(),
        associatedInputs="auto",
        style="positive",
    )
    return [small(how), *_each_its_row(offered), field, *buttons(send)]


def _each_its_row(actions: list[Json]) -> Elements:
    """A row each: clients fold many buttons of one row into a menu."""
    return [row for action in actions for row in buttons(action)]


def _ways(asked: ChatRun, outcome: NeedsClarification, session: Session | None) -> list[Json]:
    ways = []
    if outcome.audit is not None:
        ways.append(
            dialog(shared_sentences.SHOW_DRAFT, DialogRef(dialog="draft", run=asked.id).data())
        )
    if session is not None and not asked.wider and outcome.kind != "choice":
        ways.append(
            execute(shared_sentences.SEARCH_WIDER, carried.WIDER, RunRef(run=asked.id).data())
        )
    ways.append(dialog(shared_sentences.HOW, DialogRef(dialog="audit", run=asked.id).data()))
    if session is not None:
        data = SessionRef(run=session.run_id, session=session.id).data()
        ways.append(execute(shared_sentences.CANCEL, carried.DISMISS, data))
    return ways


def closed(session: Session, said: str) -> Json:
    """Return the same when it takes no reply any more, and why."""
    is_near = session.clarification.startswith(NEAREST)
    head = shared_sentences.UNSURE if is_near else shared_sentences.ASKS_BACK
    body = [title(head), *paragraphs(_bounded(session.clarification))]
    return message(card([*body, small(said)]), said)


def expired(session: Session) -> Json:
    """Return the question when nobody replied in time."""
    hours = max(1, round((session.expires_at - session.created_at).total_seconds() / 3600))
    return closed(session, sentences.expired(hours))


def draft(outcome: NeedsClarification, today: dt.date) -> Elements:
    """The best draft of a run that asked back, with a warning, its badge and its sources."""
    if outcome.audit is None:
        return [rich(shared_sentences.NO_DRAFT)]
    return [
        rich(strong(f"⚠️ {shared_sentences.DRAFT_WARNING}")),
        *(paragraphs(outcome.answer) or [rich(shared_sentences.MADE_EMPTY)]),
        badge_line(outcome),
        *(small(f"• {line}") for line in not_held(outcome)),
        *(source_line(each, today) for each in outcome.citations),
    ]
