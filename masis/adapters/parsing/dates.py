"""Finds a document's own date."""

import datetime as dt
import re
from collections.abc import Sequence

from masis.domain import Block

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH_NUMBER = {name[:3]: number for number, name in enumerate(_MONTHS, start=1)}
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
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
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+)?"
_LABEL = re.compile(
    r"(?:^|[|·•;,(]|\.\s)\s*[*_]*(?:(?:(?:document|meeting|issue|report|release|version)\s+)?date(?:d)?(?:\s+of\s+\w+)?"
    r"|(?:effective|valid|in\s+force|applies)(?:\s+date)?(?:\s+(?:from|as\s+of|on|since))?"
    r"|(?:last\s+)?(?:updated|modified|revised|reviewed|changed|approved|published|issued|adopted|held)"
    r"(?:\s+on)?|as\s+of)[*_]*\s*[:–-]?\s*[*_]*\s*" + _WEEKDAY,
    re.IGNORECASE,
)
_FIRST_BLOCKS = 12
_LONGEST_LINE = 400
_JUST_NOW = dt.timedelta(minutes=5)
_EARLIEST_YEAR, _LATEST_YEAR = 1900, 2100
_HIGHEST_MONTH = 12
# What python-docx and python-pptx leave in files whose author set no date.
_TEMPLATE_DATES = {dt.date(2013, 12, 23), dt.date(2013, 1, 27)}


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


def stated_date(blocks: Sequence[Block]) -> dt.date | None:
    """The date that the first blocks state: `Last updated: 3 May 2024`, or a line that is a date."""
    early = blocks[:_FIRST_BLOCKS]
    for number, block in enumerate(early):
        if _is_one_of_many_rows(early, number):
            continue
        line = block.text[:_LONGEST_LINE]
        for label in _LABEL.finditer(line):
            if found := parse_date(line[label.end() :]):
                return found
    for block in blocks[: _FIRST_BLOCKS // 2]:
        if any(form.fullmatch(block.text) for form in _FORMS):
            return parse_date(block.text)
    return None


def _is_one_of_many_rows(blocks: Sequence[Block], number: int) -> bool:
    """Whether a row of several cells has others beside it: their dates are data."""
    beside = [*blocks[max(0, number - 1) : number], *blocks[number + 1 : number + 2]]
    many = any(block.kind == "table_row" and " | " in block.text for block in beside)
    return blocks[number].kind == "table_row" and " | " in blocks[number].text and many


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
