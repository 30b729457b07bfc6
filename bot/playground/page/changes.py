"""Keep what happened lately, numbered, so that a browser that comes back goes on where it was."""

import secrets
from collections import deque
from typing import Final

from bot.playground.slack.feed import Change

KEPT: Final = 2_000
"""Who is further behind is told everything anew."""
TOLD: Final = frozenset(
    {
        "about",
        "changed",
        "channel",
        "deleted",
        "ephemeral",
        "message",
        "reaction",
        "read",
        "ready",
        "session",
        "teams",
        "teams_typing",
        "view",
    }
)
"""The kinds of changes that can be seen; the others are about requests."""


class ChangeLog:
    """The latest changes of one start of the page, which `epoch` names. `seq` is the newest's."""

    def __init__(self) -> None:
        self.epoch = secrets.token_hex(8)
        self.seq = 0
        self._kept: deque[Change] = deque(maxlen=KEPT)

    def tell(self, change: Change) -> None:
        """Number a change that can be seen."""
        if change.kind in TOLD:
            self.seq += 1
            self._kept.append(change)

    def since(self, seq: int) -> list[Change] | None:
        """List what came after that number; None where it is not known any more, or never was."""
        missed = self.seq - seq
        if not 0 <= missed <= len(self._kept):
            return None
        return list(self._kept)[len(self._kept) - missed :]
