"""A small memory that forgets: bounded in entries and in age."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Cache(Generic[T]):
    """Keeps up to `entries` values for `seconds` each; the longest unused goes first.

    Keys begin with the tenant, so that nothing of one tenant is found for another.
    """

    def __init__(self, entries: int, seconds: float, now: Callable[[], float]) -> None:
        self._entries = entries
        self._seconds = seconds
        self._now = now
        self._kept: OrderedDict[Hashable, tuple[float, T]] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        """The value, while it is young enough."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        if self._now() - kept[0] >= self._seconds:
            del self._kept[key]
            return None
        self._kept.move_to_end(key)
        return kept[1]

    def put(self, key: Hashable, value: T) -> None:
        """Keep a value from now on."""
        self._kept[key] = self._now(), value
        self._kept.move_to_end(key)
        if len(self._kept) > self._entries:
            self._kept.popitem(last=False)
