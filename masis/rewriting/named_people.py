"""Find the people whom a text names, by how names are written."""

import re
from collections.abc import Iterator
from typing import Final

from masis.text.given_names import GIVEN_NAMES
from masis.words.english import is_english

MOST_CHARS: Final = 2_000
"""Of a text that are read."""
_NAME: Final = re.compile(
    r"\b(?P<given>[A-ZÀ-Ý][a-zß-ÿ]+(?:-[A-ZÀ-Ý][a-zß-ÿ]+)?) (?:(?:de|van|von|der|den|di|la|le) ){0,2}"
    r"(?P<family>(?:Mc|Mac|O['’]|D['’])?[A-ZÀ-Ý][a-zß-ÿ]+(?:-[A-ZÀ-Ý][a-zß-ÿ]+)?)\b"
)


def people(text: str) -> list[str]:
    """Return the names of people in a text, in their order: a known given name, or words that are none."""
    return list(dict.fromkeys(_names_in(text[:MOST_CHARS])))


def _names_in(text: str) -> Iterator[str]:
    at = 0
    while match := _NAME.search(text, at):
        is_name = _is_name(match) and not _is_title(match, text)
        if is_name:
            yield match[0]
        at = match.end() if is_name else match.end("given")


def _is_name(match: re.Match[str]) -> bool:
    given, family = match["given"].lower(), match["family"].lower()
    return given in GIVEN_NAMES or not (is_english(given) and is_english(family))


def _is_title(match: re.Match[str], text: str) -> bool:
    """Tell whether a name begins with the second word: "Director Wim van Zuylek"."""
    given = match["given"].lower()
    behind = _NAME.match(text, match.start("family"))
    return (
        given not in GIVEN_NAMES and is_english(given) and behind is not None and _is_name(behind)
    )
