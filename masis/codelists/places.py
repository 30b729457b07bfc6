"""Take words of place out of a description: where something is done says nothing of what it is."""

import re
from typing import Final, NamedTuple

from masis.words.countries import mentioned

_LED: Final = re.compile(
    r"(?:^|(?<=\s))(?:(?:based|located|working|living|situated)\s+)?(?:in|at|near|from|around|outside|within|of)\s+(?:the\s+)?"
    r"(?:(?:city|town|village|district|state|province|region|county|north|south|east|west|northern|southern|eastern|western)"
    r"(?:\s+of)?\s+)*$",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"\s*\b(?:in|near|from|around|outside)\s+(?:the\s+)?(?:(?:city|town|village|district|state|province|region|county)\s+of\s+)?"
    r"(?P<place>[A-Z][\w'’-]+(?:,?\s+[A-Z][\w'’-]+)*)(?=[\s,.;:?!)]|$)"
)
_ACRONYM: Final = re.compile(r"[A-Z0-9&]{2,}")


class Placeless(NamedTuple):
    """A text without its words of place, and these."""

    text: str
    places: list[str]


def without_places(text: str) -> Placeless:
    """Take out countries and cities, and names behind a word that says where."""
    places: list[str] = []
    rest = text
    for mention in reversed(list(mentioned(text))):
        before = rest[: mention.start]
        led = _LED.search(before)
        start = led.start() if led else mention.start
        places.insert(0, mention.written)
        rest = f"{rest[:start].rstrip()} {rest[mention.start + len(mention.written) :].lstrip()}"
    for found in reversed(list(_NAMED.finditer(rest))):
        if not _ACRONYM.fullmatch(found["place"]):
            places.append(found["place"])
            rest = f"{rest[: found.start()]} {rest[found.end() :]}"
    return Placeless(re.sub(r"\s+([,.;:?!])", r"\1", " ".join(rest.split())), places)
