"""Hold what comes of something that a person at the keyboard did."""

from dataclasses import dataclass, field

from bot.playground.slack.bots import Ack
from bot.playground.slack.entities import Json, Message
from bot.playground.slack.interactions import CannotDo


@dataclass
class Did:
    """Hold what came of something a person did.

    `acks` are the app's answers, one a request; `message` is what the person posted or the private
    note that answered at once; `errors` are those shown beside a form's fields.
    """

    acks: list[Ack] = field(default_factory=list)
    message: Message | None = None
    errors: dict[str, str] = field(default_factory=dict)
    trouble: list[str] = field(default_factory=list)

    @property
    def ack(self) -> Ack:
        """The only answer, or the first.

        Raises:
            CannotDo: the app was told nothing.
        """
        if not self.acks:
            raise CannotDo("the app was told nothing of this")
        return self.acks[0]

    @property
    def status(self) -> int | None:
        """The HTTP status of the answer; None when there was none in time."""
        return self.ack.status

    @property
    def body(self) -> Json | str | None:
        """Return what the answer carried."""
        return self.ack.body
