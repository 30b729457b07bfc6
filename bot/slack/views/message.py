"""Hold what a view gives, as plain values.

That is a message, a file beside it, a modal or a home tab.
"""

from dataclasses import dataclass, field

from bot.slack.text.defuse import Said
from bot.slack.views import blocks
from bot.slack.views.blocks import Blocks
from masis.conversation import Payload

View = Payload
"""A modal or a home tab, as `views.open` and `views.publish` take it."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message: `text` is the sentence for notifications and screen readers, defused too.

    `plain` is what is sent instead where Slack refuses the blocks; None where they are all common.
    """

    text: str
    blocks: Blocks = field(default_factory=list)
    plain: "Message | None" = None

    def payload(self) -> Payload:
        """Return what both posting and updating take."""
        return {"text": self.text, "blocks": self.blocks}


@dataclass(frozen=True, slots=True)
class Attachment:
    """A text file that goes with a message. Its name is the run's alone, so it can be found."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer as it is posted: one to three messages, a file for what is longer, and one a long table."""

    messages: list[Message]
    attachment: Attachment | None = None
    tables: list[Attachment] = field(default_factory=list)


def notice(said: Said, *more: Payload) -> Message:
    """A sentence as a message, with more blocks below it."""
    return Message(text=blocks.fallback(said), blocks=[blocks.section(said), *more])
