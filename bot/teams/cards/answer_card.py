"""Draw an answer: text, badge, what does not hold, sources, and what to do next, in one card.

What does not fit is shown by a dialog, page by page; nothing is cut without a word.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Final

from bot.chat.words import phrases, shared_sentences
from bot.chat.words.badge_words import cut, not_held, verdict
from bot.chat.words.visible_text import one_line
from bot.teams.cards import answer_text, carried
from bot.teams.cards.badge_line import badge_line
from bot.teams.cards.card_elements import (
    Elements,
    Json,
    beside,
    card,
    dialog,
    execute,
    length,
    message,
    paragraphs,
    rich,
    run,
    small,
    strong,
    turn,
)
from bot.teams.cards.carried import DialogRef, RunRef
from bot.teams.cards.figure_elements import figures
from bot.teams.cards.progress_card import untyped
from bot.teams.connector.conversation_limits import CARD_CHARS
from bot.teams.text import sentences
from masis.conversation import ChatRun
from masis.domain import Answered, Citation, NeedsClarification
from masis.graphs.chat.texts import understood_as

MAX_SOURCES: Final = 8
MAX_GAPS: Final = 5
FRAME_CHARS: Final = 2_000
"""Of a message around its card, and of what says that it goes on."""
PAGE_CHARS: Final = CARD_CHARS - 8_000
"""Of a dialog's page, with room for its frame."""
MOST_FIGURES: Final = 20_000
"""Characters that charts and tables get, at most."""
LEAST_TEXT: Final = 6_000
"""Characters that the answer itself gets, whatever stands below it."""


def answer(asked: ChatRun, outcome: Answered, today: dt.date) -> Json:
    """Return the message of an answer."""
    return _laid_out(asked, outcome, today)[0]


def rest_pages(asked: ChatRun, outcome: Answered, today: dt.date) -> list[Elements]:
    """Return what an answer's card did not hold, page by page."""
    return paged(_laid_out(asked, outcome, today)[1] or [rich(sentences.NOTHING)])


def _laid_out(asked: ChatRun, outcome: Answered, today: dt.date) -> tuple[Json, Elements]:
    """Return the message of an answer, and what of its text had no room in it."""
    said = ": ".join(filter(None, (verdict(outcome), one_line(outcome.answer))))
    above, below = understood(asked, outcome), _below(outcome, today)
    actions = _next_steps(asked, may_widen=not _is_classified(outcome))
    taken = sum(map(length, (*above, *below, *actions)))
    room = CARD_CHARS - FRAME_CHARS - taken
    shapes = figures(outcome, min(room - LEAST_TEXT, MOST_FIGURES))
    room -= sum(map(length, shapes))
    first, rest = _parted(answer_text.drawn(outcome.answer), room)
    if rest:
        below.insert(0, small(sentences.GOES_ON))
        actions.insert(0, dialog(sentences.READ_ON, DialogRef(dialog="rest", run=asked.id).data()))
    return message(card([*above, *first, *shapes, *below], actions), said, is_answer=True), rest


def _parted(elements: Elements, room: int) -> tuple[Elements, Elements]:
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
        first, elements = _parted(elements, PAGE_CHARS)
        pages.append(first)
    return pages or [[]]


def _below(outcome: Answered, today: dt.date) -> Elements:
    parts: Elements = [small(cut(gap)) for gap in outcome.gaps[:MAX_GAPS]]
    parts += unread(outcome)
    parts.append(badge_line(outcome))
    parts += [small(f"• {line}") for line in not_held(outcome)]
    if outcome.improvement:
        parts.append(small(cut(outcome.improvement)))
    return [*parts, *sources(outcome, today)]


def unread(outcome: Answered | NeedsClarification) -> Elements:
    """The files that came with the question and could not be read, and why."""
    said = (cut(each) for each in outcome.unread[:MAX_GAPS])
    return [small(f"⚠️ {each}") for each in said if each]


def understood(asked: ChatRun, outcome: Answered | NeedsClarification) -> Elements:
    """Say in small print how the question was read, where that says more than what was typed."""
    said = understood_as(asked.question, outcome.understood)
    return [*untyped(asked), *([small(cut(said))] if said else [])]


def _is_classified(outcome: Answered) -> bool:
    return outcome.code is not None or any(table.as_file for table in outcome.tables)


def _next_steps(asked: ChatRun, *, may_widen: bool) -> list[Json]:
    """Offer how it came about, and a wider search of the documents where this was not one."""
    steps = [dialog(shared_sentences.HOW, DialogRef(dialog="audit", run=asked.id).data())]
    if may_widen and not asked.wider:
        steps.append(
            execute(shared_sentences.SEARCH_WIDER, carried.WIDER, RunRef(run=asked.id).data())
        )
    return steps


# --- sources -------------------------------------------------------------------------------


def sources(outcome: Answered, today: dt.date) -> Elements:
    """The numbered sources, each with its passage a press away; nothing when nothing was cited."""
    if not outcome.citations:
        return []
    parts: Elements = [rich(strong(shared_sentences.SOURCES), spacing="Default")]
    for citation in outcome.citations[:MAX_SOURCES]:
        ref = DialogRef(dialog="passage", run=outcome.run_id, n=citation.n)
        line = source_line(citation, today)
        parts.append(beside(line, dialog(sentences.PASSAGE, ref.data())))
    if left := outcome.citations[MAX_SOURCES:]:
        ref = DialogRef(dialog="sources", run=outcome.run_id)
        shown = dialog(sentences.ALL_SOURCES, ref.data())
        parts.append(beside(small(shared_sentences.more(len(left))), shown))
    return parts


def all_sources(outcome: Answered | NeedsClarification, today: dt.date) -> Elements:
    """Every source with its passage, for a dialog."""
    return [
        beside(
            source_line(each, today),
            turn(
                sentences.PASSAGE,
                DialogRef(dialog="passage", run=outcome.run_id, n=each.n).data(),
            ),
        )
        for each in outcome.citations
    ]


def source_line(citation: Citation, today: dt.date) -> Json:
    """`[1] Leave · handbook/leave.md · p. 4 · 3 months old`, each part in one line."""
    name, title = one_line(citation.document), one_line(citation.title)
    parts = [
        title if title.casefold() not in name.casefold() else "",
        name,
        one_line(citation.place.label()),
        phrases.age(citation.date, today, citation.date_source),
        sentences.ATTACHED if citation.attached else "",
    ]
    shown = cut(" · ".join(part for part in parts if part))
    return rich(strong(f"[{citation.n}]"), run(f" {shown}"))


def passage(citation: Citation, today: dt.date) -> Elements:
    """A cited passage as it stood when it was cited."""
    return [source_line(citation, today), *texts(citation.text)]


def texts(text: str) -> Elements:
    """A passage, a line each; that it was removed where nothing is left of it."""
    return paragraphs(text) or [rich(shared_sentences.MADE_EMPTY)]


def page(parts: Iterable[Json], actions: Sequence[Json]) -> Json:
    """Return a dialog's card."""
    return card(list(parts), actions)
