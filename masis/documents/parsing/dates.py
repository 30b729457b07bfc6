"""Reads dates and the ends of periods as documents write them."""

import calendar
import datetime as dt
import re
from typing import Final, Literal, NamedTuple

from masis.text.grammars.calendar import MONTH, SHORT_MONTHS

_MONTH_NUMBER = {name: number for number, name in enumerate(SHORT_MONTHS, start=1)}
_MONTH = rf"{MONTH}\.?"
_FORMS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<year>\d{4})[-/.](?P<number>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)",
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+(?P<year>\d{{4}})\b",
        rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})\b",
        rf"{_MONTH},?\s+(?P<year>\d{{4}})\b",
    )
]
_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b")
_JUST_NOW = dt.timedelta(minutes=5)
_EARLIEST_YEAR, _LATEST_YEAR = 1900, 2100
_HIGHEST_MONTH = 12
# What python-docx and python-pptx leave in files whose author set no date.
_TEMPLATE_DATES = {dt.date(2013, 12, 23), dt.date(2013, 1, 27)}

Precision = Literal["day", "month", "quarter", "year"]

_FISCAL = r"(?:fy\s?|fiscal(?:\s+year)?\s+|financial\s+year\s+|of\s+)?"
_YEAR = r"(?P<year>(?:19|20)\d{2})(?![\d/])(?!\s?[-–]\s?\d)"
_ORDINALS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_ORDINAL = r"(?P<ordinal>first|second|third|fourth)"
_PARTS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<part>[qh])(?P<number>[1-4])[\s,/-]*{_FISCAL}{_YEAR}",
        rf"{_FISCAL}(?P<year>(?:19|20)\d{{2}})[\s,/-]*(?P<part>[qh])(?P<number>[1-4])\b",
        rf"{_ORDINAL}[\s-]+(?P<part>quarter|half),?\s+(?:of\s+)?{_FISCAL}{_YEAR}",
    )
]
_IN_MONTH = [
    re.compile(rf"{_MONTH},?\s?(?P<year>\d{{4}})\b", re.IGNORECASE),
    re.compile(r"(?P<year>(?:19|20)\d{2})-(?P<number>0[1-9]|1[0-2])(?![\d-])"),
]
_IN_YEAR = re.compile(rf"(?:calendar\s+year\s+|year\s+)?{_FISCAL}{_YEAR}", re.IGNORECASE)
_TO = re.compile(
    rf"(?:\d{{4}}-\d{{1,2}}-\d{{1,2}}|(?:\d{{1,2}}(?:st|nd|rd|th)?\s+)?{_MONTH}"
    r"(?:\s+\d{1,2}(?:st|nd|rd|th)?)?(?:,?\s+\d{4})?)"
    r"\s*(?:[-–—]|to|until|through|till)\s*",
    re.IGNORECASE,
)
"""The beginning of a period, and what leads to its end."""


class Period(NamedTuple):
    """A stretch of time as a text names it; a day begins and ends with itself."""

    start: dt.date
    end: dt.date
    precision: Precision


def parse_date(text: str) -> dt.date | None:
    """The date that `text` begins with; `March 2024` is its first day.

    A date such as 03/04/2024, which means two days in two countries, is None.
    """
    text = text.strip()
    for form in _FORMS:
        if match := form.match(text):
            parts = match.groupdict()
            named = parts.get("month")
            month = _MONTH_NUMBER[named[:3].lower()] if named else int(parts["number"])
            return _date(int(parts["year"]), month, int(parts.get("day") or 1))
    if match := _SLASHED.match(text):
        first, second, year = (int(part) for part in match.groups())
        if first > _HIGHEST_MONTH:
            return _date(year, second, first)
        if second > _HIGHEST_MONTH or first == second:
            return _date(year, first, second)
    return None


def parse_period(text: str) -> Period | None:
    """The day, month, quarter, half or year that `text` begins with; of a range the last of them.

    A fiscal year counts as the calendar's: which months it has stands elsewhere, if anywhere.
    """
    text = text.strip()
    if opened := _TO.match(text):
        last = parse_period(text[opened.end() :])
        if last is not None:
            return last
    return _day(text) or _part_of_year(text) or _month(text) or _year(text)


def _day(text: str) -> Period | None:
    if any(form.match(text) for form in _FORMS[:-1]) or _SLASHED.match(text):
        found = parse_date(text)
        return None if found is None else Period(found, found, "day")
    return None


def _month(text: str) -> Period | None:
    match = next((found for form in _IN_MONTH if (found := form.match(text))), None)
    if match is None:
        return None
    parts = match.groupdict()
    named = parts.get("month")
    month = _MONTH_NUMBER[named[:3].lower()] if named else int(parts["number"])
    return _months(int(parts["year"]), month, 1, "month")


def _part_of_year(text: str) -> Period | None:
    """A quarter or a half."""
    match = next((found for form in _PARTS if (found := form.match(text))), None)
    if match is None:
        return None
    parts = match.groupdict()
    number = _ORDINALS[parts["ordinal"].lower()] if "ordinal" in parts else int(parts["number"])
    length = 3 if parts["part"].lower().startswith("q") else 6
    month = (number - 1) * length + 1
    return _months(int(parts["year"]), month, length, "quarter")


def _year(text: str) -> Period | None:
    match = _IN_YEAR.match(text)
    return _months(int(match["year"]), 1, 12, "year") if match else None


def _months(year: int, month: int, length: int, precision: Precision) -> Period | None:
    last = month + length - 1
    start = _date(year, month, 1)
    if start is None or last > _HIGHEST_MONTH:
        return None
    return Period(start, dt.date(year, last, calendar.monthrange(year, last)[1]), precision)


def metadata_date(value: object) -> dt.date | None:
    """The date of a metadata field (a date, a time or a text), unless a library left it there."""
    if isinstance(value, dt.datetime):
        found: dt.date | None = value.date()
    elif isinstance(value, dt.date):
        found = value
    else:
        found = parse_date(str(value)) if value else None
    return None if found in _TEMPLATE_DATES else found


def saved_date(stamp: dt.datetime | None) -> dt.date | None:
    """The day of an Office file's stamp; its library gives the present time where there is none."""
    if stamp is None:
        return None
    aware = stamp if stamp.tzinfo else stamp.replace(tzinfo=dt.UTC)
    return metadata_date(stamp) if dt.datetime.now(dt.UTC) - aware > _JUST_NOW else None


def _date(year: int, month: int, day: int) -> dt.date | None:
    if not _EARLIEST_YEAR <= year <= _LATEST_YEAR:
        return None
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None
