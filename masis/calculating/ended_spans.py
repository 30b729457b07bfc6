"""Name the stretches that reports call by their last day: "three months ended 30 September 2023" is Q3 2023.

They are quarters of the calendar, where they end with one. A report that is called by another quarter
("2023_Q3_…") names them for itself where its text says so, or where no quarter of the calendar is nearer.
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
_LENGTH: Final = re.compile(r"month|quarter|year", re.IGNORECASE)
"""One of these stands in the name of each such column."""
_MONTHS: Final = {"three": 3, "six": 6, "nine": 9, "twelve": 12, "quarter": 3, "year": 12}
_KINDS: Final[Mapping[int, PeriodKind]] = {3: "quarter", 6: "half", 9: "nine_months", 12: "year"}
_CLOSE: Final = 7
"""Days that a stretch may end before or after a quarter: years of 52 weeks end on a weekday."""
_MOST_SPANS: Final = 12
"""Columns of a table that are such stretches."""


_NTHS: Final = ("first", "second", "third", "fourth")
_FISCAL: Final = re.compile(
    rf"\b(?P<nth>{'|'.join(_NTHS)}) quarter(?: and (?:the )?first (?:six|nine) months)? of (?P<fiscal>fiscal )?(?:years? )?(?P<year>20\d{{2}})",
    re.IGNORECASE,
)
_OWN_YEARS: Final = re.compile(r"\bfiscal\b", re.IGNORECASE)
"""Says that a document has years of its own, so that "the third quarter of 2023" is one of them."""


class Ended(NamedTuple):
    """A stretch of so many months that ended on a day, as a text has it."""

    months: int
    day: dt.date


Named = dict[Ended, Period]
"""What stretches are called."""


def spans_in(text: str) -> Iterator[tuple[re.Match[str], Ended]]:
    """Yield the stretches that a text calls by their last day."""
    for match in _SPAN.finditer(text) if _LENGTH.search(text) else ():
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

    A text that speaks of a quarter of a fiscal year says it for others too that are called by the same quarter
    and have the same stretch: two names of one stretch would be taken for two stretches.
    """
    ended = {key: _ended(said) for key, said in headers.items()}
    own = {key: _other_quarter(titles.get(key, ()), found) for key, found in ended.items()}
    fiscal = {
        key: found
        for key, quarter in own.items()
        if quarter is not None and (found := _fiscal(quarter, texts.get(key, ()), ended[key]))
    }
    stated: Named = {}
    for key, quarter in fiscal.items():
        stated |= _counted_back(ended[key], quarter)
    return {
        key: _by_titles(found, fiscal.get(key) or own[key], stated) for key, found in ended.items()
    }


def _by_titles(found: Sequence[Ended], own: Period | None, stated: Named) -> Named:
    if own is None:
        named = {each: _by_calendar(each) for each in found}
        return {ended: period for ended, period in named.items() if period is not None}
    is_believed = _nearest(_last(found)) == own
    shared = {each: stated[each] for each in found if each in stated and _part(each, stated) == own.part}  # fmt: skip
    return (_counted_back(found, own) if is_believed else {}) | shared


def _part(ended: Ended, named: Named) -> int:
    """Return the quarter that a stretch ends with, by its name."""
    return max(1, ended.months // 3) * (named[ended].part or 1)


def _ended(headers: Iterable[str]) -> list[Ended]:
    found = (ended for header in headers for _, ended in spans_in(header))
    return list(dict.fromkeys(found))[:_MOST_SPANS]


def _last(found: Sequence[Ended]) -> dt.date:
    return max((each.day for each in found), default=dt.date.min)


def _counted_back(found: Sequence[Ended], own: Period) -> Named:
    """Return what stretches are called, the last of them by the document's own quarter."""
    named = {each: _called(each, own, _last(found)) for each in found}
    return {ended: period for ended, period in named.items() if period is not None}


def _fiscal(own: Period, texts: Sequence[str], found: Sequence[Ended]) -> Period | None:
    """Return a document's quarter in the last fiscal year for which its text speaks of it; None where it does not."""
    has_years = any(map(_OWN_YEARS.search, texts))
    said = (match for text in texts for match in _FISCAL.finditer(text))
    years = [
        int(each["year"])
        for each in said
        if _NTHS.index(each["nth"].casefold()) + 1 == own.part and (each["fiscal"] or has_years)
    ]
    # A later one is an outlook.
    done = [year for year in years if year <= _last(found).year + 1]
    return own.model_copy(update={"year": max(done)}) if done else None


def _other_quarter(titles: Sequence[str], found: Sequence[Ended]) -> Period | None:
    """Return the quarter by which a document is called where that is not the one of the calendar."""
    own = _own_quarter(titles)
    return None if own == _by_calendar(Ended(3, _last(found))) else own


def _own_quarter(titles: Sequence[str]) -> Period | None:
    """Return the quarter by which a document is called."""
    said = (each.period for text in titles for each in periods(text.replace("_", " ")))
    return next((each for each in said if each.kind == "quarter" and each.year), None)


def _called(ended: Ended, own: Period, last: dt.date) -> Period | None:
    years = round((last - ended.day).days / 365.25)
    is_as_last = abs((last - ended.day).days - years * 365.25) <= 2 * _CLOSE
    if not is_as_last or own.year is None:
        return None
    return _of_quarter(ended.months, own.year - years, own.part)


def _by_calendar(ended: Ended) -> Period | None:
    quarter = _nearest(ended.day)
    if quarter.year is None or abs((_ends(quarter) - ended.day).days) > _CLOSE:
        return None
    return _of_quarter(ended.months, quarter.year, quarter.part)


def _nearest(day: dt.date) -> Period:
    """Return the quarter of the calendar whose end is nearest to a day."""
    several = [
        Period(kind="quarter", year=year, part=part)
        for year in (max(1, day.year - 1), day.year)
        for part in range(1, 5)
    ]
    return min(several, key=lambda each: abs((_ends(each) - day).days))


def _ends(quarter: Period) -> dt.date:
    months = 3 * quarter.part
    first_after = dt.date((quarter.year or 1) + months // 12, months % 12 + 1, 1)
    return first_after - dt.timedelta(days=1)


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
            called = name(named[ended]).removeprefix("the ")
            said = f"{called} ({match[0].strip()})" if beside else called
            text = f"{text[: match.start()]}{said}{text[match.end() :]}"
    return text


def is_unnamed(header: str) -> bool:
    """Tell whether a column names its time by nothing but the last day of a stretch."""
    named = periods(header)
    return bool(named) and named[0].period.kind == "day" and any(spans_in(header))


def day_named(period: Period, said: Sequence[Ended], named: Mapping[Ended, Period]) -> Period:
    """Return what the stretch is called that is said to have ended on a day, or is as long as all that are said."""
    day = _date(period)
    lengths = {each.months for each in said if each.day == day} or {each.months for each in said}
    if day is None or len(lengths) != 1:
        return period
    close = (
        called
        for ended, called in named.items()
        if ended.months in lengths and abs((ended.day - day).days) <= _CLOSE
    )
    return next(close, period)
