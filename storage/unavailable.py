"""The error for a database that cannot be used; its sentence is for the one who runs it."""

from masis.errors import StoreUnavailable


def unavailable(message: str, *, retryable: bool = False) -> StoreUnavailable:
    """The error with this sentence; `retryable` where waiting alone may mend it."""
    error = StoreUnavailable(message)
    error.retryable = retryable
    return error
