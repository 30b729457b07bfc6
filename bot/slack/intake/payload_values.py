"""Plain values out of Slack's payloads. Nothing behind this module sees a payload or a request."""

import re
from dataclasses import dataclass
from typing import Any, Final

from slack_bolt.async_app import AsyncBoltContext

from masis.conversation import MAX_FILES, ChatFile, Tenant
from masis.text.characters import UNSTORABLE

_ID: Final = re.compile(r"[A-Z0-9]{1,32}")
_TS: Final = re.compile(r"[0-9]{1,16}\.[0-9]{1,10}")
_MAX_KEY: Final = 200

Json = dict[str, Any]


class Unreadable(ValueError):
    """A payload lacks what every payload of its kind has; it is acknowledged and left alone."""


def tenant_of(context: AsyncBoltContext) -> Tenant:
    """The team that the app was installed in, which is whose data may be touched.

    Raises:
        Unreadable: the payload names no team and no enterprise.
    """
    return a_tenant(context.enterprise_id, context.team_id)


def a_tenant(enterprise: object, team: object) -> Tenant:
    """The tenant of these ids, either of which may be missing.

    Raises:
        Unreadable: both are, or one is no id.
    """
    if not (enterprise or team):
        raise Unreadable("no team")
    return Tenant(
        enterprise=an_id(enterprise) if enterprise else "", team=an_id(team) if team else ""
    )


def an_id(value: object) -> str:
    """A Slack id.

    Raises:
        Unreadable: it is none.
    """
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise Unreadable("no id")
    return value


def a_ts(value: object) -> str:
    """A message's ts; empty for what is none."""
    return value if isinstance(value, str) and _TS.fullmatch(value) else ""


def text(value: object) -> str:
    """A text; empty for what is none.

    Halves of surrogate pairs, which JSON can spell, and NUL cannot be stored: neither is kept.
    """
    return UNSTORABLE.sub("", value) if isinstance(value, str) else ""


def ids(value: object) -> list[str]:
    """The Slack ids in a list."""
    each = value if isinstance(value, list) else []
    return [one for one in each if isinstance(one, str) and _ID.fullmatch(one)]


def an_object(value: object) -> Json:
    """A JSON object; an empty one for what is none."""
    return value if isinstance(value, dict) else {}


def objects(value: object) -> list[Json]:
    """The JSON objects in a list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def a_key(value: object) -> str:
    """A key of Slack's, cut to what is stored.

    Raises:
        Unreadable: there is none.
    """
    key = text(value)[:_MAX_KEY]
    if not key:
        raise Unreadable("no key")
    return key


@dataclass(frozen=True, slots=True)
class Slash:
    """A slash command."""

    tenant: Tenant
    channel: str
    user: str
    text: str
    trigger: str
    response_url: str
    direct: bool

    @classmethod
    def of(cls, body: Json, context: AsyncBoltContext) -> "Slash":
        """Read one; a direct message with the bot has no channel of its own name.

        Raises:
            Unreadable: it is none.
        """
        channel = an_id(body.get("channel_id"))
        return cls(
            tenant=tenant_of(context),
            channel=channel,
            user=an_id(body.get("user_id")),
            text=text(body.get("text")),
            trigger=a_key(body.get("trigger_id")),
            response_url=text(body.get("response_url")),
            direct=channel.startswith("D"),
        )


@dataclass(frozen=True, slots=True)
class Said:
    """A message that somebody wrote."""

    tenant: Tenant
    channel: str
    user: str
    text: str
    ts: str
    thread: str
    """Empty for a message that stands in the channel itself."""
    direct: bool
    files: tuple[ChatFile, ...] = ()

    @property
    def root(self) -> str:
        """Return the root that an answer is posted below: the thread, or the message itself."""
        return self.thread or self.ts

    @classmethod
    def of(cls, event: Json, context: AsyncBoltContext) -> "Said | None":
        """Read a message or mention; None for what starts nothing.

        That is: edits, unfurls, deletions, hidden and ephemeral ones, and whatever a bot posted.
        Two subtypes are people writing: a message with files, and a reply that is shown in the
        channel as well.

        Raises:
            Unreadable: it is no message.
        """
        subtype = event.get("subtype")
        if subtype is not None and text(subtype) not in {"file_share", "thread_broadcast"}:
            return None
        if event.get("bot_id") or event.get("bot_profile") or event.get("hidden"):
            return None
        if event.get("edited") or not event.get("user"):
            return None
        thread, ts = a_ts(event.get("thread_ts")), a_ts(event.get("ts"))
        if not ts:
            raise Unreadable("no ts")
        return cls(
            tenant=tenant_of(context),
            channel=an_id(event.get("channel")),
            user=an_id(event.get("user")),
            text=text(event.get("text")),
            ts=ts,
            thread="" if thread == ts else thread,
            direct=event.get("channel_type") == "im" or text(event.get("channel")).startswith("D"),
            files=_named_files(event),
        )


@dataclass(frozen=True, slots=True)
class Click:
    """A button, a menu or a vote under a message, in a form or on the home tab."""

    tenant: Tenant
    user: str
    action: str
    value: str
    key: str
    """The same for a repeated delivery of the same click."""
    trigger: str
    channel: str = ""
    message: str = ""
    thread: str = ""
    view: str = ""
    response_url: str = ""

    @classmethod
    def of(cls, body: Json, action: Json, context: AsyncBoltContext) -> "Click":
        """Read one.

        Raises:
            Unreadable: it is none.
        """
        container = an_object(body.get("container"))
        message = an_object(body.get("message"))
        user = an_id(an_object(body.get("user")).get("id"))
        channel = text(an_object(body.get("channel")).get("id")) or text(
            container.get("channel_id")
        )
        ts = a_ts(message.get("ts")) or a_ts(container.get("message_ts"))
        return cls(
            tenant=tenant_of(context),
            user=user,
            action=text(action.get("action_id")),
            value=_chosen(action),
            key=a_key(f"{ts}:{text(action.get('action_ts'))}:{user}"),
            trigger=text(body.get("trigger_id")),
            channel=an_id(channel) if channel else "",
            message=ts,
            thread=a_ts(message.get("thread_ts")) or a_ts(container.get("thread_ts")),
            view=text(an_object(body.get("view")).get("id")),
            response_url=text(body.get("response_url")),
        )


def _files(holder: Json) -> tuple[str, ...]:
    """The ids of the files of a message or an input."""
    return tuple(ids([each.get("id") for each in objects(holder.get("files"))]))


def _named_files(message: Json) -> tuple[ChatFile, ...]:
    """The files of a message, each with its name where that is told."""
    listed = objects(message.get("files"))
    given = {each["id"]: each for each in listed if ids([each.get("id")])}
    return tuple(ChatFile(id=id_, name=_file_name(each)) for id_, each in given.items())[:MAX_FILES]


def _file_name(file: Json) -> str:
    return (text(file.get("name")) or text(file.get("title")))[:_MAX_KEY]


def _chosen(action: Json) -> str:
    """Return what a button carries, or the chosen option of a menu."""
    option = an_object(action.get("selected_option"))
    return text(action.get("value")) or text(option.get("value"))


@dataclass(frozen=True, slots=True)
class Submitted:
    """A form that was sent."""

    tenant: Tenant
    user: str
    view: str
    private: str
    values: Json
    """By block id, what its one element holds."""

    @classmethod
    def of(cls, body: Json, context: AsyncBoltContext) -> "Submitted":
        """Read one.

        Raises:
            Unreadable: it is none.
        """
        view = an_object(body.get("view"))
        state = an_object(an_object(view.get("state")).get("values"))
        return cls(
            tenant=tenant_of(context),
            user=an_id(an_object(body.get("user")).get("id")),
            view=a_key(view.get("id")),
            private=text(view.get("private_metadata")),
            values={
                block: next(iter(elements.values()), {})
                for block, elements in state.items()
                if isinstance(elements, dict)
            },
        )

    def typed(self, block: str) -> str:
        """Return what somebody typed there, or the one they chose; empty for nothing."""
        element = an_object(self.values.get(block))
        option = text(an_object(element.get("selected_option")).get("value"))
        picked = text(element.get("selected_conversation")) or text(element.get("selected_channel"))
        return text(element.get("value")).strip() or option or picked

    def several(self, block: str) -> list[str]:
        """List what somebody ticked or picked there."""
        element = an_object(self.values.get(block))
        ticked = [text(each.get("value")) for each in objects(element.get("selected_options"))]
        users = ids(element.get("selected_users"))
        return [each for each in (*ticked, *users, *_files(element)) if each]


def inputs_of(body: Json) -> list[str]:
    """The block ids of a form's fields, from top to bottom."""
    blocks = objects(an_object(body.get("view")).get("blocks"))
    return [text(block.get("block_id")) for block in blocks if block.get("type") == "input"]


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A message shortcut."""

    tenant: Tenant
    user: str
    channel: str
    trigger: str
    response_url: str
    key: str
    message: str
    thread: str
    text: str
    files: tuple[str, ...]

    @classmethod
    def of(cls, body: Json, context: AsyncBoltContext) -> "Shortcut":
        """Read one.

        Raises:
            Unreadable: it is none.
        """
        message = an_object(body.get("message"))
        user = an_id(an_object(body.get("user")).get("id"))
        ts = a_ts(message.get("ts"))
        return cls(
            tenant=tenant_of(context),
            user=user,
            channel=an_id(an_object(body.get("channel")).get("id")),
            trigger=text(body.get("trigger_id")),
            response_url=text(body.get("response_url")),
            key=a_key(f"{ts}:{text(body.get('action_ts'))}:{user}"),
            message=ts,
            thread=a_ts(message.get("thread_ts")) or ts,
            text=text(message.get("text")),
            files=_files(message),
        )
