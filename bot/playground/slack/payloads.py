"""Build what Slack tells an app: the bodies of events, commands and interactions."""

from typing import Final

from bot.playground.slack.entities import CHANNEL_TYPES, Channel, Json, Message, User, View
from bot.playground.slack.installed import Installation, ResponseAddress, Trigger
from bot.playground.slack.world import World

VERIFICATION: Final = "verification-token-of-old"
"""Slack still sends it, and nobody should check it."""


# --- events --------------------------------------------------------------------------------


def in_channel(channel: Channel, event: Json) -> Json:
    """An event with the place it happened in."""
    return event | {"channel": channel.id, "channel_type": CHANNEL_TYPES[channel.kind]}


def changed(world: World, channel: Channel, message: Message, before: Json) -> Json:
    """A message says something else now, or has got a preview."""
    ts = world.new_ts()
    event = {
        "type": "message",
        "subtype": "message_changed",
        "hidden": True,
        "message": message.json(),
        "previous_message": before,
        "ts": ts,
        "event_ts": ts,
    }
    return in_channel(channel, event)


def deleted(world: World, channel: Channel, message: Message) -> Json:
    """A message is gone."""
    ts = world.new_ts()
    event = {
        "type": "message",
        "subtype": "message_deleted",
        "hidden": True,
        "deleted_ts": message.ts,
        "previous_message": message.json(),
        "ts": ts,
        "event_ts": ts,
    }
    return in_channel(channel, event)


# --- commands and interactions -------------------------------------------------------------


def command(
    world: World, user: User, channel: Channel, typed: tuple[str, str], trigger: Trigger
) -> Json:
    """A slash command, of which `typed` is the command and its text; a form, so all are strings."""
    team = world.teams[user.team_id]
    told: Json = {
        "token": VERIFICATION,
        "team_id": team.id,
        "team_domain": team.domain,
        "channel_id": channel.id,
        "channel_name": _name(channel),
        "user_id": user.id,
        "user_name": user.name,
        "command": typed[0],
        "text": typed[1],
        "api_app_id": world.app.id,
        "is_enterprise_install": "false",
        "trigger_id": trigger.id,
    }
    if team.enterprise_id:
        told |= {"enterprise_id": team.enterprise_id, "enterprise_name": team.enterprise_name}
    return told


def interaction(world: World, kind: str, user: User, installation: Installation) -> Json:
    """Build what every interaction begins with: who did it, and where the app is installed."""
    team = world.teams[installation.team_id]
    told: Json = {"id": team.id, "domain": team.domain}
    enterprise = None
    if team.enterprise_id:
        enterprise = {"id": team.enterprise_id, "name": team.enterprise_name}
        told |= {"enterprise_id": team.enterprise_id, "enterprise_name": team.enterprise_name}
    return {
        "type": kind,
        "user": {
            "id": user.id,
            "username": user.name,
            "name": user.name,
            "team_id": user.team_id,
        },
        "api_app_id": world.app.id,
        "token": VERIFICATION,
        "team": told,
        "enterprise": enterprise,
        "is_enterprise_install": False,
    }


def pressed_in_message(channel: Channel, message: Message) -> Json:
    """Describe where a button of a message was pressed.

    Of a private message Slack tells the place alone.
    """
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": channel.id,
        "is_ephemeral": message.only_for is not None,
    }
    if message.thread_ts:
        container["thread_ts"] = message.thread_ts
    told: Json = {
        "container": container,
        "channel": {"id": channel.id, "name": _name(channel)},
        "state": {"values": {}},
    }
    return told if message.only_for else told | {"message": message.json(metadata=True)}


def pressed_in_view(view: View) -> Json:
    """Describe where a button of a view was pressed."""
    return {"view": view.json(), "container": {"type": "view", "view_id": view.id}}


def shortcut(channel: Channel, message: Message, callback_id: str, ts: str) -> Json:
    """A shortcut of a message's menu."""
    return {
        "callback_id": callback_id,
        "action_ts": ts,
        "message_ts": message.ts,
        "channel": {"id": channel.id, "name": _name(channel)},
        "message": message.json(metadata=True),
    }


def response_url(base_url: str, address: ResponseAddress) -> str:
    """Return the address where the app may answer."""
    return f"{base_url}/response/{address.id}"


def _name(channel: Channel) -> str:
    return channel.name or "directmessage"
