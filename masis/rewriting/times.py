"""Put one time in the place of another: "q3 2025" with "last year" is "q3 last year"."""

import re
from typing import Final

from masis.text.grammars.calendar import WRITTEN_MONTH

_YEAR: Final = re.compile(
    r"(?:(?:the )?(?:this|last|next|previous|current|same) )?(?:full |financial |fiscal )?(?:year|yr)(?: (?:before|ago))?\b"
    r"|\b(?:fy ?)?(?:19|20)\d\d\b|\bfy ?\d\d\b",
    re.IGNORECASE,
)
_PART: Final = re.compile(
    r"\b(?:q[1-4]|h[12]|(?:(?:this|last|next|previous|first|second|third|fourth|same) )?(?:quarter|half|month|mth)"
    rf"|{WRITTEN_MONTH}|spring|summer|autumn|winter)\b",
    re.IGNORECASE,
)
"""A part of a year."""


_BEFORE: Final = re.compile(
    r"(?:the )?(?:(?:year|yr) (?:before|earlier)|(?:previous|prior|preceding) (?:year|yr))",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(r"(?:the )?(?:(?:year|yr) after|following (?:year|yr))", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"\b(?:19|20)\d\d\b")


def _counted(old: str, new: str) -> str:
    """The year that is told by the one before: "the year before" that is 2024 after 2025; else nothing."""
    year = _NUMBERED.search(old)
    step = -1 if _BEFORE.fullmatch(new.strip()) else 1 if _AFTER.fullmatch(new.strip()) else 0
    if year is None or not step:
        return ""
    return f"{old[: year.start()]}{int(year[0]) + step}{old[year.end() :]}"


def with_time(old: str, new: str) -> str:
    """Return a time with another in its place: what that does not tell of the year stays."""
    if counted := _counted(old, new):
        return counted
    year, part = _YEAR.search(old), _PART.search(old)
    new_year, new_part = _YEAR.search(new), _PART.search(new)
    if bool(new_year) == bool(new_part) or not (year or part):
        return new
    if new_year:
        kept = part[0] if part else ""
        return f"{kept} {new}" if kept else new
    return f"{new} {year[0]}" if year else new


def repeats(text: str) -> bool:
    """Tell whether a time is the one that was spoken of: "the same quarter"."""
    return bool(re.match(r"(?:the )?same\b", text, re.IGNORECASE))
