"""The nouns of the world, and how Slack writes each as JSON."""

from dataclasses import dataclass, field
from typing import Any, Final, Literal

Json = dict[str, Any]

Role = Literal["member", "admin", "owner", "guest", "single_channel_guest", "bot"]
ChannelKind = Literal["public", "private", "im"]
ViewKind = Literal["modal", "home"]

CHANNEL_TYPES: Final = {"public": "channel", "private": "group", "im": "im"}
"""What an event's `channel_type` says."""

PRETTY: Final = {"pdf": "PDF", "md": "Markdown", "txt": "Plain Text", "docx": "Word Document"}


@dataclass
class Team:
    """A workspace, in an enterprise or alone."""

    id: str
    name: str
    enterprise_id: str | None = None
    enterprise_name: str | None = None

    @property
    def domain(self) -> str:
        """The first part of its address."""
        return self.name.lower().replace(" ", "-")

    def json(self) -> Json:
        """As `team.info` gives it."""
        told: Json = {"id": self.id, "name": self.name, "domain": self.domain}
        if self.enterprise_id:
            told |= {"enterprise_id": self.enterprise_id, "enterprise_name": self.enterprise_name}
        return told


@dataclass
class User:
    """Somebody of a team: a person or a bot."""

    id: str
    team_id: str
    name: str
    role: Role = "member"
    deleted: bool = False
    bot_id: str | None = None

    @property
    def shown(self) -> str:
        """The name that people see."""
        return self.name if self.name.isupper() else self.name.replace("_", " ").title()

    def json(self) -> Json:
        """As `users.list` gives it."""
        guest = self.role in {"guest", "single_channel_guest"}
        return {
            "id": self.id,
            "team_id": self.team_id,
            "name": self.name,
            "deleted": self.deleted,
            "real_name": self.shown,
            "tz": "Europe/London",
            "tz_label": "Greenwich Mean Time",
            "tz_offset": 0,
            "profile": {
                "real_name": self.shown,
                "display_name": self.shown,
                "team": self.team_id,
                **({"bot_id": self.bot_id} if self.bot_id else {}),
            },
            "is_admin": self.role in {"admin", "owner"},
            "is_owner": self.role == "owner",
            "is_primary_owner": False,
            "is_restricted": guest,
            "is_ultra_restricted": self.role == "single_channel_guest",
            "is_bot": self.role == "bot",
            "is_app_user": False,
            "updated": 0,
        }


@dataclass
class Message:
    """A message that everybody sees, or one person alone (`only_for`)."""

    ts: str
    channel_id: str
    team_id: str
    text: str
    user_id: str | None = None
    bot_id: str | None = None
    app_id: str | None = None
    blocks: list[Json] = field(default_factory=list)
    attachments: list[Json] = field(default_factory=list)
    files: list["File"] = field(default_factory=list)
    metadata: Json | None = None
    thread_ts: str | None = None
    subtype: str | None = None
    client_msg_id: str | None = None
    only_for: str | None = None
    edited_ts: str | None = None
    editor_id: str | None = None
    reactions: dict[str, list[str]] = field(default_factory=dict)
    streaming: bool = False
    stopped: bool = False
    broadcast: bool = False

    @property
    def root_ts(self) -> str:
        """The thread it is in, or would begin."""
        return self.thread_ts or self.ts

    @property
    def is_reply(self) -> bool:
        """Say whether the message stands in another message's thread."""
        return self.thread_ts is not None and self.thread_ts != self.ts

    def json(self, *, metadata: bool = False) -> Json:
        """As history and events give it."""
        told: Json = {"type": "message", "text": self.text, "ts": self.ts, "team": self.team_id}
        optional = {
            "user": self.user_id,
            "bot_id": self.bot_id,
            "app_id": self.app_id,
            "subtype": self.subtype,
            "thread_ts": self.thread_ts,
            "client_msg_id": self.client_msg_id,
            "blocks": self.blocks or None,
            "attachments": self.attachments or None,
            "files": [file.json() for file in self.files] or None,
            "metadata": self.metadata if metadata else None,
        }
        told |= {name: value for name, value in optional.items() if value is not None}
        if self.edited_ts:
            told["edited"] = {"user": self.editor_id or self.user_id, "ts": self.edited_ts}
        if self.reactions:
            told["reactions"] = [
                {"name": name, "users": list(users), "count": len(users)}
                for name, users in self.reactions.items()
            ]
        return told


@dataclass
class Channel:
    """A conversation. `connected` names the other teams it is shared with."""

    id: str
    team_id: str
    name: str
    kind: ChannelKind = "public"
    topic: str = ""
    members: list[str] = field(default_factory=list)
    is_archived: bool = False
    connected: list[str] = field(default_factory=list)
    created: int = 0
    messages: dict[str, Message] = field(default_factory=dict)

    @property
    def is_shared(self) -> bool:
        """Say whether people of another organisation are in the channel."""
        return bool(self.connected)

    def replies(self, root_ts: str) -> list[Message]:
        """List the messages of a thread, without its root."""
        return [m for m in self.messages.values() if m.is_reply and m.thread_ts == root_ts]

    def json(self, asker_id: str) -> Json:
        """As `conversations.info` gives it to that user."""
        told: Json = {
            "id": self.id,
            "created": self.created,
            "is_archived": self.is_archived,
            "is_im": self.kind == "im",
            "is_mpim": False,
            "is_org_shared": False,
            "context_team_id": self.team_id,
            "updated": self.created,
        }
        if self.kind == "im":
            return told | {"user": next((m for m in self.members if m != asker_id), asker_id)}
        return told | {
            "name": self.name,
            "name_normalized": self.name,
            "is_channel": self.kind == "public",
            "is_group": self.kind == "private",
            "is_private": self.kind == "private",
            "is_general": False,
            "is_shared": self.is_shared,
            "is_ext_shared": self.is_shared,
            "is_pending_ext_shared": False,
            "shared_team_ids": [self.team_id, *self.connected],
            "is_member": asker_id in self.members,
            "topic": {"value": self.topic, "creator": "", "last_set": 0},
            "purpose": {"value": "", "creator": "", "last_set": 0},
        }


@dataclass
class File:
    """A file. What is served may differ from what is told: more bytes, a redirect, another host."""

    id: str
    team_id: str
    name: str
    content: bytes
    user_id: str
    url: str
    mode: Literal["hosted", "external", "snippet"] = "hosted"
    mimetype: str = "application/octet-stream"
    title: str = ""
    created: int = 0
    told_size: int | None = None
    served_size: int | None = None
    redirect_to: str | None = None
    status: int = 200
    external_url: str | None = None
    hidden: bool = False
    deleted: bool = False
    channels: list[str] = field(default_factory=list)
    given_to: list[str] = field(default_factory=list)
    """Bots that were given it in a form."""

    @property
    def kind(self) -> str:
        """Its extension."""
        return self.name.rpartition(".")[2].lower() if "." in self.name else "binary"

    def json(self, *, full: bool = False) -> Json:
        """As messages and `files.info` give it.

        Of a file that came over Slack Connect a message tells the id alone (`check_file_info`).
        """
        if self.hidden and not full:
            return {"id": self.id, "mode": "hosted", "file_access": "check_file_info"}
        url = self.external_url or self.url
        size = len(self.content) if self.told_size is None else self.told_size
        return {
            "id": self.id,
            "created": self.created,
            "timestamp": self.created,
            "name": self.name,
            "title": self.title or self.name,
            "mimetype": self.mimetype,
            "filetype": self.kind,
            "pretty_type": PRETTY.get(self.kind, self.kind.upper()),
            "user": self.user_id,
            "user_team": self.team_id,
            "mode": self.mode,
            "editable": False,
            "size": size,
            "is_external": self.mode == "external",
            "external_type": "gdrive" if self.mode == "external" else "",
            "is_public": False,
            "public_url_shared": False,
            "url_private": url,
            "url_private_download": f"{url}?download=1" if self.mode != "external" else url,
            "file_access": "visible",
            **({"channels": list(self.channels)} if full else {}),
        }


@dataclass
class View:
    """A modal in somebody's stack, or their home tab."""

    id: str
    team_id: str
    user_id: str
    installed_team_id: str
    bot_id: str
    app_id: str
    content: Json
    hash: str
    root_id: str
    previous_id: str | None = None
    external_id: str = ""
    opened_in: str | None = None
    values: Json = field(default_factory=dict)

    @property
    def blocks(self) -> list[Json]:
        """Return the blocks that the view shows."""
        return list(self.content.get("blocks") or [])

    def json(self) -> Json:
        """As the Web API and interactions give it."""
        content = self.content
        return {
            "id": self.id,
            "team_id": self.team_id,
            "type": content["type"],
            "blocks": self.blocks,
            "private_metadata": content.get("private_metadata") or "",
            "callback_id": content.get("callback_id") or "",
            "state": {"values": self.values},
            "hash": self.hash,
            "title": content.get("title"),
            "clear_on_close": bool(content.get("clear_on_close")),
            "notify_on_close": bool(content.get("notify_on_close")),
            "close": content.get("close"),
            "submit": content.get("submit"),
            "previous_view_id": self.previous_id,
            "root_view_id": self.root_id,
            "app_id": self.app_id,
            "external_id": self.external_id,
            "app_installed_team_id": self.installed_team_id,
            "bot_id": self.bot_id,
        }


@dataclass
class AgentThread:
    """Hold what the agent methods have said about one thread."""

    channel_id: str
    thread_ts: str | None
    status: str = ""
    title: str = ""
    initiator_id: str | None = None
    loading: str = ""
    prompts: list[Json] = field(default_factory=list)
