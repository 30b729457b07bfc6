"""Plain values out of Teams' activities. Nothing behind this module sees an activity.

An activity was let in by the guard: Teams said it. What stands in it was written by people, and may
be anything.
"""

import datetime as dt
import html
import json
import re
from typing import Any, Final, Literal

from bot.teams.inbound.activity_guard import Json, tenant_of
from masis.conversation import MAX_FILES, ChatFile
from masis.domain import Value, opaque_id
from masis.text.characters import UNSTORABLE

_GUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MESSAGE: Final = re.compile(r"[A-Za-z0-9:_.|=-]{1,64}")
_CONVERSATION: Final = re.compile(r"[A-Za-z0-9:@._=-]{1,1024}")
_USER: Final = re.compile(r"[A-Za-z0-9:@._=-]{1,256}")
_VERB: Final = re.compile(r"[a-z_]{1,40}")
_THREAD: Final = ";messageid="
_AT: Final = re.compile(r"</?at\b[^<>]{0,100}>", re.IGNORECASE)
_MOST_NAME: Final = 200
_MOST_ENTITIES: Final = 100
_MOST_URL: Final = 4096
_MOST_FILE_NAME: Final = 255
_UNNAMED: Final = "file"
FILE: Final = "application/vnd.microsoft.teams.file.download.info"
"""The type of an attachment that is a file of a personal chat."""

Kind = Literal["channel", "personal", "group"]
_KINDS: Final[dict[str, Kind]] = {
    "channel": "channel",
    "personal": "personal",
    "groupChat": "group",
}


class Unreadable(ValueError):
    """An activity lacks what every one of its kind has; it is acknowledged and left alone."""


class Where(Value):
    """The place that an activity came from.

    `conversation` is without its thread, `thread` the id of the message that the thread hangs from,
    empty outside a channel. `group` is the team's id in Entra and `team` that in Teams, both empty
    outside a channel; messages and presses do not name the first.
    """

    tenant: str
    kind: Kind
    conversation: str
    thread: str = ""
    team: str = ""
    group: str = ""
    channel: str = ""
    """The channel that is spoken of, which may be another than the conversation's."""
    channel_type: str = ""
    service_url: str
    bot: str
    """The bot's own id in the conversation."""


class Person(Value):
    """Somebody of an Entra tenant: `id` is theirs there, `teams_id` that in Teams.

    The name decides nothing, and may be anything.
    """

    id: str
    teams_id: str
    name: str = ""


class FromTeams(Value):
    """Hold what every activity has. `id` is unique within its conversation alone.

    `sent_at` is by Teams' own clock, the same at each delivery.
    """

    where: Where
    person: Person
    id: str
    sent_at: dt.datetime | None = None


class Written(FromTeams):
    """A message to MASIS: it is mentioned, or the chat is with it alone.

    `replies_to` is the message that it quotes. `targeted`: nobody else sees it.
    """

    text: str
    replies_to: str = ""
    targeted: bool = False
    files: tuple[ChatFile, ...] = ()
    """Without an address where it cannot be had."""


class Pressed(FromTeams):
    """A button of a card (`Action.Execute`). What it carries says what is meant, never who may."""

    verb: str
    data: Json
    message: str = ""
    """The card's message."""


class Rated(FromTeams):
    """A thumb under an answer, with a reason where one was given."""

    good: bool
    reason: str = ""
    message: str = ""


class DialogOpened(FromTeams):
    """A button that wants a dialog."""

    data: Json
    message: str = ""


class DialogSent(FromTeams):
    """A dialog that was sent off."""

    data: Json
    message: str = ""


class Installed(FromTeams):
    """MASIS was put into a team or a personal chat, or taken out of it."""

    added: bool


class PlaceChanged(FromTeams):
    """Something befell the channel or its team: `event` is Teams' own word."""

    event: str


Heard = Written | Pressed | Rated | DialogOpened | DialogSent | Installed | PlaceChanged


def read(activity: Json) -> Heard | None:
    """Return what an activity says, None where nothing is said to MASIS.

    Raises:
        Unreadable: it lacks what every activity of its kind has.
    """
    match activity.get("type"):
        case "message":
            return _written(activity)
        case "invoke":
            return _invoked(activity)
        case "installationUpdate":
            return _installed(activity)
        case "conversationUpdate":
            return _changed(activity)
    return None


def is_invoke(activity: Json) -> bool:
    """Say whether the sender waits for a body."""
    return activity.get("type") == "invoke"


def _installed(activity: Json) -> Installed:
    action = str(activity.get("action")).removesuffix("-upgrade")
    if action not in {"add", "remove"}:
        raise Unreadable("neither added nor removed")
    return Installed(**_base(activity), added=action == "add")


def _changed(activity: Json) -> PlaceChanged | None:
    event = _object(activity, "channelData").get("eventType")
    is_named = isinstance(event, str) and event.isalpha() and len(event) <= _MOST_NAME
    return PlaceChanged(**_base(activity), event=str(event)) if is_named else None


# --- messages ------------------------------------------------------------------------------


def _written(activity: Json) -> Written | None:
    base = _base(activity)
    recipient = _object(activity, "recipient")
    mentions = _mentions(activity, str(recipient.get("id")))
    targeted = recipient.get("isTargeted") is True
    if base["where"].kind != "personal" and not mentions and not targeted:
        return None
    if activity.get("value") is not None and not _text(activity.get("text")).strip():
        return None  # a card's submission: ours are invokes, so this one is nobody's
    return Written(
        **base,
        text=said(_text(activity.get("text")), mentions),
        replies_to=_optional(activity.get("replyToId"), _MESSAGE),
        targeted=targeted,
        files=_files(activity, is_personal=base["where"].kind == "personal"),
    )


def _files(activity: Json, *, is_personal: bool) -> tuple[ChatFile, ...]:
    """Return what was sent with a message: files, and pictures that stand in its text."""
    sent = [
        each
        for each in _list(activity, "attachments")
        if each.get("contentType") == FILE or _text(each.get("contentType")).startswith("image/")
    ]
    return tuple(_file(each, is_personal=is_personal) for each in sent[:MAX_FILES])


def _file(attachment: Json, *, is_personal: bool) -> ChatFile:
    """A file by its address in a personal chat; of any other the name alone is known."""
    content = _object(attachment, "content")
    address = _text(content.get("downloadUrl"))
    is_known = is_personal and attachment.get("contentType") == FILE and len(address) <= _MOST_URL
    told = _text(attachment.get("name")).replace("\\", "/").rpartition("/")[2]
    name = "".join(each for each in told if each.isprintable()).strip()
    return ChatFile(
        id=opaque_id("f", _text(content.get("uniqueId")) or address or name),
        name=name[:_MOST_FILE_NAME] or _UNNAMED,
        address=address if is_known else "",
    )


def _mentions(activity: Json, bot: str) -> list[str]:
    """The texts by which MASIS is mentioned."""
    return [
        _text(each.get("text"))
        for each in _list(activity, "entities")
        if each.get("type") == "mention" and _object(each, "mentioned").get("id") == bot
    ]


def said(text: str, mentions: list[str]) -> str:
    """Return what somebody wrote, without the mentions of MASIS; others stay as names."""
    for mention in filter(None, mentions):
        text = text.replace(mention, " ")
    plain = html.unescape(_AT.sub("", text)).replace("\u00a0", " ")
    return UNSTORABLE.sub("", plain).replace("\r\n", "\n").strip()


# --- invokes -------------------------------------------------------------------------------


def _invoked(activity: Json) -> Heard | None:
    match activity.get("name"):
        case "adaptiveCard/action":
            return _pressed(activity)
        case "message/submitAction":
            return _rated(activity)
        case "task/fetch":
            return DialogOpened(**_base(activity), data=_dialog_data(activity), **_of(activity))
        case "task/submit":
            return DialogSent(**_base(activity), data=_dialog_data(activity), **_of(activity))
    return None


def _pressed(activity: Json) -> Pressed:
    action = _object(_object(activity, "value"), "action")
    return Pressed(
        **_base(activity),
        verb=_required(action.get("verb"), _VERB),
        data=_object(action, "data"),
        **_of(activity),
    )


def _rated(activity: Json) -> Rated:
    value = _object(activity, "value")
    given = _object(value, "actionValue")
    reaction = _text(given.get("reaction"))
    if value.get("actionName") != "feedback" or reaction not in {"like", "dislike"}:
        raise Unreadable("no vote")
    return Rated(
        **_base(activity),
        good=reaction == "like",
        reason=_reason(given.get("feedback")),
        **_of(activity),
    )


def _reason(feedback: object) -> str:
    """Return the words of a vote, which come as JSON in a string."""
    try:
        given = json.loads(_text(feedback))
    except (ValueError, RecursionError):
        return ""
    return _text(given.get("feedbackText")) if isinstance(given, dict) else ""


def _dialog_data(activity: Json) -> Json:
    return _object(_object(activity, "value"), "data")


def _of(activity: Json) -> dict[str, str]:
    return {"message": _optional(activity.get("replyToId"), _MESSAGE)}


# --- what every activity has ---------------------------------------------------------------


def _base(activity: Json) -> dict[str, Any]:
    return {
        "where": _where(activity),
        "person": _person(_object(activity, "from")),
        "id": _required(activity.get("id"), _MESSAGE),
        "sent_at": _moment(activity.get("timestamp")),
    }


def _where(activity: Json) -> Where:
    conversation = _object(activity, "conversation")
    kind = _KINDS.get(str(conversation.get("conversationType")))
    if kind is None:
        raise Unreadable("no kind of conversation")
    whole = conversation.get("id")
    name, _, thread = whole.partition(_THREAD) if isinstance(whole, str) else ("", "", "")
    data = _object(activity, "channelData")
    team, channel = _object(data, "team"), _object(data, "channel")
    is_channel = kind == "channel"
    return Where(
        tenant=_required(tenant_of(activity), _GUID),
        kind=kind,
        conversation=_required(name, _CONVERSATION),
        thread=_required(thread, _MESSAGE) if is_channel and thread else "",
        team=_optional(team.get("id") or data.get("teamsTeamId"), _CONVERSATION)
        if is_channel
        else "",
        group=_optional(_lower(team.get("aadGroupId")), _GUID) if is_channel else "",
        channel=_optional(channel.get("id"), _CONVERSATION) if is_channel else "",
        channel_type=_text(channel.get("type"))[:_MOST_NAME] if is_channel else "",
        service_url=_text(activity.get("serviceUrl")),
        bot=_required(_object(activity, "recipient").get("id"), _USER),
    )


def _person(sender: Json) -> Person:
    if sender.get("role") == "bot":
        raise Unreadable("a bot")
    return Person(
        id=_required(_lower(sender.get("aadObjectId")), _GUID),
        teams_id=_required(sender.get("id"), _USER),
        name=_text(sender.get("name"))[:_MOST_NAME],
    )


def _moment(value: object) -> dt.datetime | None:
    """Return a moment that names its zone; None for what is none."""
    try:
        moment = dt.datetime.fromisoformat(value) if isinstance(value, str) else None
        return moment.astimezone(dt.UTC) if moment and moment.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _object(value: Json, name: str) -> Json:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _list(value: Json, name: str) -> list[Json]:
    found = value.get(name)
    listed = found[:_MOST_ENTITIES] if isinstance(found, list) else []
    return [each for each in listed if isinstance(each, dict)]


def _text(value: object) -> str:
    return UNSTORABLE.sub("", value) if isinstance(value, str) else ""


def _lower(value: object) -> str:
    return value.lower() if isinstance(value, str) else ""


def _required(value: object, form: re.Pattern[str]) -> str:
    if not isinstance(value, str) or not form.fullmatch(value):
        raise Unreadable("an id is missing or none")
    return value


def _optional(value: object, form: re.Pattern[str]) -> str:
    return value if isinstance(value, str) and form.fullmatch(value) else ""
