"""Decide who is served next, where many share what one cannot have at will."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

T = TypeVar("T")

NEVER = 0.0
"""When who was never served was, or not as long as is remembered: before every other."""


def in_fair_order(
    waiting: Iterable[T], group: Callable[[T], str], last_served: Mapping[str, float]
) -> list[T]:
    """Return those who wait, in the order in which they are served.

    Within a group they keep their order. Groups alternate: the one that was last served longest ago
    begins, of several that never were whoever came first.
    """
    served: Counter[str] = Counter()
    arrived: dict[str, int] = {}
    ranked: list[tuple[int, float, int, T]] = []
    for each in waiting:
        name = group(each)
        first = arrived.setdefault(name, len(arrived))
        ranked.append((served[name], last_served.get(name, NEVER), first, each))
        served[name] += 1
    return [each for *_, each in sorted(ranked, key=lambda rank: rank[:3])]
