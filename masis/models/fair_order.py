"""Decide who is served next, where many share what one cannot have at will."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

T = TypeVar("T")

NEVER = 0.0
"""The turn of who had none, or none that is remembered: it is before every other."""


def by_turns(
    waiting: Iterable[T], group: Callable[[T], str], last_turn: Mapping[str, float]
) -> list[T]:
    """Those who wait, in the order in which they are served.

    Within a group they keep their order. Groups take turns: the one whose last turn is longest ago
    begins, of several without one whoever came first.
    """
    served: Counter[str] = Counter()
    arrived: dict[str, int] = {}
    places: list[tuple[int, float, int, T]] = []
    for each in waiting:
        name = group(each)
        first = arrived.setdefault(name, len(arrived))
        places.append((served[name], last_turn.get(name, NEVER), first, each))
        served[name] += 1
    return [each for *_, each in sorted(places, key=lambda place: place[:3])]
