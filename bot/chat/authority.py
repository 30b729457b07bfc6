"""Decide who may do what in a chat. One table holds the rights; each chat says who somebody is.

The table is asked when something is begun and again when it is done (a form that was opened by an
admin may be submitted after they are none any more).
"""

from collections.abc import Mapping
from typing import Final, Literal, get_args

from masis.conversation import TeamSettings

Kind = Literal[
    "owner",
    "admin",
    "manager",
    "member",
    "multi_channel_guest",
    "single_channel_guest",
    "stranger",
    "bot",
]
Action = Literal["link", "unlink", "upload", "delete", "ask", "clarify", "settings"]
Rule = Literal["yes", "own", "if guests", "if external", "no"]
"""`own`: their own question alone. `if ...`: where the team's settings allow it, and then as own."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
ACTIONS: Final[tuple[Action, ...]] = get_args(Action)

_EVERYTHING: Final[Mapping[Action, Rule]] = dict.fromkeys(ACTIONS, "yes")
_NOTHING: Final[Mapping[Action, Rule]] = dict.fromkeys(ACTIONS, "no")

MAY: Final[Mapping[Kind, Mapping[Action, Rule]]] = {
    "owner": _EVERYTHING,
    "admin": _EVERYTHING,
    # Named in MASIS by an admin or owner, and may not name others.
    "manager": {**_EVERYTHING, "settings": "no"},
    # What is in a workspace decides what everybody reads: members ask, managers fill.
    "member": {**_NOTHING, "ask": "yes", "clarify": "own"},
    "multi_channel_guest": {**_NOTHING, "ask": "if guests", "clarify": "if guests"},
    "single_channel_guest": {**_NOTHING, "ask": "if guests", "clarify": "if guests"},
    "stranger": {**_NOTHING, "ask": "if external", "clarify": "if external"},
    "bot": _NOTHING,
}


def may(kind: Kind, action: Action, settings: TeamSettings, *, own: bool = True) -> bool:
    """Say whether that kind of person may do it. `own` says that it is about their own question."""
    match MAY[kind][action]:
        case "yes":
            return True
        case "own":
            return own
        case "if guests":
            return settings.guests and own
        case "if external":
            return settings.external_channels and own
        case "no":
            return False


def manages(kind: Kind) -> bool:
    """Say whether somebody may answer and stop other people's questions."""
    return MAY[kind]["clarify"] == "yes"
