"""Name the stretches that reports call by their last day: "three months ended 30 September 2023" is Q3 2023.

A report that is called by a quarter ("2023_Q3_…") names them for itself, whatever its fiscal year; in others
they are quarters of the calendar, where they end with one.
"""

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from masis.domain import Period
from masis.text.grammars.calendar import MONTH
from masis.text.periods import name, periods
from masis.values.base import PeriodKind

_SPAN: Final = re.compile(
    rf"(?:\b(?:the )?(?P<months>three|six|nine|twelve|3|6|9|12)[ -]months?(?: period)?|\b(?:the )?(?:fiscal )?(?P<one>quarter|year)(?:ly period)?)"
    rf"(?: ended| ending| to)?:? (?P<day>{MONTH.replace('?P<month>', '?:')} [0-3]?\d,? (?:19|20)\d{{2}}|[0-3]?\d\.? {MONTH.replace('?P<month>', '?:')},? (?:19|20)\d{{2}})",
    re.IGNORECASE,
)
MONTHS_ENDED: Final = "ended"
"""Stands in the name of each such column."""
_MONTHS: Final = {"three": 3, "six": 6, "nine": 9, "twelve": 12, "quarter": 3, "year": 12}
_KINDS: Final[Mapping[int, PeriodKind]] = {3: "quarter", 6: "half", 9: "nine_months", 12: "year"}
_CLOSE: Final = 7
"""Days that a stretch may end before or after a quarter: years of 52 weeks end on a weekday."""
_MOST_SPANS: Final = 12
"""Columns of a table that are such stretches."""


_NTHS: Final = ("first", "second", "third", "fourth")
_FISCAL: Final = re.compile(
    rf"\b(?P<nth>{'|'.join(_NTHS)}) quarter of fiscal (?:years? )?(?P<year>20\d{{2}})",
    re.IGNORECASE,
)


class Ended(NamedTuple):
    """A stretch of so many months that ended on a day, as a text has it."""

    months: int
    day: dt.date


Named = dict[Ended, Period]
"""What stretches are called."""


def spans_in(text: str) -> Iterator[tuple[re.Match[str], Ended]]:
    """Yield the stretches that a text calls by their last day."""
    for match in _SPAN.finditer(text):
        said = (match["months"] or match["one"]).casefold()
        day = next((_date(each.period) for each in periods(match["day"])), None)
        if day is not None:
            yield match, Ended(_MONTHS.get(said) or int(said), day)


def _date(period: Period) -> dt.date | None:
    if period.kind != "day" or period.year is None:
        return None
    try:
        return dt.date(period.year, period.part, period.day)
    except ValueError:  # 31 June
        return None


def named_in(
    headers: Mapping[str, Sequence[str]],
    texts: Mapping[str, Sequence[str]],
    titles: Mapping[str, Sequence[str]],
) -> dict[str, Named]:
    """Return by documents what the stretches of their columns are called.

    A text that speaks of a quarter of a fiscal year goes before the document's title, and before the titles
    of others where they have the same stretch: two names of one stretch would be taken for two stretches.
    """
    ended = {key: _ended(said) for key, said in headers.items()}
    own = {key: _own_quarter(titles.get(key, ())) for key in ended}
    fiscal = {
        key: found
        for key, quarter in own.items()
        if quarter is not None and (found := _fiscal(quarter, texts.get(key, ())))
    }
    stated: Named = {}
    for key, quarter in fiscal.items():
        stated |= _named_spans(ended[key], quarter)
    return {
        key: stated if key in fiscal else _named_spans(found, own[key]) | _shared(found, stated)
        for key, found in ended.items()
    }


def _ended(headers: Iterable[str]) -> list[Ended]:
    found = (ended for header in headers for _, ended in spans_in(header))
    return list(dict.fromkeys(found))[:_MOST_SPANS]


def _named_spans(found: Sequence[Ended], own: Period | None) -> Named:
    """Return what stretches are called, the last of them by the document's own quarter."""
    last = max((each.day for each in found), default=dt.date.min)
    named = {each: _called(each, own, last) for each in found}
    return {ended: period for ended, period in named.items() if period is not None}


def _shared(found: Sequence[Ended], stated: Named) -> Named:
    return {each: stated[each] for each in found if each in stated}


def _fiscal(own: Period, texts: Iterable[str]) -> Period | None:
    """Return a document's quarter in the last fiscal year for which its text speaks of it; None where it does not."""
    said = (match for text in texts for match in _FISCAL.finditer(text))
    years = [
        int(each["year"]) for each in said if _NTHS.index(each["nth"].casefold()) + 1 == own.part
    ]
    return own.model_copy(update={"year": max(years)}) if years else None


def _own_quarter(titles: Sequence[str]) -> Period | None:
    """Return the quarter by which a document is called."""
    said = (each.period for text in titles for each in periods(text.replace("_", " ")))
    return next((each for each in said if each.kind == "quarter" and each.year), None)


def _called(ended: Ended, own: Period | None, last: dt.date) -> Period | None:
    if own is None:
        return _by_calendar(ended)
    years = round((last - ended.day).days / 365.25)
    is_as_last = abs((last - ended.day).days - years * 365.25) <= 2 * _CLOSE
    if not is_as_last or own.year is None:
        return None
    return _of_quarter(ended.months, own.year - years, own.part)


def _by_calendar(ended: Ended) -> Period | None:
    for quarter in range(1, 5):
        for year in (ended.day.year - 1, ended.day.year):
            first_after = dt.date(year + quarter // 4, quarter % 4 * 3 + 1, 1)
            if abs((first_after - dt.timedelta(days=1) - ended.day).days) <= _CLOSE:
                return _of_quarter(ended.months, year, quarter)
    return None


def _of_quarter(months: int, year: int, quarter: int) -> Period | None:
    """Return the stretch of so many months that ends with a quarter; None where it has no name."""
    if months == 3:
        return Period(kind="quarter", year=year, part=quarter)
    if months != 3 * quarter and not (months == 6 and quarter == 4):
        return None
    part = 0 if months == 12 else 2 if quarter == 4 else 1
    return Period(kind=_KINDS[months], year=year, part=part)


def with_names(text: str, named: Mapping[Ended, Period], *, beside: bool = False) -> str:
    """Return a text with the names of its stretches instead, or with what they are said to be behind."""
    for match, ended in reversed(list(spans_in(text))):
        if ended in named:
            called = name(named[ended])
            said = f"{called} ({match[0].strip()})" if beside else called
            text = f"{text[: match.start()]}{said}{text[match.end() :]}"
    return text


def without_names(text: str) -> str:
    """Return a column's name as its document has it."""
    return _BESIDE.sub(lambda match: match["said"], text)


_BESIDE: Final = re.compile(r"(?:Q[1-4]|H[12]|the first nine months of)? ?20\d{2} \((?P<said>[^()]*\bended\b[^()]*)\)", re.IGNORECASE)  # fmt: skip


def day_named(period: Period, text: str, named: Mapping[Ended, Period]) -> Period:
    """Return what a stretch is called that a text says by its last day; the period itself where it says none."""
    day = _date(period)
    lengths = {ended.months for _, ended in spans_in(text)}
    if day is None or not lengths:
        return period
    close = (
        called
        for ended, called in named.items()
        if ended.months in lengths and abs((ended.day - day).days) <= _CLOSE
    )
    return next(close, period)
