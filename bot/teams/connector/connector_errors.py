"""Define what can go wrong between MASIS and Teams' connector, a type for each thing somebody acts on."""

import re
from typing import ClassVar, Final

from masis.errors import MasisError

_CODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9]{0,63}")
"""Teams' codes are words; what looks otherwise may be an echo and is dropped."""


class TeamsError(MasisError):
    """Teams said no, or could not be understood or reached.

    `code` is Teams' own word, empty where there is none. The message holds neither token nor text.
    """

    permanent: ClassVar[bool] = True
    """The same call will fail again until somebody changes something."""

    def __init__(self, message: str, *, code: str = "") -> None:
        super().__init__(message)
        self.code: Final = code


class Refused(TeamsError):
    """Teams refused the call for a reason that has no type of its own."""


class NotThere(TeamsError):
    """The message, the member or the conversation is not there (any more)."""


class RemovedFromPlace(TeamsError):
    """MASIS was taken out of the conversation, or a tenant's admin switched it off."""


class CardTooLarge(TeamsError):
    """The message is over Teams' size; parting it is our own job."""


class ForeignAddress(TeamsError):
    """The stored address is none of Teams': the bot's token is not sent there."""


class SecretRefused(TeamsError):
    """The app's secret opens nothing: it is wrong, or has run out."""


class Unavailable(TeamsError):
    """Teams did not do it, and may later."""

    permanent = False
    retryable = True


class RateLimited(Unavailable):
    """Too many calls; `retry_after` is how many seconds Teams asks to wait."""

    def __init__(self, message: str, *, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after: Final = retry_after


class Ambiguous(TeamsError):
    """A message may have been taken or not. It has no key of its own: sent again it may stand twice."""

    permanent = False
    retryable = True


def code_of(body: dict[str, object]) -> str:
    """Return Teams' own word for what is wrong, from the body of its reply."""
    error = body.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, str) and _CODE.fullmatch(code) else ""
