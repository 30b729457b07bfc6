"""Define what can go wrong between MASIS and Slack.

There is one type for each thing that somebody acts on.
"""

import re
from collections.abc import Mapping
from typing import ClassVar, Final

from bot.slack.text import sentences
from masis.errors import MasisError

_CODE: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
"""Slack's codes are words (`not_in_channel`); what looks otherwise may be an echo and is dropped."""


class SlackError(MasisError):
    """Slack said no, or could not be understood or reached.

    `code` is Slack's own word, empty where there is none. `sentence` says what a person in the
    channel can do about it, empty where they can do nothing. The message holds neither token nor
    text.
    """

    permanent: ClassVar[bool] = True
    """The same call will fail again until somebody changes something."""
    disables_installation: ClassVar[bool] = False
    """The team's token opens nothing any more: every further call of the team is in vain."""
    sentence: ClassVar[str] = ""

    def __init__(self, message: str, *, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class Refused(SlackError):
    """Slack refused the call for a reason that has no type of its own; `code` is the reason.

    `needed` names the missing scope, where that is what is missing.
    """

    def __init__(self, message: str, *, code: str = "", needed: str = "") -> None:
        super().__init__(message, code=code)
        self.needed = needed


class ChannelNotFound(SlackError):
    """The channel does not exist, or is hidden from the bot (a private one it is not in)."""

    sentence = (
        "MASIS cannot see this channel. If it is private, invite it with `/invite @MASIS`, "
        "then ask again."
    )


class NotInChannel(SlackError):
    """The bot is no member of the channel."""

    sentence = "MASIS is not in this channel. Invite it with `/invite @MASIS`, then ask again."


class ChannelArchived(SlackError):
    """Nobody can post in the channel any more."""

    sentence = sentences.ARCHIVED_CHANNEL


class MessageTooLong(SlackError):
    """The message is over one of Slack's lengths; splitting it is our own job."""


class TokenRevoked(SlackError):
    """The token was revoked, or was never one."""

    disables_installation = True
    sentence = (
        "MASIS lost its access to this workspace. A Slack admin can bring it back by installing "
        "it again."
    )


class AccountInactive(SlackError):
    """The bot's account, or the whole team, was deleted."""

    disables_installation = True
    sentence = TokenRevoked.sentence


class TokenExpired(SlackError):
    """A rotated token ran out: the next one has to be fetched, the installation stands."""

    permanent = False
    retryable = True


class RateLimited(SlackError):
    """Slack, or our own budget, has had enough for `retry_after` seconds. Nothing was done."""

    permanent = False
    retryable = True
    sentence = "Slack asks MASIS to slow down in this workspace. Try again in a minute."

    def __init__(self, message: str, *, retry_after: float) -> None:
        super().__init__(message, code="ratelimited")
        self.retry_after = retry_after


class Unavailable(SlackError):
    """Slack answered with a server error, or not at all.

    `unsent` says that the call never left, so that a repeat cannot do anything twice.
    """

    permanent = False
    retryable = True
    sentence = "Slack cannot be reached at the moment. Try again in a minute."

    def __init__(self, message: str, *, code: str = "", unsent: bool = False) -> None:
        super().__init__(message, code=code)
        self.unsent = unsent


class Garbled(SlackError):
    """Report that the reply is none of Slack's Web API: a proxy's page, a redirect, half a body."""


class Ambiguous(SlackError):
    """A message was sent, and nobody knows whether Slack took it: look before posting again."""

    permanent = False
    retryable = True


_CLASSES: Final[Mapping[str, type[SlackError]]] = {
    "channel_not_found": ChannelNotFound,
    "not_in_channel": NotInChannel,
    "is_archived": ChannelArchived,
    "msg_too_long": MessageTooLong,
    "msg_blocks_too_long": MessageTooLong,
    "token_revoked": TokenRevoked,
    "invalid_auth": TokenRevoked,
    "not_authed": TokenRevoked,
    "account_inactive": AccountInactive,
    "token_expired": TokenExpired,
    # Slack's own troubles, told with status 200.
    "internal_error": Unavailable,
    "fatal_error": Unavailable,
    "service_unavailable": Unavailable,
    "request_timeout": Unavailable,
}

RATE_LIMIT_CODES: Final = frozenset({"ratelimited", "rate_limited"})


def refusal(method: str, body: Mapping[str, object]) -> SlackError:
    """The error that a reply of `"ok": false` stands for; a rate limit is read elsewhere."""
    code = _word(body.get("error")) or "unknown_error"
    kind = _CLASSES.get(code)
    if kind is not None:
        return kind(" ".join(filter(None, (_said(method, code), kind.sentence))), code=code)
    needed = _word(body.get("needed"), extra=":.,")
    missing = f" (the app lacks the scope {needed})" if needed else ""
    return Refused(f"{_said(method, code)}{missing}", code=code, needed=needed)


def _said(method: str, code: str) -> str:
    return f"Slack refused {method}: {code}."


def _word(value: object, extra: str = "") -> str:
    """The value, if it is nothing but a word of Slack's."""
    if not isinstance(value, str):
        return ""
    bare = value.translate({ord(mark): "_" for mark in extra})
    return value if _CODE.fullmatch(bare) else ""
