"""An answer as it is posted: text, badge, what does not hold, sources, and what to do next."""

import dataclasses
import datetime as dt
from collections.abc import Sequence
from typing import Final

from bot.chat.shown.answer_shown import AnswerShown, answer_shown
from bot.chat.shown.source_shown import SourceShown
from bot.chat.words import shared_sentences
from bot.chat.words.badge_words import cut
from bot.slack import ids, limits
from bot.slack.text import sentences
from bot.slack.text.defuse import Words, defuse, strong
from bot.slack.text.splitting import markdown_pieces
from bot.slack.views import blocks
from bot.slack.views.badge import badge_line
from bot.slack.views.blocks import Blocks
from bot.slack.views.figured import drawn_figures
from bot.slack.views.message import Attachment, Message, Shown
from masis.conversation import ChatRun, Payload
from masis.domain import Answered

MAX_MESSAGES: Final = 3
MAX_SOURCES: Final = 10
PIECE: Final = limits.MARKDOWN_TEXT - 500
"""Characters of Markdown a message; a piece that is parted anew may grow by a few."""


def answer(
    run: ChatRun, outcome: Answered, today: dt.date, *, good: int = 0, bad: int = 0
) -> Shown:
    """The answer in one to three messages; what is longer goes into a file, and is named there.

    `good` and `bad` are the votes so far: shown again with them, the last message says that a
    vote was received.
    """
    content = answer_shown(outcome, run.question, today, is_wider=run.wider)
    return _drawn(content, sentences.votes(good, bad))


def _drawn(content: AnswerShown, votes: str) -> Shown:
    pieces = markdown_pieces(defuse("markdown", content.text), PIECE) or [blocks.NOTHING]
    shown, rest = pieces[:MAX_MESSAGES], pieces[MAX_MESSAGES:]
    messages = []
    for number, piece in enumerate(shown, start=1):
        above = understood(content.understood) if number == 1 else []
        parts: Blocks = [*above, blocks.markdown(piece)]
        if len(shown) > 1:
            parts.append(blocks.context(sentences.part_of(number, len(shown))))
        if number == len(shown):
            parts += [blocks.context(sentences.REST_AS_FILE)] if rest else []
        further = f"{sentences.part_of(number, len(shown))} of the answer"
        text = content.summary if number == 1 else further
        messages.append(Message(text=blocks.fallback(text), blocks=parts))
    messages[-1] = _closed(content, messages[-1], votes)
    file = _attachment(content, rest) if rest else None
    return Shown(messages, file, drawn_figures.files(content.tables, content.run_id))


def _closed(content: AnswerShown, message: Message, votes: str) -> Message:
    """Return the last message with what is drawn, and all that stands below an answer."""
    below = _below(content, votes)
    drawn = drawn_figures.drawn(content.charts, content.tables, content.run_id)
    whole = Message(text=message.text, blocks=[*message.blocks, *drawn, *below])
    if not drawn:
        return whole
    room = limits.MARKDOWN_TOTAL - len(str(message.blocks))
    plain = drawn_figures.plain(content.charts, content.tables, room)
    as_words = [*message.blocks, *plain, *below]
    return dataclasses.replace(whole, plain=Message(text=message.text, blocks=as_words))


def _below(content: AnswerShown, votes: str) -> Blocks:
    noted = [*content.gaps.listed, *content.unread.listed]
    parts: Blocks = [blocks.context(line) for line in noted]
    parts.append(blocks.context(badge_line(content.badge)))
    if content.not_held:
        parts += blocks.sections("\n".join(f"• {line}" for line in content.not_held))
    if content.improvement:
        parts.append(blocks.context(cut(content.improvement)))
    parts += sources(content.run_id, content.sources)
    parts.append(feedback(content.run_id))
    parts += [blocks.context(votes)] if votes else []
    parts.append(next_steps(content.run_id, may_widen=content.may_widen))
    return parts


def understood(said: str) -> Blocks:
    """Say in small print how the question was read, where that says more than what was typed."""
    return [blocks.context(cut(said))] if said else []


def feedback(run_id: str) -> Payload:
    """The two buttons that take a vote."""
    return blocks.feedback(
        ids.FEEDBACK,
        (sentences.GOOD, ids.Feedback(run=run_id, good=True)),
        (sentences.BAD, ids.Feedback(run=run_id, good=False)),
    )


def next_steps(run_id: str, *, may_widen: bool) -> Payload:
    """Offer how it came about, and a wider search of the documents where this was not one."""
    carried = ids.RunRef(run=run_id)
    buttons = [blocks.button(shared_sentences.HOW, ids.AUDIT, carried)]
    if may_widen:
        buttons.append(blocks.button(shared_sentences.SEARCH_WIDER, ids.WIDER, carried))
    return blocks.actions(*buttons)


def sources(run_id: str, listed: Sequence[SourceShown]) -> Blocks:
    """The numbered sources, each with its passage a click away; nothing when nothing was cited."""
    if not listed:
        return []
    parts: Blocks = [blocks.context((strong(shared_sentences.SOURCES),))]
    for source in listed[:MAX_SOURCES]:
        carried = ids.PassageRef(run=run_id, n=source.n)
        action = ids.numbered(ids.PASSAGE, source.n)
        button = blocks.button(sentences.OPEN_PASSAGE, action, carried)
        parts.append(blocks.section(source_line(source), button))
    rest = listed[MAX_SOURCES:]
    if rest:
        options = [
            blocks.choice(f"[{each.n}] {each.name}", ids.PassageRef(run=run_id, n=each.n))
            for each in rest
        ]
        parts.append(
            blocks.actions(blocks.menu(ids.PASSAGE, shared_sentences.more(len(rest)), options))
        )
    return parts


def source_line(source: SourceShown) -> tuple[Words, ...]:
    """`[1] Leave · handbook/leave.md · p. 4 · 3 months old`, each part in one line."""
    return (strong(f"[{source.n}]"), f" {' · '.join(source.parts(sentences.ATTACHED))}")


def _attachment(content: AnswerShown, rest: Sequence[str]) -> Attachment:
    listed = [
        defuse("markdown", "".join(p if isinstance(p, str) else p.words for p in source_line(each)))
        for each in content.sources
    ]
    text = "\n\n".join([*rest, "\n".join([f"## {shared_sentences.SOURCES}", *listed])])
    return Attachment(name=f"masis-answer-{content.run_id}.md", text=text)
