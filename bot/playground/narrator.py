"""Tell what goes on in the playground in a terminal: line by line as it happens, or in short."""

import datetime as dt
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from bot.playground import transcript
from bot.playground.slack.entities import Channel, Message
from bot.playground.slack.feed import Change
from bot.playground.slack.world import World

Say = Callable[[str], None]

POSTED: Final = {
    "answer": "answered",
    "report": "reported",
    "clarification": "asked back",
    "refused": "refused to answer",
    "failed": "failed",
    "stopped": "stopped",
}
"""What MASIS has done when it posts a message of that kind; others are on the way to one."""
_KIND: Final = "masis_"
NOT_YET: Final = (transcript.STATUS["pending"], "[")
"""What lines of a progress message begin with that are not told."""


def place(channel: Channel) -> str:
    """Say where something is posted."""
    return f"in #{channel.name}" if channel.name else "in a direct message"


def kind_of(message: Message) -> str:
    """Return the kind of a message of MASIS, by its own metadata; empty for anything else."""
    return str((message.metadata or {}).get("event_type", "")).removeprefix(_KIND)


class Narrator:
    """Says every line of every message once, as soon as it is there."""

    def __init__(self, world: World, say: Say) -> None:
        self._world = world
        self._say = say
        self._said: dict[str, set[str]] = {}
        for channel in world.channels.values():
            for message in channel.messages.values():
                self._said[message.ts] = set(self._lines(message))

    def tell(self, change: Change) -> None:
        """Say what a change brought."""
        if change.kind not in {"message", "changed", "ephemeral"}:
            return
        channel = self._world.channels[change.about["channel"]]
        ts = change.about["ts"]
        message = channel.messages.get(ts) or self._world.whispered(channel.id, ts)
        if message is not None:
            self._new(message)

    def _new(self, message: Message) -> None:
        known = self._said.get(message.ts)
        said = self._said.setdefault(message.ts, set())
        lines = self._lines(message)
        for line in lines:
            if line not in said:
                first = known is None and line == lines[0]
                lead = f"{self._who(message)}: " if first else "  "
                self._say(f"{'    ' if message.is_reply else '  '}{lead}{line}")
        said.update(lines)

    def _lines(self, message: Message) -> list[str]:
        lines = [
            line for line in transcript.message_text(self._world, message).splitlines() if line
        ]
        if kind_of(message) == "progress":
            # What is yet to come, and the button to cancel it, come and go too fast to be read.
            return [line for line in lines if not line.lstrip().startswith(NOT_YET)]
        return lines

    def _who(self, message: Message) -> str:
        author = self._world.users.get(message.user_id or "")
        name = author.shown if author else "Slackbot"
        only = self._world.users.get(message.only_for or "")
        return f"{name} (only to {only.shown})" if only else name


class Journal:
    """Says in short who did what, without what was said."""

    def __init__(self, world: World, say: Say) -> None:
        self._world = world
        self._say = say

    def tell(self, change: Change) -> None:
        """Say a line of what matters, with the time of day."""
        line = self._line(change)
        if line:
            self._say(f"{dt.datetime.now().astimezone():%H:%M:%S}  {line}")

    def _line(self, change: Change) -> str:
        if change.kind == "delivered" and not _taken(change.about["status"]):
            return "MASIS did not take a request in time."
        if change.kind != "message":
            return ""
        channel = self._world.channels[change.about["channel"]]
        message = channel.messages[change.about["ts"]]
        author = self._world.users.get(message.user_id or "")
        if author is None:
            return ""
        if message.bot_id is None:
            did = "sent a file" if message.files else "wrote"
            return f"{author.shown} {did} {place(channel)}."
        did = POSTED.get(kind_of(message), "")
        return f"{author.shown} {did} {place(channel)}." if did else ""


def _taken(status: int | None) -> bool:
    return status is not None and status < HTTPStatus.MULTIPLE_CHOICES
