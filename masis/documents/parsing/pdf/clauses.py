"""Finds the numbered clauses of contracts and policies on PDF pages: `2.1 Staff may …` under `2. Staff`."""

import re
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Final, NamedTuple

from masis.documents.parsing.placed_words import Line

_CLAUSE: Final = re.compile(
    r"(\d{1,2})\.(\d{1,2})((?:\.\d{1,2}){0,2})\.?\s+(?=[\"“(]?[^\W\d_a-zß-ÿ])"
)
_TITLE: Final = re.compile(r"(?:clause|section|article)?\s?(\d{1,2})\.?\s+\D{2,}", re.IGNORECASE)
_ENDED: Final = re.compile(r"[.!?:;,][\"'”’)]*$")
_LONGEST_TITLE: Final = 60


class Clauses(NamedTuple):
    """The lines that begin a clause, and those that name what the clauses below are about, by `id`."""

    starts: frozenset[int]
    titles: frozenset[int]


def clause_lines(pages: Sequence[Sequence[Line]]) -> Clauses:
    """Find the clauses by their counting: `2.1` stands under `2. Title`, or goes on from another.

    A figure that begins a line of text ("… grew to / 2.5 Million") counts on from nothing.
    """
    starts: set[int] = set()
    titles: set[int] = set()
    last: tuple[int, ...] = ()
    lines = list(chain.from_iterable(pages))
    for above, line in pairwise([None, *lines]):
        number = _number(line)
        if not number:
            continue
        title = _titled(above)
        if title == number[0] and above is not None:
            titles.add(id(above))
        if title == number[0] or _goes_on(last, number):
            starts.add(id(line))
            last = number
    return Clauses(frozenset(starts), frozenset(titles))


def _number(line: Line | None) -> tuple[int, ...]:
    match = _CLAUSE.match(line.text) if line else None
    return tuple(map(int, re.findall(r"\d+", match[0]))) if match else ()


def _titled(line: Line | None) -> int | None:
    """The number of a line such as `2. Term` or `2 Term`; None for one that is no title."""
    if line is None or len(line.text) > _LONGEST_TITLE or _ENDED.search(line.text):
        return None
    match = _TITLE.fullmatch(line.text)
    return int(match[1]) if match else None


def _goes_on(last: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """Say whether a number is the next one.

    It is of the same clause, of its parts, or of the next clause.
    """
    if not last:
        return number[-1] == 1 and number[0] <= 1
    for depth in range(min(len(last), len(number))):
        if number[depth] != last[depth]:
            rest = number[depth + 1 :]
            return number[depth] == last[depth] + 1 and all(part == 1 for part in rest)
    return len(number) == len(last) + 1 and number[-1] == 1
