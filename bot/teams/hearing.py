"""Decide what is done about what was heard in Teams."""

import logging
from dataclasses import dataclass
from typing import Any, Final

from bot.chat import grammar
from bot.teams.card_presses import CardPresses
from bot.teams.cards import notice_card
from bot.teams.connector.connector import Spot
from bot.teams.connector.connector_errors import TeamsError
from bot.teams.greeting import Greeting
from bot.teams.inbound.activities import (
    DialogOpened,
    DialogSent,
    Heard,
    Installed,
    Person,
    PlaceChanged,
    Pressed,
    Rated,
    Written,
)
from bot.teams.managing.admin_forms import AdminForms, is_form
from bot.teams.managing.document_uploads import DocumentUploads, upload_into
from bot.teams.managing.team_commands import Commands, command_of
from bot.teams.outcome_delivery import OutcomeDelivery
from bot.teams.question_intake import Asked, QuestionIntake, Taken
from bot.teams.run_dialogs import RunDialogs
from bot.teams.run_lookup import STANDARD, RunLookup, place_of, team_of
from bot.teams.surface import BY_REMOVAL
from bot.teams.team_lookup import TeamLookup
from bot.teams.text import sentences
from masis.conversation import TEAMS, Session, Tenant
from masis.ports import RunEngine
from masis.questions.replies import is_only_talk
from masis.words.attachment_words import says_nothing
from masis.words.chat_words import small_talk
from storage.chat.deduplication import Claims
from storage.chat.links import Links
from storage.chat.teams_places import TeamsPlace, TeamsPlaces, place_id

log = logging.getLogger(__name__)

REMOVED: Final = "MASIS was taken out of the team"
_SUSPENDS: Final = {
    "channelDeleted": "the channel was deleted",
    "channelUnshared": "the channel is not shared with this team any more",
    "channelShared": "the channel is shared with another team",
    "teamArchived": "the team is archived",
    "teamDeleted": "the team was deleted",
    "teamHardDeleted": "the team was deleted",
}
"""Why a link does not answer, by what befell its channel or its team."""
_RESUMES: Final = frozenset({"channelRestored", "teamUnarchived", "teamRestored"})

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that hearing works with, each with one job."""

    claims: Claims
    commands: Commands
    delivery: OutcomeDelivery
    engine: RunEngine
    forms: AdminForms
    greeting: Greeting
    intake: QuestionIntake
    links: Links
    lookup: RunLookup
    places: TeamsPlaces
    teams: TeamLookup
    uploads: DocumentUploads


class Hearing:
    """Takes in whatever was heard; gives the body that an invoke is answered with."""

    def __init__(self, parts: Parts, presses: CardPresses, dialogs: RunDialogs) -> None:
        self._parts = parts
        self._presses = presses
        self._dialogs = dialogs

    async def __call__(self, heard: Heard) -> Json | None:
        """Take it in.

        Raises:
            StoreUnavailable: it could not be stored now; Teams sends it again.
        """
        where = await self._parts.teams.completed(heard.where)
        heard = heard.model_copy(update={"where": where})
        place = place_of(where)
        if place is not None:
            await self._parts.places.keep(place)
        match heard:
            case Written():
                await self._written(heard, place)
            case Installed():
                await self._installed(heard, place)
            case PlaceChanged():
                await self._changed(heard)
            case Pressed():
                return await self._presses.pressed(heard, place)
            case DialogOpened() | DialogSent():
                opens = self._parts.forms if is_form(heard) else self._dialogs
                return await opens.shown(heard, place)
            case Rated():
                await self._presses.rated(heard, place)
        return None

    # --- messages --------------------------------------------------------------------------

    async def _written(self, heard: Written, place: TeamsPlace | None) -> None:
        if place is None:
            await self._refuse_place(heard)
            return
        asked = await self._asked(heard, place)
        into = upload_into(asked.text) if heard.files else None
        if into is not None:
            if shown := await self._parts.uploads.put_in(asked, into):
                await self._show(heard, asked, shown)
            return
        is_talk = small_talk(asked.text, in_thread=asked.is_within) is not None
        if heard.files and (is_talk or says_nothing(asked.text)):
            await self._say(heard, asked, sentences.ONLY_FILES)
            return
        session = await self._open_session(asked)
        command = command_of(asked.text) if session is None else None
        if command is not None:
            await self._show(heard, asked, await self._parts.commands.done(command, asked))
            return
        if session is None:
            taken = await self._parts.intake.ask(asked)
        elif asked.user != session.asker:
            taken = Taken(said=sentences.NOT_THE_ASKER)
        else:
            taken = await self._replied(heard.person, asked, session)
        await self._told(heard, asked, taken)

    async def _asked(self, heard: Written, place: TeamsPlace) -> Asked:
        is_alone = heard.targeted and place.kind == "channel"
        # What is said to one person alone belongs to no thread that others go on with.
        thread = heard.id if is_alone else heard.where.thread or heard.id
        if place.kind == "personal" and heard.replies_to:
            quoted = await self._parts.lookup.by_message(place, heard.replies_to, heard.person.id)
            thread = thread if quoted is None else quoted.thread
        return Asked(
            place=place,
            user=heard.person.id,
            text=_unasked(heard.text) if is_alone else heard.text,
            origin="message",
            key=heard.id,
            thread=thread,
            message=heard.id,
            files=heard.files,
            alone=is_alone,
        )

    async def _open_session(self, asked: Asked) -> Session | None:
        """Find what the thread waits for, unless small talk is all that is said to it."""
        session = await self._parts.lookup.open_session(asked.place, asked.thread)
        is_talk = session is not None and is_only_talk(asked.text, session.kind)
        return None if is_talk else session

    async def _replied(self, person: Person, asked: Asked, session: Session) -> Taken:
        taken = await self._parts.intake.reply(asked, session)
        if taken.accepted:
            await self._presses.close(session, sentences.answered_by(person.name, asked.text))
        return taken

    async def _told(self, heard: Written, asked: Asked, taken: Taken) -> None:
        if taken.small_talk:
            await self._show(heard, asked, await self._parts.greeting.small_talk(asked))
        elif taken.said == sentences.NO_CHOICE:
            await self._show(heard, asked, await self._parts.commands.choices(asked))
        elif taken.said == sentences.NOT_LINKED:
            await self._show(heard, asked, notice_card.not_linked())
        elif taken.said:
            await self._say(heard, asked, taken.said)

    async def _say(self, heard: Written, asked: Asked, said: str) -> None:
        await self._show(heard, asked, notice_card.notice(said))

    async def _show(self, heard: Written, asked: Asked, shown: Json) -> None:
        """Tell somebody something alone, once: Teams may deliver a message many times."""
        place = asked.place
        if not await self._parts.claims.take(place.tenant, f"told:{place.id}:{heard.id}"):
            return
        try:
            await self._parts.delivery.tell(place, asked.user, asked.thread, shown)
        except TeamsError as error:
            log.info("somebody in Teams cannot be told: %s", type(error).__name__)

    async def _refuse_place(self, heard: Written) -> None:
        """Say why there is no answer where MASIS keeps no places: in the conversation itself."""
        where = heard.where
        said = sentences.NO_GROUPS if where.kind == "group" else sentences.NOT_STANDARD
        if where.kind == "channel" and where.channel_type in STANDARD:
            said = sentences.NO_TEAM
        tenant = Tenant(chat=TEAMS, enterprise=where.tenant)
        key = f"told:{place_id(where.tenant, where.conversation)}:{heard.id}"
        if not await self._parts.claims.take(tenant, key):
            return
        spot = Spot(where.service_url, where.conversation, where.thread)
        try:
            await self._parts.delivery.connector.post(spot, notice_card.notice(said))
        except TeamsError as error:
            log.info("a place of Teams cannot be told: %s", type(error).__name__)

    # --- installation ----------------------------------------------------------------------

    async def _installed(self, heard: Installed, place: TeamsPlace | None) -> None:
        tenant = None if place is None else place.tenant
        if place is None or tenant is None:
            return
        if not heard.added:
            await self._removed(tenant)
            return
        await self._resumed(tenant, frozenset({REMOVED}))
        if await self._parts.claims.take(tenant, f"welcome:{place.id}:{heard.id}"):
            by = Asked(
                place=place,
                user=heard.person.id,
                text="",
                origin="message",
                key=heard.id,
                thread=heard.id,
            )
            try:
                await self._parts.greeting.welcome(by)
            except TeamsError as error:
                log.info("nobody can be welcomed: %s", type(error).__name__)

    async def _removed(self, tenant: Tenant) -> None:
        """Nothing can be shown there any more: what is open ends, and nothing is asked anew."""
        if not tenant.team:
            return
        await self._suspended(tenant, REMOVED)
        for run in await self._parts.lookup.runs.open_runs(tenant):
            await self._parts.engine.cancel(run.id, BY_REMOVAL)

    async def _changed(self, heard: PlaceChanged) -> None:
        tenant = team_of(heard.where)
        if tenant is None:
            return
        channel = ""
        if heard.event.startswith("channel"):
            channel = place_id(tenant.enterprise, heard.where.channel)
        if heard.event in _RESUMES:
            await self._resumed(tenant, frozenset(_SUSPENDS.values()), channel)
        elif reason := _SUSPENDS.get(heard.event, ""):
            await self._suspended(tenant, reason, channel)

    async def _suspended(self, tenant: Tenant, reason: str, channel: str = "") -> None:
        """Let a team's links, or one channel's, answer nobody."""
        for link in await self._parts.links.all(tenant):
            if channel in {"", link.channel} and not link.suspended:
                await self._parts.links.suspend(tenant, link.channel, reason)

    async def _resumed(self, tenant: Tenant, reasons: frozenset[str], channel: str = "") -> None:
        """Let answer again what was suspended for one of these reasons."""
        for link in await self._parts.links.all(tenant):
            if channel in {"", link.channel} and link.suspended in reasons:
                await self._parts.links.resume(tenant, link.channel)


def _unasked(text: str) -> str:
    """Return what a slash command asks, without its word."""
    found = grammar.read(text) if text.strip() else None
    return found.question if isinstance(found, grammar.Ask) else text
