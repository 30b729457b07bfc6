"""Decide what is done about what was heard in Teams."""

import datetime as dt
from dataclasses import dataclass
from typing import Any, Final

from bot.chat import grammar
from bot.teams.card_presses import CardPresses, closing, told, told_late
from bot.teams.cards import notice_card
from bot.teams.cards.carried import REFRESH
from bot.teams.inbound.activities import (
    DialogOpened,
    DialogSent,
    Heard,
    Installed,
    Person,
    PlaceChanged,
    Pressed,
    Rated,
    Where,
    Written,
)
from bot.teams.jobs.work import Tell, wants_answer
from bot.teams.managing.admin_forms import AdminForms, is_form
from bot.teams.managing.document_uploads import DocumentUploads, upload_of
from bot.teams.managing.team_commands import Commands, command_of
from bot.teams.question_intake import Asked, QuestionIntake, Taken
from bot.teams.run_dialogs import RunDialogs
from bot.teams.run_lookup import STANDARD, RunLookup, place_of, team_of
from bot.teams.surface import BY_REMOVAL
from bot.teams.team_lookup import TeamLookup
from bot.teams.teams_greeting import Greeting
from bot.teams.text import sentences
from bot.teams.typing_indicator import TypingIndicator
from masis.conversation import TEAMS, Session, Tenant
from masis.ports import RunEngine
from masis.questions.replies import is_only_talk
from masis.words.attachment_words import says_nothing
from masis.words.chat_words import small_talk
from storage.chat.links import Links
from storage.chat.teams_places import TeamsPlace, TeamsPlaces, place_id

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
_RESUMES: Final = {
    "channelRestored": _SUSPENDS["channelDeleted"],
    "teamUnarchived": _SUSPENDS["teamArchived"],
    "teamRestored": _SUSPENDS["teamDeleted"],
}
"""The reason that is over, by what befell the channel or its team."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that hearing works with, each with one job."""

    commands: Commands
    engine: RunEngine
    forms: AdminForms
    greeting: Greeting
    intake: QuestionIntake
    links: Links
    lookup: RunLookup
    places: TeamsPlaces
    teams: TeamLookup
    typing: TypingIndicator
    uploads: DocumentUploads


class Hearing:
    """Does whatever was heard, and gives what is to be told or shown of it."""

    def __init__(self, parts: Parts, presses: CardPresses, dialogs: RunDialogs) -> None:
        self._parts = parts
        self._presses = presses
        self._dialogs = dialogs

    # --- what the worker asks --------------------------------------------------------------

    async def team(self, heard: Heard) -> str:
        """Return the team that it is of, as far as that is known without asking Teams."""
        return heard.where.group or await self._parts.teams.known(heard.where)

    def is_only_shown(self, heard: Heard) -> bool:
        """Say whether nothing is changed by it: what fails is asked for anew by who looks."""
        match heard:
            case Pressed():
                return heard.verb == REFRESH
            case DialogSent():
                return not is_form(heard)
        return isinstance(heard, DialogOpened)

    async def decided(self, heard: Heard) -> Tell | None:
        """Do what was heard, and return what is to be told of it.

        Raises:
            StoreUnavailable: it could not be done now.
            TeamsError: the same.
        """
        heard, place = await self._placed(heard)
        match heard:
            case Written():
                return await self._written(heard, place)
            case Installed():
                return await self._installed(heard, place)
            case PlaceChanged():
                await self._changed(heard)
            case Rated():
                await self._presses.rated(heard, place)
        return None

    async def answered(self, heard: Heard) -> tuple[Json, TeamsPlace | None]:
        """Do what was pressed, and return what who pressed is shown, and where it was.

        Raises:
            StoreUnavailable: it could not be done now.
            TeamsError: the same.
        """
        heard, place = await self._placed(heard)
        match heard:
            case Pressed():
                return await self._presses.pressed(heard, place), place
            case DialogOpened() | DialogSent():
                opens = self._parts.forms if is_form(heard) else self._dialogs
                return await opens.shown(heard, place), place
        return {}, place

    def late(self, heard: Heard, answer: Json, place: TeamsPlace | None) -> Tell | None:
        """Return what is still to be told there when nobody waits for the answer any more."""
        said = told_late(answer)
        if place is None or not said:
            return None
        return _tell(heard, place, notice_card.notice(said))

    def slow(self, heard: Heard) -> Json:
        """Return what who pressed is shown when it takes longer than Teams waits."""
        goes_on = not self.is_only_shown(heard)
        said = sentences.SLOW if goes_on else sentences.OPEN_AGAIN
        return told(said) if isinstance(heard, Pressed) else closing(said)

    async def given_up(self, heard: Heard) -> Tell | None:
        """Return the apology for what could not be done."""
        is_waited_for = isinstance(heard, Written) or wants_answer(heard)
        shown = notice_card.failed(sentences.NOT_TAKEN)
        return _tell(heard, _somewhere(heard.where), shown) if is_waited_for else None

    async def _placed(self, heard: Heard) -> tuple[Heard, TeamsPlace | None]:
        where = await self._parts.teams.completed(heard.where)
        place = place_of(where)
        if place is not None:
            await self._parts.places.keep(place)
        return heard.model_copy(update={"where": where}), place

    # --- messages --------------------------------------------------------------------------

    async def _written(self, heard: Written, place: TeamsPlace | None) -> Tell | None:
        if place is None:
            return _refused_place(heard)
        self._parts.typing.show(place)
        asked = await self._asked(heard, place)
        shown = await self._taken_in(heard, asked)
        return None if shown is None else _tell(heard, place, shown, asked.thread)

    async def _taken_in(self, heard: Written, asked: Asked) -> Json | None:
        """Do what a message wants, and return what is told of it; a run shows itself."""
        if await self._parts.lookup.is_taken(asked.place, asked.run_id):
            return None  # Read again it might be something else: what it replied to is closed.
        upload = upload_of(asked.text) if heard.files else None
        if upload is not None:
            return await self._parts.uploads.put_in(asked, upload)
        is_talk = small_talk(asked.text, in_thread=asked.is_within) is not None
        if heard.files and (is_talk or says_nothing(asked.text)):
            return notice_card.notice(sentences.ONLY_FILES)
        session = await self._open_session(asked)
        command = command_of(asked.text) if session is None else None
        if command is not None:
            return await self._parts.commands.done(command, asked)
        if session is None:
            taken = await self._parts.intake.ask(asked)
        elif not await self._parts.intake.may_reply(asked.user, session):
            taken = Taken(said=sentences.NOT_THE_ASKER)
        else:
            taken = await self._replied(heard.person, asked, session)
        return await self._told(asked, taken)

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
            text=_unasked(heard.text) if is_alone or _is_slashed(heard.text) else heard.text,
            origin="message",
            key=heard.id,
            thread=thread,
            message=heard.id,
            files=heard.files,
            sent_at=heard.sent_at,
            alone=is_alone,
        )

    async def _open_session(self, asked: Asked) -> Session | None:
        """Find what the thread waits for, unless small talk is all that is said to it."""
        session = await self._parts.lookup.open_session(asked.place, asked.thread)
        if session is None and asked.direct and not asked.is_within:
            session = await self._waiting_in_chat(asked)
        is_talk = session is not None and is_only_talk(asked.text, session.kind)
        return None if is_talk else session

    async def _waiting_in_chat(self, asked: Asked) -> Session | None:
        """Find what somebody's own chat waits for; a question of its own begins anew there."""
        if command_of(asked.text) is not None:
            return None
        found = await self._parts.lookup.open_in_chat(asked.place, asked.user)
        is_own = found is not None and await self._parts.intake.is_own(asked, found)
        return None if is_own else found

    async def _replied(self, person: Person, asked: Asked, session: Session) -> Taken:
        taken = await self._parts.intake.reply(asked, session)
        if taken.accepted:
            self._presses.close(session, sentences.answered_by(person.name, asked.text))
        return taken

    async def _told(self, asked: Asked, taken: Taken) -> Json | None:
        if taken.small_talk:
            return await self._parts.greeting.small_talk(asked)
        if taken.said == sentences.NO_CHOICE:
            return await self._parts.commands.choices(asked)
        if taken.said == sentences.NOT_LINKED:
            return notice_card.not_linked()
        return notice_card.notice(taken.said) if taken.said else None

    # --- installation ----------------------------------------------------------------------

    async def _installed(self, heard: Installed, place: TeamsPlace | None) -> Tell | None:
        tenant = None if place is None else place.tenant
        if place is None or tenant is None:
            return None
        if not heard.added:
            await self._removed(tenant)
            return None
        await self._resumed(tenant, REMOVED)
        shown = notice_card.welcome(personal=place.kind == "personal")
        return Tell(place=place, shown=shown, welcomed=heard.person.id)

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
        if over := _RESUMES.get(heard.event, ""):
            await self._resumed(tenant, over, channel)
        elif reason := _SUSPENDS.get(heard.event, ""):
            await self._suspended(tenant, reason, channel)

    async def _suspended(self, tenant: Tenant, reason: str, channel: str = "") -> None:
        """Let a team's links, or one channel's, answer nobody."""
        for link in await self._parts.links.all(tenant):
            if channel in {"", link.channel}:
                await self._parts.links.suspend(tenant, link.channel, reason)

    async def _resumed(self, tenant: Tenant, reason: str, channel: str = "") -> None:
        """Take a reason away; what is suspended for none answers again."""
        for link in await self._parts.links.all(tenant):
            if channel in {"", link.channel} and link.suspended:
                await self._parts.links.resume(tenant, link.channel, reason)


def _tell(heard: Heard, place: TeamsPlace, shown: Json, thread: str = "") -> Tell:
    """Return a notice for who is heard alone."""
    thread = thread or heard.where.thread
    return Tell(place=place, user=heard.person.id, thread=thread, shown=shown)


def _somewhere(where: Where) -> TeamsPlace:
    """Return where something came from, also where MASIS keeps no places."""
    return place_of(where) or TeamsPlace(
        tenant=Tenant(chat=TEAMS, enterprise=where.tenant),
        kind="channel",
        conversation=where.conversation,
        service_url=where.service_url,
        seen_at=dt.datetime.now(dt.UTC),
    )


def _refused_place(heard: Written) -> Tell:
    """Say why there is no answer where MASIS keeps no places: in the conversation itself."""
    where = heard.where
    said = sentences.NO_GROUPS if where.kind == "group" else sentences.NOT_STANDARD
    if where.kind == "channel" and where.channel_type in STANDARD:
        said = sentences.NO_TEAM
    shown = notice_card.notice(said)
    return Tell(place=_somewhere(where), thread=where.thread, shown=shown)


def _is_slashed(text: str) -> bool:
    return text.lstrip().startswith("/")


def _unasked(text: str) -> str:
    """Return what a slash command asks, without its word."""
    found = grammar.read(text) if text.strip() else None
    return found.question if isinstance(found, grammar.Ask) else text
