"""Read what a question is about: the thing it names, what is to be done, from where or for what.

Pure and lexical.
"""

import re
from collections.abc import Collection, Iterable
from typing import Final

from masis.text.lexical import terms

_DOES: Final = re.compile(
    r"\bhow (?:do|can|should|would|to|does) (?:(?:i|we|you|one|people|staff) )?(\w+)", re.IGNORECASE
)
_OF_PLACE: Final = re.compile(
    r"\b(?P<what>[a-z]+) (?P<how>from|in|at) (?:(?:the|a|an|my|our|your) )?(?P<where>[a-z]+)",
    re.IGNORECASE,
)

Elsewhere = tuple[str, str, str]
"""What is done, the word before its place, and the place: "work", "from", "home"."""


def matters(question: str) -> tuple[frozenset[str], ...]:
    """Return what a section would be called that answers: all that is asked about, or what is to be done."""
    return tuple(filter(None, (named(question), to_do(question))))


def named(name: str) -> frozenset[str]:
    """Return the terms of a name, without numbers."""
    return frozenset(term for term in terms(name) if not term.isdigit())


def to_do(question: str) -> frozenset[str]:
    """Return what it is asked how to do: "claim" of "how do I claim a ticket"."""
    found = _DOES.search(question)
    return named(found[1]) if found else frozenset()


def is_headed(question: str, headings: Iterable[str]) -> bool:
    """Tell whether one of the headings over a text is what a question asks about, word for word."""
    return under_one(headings, (named(question),))


def under_one(headings: Iterable[str], of: Collection[frozenset[str]]) -> bool:
    """Tell whether one of the headings is one of these names."""
    return any(matter and named(heading) == matter for heading in headings for matter in of)


def places(text: str) -> frozenset[Elsewhere]:
    """Return what a text says to be done where."""
    found = []
    for match in _OF_PLACE.finditer(text):
        what, where = terms(match["what"]), terms(match["where"])
        if what and where:
            found.append((what[0], match["how"].lower(), where[0]))
    return frozenset(found)


def is_elsewhere(asked: Collection[Elsewhere], text: str, said: Collection[str]) -> bool:
    """Tell whether a text says that something is done at another place than asked: "work from abroad".

    `said` are the terms of the text and of what stands over it.
    """
    told = places(text) if asked else ()
    return any(
        where not in said and any((what, how) == each[:2] and where != each[2] for each in told)
        for what, how, where in asked
    )
