"""Show in Teams what is no run's: notices, welcomes, and what is to be taken away again."""

import logging

from bot.teams.connector.connector import Spot
from bot.teams.connector.connector_errors import Ambiguous
from bot.teams.jobs.work import TakeBack, Tell
from bot.teams.outcome_delivery import OutcomeDelivery
from bot.teams.teams_greeting import Greeting

log = logging.getLogger(__name__)


class Notices:
    """Shows each to whom it is for, and makes sure of it as far as that disturbs nobody else.

    To one person alone it may come again where it is doubtful whether it arrived: nothing is done
    by it. Before everybody it comes once, however doubtful.
    """

    def __init__(self, delivery: OutcomeDelivery, greeting: Greeting) -> None:
        self._delivery = delivery
        self._greeting = greeting

    async def tell(self, notice: Tell) -> None:
        """Show a notice.

        Raises:
            TeamsError: it is not shown, or that cannot be told.
        """
        place = notice.place
        if notice.user:
            await self._delivery.tell(place, notice.user, notice.thread, notice.shown)
            return
        spot = Spot.of(place, notice.thread)
        try:
            message = await self._delivery.connector.post(spot, notice.shown)
        except Ambiguous:
            self._delivery.on_ambiguous()
            log.warning("post_ambiguous: whether a notice to everybody stands there is unknown")
            return
        if notice.welcomed:
            self._greeting.add_questions(place, message, notice.welcomed)

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
