"""Get a run's one visible outcome into its conversation, whatever dies or drops on the way.

One post makes the placeholder; progress and the outcome are updates of it, which may be repeated
freely. A post has no key of its own, and a bot cannot read a conversation back: where it is doubtful
whether the placeholder arrived, another one is posted, and at worst a card that says that something
is at work stands there until its asker's client refreshes it. The outcome itself is posted once, and
only where Teams says several times that its placeholder is gone; should that stand there after all,
it is taken away.
"""

import logging
from collections.abc import Callable
from typing import Any, Final, NamedTuple, get_args

from bot.chat.surface import EndingKind
from bot.teams.cards import notice_card
from bot.teams.connector.connector import Connector, Spot
from bot.teams.connector.connector_errors import Ambiguous, NotThere, TeamsError
from bot.teams.jobs.work import TakeBack, Tell, job_of
from bot.teams.text import sentences
from masis.conversation import ChatRun, Link, Posted
from storage.chat.outbox import Outbox
from storage.chat.teams_places import TeamsPlace, TeamsPlaces
from storage.jobs.chat_jobs import ChatJob, ChatJobs

log = logging.getLogger(__name__)

PROGRESS: Final = "progress"
ENDINGS: Final = get_args(EndingKind)
"""The kinds of outcomes."""
REPOST: Final = "repost"
"""An outcome whose placeholder was gone: it is posted, and never a second time."""
REMINDER: Final = "reminder"
NOT_THERE_PAUSES: Final = (1.0, 2.0, 4.0)
"""Before an update is tried again whose message is gone: of a thousand of these some are there."""
TAKEN_BACK_SECONDS: Final = 10.0
"""Until a placeholder is taken away whose outcome was posted, by whoever is alive then."""
TOLD_SECONDS: Final = 60.0
"""Until a notice is told by whoever is alive then: who begins it tries several times."""
PLACEHOLDERS: Final = 2
"""Posts of the placeholder in one attempt of a run, each after the first for a doubtful one."""

Json = dict[str, Any]


class Aim(NamedTuple):
    """Name the spot where a run is shown. `reader` is who alone sees it there; empty where everybody does."""

    spot: Spot
    reader: str = ""


class PlaceUnknown(TeamsError):
    """Nobody knows where the run was asked: its place was forgotten."""


class OutcomeDelivery:
    """Posts and updates for runs, over the outbox. `on_ambiguous` counts doubtful posts."""

    def __init__(
        self,
        connector: Connector,
        outbox: Outbox,
        places: TeamsPlaces,
        jobs: ChatJobs,
        *,
        on_ambiguous: Callable[[], None],
    ) -> None:
        self.connector: Final = connector
        self._jobs = jobs
        self._outbox = outbox
        self._places = places
        self.on_ambiguous: Final = on_ambiguous

    async def place(self, run: ChatRun) -> TeamsPlace:
        """Return where a run was asked.

        Raises:
            PlaceUnknown: that was forgotten.
        """
        found = await self._places.get(run.tenant.enterprise, run.channel)
        if found is None:
            raise PlaceUnknown("The place of this question is not known any more.")
        return found

    async def begin(self, run: ChatRun, shown: Json) -> str:
        """Post the placeholder of a run, unless it is there, and return its id.

        Raises:
            TeamsError: it is not there, or that cannot be told.
            RunCancelled: the run was forgotten.
        """
        row = await self._outbox.begin(run.id, PROGRESS, 0, run.channel, run.thread)
        if row.state == "sent":
            return row.message
        aim = await self._aim(run)
        for left in reversed(range(PLACEHOLDERS)):
            try:
                made = await self.connector.post(aim.spot, shown, targeted=aim.reader)
            except Ambiguous:
                self.on_ambiguous()
                if not left:
                    raise
            else:
                await self._outbox.sent(run.id, PROGRESS, 0, made)
                return made
        raise AssertionError

    async def show(self, run: ChatRun, shown: Json) -> bool:
        """Show how far a run is; False where that was left out, as behind its outcome."""
        rows = await self._outbox.of(run.id)
        if any(row.kind in ENDINGS for row in rows):
            return False  # a run that goes on after a crash may have shown it before
        placeholder = next((row.message for row in rows if row.kind == PROGRESS), "")
        if not placeholder:
            return False
        return await self._update(run, placeholder, shown, droppable=True)

    async def finish(self, run: ChatRun, kind: str, shown: Json, link: Link | None = None) -> str:
        """Show the outcome in the placeholder's place, once, and return its message's id.

        With a `link` it is begun only while that stands.

        Raises:
            TeamsError: it is not shown, and what would have to change first.
            LinkChanged: the link does not stand any more.
            RunCancelled: the run was forgotten.
        """
        row = await self._outbox.begin(run.id, kind, 0, run.channel, run.thread, link=link)
        if row.state == "sent":
            return row.message
        message = await self.message(run, PROGRESS)
        # What was posted elsewhere is never put there as well: that placeholder is taken away.
        if not message or await self.was_reposted(run) or not await self._put(run, message, shown):
            message = await self._post_once(run, shown, message)
        await self._outbox.sent(run.id, kind, 0, message)
        return message

    async def update(self, run: ChatRun, kind: str, shown: Json) -> None:
        """Put something else in the place of an outcome; where there is none nothing happens.

        Raises:
            TeamsError: it was not done.
        """
        if message := await self.message(run, kind):
            await self._put(run, message, shown)

    async def was_reposted(self, run: ChatRun) -> bool:
        """Say whether a run's outcome stands elsewhere than its placeholder."""
        return any(row.kind == REPOST for row in await self._outbox.of(run.id))

    async def remind(self, run: ChatRun, shown: Json) -> None:
        """Say below an outcome that it is there, as well as that can be done, and once at most.

        Raises:
            TeamsError: it is not said, or that cannot be told.
        """
        row = await self._outbox.begin(run.id, REMINDER, 0, run.channel, run.thread)
        if row.fresh:
            made = await self.connector.post((await self._aim(run)).spot, shown)
            await self._outbox.sent(run.id, REMINDER, 0, made)

    async def privately(self, run: ChatRun, about: str, shown: Json) -> None:
        """Show something to the asker alone, once for what it is about, now or a little later.

        Raises:
            StoreUnavailable: it can be neither shown nor stored.
            TeamsError: nobody knows where that would be.
        """
        place = await self.place(run)
        notice = Tell(place=place, user=run.asker, thread=run.thread, shown=shown)
        job = job_of(notice, about, run.id)
        if not await self._jobs.add(job, TOLD_SECONDS):
            return  # Whoever finds it tells it.
        try:
            await self.tell(place, run.asker, run.thread, shown)
        except TeamsError as error:
            log.warning("the asker of run %s is not told: %s", run.id, type(error).__name__)
            if error.retryable:
                await self._jobs.later(job, NOT_THERE_PAUSES[0])
                return
        await self._jobs.done(job)

    async def tell(self, place: TeamsPlace, user: str, thread: str, shown: Json) -> None:
        """Show something to one person of a place alone.

        Raises:
            TeamsError: it is not shown.
        """
        if place.kind == "personal":
            await self.connector.post(Spot.of(place), shown)
            return
        named = _named(user)
        spot = Spot.of(place, thread)
        try:
            await self.connector.post(spot, shown, targeted=named)
        except TeamsError as error:
            if not error.permanent:
                raise
            enterprise = place.tenant.enterprise
            chat = await self.connector.open_chat(place.service_url, tenant=enterprise, user=named)
            await self.connector.post(Spot(place.service_url, chat, tenant=enterprise), shown)

    async def remove(self, run: ChatRun, message: str) -> None:
        """Take an orphan away: a placeholder whose id never came back.

        Raises:
            TeamsError: it is still there.
        """
        aim = await self._aim(run)
        await self.connector.delete(aim.spot, message, targeted=bool(aim.reader))

    async def message(self, run: ChatRun, kind: str) -> str:
        """Return the id of a message of the run; empty where it is not known."""
        found = (row for row in await self._outbox.of(run.id) if row.kind == kind)
        row: Posted | None = next(found, None)
        return "" if row is None else row.message

    async def _put(self, run: ChatRun, message: str, shown: Json) -> bool:
        """Put it in a message's place; False where Teams says each time that there is none."""
        for pause in (*NOT_THERE_PAUSES, 0.0):
            try:
                return await self._update(run, message, shown)
            except NotThere:
                await self.connector.sleep(pause)
        return False

    async def _post_once(self, run: ChatRun, shown: Json, placeholder: str) -> str:
        """Post an outcome whose placeholder is gone; a doubtful one is never posted again."""
        # Looked up first: a row that is begun says that it may have been posted.
        aim, place = await self._aim(run), await self.place(run)
        row = await self._outbox.begin(run.id, REPOST, 0, run.channel, run.thread)
        if not row.fresh and row.state == "sent":
            return row.message
        made = ""
        try:
            if row.fresh:
                made = await self.connector.post(aim.spot, shown, targeted=aim.reader)
        except Ambiguous:
            self.on_ambiguous()
        except TeamsError:
            await self._outbox.retract(run.id, REPOST, 0)
            raise
        if not made:
            await self._doubt(run)
        leftover = await self._leave(run, place, aim, placeholder) if placeholder else None
        await self._outbox.sent(run.id, REPOST, 0, made)
        if leftover and await self._is_removed(aim, placeholder):
            await self._jobs.done(leftover)
        return made

    async def _doubt(self, run: ChatRun) -> None:
        """Tell the asker alone that nobody knows whether the outcome stands there."""
        log.warning("post_ambiguous run=%s: whether its outcome stands there is unknown", run.id)
        await self.privately(run, "doubt", notice_card.notice(sentences.DOUBTFUL))

    async def _leave(self, run: ChatRun, place: TeamsPlace, aim: Aim, placeholder: str) -> ChatJob:
        """Have the placeholder taken away, should it stand there after all; gives the job."""
        leftover = TakeBack(place=place, message=placeholder, is_targeted=bool(aim.reader))
        job = job_of(leftover, "take back", run.id)
        await self._jobs.add(job, TAKEN_BACK_SECONDS)
        return job

    async def _is_removed(self, aim: Aim, message: str) -> bool:
        try:
            return await self.connector.delete(aim.spot, message, targeted=bool(aim.reader))
        except TeamsError:
            return False

    async def _update(
        self, run: ChatRun, message: str, shown: Json, *, droppable: bool = False
    ) -> bool:
        aim = await self._aim(run)
        return await self.connector.update(
            aim.spot, message, shown, droppable=droppable, targeted=bool(aim.reader)
        )

    async def _aim(self, run: ChatRun) -> Aim:
        place = await self.place(run)
        if place.kind == "channel" and run.direct:
            return Aim(Spot.of(place), _named(run.asker))
        thread = run.thread if place.kind == "channel" else ""
        return Aim(Spot.of(place, thread))


def _named(user: str) -> str:
    """Return somebody of an Entra tenant as the connector names them."""
    return f"8:orgid:{user}"
