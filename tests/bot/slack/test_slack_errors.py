import pytest

from bot.slack.slack_errors import (
    AccountInactive,
    ChannelArchived,
    ChannelNotFound,
    MessageTooLong,
    NotInChannel,
    Refused,
    SlackError,
    TokenExpired,
    TokenRevoked,
    Unavailable,
    refusal,
)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("channel_not_found", ChannelNotFound),
        ("not_in_channel", NotInChannel),
        ("is_archived", ChannelArchived),
        ("msg_too_long", MessageTooLong),
        ("msg_blocks_too_long", MessageTooLong),
        ("token_revoked", TokenRevoked),
        ("invalid_auth", TokenRevoked),
        ("account_inactive", AccountInactive),
        ("token_expired", TokenExpired),
        ("internal_error", Unavailable),
        ("cant_update_message", Refused),
    ],
)
def test_each_slack_code_has_its_type(code: str, kind: type[SlackError]) -> None:
    """Each of slacks codes has its type."""
    error = refusal("chat.postMessage", {"ok": False, "error": code})
    assert type(error) is kind
    assert error.code == code
    assert code in str(error)
    assert "chat.postMessage" in str(error)


def test_only_lost_token_disables_installation() -> None:
    """Only a lost token disables the installation."""
    disabling = {
        code
        for code in ("token_revoked", "invalid_auth", "account_inactive", "token_expired", "x")
        if refusal("auth.test", {"error": code}).disables_installation
    }
    assert disabling == {"token_revoked", "invalid_auth", "account_inactive"}


def test_actionable_errors_are_shown_to_people() -> None:
    """What people can act on is said to them."""
    for kind in (ChannelNotFound, NotInChannel):
        assert "/invite @MASIS" in kind.sentence
    assert "archived" in ChannelArchived.sentence
    assert "admin" in TokenRevoked.sentence
    assert not MessageTooLong.sentence


@pytest.mark.parametrize("kind", [ChannelNotFound, Refused, TokenRevoked])
def test_permanent_error_is_not_retryable(kind: type[SlackError]) -> None:
    """A permanent error is not worth a retry."""
    assert kind.permanent
    assert not kind.retryable


def test_a_missing_scope_is_named() -> None:
    error = refusal("files.info", {"error": "missing_scope", "needed": "files:read"})
    assert isinstance(error, Refused)
    assert error.needed == "files:read"
    assert "files:read" in str(error)


@pytest.mark.parametrize("code", [None, 7, "", "a text that came back", "x" * 65, ["x"]])
def test_malformed_code_is_not_repeated(code: object) -> None:
    """What is no code is not repeated."""
    error = refusal("chat.postMessage", {"error": code, "needed": code})
    assert error.code == "unknown_error"
    assert str(error) == "Slack refused chat.postMessage: unknown_error."
