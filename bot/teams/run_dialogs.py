"""Answer the dialogs that show something of a run: its trail, a passage, the rest of an answer."""

import datetime as dt
from typing import Any, Final

from bot.chat.shown.source_shown import sources_shown
from bot.chat.trail.run_trail import result_of
from bot.chat.words import shared_sentences
from bot.teams.cards.answer_card import all_sources, paged, passage, rest_pages
from bot.teams.cards.audit_card import audit
from bot.teams.cards.card_elements import CARD_TYPE, card, rich
from bot.teams.cards.carried import DialogRef, UnreadableValue
from bot.teams.cards.dialog_pages import turned
from bot.teams.cards.question_card import draft, whole_question
from bot.teams.inbound.activities import DialogOpened, DialogSent
from bot.teams.run_lookup import RunLookup
from bot.teams.text import sentences
from masis.conversation import ChatRun
from masis.domain import Answered, NeedsClarification
from masis.records import StoredRun
from storage.chat.teams_places import TeamsPlace
from storage.chat.trails import Trails

TITLES: Final = {
    "audit": shared_sentences.HOW,
    "passage": sentences.PASSAGE,
    "rest": sentences.READ_ON,
    "draft": shared_sentences.SHOW_DRAFT,
    "sources": sentences.ALL_SOURCES,
}

Json = dict[str, Any]


class RunDialogs:
    """Shows a page of a dialog; who may read the conversation may read how its answers came about."""

    def __init__(self, lookup: RunLookup, trails: Trails) -> None:
        self._lookup = lookup
        self._trails = trails

    async def shown(self, asked: DialogOpened | DialogSent, place: TeamsPlace | None) -> Json:
        """Return the dialog's answer."""
        try:
            ref = DialogRef.loaded(asked.data)
        except UnreadableValue as error:
            return _dialog(shared_sentences.APP, card([rich(str(error))]))
        run = None if place is None else await self._lookup.by_id(place, ref.run, asked.person.id)
        kept = None if run is None else await self._trails.of(run.tenant, run.id)
        if run is None or kept is None:
            return _dialog(TITLES[ref.dialog], card([rich(shared_sentences.NOT_FOUND)]))
        return _dialog(TITLES[ref.dialog], _drawn(ref, run, kept))


def _drawn(ref: DialogRef, run: ChatRun, kept: StoredRun) -> Json:
    if ref.dialog == "audit":
        return audit(kept, ref.page)
    result, today = result_of(kept), dt.datetime.now(dt.UTC).date()
    missing = [[rich(shared_sentences.NOT_FOUND)]]
    pages = missing
    if result is not None:
        listed = sources_shown(result.citations, today)
        found = next((each for each in listed if each.n == ref.n), None)
        match ref.dialog:
            case "passage" if found is not None:
                pages = paged(passage(found))
            case "sources":
                pages = paged(all_sources(run.id, listed)) if listed else missing
            case "rest" if isinstance(result, Answered):
                pages = rest_pages(run, result, today)
            case "rest" if isinstance(result, NeedsClarification):
                pages = whole_question(run, result, today)
            case "draft" if isinstance(result, NeedsClarification):
                pages = paged(draft(result, today))
    return turned(pages, ref)


def _dialog(title: str, shown: Json) -> Json:
    held = {"contentType": CARD_TYPE, "content": shown}
    value = {"title": title, "height": "large", "width": "medium", "card": held}
    return {"task": {"type": "continue", "value": value}}
