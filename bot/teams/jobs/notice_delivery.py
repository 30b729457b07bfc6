"""Show in Teams what is no run's: notices, welcomes, and what is to be taken away again."""

import logging

from bot.teams.connector.connector import Spot
from bot.teams.connector.connector_errors import Ambiguous, TeamsError
from bot.teams.jobs.work import TakeBack, Tell, begun, is_begun
from bot.teams.outcome_delivery import OutcomeDelivery
from bot.teams.teams_greeting import Greeting
from storage.jobs.chat_jobs import ChatJob, ChatJobs

log = logging.getLogger(__name__)


class Notices:
    """Shows each to whom it is for, and makes sure of it as far as that disturbs nobody else.

    To one person alone it may come again where it is doubtful whether it arrived: nothing is done
    by it. Before everybody it is posted once. Where that is doubtful, after an ambiguous reply or a
    death on the way, the one it answers is told alone.
    """

    def __init__(self, delivery: OutcomeDelivery, greeting: Greeting, jobs: ChatJobs) -> None:
        self._delivery = delivery
        self._greeting = greeting
        self._jobs = jobs

    async def tell(self, job: ChatJob, notice: Tell) -> None:
        """Show the notice of a job.

        Raises:
            StoreUnavailable: it cannot be stored that it is begun.
            TeamsError: it is not shown, or that cannot be told.
        """
        if notice.user:
            await self._alone(notice, notice.user)
        elif is_begun(job.work):
            await self._doubtful(notice, job.user)
        elif await self._jobs.rewrite(job, begun(job.work)):
            await self._before_all(job, notice)

    async def take_back(self, leftover: TakeBack) -> bool:
        """Take a message away; False where Teams says that there is none.

        Raises:
            TeamsError: it may still be there.
        """
        place = leftover.place
        spot = Spot.of(place)
        return await self._delivery.connector.delete(
            spot, leftover.message, targeted=leftover.is_targeted
        )

    async def _before_all(self, job: ChatJob, notice: Tell) -> None:
        place = notice.place
        try:
            message = await self._delivery.connector.post(
                Spot.of(place, notice.thread), notice.shown
            )
        except Ambiguous:
            self._delivery.on_ambiguous()
            await self._doubtful(notice, job.user)
            return
        except TeamsError:
            await self._jobs.rewrite(job, job.work)  # It is not there, and may be posted later.
            raise
        if notice.welcomed:
            self._greeting.add_questions(place, message, notice.welcomed)

    async def _doubtful(self, notice: Tell, user: str) -> None:
        log.warning("post_ambiguous: whether a notice to everybody stands there is unknown")
        if user:
            await self._alone(notice, user)

    async def _alone(self, notice: Tell, user: str) -> None:
        await self._delivery.tell(notice.place, user, notice.thread, notice.shown)
