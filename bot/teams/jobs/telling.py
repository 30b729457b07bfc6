"""Show in Teams what is no run's: notices, welcomes, and what is to be taken away again."""

from bot.teams.connector.connector import Spot
from bot.teams.greeting import Greeting
from bot.teams.jobs.work import TakeBack, Tell
from bot.teams.outcome_delivery import OutcomeDelivery


class Notices:
    """Each may come again where it is doubtful whether it arrived: nothing is done by it."""

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
        message = await self._delivery.connector.post(spot, notice.shown)
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
