"""Plain values out of Slack's payloads. Nothing behind this module sees a payload or a request."""

import re
from dataclasses import dataclass
from typing import Any, Final

from slack_bolt.async_app import AsyncBoltContext

from masis.conversation import Tenant

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
    tenant = Tenant(enterprise=context.enterprise_id or "", team=context.team_id or "")
    if not (tenant.enterprise or tenant.team):
        raise Unreadable("no team")
    return tenant


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
    """A text; empty for what is none."""
    return value if isinstance(value, str) else ""


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
    if not isinstance(value, str) or not value:
        raise Unreadable("no key")
    return value[:_MAX_KEY]


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
    files: tuple[str, ...] = ()

    @property
    def root(self) -> str:
        """What an answer hangs from: the thread, or the message itself."""
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
        if subtype not in {None, "file_share", "thread_broadcast"}:
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
            files=tuple(file["id"] for file in objects(event.get("files")) if text(file.get("id"))),
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


def _chosen(action: Json) -> str:
    """What a button carries, or the chosen option of a menu."""
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
        """What somebody typed there, or the one they chose; empty for nothing."""
        element = an_object(self.values.get(block))
        option = text(an_object(element.get("selected_option")).get("value"))
        picked = text(element.get("selected_conversation")) or text(element.get("selected_channel"))
        return text(element.get("value")).strip() or option or picked

    def several(self, block: str) -> list[str]:
        """What somebody ticked or picked there."""
        element = an_object(self.values.get(block))
        ticked = [text(each.get("value")) for each in objects(element.get("selected_options"))]
        users = element.get("selected_users") or []
        files = [text(each.get("id")) for each in objects(element.get("files"))]
        return [each for each in (*ticked, *users, *files) if isinstance(each, str) and each]


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
            files=tuple(f["id"] for f in objects(message.get("files")) if text(f.get("id"))),
        )
