"""Read conditions on dates and numbers from a question: since March, older than 30 days, over 500."""

import datetime as dt
import re
from calendar import monthrange
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from masis.tables.cell_values import CURRENCIES, Marks, decimal_mark, number
from masis.tables.grammar.asking_words import COUNTS, WORD_COUNTS
from masis.tables.grammar.words import AskedWords
from masis.text.grammars.calendar import MONTH, SHORT_MONTHS
from masis.text.grammars.scales import LETTERS, SCALES
from masis.text.periods import periods
from masis.values.base import Period

_SPANS: Final = {"day": 1, "week": 7, "fortnight": 14}
_NUMBER: Final = rf"(?P<sign>[-−])?(?P<currency>[£$€]|\b(?:gbp|eur|usd|chf) )?\s*(?P<number>\d[\d.,]*)(?P<scale>{LETTERS})?\b(?:\s?(?P<after>%|[£$€]|[a-z]{{1,12}}))?"
_COMPARISONS: Final = (
    ("between", re.compile(rf"\bbetween {_NUMBER.replace('?P<', '?P<a_')} and {_NUMBER}", re.IGNORECASE)),
    ("at least", re.compile(rf"(?:\bat least|\bno less than|\bminimum of|>=|\bor more than) {_NUMBER}", re.IGNORECASE)),
    ("at most", re.compile(rf"(?:\bat most|\bno more than|\bup to|\bmaximum of|<=|\bnot over) {_NUMBER}", re.IGNORECASE)),
    ("at least", re.compile(rf"{_NUMBER} or (?:more|over|above|higher|longer)\b", re.IGNORECASE)),
    ("at most", re.compile(rf"{_NUMBER} or (?:less|fewer|under|below|lower)\b", re.IGNORECASE)),
    ("above", re.compile(rf"(?:\b(?:over|above|exceed(?:s|ing|ed)?|beyond|(?:more|greater|higher|longer|larger|bigger|older|heavier) than)|>) ?{_NUMBER}", re.IGNORECASE)),
    ("below", re.compile(rf"(?:\b(?:under|below|beneath|(?:less|fewer|lower|shorter|smaller|cheaper|lighter|younger) than)|<) ?{_NUMBER}", re.IGNORECASE)),
    ("is", re.compile(rf"(?:\bexactly|\bequal to|\bof exactly|=) ?{_NUMBER}", re.IGNORECASE)),
)  # fmt: skip
_COUNT_OF_SPANS: Final = re.compile(
    rf"\b(?P<number>\d{{1,3}}|{COUNTS})[ -](?P<unit>year|month|week|day|hour|minute)s?\b",
    re.IGNORECASE,
)
_OLDER: Final = re.compile(r"\b(?P<way>older|more|longer|over|newer|younger|less|within)(?: than)? (?P<count>\d{1,4}) (?P<unit>day|week|fortnight|month|year)s?(?: (?:old|ago))?\b", re.IGNORECASE)  # fmt: skip
_LAST: Final = re.compile(r"\b(?:in |during |over |within |for )?(?:the )?(?:last|past|previous) (?P<count>\d{1,3}|two|three|six) (?P<unit>day|week|month|year)s\b", re.IGNORECASE)  # fmt: skip
_THIS: Final = re.compile(r"\b(?:in |during )?(?P<which>this|last|current|previous) (?P<unit>year|month|quarter|week)\b|\b(?P<day>today|yesterday)\b", re.IGNORECASE)  # fmt: skip
_AS_OF: Final = re.compile(r"\bas (?:of|at)\b(?: the)?\s*$|\bon\s*$", re.IGNORECASE)
_BEFORE: Final = re.compile(r"\b(?:before|prior to|earlier than|until|till|up to|by)(?: the)?(?: end of)?\s*$", re.IGNORECASE)  # fmt: skip
_SINCE: Final = re.compile(r"\b(?:since|from|starting(?: in)?|as from)(?: the)?(?: start of| beginning of)?\s*$", re.IGNORECASE)  # fmt: skip
_AFTER: Final = re.compile(r"\b(?:after|later than)(?: the)?(?: end of)?\s*$", re.IGNORECASE)
_IN: Final = re.compile(r"\b(?:in|during|for|of|on|over|between|to|and|vs\.?|versus|until)(?: the)?(?: year| month)?\s*$", re.IGNORECASE)  # fmt: skip
_UNTIL: Final = re.compile(r"^\s*(?:to|until|till|through|and|[-–])\s*$", re.IGNORECASE)
_MONTH_ALONE: Final = re.compile(rf"\b(?:in|during|for|of|since|before|after|until|from|,) ?{MONTH}\b(?! ?\d)|^{MONTH.replace('month', 'first')}\b|,\s*{MONTH.replace('month', 'late')}\b(?! ?\d)", re.IGNORECASE)  # fmt: skip
_YEAR: Final = r" ?(?:FY ?)?['’]?(?P<{0}>(?:20)?\d{{2}})(?!\d)"
_TO: Final = r" ?(?:-|–|—|\bto\b|\buntil\b|\btill\b|\bthrough\b|(?P<both>\band\b)) ?"
_LATER: Final = MONTH.replace("month", "later")
_MONTHS: Final = re.compile(rf"(?P<ranged>\b(?:from|between) )?\b{MONTH}(?:{_YEAR.format('year')})?{_TO}{_LATER}{_YEAR.format('years')}", re.IGNORECASE)  # fmt: skip
_QUARTERS: Final = re.compile(rf"(?P<ranged>\b(?:from|between) )?\bq(?P<quarter>[1-4])(?:{_YEAR.format('year')})?{_TO}q(?P<later>[1-4]){_YEAR.format('years')}", re.IGNORECASE)  # fmt: skip
_SHORT_YEAR: Final = re.compile(rf"\b{MONTH} ['’]?(?P<year>\d{{2}})\b(?!\d)", re.IGNORECASE)
_LONG: Final = frozenset({"longer", "more", "over", "less"})
_COUNTED: Final = {"two": 2, "three": 3, "six": 6}


class Compared(NamedTuple):
    """A condition on a number: what it says, of which currency or unit, and where it stands.

    `is_scaled` where it is said in thousands or millions: "over 30k".
    """

    operator: str
    values: tuple[str, ...]
    currency: str
    unit: str
    start: int
    end: int
    is_scaled: bool = False


class Dated(NamedTuple):
    """A stretch of time, from its first day to the day behind its last; None where it is open.

    `period` is what was named; a month without a year has neither day.
    """

    since: dt.date | None
    before: dt.date | None
    period: Period | None
    start: int
    end: int


def compared(asked: AskedWords) -> Iterator[Compared]:
    """Yield the conditions on numbers that nothing else has read."""
    for operator, pattern in _COMPARISONS:
        for match in pattern.finditer(asked.text):
            end = match.end("scale") if match["scale"] else match.end("number")
            if not asked.is_free(match.start(), end):
                continue
            sides = ["a_", ""] if operator == "between" else [""]
            values = [_said(match, side) for side in sides]
            if any(value is None for value in values):
                continue
            after = match["after"] or ""
            free = asked.is_free(match.start("after"), match.end("after")) if after else False
            currency, unit = _unit(match["currency"] or "", after if free else "")
            if free and (after == "%" or (currency and not match["currency"])):
                end = match.end("after")
            said = tuple(filter(None, values))
            is_scaled = any(match[f"{side}scale"] for side in sides)
            yield Compared(operator, said, currency, unit, match.start(), end, is_scaled)


def spans(asked: AskedWords) -> Iterator[Compared]:
    """Yield free numbers of years, days or hours that stand beside no comparison: "3 year"."""
    for match in _COUNT_OF_SPANS.finditer(asked.text):
        if asked.is_free(match.start(), match.end()):
            said = match["number"].casefold()
            value = str(WORD_COUNTS.get(said) or said)
            yield Compared("is", (value,), "", match["unit"].casefold(), match.start(), match.end())


def _unit(before: str, after: str) -> tuple[str, str]:
    """Return the currency and the unit that stand around a number."""
    currency = CURRENCIES.get(before.strip().upper()) or CURRENCIES.get(after.upper(), "")
    return currency, "" if currency else after.casefold()


def _said(match: re.Match[str], prefix: str) -> str | None:
    digits = match[f"{prefix}number"].rstrip(".,")
    found = number(digits, Marks(decimal=decimal_mark(digits) or "."))
    if found is None:
        return None
    scaled = found.value * SCALES.get((match[f"{prefix}scale"] or "").casefold(), 1)
    return f"{'-' if match[f'{prefix}sign'] else ''}{scaled:f}"


# --- dates -----------------------------------------------------------------------------------


def dated(asked: AskedWords, today: dt.date, counted: Collection[str] = ()) -> list[Dated]:
    """Return the stretches of time that a question names, and note their words as read.

    `counted` are units of time that a column of numbers is in: "longer than 2 years" is none then.
    """
    found: list[Dated] = []
    now = _as_of(asked) or today
    for pattern, read in ((_OLDER, _older), (_LAST, _last), (_THIS, _this)):
        for match in pattern.finditer(asked.text):
            way = match.groupdict().get("way") or ""
            if way.casefold() in _LONG and match["unit"].casefold() in counted:
                continue
            if asked.is_free(match.start(), match.end()):
                since, before = read(match, now)
                found.append(Dated(since, before, None, match.start(), match.end()))
                asked.read(match.start(), match.end(), "date")
    found += _ranges(asked)
    named = [*_named(asked), *_short_years(asked)]
    found += _joined(asked, named)
    found += list(_months(asked))
    return found


def _as_of(asked: AskedWords) -> dt.date | None:
    """Return the day that a question is asked as of, where it names one."""
    for each in periods(asked.text):
        before = asked.text[: each.start]
        match = _AS_OF.search(before)
        if each.period.kind == "day" and match and before[match.start() :].strip() != "on":
            asked.read(match.start(), each.end, "date")
            return _first(each.period)
    return None


def _older(match: re.Match[str], now: dt.date) -> tuple[dt.date | None, dt.date | None]:
    then = _ago(now, int(match["count"]), match["unit"].casefold())
    older = match["way"].casefold() in {"older", "more", "longer", "over"}
    return (None, then) if older else (then, None)


def _last(match: re.Match[str], now: dt.date) -> tuple[dt.date | None, dt.date | None]:
    said = match["count"].casefold()
    count = _COUNTED.get(said) or int(said)
    return _ago(now, count, match["unit"].casefold()), now + dt.timedelta(days=1)


def _this(match: re.Match[str], now: dt.date) -> tuple[dt.date | None, dt.date | None]:
    if match["day"]:
        day = now - dt.timedelta(days=match["day"].casefold() == "yesterday")
        return day, day + dt.timedelta(days=1)
    back = match["which"].casefold() in {"last", "previous"}
    match match["unit"].casefold():
        case "year":
            return dt.date(now.year - back, 1, 1), dt.date(now.year - back + 1, 1, 1)
        case "quarter":
            start = _months_on(now.replace(day=1), -((now.month - 1) % 3) - 3 * back)
            return start, _months_on(start, 3)
        case "month":
            start = _months_on(now.replace(day=1), -back)
            return start, _months_on(start, 1)
    monday = now - dt.timedelta(days=now.weekday() + 7 * back)
    return monday, monday + dt.timedelta(days=7)


def _ago(now: dt.date, count: int, unit: str) -> dt.date:
    if unit in _SPANS:
        return now - dt.timedelta(days=count * _SPANS[unit])
    return _months_on(now, -count * (12 if unit == "year" else 1))


def _months_on(day: dt.date, months: int) -> dt.date:
    """Return the same day so many months later, or the last of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return dt.date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _ranges(asked: AskedWords) -> Iterator[Dated]:
    """Yield stretches from one month or quarter to another, of which only the last may say its year."""
    for pattern in (_MONTHS, _QUARTERS):
        for match in pattern.finditer(asked.text):
            if match["both"] and not match["ranged"]:
                continue  # two of them, side by side
            years = _full(match["years"])
            ends = (_end(match, _full(match["year"]) or years), _end(match, years, "later"))
            if _first(ends[0]) <= _first(ends[1]) and asked.is_free(match.start(), match.end()):
                asked.read(match.start(), match.end(), "date")
                yield Dated(_first(ends[0]), _behind(ends[1]), None, match.start(), match.end())


def _end(match: re.Match[str], year: int, name: str = "") -> Period:
    """Return one end of a range."""
    if match.re is _QUARTERS:
        return Period(kind="quarter", year=year, part=int(match[name or "quarter"]))
    return Period(kind="month", year=year, part=_month(match[name or "month"]))


def _full(year: str | None) -> int:
    """Return a year of two digits or four; 0 where none is said."""
    return int(year or 0) + (2000 if year and len(year) == 2 else 0)


def _named(asked: AskedWords) -> Iterator[tuple[int, int, Period]]:
    for each in periods(asked.text):
        if each.period.year is not None and asked.is_free(each.start, each.end):
            yield each.start, each.end, each.period


def _short_years(asked: AskedWords) -> Iterator[tuple[int, int, Period]]:
    """Yield months with a year of two digits: "october 26"."""
    taken = [(each.start, each.end) for each in periods(asked.text) if each.period.year]
    for match in _SHORT_YEAR.finditer(asked.text):
        is_free = asked.is_free(match.start(), match.end())
        if is_free and not any(start < match.end() and end > match.start() for start, end in taken):
            period = Period(
                kind="month", year=2000 + int(match["year"]), part=_month(match["month"])
            )
            yield match.start(), match.end(), period


def _joined(asked: AskedWords, named: list[tuple[int, int, Period]]) -> Iterator[Dated]:
    """Yield what is named, two ends of one stretch together."""
    named.sort(key=lambda each: each[:2])
    skip = False
    for at, (start, end, period) in enumerate(named):
        if skip:
            skip = False
            continue
        before = asked.text[:start]
        following = named[at + 1] if at + 1 < len(named) else None
        between = asked.text[end : following[0]] if following else ""
        ranged = re.search(r"\b(?:between|from)(?: the)?\s*$", before, re.IGNORECASE)
        if following and _UNTIL.match(between) and (ranged or "and" not in between):
            yield _noted(asked, Dated(_first(period), _behind(following[2]), None, start, following[1]), ranged)  # fmt: skip
            skip = True
        else:
            yield _one(asked, start, end, period)


def _one(asked: AskedWords, start: int, end: int, period: Period) -> Dated:
    before = asked.text[:start]
    first, behind = _first(period), _behind(period)
    if re.search(r" (?:to|until|through|and) |–", asked.text[start:end]):
        return _noted(asked, Dated(first, behind, period, start, end), _SINCE.search(before))
    if match := _BEFORE.search(before):
        whole = re.search(r"until|till|up to|by|end of", match[0], re.IGNORECASE)
        return _noted(asked, Dated(None, behind if whole else first, period, start, end), match)
    if match := _SINCE.search(before):
        return _noted(asked, Dated(first, None, period, start, end), match)
    if match := _AFTER.search(before):
        return _noted(asked, Dated(behind, None, period, start, end), match)
    return _noted(asked, Dated(first, behind, period, start, end), _IN.search(before))


def _noted(asked: AskedWords, found: Dated, match: re.Match[str] | None) -> Dated:
    asked.read(match.start() if match else found.start, found.end, "date")
    return found


def _months(asked: AskedWords) -> Iterator[Dated]:
    """Yield months without a year."""
    for match in _MONTH_ALONE.finditer(asked.text):
        said = next(word for word in match.groupdict().values() if word)
        at = asked.text.index(said, match.start())
        if asked.is_free(at, at + len(said)):
            asked.read(at, at + len(said), "date")
            yield Dated(None, None, Period(kind="month", part=_month(said)), at, at + len(said))


def _month(said: str) -> int:
    return SHORT_MONTHS.index(said[:3].casefold()) + 1


def _first(period: Period) -> dt.date:
    """Return the first day of a period with a year."""
    year = period.year or 1
    match period.kind:
        case "quarter":
            return dt.date(year, 3 * period.part - 2, 1)
        case "half":
            return dt.date(year, 6 * period.part - 5, 1)
        case "month":
            return dt.date(year, period.part, 1)
        case "day":
            return dt.date(year, period.part, min(period.day, monthrange(year, period.part)[1]))
    return dt.date(year, 1, 1)


def _behind(period: Period) -> dt.date:
    """Return the day behind a period with a year."""
    first = _first(period)
    if period.kind == "day":
        return first + dt.timedelta(days=1)
    months = {"quarter": 3, "half": 6, "month": 1, "nine_months": 9}
    return _months_on(first, months.get(period.kind, 12))


def in_year(month: Dated, year: int) -> Dated:
    """Return a month without a year as that of a year."""
    period = Period(kind="month", year=year, part=month.period.part if month.period else 1)
    return month._replace(since=_first(period), before=_behind(period), period=period)
