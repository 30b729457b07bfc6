"""Show what a person sees from their place in the world, and find what they can reach."""

import html
import re
from typing import Final

from bot.playground import transcript
from bot.playground.slack.bots import Ack
from bot.playground.slack.entities import Channel, Json, Message, User, View
from bot.playground.slack.hub import Hub
from bot.playground.slack.installed import Installation
from bot.playground.slack.interactions import CannotDo

Thread = Message | str | None
_REFERENCE: Final = re.compile(r"&lt;([@#!][^&\s]+?)&gt;")


class Seat:
    """Show what a person sees of the world. The person's acts rest on it.

    Args:
        hub: the world and the way to the app.
        user: who sits there.
    """

    def __init__(self, hub: Hub, user: User) -> None:
        self._hub = hub
        self._world = hub.world
        self.user = user
        self.id = user.id

    @property
    def mention(self) -> str:
        """Return the text by which a message names this person."""
        return f"<@{self.id}>"

    # --- what is seen ----------------------------------------------------------------------

    def sees(self, channel: Channel, thread: Thread = None) -> list[Message]:
        """The messages of a channel, or of one thread, with those for this person alone."""
        if channel.kind != "public" and self.id not in channel.members:
            return []
        private = [m for m in self._world.private if m.channel_id == channel.id]
        mine = [m for m in private if m.only_for == self.id]
        everything = sorted([*channel.messages.values(), *mine], key=lambda m: m.ts)
        root = ts_of(thread)
        return [m for m in everything if root is None or root in {m.ts, m.thread_ts}]

    def reads(self, channel: Channel, thread: Thread = None) -> list[str]:
        """The same as text."""
        return [transcript.message_text(self._world, m) for m in self.sees(channel, thread)]

    def transcript(self, channel: Channel) -> str:
        """The channel as this person sees it."""
        return transcript.conversation(self._world, channel, self.id)

    @property
    def modal(self) -> View | None:
        """The form on top."""
        stack = self._world.modals.get(self.id)
        return stack[-1] if stack else None

    @property
    def home(self) -> View | None:
        """Return what the app's home tab shows."""
        return self._world.homes.get(self.id)

    def reads_modal(self) -> str:
        """The form on top as text, empty when none is open."""
        return transcript.modal(self._world, self.modal) if self.modal else ""

    def reads_home(self) -> str:
        """The home tab as text."""
        return transcript.modal(self._world, self.home) if self.home else ""

    # --- what all of this rests on ---------------------------------------------------------

    def _typed(self, text: str, channel: Channel | None = None) -> str:
        """Text as Slack passes it on: escaped, with mentions as ids.

        In a channel that teams share, people mention the app that another team brought along.
        """
        escaped = _REFERENCE.sub(r"<\1>", html.escape(text, quote=False))
        own = self._world.installations.get(self.user.team_id)
        near = [own] if own else self._here(channel) if channel else []
        if not near:
            return escaped
        name = re.escape(self._world.app.name)
        return re.sub(rf"@{name}\b", f"<@{near[0].bot_user_id}>", escaped)

    def _here(self, channel: Channel) -> list[Installation]:
        """The app's installations whose bot is in that channel."""
        found = self._world.installed_in(channel)
        return [one for one in found if one.bot_user_id in channel.members]

    async def _tell(self, channel: Channel, event: Json) -> list[Ack]:
        return await self._hub.bots.announce(event, self._here(channel), channel)

    def _own_installation(self) -> Installation:
        installation = self._world.installations.get(self.user.team_id)
        if installation is None or installation.removed:
            raise CannotDo(f"the app is not installed in the team of {self.user.shown}")
        return installation

    def _author(self, bot_id: str | None) -> Installation:
        installation = self._world.author(bot_id)
        if installation is None:
            raise CannotDo("the app did not make that")
        return installation

    def _must_be_in(self, channel: Channel) -> None:
        if self.id not in channel.members:
            raise CannotDo(f"{self.user.shown} is not in #{channel.name}")
        if channel.is_archived:
            raise CannotDo(f"#{channel.name} is archived")

    def _must_see(self, channel: Channel) -> None:
        if channel.kind != "public" and self.id not in channel.members:
            raise CannotDo(f"{self.user.shown} does not see #{channel.name}")


def ts_of(thread: Thread) -> str | None:
    """The thread a message is in or would begin."""
    return thread.root_ts if isinstance(thread, Message) else thread
