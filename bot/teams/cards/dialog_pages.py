"""Draw a page of a dialog, with the ways to those beside it."""

from collections.abc import Callable

from bot.chat.words import shared_sentences
from bot.teams.cards.card_elements import Elements, Json, card, small, turn
from bot.teams.cards.carried import DialogRef
from bot.teams.text import sentences


def turned(pages: list[Elements], ref: DialogRef) -> Json:
    """Return a page of a dialog about a run."""
    return turned_by(pages, ref.page, lambda to: ref.model_copy(update={"page": to}).data())


def turned_by(pages: list[Elements], page: int, data: Callable[[int], Json]) -> Json:
    """Return a page of a dialog, with the ways to those beside it; `data` is what a way carries."""
    held = max(0, min(page, len(pages) - 1))
    ways = [(shared_sentences.BACK, held - 1), (sentences.CONTINUED, held + 1)]
    actions = [turn(name, data(to)) for name, to in ways if 0 <= to < len(pages)]
    counted = [small(sentences.page_of(held + 1, len(pages)))] if len(pages) > 1 else []
    return card([*pages[held], *counted], actions)
