"""Show what one person sees, in the words of the contract.

Nothing else of the world reaches a browser.
"""

from collections.abc import Iterable, Iterator

from bot.playground.page import contract, page_models
from bot.playground.page.scene import ABOUT_PEOPLE, Scene, about
from bot.playground.page.teams_seen import TeamsSeen
from bot.playground.people.people import Person
from bot.playground.slack.entities import AgentThread, Channel, File, Message, User, View
from bot.playground.slack.feed import Change

GUESTS = frozenset({"guest", "single_channel_guest"})


class Seen:
    """The world through one person's eyes."""

    def __init__(self, scene: Scene, person: Person) -> None:
        self._scene = scene
        self._world = scene.slack.world
        self.person = person
        self._teams = TeamsSeen(scene, person)

    # --- everything ------------------------------------------------------------------------

    def state(self, epoch: str, seq: int) -> contract.State:
        """All of it, as of the change of that number."""
        channels = [one for one in self._world.channels.values() if self.sees(one)]
        sessions = [one for one in self._world.agents.values() if self._sees_session(one)]
        return contract.State(
            epoch=epoch,
            seq=seq,
            you=self.person.id,
            about=about(self._scene),
            people=[self._person(user) for user in self._world.users.values()],
            channels=[self._channel(one) for one in channels],
            messages=[self._message(m) for one in channels for m in self._newest(one)],
            sessions=[_session(one) for one in sessions],
            modals=self._modals(),
            home=self._home(),
            ready=self._scene.ready,
            teams=self._teams.team(),
        )

    def changes(self, happened: Iterable[Change]) -> list[contract.Change]:
        """List what the changes come to for this person: each thing once, as it is now."""
        touched = dict.fromkeys(key for change in happened for key in _touched(change))
        return [told for key in touched for told in self._now(*key)]

    def _now(self, kind: str, *ids: str) -> Iterator[contract.Change]:
        match kind:
            case "message":
                yield from self._message_now(*ids)
            case "channel":
                yield from self._channel_now(*ids)
            case "session":
                session = self._world.agents.get((ids[0], ids[1] or None))
                if session is not None and self._sees_session(session):
                    yield contract.SessionIs(session=_session(session))
            case "views" if ids[0] == self.person.id:
                yield contract.ModalsAre(modals=self._modals())
                yield contract.HomeIs(home=self._home())
            case "teams":
                yield self._teams.now(ids[0])
            case "teams_typing":
                yield from self._teams.typing(*ids)
            case "about":
                yield contract.AboutIs(about=about(self._scene))
            case "ready":
                yield contract.ReadyIs(ready=self._scene.ready)

    def _message_now(self, channel_id: str, ts: str) -> Iterator[contract.Change]:
        channel = self._world.channels[channel_id]
        if not self.sees(channel):
            return
        message = channel.messages.get(ts) or self._world.whispered(channel_id, ts)
        if message is None:
            yield contract.MessageGone(channel=channel_id, ts=ts)
        elif message.only_for in {None, self.person.id}:
            yield contract.MessageIs(message=self._message(message))

    def _channel_now(self, channel_id: str) -> Iterator[contract.Change]:
        channel = self._world.channels[channel_id]
        if not self.sees(channel):
            yield contract.ChannelGone(channel=channel_id)
            return
        yield contract.ChannelIs(channel=self._channel(channel))

    # --- who sees what ---------------------------------------------------------------------

    def sees(self, channel: Channel) -> bool:
        """Say whether this person sees that channel. Guests see the channels that they are in."""
        user = self.person.user
        if user.id in channel.members:
            return True
        is_own = user.team_id in {channel.team_id, *channel.connected}
        return channel.kind == "public" and is_own and user.role not in GUESTS

    def message(self, channel_id: str, ts: str) -> Message | None:
        """A message that this person sees."""
        channel = self._world.channels.get(channel_id)
        if channel is None or not self.sees(channel):
            return None
        message = channel.messages.get(ts) or self._world.whispered(channel_id, ts)
        mine = message is not None and message.only_for in {None, self.person.id}
        return message if mine else None

    def file(self, file_id: str) -> File | None:
        """A file in a message that this person sees."""
        for channel in self._world.channels.values():
            if self.sees(channel):
                for message in self.person.sees(channel):
                    for file in message.files:
                        if file.id == file_id:
                            return file
        return None

    def view(self, view_id: str) -> View | None:
        """A form or home tab of this person's."""
        shown = [*self._world.modals.get(self.person.id, []), self.person.home]
        return next((one for one in shown if one is not None and one.id == view_id), None)

    def _sees_session(self, session: AgentThread) -> bool:
        channel = self._world.channels.get(session.channel_id)
        return channel is not None and self.sees(channel)

    # --- in the contract's words -----------------------------------------------------------

    def _person(self, user: User) -> page_models.Person:
        playable = any(user.id == one.id for one in self._scene.players)
        return page_models.Person(
            id=user.id,
            name=user.shown,
            role=user.role,
            team=self._world.teams[user.team_id].name,
            playable=playable,
            about=ABOUT_PEOPLE.get(user.name, "") if playable else "",
        )

    def _channel(self, channel: Channel) -> page_models.Channel:
        others = [member for member in channel.members if member != self.person.id]
        app = self._scene.slack.installation.bot_user_id
        return page_models.Channel(
            id=channel.id,
            name=channel.name,
            kind=channel.kind,
            topic=channel.topic,
            members=list(channel.members),
            is_member=self.person.id in channel.members,
            is_archived=channel.is_archived,
            shared_with=[self._world.teams[team].name for team in channel.connected],
            peer=others[0] if channel.kind == "im" and others else None,
            app_is_in=app in channel.members,
            read_ts=self._scene.read.get((self.person.id, channel.id)),
            earlier=len(self.person.sees(channel)) > contract.SHOWN,
        )

    def _newest(self, channel: Channel) -> list[Message]:
        return self.person.sees(channel)[-contract.SHOWN :]

    def _message(self, message: Message) -> page_models.Message:
        return page_models.Message(
            channel=message.channel_id,
            ts=message.ts,
            thread_ts=message.thread_ts,
            user=message.user_id,
            from_app=self._world.author(message.bot_id) is not None,
            text=message.text,
            blocks=message.blocks,
            attachments=message.attachments,
            files=[_file(file) for file in message.files],
            reactions=[
                page_models.Reaction(name=name, users=list(users))
                for name, users in message.reactions.items()
            ],
            edited=message.edited_ts is not None,
            private=message.only_for is not None,
            streaming=message.streaming,
            broadcast=message.broadcast,
            subtype=message.subtype,
        )

    def _modals(self) -> list[page_models.View]:
        return [_view(view) for view in self._world.modals.get(self.person.id, [])]

    def _home(self) -> page_models.View | None:
        return _view(self.person.home) if self.person.home else None


def _touched(change: Change) -> Iterator[tuple[str, ...]]:
    """The things that a change is about, by their ids."""
    told = change.about
    match change.kind:
        case "message" | "changed" | "ephemeral" | "deleted" | "reaction":
            yield "message", told["channel"], told["ts"]
        case "session":
            yield "session", told["channel"], told["ts"] or ""
        case "channel" | "read":
            yield "channel", told["channel"]
        case "view":
            yield "views", told["user"]
        case "teams":
            yield "teams", told["message"]
        case "teams_typing":
            yield "teams_typing", told["chat"], told["at"]
        case "ready" | "about":
            yield (change.kind,)


def _session(session: AgentThread) -> page_models.Session:
    return page_models.Session(
        channel=session.channel_id,
        thread_ts=session.thread_ts,
        status=session.status,
        loading=session.loading,
        title=session.title,
        prompts=[page_models.Prompt(**prompt) for prompt in session.prompts],
        can_stop=session.status == "processing",
    )


def _file(file: File) -> page_models.SharedFile:
    told = file.json(full=True)
    wanted = page_models.SharedFile.model_fields
    return page_models.SharedFile.model_validate({name: told[name] for name in wanted})


def _view(view: View) -> page_models.View:
    content = view.content

    def text(name: str) -> str | None:
        told = content.get(name)
        return str(told.get("text") or "") if isinstance(told, dict) else None

    return page_models.View(
        id=view.id,
        hash=view.hash,
        title=text("title") or "",
        submit=text("submit"),
        close=text("close"),
        callback_id=str(content.get("callback_id") or ""),
        blocks=view.blocks,
        values=view.values,
    )
