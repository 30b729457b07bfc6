"""The Web API methods that the stand-in speaks: what each takes, needs and answers when it refuses.

An argument that stands neither here nor in `EVERYWHERE` is refused, so that a misspelling is found.
Rates stand in `bot.slack.limits.RATES`.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

Kind = Literal["string", "boolean", "number", "json"]
"""`json` may come as JSON or, in a form, as a string that holds it."""

EVERYWHERE: Final = frozenset({"token", "team_id"})
"""Every method takes its token as an argument; Bolt's client adds the team to every JSON body."""

GENERAL_ERRORS: Final = frozenset(
    {
        "access_denied",
        "account_inactive",
        "fatal_error",
        "internal_error",
        "invalid_arguments",
        "invalid_auth",
        "invalid_json",
        "json_not_object",
        "missing_argument",
        "missing_scope",
        "not_allowed_token_type",
        "not_authed",
        "ratelimited",
        "token_expired",
        "token_revoked",
        "unknown_method",
    }
)
"""What any method may answer."""

Needs = Literal["bot", "app", "none"]
"""Whose token a method wants."""


class Method(NamedTuple):
    """Describe what a method takes and needs.

    Of `scopes` one is enough; of its arguments all `required` ones are needed.
    """

    args: Mapping[str, Kind]
    required: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    needs: Needs = "bot"


def _args(text: str, **others: Kind) -> dict[str, Kind]:
    """Arguments that are strings, named in one text, and others by their kind."""
    strings: dict[str, Kind] = dict.fromkeys(text.split(), "string")
    return strings | others


_READ: Final = ("channels:read", "groups:read", "im:read", "mpim:read")
_HISTORY: Final = ("channels:history", "groups:history", "im:history", "mpim:history")
_WRITTEN: Final = (
    "channel_not_found",
    "invalid_blocks",
    "invalid_blocks_format",
    "markdown_text_conflict",
    "msg_too_long",
    "no_text",
)
_METADATA: Final = ("invalid_metadata_format", "metadata_too_large")
_VIEW: Final = ("duplicate_external_id", "view_too_large")
_TRIGGER: Final = ("exchanged_trigger_id", "expired_trigger_id", "invalid_trigger_id")
_PAGES: Final = ("invalid_cursor",)
_STREAM: Final = (
    "channel_not_found",
    "invalid_blocks",
    "invalid_chunks",
    "is_archived",
    "msg_blocks_too_long",
    "no_text",
    "not_in_channel",
)
_STREAMING: Final = (
    *_STREAM,
    "message_not_found",
    "message_not_in_streaming_state",
    "message_not_owned_by_app",
)

METHODS: Final[Mapping[str, Method]] = {
    "agents.sessions.rename": Method(
        _args("channel_id thread_ts title"),
        ("title",),
        ("chat:write",),
        ("channel_not_found", "not_authorized", "session_not_found", "title_too_long"),
    ),
    "agents.sessions.setStatus": Method(
        _args("channel_id thread_ts status title initiator_user_id icon_emoji icon_url username"),
        ("status",),
        ("chat:write",),
        (
            "channel_not_found",
            "invalid_status",
            "not_authorized",
            "thread_not_found",
            "title_too_long",
        ),
    ),
    "apps.connections.open": Method({}, errors=("forbidden_team",), needs="app"),
    "apps.uninstall": Method(
        _args("client_id client_secret"),
        ("client_id", "client_secret"),
        errors=("bad_client_secret", "client_id_token_mismatch", "invalid_client_id"),
    ),
    "assistant.threads.setStatus": Method(
        _args("channel_id thread_ts status icon_emoji icon_url username", loading_messages="json"),
        ("channel_id", "thread_ts", "status"),
        ("chat:write",),
        ("channel_not_found", "invalid_thread_ts"),
    ),
    "assistant.threads.setSuggestedPrompts": Method(
        _args("channel_id thread_ts title", prompts="json"),
        ("channel_id", "prompts"),
        ("assistant:write",),
        ("channel_not_found", "invalid_thread_ts"),
    ),
    "assistant.threads.setTitle": Method(
        _args("channel_id thread_ts title"),
        ("channel_id", "thread_ts", "title"),
        ("assistant:write",),
        ("channel_not_found", "invalid_thread_ts"),
    ),
    "auth.revoke": Method({"test": "boolean"}),
    "auth.test": Method({}),
    "blocks.validate": Method(
        {"blocks": "json", "message": "json", "view": "json"},
        errors=("invalid_blocks", "invalid_message", "invalid_view"),
    ),
    "bots.info": Method(_args("bot"), scopes=("users:read",), errors=("bot_not_found",)),
    "chat.appendStream": Method(
        _args("channel ts markdown_text", chunks="json"),
        ("channel", "ts"),
        ("chat:write",),
        (*_STREAMING, "stopped_by_user"),
    ),
    "chat.delete": Method(
        _args("channel ts", as_user="boolean"),
        ("channel", "ts"),
        ("chat:write",),
        ("cant_delete_message", "channel_not_found", "message_not_found"),
    ),
    "chat.getPermalink": Method(
        _args("channel message_ts"),
        ("channel", "message_ts"),
        errors=("channel_not_found", "message_not_found"),
    ),
    "chat.postEphemeral": Method(
        _args(
            "channel user icon_emoji icon_url markdown_text parse text thread_ts username",
            as_user="boolean",
            attachments="json",
            blocks="json",
            link_names="boolean",
        ),
        ("channel", "user"),
        ("chat:write",),
        (
            *_WRITTEN,
            "cannot_reply_to_message",
            "is_archived",
            "not_in_channel",
            "user_not_in_channel",
        ),
    ),
    "chat.postMessage": Method(
        _args(
            "channel client_msg_id current_draft_last_updated_ts icon_emoji icon_url markdown_text"
            " parse text thread_ts username",
            as_user="boolean",
            attachments="json",
            blocks="json",
            link_names="boolean",
            metadata="json",
            mrkdwn="boolean",
            reply_broadcast="boolean",
            unfurl_links="boolean",
            unfurl_media="boolean",
        ),
        ("channel",),
        ("chat:write",),
        (*_WRITTEN, *_METADATA, "cannot_reply_to_message", "is_archived", "not_in_channel"),
    ),
    "chat.startStream": Method(
        _args(
            "channel icon_emoji icon_url markdown_text recipient_team_id recipient_user_id"
            " task_display_mode thread_ts username",
            chunks="json",
        ),
        ("channel", "thread_ts"),
        ("chat:write",),
        (*_STREAM, "missing_recipient_team_id", "missing_recipient_user_id"),
    ),
    "chat.stopStream": Method(
        _args(
            "channel ts markdown_text session_status", blocks="json", chunks="json", metadata="json"
        ),
        ("channel", "ts"),
        ("chat:write",),
        (*_STREAMING, *_METADATA),
    ),
    "chat.update": Method(
        _args(
            "channel ts markdown_text parse text",
            as_user="boolean",
            attachments="json",
            blocks="json",
            file_ids="json",
            link_names="boolean",
            metadata="json",
            reply_broadcast="boolean",
            unfurled_attachments="json",
        ),
        ("channel", "ts"),
        ("chat:write",),
        (
            *_WRITTEN,
            *_METADATA,
            "cant_update_message",
            "message_not_found",
            "streaming_state_conflict",
        ),
    ),
    "conversations.history": Method(
        _args(
            "channel cursor latest oldest",
            limit="number",
            inclusive="boolean",
            include_all_metadata="boolean",
        ),
        ("channel",),
        _HISTORY,
        ("channel_not_found", "not_in_channel", *_PAGES),
    ),
    "conversations.info": Method(
        _args("channel", include_locale="boolean", include_num_members="boolean"),
        ("channel",),
        _READ,
        ("channel_not_found",),
    ),
    "conversations.list": Method(
        _args("cursor types", exclude_archived="boolean", limit="number"),
        scopes=_READ,
        errors=(*_PAGES, "invalid_types"),
    ),
    "conversations.members": Method(
        _args("channel cursor", limit="number"),
        ("channel",),
        _READ,
        ("channel_not_found", *_PAGES),
    ),
    "conversations.open": Method(
        _args("channel users", prevent_creation="boolean", return_im="boolean"),
        scopes=("channels:manage", "groups:write", "im:write", "mpim:write"),
        errors=("channel_not_found", "user_not_found", "users_list_not_supplied"),
    ),
    "conversations.replies": Method(
        _args(
            "channel ts cursor latest oldest",
            limit="number",
            inclusive="boolean",
            include_all_metadata="boolean",
        ),
        ("channel", "ts"),
        _HISTORY,
        ("channel_not_found", "thread_not_found", *_PAGES),
    ),
    "files.completeUploadExternal": Method(
        _args("channel_id channels initial_comment thread_ts", files="json", blocks="json"),
        ("files",),
        ("files:write",),
        ("channel_not_found", "file_not_found", "invalid_blocks", "not_in_channel"),
    ),
    "files.getUploadURLExternal": Method(
        _args("filename alt_txt snippet_type", length="number"),
        ("filename", "length"),
        ("files:write",),
        ("file_upload_size_restricted",),
    ),
    "files.info": Method(
        _args("file cursor", count="number", limit="number", page="number"),
        ("file",),
        ("files:read",),
        ("file_deleted", "file_not_found"),
    ),
    "oauth.v2.access": Method(
        _args("client_id client_secret code code_verifier grant_type redirect_uri refresh_token"),
        errors=(
            "bad_client_secret",
            "bad_redirect_uri",
            "invalid_client_id",
            "invalid_code",
            "invalid_grant_type",
            "invalid_refresh_token",
        ),
        needs="none",
    ),
    "reactions.add": Method(
        _args("channel name timestamp"),
        ("channel", "name", "timestamp"),
        ("reactions:write",),
        (
            "already_reacted",
            "channel_not_found",
            "invalid_name",
            "is_archived",
            "message_not_found",
        ),
    ),
    "reactions.remove": Method(
        _args("channel file file_comment name timestamp"),
        ("name",),
        ("reactions:write",),
        ("channel_not_found", "message_not_found", "no_item_specified", "no_reaction"),
    ),
    "team.info": Method(_args("domain team"), scopes=("team:read",), errors=("team_not_found",)),
    "users.info": Method(
        _args("user", include_locale="boolean"), ("user",), ("users:read",), ("user_not_found",)
    ),
    "users.list": Method(
        _args("cursor", include_locale="boolean", limit="number"),
        scopes=("users:read",),
        errors=("invalid_cursor",),
    ),
    "views.open": Method(
        _args("interactivity_pointer trigger_id", view="json"), ("view",), (), (*_VIEW, *_TRIGGER)
    ),
    "views.publish": Method(
        _args("user_id hash", view="json"),
        ("user_id", "view"),
        (),
        (*_VIEW, "hash_conflict", "not_enabled"),
    ),
    "views.push": Method(
        _args("interactivity_pointer trigger_id", view="json"),
        ("view",),
        (),
        (*_VIEW, *_TRIGGER, "not_found", "push_limit_reached"),
    ),
    "views.update": Method(
        _args("external_id hash view_id", view="json"),
        ("view",),
        (),
        (*_VIEW, "hash_conflict", "not_found"),
    ),
}
