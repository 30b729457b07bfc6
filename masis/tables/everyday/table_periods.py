"""Give halves, quarters, months and "this year" of an everyday question the dates that a table has."""

import datetime as dt
import re
from collections.abc import Sequence
from typing import Final

from masis.tables.everyday import everyday_words as words
from masis.tables.everyday.rewording import Translated
from masis.tables.grammar import matching
from masis.text.grammars.calendar import MONTH, SHORT_MONTHS
from masis.values.tabular import Column, TableInfo

_SIDES: Final = {"": 2, "h": 2, "q": 4}
_NTH: Final = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}  # fmt: skip
_PART: Final = re.compile(
    r"\b(?:(?P<nth>first|1st|second|2nd|third|3rd|fourth|4th|last) (?P<kind>half|quarter)|(?P<letter>[hq])(?P<number>[1-4]))"
    r"(?: of the year|[- ]year)?\b(?!,? (?:of )?(?:20)?\d{2}\b)",
    re.IGNORECASE,
)
_THIS: Final = re.compile(r"\bthis (?P<kind>half|quarter|year)(?:[- ]year)?\b", re.IGNORECASE)
_MONTHS: Final = re.compile(
    rf"\b(?:from |between )?{MONTH} (?:-|–|to|and|until|till|through) {MONTH.replace('month', 'later')}\b(?! ?['’]?\d)",
    re.IGNORECASE,
)
_FIRST_MONTHS: Final = re.compile(
    r"\b(?:the )?first (?P<count>two|three|four|five|six|seven|eight|nine|ten|eleven|[2-9]|1[01]) months (?:of )?(?:(?P<which>this|last) year|(?P<year>20\d{2}))\b",
    re.IGNORECASE,
)
_SAME_MONTHS: Final = re.compile(
    r"\b(?:the )?same (?:\w+ )?(?:(?:months|period|time|stretch) )?(?:of )?(?:last year|(?:the )?year before|a year (?:earlier|ago|before))\b",
    re.IGNORECASE,
)


def dates(table: TableInfo) -> list[Column]:
    """Return the columns of dates that have any."""
    return [each for each in table.shape.columns if each.type == "date" and each.least]


def _years_of(table: TableInfo) -> list[int]:
    """Return the years that the first column of dates has; none without one."""
    found = dates(table)
    return list(range(int(found[0].least[:4]), int(found[0].most[:4]) + 1)) if found else []


def put_periods(made: Translated, today: dt.date) -> None:
    """Give a half, a quarter or a range of months without a year that of the table."""
    years = _years_of(made.table)
    if not years:
        return
    _parts_of_year(made, today)
    while match := _PART.search(made.text):
        _in_latest(made, match, _part_said(match), years)
    while match := _MONTHS.search(made.text):
        _in_latest(made, match, f"{match['month']} to {match['later']}", years)
    _first_months(made, today)
    if match := _THIS.search(made.text):
        _this(made, match, today)


def _part_said(match: re.Match[str]) -> str:
    """Return the short name of a half or quarter: Q3."""
    letter = (match["letter"] or match["kind"])[:1].upper()
    part = int(match["number"]) if match["number"] else _NTH.get(match["nth"].casefold(), _SIDES[letter.casefold()])  # fmt: skip
    return f"{letter}{part}"


def _parts_of_year(made: Translated, today: dt.date) -> None:
    """Give halves and quarters the year that is said beside them: "q3 vs q2 this year"."""
    said = list(words.OF_YEAR.finditer(made.text))
    parts = list(_PART.finditer(made.text))
    if not (said and parts):
        return
    text = made.text
    for each in sorted([*said, *parts], key=lambda one: -one.start()):
        put = ""
        if each.re is _PART:
            behind = [year for year in said if year.start() >= each.end()]
            year = (behind or said[-1:])[0]
            put = f"{_part_said(each)} {today.year - (year['which'].casefold() == 'last')}"
        text = f"{text[: each.start()]} {put} {text[each.end() :]}"
    made.text = " ".join(text.split())


def _first_months(made: Translated, today: dt.date) -> None:
    """Put the months of a year in the place of "the first nine months this year", and of the same last year."""
    match = _FIRST_MONTHS.search(made.text)
    if match is None:
        return
    said = match["count"].casefold()
    last = SHORT_MONTHS[int(words.NUMBER_WORDS.get(said) or said) - 1]
    year = int(match["year"] or today.year - (match["which"].casefold() == "last"))
    made.cut(match, f"{SHORT_MONTHS[0]} to {last} {year}")
    if same := _SAME_MONTHS.search(made.text):
        made.cut(same, f"{SHORT_MONTHS[0]} to {last} {year - 1}")


def _in_latest(made: Translated, match: re.Match[str], said: str, years: Sequence[int]) -> None:
    if len(years) > 1:
        made.notes.append(words.LATEST.format(said=said, year=years[-1]))
    made.cut(match, f"{said} {years[-1]}")


def _this(made: Translated, match: re.Match[str], today: dt.date) -> None:
    """Take "this half" for the table's, where all its rows are of another one."""
    kind = match["kind"].casefold()
    first, last = (_part_of(each[:10], kind) for each in (dates(made.table)[0].least, dates(made.table)[0].most))  # fmt: skip
    asked = _part_of(today.isoformat(), kind)
    if first == last and asked != first:
        made.notes.append(words.ALL_OF_TABLE.format(asked=asked, taken=first))
        asked = first
    made.cut(match, asked)


def _part_of(day: str, kind: str) -> str:
    """Return of which half, quarter or year a day is: "H1 2026"."""
    year, month = day[:4], int(day[5:7])
    if kind == "year":
        return year
    size = 6 if kind == "half" else 3
    return f"{kind[:1].upper()}{(month - 1) // size + 1} {year}"


def put_year(made: Translated, today: dt.date) -> None:
    """Name the year of "next year", where the table says which year it is of and has no dates."""
    match = words.NEXT_YEAR.search(made.text)
    if match is None or dates(made.table):
        return
    step = {"this": 0, "last": -1}.get(match["which"].casefold(), 1)
    if today.year + step in matching.years(made.table):
        made.cut(match, f"in {today.year + step}")
