"""The app as its settings have it, as it is installed, and what its callers show."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self


@dataclass
class Installation:
    """The app in one team."""

    team_id: str
    enterprise_id: str | None
    bot_user_id: str
    bot_id: str
    installer_id: str
    scopes: tuple[str, ...]
    removed: bool = False


@dataclass
class Token:
    """Hold the token that a caller shows. Times are the world's clock, in seconds."""

    value: str
    kind: Literal["bot", "app"]
    installation: Installation | None = None
    expires_at: float | None = None
    revoked: bool = False


@dataclass
class Trigger:
    """Hold the trigger that lets an app open a view in answer to what somebody did."""

    id: str
    user_id: str
    made_at: float
    installation: Installation
    channel_id: str | None = None
    used: bool = False


@dataclass
class ResponseAddress:
    """A `response_url`: where an app may answer what somebody did, a few times."""

    id: str
    installation: Installation
    user_id: str
    channel_id: str
    made_at: float
    message_ts: str | None = None
    thread_ts: str | None = None
    uses: int = 0


@dataclass
class AppConfig:
    """The app as its settings page at Slack would have it."""

    name: str = "MASIS"
    id: str = "A0MASIS001"
    client_id: str = "1111.2222"
    client_secret: str = "local-client-secret"  # of a stand-in on loopback
    signing_secret: str = "local-signing-secret"
    app_token: str = "xapp-1-A0MASIS001-local"
    scopes: tuple[str, ...] = (
        "app_mentions:read",
        "assistant:write",
        "channels:history",
        "channels:read",
        "chat:write",
        "commands",
        "files:read",
        "files:write",
        "groups:history",
        "groups:read",
        "im:history",
        "im:read",
        "users:read",
    )
    events: tuple[str, ...] = (
        "agent_session_stopped",
        "app_home_opened",
        "app_mention",
        "app_uninstalled",
        "channel_archive",
        "channel_shared",
        "group_archive",
        "message.channels",
        "message.groups",
        "message.im",
        "tokens_revoked",
    )
    commands: tuple[str, ...] = ("/masis",)
    is_agent: bool = True
    rotates_tokens: bool = False

    @classmethod
    def of(cls, manifest: Mapping[str, Any]) -> Self:
        """The app that a manifest describes."""
        features, settings = manifest["features"], manifest["settings"]
        return cls(
            name=features["bot_user"]["display_name"],
            scopes=tuple(manifest["oauth_config"]["scopes"]["bot"]),
            events=tuple(settings["event_subscriptions"]["bot_events"]),
            commands=tuple(each["command"] for each in features["slash_commands"]),
            is_agent="agent_view" in features,
            rotates_tokens=settings["token_rotation_enabled"],
        )
