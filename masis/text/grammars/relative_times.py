"""Read "last year", "this quarter" and the like as the period that they are on a day.

Pure. Documents give their periods by name: what was last year to who asks stands there as "2025".
"""

import datetime as dt
import re
from typing import Final, NamedTuple

_WORDS: Final = re.compile(
    r"\b(?:(?:in|for|during|of|from|over) )?(?:(?:the|our) )?(?P<which>last|previous|past|this|current) (?P<what>year|quarter)s?\b(?:['’]s)?"
    r"(?! (?:or two|and a half|end|of)\b)",
    re.IGNORECASE,
)
_BACK: Final = frozenset({"last", "previous", "past"})
_ORDINALS: Final = ("first", "second", "third", "fourth")
_MONTHS_OF_A_QUARTER: Final = 3
_QUARTERS: Final = len(_ORDINALS)


class Period(NamedTuple):
    """A period as documents name it, and where it was said: its first name says most."""

    start: int
    end: int
    names: tuple[str, ...]


def period(question: str, today: dt.date) -> Period | None:
    """Return the first period that a question tells by the day it is asked on; None where it tells none."""
    found = _WORDS.search(question)
    if found is None:
        return None
    back = int(found["which"].lower() in _BACK)
    if found["what"].lower() == "year":
        names: tuple[str, ...] = (str(today.year - back),)
    else:
        whole = today.year * _QUARTERS + (today.month - 1) // _MONTHS_OF_A_QUARTER - back
        year, at = divmod(whole, _QUARTERS)
        names = (f"{_ORDINALS[at]} quarter of {year}", f"Q{at + 1} {year}")
    return Period(found.start(), found.end(), names)


def worded(question: str, said: Period, name: str) -> str:
    """Return a question with a period under its name."""
    before, behind = question[: said.start], question[said.end :]
    if not before.strip():
        return f"{behind.strip(' ?.!')} in {name}".strip()
    return f"{before}in {name}{behind}" if not behind.strip(" ?.!") else f"{before}{name}{behind}"
