"""Read what Slack's answers about people and channels mean to MASIS."""

from typing import Any

from bot.slack.persons import Person
from masis.domain import Value


class ChannelInfo(Value):
    """Hold what Slack says about a channel, as far as MASIS depends on it."""

    id: str
    private: bool = False
    direct: bool = False
    """A direct message, or a group of them."""
    external: bool = False
    """Shared with another organisation, or about to be."""
    archived: bool = False
    member: bool = False
    """The bot is in it."""


def person_of(user: str, body: dict[str, Any]) -> Person:
    """Read the reply of `users.info`; what is missing there is read as the careful value."""
    said = part(body, "user")
    organisation = part(said, "enterprise_user")
    profile = part(said, "profile")
    return Person(
        id=user,
        team=_first(said.get("team_id"), profile.get("team")),
        enterprise=_first(organisation.get("enterprise_id"), said.get("enterprise_id")),
        admin=_holds(said, "is_admin"),
        owner=_holds(said, "is_owner", "is_primary_owner"),
        restricted=_holds(said, "is_restricted"),
        ultra_restricted=_holds(said, "is_ultra_restricted"),
        stranger=_holds(said, "is_stranger"),
        bot=user == "USLACKBOT" or _holds(said, "is_bot", "is_workflow_bot", "is_connector_bot"),
        deleted=_holds(said, "deleted"),
    )


def channel_of(channel: str, body: dict[str, Any]) -> ChannelInfo:
    """Read the reply of `conversations.info`."""
    said = part(body, "channel")
    direct = _holds(said, "is_im", "is_mpim")
    return ChannelInfo(
        id=channel,
        private=direct or _holds(said, "is_private", "is_group"),
        direct=direct,
        external=_holds(said, "is_ext_shared", "is_pending_ext_shared"),
        archived=_holds(said, "is_archived"),
        # Slack says of no direct message that the bot is in it, and shows it no other.
        member=_holds(said, "is_member") or direct,
    )


def part(body: dict[str, Any], name: str) -> dict[str, Any]:
    """The object of that name in a reply, empty where there is none."""
    inner = body.get(name)
    return inner if isinstance(inner, dict) else {}


def objects(body: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects of the list of that name in a reply."""
    inner = body.get(name)
    return [item for item in inner if isinstance(item, dict)] if isinstance(inner, list) else []


def word(body: dict[str, Any], name: str) -> str:
    """The string of that name in a reply, empty where there is none."""
    return _first(body.get(name))


def _first(*values: object) -> str:
    return next((value for value in values if isinstance(value, str) and value), "")


def _holds(said: dict[str, Any], *names: str) -> bool:
    return any(said.get(name) is True for name in names)
