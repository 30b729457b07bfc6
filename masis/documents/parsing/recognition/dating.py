"""Decides which date a document has: what its text states, else its title, else its file."""

import calendar
import datetime as dt
import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from pathlib import PurePath
from typing import Final, NamedTuple

from masis.documents.parsing.dates import Period, Precision, parse_date, parse_period
from masis.domain import Block, DateSource
from masis.text.grammars.calendar import WEEKDAY

_FIRST_BLOCKS: Final = 12
_DATE_LINES: Final = _FIRST_BLOCKS // 2
_LONGEST_LINE: Final = 400
_LONGEST_LABELLED: Final = 160
"""Characters of a line in which a date may stand anywhere: a heading, a list of particulars."""
_LONGEST_NAME: Final = 200
_AFTER_AS_OF: Final = 20
"""Characters behind "as of 1 May": with more the line says how something was on that day."""


class _Kind(IntEnum):
    """Rank what a stated date is, the weightiest kind last."""

    AS_OF = 0
    WRITTEN = 1
    REVISED = 2
    PERIOD = 3
    EFFECTIVE = 4


class Dated(NamedTuple):
    """A date, and where it stands."""

    date: dt.date | None
    source: DateSource | None


_ON = r"(?:\s+(?:from|as\s+of|on|since|until\s+further\s+notice\s+from))?"
_EFFECTIVE = rf"(?:effective|valid|in\s+force|in\s+effect|applies|applicable)(?:\s+date)?{_ON}"
_REVISED = r"(?:page\s+)?(?:last\s+)?(?:updated?|modified|revised|revision|reviewed|changed|amended)(?:\s+date)?(?:\s+on)?"
_WRITTEN = (
    r"(?:(?:document|meeting|issue|report|release|publication)\s+)?date(?:d)?(?:\s+of\s+(?:the\s+)?(?:this\s+)?(?:last\s+)?(?:issue|publication|approval|adoption"
    r"|release|revision|review|update|change|report|meeting|document|version))?"
    r"|version(?:\s+date|\s+v?\d+(?:\.\d+){0,2},?(?:\s+of)?)?"
    r"|(?:approved|published|issued|adopted|held|released|printed|signed)(?:\s+on)?"
)
_SPAN = r"(?:fiscal\s+|financial\s+|quarterly\s+|annual\s+|reporting\s+)?(?:period|quarter|year|half[\s-]year|month|week)"
_SPANS = rf"(?:{_SPAN}|(?:three|six|nine|twelve|thirteen|\d{{1,2}})[\s-]+(?:months?|weeks?))"
_PERIOD = (
    rf"(?:for\s+)?(?:the\s+)?{_SPANS}\s+end(?:ed|ing)(?:\s+on)?"
    r"|(?:reporting\s+|review\s+)?period(?:\s+(?:covered|under\s+review|of\s+report))?(?=\s*[:–|-])"
)
_WEEKDAY = rf"(?:{WEEKDAY},?\s+)?"
_GAP = rf"[*_]{{0,3}}\s{{0,3}}[:–|-]?\s{{0,3}}[*_]{{0,3}}\s{{0,3}}(?:the\s+)?{_WEEKDAY}"
_LABELS: Final = tuple(
    (kind, re.compile(rf"(?:{pattern}){_GAP}", re.IGNORECASE))
    for kind, pattern in (
        (_Kind.EFFECTIVE, _EFFECTIVE),
        (_Kind.PERIOD, _PERIOD),
        (_Kind.REVISED, _REVISED),
        (_Kind.WRITTEN, _WRITTEN),
        (_Kind.AS_OF, r"as\s+of"),
    )
)
_OPENS = re.compile(r"(?:^|[|·•;,(\[]|\.\s)\s*[*_(\[]*")
"""Where a label may begin."""
_THIS = (
    r"(?:^|\.\s+)(?:this|the\s+present)\s+(?:\w+[\s-]){1,4}?"
    r"(?:is|are|was|takes|took|comes?|came|becomes?|shall\s+be|will\s+be|has\s+been)\s+"
)
_HOLDS = re.compile(rf"{_THIS}(?:(?:into\s+)?(?:force|effect)|{_EFFECTIVE}){_ON}\s+", re.IGNORECASE)
_WAS_MADE = re.compile(
    rf"{_THIS}(?:{_REVISED}|made|entered\s+into|made\s+and\s+entered\s+into|dated|signed|issued"
    rf"|published|approved|adopted){_ON}\s+(?:this\s+|the\s+)?",
    re.IGNORECASE,
)
"""Sentences in which a document speaks of itself."""
_OTHERS = re.compile(
    r"\b(?:replac\w+|supersed\w+|previous\w*|former\w*|prior|earlier|older?|cancel\w*|repeal\w*"
    r"|withdrawn|instead|see|refer\w*|under|pursuant|according|accordance|compared?|versus|next"
    r"|expir\w+|until|due)\b",
    re.IGNORECASE,
)
"""What is said before a date of another document, or of another day."""
_ELSEWHERE = re.compile(
    r"(?:\d+[.)]?\s*)?(?:(?:revision|version|document|change|amendment)\s+history|history|change\s?log"
    r"|changes|revisions|previous\s+versions|(?:related|other)\s+(?:documents|policies)|references"
    r"|see\s+also|events|calendar|deadlines|news)\W*",
    re.IGNORECASE,
)
"""A heading under which dates of other things stand."""
_REPORTS = re.compile(
    r"\b(?:reports?|results?|reviews?|figures|financials?|statements?|accounts|earnings|statistics"
    r"|pack|dashboard|quarterly|monthly|annual|yearly|10-?[qk]|sales)\b",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    r"\b(?:plans?|planning|forecasts?|roadmaps?|budgets?|outlook|guidance|targets?|strateg\w+|calendars?"
    r"|projections?|schedules?|holidays?|proposals?)\b",
    re.IGNORECASE,
)
"""Documents that speak of a time to come, in which they were not written."""
_BEGINS_DATED = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)|(?:\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?)?"
    r"[a-z]{3,9}\.?,?(?:\s+\d{1,2}(?:st|nd|rd|th)?,?)?\s+\d{4}\b",
    re.IGNORECASE,
)
_GREETS = re.compile(r"(?:to\b|dear\b|re:|subject:|from:|attn\b|attention\b|via\b)", re.IGNORECASE)
_PARTED: Final = frozenset({",", "|", "·", ";"})
_LONGEST_DATE_LINE: Final = 60
_EXACT: Final[Sequence[Precision]] = ("day", "month", "quarter", "year")
_BYLINE_BLOCKS: Final = 4
_LONGEST_BYLINE: Final = 120
_YEAR_MONTHS: Final = 12
_FISCAL_BLOCKS: Final = 40
_DAY_OR_MONTH: Final = (
    r"(?:\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?)?[A-Za-z]{3,9}\.?(?:\s+\d{1,2}(?:st|nd|rd|th)?,?)?"
)
_BYLINE = re.compile(
    rf"(?P<before>[^;:!?.|\n]{{2,80}}?)(?:,|\s[·|–—-])\s+(?P<date>{_DAY_OR_MONTH},?\s+\d{{4}}|\d{{4}}-\d{{2}}-\d{{2}})"
)
_HAPPENS = re.compile(
    r"\b(?:is|are|was|were|be|will|would|on|by|from|before|after|since|till|between|deadline|opens?|opened|closes?|closed"
    r"|starts?|begins?|begin|ends?|ended|moves?|moved|born|died|founded|trip|party|dinner|event|workshop|concert|exam"
    rf"|holiday|conference|fair|{WEEKDAY})\b",
    re.IGNORECASE,
)
"""What a line says of a day on which something happens."""
_FISCAL = re.compile(r"\bFY\s?-?\d|\bfiscal\b|\bfinancial year\b", re.IGNORECASE)
_FISCAL_END = re.compile(
    r"\b(?:(?:fiscal|financial|business|accounting|reporting)\s+year\b[^.;|]{0,60}?\b(?:ends?|ended|ending|closes?|to|until)"
    r"|year\s+(?:from|runs?\s+from)\s+[^.;|]{3,30}?\s(?:to|until)|(?:fiscal|financial)?\s?year\s+end(?:ed|ing|s)?)"
    rf"(?:\s+on)?(?:\s+the)?(?:\s*[:–-])?\s+(?P<date>{_DAY_OR_MONTH}(?:,?\s+\d{{4}})?)(?!\w)",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"(?<![\w.])(?=[\dA-Za-z])")


def dated(
    blocks: Sequence[Block], title: str, name: str, own: dt.date | None, *, is_authored: bool
) -> Dated:
    """The document's date. `own` is that of its metadata; `is_authored` says that a person set it."""
    if stated := stated_date(blocks) or (own if is_authored else None):
        return Dated(stated, "text")
    if byline := byline_date(blocks, own):
        return Dated(byline, "text")
    if titled := titled_date(title, name, own, fiscal_end(blocks)):
        return Dated(titled, "title")
    return Dated(own, "file" if own else None)


def stated_date(blocks: Sequence[Block]) -> dt.date | None:
    """The date that the first blocks state: `Last updated: 3 May 2024`, or a line that is a date.

    What holds from a day outweighs a period, that the day of a change, that the day of writing; of
    a change and what holds from a day the later one counts, and of one kind the first.
    """
    found: dict[_Kind, dt.date] = {}
    for kind, date in _stated(blocks[:_FIRST_BLOCKS]):
        found.setdefault(kind, date)
    if _Kind.EFFECTIVE in found:
        return max(found[_Kind.EFFECTIVE], found.get(_Kind.REVISED, dt.date.min))
    if found:
        return found[max(found)]
    return _date_line(blocks[:_DATE_LINES])


def byline_date(blocks: Sequence[Block], own: dt.date | None) -> dt.date | None:
    """The date behind a comma in a line below the title: `Mill School, 24 June 2026`.

    It is when the document was written where the file is not older, and the line tells of nothing
    that happens on that day.
    """
    latest = own or dt.datetime.now(dt.UTC).date()
    for block in blocks[1:_BYLINE_BLOCKS]:
        if block.kind == "table_row" or _ELSEWHERE.fullmatch(block.text):
            return None
        line = block.text[:_LONGEST_LINE].strip(" *_")
        sentences = line.split(". ")
        ends = sentences[-1:] if len(line) <= _LONGEST_BYLINE else []
        for sentence in dict.fromkeys([sentences[0], *ends]):
            date = _behind_comma(sentence.rstrip("."))
            if date is not None and date <= latest:
                return date
    return None


def _behind_comma(sentence: str) -> dt.date | None:
    found = _BYLINE.fullmatch(sentence)
    if found is None or _OTHERS.search(found["before"]) or _HAPPENS.search(found["before"]):
        return None
    return parse_date(found["date"])


def fiscal_end(blocks: Sequence[Block]) -> tuple[int, int] | None:
    """The month and the day on which the fiscal year ends, as the first blocks say it."""
    for block in blocks[:_FISCAL_BLOCKS]:
        if found := _FISCAL_END.search(block.text[:_LONGEST_LINE]):
            year = "" if re.search(r"\d{4}", found["date"]) else " 2001"
            date = parse_date(f"{found['date']}{year}")
            return None if date is None else (date.month, date.day)
    return None


def titled_date(
    title: str, name: str, own: dt.date | None, year_end: tuple[int, int] | None = None
) -> dt.date | None:
    """The date or the end of the period that a title or a file's name gives, the more exact one.

    A year alone is when a rule begins and a report ends, unless the file is of that year. What
    speaks of a time to come, and a period that ends after the file was written, is no date. A fiscal
    year ends on `year_end` (month and day), where that is known.
    """
    stem = PurePath(name).stem.replace("_", " ")
    said = f"{title} {stem}".replace("-", " ")
    texts = (title, stem, stem.replace("-", " "))
    found = [period for text in texts if (period := _only_period(text[:_LONGEST_NAME]))]
    if not found:
        return None
    exact = min(found, key=lambda period: _EXACT.index(period.precision))
    if year_end is not None and _FISCAL.search(said):
        exact = _fiscal(exact, *year_end)
    return _of_period(exact, said, own)


def _fiscal(period: Period, month: int, day: int) -> Period:
    """A year or a quarter of it as those of the fiscal year that ends on a day of that year."""
    if period.precision not in {"year", "quarter"}:
        return period
    ended = dt.date(period.end.year, month, min(day, _days(period.end.year, month)))
    if period.precision == "year":
        return period._replace(start=_months_on(ended, -_YEAR_MONTHS) + dt.timedelta(1), end=ended)
    end = _months_on(ended, period.end.month - _YEAR_MONTHS)
    length = (
        (period.end.year - period.start.year) * _YEAR_MONTHS
        + period.end.month
        - period.start.month
        + 1
    )
    return period._replace(start=_months_on(end, -length) + dt.timedelta(1), end=end)


def _months_on(date: dt.date, months: int) -> dt.date:
    """The end of the month so many months on where the date is one, else the same day of it."""
    year, month = divmod(date.year * _YEAR_MONTHS + date.month - 1 + months, _YEAR_MONTHS)
    is_end = date.day == _days(date.year, date.month)
    last = _days(year, month + 1)
    return dt.date(year, month + 1, last if is_end else min(date.day, last))


def _days(year: int, month: int) -> int:
    return calendar.monthrange(year, month)[1]


def _of_period(period: Period, said: str, own: dt.date | None) -> dt.date | None:
    if period.precision == "day":
        return period.end
    if _AHEAD.search(said):
        return None
    if period.precision == "year" and own is not None and period.start <= own <= period.end:
        return None
    ends = period.precision == "quarter" or bool(_REPORTS.search(said))
    date = period.end if ends else period.start
    return date if date <= (own or dt.datetime.now(dt.UTC).date()) else None


def _only_period(text: str) -> Period | None:
    """The most exact period that a text names, unless it names several such."""
    found = {period for at in _TOKEN.finditer(text) if (period := parse_period(text[at.start() :]))}
    for precision in _EXACT:
        exact = [period for period in found if period.precision == precision]
        if exact:
            return exact[0] if len(exact) == 1 else None
    return None


# --- what a text states --------------------------------------------------------------------


def _stated(blocks: Sequence[Block]) -> Iterator[tuple[_Kind, dt.date]]:
    for number, block in enumerate(blocks):
        if block.kind == "heading" and _ELSEWHERE.fullmatch(block.text):
            return
        if not _is_one_of_many_rows(blocks, number):
            yield from _in_line(block.text[:_LONGEST_LINE])


def _in_line(line: str) -> Iterator[tuple[_Kind, dt.date]]:
    for kind, sentence in ((_Kind.EFFECTIVE, _HOLDS), (_Kind.WRITTEN, _WAS_MADE)):
        said = sentence.search(line)
        if said is not None and (date := parse_date(line[said.end() :])):
            yield kind, date
    for opening in _OPENS.finditer(line):
        before = "" if opening[0].startswith(".") else line[: opening.start()]
        if _is_anothers(before, is_short=len(line) <= _LONGEST_LABELLED):
            continue
        if found := _labelled(line[opening.end() :]):
            yield found


def _is_anothers(before: str, *, is_short: bool) -> bool:
    """Say whether a date behind these words is another document's.

    The sentence speaks of another one then.
    """
    _, _, sentence = before.rpartition(". ")
    return bool(sentence.strip()) and (not is_short or bool(_OTHERS.search(sentence)))


def _labelled(text: str) -> tuple[_Kind, dt.date] | None:
    for kind, label in _LABELS:
        match = label.match(text)
        if match is None:
            continue
        rest = text[match.end() :]
        if kind is _Kind.AS_OF and len(rest) > _AFTER_AS_OF:
            continue
        if date := _end(rest) if kind is _Kind.PERIOD else parse_date(rest):
            return kind, date
    return None


def _end(text: str) -> dt.date | None:
    period = parse_period(text)
    return None if period is None else period.end


def _date_line(blocks: Sequence[Block]) -> dt.date | None:
    """The date that one of the first lines is, or that a short one or a letter begins with."""
    for block in blocks:
        line = block.text[:_LONGEST_LINE].strip(" *_")
        if found := _BEGINS_DATED.match(line):
            rest = line[found.end() :].strip(" *_.")
            is_short = rest[:1] in _PARTED and len(line) <= _LONGEST_DATE_LINE
            if not rest or is_short or _GREETS.match(rest):
                return parse_date(line)
    return None


def _is_one_of_many_rows(blocks: Sequence[Block], number: int) -> bool:
    """Say whether a row of several cells has others beside it: their dates are data.

    A row of two cells of which the first is a label is a particular of the document.
    """
    block = blocks[number]
    if block.kind != "table_row" or " | " not in block.text:
        return False
    label, _, rest = block.text.partition(" | ")
    if " | " not in rest and any(pattern.fullmatch(label) for _, pattern in _LABELS):
        return False
    beside = [*blocks[max(0, number - 1) : number], *blocks[number + 1 : number + 2]]
    return any(each.kind == "table_row" and " | " in each.text for each in beside)
