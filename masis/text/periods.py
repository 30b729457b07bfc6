"""Read the periods that a text names: years, halves, quarters, months and days."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from masis.domain import Period
from masis.text.facts import FISCAL_YEAR
from masis.text.grammars.calendar import MONTH, MONTHS, SHORT_MONTHS
from masis.values.base import PeriodKind

_YEAR: Final = r"(?:FY ?-?)?(?P<year>(?:19|20)\d{2})(?![\d.,]*\d)"
_SHORT: Final = r"(?:FY ?-?|['’])?(?P<short>\d{2})(?!\d)"
_OF: Final = r"(?:,? (?:of |in )?(?:the )?(?:fiscal |financial )?(?:year )?)"
_NTH: Final = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 4}  # fmt: skip
_NTHS: Final = "|".join(_NTH)
_HALVES: Final = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "last": 2}
_MONTH_COUNTS: Final[dict[str, tuple[str, int]]] = {
    "three": ("quarter", 1),
    "3": ("quarter", 1),
    "six": ("half", 1),
    "6": ("half", 1),
    "nine": ("nine_months", 1),
    "9": ("nine_months", 1),
    "twelve": ("year", 0),
    "12": ("year", 0),
}


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){text}", re.IGNORECASE)


_PATTERNS: Final = (
    ("day", _pattern(r"(?P<year>(?:19|20)\d{2})-(?P<nth>0[1-9]|1[0-2])-(?P<day>[0-3]\d)(?!\d)")),
    ("day", _pattern(rf"(?P<day>[0-3]?\d)\.? (?:of )?{MONTH},? {_YEAR}")),
    ("day", _pattern(rf"{MONTH} (?P<day>[0-3]?\d),? {_YEAR}")),
    ("quarter", _pattern(rf"Q(?P<nth>[1-4])(?:[ /-]|{_OF})?{_YEAR}")),
    ("quarter", _pattern(r"(?P<year>20\d{2})[ -]?Q(?P<nth>[1-4])(?!\w)")),
    ("quarter", _pattern(r"(?P<short>\d{2})Q(?P<nth>[1-4])(?!\w)")),
    ("quarter", _pattern(r"(?P<nth>[1-4])Q ?(?:FY)?(?:20)?(?P<short>\d{2})(?!\d)")),
    ("quarter", _pattern(rf"Q(?P<nth>[1-4])[ /-]?{_SHORT}")),
    ("quarter", _pattern(rf"(?P<nth>{_NTHS}) (?:fiscal )?quarter{_OF}{_YEAR}")),
    ("half", _pattern(rf"H(?P<nth>[12])(?:[ /-]|{_OF})?{_YEAR}")),
    ("half", _pattern(rf"(?P<year>20\d{{2}})[ -]?H(?P<nth>[12])(?!\w)|{_YEAR.replace('year', 'years')} h(?P<nths>[12])(?!\w)")),
    ("half", _pattern(rf"(?P<nth>first|second|1st|2nd|last) half(?: ?-?year)?{_OF}{_YEAR}")),
    ("range", _pattern(rf"{MONTH.replace('<month>', '<first>')}(?: ?[-–] ?| to | until | through ){MONTH},? {_YEAR}")),
    ("months", _pattern(rf"first (?P<nth>two|three) quarters{_OF}{_YEAR}")),
    ("months", _pattern(rf"(?:first )?(?P<nth>three|six|nine|twelve|3|6|9|12)[ -]months?(?: ended[^.,;]{{0,20}}?)?{_OF}{_YEAR}")),
    ("month", _pattern(rf"{MONTH},? {_YEAR}")),
    ("fiscal", _pattern(FISCAL_YEAR.pattern + r"(?!\d)")),
    ("year", _pattern(_YEAR)),
    ("year", re.compile(rf"(?<=\0[-–]){_YEAR}", re.IGNORECASE)),
    ("quarter", _pattern(r"Q(?P<nth>[1-4])(?!\w)")),
    ("quarter", _pattern(rf"(?P<nth>{_NTHS}) (?:fiscal )?quarter\b")),
    ("half", _pattern(r"H(?P<nth>[12])(?!\w)")),
    ("half", _pattern(r"(?P<nth>first|second|1st|2nd|last) half\b")),
    ("months", _pattern(r"first (?P<nth>three|six|nine|3|6|9)[ -]months?\b")),
)  # fmt: skip
"""The longer first: what one has read no other reads again."""
_PART_OF_ANY: Final = re.compile(r"\d|quarter|half|month", re.IGNORECASE)
"""One of these stands in whatever any of the patterns reads."""


_REMEMBERED_CHARS: Final = 200


class PlacedPeriod(NamedTuple):
    """A period and where it stands in a text."""

    start: int
    end: int
    period: Period


def periods(text: str) -> list[PlacedPeriod]:
    """Return the periods that a text names, in order."""
    if not _PART_OF_ANY.search(text):
        return []
    return list(_periods_of(text) if len(text) <= _REMEMBERED_CHARS else _periods_in(text))


def _periods_in(text: str) -> tuple[PlacedPeriod, ...]:
    found: list[PlacedPeriod] = []
    rest = text
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(rest):
            period = _period(kind, match)
            if period is not None:
                found.append(PlacedPeriod(match.start(), match.end(), period))
        for each in found:
            rest = rest[: each.start] + "\0" * (each.end - each.start) + rest[each.end :]
    return tuple(sorted(_in_one_year(found)))


# Of a table's rows and columns the same names are read for each of its cells.
_periods_of = lru_cache(maxsize=1024)(_periods_in)


def without_periods(text: str) -> str:
    """Return a text without the words that name periods."""
    for each in periods(text):
        text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
    return text


def within(inner: Period, outer: Period) -> bool:
    """Tell whether a period is the other, or a part of it."""
    if inner.year != outer.year or inner.year is None:
        return inner == outer
    first, last = months_of(inner)
    begins, ends = months_of(outer)
    return begins <= first and last <= ends and (outer.kind != "day" or inner == outer)


def name(period: Period) -> str:
    """Return a period as people write it."""
    year = f" {period.year}" if period.year else ""
    match period.kind:
        case "year":
            return year.strip()
        case "quarter":
            return f"Q{period.part}{year}"
        case "half":
            return f"H{period.part}{year}"
        case "nine_months":
            return f"the first nine months{' of' if year else ''}{year}"
        case "month":
            return f"{MONTHS[period.part - 1].capitalize()}{year}"
    return f"{period.day} {MONTHS[period.part - 1].capitalize()}{year}"


def months_of(period: Period) -> tuple[int, int]:
    """Return the first and the last month of a period."""
    match period.kind:
        case "year":
            return 1, 12
        case "half":
            return 6 * period.part - 5, 6 * period.part
        case "nine_months":
            return 1, 9
        case "quarter":
            return 3 * period.part - 2, 3 * period.part
    return period.part, period.part


def _in_one_year(found: list[PlacedPeriod]) -> Iterator[PlacedPeriod]:
    """Give parts without a year the one year that the text names: "Q3 against Q2 of 2026"."""
    years = {each.period.year for each in found if each.period.year}
    for each in found:
        if each.period.year is None and len(years) == 1:
            year = {"year": min(years)}
            yield each._replace(period=each.period.model_copy(update=year))
        else:
            yield each


def _period(kind: str, match: re.Match[str]) -> Period | None:  # noqa: PLR0911 - a return a kind
    named = {key: value for key, value in match.groupdict().items() if value}
    if "first" in named:
        return _months_from(named["first"], named["month"], int(named["year"]))
    year = int(named.get("year") or named.get("years") or 0) or None
    if "short" in named:
        year = 2000 + int(named["short"])
    nth = (named.get("nth") or named.get("nths") or "").casefold()
    match kind:
        case "fiscal":
            return Period(kind="year", year=2000 + int(match[1]))
        case "year":
            return Period(kind="year", year=year)
        case "quarter":
            return Period(kind="quarter", year=year, part=_NTH.get(nth) or int(nth))
        case "half":
            return Period(kind="half", year=year, part=_HALVES.get(nth) or int(nth))
        case "months":
            count = "six" if "two" in nth else "nine" if "quarter" in match[0].casefold() else nth
            span, part = _MONTH_COUNTS[count]
            return Period(kind=span, year=year, part=part)
    part = int(nth) if nth else SHORT_MONTHS.index(named["month"][:3].casefold()) + 1
    return Period(kind="day" if kind == "day" else "month", year=year, part=part, day=int(named.get("day", 0)))  # fmt: skip


_SPANS: Final[dict[tuple[int, int], tuple[PeriodKind, int]]] = {
    (1, 12): ("year", 0),
    (1, 9): ("nine_months", 1),
    (1, 6): ("half", 1),
    (7, 12): ("half", 2),
    **{(3 * nth - 2, 3 * nth): ("quarter", nth) for nth in range(1, 5)},
}


def _months_from(first: str, last: str, year: int) -> Period | None:
    """Return the period from one month to another, where it has a name: "January to June 2026"."""
    ends = (_month(first), _month(last))
    if ends not in _SPANS:
        return None
    kind, part = _SPANS[ends]
    return Period(kind=kind, year=year, part=part)


def _month(name_: str) -> int:
    return SHORT_MONTHS.index(name_[:3].casefold()) + 1


# --- one period by another ---------------------------------------------------------------------

_PARTS: Final[dict[PeriodKind, tuple[PeriodKind, ...]]] = {
    "year": ("quarter", "half", "month"),
    "nine_months": ("quarter", "month"),
    "half": ("quarter", "month"),
    "quarter": ("month",),
}
_LENGTHS: Final[dict[PeriodKind, int]] = {"quarter": 3, "half": 6, "month": 1}


def parts(period: Period) -> list[list[Period]]:
    """Return the periods that a period is made of: its quarters, its halves, its months."""
    first, last = months_of(period)
    return [
        [Period(kind=kind, year=period.year, part=at // length + 1) for at in range(first - 1, last, length)]
        for kind in _PARTS.get(period.kind, ())
        for length in (_LENGTHS[kind],)
    ]  # fmt: skip


def before(period: Period, span: PeriodKind) -> Period | None:
    """Return the same period one year, or the one quarter or month before; None where none is."""
    if period.year is None:
        return None
    if span == "year":
        return period.model_copy(update={"year": period.year - 1})
    if span != period.kind or span not in _LENGTHS:
        return None
    most = 12 // _LENGTHS[span]
    earlier = {"part": period.part - 1} if period.part > 1 else {"part": most, "year": period.year - 1}  # fmt: skip
    return period.model_copy(update=earlier)


def until_end_of(period: Period) -> Period:
    """Return the period from the start of its year to its end: the first nine months for Q3."""
    kind, part = _SPANS[1, months_of(period)[1]]
    return Period(kind=kind, year=period.year, part=part)


def ends_with(period: Period, other: Period) -> bool:
    """Tell whether two periods end in the same month: a year and its last quarter."""
    same = period.year is not None and period.year == other.year
    return same and months_of(period)[1] == months_of(other)[1]
