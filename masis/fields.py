"""Keep what else is known of a document: free fields, from its metadata or from who put it in."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

MOST_FIELDS: Final = 20
MOST_KEY_CHARS: Final = 40
MOST_VALUE_CHARS: Final = 200

RESERVED: Final = frozenset({"after", "before", "in", "section", "type", "where"})
"""What these say in a question is another filter."""

Fields = dict[str, str]
"""By key, lower case; values are one line."""

_KEY: Final = re.compile(rf"[a-z][a-z0-9_-]{{0,{MOST_KEY_CHARS - 1}}}")


def bounded(pairs: Iterable[tuple[str, str]]) -> Fields:
    """Those that can be asked for: the first of each key, so many, so long; the others are dropped."""
    found: Fields = {}
    for name, said in pairs:
        key, value = key_of(name), line(said)
        if key and value and key not in found:
            found[key] = value
        if len(found) == MOST_FIELDS:
            break
    return found


def key_of(name: str) -> str:
    """The key of a field's name (`Cost Center` is `cost-center`); empty where it can be none."""
    key = "-".join(name.casefold().split())
    return key if _KEY.fullmatch(key) and key not in RESERVED else ""


def line(said: str) -> str:
    """A value on one line, cut to its length."""
    plain = "".join(char if char.isprintable() else " " for char in said)
    return " ".join(plain.split())[:MOST_VALUE_CHARS].rstrip()


def together(read: Mapping[str, str], given: Mapping[str, str]) -> Fields:
    """The fields of a document's own metadata with those that it was given, which win."""
    return bounded([*given.items(), *read.items()])


def of_assignments(written: Iterable[str]) -> Fields:
    """The fields of `key=value` texts; an empty value takes the field away.

    Raises:
        ValueError: one is no such text, its key can be none, its value is too long, or they are too
            many.
    """
    given: Fields = {}
    for text in written:
        name, equals, value = text.partition("=")
        key = key_of(name)
        if not (equals and key):
            raise ValueError(
                f"“{text}” is no field: write it like owner=finance, its key a letter and up to"
                f" {MOST_KEY_CHARS - 1} letters, digits, - and _, and none of"
                f" {', '.join(sorted(RESERVED))}"
            )
        if len(value) > MOST_VALUE_CHARS:
            raise ValueError(f"the value of {key} is longer than {MOST_VALUE_CHARS} characters")
        given[key] = line(value)
    if len(given) > MOST_FIELDS:
        raise ValueError(f"a document has {MOST_FIELDS} fields at most")
    return given
