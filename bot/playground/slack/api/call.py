"""One call of a method: its arguments, who makes it, and what that caller may see."""

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

from bot.playground.slack.entities import Channel, Json, Message, User
from bot.playground.slack.hub import Hub
from bot.playground.slack.installed import Installation, Token
from bot.playground.slack.world import World
from bot.slack.limits import PAGE

Item = TypeVar("Item")

SCOPE_OF: Final = {"public": "channels", "private": "groups", "im": "im"}
FIRST_PAGE: Final = 100


class Refused(Exception):
    """Slack's `ok: false`, with its error and what else the answer says."""

    def __init__(self, error: str, **more: Any) -> None:
        super().__init__(error)
        self.error = error
        self.more = more

    @classmethod
    def saying(cls, error: str, messages: Sequence[str]) -> "Refused":
        """With messages for the developer, as Slack gives them for blocks and arguments."""
        told = [f"[ERROR] {message}" for message in messages]
        return cls(error, errors=list(messages), response_metadata={"messages": told})


@dataclass
class Call:
    """A call whose token and arguments were found in order."""

    hub: Hub
    args: Mapping[str, Any]
    token: Token | None

    @property
    def world(self) -> World:
        """The world it is made in."""
        return self.hub.world

    @property
    def installation(self) -> Installation:
        """Return the installation whose token the call carries."""
        if self.token is None or self.token.installation is None:
            raise Refused("not_allowed_token_type")
        return self.token.installation

    @property
    def bot(self) -> User:
        """The bot user who calls."""
        return self.world.users[self.installation.bot_user_id]

    def text(self, name: str) -> str:
        """An argument that is a string, empty when it was not given."""
        return str(self.args.get(name) or "")

    def flag(self, name: str) -> bool:
        """An argument that is a boolean, however it was written."""
        return str(self.args.get(name, "")).lower() in {"1", "true"}

    # --- what the caller may see -----------------------------------------------------------

    def channel(
        self, name: str = "channel", *, to: Literal["read", "history"] | None = None
    ) -> Channel:
        """The channel that an argument names, when this caller may see it.

        Raises:
            Refused: there is none, it is of others, it is private, or a scope is missing.
        """
        found = self.world.channels.get(self.text(name))
        if found is None or not self.sees(found):
            raise Refused("channel_not_found")
        if to is not None:
            self.require(f"{SCOPE_OF[found.kind]}:{to}")
        return found

    def sees(self, channel: Channel) -> bool:
        """Say whether the caller knows of that channel."""
        here = self.installation.team_id in {channel.team_id, *channel.connected}
        return here and (channel.kind == "public" or self.is_in(channel))

    def is_in(self, channel: Channel) -> bool:
        """Say whether the bot is a member."""
        return self.installation.bot_user_id in channel.members

    def user(self, name: str = "user") -> User:
        """The user that an argument names, of the caller's team or in a channel with the bot."""
        found = self.world.users.get(self.text(name))
        if found is None:
            raise Refused("user_not_found")
        return found

    def shares_a_channel(self, user: User) -> bool:
        """Say whether the bot and that user are in one channel."""
        return any(
            user.id in channel.members and self.is_in(channel)
            for channel in self.world.channels.values()
        )

    def message(self, channel: Channel, name: str = "ts") -> Message:
        """The message of that channel that an argument names."""
        found = channel.messages.get(self.text(name))
        if found is None:
            raise Refused("message_not_found")
        return found

    def require(self, scope: str) -> None:
        """Check that the token carries a scope."""
        provided = self.installation.scopes
        if scope not in provided:
            raise Refused("missing_scope", needed=scope, provided=",".join(provided))

    # --- pages -----------------------------------------------------------------------------

    def page(self, items: Sequence[Item]) -> tuple[list[Item], Json]:
        """The items of the page that was asked for, and what the answer says of the next one."""
        start = _place(self.text("cursor"))
        most = self._most()
        following = start + most < len(items)
        cursor = base64.b64encode(f"at:{start + most}".encode()).decode() if following else ""
        return list(items[start : start + most]), {"response_metadata": {"next_cursor": cursor}}

    def _most(self) -> int:
        """Return the number of items that a page holds."""
        given = str(self.args.get("limit") or FIRST_PAGE)
        if not given.isdecimal() or not 1 <= int(given) <= PAGE:
            raise Refused.saying("invalid_arguments", [f"limit must be from 1 to {PAGE}"])
        return int(given)


def _place(cursor: str) -> int:
    if not cursor:
        return 0
    try:
        return int(base64.b64decode(cursor, validate=True).decode().removeprefix("at:"))
    except (binascii.Error, ValueError):
        raise Refused("invalid_cursor") from None


def read_json(value: Any, error: str) -> Any:
    """An argument that is JSON, or a string that holds it."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        raise Refused(error) from None
