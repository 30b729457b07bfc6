"""Draw a question back to the asker: why it is asked, and ways to reply within the card.

What does not fit is shown by a dialog, page by page; nothing is cut without a word.
"""

import datetime as dt
from typing import Final

from bot.chat.shown.clarification_shown import (
    ClarificationShown,
    ClosedClarification,
    clarification_shown,
    closed_clarification,
    draft_shown,
    hours_open,
)
from bot.chat.words import shared_sentences
from bot.chat.words.badge_words import cut
from bot.teams.cards import carried
from bot.teams.cards.answer_card import (
    FRAME_CHARS,
    paged,
    parted,
    read_on,
    source_line,
    texts,
    understood,
)
from bot.teams.cards.badge_line import badge_line
from bot.teams.cards.card_elements import (
    Elements,
    Json,
    buttons,
    card,
    dialog,
    execute,
    length,
    message,
    paragraphs,
    rich,
    small,
    strong,
    title,
)
from bot.teams.cards.carried import Choice, DialogRef, RunRef, SessionRef, TypedReply
from bot.teams.cards.progress_card import untyped
from bot.teams.connector.conversation_limits import CARD_CHARS
from bot.teams.text import sentences
from masis.answering.outcome_texts import NEAREST
from masis.conversation import ChatRun, Session
from masis.domain import NeedsClarification

NEAREST_CHARS: Final = 12_000
"""Of the JSON of what is likely right; the question itself has the rest of the card."""
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
    content = clarification_shown(outcome, asked.question, session, today, is_wider=asked.wider)
    return _laid_out(asked, content, _how_to_reply(asked, in_chat=in_chat))


def whole_question(asked: ChatRun, outcome: NeedsClarification, today: dt.date) -> list[Elements]:
    """Return all that a question back says, page by page, where its card had no room for it."""
    content = clarification_shown(outcome, asked.question, None, today)
    return paged([*_nearest(content), *paragraphs(content.question)])


def _laid_out(asked: ChatRun, content: ClarificationShown, how_to_reply: str) -> Json:
    above = [title(content.title), *untyped(asked), *understood(content.understood)]
    near, near_rest = parted(_nearest(content), NEAREST_CHARS)
    below: Elements = [small(line) for line in content.unread.listed]
    below += [small(content.why), *_checked(content), *_reply(content, how_to_reply)]
    ways = _ways(content)
    taken = sum(map(length, (*above, *near, *below, *ways)))
    room = CARD_CHARS - FRAME_CHARS - taken
    first, rest = parted(paragraphs(content.question), room)
    if near_rest or rest:
        below.insert(0, small(sentences.QUESTION_LONGER))
        ways.insert(0, read_on(content.run_id))
    whole = card([*above, *near, *first, *below], ways)
    return message(whole, content.summary, is_answer=bool(content.nearest))


def _nearest(content: ClarificationShown) -> Elements:
    """Show what of an unsure draft comes nearest, with its sources, and what it leaves open."""
    gaps = [small(line) for line in content.gaps.listed]
    if not content.nearest:
        return gaps
    cited = [source_line(source) for source in content.near_sources]
    return [rich(strong(NEAREST)), *paragraphs(content.nearest), *gaps, *cited]


def _checked(content: ClarificationShown) -> Elements:
    parts: Elements = [] if content.badge is None else [badge_line(content.badge)]
    return [*parts, *(small(cut(said)) for said in (content.searched_for, content.scores) if said)]


def _how_to_reply(asked: ChatRun, *, in_chat: bool) -> str:
    if in_chat:
        return sentences.HOW_TO_REPLY_CHAT
    # What is asked alone in a channel stands in no thread that is heard.
    return sentences.HOW_TO_REPLY_ALONE if asked.direct else sentences.HOW_TO_REPLY


def _reply(content: ClarificationShown, how_to_reply: str) -> Elements:
    """The suggested replies, and a field for another one: a reply in the thread is not heard."""
    if not content.session:
        return []
    run, held = content.run_id, content.session
    offered = [
        execute(text, carried.CHOOSE, Choice(run=run, session=held, choice=at).data())
        for at, text in enumerate(content.suggestions)
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
        TypedReply(run=run, session=held).data(),
        associatedInputs="auto",
        style="positive",
    )
    return [small(how), *_each_its_row(offered), field, *buttons(send)]


def _each_its_row(actions: list[Json]) -> Elements:
    """A row each: clients fold many buttons of one row into a menu."""
    return [row for action in actions for row in buttons(action)]


def _ways(content: ClarificationShown) -> list[Json]:
    run = content.run_id
    ways = []
    if content.draft is not None:
        shown = DialogRef(dialog="draft", run=run).data()
        ways.append(dialog(shared_sentences.SHOW_DRAFT, shown))
    if content.may_widen:
        ways.append(execute(shared_sentences.SEARCH_WIDER, carried.WIDER, RunRef(run=run).data()))
    ways.append(dialog(shared_sentences.HOW, DialogRef(dialog="audit", run=run).data()))
    if content.session:
        data = SessionRef(run=run, session=content.session).data()
        ways.append(execute(shared_sentences.CANCEL, carried.DISMISS, data))
    return ways


def closed(session: Session, said: str) -> Json:
    """Return the same when it takes no reply any more, and why."""
    return _closed(closed_clarification(session), said)


def _closed(content: ClosedClarification, said: str) -> Json:
    ended = small(said)
    room = CARD_CHARS - FRAME_CHARS - length(ended)
    first, rest = parted(paragraphs(content.question), room)
    longer = [small(sentences.QUESTION_LONGER)] if rest else []
    ways = [read_on(content.run_id)] if rest else []
    return message(card([title(content.title), *first, *longer, ended], ways), said)


def expired(session: Session) -> Json:
    """Return the question when nobody replied in time."""
    return closed(session, sentences.expired(hours_open(session)))


def draft(outcome: NeedsClarification, today: dt.date) -> Elements:
    """The best draft of a run that asked back, with a warning, its badge and its sources."""
    shown = draft_shown(outcome, today)
    if shown is None:
        return [rich(shared_sentences.NO_DRAFT)]
    return [
        rich(strong(f"⚠️ {shared_sentences.DRAFT_WARNING}")),
        *texts(shown.text),
        badge_line(shown.badge),
        *(small(f"• {line}") for line in shown.not_held),
        *(source_line(each) for each in shown.sources),
    ]
