"""The error for a database that cannot be used; its sentence is for the one who runs it."""

import sqlite3

from sqlalchemy import exc

from masis.errors import StoreUnavailable

_BUGS = (exc.IntegrityError, exc.DataError, exc.ProgrammingError)
"""Of the errors of a database those that its statement brought about."""


def unavailable(message: str, *, retryable: bool = False) -> StoreUnavailable:
    """The error with this sentence; `retryable` where waiting alone may mend it."""
    error = StoreUnavailable(message)
    error.retryable = retryable
    return error


def is_outage(error: BaseException) -> bool:
    """Say whether a driver's error tells of its database, and not of the statement."""
    told = (exc.DBAPIError, exc.TimeoutError, sqlite3.OperationalError)
    return isinstance(error, told) and not isinstance(error, _BUGS)
