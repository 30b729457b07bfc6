"""Read times of day and spans of them, in twelve and in 24 hours, and say whether two can both hold.

Pure and lexical. "2pm" and "14:00" are one time; "5:00" may be either five. Of a span both ends count:
13:00 to 17:00 is another span than 14:00 to 17:00.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from masis.text.grammars.calendar import WEEKDAY

HALF_DAY: Final = 12 * 60
_HALF_HOURS: Final = 12
_WORDS: Final = {"noon": HALF_DAY, "midday": HALF_DAY, "midnight": 0}


def _one(name: str) -> str:
    """One time, its parts named for it; a bare hour counts as the beginning of a span alone."""
    return (
        rf"(?:(?P<{name}_hour>[0-2]?\d)(?:[:.](?P<{name}_minute>[0-5]\d))?"
        rf"(?:\s?(?P<{name}_half>[ap])\.?m\b\.?)?|(?:12 )?(?P<{name}_word>noon|midday|midnight)\b)"
    )


_SPAN: Final = re.compile(
    rf"(?<![\w:.,£$€-]){_one('from')}\s?(?:hrs?|h|uhr)?\s{{0,2}}(?:[–—-]|\b(?:to|until|till|and)\b)\s{{0,2}}{_one('to')}"
    r"(?![\w:]|[.,]\d)",
    re.IGNORECASE,
)
_SINGLE: Final = re.compile(rf"(?<![\w:.,£$€-]){_one('at')}(?![\w:]|[.,]\d)", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\bbetween\s+$", re.IGNORECASE)
_LISTS: Final = re.compile(r"\band\b", re.IGNORECASE)
_LEAD: Final = 12
_DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY_NAME: Final = rf"(?:(?i:{WEEKDAY}s?)|(?:Mon|Tues?|Wed|Thu|Thurs?|Fri|Sat|Sun))\b"
_DAY: Final = re.compile(
    rf"\b(?P<first>{_DAY_NAME})(?:\s?(?:[–—-]|to|until|through)\s?(?P<last>{_DAY_NAME}))?"
    r"|\b(?P<group>(?i:weekdays?|weekends?|working days?))\b"
)
"""Shortened with a capital alone: a committee "sat", and the "sun" shines."""
_WORKING: Final = frozenset(range(5))


class TimeOfDay(NamedTuple):
    """A time in minutes since midnight; without `is_exact` it may be of either half of the day."""

    minute: int
    is_exact: bool


class TimeSpan(NamedTuple):
    """From a time to another of the same day."""

    start: TimeOfDay
    end: TimeOfDay


class Placed(NamedTuple):
    """A time or a span of times, and where it stands."""

    start: int
    end: int
    value: TimeOfDay | TimeSpan


def times(text: str) -> Iterator[Placed]:
    """Yield the spans of times of a text, then the times that belong to none."""
    rest = text
    for match in _SPAN.finditer(text):
        if span := _span(match):
            yield Placed(match.start(), match.end(), span)
            rest = rest[: match.start()] + "\0" * len(match[0]) + rest[match.end() :]
    for match in _SINGLE.finditer(rest):
        if _is_time(match, "at"):
            yield Placed(match.start(), match.end(), _time(match, "at"))


def without_times(text: str) -> str:
    """Return a text with blanks for its times of day, whose hours are no figures."""
    for placed in times(text):
        text = text[: placed.start] + " " * (placed.end - placed.start) + text[placed.end :]
    return text


def compatible(one: TimeOfDay | TimeSpan, other: TimeOfDay | TimeSpan) -> bool:
    """Return whether two times can both hold: the same, or one that a span begins, ends or holds."""
    if isinstance(one, TimeSpan):
        if isinstance(other, TimeSpan):
            return _same(one.start, other.start) and _same(one.end, other.end)
        return _meets(one, other)
    return _meets(other, one) if isinstance(other, TimeSpan) else _same(one, other)


def weekdays(text: str) -> frozenset[int]:
    """Return the days of the week that a text names, those within "Monday to Friday" included."""
    return frozenset(day for match in _DAY.finditer(text) for day in _named(match))


def on_other_days(one: str, other: str) -> bool:
    """Return whether two texts name days of the week, and none alike."""
    ours, theirs = weekdays(one), weekdays(other)
    return bool(ours and theirs) and ours.isdisjoint(theirs)


# --- reading -------------------------------------------------------------------------------


def _span(match: re.Match[str]) -> TimeSpan | None:
    """The span; a bare hour takes the half of the day from the other end ("2-5pm")."""
    if not (_is_time(match, "from") or _is_time(match, "to")) or not _is_possible(match):
        return None
    start, end = _time(match, "from"), _time(match, "to")
    if end.minute == 0:
        end = TimeOfDay(2 * HALF_DAY, is_exact=True)
    if end.is_exact and not start.is_exact:
        start = _before(start, end)
    elif start.is_exact and not end.is_exact:
        end = _after(end, start)
    return TimeSpan(start, end)


def _is_possible(match: re.Match[str]) -> bool:
    """Say whether both ends may be hours; "30" in "30 to 14:00" is none.

    Two times of a list are no span.
    """
    before = match.string[max(0, match.start() - _LEAD) : match.start()]
    if _LISTS.search(match[0]) and not _BETWEEN.search(before):
        return False
    return all(int(match[f"{name}_hour"] or 0) <= 24 for name in ("from", "to"))


def _before(start: TimeOfDay, end: TimeOfDay) -> TimeOfDay:
    """The start as the last such time before the end: "2-5pm" begins at 14:00, "9-5pm" at 9:00."""
    later = start.minute % HALF_DAY + HALF_DAY
    return TimeOfDay(later if later < end.minute else later - HALF_DAY, is_exact=True)


def _after(end: TimeOfDay, start: TimeOfDay) -> TimeOfDay:
    earlier = end.minute % HALF_DAY
    return TimeOfDay(earlier if earlier > start.minute else earlier + HALF_DAY, is_exact=True)


def _is_time(match: re.Match[str], name: str) -> bool:
    """Say whether it is surely a time: in words, with its half of the day, or as "9:30"."""
    hour = match[f"{name}_hour"]
    if hour is None:
        return match[f"{name}_word"] is not None
    minute, half = match[f"{name}_minute"], match[f"{name}_half"]
    is_clock = minute is not None and ":" in match[0]
    return (half is not None and 1 <= int(hour) <= _HALF_HOURS) or (is_clock and int(hour) <= 24)


def _time(match: re.Match[str], name: str) -> TimeOfDay:
    if word := match[f"{name}_word"]:
        return TimeOfDay(_WORDS[word.casefold()], is_exact=True)
    digits, minute = match[f"{name}_hour"], int(match[f"{name}_minute"] or 0)
    hour, half = int(digits), (match[f"{name}_half"] or "").casefold()
    if half:
        hour = hour % _HALF_HOURS + (_HALF_HOURS if half == "p" else 0)
    is_exact = bool(half) or hour > _HALF_HOURS or digits.startswith("0")
    return TimeOfDay(60 * hour + minute, is_exact)


# --- comparing -----------------------------------------------------------------------------


def _same(one: TimeOfDay, other: TimeOfDay) -> bool:
    if one.is_exact and other.is_exact:
        return one.minute == other.minute
    return one.minute % HALF_DAY == other.minute % HALF_DAY


def _meets(span: TimeSpan, time: TimeOfDay) -> bool:
    """Say whether a time is an end of the span or within it.

    One without its half of the day may be of either.
    """
    minutes: Sequence[int] = [time.minute]
    if not time.is_exact:
        minutes = [time.minute % HALF_DAY, time.minute % HALF_DAY + HALF_DAY]
    ends = (span.start, span.end)
    return any(_same(time, end) for end in ends) or any(
        span.start.minute <= minute <= span.end.minute for minute in minutes
    )


# --- days of the week ----------------------------------------------------------------------


def _named(match: re.Match[str]) -> Iterator[int]:
    if group := match["group"]:
        yield from (5, 6) if group.casefold().startswith("weekend") else _WORKING
        return
    first = _DAYS.index(match["first"][:3].casefold())
    last = _DAYS.index(match["last"][:3].casefold()) if match["last"] else first
    yield from ((first + step) % 7 for step in range((last - first) % 7 + 1))
