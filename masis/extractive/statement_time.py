"""Read of when a statement is, and whether it tells what is or what is expected.

Pure and lexical. Two statements of different scope do not contradict each other: a quarter's figure
and the year's, last year's and this year's, a forecast and what came.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from masis.domain import EvidenceChunk
from masis.retrieval.succession import RULES
from masis.text import lexical
from masis.text.day_times import on_other_days
from masis.text.facts import FISCAL_YEAR, ORDINALS, facts
from masis.text.grammars.calendar import MONTHS, WEEKDAYS

_QUARTER_WORDS: Final = {**{word: n for n, word in enumerate(ORDINALS[:4], 1)}, "last": 4}
_HALF_WORDS: Final = {"first": 1, "second": 2}
_PART = re.compile(
    r"\bQ(?P<quarter>[1-4])(?![\w-])|\b(?P<short>[1-4])Q(?=\d{2}|\b)|\bH(?P<half>[12])(?![\w-])"
    r"|\b(?P<nth>first|second|third|fourth|last|1st|2nd|3rd|4th)[ -](?:fiscal )?"
    r"(?P<span>quarter|half)(?:[ -]?year)?\b"
    r"|\b(?P<months>three|six|nine)[ -]months?\b(?= (?:period )?(?:ended|ending|to|of))"
    r"|\b(?P<yearly>half)[ -]year(?:ly)?\b|\b(?P<quarterly>quarter)(?:ly)?\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
_SHORT_SPAN = re.compile(r"\b((?:19|20)\d{2})[/–-](\d{2})\b(?!-)")
_AS_OF = re.compile(
    r"\b(?:as (?:of|at|on)|(?:at|by|on) the end of|status:?|until)\s+(?P<date>[^.;|()]{4,40})",
    re.IGNORECASE,
)
_FOR = re.compile(r"\bfor (?:all |the |our )?([a-z]{3,20}s|staff)\b(?! ?\d)")
"""In the plural, since a rule is for a group of people or things."""
_SEXES: Final = (
    ("men", re.compile(r"\b(?:males?|men|boys?)\b", re.IGNORECASE)),
    ("women", re.compile(r"\b(?:females?|women|girls?)\b", re.IGNORECASE)),
)
_EXPECTED = re.compile(
    r"\b(?:expect(?:s|ed|ing)?|forecasts?|forecasted|projected|projections?|anticipat(?:e|es|ed)|guidance"
    r"|outlook|budget(?:ed|s)?|plann?(?:ed|s)?|targets?|targeted|foresee[ns]?|estimates?)\b",
    re.IGNORECASE,
)
_EXPECTING_TITLE = re.compile(
    r"\b(?:forecasts?|outlook|projections?|guidance|budget|sales plan|business plan)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_CODE = re.compile(
    r"(?<![^\W_])(?P<letters>[A-Za-z]{1,12})-?(?P<number>\d{1,8}[A-Za-z]?)(?![^\W_])"
)
_PERIOD_LETTERS: Final = frozenset({"fy", "q", "h"})
"""Of quarters, halves and fiscal years, which are a statement's time."""
_VERSIONS: Final = frozenset(
    lexical.terms(
        "v1 v2 v3 version draft final new old annual monthly revised policy guide handbook rules"
    )
)
"""Capitalised in titles, and no name of what they are about."""
CALENDAR: Final = frozenset(lexical.terms(" ".join((*MONTHS, *WEEKDAYS))))
_FISCAL: Final = frozenset(lexical.terms("fy q h year quarter"))
_CELL_BORDER: Final = " | "
_LABEL_CHARS: Final = 60
_BRACKETED = re.compile(r"\s?\([^()]{1,120}\)")


@dataclass(frozen=True, slots=True)
class Scope:
    """Of which years and parts of a year a statement is, as of when, for whom, and whether expected.

    What it does not say is empty.
    """

    years: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()
    as_of: frozenset[tuple[int | None, int, int | None]] = frozenset()
    days: frozenset[tuple[int | None, int | None, int]] = frozenset()
    group: frozenset[str] = frozenset()
    expected: bool = False
    sex: str = ""


def of(sentence: str, heading: str, chunk: EvidenceChunk, question: str) -> Scope:
    """Read the scope of a sentence: its own words first, then its heading's, then its document's.

    Words of expectation that the question uses itself say nothing ("How much is the budget?").
    """
    own = (heading, *_titles(chunk))
    period = next((p for p in map(_period, (sentence, *own)) if p != _NO_PERIOD), _NO_PERIOD)
    years, parts = period
    return Scope(
        years=years,
        parts=parts,
        as_of=frozenset(_as_of(sentence)),
        days=frozenset(_days(sentence)),
        group=frozenset(_group(sentence)) - frozenset(lexical.terms(question)),
        expected=_expected(sentence, own, question),
        sex="" if _sex(question) else _sex(sentence),
    )


def apart(one: Scope, other: Scope, asked: str) -> bool:
    """Return whether two statements speak of different times, or one of what is expected or one sex alone.

    So do two that speak of another time than the question names. A part of a year beside a
    statement without any is of another scope unless the question itself names the part.
    """
    is_unlike = (one.expected, one.sex) != (other.expected, other.sex)
    if is_unlike or _is_beside(one, asked) or _is_beside(other, asked):
        return True
    if one.years and other.years and one.years.isdisjoint(other.years):
        return True
    if one.group and other.group and one.group.isdisjoint(other.group):
        return True
    if one.as_of and other.as_of and one.as_of.isdisjoint(other.as_of):
        return True
    if one.parts and other.parts:
        return one.parts.isdisjoint(other.parts)
    partly = one.parts or other.parts
    return bool(partly) and partly.isdisjoint(_parts(asked))


def _is_beside(one: Scope, asked: str) -> bool:
    """Say whether a statement is of another period than the question names.

    A part of a year is not the year.
    """
    years, parts = _period(asked)
    if years and one.years and years.isdisjoint(one.years):
        return True
    days = frozenset(_days(asked))
    if days and one.days and not any(_same_day(ours, own) for ours in days for own in one.days):
        return True
    return bool(one.parts) and bool(years or parts) and parts.isdisjoint(one.parts)


def narrowed(text: str, asked: str) -> str:
    """Return a text without table cells and brackets of other periods or days than the question names.

    "Revenue | Q2: 26.1 | Q3: 27.9" is, for a question about Q3, "Revenue | Q3: 27.9"; where the
    question names none, no cell of several periods is what it asks for.
    """
    wanted = _period(asked)
    cells = [
        cell
        for cell in text.split(_CELL_BORDER)
        if not _is_other(_label(cell), wanted) and not on_other_days(_label(cell), asked)
    ]
    plain = _CELL_BORDER.join(_of_one_period(cells)) or text
    return _BRACKETED.sub(lambda m: "" if _is_other(m[0], wanted) else m[0], plain)


def _of_one_period(cells: list[str]) -> list[str]:
    """The cells, without those of periods where they are of several."""
    periods = [_period(_label(cell)) for cell in cells]
    if len({*periods} - {_NO_PERIOD}) <= 1:
        return cells
    return [cell for cell, period in zip(cells, periods, strict=True) if period == _NO_PERIOD]


def _label(cell: str) -> str:
    """Return what stands before the value of a cell. Running text has nothing there."""
    label, colon, _ = cell.partition(": ")
    return label if colon and len(label) <= _LABEL_CHARS else ""


def _is_other(text: str, wanted: "_Period") -> bool:
    years, parts = _period(text)
    return any(
        ours and theirs and ours.isdisjoint(theirs)
        for ours, theirs in ((years, wanted[0]), (parts, wanted[1]))
    )


_Period = tuple[frozenset[str], frozenset[str]]
_NO_PERIOD: Final[_Period] = (frozenset(), frozenset())


def _titles(chunk: EvidenceChunk) -> Iterator[str]:
    """The names over a chunk; of a rule its year says which version it is, and not of when it is."""
    if RULES.isdisjoint(lexical.terms(f"{chunk.context} {chunk.title}")):
        yield from (chunk.context, chunk.title)


def _period(text: str) -> _Period:
    return frozenset(_years(text)), frozenset(_parts(text))


def _years(text: str) -> Iterator[str]:
    yield from _YEAR.findall(text)
    yield from (f"20{short}" for short in FISCAL_YEAR.findall(text))
    yield from (f"{first[:2]}{last}" for first, last in _SHORT_SPAN.findall(text))


def _parts(text: str) -> Iterator[str]:
    for match in _PART.finditer(text):
        yield _part(match)


def _part(match: re.Match[str]) -> str:
    if number := match["quarter"] or match["short"]:
        return f"Q{number}"
    if match["half"]:
        return f"H{match['half']}"
    if match["nth"]:
        nth = match["nth"].casefold()
        number = int(nth[0]) if nth[0].isdigit() else _QUARTER_WORDS[nth]
        return f"{'Q' if match['span'].casefold() == 'quarter' else 'H'}{number}"
    if match["months"]:
        return f"{match['months'].casefold()} months"
    return "half" if match["yearly"] else "quarter"


def _as_of(sentence: str) -> Iterator[tuple[int | None, int, int | None]]:
    for match in _AS_OF.finditer(sentence):
        yield from ((date.year, date.month, date.day) for date in facts(match["date"]).dates)


def _days(text: str) -> Iterator[tuple[int | None, int | None, int]]:
    """The dates of a text that name a day."""
    for date in facts(text).dates:
        if date.day is not None:
            yield date.year, date.month, date.day


def _same_day(
    one: tuple[int | None, int | None, int], other: tuple[int | None, int | None, int]
) -> bool:
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


def _group(sentence: str) -> Iterator[str]:
    """The terms of whom a statement is for ("for managers", "for staff on probation")."""
    for match in _FOR.finditer(sentence):
        yield from lexical.terms(match[1])


def _sex(text: str) -> str:
    """The one sex that a text speaks of; "" where it speaks of both or of everybody."""
    named = [sex for sex, words in _SEXES if words.search(text)]
    return named[0] if len(named) == 1 else ""


def _expected(sentence: str, titles: Iterable[str], question: str) -> bool:
    asked = frozenset(lexical.terms(question))
    said = [
        *_EXPECTED.findall(sentence),
        *(word for title in titles for word in _EXPECTING_TITLE.findall(title)),
    ]
    return any(asked.isdisjoint(lexical.terms(word)) for word in said)


# --- which one it is about -----------------------------------------------------------------


def of_other_names(one: str, other: str, said: str = "") -> bool:
    """Return whether two titles or sentences are the same but for names: "Leave in Spain", "… in Peru".

    What is left of either when the shared words are gone must be names or codes alone, and none that
    tells a time or a version. A word that is `said` in small letters is none, whatever capitals a
    title has: "Remote Working Policy".
    """
    ours, theirs = (_words(text) for text in (one, other))
    shared = ours.keys() & theirs.keys()
    if not shared or ours.keys() <= shared or theirs.keys() <= shared:
        return False
    left = {term: words[term] for words in (ours, theirs) for term in words.keys() - shared}
    if not left.keys().isdisjoint(_in_small_letters(said)):
        return False
    return all(map(_names_something, left.values())) and not (_timed(one) or _timed(other))


def _in_small_letters(text: str) -> set[str]:
    small = " ".join(match[0] for match in _WORD.finditer(text) if match[0].islower())
    return set(lexical.terms(small))


def of_another_code(asked: str, *texts: str) -> bool:
    """Return whether texts speak of another code than the question: of a TX45 and not of the TX40.

    The first of them with a code of the same letters decides: a sentence before its heading, that
    before the title.
    """
    named = set(_codes(asked))
    letters = {code[0] for code in named}
    for text in texts:
        found = {code for code in _codes(text) if code[0] in letters}
        if found:
            return found.isdisjoint(named)
    return False


def _codes(text: str) -> Iterator[tuple[str, str]]:
    """The letters and the number of each code; quarters and fiscal years are none."""
    for match in _CODE.finditer(text):
        letters = match["letters"].casefold()
        if letters not in _PERIOD_LETTERS:
            yield letters, match["number"].casefold()


def is_name_in(text: str, term: str) -> bool:
    """Return whether a term stands for a name: it is written with a capital within the sentence."""
    return any(
        match.start() > 0 and match[0][0].isupper() and term in lexical.terms(match[0])
        for match in _WORD.finditer(text)
    )


def timeless(words: frozenset[str]) -> frozenset[str]:
    """Return terms without those of days, months, quarters and fiscal years."""
    return words - CALENDAR - _FISCAL


def _words(text: str) -> dict[str, str]:
    """The terms of a text with the word that each stands for."""
    return {term: match[0] for match in _WORD.finditer(text) for term in lexical.terms(match[0])}


def _names_something(word: str) -> bool:
    known = lexical.terms(word)
    return (word[0].isupper() or word[0].isdigit()) and _VERSIONS.isdisjoint(known)


def _timed(text: str) -> bool:
    return not CALENDAR.isdisjoint(lexical.terms(text)) or _period(text) != _NO_PERIOD
