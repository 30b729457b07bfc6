"""What a person at the keyboard can do, and what that person sees."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote

from bot.playground import interactions, payloads
from bot.playground.api import apps
from bot.playground.bots import Ack
from bot.playground.hosting import answer, approve
from bot.playground.installed import Installation
from bot.playground.interactions import CannotDo, Exactly
from bot.playground.seat import Seat, Thread, ts_of
from bot.playground.state import Channel, File, Json, Message, Team, View
from bot.playground.world import Said
from bot.slack.limits import violations


@dataclass
class Did:
    """What came of something a person did.

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
        """What the answer carried."""
        return self.ack.body


class Person(Seat):
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

    def file(self, name: str, content: bytes, **told: Any) -> File:  # noqa: ANN401 - fields of a file
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
        """What Slack does when a message has a link: the same message with a preview."""
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

    # --- commands, buttons, forms ----------------------------------------------------------

    async def slash(self, command: str, text: str, channel: Channel) -> Did:
        """Send a slash command. It cannot be sent in a thread.

        Raises:
            CannotDo: the app has no such command in this person's team.
        """
        installation = self._own_installation()
        if command not in self._world.app.commands:
            raise CannotDo(f"{command} is not a valid command")
        self._must_see(channel)
        address = self._world.address(self.user, installation, channel)
        trigger = self._world.trigger(self.user, installation, channel.id)
        typed = (command, self._typed(text))
        payload = payloads.command(self._world, self.user, channel, typed, trigger)
        payload["response_url"] = payloads.response_url(self._hub.base_url, address)
        ack = await self._hub.bots.send("slash_commands", payload)
        if not ack.ok:
            reason = "operation_timeout" if ack.error == "timeout" else "dispatch_failed"
            failed = f"{command} failed with the error “{reason}”"
            return Did([ack], self._world.whisper(channel, self.id, Said(text=failed)))
        given = {"text": ack.body} if isinstance(ack.body, str) else ack.body
        return Did([ack], answer(self._hub, address, given) if given else None)

    async def clicks(self, where: Message | View, what: str | Exactly, chosen: Any = None) -> Did:  # noqa: ANN401 - of any menu
        """Press what says that, or has that action id or value; in a menu choose `chosen`.

        Raises:
            CannotDo: it is not there, or this person does not see it.
        """
        self._must_reach(where)
        pressed = interactions.find(where.blocks, what)
        told = interactions.action(pressed, chosen, self._world.new_ts())
        if isinstance(where, View):
            state = interactions.state_of(pressed.element, chosen) if "value" not in told else None
            if state is not None and pressed.element["type"] != "button":
                block = where.values.setdefault(pressed.block["block_id"], {})
                block[pressed.element["action_id"]] = state
        payload = self._pressed(where, told)
        return Did([await self._hub.bots.send("interactive", payload)])

    async def asks_options(self, where: Message | View, menu: Exactly, typed: str) -> Json:
        """Type into a menu whose options the app looks up; gives them as the app did.

        Raises:
            CannotDo: there is no such menu, or the app offers nothing.
        """
        self._must_reach(where)
        block, element, _ = interactions.find(where.blocks, menu)
        if not element["type"].endswith("external_select"):
            raise CannotDo("that menu has its options already")
        installation = self._author(where.bot_id)
        told = payloads.interaction(self._world, "block_suggestion", self.user, installation)
        told |= {"block_id": block["block_id"], "action_id": element["action_id"], "value": typed}
        if isinstance(where, View):
            told |= payloads.pressed_in_view(where)
        else:
            told |= payloads.pressed_in_message(self._world.channels[where.channel_id], where)
        ack = await self._hub.bots.send("interactive", told)
        if not ack.ok or not isinstance(ack.body, dict):
            raise CannotDo("the app offers nothing here")
        return ack.body

    def _must_reach(self, where: Message | View) -> None:
        if isinstance(where, View):
            return
        self._must_see(self._world.channels[where.channel_id])
        if where.only_for not in {None, self.id}:
            raise CannotDo("somebody else sees that message alone")

    def _pressed(self, where: Message | View, action: Json) -> Json:
        installation = self._author(where.bot_id)
        told = payloads.interaction(self._world, "block_actions", self.user, installation)
        if isinstance(where, View):
            told |= payloads.pressed_in_view(where)
            channel_id = where.opened_in
        else:
            channel = self._world.channels[where.channel_id]
            channel_id = channel.id
            address = self._world.address(self.user, installation, channel)
            address.message_ts, address.thread_ts = where.ts, where.thread_ts
            told |= payloads.pressed_in_message(channel, where)
            told["response_url"] = payloads.response_url(self._hub.base_url, address)
        trigger = self._world.trigger(self.user, installation, channel_id)
        return told | {"trigger_id": trigger.id, "actions": [action]}

    async def submits(
        self, given: Mapping[Any, Any] | None = None, view: View | None = None
    ) -> Did:
        """Fill a form in, the one on top when none is named, and send it off.

        Args:
            given: what is typed and chosen, by action id, block id or label, or by both ids.
            view: the form.

        Raises:
            CannotDo: none is open, or Slack's own form does not let it pass.
        """
        view = view or self.modal
        if view is None:
            raise CannotDo(f"{self.user.shown} has no form open")
        view.values = interactions.values(view, given or {})
        installation = self._author(view.bot_id)
        for file_id in interactions.files(view.values):
            self._world.files[file_id].given_to.append(installation.bot_user_id)
        trigger = self._world.trigger(self.user, installation, view.opened_in)
        payload = payloads.interaction(self._world, "view_submission", self.user, installation)
        payload |= {"trigger_id": trigger.id, "view": view.json(), "response_urls": []}
        ack = await self._hub.bots.send("interactive", payload)
        return self._shown_after(view, Did([ack]))

    def _shown_after(self, view: View, did: Did) -> Did:
        """Do with the form what the app answered."""
        if not did.ack.ok:
            did.trouble = ["We had some trouble connecting. Try again?"]
            return did
        body = did.body if isinstance(did.body, dict) else {}
        content = body.get("view") or {}
        match body.get("response_action"):
            case "errors":
                did.errors = dict(body.get("errors") or {})
                known = {block["block_id"] for block in view.blocks}
                did.trouble = [f"no block {name}" for name in did.errors if name not in known]
            case "update" | "push" as what:
                did.trouble = violations("modal", content)
                if not did.trouble:
                    self._put(view, content, what)
            case "clear":
                self._world.close_view(self.id, everything=True)
            case _:
                self._world.close_view(self.id)
        return did

    def _put(self, view: View, content: Json, what: str) -> None:
        if what == "update":
            self._world.change_view(view, content)
            return
        installation = self._author(view.bot_id)
        self._world.push_view(
            self._world.new_view(self.user, installation, content, view.opened_in)
        )

    async def closes(self) -> Did:
        """Close the form on top without sending it."""
        view = self.modal
        if view is None:
            raise CannotDo(f"{self.user.shown} has no form open")
        self._world.close_view(self.id)
        if not view.content.get("notify_on_close"):
            return Did()
        installation = self._author(view.bot_id)
        payload = payloads.interaction(self._world, "view_closed", self.user, installation)
        payload |= {"view": view.json(), "is_cleared": False}
        return Did([await self._hub.bots.send("interactive", payload)])

    async def shortcut(self, callback_id: str, message: Message) -> Did:
        """Choose one of the app's shortcuts in a message's menu."""
        installation = self._own_installation()
        channel = self._world.channels[message.channel_id]
        self._must_see(channel)
        address = self._world.address(self.user, installation, channel)
        payload = payloads.interaction(self._world, "message_action", self.user, installation)
        payload |= payloads.shortcut(channel, message, callback_id, self._world.new_ts())
        payload["trigger_id"] = self._world.trigger(self.user, installation, channel.id).id
        payload["response_url"] = payloads.response_url(self._hub.base_url, address)
        return Did([await self._hub.bots.send("interactive", payload)])

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
