"""Act as a person at the keyboard: what they can do, and what they see."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal
from urllib.parse import quote

from bot.playground.people.outcomes import Did
from bot.playground.people.pressing import Pressing
from bot.playground.people.viewpoint import Thread, ts_of
from bot.playground.slack import payloads
from bot.playground.slack.api import apps
from bot.playground.slack.bots import Ack
from bot.playground.slack.entities import Channel, File, Json, Message, Team
from bot.playground.slack.hosting import approve
from bot.playground.slack.installed import Installation
from bot.playground.slack.interactions import CannotDo
from bot.playground.slack.world import Said


class Person(Pressing):
    """Somebody at the keyboard, a bot of others too."""

    # --- messages --------------------------------------------------------------------------

    async def says(
        self,
        channel: Channel,
        text: str,
        *,
        thread: Thread = None,
        files: Sequence[File] = (),
        broadcast: bool = False,
    ) -> Did:
        """Post a message; `@` and the app's name mentions it. Waits until the app has answered.

        Raises:
            CannotDo: this person is not in the channel, or it is archived.
        """
        self._must_be_in(channel)
        said = Said(
            text=self._typed(text, channel),
            user_id=self.id,
            bot_id=self.user.bot_id,
            thread_ts=ts_of(thread),
            files=files,
            subtype=self._subtype(files=bool(files), broadcast=broadcast),
            client_msg_id=None if self.user.bot_id else self._world.new_id("c"),
            broadcast=broadcast,
        )
        message = self._world.post(channel, said)
        return Did(await self._tell_message(channel, message), message)

    def _subtype(self, *, files: bool, broadcast: bool) -> str | None:
        if self.user.bot_id:
            return "bot_message"
        if files:
            return "file_share"
        return "thread_broadcast" if broadcast else None

    async def _tell_message(self, channel: Channel, message: Message) -> list[Ack]:
        event = message.json() | {"event_ts": message.ts}
        if channel.is_shared:
            event |= {"user_team": self.user.team_id, "source_team": self.user.team_id}
        if message.is_reply:
            root = channel.messages.get(message.root_ts)
            event["parent_user_id"] = root.user_id if root else None
        acks = await self._tell(channel, payloads.in_channel(channel, event))
        named = [one for one in self._here(channel) if f"<@{one.bot_user_id}>" in message.text]
        if named and channel.kind != "im":
            mention = {**event, "type": "app_mention", "channel": channel.id}
            mention.pop("subtype", None)
            acks += await self._hub.bots.announce(mention, named, channel)
        return acks

    async def uploads(
        self,
        channel: Channel,
        files: Iterable[File | tuple[str, bytes]],
        text: str = "",
        *,
        thread: Thread = None,
    ) -> Did:
        """Post a message with files."""
        made = [one if isinstance(one, File) else self.file(*one) for one in files]
        return await self.says(channel, text, thread=thread, files=made)

    def file(self, name: str, content: bytes, **told: Any) -> File:
        """A file to upload; `told` changes what is said of it or how it is served."""
        url = f"{self._hub.base_url}/files-pri/{{id}}/{quote(name, safe='')}"
        made = self._world.file(self.user, name, content, url)
        for field_name, value in told.items():
            setattr(made, field_name, value)
        return made

    async def edits(self, message: Message, text: str) -> Did:
        """Change what a message of one's own says."""
        before = message.json()
        self._world.edit(message, editor_id=self.id, text=self._typed(text))
        return await self._tell_change(message, before)

    async def unfurls(self, message: Message, title: str) -> Did:
        """Do what Slack does when a message has a link: send the same message with a preview."""
        before = message.json()
        message.attachments = [{"id": 1, "title": title, "fallback": title, "from_url": title}]
        self._world.feed.tell("changed", channel=message.channel_id, ts=message.ts)
        return await self._tell_change(message, before)

    async def _tell_change(self, message: Message, before: Json) -> Did:
        channel = self._world.channels[message.channel_id]
        event = payloads.changed(self._world, channel, message, before)
        return Did(await self._tell(channel, event), message)

    async def deletes(self, message: Message) -> Did:
        """Take a message away."""
        channel = self._world.channels[message.channel_id]
        self._world.delete(message)
        return Did(await self._tell(channel, payloads.deleted(self._world, channel, message)))

    # --- places ----------------------------------------------------------------------------

    async def opens_home(self, tab: Literal["home", "messages"] = "home") -> Did:
        """Open the app's page."""
        installation = self._own_installation()
        event: Json = {
            "type": "app_home_opened",
            "user": self.id,
            "channel": self.direct().id,
            "tab": tab,
            "event_ts": self._world.new_ts(),
        }
        if self.home is not None and tab == "home":
            event["view"] = self.home.json()
        return Did(await self._hub.bots.announce(event, [installation]))

    def direct(self) -> Channel:
        """The direct messages with the app."""
        return self._world.direct(self.user.team_id, self.id, self._own_installation().bot_user_id)

    async def stops(self, channel: Channel, thread: Message | str) -> Did:
        """Press the Stop button that Slack shows while an agent works in a thread.

        Raises:
            CannotDo: there is no such button.
        """
        thread_ts = ts_of(thread)
        session = self._world.agents.get((channel.id, thread_ts))
        if session is None or session.status != "processing":
            raise CannotDo("no agent is at work in that thread, so Slack shows no Stop button")
        streams = [m for m in channel.replies(str(thread_ts)) if m.streaming]
        for stream in streams:
            stream.stopped = True
        event = {
            "type": "agent_session_stopped",
            "channel": channel.id,
            "thread_ts": thread_ts,
            "user": self.id,
            "streaming_message_ts": [stream.ts for stream in streams],
            "event_ts": self._world.new_ts(),
        }
        return Did(await self._hub.bots.announce(event, self._here(channel), channel))

    async def reacts(self, message: Message, name: str) -> Did:
        """Add a reaction."""
        message.reactions.setdefault(name, []).append(self.id)
        return await self._tell_reaction("reaction_added", message, name)

    async def takes_back(self, message: Message, name: str) -> Did:
        """Remove one's reaction; nothing happens where there is none."""
        users = message.reactions.get(name, [])
        if self.id not in users:
            return Did()
        users.remove(self.id)
        if not users:
            del message.reactions[name]
        return await self._tell_reaction("reaction_removed", message, name)

    async def _tell_reaction(self, kind: str, message: Message, name: str) -> Did:
        self._world.feed.tell("reaction", channel=message.channel_id, ts=message.ts)
        item = {"type": "message", "channel": message.channel_id, "ts": message.ts}
        event: Json = {"type": kind, "user": self.id, "reaction": name, "item": item}
        event |= {"item_user": message.user_id, "event_ts": self._world.new_ts()}
        return Did(await self._tell(self._world.channels[message.channel_id], event))

    async def invites(self, channel: Channel, *who: "Person | Installation") -> None:
        """Bring people, or the app, into a channel."""
        for one in who:
            user_id = one.bot_user_id if isinstance(one, Installation) else one.id
            if user_id not in channel.members:
                channel.members.append(user_id)
                self._world.feed.tell("channel", channel=channel.id)
            event = {
                "type": "member_joined_channel",
                "user": user_id,
                "channel": channel.id,
                "team": self._world.users[user_id].team_id,
                "inviter": self.id,
                "event_ts": self._world.new_ts(),
            }
            await self._tell(channel, event)

    def removes(self, channel: Channel, who: "Person | Installation") -> None:
        """Take somebody, or the app, out of a channel."""
        channel.members.remove(who.bot_user_id if isinstance(who, Installation) else who.id)
        self._world.feed.tell("channel", channel=channel.id)

    async def shares(self, channel: Channel, team: Team) -> Did:
        """Share a channel with another organisation."""
        channel.connected.append(team.id)
        self._world.feed.tell("channel", channel=channel.id)
        event = {"type": "channel_shared", "channel": channel.id, "connected_team_id": team.id}
        event["event_ts"] = self._world.new_ts()
        return Did(await self._tell(channel, event))

    # --- the app itself --------------------------------------------------------------------

    def approves(self, authorize_url: str) -> str:
        """Approve the app on Slack's page, and give the address the browser is sent back to."""
        return approve(self._hub, authorize_url, self.user)

    async def uninstalls(self) -> None:
        """Remove the app from this person's team; the events are on their way afterwards."""
        installation = self._own_installation()
        tokens = self._world.tokens_of(installation)
        self._world.remove(installation)
        apps.tell_revoked(self._hub, installation, tokens)
        apps.tell_uninstalled(self._hub, installation)
