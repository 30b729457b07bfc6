"""Draw an answer: text, badge, what does not hold, sources, and what to do next, in one card.

What does not fit is shown by a dialog, page by page; nothing is cut without a word.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Final

from bot.chat.shown.answer_shown import AnswerShown, answer_shown
from bot.chat.shown.source_shown import SourceShown
from bot.chat.words import shared_sentences
from bot.chat.words.badge_words import cut
from bot.teams.cards import answer_text, carried
from bot.teams.cards.badge_line import badge_line
from bot.teams.cards.card_elements import (
    Elements,
    Json,
    beside,
    buttons,
    card,
    dialog,
    execute,
    length,
    line,
    message,
    paragraphs,
    rich,
    run,
    small,
    strong,
    turn,
)
from bot.teams.cards.carried import DialogRef, RunRef, TypedQuestion
from bot.teams.cards.figure_elements import figures
from bot.teams.cards.progress_card import untyped
from bot.teams.connector.conversation_limits import CARD_CHARS
from bot.teams.text import sentences
from masis.conversation import ChatRun
from masis.domain import Answered
from masis.policy import MAX_QUESTION_CHARS

MAX_SOURCES: Final = 8
FRAME_CHARS: Final = 2_000
"""Of a message around its card, and of what says that it goes on."""
PAGE_CHARS: Final = CARD_CHARS - 8_000
"""Of a dialog's page, with room for its frame."""
MOST_FIGURES: Final = 20_000
"""Characters that charts and tables get, at most."""
LEAST_TEXT: Final = 6_000
"""Characters that the answer itself gets, whatever stands below it."""


def answer(asked: ChatRun, outcome: Answered, today: dt.date, *, in_chat: bool = False) -> Json:
    """Return the message of an answer. `in_chat`: it stands in somebody's own chat."""
    return _laid_out(asked, _content(asked, outcome, today), in_chat=in_chat)[0]


def rest_pages(asked: ChatRun, outcome: Answered, today: dt.date) -> list[Elements]:
    """Return what an answer's card did not hold, page by page."""
    left = _laid_out(asked, _content(asked, outcome, today))[1]
    return paged(left or [rich(sentences.NOTHING)])


def _content(asked: ChatRun, outcome: Answered, today: dt.date) -> AnswerShown:
    return answer_shown(outcome, asked.question, today, is_wider=asked.wider)


def _laid_out(
    asked: ChatRun, content: AnswerShown, *, in_chat: bool = False
) -> tuple[Json, Elements]:
    """Return the message of an answer, and what of its text had no room in it.

    The room is the same wherever it stands: a dialog shows the rest of it without knowing that.
    """
    above, below = [*untyped(asked), *understood(content.understood)], _below(content)
    actions = _next_steps(content.run_id, may_widen=content.may_widen)
    asking_on = _ask_on(content.run_id)
    taken = sum(map(length, (*above, *below, *actions, *asking_on)))
    room = CARD_CHARS - FRAME_CHARS - taken
    shapes = figures(content.charts, content.tables, min(room - LEAST_TEXT, MOST_FIGURES))
    room -= sum(map(length, shapes))
    first, rest = parted(answer_text.drawn(content.text), room)
    if rest:
        below.insert(0, small(sentences.GOES_ON))
        actions.insert(0, read_on(content.run_id))
    below += asking_on if in_chat else []
    whole = card([*above, *first, *shapes, *below], actions)
    return message(whole, content.summary, is_answer=True), rest


def _ask_on(run_id: str) -> Elements:
    """Return a field for a question that goes on with this one: one's own chat has no threads."""
    ref = TypedQuestion(run=run_id).data()
    send = execute(sentences.ASK_ON, carried.ASK_ON, ref, associatedInputs="auto")
    field = line(carried.IN_QUESTION, sentences.ASK_ON_HERE, MAX_QUESTION_CHARS)
    return [field, *buttons(send)]


def read_on(run_id: str) -> Json:
    """Return the button that opens what a card had no room for."""
    return dialog(sentences.READ_ON, DialogRef(dialog="rest", run=run_id).data())


def parted(elements: Elements, room: int) -> tuple[Elements, Elements]:
    """Part elements into those that have room, and the rest. There is room for one."""
    taken = 0
    for at, element in enumerate(elements):
        taken += length(element) + 2
        if taken > room and at:
            return elements[:at], elements[at:]
    return elements, []


def paged(elements: Elements) -> list[Elements]:
    """Return elements in pages that fit, at least one."""
    pages: list[Elements] = []
    while elements:
        first, elements = parted(elements, PAGE_CHARS)
        pages.append(first)
    return pages or [[]]


def _below(content: AnswerShown) -> Elements:
    parts: Elements = [small(told) for told in (*content.gaps.listed, *content.unread.listed)]
    parts.append(badge_line(content.badge))
    parts += [small(f"• {told}") for told in content.not_held]
    if content.improvement:
        parts.append(small(cut(content.improvement)))
    return [*parts, *sources(content.run_id, content.sources)]


def understood(said: str) -> Elements:
    """Say in small print how the question was read, where that says more than what was typed."""
    return [small(cut(said))] if said else []


def _next_steps(run_id: str, *, may_widen: bool) -> list[Json]:
    """Offer how it came about, and a wider search of the documents where this was not one."""
    steps = [dialog(shared_sentences.HOW, DialogRef(dialog="audit", run=run_id).data())]
    if may_widen:
        wider = RunRef(run=run_id).data()
        steps.append(execute(shared_sentences.SEARCH_WIDER, carried.WIDER, wider))
    return steps


# --- sources -------------------------------------------------------------------------------


def sources(run_id: str, listed: Sequence[SourceShown]) -> Elements:
    """The numbered sources, each with its passage a press away; nothing when nothing was cited."""
    if not listed:
        return []
    parts: Elements = [rich(strong(shared_sentences.SOURCES), spacing="Default")]
    for source in listed[:MAX_SOURCES]:
        ref = DialogRef(dialog="passage", run=run_id, n=source.n)
        parts.append(beside(source_line(source), dialog(sentences.PASSAGE, ref.data())))
    if left := listed[MAX_SOURCES:]:
        ref = DialogRef(dialog="sources", run=run_id)
        shown = dialog(sentences.ALL_SOURCES, ref.data())
        parts.append(beside(small(shared_sentences.more(len(left))), shown))
    return parts


def all_sources(run_id: str, listed: Sequence[SourceShown]) -> Elements:
    """Every source with its passage, for a dialog."""
    return [
        beside(
            source_line(each),
            turn(sentences.PASSAGE, DialogRef(dialog="passage", run=run_id, n=each.n).data()),
        )
        for each in listed
    ]


def source_line(source: SourceShown) -> Json:
    """`[1] Leave · handbook/leave.md · p. 4 · 3 months old`, each part in one line."""
    shown = cut(" · ".join(source.parts(sentences.ATTACHED)))
    return rich(strong(f"[{source.n}]"), run(f" {shown}"))


def passage(source: SourceShown) -> Elements:
    """A cited passage as it stood when it was cited."""
    return [source_line(source), *texts(source.text)]


def texts(text: str) -> Elements:
    """A passage, a line each; that it was removed where nothing is left of it."""
    return paragraphs(text) or [rich(shared_sentences.MADE_EMPTY)]


def page(parts: Iterable[Json], actions: Sequence[Json]) -> Json:
    """Return a dialog's card."""
    return card(list(parts), actions)
