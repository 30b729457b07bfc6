"""Do what was heard: stored first, acknowledged, then tried until it is done or given up.

Whoever dies in the middle leaves the job in the database, where it is found again by this process's
next start or by another one.
"""

import asyncio
import logging
from typing import Any, Final
from weakref import WeakValueDictionary

from bot.chat.tasks import Tasks, apart
from bot.teams.connector.connector_errors import RateLimited
from bot.teams.hearing import Hearing
from bot.teams.inbound.activities import Heard
from bot.teams.jobs.notice_delivery import Notices
from bot.teams.jobs.work import TakeBack, Tell, Work, age, heard_job, read, wants_answer, written
from masis.conversation import TEAMS
from masis.errors import MasisError, StoreUnavailable
from storage.jobs.chat_jobs import LEASE_SECONDS, ChatJob, ChatJobs

log = logging.getLogger(__name__)

ANSWER_SECONDS: Final = 1.8
"""Until who pressed is told that it takes longer: Teams wants its answer within a few seconds."""
STORE_SECONDS: Final = 2.5
"""For a delivery to be stored; Teams sends again what was not, and counts from three on."""
JOB_SECONDS: Final = 90.0
"""For one attempt: looking who is where, and waiting for Teams' limits."""
MOST_ATTEMPTS: Final = 9
"""Of a message: about five minutes."""
TELL_SECONDS: Final = 3600.0
"""How long a notice is tried: Teams may ask for an hour's pause."""
MOST_PAUSE: Final = 60.0
TAKE_BACK_ATTEMPTS: Final = 6
"""Teams says at times that a message is not there which is."""
EVERY_SECONDS: Final = 1.0
AT_ONCE: Final = 50
"""Jobs that one look takes up."""
ROUND_SECONDS: Final = 30.0
"""A look that takes longer is broken off; the next one goes on."""
HOPELESS: Final = 2 * MOST_ATTEMPTS
"""Attempts after which a job is given up whose attempts never come to an end."""
UNREADABLE_PAUSE: Final = 600.0
"""Before another look at what this release cannot read: one that can may run beside it."""
UNREADABLE_ATTEMPTS: Final = 150
"""A day of such looks; then it is forgotten."""

Json = dict[str, Any]
Answer = asyncio.Future[Json]


class JobWorker:
    """Takes in what is heard. `forever` looks for what was left lying, until it is cancelled."""

    def __init__(self, jobs: ChatJobs, hearing: Hearing, notices: Notices, tasks: Tasks) -> None:
        self._jobs = jobs
        self._hearing = hearing
        self._notices = notices
        self._tasks = tasks
        self._held: dict[tuple[str, int], ChatJob] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def __call__(self, heard: Heard) -> Json | None:
        """Take it in; gives what an invoke is answered with.

        Raises:
            StoreUnavailable: it is not stored; Teams sends it again.
        """
        if not wants_answer(heard):
            job = await self._stored(heard)
            if job is not None:
                self._begin(job, heard)
            return None
        loop = asyncio.get_running_loop()
        answer: Answer = loop.create_future()
        until = loop.time() + ANSWER_SECONDS
        if self._hearing.is_only_shown(heard):
            work = self._shown(heard, answer)
        else:
            job = await self._stored(heard)
            if job is None:
                return self._hearing.slow(heard)  # It is being done: twice may be something else.
            work = self._work(job, heard, answer)
        self._tasks.start("a press", work, seconds=JOB_SECONDS)
        await asyncio.wait({answer}, timeout=max(0.0, until - loop.time()))
        if answer.done() and not answer.cancelled():
            return answer.result()
        answer.cancel()
        return self._hearing.slow(heard)

    async def forever(self) -> None:
        """Take up what was left lying, and hold what is under way."""
        rounds = 0
        while True:
            rounds += 1
            holds = rounds % max(1, int(LEASE_SECONDS / 3 / EVERY_SECONDS)) == 0
            await apart("looking for jobs of Teams", self._look(holds=holds), ROUND_SECONDS)
            await asyncio.sleep(EVERY_SECONDS)

    async def _look(self, *, holds: bool) -> None:
        if holds and self._held:
            await self._jobs.hold(self._held.values())
        # An attempt is counted with the claim: what cannot begin now is left to others.
        if (room := min(AT_ONCE, self._tasks.free)) > 0:
            for job in await self._jobs.claim(TEAMS, room):
                await self._take_up(job)

    async def _take_up(self, job: ChatJob) -> None:
        try:
            work = read(job.work)
        except ValueError:
            await self._leave_alone(job)
        else:
            self._begin(job, work)

    async def _leave_alone(self, job: ChatJob) -> None:
        """Leave what cannot be read to a release that can, for a day."""
        if job.attempt > UNREADABLE_ATTEMPTS:
            log.error("a job of another release is forgotten")
            await self._jobs.done(job)
        else:
            log.warning("a job of another release is left alone")
            await self._jobs.later(job, UNREADABLE_PAUSE)

    async def _stored(self, heard: Heard) -> ChatJob | None:
        """Store it; None where it was taken in before.

        Raises:
            StoreUnavailable: it is not stored.
        """
        try:
            async with asyncio.timeout(STORE_SECONDS):
                job = heard_job(heard, await self._hearing.team(heard))
                return job if await self._jobs.take_in(job) else None
        except TimeoutError:
            raise StoreUnavailable("The database did not take it in time.") from None

    def _begin(self, job: ChatJob, work: Work) -> None:
        # What cannot begin now is found again when nobody holds it any more.
        self._tasks.start("a job", self._work(job, work), seconds=JOB_SECONDS)

    # --- one attempt -----------------------------------------------------------------------

    async def _shown(self, heard: Heard, answer: Answer) -> None:
        """Answer what changes nothing, and is not stored."""
        try:
            shown, _ = await self._hearing.answered(heard)
        except MasisError as error:
            log.info("a press in Teams is not answered: %s", type(error).__name__)
            shown = self._hearing.slow(heard)
        if not answer.done():
            answer.set_result(shown)

    async def _work(self, job: ChatJob, work: Work, answer: Answer | None = None) -> None:
        self._hold(job)
        try:
            if _is_hopeless(job, work):
                await self._given_up(job, work, "no attempt came to an end")
                return
            if not isinstance(work, Tell | TakeBack):
                left = await self._done(job, work, answer)
                if left is None:
                    return
                self._let_go(job)
                job, work = left
                self._hold(job)
            await self._carried_out(job, work)
        except MasisError as error:
            if answer is not None:
                answer.cancel()
            await self._failed(job, work, error)
        finally:
            self._let_go(job)

    async def _done(
        self, job: ChatJob, heard: Heard, answer: Answer | None
    ) -> tuple[ChatJob, Tell] | None:
        """Do what was heard; gives what is left to tell of it, if anything."""
        shown, notice = await self._decided(heard)
        if notice is None:
            await self._finished(job)
            _answer(answer, shown)
            return None
        # What was decided is told, whatever would be decided the next time.
        became = await self._become(job, notice)
        if became is not None and _answer(answer, shown):
            await self._finished(became)
            return None
        # Where it became nothing somebody else is at it.
        return None if became is None else (became, notice)

    async def _finished(self, job: ChatJob) -> None:
        """Forget what was decided and shown, which doing it again might contradict."""
        for attempt in range(1, MOST_ATTEMPTS):
            try:
                await self._jobs.done(job)
            except StoreUnavailable:
                await asyncio.sleep(_pause(attempt))
            else:
                return
        log.warning("a job of Teams is done, and cannot be forgotten")

    def _hold(self, job: ChatJob) -> None:
        self._held[job.id, job.attempt] = job

    def _let_go(self, job: ChatJob) -> None:
        self._held.pop((job.id, job.attempt), None)

    async def _become(self, job: ChatJob, notice: Tell) -> ChatJob | None:
        return await self._jobs.become(job, written(notice), notice.place.tenant.team)

    async def _decided(self, heard: Heard) -> tuple[Json, Tell | None]:
        """Do what was heard; gives what who pressed is shown, and what is told of it otherwise."""
        if wants_answer(heard):
            shown, place = await self._hearing.answered(heard)
            return shown, self._hearing.late(heard, shown, place)
        # One after the other: what is said to a question is said behind it.
        lock = self._locks.setdefault(heard.where.conversation, asyncio.Lock())
        async with lock:
            return {}, await self._hearing.decided(heard)

    async def _carried_out(self, job: ChatJob, work: Tell | TakeBack) -> None:
        if isinstance(work, Tell):
            await self._notices.tell(job, work)
        elif not await self._notices.take_back(work) and job.attempt < TAKE_BACK_ATTEMPTS:
            await self._jobs.later(job, _pause(job.attempt))
            return
        await self._jobs.done(job)

    async def _failed(self, job: ChatJob, work: Work, error: MasisError) -> None:
        """Try again later what may succeed then; apologise for what may not."""
        log.info("a job of Teams failed: %s", type(error).__name__)
        if error.retryable and _may_try_again(job, work):
            asked = error.retry_after if isinstance(error, RateLimited) else 0.0
            await self._jobs.later(job, max(_pause(job.attempt), asked), await self._team(work))
            return
        await self._given_up(job, work, type(error).__name__)

    async def _team(self, work: Work) -> str:
        """Return whose work it is, which may have been found out meanwhile."""
        if isinstance(work, Tell | TakeBack):
            return work.place.tenant.team
        return await self._hearing.team(work)

    async def _given_up(self, job: ChatJob, work: Work, why: str) -> None:
        """Leave an apology in its place; a notice that cannot be told is forgotten."""
        apology = None
        if not isinstance(work, Tell | TakeBack):
            apology = await self._hearing.given_up(work)
        if apology is None:
            log.warning("somebody in Teams cannot be told: %s", why)
            await self._jobs.done(job)
        elif (became := await self._become(job, apology)) is not None:
            await self._jobs.later(became, 0.0)


def _answer(answer: Answer | None, shown: Json) -> bool:
    """Show who pressed what became of it; False where nobody waits for it any more.

    It is stored by then: whoever dies over it leaves nothing that would be done again.
    """
    if answer is None or answer.done():
        return False
    answer.set_result(shown)
    return True


def _is_hopeless(job: ChatJob, work: Work) -> bool:
    """Say whether its attempts never come to an end; a notice is as old as it may get, then."""
    if isinstance(work, Tell):
        return age(job.work) > 2 * TELL_SECONDS
    return job.attempt > HOPELESS


def _may_try_again(job: ChatJob, work: Work) -> bool:
    if isinstance(work, Tell):
        return age(job.work) < TELL_SECONDS
    return job.attempt < MOST_ATTEMPTS


def _pause(attempt: int) -> float:
    return min(2.0**attempt, MOST_PAUSE)
