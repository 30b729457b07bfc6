"""Find which statements the words of a reply refer to, among those that it was shown.

Pure and lexical: by the name of a document, a date, a place in the list, an age, a figure or their
own words. What tells nothing apart refers to nothing.
"""

import datetime as dt
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from masis.domain import DateSource, SourceStatement
from masis.text import day_times, lexical
from masis.text.day_times import TimeSpan
from masis.text.facts import facts
from masis.text.grammars.calendar import MONTH, SHORT_MONTHS
from masis.text.grammars.recency import NEWEST, OLDEST
from masis.text.phrase_forms import ONES, TENS
from masis.words.mistyped import is_mistyped, is_slip

LEAST_SHARE: Final = 0.5
"""Of a reply's words must stand in one statement alone, for these words to choose it."""

_Which = frozenset[int]


class Mention(NamedTuple):
    """Locate where a reply speaks of statements, and of which."""

    start: int
    end: int
    which: _Which


# --- all of them -------------------------------------------------------------------


def mentions(text: str, statements: Sequence[SourceStatement]) -> list[Mention]:
    """Return every mention in its order; the surest kind is read first, and none within another."""
    finders: tuple[Callable[[str, Sequence[SourceStatement]], Iterator[Mention]], ...] = (
        _whole_names, _dates, _stated_order, _ages, _times, _figures, _places, _parts_of_names, _own_words,
    )  # fmt: skip
    found: list[Mention] = []
    rest = text
    for finder in finders:
        for mention in list(finder(rest, statements)):
            if not mention.which or not rest[mention.start : mention.end].strip("\0"):
                continue
            if len(mention.which) < len(statements):
                found.append(mention)
            # What all of them have tells none apart, and nothing less sure is to read it again.
            rest = _masked(rest, mention.start, mention.end)
    return sorted(found)


def _masked(text: str, start: int, end: int) -> str:
    return f"{text[:start]}{chr(0) * (end - start)}{text[end:]}"


def _where(
    statements: Sequence[SourceStatement], fits: Callable[[SourceStatement], bool]
) -> _Which:
    return frozenset(at for at, statement in enumerate(statements) if fits(statement))


# --- by name ---------------------------------------------------------------------------------

_KINDS: Final[Mapping[str, str]] = {
    "pdf": "pdf", "docx": "word docx doc", "doc": "word doc", "xlsx": "excel spreadsheet xlsx sheet workbook",
    "xls": "excel spreadsheet sheet workbook", "csv": "csv table spreadsheet",
    "pptx": "powerpoint slides deck presentation pptx", "html": "html web website page webpage",
    "htm": "html web website page webpage", "md": "markdown", "eml": "email mail message",
    "msg": "email mail message", "txt": "txt",
}  # fmt: skip
"""What people call a file by its kind."""
WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def is_named(text: str, document: str) -> bool:
    """Return whether a text holds the whole file name of a document."""
    return any(True for _ in _occurrences(normal(text), normal(PurePosixPath(document).name)))


def _occurrences(text: str, name: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf"(?<![\w.-]){re.escape(name)}(?![\w])", text) if name else iter(())


def _whole_names(text: str, statements: Sequence[SourceStatement]) -> Iterator[Mention]:
    """File names with and without their ending, and titles; the longest first."""
    names = {
        name: _where(statements, lambda each, name=name: name in names_of(each))  # type: ignore[misc]
        for statement in statements
        for name in names_of(statement)
    }
    taken = text
    for name in sorted(names, key=len, reverse=True):
        for found in _occurrences(taken, name):
            taken = _masked(taken, found.start(), found.end())
            yield Mention(found.start(), found.end(), names[name])


def names_of(statement: SourceStatement) -> set[str]:
    """Return what a statement's document is called as a whole: path, file name, title."""
    path = PurePosixPath(normal(statement.document))
    stem, title = path.stem, normal(statement.title)
    return {str(path), path.name, stem, re.sub(r"[-_]+", " ", stem), title} - {"", "."}


def _parts_of_names(text: str, statements: Sequence[SourceStatement]) -> Iterator[Mention]:
    """Words that stand in the names of some of the documents, mistyped or not."""
    yield from _words_of(text, [_name_words(each) for each in statements])


def _name_words(statement: SourceStatement) -> set[str]:
    path = PurePosixPath(normal(statement.document))
    kind = _KINDS.get(path.suffix.lstrip("."), "")
    said = re.sub(r"[-_/.]+", " ", f"{path.parent} {path.stem} {normal(statement.title)}")
    return {word for word in WORD.findall(f"{said} {kind}") if word not in FILLER}


def _words_of(text: str, named: Sequence[set[str]]) -> Iterator[Mention]:
    stems = [{stem for word in words for stem in lexical.terms(word)} | words for words in named]
    for found in WORD.finditer(text):
        if found[0] in FILLER:
            continue
        forms = {found[0], *lexical.terms(found[0])}
        which = frozenset(at for at, known in enumerate(stems) if forms & known)
        near = which or frozenset(
            at
            for at, words in enumerate(named)
            if any(is_mistyped(found[0], word) for word in words)
        )
        yield Mention(found.start(), found.end(), near)


FILLER: Final = frozenset(
    WORD.findall(
        """
        a an the one ones this that these those it its is are was were be been i we you he
        she they him her them me my our your and or but so of in on at to from for by with
        as not no yes ok okay please pls just only right correct true counts count use take
        go right actually really now sure valid applies apply should would could can will do
        does did have has had think guess believe probably maybe sorry year month week day
        time last next hi hello document documents file files doc docs source sources
        statement version says said say there here than then if all any some what which who
        when where how
        """
    )
)
"""Words of a reply that choose nothing, whatever a document is called."""


# --- by date ---------------------------------------------------------------------------------

_MONTH: Final = rf"{MONTH}\b\.?"
_DATES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<!\d)(?P<year>\d{4})-(?P<m>\d{1,2})(?:-(?P<day>\d{1,2}))?(?!\d)",
        r"(?<![\d/.])(?P<day>\d{1,2})[/.](?P<m>\d{1,2})[/.](?P<year>\d{4}|\d{2})(?!\d)",
        rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? (?P<year>\d{{4}}))?",
        rf"\b{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? (?P<year>\d{{4}}))?",
        rf"\b{_MONTH}(?: (?P<year>\d{{4}}))?",
        r"(?<![\d£$€.,])(?:fy ?)?(?P<year>(?:19|20)\d{2})(?![\d])(?![.,]\d)",
        r"(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th)\b",
    )
)
_MAY: Final = re.compile(r"(?:^|\b(?:in|from|of|the|since|dated)\s|\d\s?)may$")


class _Day(NamedTuple):
    """A date as far as it is given."""

    year: int | None
    month: int | None
    day: int | None

    def fits(self, date: dt.date | None) -> bool:
        """Say whether nothing that is given is otherwise in `date`."""
        if date is None:
            return False
        return all(
            given is None or given == there
            for given, there in zip(self, (date.year, date.month, date.day), strict=True)
        )


def _dates(text: str, statements: Sequence[SourceStatement]) -> Iterator[Mention]:
    """Dates of the documents, else those in their names and statements."""
    for pattern in _DATES:
        for found in pattern.finditer(text):
            if found.groupdict().get("month") == "may" and not _is_may(text, found):
                continue
            for which in _dated(_days(found), statements):
                yield Mention(found.start(), found.end(), which)
                text = _masked(text, found.start(), found.end())


def _is_may(text: str, found: re.Match[str]) -> bool:
    """Say whether a small "may" is the month: beside a figure, after "in", or alone."""
    alone = not text.strip(" .!").replace("may", "", 1)
    return alone or found[0] != "may" or bool(_MAY.search(text[: found.end()]))


def _days(found: re.Match[str]) -> list[_Day]:
    """The readings of a date: 9/10 is of October or of September."""
    said = found.groupdict()
    year, day = (int(said[name]) if said.get(name) else None for name in ("year", "day"))
    if year is not None and year < _CENTURY:  # two digits
        year += 2000
    if name := said.get("month"):
        return [_Day(year, SHORT_MONTHS.index(name[:3]) + 1, day)]
    if "m" not in said:
        return [_Day(year, None, day)]
    month = int(said["m"])
    return [_Day(year, month, day), _Day(year, day, month)]


def _dated(days: Sequence[_Day], statements: Sequence[SourceStatement]) -> Iterator[_Which]:
    """The first way of reading it by which it tells some statements from others."""
    ways: tuple[Callable[[_Day, SourceStatement], bool], ...] = (
        lambda day, said: day.fits(said.date),
        _is_in_name,
        _is_in_text,
    )
    for way in ways:
        found = [
            which
            for day in days
            if (which := _where(statements, lambda said, way=way, day=day: way(day, said)))  # type: ignore[misc]
        ]
        if found:
            yield min(found, key=len)
            return


def _is_in_name(day: _Day, said: SourceStatement) -> bool:
    """Say whether a year alone stands in the document's name."""
    return (
        day.year is not None
        and day.month is None
        and str(day.year) in f"{said.document} {said.title}"
    )


def _is_in_text(day: _Day, said: SourceStatement) -> bool:
    return any(
        all(
            given in {None, there}
            for given, there in zip(day, (date.year, date.month, date.day), strict=True)
        )
        for date in facts(said.text).dates
    ) or (day.year is not None and day.month is None and str(day.year) in said.text)


# --- by age, and by place in the list ----------------------------------------------------------

_ONE: Final = r"(?=\s*(?:$|[,;!?)]|\.(?:\s|$)|(?:one|ones|version|document|doc|file|figure|number|value|date|statement|source|policy|rule|option|meeting|minutes|report|list|plan|page|table|sheet|edition|issue|letter|handbook|guide|manual|contract|agreement|price|fee|rate|answer|entry|is|was|counts|applies|please|from|should|has|of the two)\b))"
_NEWER: Final = re.compile(
    rf"\b(?:newer|{NEWEST}|more recent|(?:the |^)(?:later|last|current|new|recent|updated){_ONE})"
)
_OLDER: Final = re.compile(
    rf"\b(?:older|{OLDEST}|(?:the |^)(?:earlier|old|previous|original|outdated|obsolete){_ONE})"
)
_FIRST: Final = re.compile(
    rf"\b(?:the former|(?:the |^|number |option )(?:first|1st|top){_ONE}|^1st\b)"
)
_SECOND: Final = re.compile(
    rf"\b(?:the latter|^latter|(?:the |^|number |option )(?:second|2nd|bottom){_ONE}|^2nd\b)"
)
_THIRD: Final = re.compile(rf"(?:the |^|number |option )(?:third|3rd){_ONE}")
_NUMBERED: Final = re.compile(
    r"(?:\b(?:number|no\.?|option|choice|statement|nr\.?)\s?|#|\()(?P<n>[1-9]|one|two|three)\b\)?|^(?P<alone>[1-9])[.)]?$"
)
_SLIPS: Final = (
    "first", "second", "latter", "former", "newer", "newest", "older", "oldest", "latest", "both",
    "neither", "earlier", "later", "recent", "third",
)  # fmt: skip
_CENTURY: Final = 100
_DIGITS: Final = {"one": 1, "two": 2, "three": 3}


def _ages(text: str, statements: Sequence[SourceStatement]) -> Iterator[Mention]:
    """The newest and the oldest, where every date is known and they are not the same.

    A year alone is neither before nor after a day of it.
    """
    spans = [_span(statement) for statement in statements]
    known = [span for span in spans if span is not None]
    if len(known) < len(spans) or len(set(known)) == 1:
        return
    newest, oldest = max(known), min(known, key=lambda span: (span[1], span[0]))
    if all(span == newest or span[1] < newest[0] for span in known):
        yield from _each(_NEWER, text, frozenset(at for at, s in enumerate(spans) if s == newest))
    if all(span == oldest or span[0] > oldest[1] for span in known):
        yield from _each(_OLDER, text, frozenset(at for at, s in enumerate(spans) if s == oldest))


_VALUE: Final = r"(?: (?:one|time|date|day|hour|deadline))?(?=\s*(?:$|[,;!?)]|\.(?:\s|$)|(?:is|was|counts|applies|please|should)\b))"
_LATER: Final = re.compile(rf"(?:\bthe |^)later{_VALUE}")
_EARLIER: Final = re.compile(rf"(?:\bthe |^)earlier{_VALUE}")
_Key = tuple[int, ...]
"""How a moment is given, and its parts from the largest on: those given alike can be ordered."""


def _stated_order(text: str, statements: Sequence[SourceStatement]) -> Iterator[Mention]:
    """The later and the earlier of the dates or times that the statements give.

    Where they give none, and a file's own date is all that is known of when one was written, neither
    word tells which is meant: a copied file is no newer for it.
    """
    keys = _stated(statements)
    if keys is not None:
        for pattern, end in ((_LATER, max(keys)), (_EARLIER, min(keys))):
            yield from _each(
                pattern, text, frozenset(at for at, key in enumerate(keys) if key == end)
            )
    elif any(said.date_source == "file" for said in statements):
        for pattern in (_LATER, _EARLIER):
            yield from _each(pattern, text, frozenset(range(len(statements))))


def _stated(statements: Sequence[SourceStatement]) -> list[_Key] | None:
    """Read when each statement says that something is.

    It is None unless each gives one time, or one date.
    """
    for read in (_stated_time, _stated_date):
        keys = [read(said.text) for said in statements]
        known = [key for key in keys if key is not None]
        if len(known) == len(keys) and len({key[0] for key in known}) == 1:
            return known
    return None


def _stated_time(text: str) -> _Key | None:
    """The one time of day, of a span its end and then its beginning."""
    found = {placed.value for placed in day_times.times(text)}
    if len(found) != 1:
        return None
    [value] = found
    if isinstance(value, TimeSpan):
        return 2, value.end.minute, value.start.minute
    return 1, value.minute


def _stated_date(text: str) -> _Key | None:
    found = {(date.year, date.month, date.day) for date in facts(text).dates}
    if len(found) != 1:
        return None
    [parts] = found
    given = sum(2**at for at, part in enumerate(parts) if part is not None)
    return given, *(part for part in parts if part is not None)


def _each(pattern: re.Pattern[str], text: str, which: _Which) -> Iterator[Mention]:
    for found in pattern.finditer(text):
        yield Mention(found.start(), found.end(), which)


def _span(statement: SourceStatement) -> tuple[dt.date, dt.date] | None:
    """The first and the last day on which a statement's document can have been dated."""
    date = statement.date
    if date is None or not is_year_alone(date, statement.date_source):
        return None if date is None else (date, date)
    return dt.date(date.year, 1, 1), dt.date(date.year, 12, 31)


def is_year_alone(date: dt.date, source: DateSource | None) -> bool:
    """Tell whether a date stands for a year, of which a title names no day."""
    return source == "title" and (date.month, date.day) in {(1, 1), (12, 31)}


def _places(text: str, statements: Sequence[SourceStatement]) -> Iterator[Mention]:
    """First, second, number 2."""
    for at, pattern in enumerate((_FIRST, _SECOND, _THIRD)[: len(statements)]):
        for found in pattern.finditer(text):
            yield Mention(found.start(), found.end(), frozenset([at]))
    for found in _NUMBERED.finditer(text):
        said = found["n"] or found["alone"]
        number = _DIGITS.get(said) or int(said)
        if number <= len(statements):
            yield Mention(found.start(), found.end(), frozenset([number - 1]))


# --- by figure -------------------------------------------------------------------------------

_FIGURE: Final = re.compile(r"(?<![\w.,-])[£$€]?\s?(?P<value>\d{1,12}(?:[.,]\d{1,12}){0,4})(?!\d)")
_TIME: Final = re.compile(
    r"(?<![\w.:])(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?\s?(?P<half>[ap])\.?m\b|(?<![\w.:])(?P<h>\d{1,2}):(?P<m>\d{2})\b"
)
_SPELT: Final = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(TENS)})(?:[ -](?P<ones>{'|'.join(ONES[1:10])}))?|(?P<low>{'|'.join(ONES)}))"
    r"(?P<hundred> hundred)?\b"
)


def _figures(text: str, statements: Sequence[SourceStatement]) -> Iterator[Mention]:
    """Figures in digits or words that stand in some statements and not in others."""
    given = [_values(normal(statement.text)) for statement in statements]
    for start, end, values in _numbers(text):
        which = frozenset(at for at, known in enumerate(given) if known & values)
        yield Mention(start, end, which)


def _values(text: str) -> set[float]:
    return {value for _, _, values in _numbers(text) for value in values}


def _numbers(text: str) -> Iterator[tuple[int, int, set[float]]]:
    for pattern in _DATES[:-2]:
        for found in pattern.finditer(text):
            text = _masked(text, found.start(), found.end())
    for found in _FIGURE.finditer(text):
        yield found.start(), found.end(), _readings(found["value"])
    for found in _SPELT.finditer(text):
        if found["low"] == "one" and not found["hundred"]:
            continue  # "the one of March"
        yield found.start(), found.end(), {_spelt(found)}


def _readings(value: str) -> set[float]:
    """A figure as English and as other languages write it: 27,9 and 27.9, 1.200 and 1,200."""
    plain = value.replace(",", "")
    other = value.replace(".", "").replace(",", ".")
    return {float(each) for each in (plain, other) if each.count(".") <= 1}


def _spelt(found: re.Match[str]) -> float:
    low = ONES.index(found["low"]) if found["low"] else 0
    tens = 10 * (TENS.index(found["tens"]) + 2) if found["tens"] else 0
    ones = ONES.index(found["ones"]) if found["ones"] else 0
    return float((low + tens + ones) * (100 if found["hundred"] else 1))


def _times(text: str, statements: Sequence[SourceStatement]) -> Iterator[Mention]:
    """Times of day: 1pm is 13:00."""
    given = [{minute for _, minute in _clock(normal(said.text))} for said in statements]
    for found, minute in _clock(text):
        which = frozenset(at for at, known in enumerate(given) if minute in known)
        yield Mention(found.start(), found.end(), which)


def _clock(text: str) -> Iterator[tuple[re.Match[str], int]]:
    for found in _TIME.finditer(text):
        hour, minute = int(found["hour"] or found["h"]), int(found["minute"] or found["m"] or 0)
        if found["half"]:
            hour = hour % 12 + (12 if found["half"] == "p" else 0)
        yield found, 60 * hour + minute


# --- by its words ----------------------------------------------------------------------------


def _own_words(text: str, statements: Sequence[SourceStatement]) -> Iterator[Mention]:
    """Words of one statement alone: names that it holds, or most of what the reply says."""
    words = [
        {word for word in WORD.findall(normal(said.text)) if word not in FILLER}
        for said in statements
    ]
    found = [each for each in _words_of(text, words) if 0 < len(each.which) < len(statements)]
    spoken = [each for each in WORD.findall(text) if each not in FILLER and lexical.terms(each)]
    if spoken and len(found) >= LEAST_SHARE * len(spoken):
        yield from found
        return
    named = [_proper(said.text) for said in statements]
    yield from (
        each for each in found if any(text[each.start : each.end] in named[at] for at in each.which)
    )


def _proper(text: str) -> set[str]:
    """The words that are written with a capital letter within a sentence."""
    return {normal(found) for found in re.findall(r"(?<=[a-z,;:] )[A-Z][\w'’-]{2,40}", text)}


# --- reading alike ---------------------------------------------------------------------------


def normal(text: str) -> str:
    """Return the text as it is compared: small, blanks single, slips of known words mended."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").strip(" \t\"“”'")
    return re.sub(r"[^\W\d_]+", lambda found: _mended(found[0]), re.sub(r"[^\S\n]+", " ", plain))


def _mended(word: str) -> str:
    """The known word that a slip of it stands for; "later" is no slip of "latter", but a known word."""
    if word in _SLIPS:
        return word
    return next((known for known in _SLIPS if is_slip(word, known)), word)
