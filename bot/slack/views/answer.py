"""An answer as it is posted: text, badge, what does not hold, sources, and what to do next."""

import dataclasses
import datetime as dt
from collections.abc import Sequence
from typing import Final

from bot.chat.words import shared_sentences
from bot.chat.words.badge_words import cut, not_held, verdict
from bot.chat.words.phrases import age
from bot.chat.words.visible_text import one_line
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
from masis.domain import Answered, Citation, NeedsClarification
from masis.graphs.chat.texts import understood_as

MAX_MESSAGES: Final = 3
MAX_SOURCES: Final = 10
MAX_GAPS: Final = 5
PIECE: Final = limits.MARKDOWN_TEXT - 500
"""Characters of Markdown a message; a piece that is parted anew may grow by a few."""


def answer(
    run: ChatRun, outcome: Answered, today: dt.date, *, good: int = 0, bad: int = 0
) -> Shown:
    """The answer in one to three messages; what is longer goes into a file, and is named there.

    `good` and `bad` are the votes so far: shown again with them, the last message says that a
    vote was received.
    """
    pieces = markdown_pieces(defuse("markdown", outcome.answer), PIECE) or [blocks.NOTHING]
    shown, rest = pieces[:MAX_MESSAGES], pieces[MAX_MESSAGES:]
    said = ": ".join(filter(None, (verdict(outcome), one_line(outcome.answer))))
    messages = []
    for number, piece in enumerate(shown, start=1):
        parts: Blocks = [*(understood(run, outcome) if number == 1 else []), blocks.markdown(piece)]
        if len(shown) > 1:
            parts.append(blocks.context(sentences.part_of(number, len(shown))))
        if number == len(shown):
            parts += [blocks.context(sentences.REST_AS_FILE)] if rest else []
        text = said if number == 1 else f"{sentences.part_of(number, len(shown))} of the answer"
        messages.append(Message(text=blocks.fallback(text), blocks=parts))
    messages[-1] = _closed(run, outcome, messages[-1], today, sentences.votes(good, bad))
    file = _attachment(run, outcome, rest, today) if rest else None
    return Shown(messages, file, drawn_figures.files(outcome, run.id))


def _closed(
    run: ChatRun, outcome: Answered, message: Message, today: dt.date, votes: str
) -> Message:
    """Return the last message with what is drawn, and all that stands below an answer."""
    below = _below(run, outcome, today, votes)
    drawn = drawn_figures.drawn(outcome, run.id)
    whole = Message(text=message.text, blocks=[*message.blocks, *drawn, *below])
    if not drawn:
        return whole
    room = limits.MARKDOWN_TOTAL - len(str(message.blocks))
    as_words = [*message.blocks, *drawn_figures.plain(outcome, room), *below]
    return dataclasses.replace(whole, plain=Message(text=message.text, blocks=as_words))


def _below(run: ChatRun, outcome: Answered, today: dt.date, votes: str) -> Blocks:
    parts: Blocks = [blocks.context(one_line(gap)) for gap in outcome.gaps[:MAX_GAPS]]
    parts += unread(outcome)
    parts.append(blocks.context(badge_line(outcome)))
    if lines := not_held(outcome):
        parts += blocks.sections("\n".join(f"• {line}" for line in lines))
    if outcome.improvement:
        parts.append(blocks.context(cut(outcome.improvement)))
    parts += sources(run.id, outcome.citations, today)
    parts.append(feedback(run.id))
    parts += [blocks.context(votes)] if votes else []
    parts.append(next_steps(run, may_widen=not _is_classified(outcome)))
    return parts


def unread(outcome: Answered | NeedsClarification) -> Blocks:
    """The files that came with the question and could not be read, and why."""
    said = (one_line(each) for each in outcome.unread[:MAX_GAPS])
    return [blocks.context(f"⚠️ {each}") for each in said if each]


def understood(run: ChatRun, outcome: Answered | NeedsClarification) -> Blocks:
    """Say in small print how the question was read, where that says more than what was typed."""
    said = understood_as(run.question, outcome.understood)
    return [blocks.context(cut(said))] if said else []


def feedback(run_id: str) -> Payload:
    """The two buttons that take a vote."""
    return blocks.feedback(
        ids.FEEDBACK,
        (sentences.GOOD, ids.Feedback(run=run_id, good=True)),
        (sentences.BAD, ids.Feedback(run=run_id, good=False)),
    )


def _is_classified(outcome: Answered) -> bool:
    return outcome.code is not None or any(table.as_file for table in outcome.tables)


def next_steps(run: ChatRun, *, may_widen: bool = True) -> Payload:
    """Offer how it came about, and a wider search of the documents where this was not one."""
    carried = ids.RunRef(run=run.id)
    buttons = [blocks.button(shared_sentences.HOW, ids.AUDIT, carried)]
    if may_widen and not run.wider:
        buttons.append(blocks.button(shared_sentences.SEARCH_WIDER, ids.WIDER, carried))
    return blocks.actions(*buttons)


def sources(run_id: str, citations: Sequence[Citation], today: dt.date) -> Blocks:
    """The numbered sources, each with its passage a click away; nothing when nothing was cited."""
    if not citations:
        return []
    parts: Blocks = [blocks.context((strong(shared_sentences.SOURCES),))]
    for citation in citations[:MAX_SOURCES]:
        carried = ids.PassageRef(run=run_id, n=citation.n)
        action = ids.numbered(ids.PASSAGE, citation.n)
        button = blocks.button(sentences.OPEN_PASSAGE, action, carried)
        parts.append(blocks.section(source_line(citation, today), button))
    rest = citations[MAX_SOURCES:]
    if rest:
        options = [
            blocks.choice(
                f"[{citation.n}] {one_line(citation.document)}",
                ids.PassageRef(run=run_id, n=citation.n),
            )
            for citation in rest
        ]
        parts.append(
            blocks.actions(blocks.menu(ids.PASSAGE, shared_sentences.more(len(rest)), options))
        )
    return parts


def source_line(citation: Citation, today: dt.date) -> tuple[Words, ...]:
    """`[1] Leave · handbook/leave.md · p. 4 · 3 months old`, each part in one line."""
    name, title = one_line(citation.document), one_line(citation.title)
    parts = [
        name,
        one_line(citation.place.label()),
        age(citation.date, today, citation.date_source),
        sentences.ATTACHED if citation.attached else "",
    ]
    if title and title.casefold() not in name.casefold():
        parts.insert(0, title)
    shown = " · ".join(part for part in parts if part)
    return (strong(f"[{citation.n}]"), f" {shown}")


def _attachment(run: ChatRun, outcome: Answered, rest: Sequence[str], today: dt.date) -> Attachment:
    listed = [
        defuse("markdown", "".join(p if isinstance(p, str) else p.words for p in line))
        for line in (source_line(citation, today) for citation in outcome.citations)
    ]
    text = "\n\n".join([*rest, "\n".join([f"## {shared_sentences.SOURCES}", *listed])])
    return Attachment(name=f"masis-answer-{run.id}.md", text=text)
