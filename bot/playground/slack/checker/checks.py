"""The parts that a grammar of JSON objects is put together from.

A check yields what is wrong with one value, each with its place as a JSON pointer, in Slack's own
wording: `must be less than 151 characters [json-pointer:/blocks/0/text/text]`.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal, NamedTuple

Surface = Literal["message", "modal", "home"]
"""Where blocks stand, as Slack calls it."""

Check = Callable[[object, str], Iterator[str]]


class Shape(NamedTuple):
    """The fields of an object, and those that must be there."""

    fields: Mapping[str, Check]
    required: tuple[str, ...] = ()


def wrong(problem: str, place: str) -> str:
    """One violation as Slack words it."""
    return f"{problem} [json-pointer:{place}]"


def anything(_value: object, _place: str) -> Iterator[str]:
    """No demand: the contents are left to Slack."""
    yield from ()


def of_type(kind: type, name: str) -> Check:
    """A JSON value of one kind, called `name` in the message."""

    def check(value: object, place: str) -> Iterator[str]:
        if not isinstance(value, kind):
            yield wrong(f"must provide a {name}", place)

    return check


flag: Final = of_type(bool, "boolean")


def string(most: int, least: int = 1) -> Check:
    """A string of `least` to `most` characters."""

    def check(value: object, place: str) -> Iterator[str]:
        if not isinstance(value, str):
            yield wrong("must provide a string", place)
        elif len(value) < least:
            yield wrong(f"must be more than {least - 1} characters", place)
        elif len(value) > most:
            yield wrong(f"must be less than {most + 1} characters", place)

    return check


def integer(least: int, most: int) -> Check:
    """A whole number within bounds, both allowed."""

    def check(value: object, place: str) -> Iterator[str]:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            yield wrong(f"must be a number from {least} to {most}", place)

    return check


def number(value: object, place: str) -> Iterator[str]:
    """A finite number; JSON as Python reads it may hold others."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        yield wrong("must be a finite number", place)


def one_of(*words: str) -> Check:
    """One of a few words."""

    def check(value: object, place: str) -> Iterator[str]:
        if value not in words:
            yield wrong(f"must be one of {', '.join(words)}", place)

    return check


def items(most: int, each: Check, least: int = 1) -> Check:
    """An array; of one that is too long only the first `most + 1` are looked at."""

    def check(value: object, place: str) -> Iterator[str]:
        if not isinstance(value, list):
            yield wrong("must provide an array", place)
            return
        if len(value) < least:
            yield wrong(f"no less than {least} items allowed", place)
        if len(value) > most:
            yield wrong(f"no more than {most} items allowed", place)
        for at, item in enumerate(value[: most + 1]):
            yield from each(item, f"{place}/{at}")

    return check


def shaped(shape: Shape) -> Check:
    """An object with these fields and no others; a null counts as absent."""

    def check(value: object, place: str) -> Iterator[str]:
        if not isinstance(value, dict):
            yield wrong("must provide an object", place)
            return
        given = {name for name, content in value.items() if content is not None}
        for name in sorted(given - set(shape.fields) - {"type"}):
            yield wrong(f"invalid additional property: {name}", place)
        for name in shape.required:
            if name not in given:
                yield wrong(f"missing required field: {name}", place)
        for name in shape.fields:
            if name in given:
                yield from shape.fields[name](value[name], f"{place}/{name}")

    return check


def made_of(fields: Mapping[str, Check], *required: str) -> Check:
    """The same, from its parts."""
    return shaped(Shape(fields, required))


def typed(kinds: Mapping[str, Check]) -> Check:
    """An object whose `type` decides what it may hold."""

    def check(value: object, place: str) -> Iterator[str]:
        kind = value.get("type") if isinstance(value, dict) else None
        if not isinstance(kind, str) or kind not in kinds:
            yield wrong(f"unsupported type: {kind}", f"{place}/type")
        else:
            yield from kinds[kind](value, place)

    return check


def text(most: int, *kinds: str) -> Check:
    """A text object of the kinds named, of either kind when none is."""
    either = {
        "plain_text": made_of({"text": string(most), "emoji": flag}, "text"),
        "mrkdwn": made_of({"text": string(most), "verbatim": flag}, "text"),
    }
    return typed({kind: either[kind] for kind in kinds or tuple(either)})


def plain(most: int) -> Check:
    """A `plain_text` object."""
    return text(most, "plain_text")
