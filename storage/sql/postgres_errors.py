"""Explain what PostgreSQL's errors mean for the one who runs MASIS, and what to do about them."""

from typing import Final, NamedTuple

from masis.errors import StoreUnavailable
from storage.sql.unavailable import unavailable


class _Explanation(NamedTuple):
    """`states` begin the five characters that PostgreSQL names an error by.

    A connection that is refused comes without them: then one of `phrases` stands in its text. They
    are the server's in English, the driver's, or the system's.
    """

    states: tuple[str, ...]
    phrases: tuple[str, ...]
    sentence: str
    retryable: bool


_EXPLAINED: Final = (
    _Explanation(
        ("28",),
        (
            "password authentication failed",
            "no password supplied",
            "no pg_hba.conf entry",
            "authentication failed for user",
            "is not permitted to log in",
            'FATAL:  role "',
        ),
        "The database {place} does not let this user in. Check the user and the password in"
        " MASIS_DATABASE_URL, and the server's pg_hba.conf.",
        retryable=False,
    ),
    _Explanation(
        ("3D",),
        ('FATAL:  database "', "no such database"),
        "There is no database {place}. Make it (`CREATE DATABASE ... ENCODING 'UTF8'`), or name"
        " another one with MASIS_DATABASE_URL.",
        retryable=False,
    ),
    _Explanation(
        ("53300",),
        (
            "too many clients",
            "too many connections",
            "remaining connection slots",
            "no more connections allowed",
        ),
        "The database {place} has no connection left. Raise its max_connections, run fewer"
        " processes, or put a pooler before it.",
        retryable=True,
    ),
    _Explanation(
        ("53",),
        (),
        "The database {place} is out of disk or memory. Give its server more, and try again;"
        " nothing was lost.",
        retryable=False,
    ),
    _Explanation(
        ("25006",),
        ("session is read-only",),
        "The database {place} is read-only, as a standby is. Name the primary with"
        " MASIS_DATABASE_URL.",
        retryable=True,
    ),
    _Explanation(
        ("55P03",),
        (),
        "Another process has been writing to {place} for too long. Try again.",
        retryable=True,
    ),
    _Explanation(
        ("57014", "25P03", "25P04"),
        (),
        "The database {place} took too long. Try again; if it stays so, look at its load.",
        retryable=True,
    ),
    _Explanation(
        ("40",),
        (),
        "Another process was changing the same rows of {place}. Try again.",
        retryable=True,
    ),
    _Explanation(
        ("42501",),
        (),
        "The user of the database {place} may not do what MASIS needs. Make it the owner of the"
        " database, or grant it CREATE on the database and on its schema public.",
        retryable=False,
    ),
    _Explanation(
        (),
        ("certificate verify failed", "does not support SSL", "SSL error", "sslmode"),
        "No secure connection to the database {place} came about. Check its certificate, and"
        " sslmode and sslrootcert in MASIS_DATABASE_URL.",
        retryable=False,
    ),
    _Explanation(
        (),
        ("invalid connection option", "unsupported startup parameter", "invalid integer value"),
        "The database {place} cannot be connected to with these options. Check what stands behind"
        " the ? in MASIS_DATABASE_URL.",
        retryable=False,
    ),
    _Explanation(
        ("57P", "08"),
        (
            "server closed the connection",
            "connection is lost",
            "the database system is",
            "terminating connection",
            "connection is closed",
            "consuming input failed",
        ),
        "The database {place} went away. It is back in a moment if it was started again; else look"
        " at its server.",
        retryable=True,
    ),
)

_UNREACHABLE: Final = (
    "connection refused",
    "failed to resolve",
    "could not translate",
    "timeout expired",
    "connection timeout",
    "no such file or directory",
    "connection failed",
    "unreachable",
)


def state(error: BaseException | None) -> str:
    """The five characters; empty where the server did not answer."""
    return getattr(error, "sqlstate", None) or ""


def is_bug(error: BaseException | None) -> bool:
    """Say whether a statement that the server refused is wrong, not forbidden or misplaced."""
    return state(error) != "42501" and "connection option" not in str(error)


def explained(error: BaseException | None, place: str) -> StoreUnavailable:
    """Return what to tell a person about an error of the driver. It holds no value of a row."""
    found, text = state(error), str(error)
    for each in _EXPLAINED:
        named = any(found.startswith(begin) for begin in each.states)
        if named or (not found and any(phrase in text for phrase in each.phrases)):
            return unavailable(each.sentence.format(place=place), retryable=each.retryable)
    if not found and any(phrase in text.lower() for phrase in _UNREACHABLE):
        return unavailable(
            f"No PostgreSQL answers at {place}. Start it, or check the host and the port in"
            " MASIS_DATABASE_URL.",
            retryable=True,
        )
    kind = found or type(error).__name__
    return unavailable(
        f"The database {place} failed ({kind}). Its server's log says more.", retryable=True
    )
