"""Numbers, names, ages and waits as sentences say them."""

import datetime as dt
import math
from typing import Final

from bot.chat.words.visible_text import one_line
from bot.rendering.counts import counted
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
        return f"file dated {then.day} {then:%b %Y}"
    days = (today - then).days
    if days <= 0:
        return f"dated {then.day} {then:%b %Y}" if days else "today"
    size, noun = next((size, noun) for below, size, noun in _AGES if days < below)
    return f"{counted(int(days / size), noun)} old"


def ago(then: dt.datetime, now: dt.datetime) -> str:
    """Say how long ago something happened: `just now`, `5 min ago`, `3 h ago`, `2 days ago`."""
    seconds = (now - then).total_seconds()
    if seconds < 60:  # noqa: PLR2004 - a minute
        return "just now"
    if seconds < 3600:  # noqa: PLR2004 - an hour
        return f"{int(seconds // 60)} min ago"
    if seconds < 86_400:  # noqa: PLR2004 - a day
        return f"{int(seconds // 3600)} h ago"
    return f"{counted(int(seconds // 86_400), 'day')} ago"


def about_time(seconds: float) -> str:
    """A wait that is a guess: tens of seconds, or minutes."""
    if seconds < 90:  # noqa: PLR2004 - from here on people count minutes
        return f"about {max(1, round(seconds / 10)) * 10} seconds"
    return f"about {counted(round(seconds / 60), 'minute')}"
