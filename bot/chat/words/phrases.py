"""Numbers, names, ages and waits as sentences say them."""

import datetime as dt
import math
from typing import Final

from bot.chat.words.counts import counted
from bot.chat.words.visible_text import one_line
from masis.domain import DateSource

_AGES: Final = (
    (14, 1.0, "day"),
    (61, 7.0, "week"),
    (731, 30.4375, "month"),
    (math.inf, 365.25, "year"),
)
"""Below how many days an age is said in which unit, and how many days that is on average."""
QUOTED: Final = 200
"""Characters of a person's words that a sentence repeats."""
_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86_400
_COUNTED_IN_MINUTES: Final = 90
"""Seconds from which on people count minutes."""


def shortened(text: str) -> str:
    """As much of a text as goes into a line."""
    words = one_line(text)
    return words if len(words) <= QUOTED else f"{words[: QUOTED - 1].rstrip()}…"


def named(name: str) -> str:
    """A name in a sentence: in typographic quotes and one line."""
    return f"“{one_line(name)}”"


def age(then: dt.date | None, today: dt.date, source: DateSource | None = None) -> str:
    """Say how old a document is: `today`, `5 days old`, `3 months old`; `undated` without a date.

    Where the date is that of its file, which is no word of the document's, it is said to be that.
    """
    if then is None:
        return "undated"
    if source == "file":
        return dated(then, source)
    days = (today - then).days
    if days <= 0:
        return f"dated {dated(then)}" if days else "today"
    size, noun = next((size, noun) for below, size, noun in _AGES if days < below)
    return f"{counted(int(days / size), noun)} old"


def dated(then: dt.date | None, source: DateSource | None = None) -> str:
    """Say of which day a document is: `5 Jan 2026`, `file dated 5 Jan 2026`; nothing without a date."""
    if then is None:
        return ""
    day = f"{then.day} {then:%b %Y}"
    return f"file dated {day}" if source == "file" else day


def ago(then: dt.datetime, now: dt.datetime) -> str:
    """Say how long ago something happened: `just now`, `5 min ago`, `3 h ago`, `2 days ago`."""
    seconds = (now - then).total_seconds()
    if seconds < _MINUTE:
        return "just now"
    if seconds < _HOUR:
        return f"{int(seconds // _MINUTE)} min ago"
    if seconds < _DAY:
        return f"{int(seconds // _HOUR)} h ago"
    return f"{counted(int(seconds // _DAY), 'day')} ago"


def about_time(seconds: float) -> str:
    """A wait that is a guess: tens of seconds, or minutes."""
    if seconds < _COUNTED_IN_MINUTES:
        return f"about {max(1, round(seconds / 10)) * 10} seconds"
    return f"about {counted(round(seconds / _MINUTE), 'minute')}"
