"""Read what a sentence gives as the answer to a question.

That is a figure, a moment, a name, a place, or what something is.

Pure and lexical. Of all values of the asked kind in a sentence those count that stand near the
question's own words; of two sentences it can be said whether what they give differs.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from masis.extractive.statement_time import CALENDAR
from masis.retrieval.extraction import wanted
from masis.text import day_times, lexical, predicates
from masis.text import quantities as figures
from masis.text.day_times import TimeOfDay, TimeSpan
from masis.text.facts import Date, facts
from masis.text.grammars import when_clauses
from masis.text.predicates import Description, Rule
from masis.text.quantities import SPANS, Quantity

Kind = Literal["figure", "moment", "name", "place", "rule"]

LEAST_TERMS: Final = 2
"""With one word alone ("Where are we going?") any two sentences seem to answer."""
NEAR: Final = 60
"""Characters between a value and a word of the question: about ten words, most clauses."""
FAMILY: Final = 6
"""Words that begin with the same so many letters are of one family."""
OTHER_CLAUSE: Final = 30
"""A stop, semicolon or column border between them counts as so many characters more."""

_YEAR = re.compile(r"\b(?:1\d|20)\d{2}\b(?![,.]?\d)")

_CAPITALISED: Final = r"[^\W\d_a-zß-ÿ][\w'’&-]*"
_NAME = re.compile(rf"{_CAPITALISED}(?:\.?\s(?:(?:of|and|the|de|van|der|von|&)\s)?{_CAPITALISED})*")
_OPENS = re.compile(r"(?:^|[.!?:|\[\]\"“(])\s*$")
_BY = re.compile(r"\bby\b[\w\s,'’-]{0,60}$")
_DONE_BY = re.compile(r"\s(?:\w{2,20}\s)?by\s(?:the\s)?")
_LISTED = re.compile(r"(?:,|,?\s(?:and|or|&))\s(?:the\s)?")
_IN_PLACE = re.compile(r"(?:\b(?:in|at|near|of|to|from)\s(?:the\s)?|,\s)$")
_WORD = re.compile(r"\w+(?:[.,'’-]\w+)*")
_CLAUSE_END = re.compile(r"[;.|]\s")
_QUOTED = re.compile(r"[\"“]([^\"”]+)[\"”]")

_PERIOD = re.compile(r"\b(?:FY-?\d{2,4}|[QH][1-4]|[1-4]Q\d*|(?:19|20)\d{2})\b", re.IGNORECASE)
_ASKS_WHAT = re.compile(r"\b(?:what|which)\b", re.IGNORECASE)
_ASKS_EXTENT = re.compile(
    r"\bhow (?:long|far|soon|fast|quickly|heavy|big|large|wide|high|deep)\b"
    r"|\b(?:what|which)\b.{0,40}\b(?:weight|length|distance|duration|period|mileage|rate)\b",
    re.IGNORECASE,
)
_BIRTH: Final = frozenset(lexical.terms("born birth birthday birthdate"))
_DEATH: Final = frozenset(lexical.terms("die died death dead"))
_LIFE = re.compile(
    r"\((?P<birth>[^()–—]{0,80}?\d{4}[^()–—]{0,20}?)\s?[–—-]\s?(?P<death>[^()–—]{0,40}?\d{4})\)"
)
"""The dates of a life behind a name: "(12 March 1931 – 4 July 2002)"."""
_ASKS_AMOUNT = re.compile(
    r"\b(?:what|which)\b.{0,30}\b(?:population|number|amount|price|cost|fee|headcount|turnover|total|average)\b",
    re.IGNORECASE,
)
"""Which is a figure, and nothing that something is said to be."""
_ASKS_MOMENT = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:time|date|year|day|month)\b|\b\w+ date\b|\bdate of\b"
    r"|\bdeadline\b|\bfeast day\b"
    r"|\b(?:opening|closing|office|visiting|business|working|core|service|lunch|break) (?:hours|times?)\b"
    r"|\bwhat (?:are|were) (?:the |our |your |its |their )?(?:\w+ ){0,3}hours\b",
    re.IGNORECASE,
)
_ASKS_DAY = re.compile(
    r"\b(?:what|which) (?:date|year|day|month)\b|\bdate\b|\byear\b", re.IGNORECASE
)
"""Of which a time of day tells nothing."""
_ASKS_NAME = re.compile(
    r"\bwho(?:m|se)?\b|\bwhich (?:person|team|manager|director|company|supplier|customer)\b",
    re.IGNORECASE,
)
_ASKS_PLACE = re.compile(
    r"\bwhere\b|\b(?:what|which) (?:city|country|state|town|place|site|building|room)\b",
    re.IGNORECASE,
)


class Moment(NamedTuple):
    """A date, as far as it is given."""

    year: int | None = None
    month: int | None = None
    day: int | None = None


class Name(NamedTuple):
    """The terms of a name: who is called by one of them is taken for the same."""

    terms: frozenset[str]


Value = Quantity | Moment | TimeOfDay | TimeSpan | Name | Description | Rule


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold what a question wants and in which terms.

    `subject` are the terms of its names, codes and quoted titles, which may stand anywhere around
    an answer; `relation` are the others, near which an answer stands.
    """

    kind: Kind
    terms: frozenset[str]
    subject: frozenset[str]
    relation: frozenset[str]
    figures: frozenset[Quantity]
    period: frozenset[str] = frozenset()
    """The terms of the subject that name a period ("FY2025"): those a heading may hold for all."""
    any_unit: bool = False
    """Whether an extent is asked for, in whatever unit ("how long", not "how many days")."""
    noun: str = ""
    """What kind of thing is asked for: "language" of "which language"."""
    what: bool = False
    """Whether the answer may be no figure but what something is ("what sport", "which language")."""
    life: Literal["", "birth", "death"] = ""
    day: bool = False
    """Whether a date is asked for, of which a time of day tells nothing."""


class _Placed(NamedTuple):
    start: int
    end: int
    value: Value


# --- the question --------------------------------------------------------------------------


def asked(question: str) -> Asked | None:
    """Read a question; None for one that asks why, or has fewer than two words of its own."""
    terms = frozenset(lexical.terms(question))
    if len(terms) < LEAST_TERMS or wanted(question) == "reason":
        return None
    subject = frozenset(_subject(question)) & terms
    asks_extent = _ASKS_EXTENT.search(question) is not None
    return Asked(
        kind=_kind(question),
        terms=terms,
        subject=subject,
        relation=(terms - subject) or terms,
        figures=frozenset(quantities(question)),
        any_unit=asks_extent,
        period=frozenset(lexical.terms(" ".join(_PERIOD.findall(question)))),
        what=wanted(question) == "any"
        and not asks_extent
        and _ASKS_AMOUNT.search(question) is None
        and _ASKS_WHAT.search(question) is not None,
        noun=predicates.attribute(question),
        life=_life(terms),
        day=_ASKS_DAY.search(question) is not None,
    )


def _kind(question: str) -> Kind:
    if wanted(question) == "yes_no":
        return "rule"
    kinds: tuple[tuple[re.Pattern[str], Kind], ...] = (
        (_ASKS_MOMENT, "moment"),
        (_ASKS_NAME, "name"),
        (_ASKS_PLACE, "place"),
    )
    told = when_clauses.without(question)
    for pattern, kind in kinds:
        if pattern.search(told):
            return kind
    return "figure"


def _life(terms: frozenset[str]) -> Literal["", "birth", "death"]:
    """Return which of the two dates of a life is asked for."""
    if terms & _BIRTH:
        return "birth"
    return "death" if terms & _DEATH else ""


def _subject(question: str) -> Iterator[str]:
    """The terms of quoted titles, of capitalised words after the first, and of codes."""
    for quoted in _QUOTED.findall(question):
        yield from lexical.terms(quoted)
    for word in question.split()[1:]:
        bare = word.strip("\"“”'?,.()")
        if bare[:1].isupper() or any(map(str.isdigit, bare)):
            yield from lexical.terms(bare)


# --- what a text gives ---------------------------------------------------------------------


_PLACE_OF_TEXT: Final = re.compile(
    r"\b(?:versions?|releases?|clauses?|sections?|chapters?|articles?|appendix|annex|pages?) \d+(?:\.\d+)*(?![\w%]|[.,]\d)",
    re.IGNORECASE,
)
"""Numbers of a text or of its parts, which are the value of nothing."""


def given(question: Asked, text: str) -> list[Value]:
    """The values of the asked kind near the question's words, nearest first, each once.

    Figures that the question holds itself are none. What something is said to be counts where
    there is no figure.
    """
    if question.kind == "rule":
        return [said] if (said := predicates.rule(text)) else []
    if lived := _lived(question, text):
        return [lived]
    words = _places_of(question.relation, text)
    text = _PLACE_OF_TEXT.sub(lambda match: " " * len(match[0]), text)
    candidates = [*_candidates(question, text)]
    if makers := _makers(text, candidates, words):
        return makers
    placed = [(_distance(text, one, words), one.value) for one in candidates]
    near = sorted((p for p in placed if p[0] <= NEAR), key=lambda p: p[0])
    found = list(dict.fromkeys(value for _, value in near))
    if question.what and question.kind == "figure" and not found:
        return [*predicates.descriptions(text, question.terms, question.noun)]
    return found


def _lived(question: Asked, text: str) -> Moment | None:
    """The date of birth or death that stands in brackets behind a name."""
    match = _LIFE.search(text) if question.life else None
    if match is None:
        return None
    return next(
        (one.value for one in _moments(match[question.life]) if isinstance(one.value, Moment)), None
    )


def _makers(
    text: str, candidates: Sequence[_Placed], words: Sequence[tuple[int, int]]
) -> list[Value]:
    """The names behind "by" and a word of the question, as in "directed by Ann Lee and Bo Day".

    Who did it stands there, whatever other names stand near.
    """
    found: list[_Placed] = []
    for one in candidates:
        if not isinstance(one.value, Name):
            continue
        is_next = found and _LISTED.fullmatch(text[found[-1].end : one.start])
        if is_next or any(
            _DONE_BY.fullmatch(text[end : one.start]) for _, end in words if end < one.start
        ):
            found.append(one)
    return list(dict.fromkeys(one.value for one in found))


def _candidates(question: Asked, text: str) -> Iterator[_Placed]:
    if question.kind in {"name", "place"}:
        yield from _names(text, question)
        return
    is_moment = question.kind == "moment"
    if is_moment:
        yield from _moments(text)
        if not question.day:
            yield from (_Placed(*placed) for placed in day_times.times(text))
    for start, end, quantity in figures.quantities(_without_moments(text)):
        if quantity not in question.figures and (not is_moment or quantity.dimension in SPANS):
            value = figures.in_base(quantity) if question.any_unit else quantity
            yield _Placed(start, end, value)


def _places_of(terms: frozenset[str], text: str) -> list[tuple[int, int]]:
    """List where the terms stand, or words of their family ("directed" for "director")."""
    families = {term[:FAMILY] for term in terms if len(term) >= FAMILY}
    return [
        (match.start(), match.end())
        for match in _WORD.finditer(text)
        for found in [lexical.terms(match[0])]
        if not terms.isdisjoint(found) or any(term[:FAMILY] in families for term in found)
    ]


def _distance(text: str, one: _Placed, words: Iterable[tuple[int, int]]) -> float:
    """Characters to the nearest of the words; a name with "by" before it stands beside them."""
    nearest = min((_gap(text, one, word) for word in words), default=float("inf"))
    made = isinstance(one.value, Name) and _BY.search(text[: one.start])
    return min(nearest, 1.0) if made and nearest != float("inf") else nearest


def _gap(text: str, one: _Placed, word: tuple[int, int]) -> float:
    start, end = word
    if start < one.end and one.start < end:
        return float("inf")
    between = text[end : one.start] if end <= one.start else text[one.end : start]
    return len(between) + OTHER_CLAUSE * len(_CLAUSE_END.findall(between))


# --- figures -------------------------------------------------------------------------------


def quantities(text: str) -> set[Quantity]:
    """Return the figures of a text; years, and numbers that name things (Priority 1), are none."""
    return {placed.value for placed in figures.quantities(text)}


# --- moments, names ------------------------------------------------------------------------


def _moments(text: str) -> Iterator[_Placed]:
    """Dates and years alone."""
    found = facts(text)
    rest = text
    for date in found.dates:
        start = max(0, rest.find(date.text))
        rest = rest[:start] + " " * len(date.text) + rest[start + len(date.text) :]
        yield _Placed(start, start + len(date.text), _moment(date))
    for match in _YEAR.finditer(rest):
        yield _Placed(match.start(), match.end(), Moment(year=int(match[0])))


def _without_moments(text: str) -> str:
    """The text with blanks for its dates and times of day, whose days and hours are no figures."""
    text = day_times.without_times(text)
    for date in facts(text).dates:
        text = text.replace(date.text, " " * len(date.text))
    return text


def _moment(date: Date) -> Moment:
    return Moment(date.year, date.month, date.day)


def _names(text: str, question: Asked) -> Iterator[_Placed]:
    """The capitalised words that the question does not hold; for a place those after "in"."""
    for match in _NAME.finditer(text):
        terms = frozenset(lexical.terms(match[0]))
        before = text[: match.start()]
        alone = not any(map(str.isspace, match[0]))
        if not terms or terms & question.terms or terms <= CALENDAR:
            continue
        if alone and _OPENS.search(before[-3:]):
            continue
        if question.kind == "name" or _IN_PLACE.search(before[-10:]):
            yield _Placed(match.start(), match.end(), Name(terms))


# --- two of them ---------------------------------------------------------------------------


_KINDS: Final[tuple[type | tuple[type, ...], ...]] = (
    Moment,
    (TimeOfDay, TimeSpan),
    Name,
    Description,
    Rule,
)
"""Kinds of values that are compared among themselves."""


def differ(ours: Sequence[Value], theirs: Sequence[Value]) -> bool:
    """Say whether two sentences give different answers.

    Figures are compared within a dimension, and only where each side has one; moments and names
    differ where none of ours is one of theirs. A moment that is given less exactly is the same.
    """
    if _figures_differ(ours, theirs):
        return True
    for kind in _KINDS:
        left = [value for value in ours if isinstance(value, kind)]
        right = [value for value in theirs if isinstance(value, kind)]
        if left and right and not any(_same(one, other) for one in left for other in right):
            return True
    return False


def agree(ours: Sequence[Value], theirs: Sequence[Value]) -> bool:
    """Return whether two sentences give a value of one kind that is the same, as exactly.

    A year alone agrees with no day of it: another day of that year may be the rival.
    """
    return any(
        type(one) is type(other) and _same(one, other) and _as_exact(one, other)
        for one in ours
        for other in theirs
    )


def _figures_differ(ours: Iterable[Value], theirs: Iterable[Value]) -> bool:
    left = {value for value in ours if isinstance(value, Quantity)}
    right = {value for value in theirs if isinstance(value, Quantity)}
    shared = {value.dimension for value in left} & {value.dimension for value in right}
    return any(_apart(_of(left, unit), _of(right, unit)) for unit in shared)


def _of(found: Iterable[Quantity], dimension: str) -> list[Quantity]:
    return [quantity for quantity in found if quantity.dimension == dimension]


def _apart(ours: Sequence[Quantity], theirs: Sequence[Quantity]) -> bool:
    return len(ours) == 1 and len(theirs) == 1 and figures.apart(ours[0], theirs[0])


def _as_exact(one: Value, other: Value) -> bool:
    if not (isinstance(one, Moment) and isinstance(other, Moment)):
        return True
    return (one.day is None) == (other.day is None) and (one.month is None) == (other.month is None)


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, TimeOfDay | TimeSpan) and isinstance(other, TimeOfDay | TimeSpan):
        return day_times.compatible(one, other)
    if isinstance(one, Name) and isinstance(other, Name):
        return not one.terms.isdisjoint(other.terms)
    if isinstance(one, Description) and isinstance(other, Description):
        return not predicates.contradict(one, other)
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        return one.dimension == other.dimension and not figures.apart(one, other)
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=False))
