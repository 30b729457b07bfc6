"""`views.*`: modals and home tabs."""

import json

from bot.playground.slack.api.call import Call, Refused
from bot.playground.slack.checker.block_kit import violations
from bot.playground.slack.checker.checks import Surface
from bot.playground.slack.entities import Json, User, View
from bot.playground.slack.installed import Trigger
from bot.slack import limits


def open_(call: Call) -> Json:
    """`views.open`."""
    content = _content(call, "modal")
    trigger = _trigger(call)
    view = _made(call, trigger, content)
    call.world.open_view(view)
    return {"view": view.json()}


def push(call: Call) -> Json:
    """`views.push`."""
    content = _content(call, "modal")
    trigger = _trigger(call)
    if not call.world.modals.get(trigger.user_id):
        raise Refused("not_found")
    view = _made(call, trigger, content)
    if not call.world.push_view(view):
        raise Refused("push_limit_reached")
    return {"view": view.json()}


def update(call: Call) -> Json:
    """`views.update`."""
    content = _content(call, None)
    view = call.world.find_view(call.text("view_id") or None, call.text("external_id") or None)
    if view is None or view.bot_id != call.installation.bot_id:
        raise Refused("not_found")
    _same(call, view)
    if content["type"] != view.content["type"]:
        raise Refused.saying("invalid_arguments", ["a view keeps its type"])
    call.world.change_view(view, content)
    return {"view": view.json()}


def publish(call: Call) -> Json:
    """`views.publish`: a person's home tab of this app."""
    content = _content(call, "home")
    user = call.user("user_id")
    if user.team_id != call.installation.team_id:
        raise Refused("not_enabled")
    view = call.world.homes.get(user.id)
    if view is None:
        view = _home(call, user, content)
    else:
        _same(call, view)
        call.world.change_view(view, content)
    return {"view": view.json()}


def _home(call: Call, user: User, content: Json) -> View:
    view = call.world.new_view(user, call.installation, content)
    call.world.homes[user.id] = view
    call.world.feed.tell("view", view=view.id, user=user.id)
    return view


def _content(call: Call, kind: Surface | None) -> Json:
    """The view that was sent, checked.

    Raises:
        Refused: it is no view of that kind, or holds what Slack does not take.
    """
    content = call.args.get("view")
    if not isinstance(content, dict) or content.get("type") not in {"modal", "home"}:
        raise Refused.saying("invalid_arguments", ["must provide a view [json-pointer:/view]"])
    content = {name: value for name, value in content.items() if value is not None}
    if len(json.dumps(content)) > limits.VIEW_BYTES:
        raise Refused("view_too_large")
    found = violations(kind or content["type"], content)
    if found:
        raise Refused.saying("invalid_arguments", found)
    taken = call.world.find_view(None, content.get("external_id"))
    if taken is not None and kind is not None and content.get("external_id"):
        raise Refused("duplicate_external_id")
    return content


def _made(call: Call, trigger: Trigger, content: Json) -> View:
    user = call.world.users[trigger.user_id]
    return call.world.new_view(user, call.installation, content, trigger.channel_id)


def _trigger(call: Call) -> Trigger:
    """Take the trigger of what somebody did a moment ago. It opens one view."""
    trigger = call.world.triggers.get(call.text("trigger_id"))
    if trigger is None or trigger.installation is not call.installation:
        raise Refused("invalid_trigger_id")
    if trigger.used:
        raise Refused("exchanged_trigger_id")
    if call.world.clock() - trigger.made_at > call.hub.trigger_life_s:
        raise Refused("expired_trigger_id")
    trigger.used = True
    return trigger


def _same(call: Call, view: View) -> None:
    if call.text("hash") and call.text("hash") != view.hash:
        raise Refused("hash_conflict")
