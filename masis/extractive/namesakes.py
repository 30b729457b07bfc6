"""Tell two things of one name apart: two people, places or works that a question's name fits.

Pure and lexical. A passage tells which thing it is about by the dates of a life, by what stands in
brackets or behind a comma after the name ("Lazy Afternoon (Harold Land album)"), or by what it says
that the thing is ("is a township in Cass County").
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from masis.retrieval.extraction import Scored
from masis.text import lexical, predicates
from masis.text.predicates import Description

NEAR_BEST: Final = 0.70
"""A passage tells of the thing that was asked about from this share of the best score on."""
MAX_LOOKED_AT: Final = 40
MAX_CHARS: Final = 500
"""Of a passage: names are told apart where they are introduced, at the beginning."""
_AFTER: Final = 300
_PLACE_CHARS: Final = 120
_OPTION_CHARS: Final = 60
_MAX_PHRASES: Final = 3
_MAX_WORDS: Final = 8
_NAME_WORDS: Final = 3
_MIDDLE_NAMES: Final = r"(?:\s+\S{1,20}){0,2}?\s+"
"""Between the words of a name of two or three; a longer title stands as it is."""

_QUOTED = re.compile(r"[\"“]([^\"”]{2,80})[\"”]")
_RUN = re.compile(
    r"(?:[A-ZÀ-Þ]|\d+[a-z]{0,2}\b)[\w'’.-]*(?:\s(?:(?:of|the|de|van|der|von|and|&)\s){0,2}[A-ZÀ-Þ\d][\w'’.-]*)*"
)
_ASKING: Final = frozenset(
    """
    who whom whose what which when where why how is are was were does do did can could may must
    should will has have had in at on for by of to from the a an tell give name
    """.split()
)
_TITLES: Final = frozenset(
    """
    mr mrs ms miss dr prof professor sir lady lord senator judge general captain president
    minister
    """.split()
)
"""In front of a name; who introduces somebody leaves them out."""
_BRACKET = re.compile(r"\s*\(([^()]{2,160})\)")
_COMMA = re.compile(r"\s*,\s*((?:[A-ZÀ-Þ][\w'’.-]*\s?){1,4}(?:,\s(?:[A-ZÀ-Þ][\w'’.-]*\s?){1,4})?)")
_IS = re.compile(
    r"\s*(?:,[^,.]{0,80},)?\s*(?:is|was|are|were)\s+(?:an?|the|one of the)\s+|\s*,\s+an?\s+"
)
_YEAR = re.compile(r"\b(?:1\d|20)\d{2}\b")
_BORN = re.compile(r"\b(?:born|b\.)", re.IGNORECASE)
_SPAN = re.compile(r"\d{4}[^()]{0,20}[–—-]")
_SETTLEMENTS: Final = predicates.families(
    "city town village hamlet municipality commune township settlement borough parish suburb council"
)
_REGIONS: Final = frozenset(
    lexical.terms("county district state province region department canton north south east west")
)
_RELATIVE = re.compile(
    r"\b(?:(?:grand)?(?:sons?|daughters?|child(?:ren)?|parents?|fathers?|mothers?)|brothers?|sisters?|siblings?|wife"
    r"|husband|widow(?:er)?|uncle|aunt|nephew|niece|cousins?|married|named after)\b(?: (?:of|to)\b)?[^.;()]{0,80}$",
    re.IGNORECASE,
)
"""Before a name that is a relative's: "son of the farmer Ann Lee (1885-1931)"."""
_PLACES = re.compile(r"\b(?:in|of|near)\s+(?:the\s)?((?:[A-ZÀ-Þ][\w'’.-]*[\s,]*){1,6})")


@dataclass(frozen=True, slots=True)
class Namesake:
    """One of the things that a name fits, with the passage and the `option` that tell which.

    What the passage does not tell is empty.
    """

    scored: Scored
    option: str
    born: str
    qualifier: frozenset[str]
    description: Description | None
    places: frozenset[str]

    @property
    def document(self) -> str:
        """The document that tells of it."""
        return self.scored.passage.chunk.document_id


def options(question: str, scored: Sequence[Scored]) -> list[str]:
    """Return what tells the things of one name apart, for a question back; none where it is one."""
    return list(dict.fromkeys(one.option for one in namesakes(question, scored)))


def namesakes(question: str, scored: Sequence[Scored]) -> list[Namesake]:
    """Return the different things that the question's name fits, best first; none or two and more."""
    different: list[Namesake] = []
    for one in _introduced(question, scored):
        if all(differ(one, other) for other in different):
            different.append(one)
    return different if len(different) > 1 else []


def pairs(question: str, scored: Sequence[Scored]) -> list[tuple[Scored, Scored]]:
    """Return the passages of different documents that introduce different things, best first."""
    return [
        (one.scored, other.scored)
        for one, other in combinations(_introduced(question, scored), 2)
        if one.document != other.document and differ(one, other)
    ]


def differ(one: Namesake, other: Namesake) -> bool:
    """Return whether two introductions cannot be of one thing."""
    if one.born and other.born:
        return one.born != other.born
    if one.qualifier and other.qualifier:
        return bool(one.qualifier - other.qualifier and other.qualifier - one.qualifier)
    if one.description and other.description:
        if _settled_alike(one, other):
            return False
        if predicates.contradict(one.description, other.description):
            return _unsaid(one, other) and _unsaid(other, one)
        return bool(one.places and other.places) and one.places.isdisjoint(other.places)
    return False


def _settled_alike(one: Namesake, other: Namesake) -> bool:
    """Whether both are settlements of one place, which one calls a city and the other a town."""
    heads = [each.description.heads for each in (one, other) if each.description]
    shared = (one.places & other.places) - _REGIONS
    return bool(shared) and not any(each.isdisjoint(_SETTLEMENTS) for each in heads)


def _unsaid(one: Namesake, other: Namesake) -> bool:
    """Say whether the chunk of one nowhere says what the other says that it is."""
    chunk = one.scored.passage.chunk
    said = predicates.families(f"{chunk.context} {chunk.text}")
    return other.description is not None and said.isdisjoint(other.description.heads)


# --- things that only belong to what is named ------------------------------------------------


def of_other_parts(question: str, one: str, other: str, around: tuple[str, str] = ("", "")) -> bool:
    """Tell whether two texts speak of different things that belong to what a question names by a code.

    "Part: main board | Fits: X-200" tells no price of the X-200, nor does "the X-200 spare kit"; and an
    X-200C is none. Who is called a pump in what stands `around` the other text is no part of it.
    """
    for code in dict.fromkeys(_NUMBERS.findall(question)):
        ours, theirs = _parts_of(code, one), _parts_of(code, other)
        if ours and theirs and ours != theirs and _CELLS.search(one) and _CELLS.search(other):
            return True
        asked = frozenset(lexical.terms(question))
        mine, yours = (
            frozenset(lexical.terms(f"{text} {beside}"))
            for text, beside in zip((one, other), around, strict=True)
        )
        sides = ((ours, yours), (theirs, mine))
        if any(part and part.isdisjoint(asked | said) for part, said in sides):
            return True
        if _suffixes(code, one).isdisjoint(_suffixes(code, other)) and _suffixes(code, one):
            return bool(_suffixes(code, other))
    return False


def _parts_of(code: str, text: str) -> frozenset[str]:
    """The terms of what belongs to a thing of that code: a row's own name, or the nouns behind the code."""
    cells = [match.groups() for match in _CELLS.finditer(text)]
    beside = [name for name, value in cells if _BELONGS.fullmatch(name) and code in value]
    if beside and cells[0][0] not in beside:
        return frozenset(lexical.terms(cells[0][1]))
    behind = re.search(rf"\b{re.escape(code)} (?P<nouns>[a-z]{{3,}}(?: [a-z]{{3,}})?)", text)
    if cells or behind is None:
        return frozenset()
    nouns = [word for word in behind["nouns"].split() if word not in _JOINING]
    return frozenset(lexical.terms(" ".join(nouns)))


def _suffixes(code: str, text: str) -> frozenset[str]:
    """The letters with which a number goes on where it stands in a text: "c" of "200C", nothing of "200"."""
    found = re.findall(rf"(?<![\d.,]){re.escape(code)}([A-Z]?)(?![\w%]|[.,]\d)", text)
    return frozenset(each.casefold() or "-" for each in found)


_NUMBERS: Final = re.compile(r"(?<![\d.,£$€])(?!(?:19|20)\d\d\b)\d{2,5}(?![\w%]|[.,]\d)")
"""Numbers that may be a thing's name; a year is a time, and what stands behind it no part of it."""
_CELLS: Final = re.compile(r"(?:^|\| )([^:|]{1,60}): ([^|]+?)(?= \||\s*$)")
_BELONGS: Final = re.compile(
    r"(?:fits|used in|used on|used with|for|suits|suitable for|belongs to|goes with|works with)",
    re.IGNORECASE,
)
"""Columns that tell what something is for."""
_JOINING: Final = frozenset(
    """
    and are but can costs does for from had has have includes into its may must not that the was were
    when which will with
    """.split()
)


# --- reading -------------------------------------------------------------------------------


def _introduced(question: str, scored: Sequence[Scored]) -> list[Namesake]:
    """List what each document introduces under the question's name, best passages first."""
    names = [_pattern(phrase) for phrase in _phrases(question)]
    if not names or not scored:
        return []
    ranked = sorted(scored, key=lambda s: -s.score)[:MAX_LOOKED_AT]
    asked = frozenset(lexical.terms(question))
    found: dict[str, Namesake] = {}
    for one in ranked:
        if one.score < NEAR_BEST * ranked[0].score or one.passage.chunk.document_id in found:
            continue
        if (read := _read(one, names, asked)) is not None:
            found[read.document] = read
    return list(found.values())


def _phrases(question: str) -> list[str]:
    """The quoted titles of a question, else its runs of capitalised words."""
    if quoted := _QUOTED.findall(question):
        return quoted[:_MAX_PHRASES]
    runs = []
    for match in _RUN.finditer(question):
        words = match[0].split()
        if not match.start() and words[0].casefold() in _ASKING:
            words = words[1:]
        while len(words) > 1 and words[0].strip(".").casefold() in _TITLES:
            words = words[1:]
        if words:
            runs.append(" ".join(words).removesuffix("'s").removesuffix("’s"))
    return runs[:_MAX_PHRASES]


def _pattern(phrase: str) -> re.Pattern[str]:
    """The name, between whose words others may stand ("Peter Michael Bergman")."""
    words = [re.escape(word) for word in phrase.split()[:_MAX_WORDS]]
    gap = _MIDDLE_NAMES if len(words) <= _NAME_WORDS else r"\s+"
    return re.compile(rf"(?<!\w){gap.join(words)}(?!\w)", re.IGNORECASE)


@dataclass(slots=True)
class _Found:
    """Collect what was read of one passage so far. The first of each kind counts."""

    name: str = ""
    born: str = ""
    qualifier: str = ""
    phrase: list[str] = field(default_factory=list)
    places: frozenset[str] = frozenset()

    @property
    def option(self) -> str:
        """The name with what tells which one it is."""
        told = self.qualifier or (f"born {self.born}" if self.born else "")
        bracket = f" ({told})" if told else ""
        described = f", {' '.join(self.phrase)}" if self.phrase and not self.qualifier else ""
        return f"{self.name}{bracket}{described}"[:_OPTION_CHARS]


def _read(one: Scored, names: Sequence[re.Pattern[str]], asked: frozenset[str]) -> Namesake | None:
    """Read what a passage says to be under one of the names.

    It is None where it introduces nothing.
    """
    text = one.passage.text[:MAX_CHARS]
    found = _Found()
    for match in (match for name in names for match in name.finditer(text)):
        if is_of_a_relative(text[: match.start()]):
            continue
        found.name = found.name or " ".join(match[0].split())
        _read_after(
            found, text[match.end() : match.end() + _AFTER], asked, begins=match.start() <= 1
        )
    if not (found.born or found.qualifier or found.phrase):
        return None
    return Namesake(
        scored=one,
        option=found.option,
        born=found.born,
        qualifier=_other_terms(found.qualifier, asked),
        description=predicates.described(found.phrase) if found.phrase else None,
        places=found.places,
    )


def _read_after(found: _Found, rest: str, asked: frozenset[str], *, begins: bool) -> None:
    """Read what follows a name: brackets, a place behind a comma, and what it is said to be.

    A year in brackets is part of a title where the passage begins with it, and else of a sentence.
    """
    if bracket := _BRACKET.match(rest):
        rest = rest[bracket.end() :]
        if born := _born(bracket[1]):
            found.born = found.born or born
        elif begins or not _YEAR.search(bracket[1]):
            found.qualifier = found.qualifier or _telling(bracket[1], asked)
    elif begins and (comma := _COMMA.match(rest)):
        found.qualifier = found.qualifier or _telling(comma[1], asked)
    if not found.phrase and (said := _IS.match(rest)):
        phrase = predicates.noun_phrase(rest[said.end() :])
        if any(word.isalpha() for word in phrase):
            found.phrase, found.places = phrase, _places(rest[said.end() :], asked)


def _born(bracket: str) -> str:
    """The year of birth in the brackets behind a name."""
    if not (_BORN.search(bracket) or _SPAN.search(bracket)):
        return ""
    return next(iter(_YEAR.findall(bracket)), "")


def _telling(text: str, asked: frozenset[str]) -> str:
    """Return the words that tell which one it is.

    An abbreviation or a word in another language tells nothing.
    """
    return (
        ""
        if text.isupper() or ":" in text or not _other_terms(text, asked)
        else " ".join(text.split())
    )


def is_of_a_relative(before: str) -> bool:
    """Tell whether the name behind a text is that of a relative of whom the text is about."""
    return _RELATIVE.search(before) is not None


def _other_terms(text: str, asked: frozenset[str]) -> frozenset[str]:
    return frozenset(lexical.terms(text)) - asked


def _places(text: str, asked: frozenset[str]) -> frozenset[str]:
    found = _PLACES.search(text[:_PLACE_CHARS])
    return frozenset(lexical.terms(found[1])) - asked if found else frozenset()
