"""Everything that exists: teams, people, conversations, what was said, and who may call."""

import secrets
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from bot.playground.slack.entities import (
    AgentThread,
    Channel,
    ChannelKind,
    File,
    Json,
    Message,
    Role,
    Team,
    User,
    View,
)
from bot.playground.slack.feed import Feed
from bot.playground.slack.installed import AppConfig, Installation, ResponseAddress, Token, Trigger
from bot.slack import limits

KEPT_MESSAGES: Final = 5_000
"""In one channel; the oldest go."""
KEPT_OTHERS: Final = 5_000
"""Triggers, response addresses, sessions, files and ephemeral messages, each."""

Clock = Callable[[], float]
Key = TypeVar("Key")
Kept = TypeVar("Kept")


class NoSuchThing(LookupError):
    """Something was named that is not in the world."""


@dataclass
class Said:
    """Hold what a caller says, before it is a message."""

    text: str = ""
    user_id: str | None = None
    bot_id: str | None = None
    app_id: str | None = None
    blocks: Iterable[Json] = ()
    attachments: Iterable[Json] = ()
    files: Iterable[File] = ()
    metadata: Json | None = None
    thread_ts: str | None = None
    subtype: str | None = None
    client_msg_id: str | None = None
    broadcast: bool = False
    streaming: bool = False


class World:
    """The state, and the few ways it changes. Whoever waits is told of each change by `feed`."""

    def __init__(self, app: AppConfig, clock: Clock = time.time) -> None:
        self.app = app
        self.clock = clock
        self.feed = Feed()
        self.teams: dict[str, Team] = {}
        self.users: dict[str, User] = {}
        self.channels: dict[str, Channel] = {}
        self.files: dict[str, File] = {}
        self.modals: dict[str, list[View]] = {}
        self.homes: dict[str, View] = {}
        self.agents: dict[tuple[str, str | None], AgentThread] = {}
        self.installations: dict[str, Installation] = {}
        self.tokens: dict[str, Token] = {}
        self.refreshes: dict[str, Installation] = {}
        self.triggers: dict[str, Trigger] = {}
        self.addresses: dict[str, ResponseAddress] = {}
        self.private: deque[Message] = deque(maxlen=KEPT_OTHERS)
        self._counted: Counter[str] = Counter()
        self._last_ts = 0

    def new_id(self, prefix: str) -> str:
        """An id as Slack's look, of a kind that its first letter tells."""
        self._counted[prefix] += 1
        return f"{prefix}0{self._counted[prefix]:08d}"

    def new_ts(self) -> str:
        """A timestamp that no other message has, later than all before."""
        self._last_ts = max(self._last_ts + 1, int(self.clock() * 1_000_000))
        seconds, micros = divmod(self._last_ts, 1_000_000)
        return f"{seconds}.{micros:06d}"

    # --- who and where ---------------------------------------------------------------------

    def add_team(self, name: str, *, enterprise: str | None = None) -> Team:
        """A workspace; of an enterprise where one is named."""
        team = Team(self.new_id("T"), name)
        if enterprise:
            known = {t.enterprise_name: t.enterprise_id for t in self.teams.values()}
            team.enterprise_id = known.get(enterprise) or self.new_id("E")
            team.enterprise_name = enterprise
        self.teams[team.id] = team
        return team

    def add_user(self, team: Team, name: str, role: Role = "member") -> User:
        """Somebody of that team."""
        user = User(self.new_id("U"), team.id, name, role)
        if role == "bot":
            user.bot_id = self.new_id("B")
        self.users[user.id] = user
        return user

    def add_channel(
        self,
        team: Team,
        name: str,
        *,
        kind: ChannelKind = "public",
        members: Iterable[str] = (),
        connected: Iterable[Team] = (),
    ) -> Channel:
        """A channel with those members; shared with other teams where they are named."""
        channel = Channel(self.new_id("D" if kind == "im" else "C"), team.id, name, kind)
        channel.members = list(dict.fromkeys(members))
        channel.connected = [other.id for other in connected]
        channel.created = int(self.clock())
        self.channels[channel.id] = channel
        self.feed.tell("channel", channel=channel.id)
        return channel

    def direct(self, team_id: str, *people: str) -> Channel:
        """The direct messages of two users, which are made when they are first asked for."""
        both = sorted(set(people))
        for channel in self.channels.values():
            if channel.kind == "im" and sorted(channel.members) == both:
                return channel
        return self.add_channel(self.teams[team_id], "", kind="im", members=both)

    def file(
        self, user: User, name: str, content: bytes, url: str, mimetype: str | None = None
    ) -> File:
        """A file of that user's, not yet in any channel. In its address `{id}` is its id."""
        made = File(self.new_id("F"), user.team_id, name, content, user.id, "")
        made.url = url.replace("{id}", made.id)
        made.mimetype = mimetype or made.mimetype
        made.created = int(self.clock())
        return keep(self.files, made.id, made)

    # --- the app ---------------------------------------------------------------------------

    def install(self, team: Team, installer: User) -> Installation:
        """The app in that team; a second time with the same bot user, and usable again."""
        known = self.installations.get(team.id)
        if known is not None:
            known.removed, known.scopes = False, self.app.scopes
            known.installer_id = installer.id
            return known
        bot = self.add_user(team, self.app.name, "bot")
        made = Installation(
            team.id, team.enterprise_id, bot.id, bot.bot_id or "", installer.id, self.app.scopes
        )
        self.installations[team.id] = made
        return made

    def new_token(self, installation: Installation, life_s: float | None = None) -> Token:
        """A bot token, which ends when the app rotates its tokens."""
        expires = None if life_s is None else self.clock() + life_s
        value = f"xoxb-{installation.team_id}-{secrets.token_hex(8)}"
        token = Token(value, "bot", installation, expires)
        self.tokens[value] = token
        return token

    def new_refresh(self, installation: Installation) -> str:
        """Make a refresh token, with which a new token is asked for, once."""
        value = f"xoxe-1-{secrets.token_hex(12)}"
        self.refreshes[value] = installation
        return value

    def tokens_of(self, installation: Installation) -> list[Token]:
        """Its tokens that were not revoked."""
        return [t for t in self.tokens.values() if t.installation is installation and not t.revoked]

    def remove(self, installation: Installation) -> None:
        """Uninstall: no token of it works any more."""
        installation.removed = True
        for value in [v for v, owner in self.refreshes.items() if owner is installation]:
            del self.refreshes[value]
        self.feed.tell("uninstalled", team=installation.team_id)

    def installed_in(self, channel: Channel) -> list[Installation]:
        """List the installations that are told what happens in that channel."""
        teams = [channel.team_id, *channel.connected]
        found = [self.installations[team] for team in teams if team in self.installations]
        return [one for one in found if not one.removed]

    def author(self, bot_id: str | None) -> Installation | None:
        """Find the installation whose bot that is."""
        return next((i for i in self.installations.values() if i.bot_id == bot_id), None)

    # --- what is said ----------------------------------------------------------------------

    def post(self, channel: Channel, said: Said) -> Message:
        """A message for everybody in the channel."""
        message = self._message(channel, said)
        channel.messages[message.ts] = message
        if len(channel.messages) > KEPT_MESSAGES:
            del channel.messages[next(iter(channel.messages))]
        for file in message.files:
            if channel.id not in file.channels:
                file.channels.append(channel.id)
        self.feed.tell("message", channel=channel.id, ts=message.ts)
        return message

    def whisper(self, channel: Channel, user_id: str, said: Said) -> Message:
        """A message that one person sees, until it is replaced or forgotten."""
        message = self._message(channel, said)
        message.only_for = user_id
        self.private.append(message)
        self.feed.tell("ephemeral", channel=channel.id, ts=message.ts, user=user_id)
        return message

    def _message(self, channel: Channel, said: Said) -> Message:
        author = self.users.get(said.user_id or "")
        return Message(
            ts=self.new_ts(),
            channel_id=channel.id,
            team_id=author.team_id if author else channel.team_id,
            text=said.text,
            user_id=said.user_id,
            bot_id=said.bot_id,
            app_id=said.app_id,
            blocks=list(numbered(said.blocks)),
            attachments=list(said.attachments),
            files=list(said.files),
            metadata=said.metadata,
            thread_ts=said.thread_ts,
            subtype=said.subtype,
            client_msg_id=said.client_msg_id,
            broadcast=said.broadcast,
            streaming=said.streaming,
        )

    def edit(self, message: Message, *, editor_id: str | None, **changed: Any) -> None:
        """Change what a message says."""
        for name, value in changed.items():
            setattr(message, name, list(numbered(value)) if name == "blocks" else value)
        message.edited_ts, message.editor_id = self.new_ts(), editor_id
        self.feed.tell("changed", channel=message.channel_id, ts=message.ts)

    def delete(self, message: Message) -> None:
        """Take a message away."""
        if message.only_for:
            self.private.remove(message)
        else:
            del self.channels[message.channel_id].messages[message.ts]
        self.feed.tell("deleted", channel=message.channel_id, ts=message.ts)

    def whispered(self, channel_id: str, ts: str) -> Message | None:
        """A message that one person sees."""
        return next((m for m in self.private if (m.channel_id, m.ts) == (channel_id, ts)), None)

    # --- what an app may do in answer ------------------------------------------------------

    def trigger(
        self, user: User, installation: Installation, channel_id: str | None = None
    ) -> Trigger:
        """Record that somebody did something, which lets the app open a view."""
        made = Trigger(
            f"{self.new_id('1')}.{secrets.token_hex(6)}",
            user.id,
            self.clock(),
            installation,
            channel_id,
        )
        return keep(self.triggers, made.id, made)

    def address(self, user: User, installation: Installation, channel: Channel) -> ResponseAddress:
        """Make the address where the app may answer what somebody did in that channel."""
        made = ResponseAddress(
            secrets.token_urlsafe(12), installation, user.id, channel.id, self.clock()
        )
        return keep(self.addresses, made.id, made)

    # --- views -----------------------------------------------------------------------------

    def new_view(
        self,
        user: User,
        installation: Installation,
        content: Json,
        opened_in: str | None = None,
    ) -> View:
        """A view of that content, not yet shown."""
        view_id = self.new_id("V")
        return View(
            id=view_id,
            team_id=user.team_id,
            user_id=user.id,
            installed_team_id=installation.team_id,
            bot_id=installation.bot_id,
            app_id=self.app.id,
            content=content | {"blocks": list(numbered(content.get("blocks") or []))},
            hash=self.new_ts(),
            root_id=view_id,
            external_id=content.get("external_id") or "",
            opened_in=opened_in,
        )

    def open_view(self, view: View) -> None:
        """Show a modal alone."""
        self.modals[view.user_id] = [view]
        self.feed.tell("view", view=view.id, user=view.user_id)

    def push_view(self, view: View) -> bool:
        """Show a modal on top; no when the stack is full."""
        stack = self.modals.get(view.user_id) or []
        if not stack or len(stack) >= limits.VIEW_STACK:
            return False
        view.root_id, view.previous_id = stack[0].id, stack[-1].id
        stack.append(view)
        self.feed.tell("view", view=view.id, user=view.user_id)
        return True

    def change_view(self, view: View, content: Json) -> None:
        """Show something else in the same place; what was typed into kept inputs stays."""
        blocks = list(numbered(content.get("blocks") or []))
        kept = {block["block_id"] for block in blocks}
        view.content = content | {"blocks": blocks}
        view.values = {name: value for name, value in view.values.items() if name in kept}
        view.hash = self.new_ts()
        self.feed.tell("view", view=view.id, user=view.user_id)

    def close_view(self, user_id: str, *, everything: bool = False) -> None:
        """Take the top modal away, or the whole stack."""
        stack = self.modals.get(user_id) or []
        del stack[0 if everything else -1 :]
        self.feed.tell("view", view=None, user=user_id)

    def find_view(self, view_id: str | None, external_id: str | None) -> View | None:
        """A view that is shown somewhere."""
        shown = [view for stack in self.modals.values() for view in stack]
        for view in [*shown, *self.homes.values()]:
            if view.id == view_id or (external_id and view.external_id == external_id):
                return view
        return None


def keep(kept: dict[Key, Kept], key: Key, made: Kept) -> Kept:
    """Add to what is kept, at the cost of the oldest."""
    kept[key] = made
    if len(kept) > KEPT_OTHERS:
        del kept[next(iter(kept))]
    return made


def numbered(blocks: Iterable[Json]) -> Iterator[Json]:
    """Blocks with a `block_id` each, and an `action_id` for each element that acts, as Slack does."""
    for block in blocks:
        given = dict(block)
        given.setdefault("block_id", secrets.token_urlsafe(4))
        for place in ("accessory", "element"):
            if isinstance(given.get(place), dict) and given[place].get("type") != "image":
                given[place] = {"action_id": secrets.token_urlsafe(4)} | given[place]
        if given.get("type") in {"actions", "context_actions"}:
            given["elements"] = [
                {"action_id": secrets.token_urlsafe(4)} | element for element in given["elements"]
            ]
        yield given
