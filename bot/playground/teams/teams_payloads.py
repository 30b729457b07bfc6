"""Activities as Teams sends them."""

import copy
from typing import Any, Final

from bot.playground.teams.issuer import APP, HOME

SERVICE: Final = "http://127.0.0.1:9/amer/"
BOT: Final = f"28:{APP}"
GROUP: Final = "bbbbbbbb-0000-0000-0000-000000000001"
ANN: Final = "cccccccc-0000-0000-0000-000000000001"
BEN: Final = "cccccccc-0000-0000-0000-000000000002"
CHANNEL: Final = "19:general@thread.tacv2"
CHAT: Final = "a:1personal-chat-of-ann"
ROOT: Final = "1700000000001"

Json = dict[str, Any]


def person(user: str = ANN, name: str = "Ann Example") -> Json:
    """Return the sender of an activity."""
    return {"id": f"29:{user[-4:]}", "name": name, "aadObjectId": user}


def activity(kind: str, **over: Any) -> Json:
    """What Teams sends. Messages and presses name the team by its id in Teams alone."""
    team = {"id": "19:team@thread.tacv2"}
    if kind not in {"message", "invoke"}:
        team["aadGroupId"] = GROUP
    base: Json = {
        "type": kind,
        "id": "1700000000002",
        "channelId": "msteams",
        "serviceUrl": SERVICE,
        "from": person(),
        "recipient": {"id": BOT, "name": "MASIS"},
        "conversation": {
            "conversationType": "channel",
            "id": f"{CHANNEL};messageid={ROOT}",
            "tenantId": HOME,
            "isGroup": True,
        },
        "channelData": {
            "tenant": {"id": HOME},
            "team": team,
            "channel": {"id": CHANNEL, "type": "standard"},
        },
    }
    return copy.deepcopy(base | over)


def mention(text: str = "How long is leave?", **over: Any) -> Json:
    """Return a message that mentions MASIS in a thread of the channel."""
    at = "<at>MASIS</at>"
    entity = {"type": "mention", "text": at, "mentioned": {"id": BOT, "name": "MASIS"}}
    return activity("message", **{"text": f"{at} {text}", "entities": [entity], **over})


def personal(text: str = "How long is leave?", **over: Any) -> Json:
    """Return a message in somebody's own chat with MASIS."""
    there = {"conversationType": "personal", "id": CHAT, "tenantId": HOME}
    data = {"tenant": {"id": HOME}}
    return activity("message", **{"text": text, "conversation": there, "channelData": data, **over})


def pressed(verb: str, data: Json | None = None, **over: Any) -> Json:
    """Return the press of a card's button."""
    value = {"action": {"type": "Action.Execute", "verb": verb, "data": data or {}}}
    given = {"name": "adaptiveCard/action", "value": value, "replyToId": "1700000000003"}
    return activity("invoke", **{**given, **over})


def rated(reaction: str = "like", feedback: str = "{}", **over: Any) -> Json:
    """Return a thumb under an answer."""
    value = {
        "actionName": "feedback",
        "actionValue": {"reaction": reaction, "feedback": feedback},
    }
    return activity("invoke", name="message/submitAction", value=value, **over)


def dialog(name: str, data: Json, **over: Any) -> Json:
    """Return what opens a dialog, or sends it off."""
    return activity("invoke", name=name, value={"data": data, "context": {"theme": "dark"}}, **over)
