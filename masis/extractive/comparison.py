"""Choose passages for a question that compares two things: both sides, in the same respects.

Pure and lexical. A passage is of the side that its own words name, else its headings, else the name of
its document.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, NamedTuple

from masis.extractive.selection import ANSWER_CHARS, cells_of, columns, length, readable
from masis.retrieval.extraction import Passage, Scored
from masis.text import lexical

MOST_RESPECTS: Final = 4
"""In which the two sides are told; a table that tells both in each row is shown as any other."""
BOTH_FLOOR: Final = 0.75
"""A passage that names both sides and reaches this share of the best score compares them itself."""
SAME_RESPECT: Final = 0.30
"""From this share of common words on two passages speak of the same respect."""
LIKENESS: Final = 0.5
"""What speaking of the same respect weighs beside the scores of the two."""
FULLNESS: Final = 0.08
"""What each further cell of the rows weighs where no respect is asked for: what a thing is, before what
was counted of it."""
FULL: Final = 5
ONE_BEHIND: Final = 0.001
"""So much less each passage scores than the one before it."""
MOST_LOOKED_AT: Final = 40
"""Passages of a side, the best first: they are compared each with each."""

_JOIN: Final = r"\s+(?:and|or|with|to|against|from|versus|vs\.?|compared (?:to|with))\s+"
_COMPARES = re.compile(
    rf"\b(?:compare|comparison (?:of|between)|dif\w{{3,8}} (?:between|from|of))\s+(?P<one>\S.{{0,80}}?){_JOIN}"
    r"(?P<other>\S.{0,80})",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"(?P<one>\S.{0,80}?),?\s+(?:versus|vs\.?|compared (?:to|with))\s+(?P<other>\S.{0,80})",
    re.IGNORECASE,
)
_IN_RESPECT = re.compile(r"\b(?:in|on|by|for|of|regarding|concerning|as to)\b", re.IGNORECASE)
_JOINED = re.compile(r",|&|\b(?:and|or)\b", re.IGNORECASE)
_COMPARING = re.compile(r"\b(?:compar\w*|dif{1,2}e?r\w*|versus|vs)\b", re.IGNORECASE)
_ASKING: Final = frozenset(
    lexical.terms("compare comparison difference different differ versus vs between whats please")
)

_RELATIVE: Final = frozenset(
    lexical.terms("old older new newer current previous first last before after now then today")
)
"""What is called so has another name in the documents, and is not missing where they do not say it."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two things: how the question calls it, and the terms in a row that tell it."""

    name: str
    words: tuple[str, ...]

    whole: bool = True
    """Whether no respect is asked for: "compare gold and silver plans", and not "the prices of gold"."""

    def is_named_in(self, text: str) -> bool:
        """Say whether a text has the side's terms one behind the other."""
        return f" {' '.join(self.words)} " in f" {' '.join(lexical.terms(text))} "


class Compared(NamedTuple):
    """The passages for a comparison, in the order of the sides, and the sides that have none."""

    chosen: list[Scored]
    missing: list[Side]


def sides(question: str) -> tuple[Side, Side] | None:
    """Return the two things that a question compares; None where it compares nothing.

    What only one of them is called and the other is not belongs to both where it stands at the border:
    "gold and silver plans" are the gold ones and the silver ones.
    """
    match = _COMPARES.search(question) or _AGAINST.search(question)
    if match is None:
        return None
    one, other = _words(match["one"]), _words(match["other"])
    first, last = _own(one, other), _own(other, one)
    if not first or not last:
        return None
    size = min(len(first), len(last))
    first, last = _last(first, last, size), last[:size]
    if not _RELATIVE.isdisjoint((*first, *last)):
        return None
    whole = one[: len(first)] == first and _IN_RESPECT.search(match["other"]) is None
    return _side(one, first, whole=whole), _side(other, last, whole=whole)


def compares(question: str) -> bool:
    """Tell whether a question compares, whatever it is that is compared."""
    return _COMPARING.search(question) is not None


def compared(pair: tuple[Side, Side], scored: Sequence[Scored]) -> Compared | None:
    """Return what tells both sides in the same respects; None where neither is named anywhere.

    Where passages name both at once, those are all; where one side has none, it is missing.
    """
    found = readable(scored, compares=True)
    told = {s.passage.key: _sides_of(s.passage, pair) for s in found}
    top = max((s.score for s in found if told[s.passage.key]), default=0.0)
    both = [
        s
        for s in found
        if len(told[s.passage.key]) > 1
        and s.score >= BOTH_FLOOR * top
        and not _joins(s.passage, pair)
    ]
    if both:
        return Compared(readable(both), [])
    of = [
        _best(s for s in found if told[s.passage.key] == {at} and _is_on_the_matter(s))
        for at in (0, 1)
    ]
    missing = [side for side, members in zip(pair, of, strict=True) if not members]
    if len(missing) > 1:
        return None
    if missing:
        return Compared([], missing)
    one, other = ([s for s in each if names_its_side(s.passage, pair)] for each in of)
    chosen = list(_respects(one, other, pair)) or list(_respects(of[0], of[1], pair))
    return Compared(chosen or [of[0][0], of[1][0]], [])


def names_its_side(passage: Passage, pair: tuple[Side, Side]) -> bool:
    """Return whether a reader sees of which side a passage speaks."""
    return any(side.is_named_in(f"{passage.lead} {passage.text}") for side in pair)


def _words(text: str) -> list[str]:
    return [word for word in lexical.terms(text) if word not in _ASKING]


def _own(words: Sequence[str], others: Sequence[str]) -> list[str]:
    return [word for word in words if word not in others]


def _last(first: Sequence[str], last: Sequence[str], size: int) -> list[str]:
    """Return what is left of the first side's words.

    These are figures beside figures, else what stands at the border.
    """
    figures = [word for word in first if word.isdigit()]
    if len(figures) == size and all(word.isdigit() for word in last[:size]):
        return figures
    return list(first[-size:])


def _side(words: Sequence[str], own: Sequence[str], *, whole: bool) -> Side:
    """A side by its own terms; a short figure says nothing without the word before it."""
    at = words.index(own[0])
    short = own[0].isdigit() and len(own[0]) < 4  # noqa: PLR2004 - a year tells itself
    start = at - 1 if short and at else at
    return Side(" ".join(own), (*words[start:at], *own), whole)


def _sides_of(passage: Passage, pair: tuple[Side, Side]) -> frozenset[int]:
    """The places of the sides that a passage is of."""
    chunk = passage.chunk
    for text in (
        f"{passage.lead} {passage.text}",
        f"{passage.heading} {' '.join(chunk.place.headings)}",
        f"{chunk.title} {chunk.document}",
    ):
        if named := frozenset(at for at, side in enumerate(pair) if side.is_named_in(text)):
            return named
    return frozenset()


def _joins(passage: Passage, pair: tuple[Side, Side]) -> bool:
    """Whether a sentence says one thing of both, as "5 EUR on Gold and Silver" does."""
    said = f" {' '.join(lexical.terms(_JOINED.sub(' ', passage.text)))} "
    one, other = (" ".join(side.words) for side in pair)
    return passage.unit.kind != "table_row" and any(
        f" {first} {last} " in said for first, last in ((one, other), (other, one))
    )


def _is_on_the_matter(scored: Scored) -> bool:
    """Say whether a passage is on the matter.

    It is prose, or a row or item with a word of the question.
    """
    return scored.passage.unit.kind == "sentence" or bool(scored.covers)


def _best(members: Iterable[Scored]) -> list[Scored]:
    return sorted(members, key=lambda s: -s.score)[:MOST_LOOKED_AT]


def _respects(
    one: Sequence[Scored], other: Sequence[Scored], pair: tuple[Side, Side]
) -> Iterator[Scored]:
    """The two passages of each respect, the best respect first, as far as there is room."""
    names = {word for side in pair for word in side.words}
    pairs = sorted(
        ((_likeness(a, b, names), a, b) for a, b in product(one, other)),
        key=lambda each: (
            -(each[0] * LIKENESS + (each[1].score + each[2].score) / 2)
            - (_fullness(each[1], each[2]) if pair[0].whole else 0.0)
        ),
    )
    taken: list[Scored] = []
    for likeness, a, b in pairs:
        is_new = not any(s is a or s is b for s in taken)
        if likeness >= SAME_RESPECT and is_new and length([*taken, a, b]) <= ANSWER_CHARS:
            taken += [a, b]
        if len(taken) == MOST_RESPECTS * 2:
            break
    # A text begins with what scores best.
    top = max((s.score for s in taken), default=0.0)
    yield from (replace(s, score=top - n * ONE_BEHIND) for n, s in enumerate(taken))


def _fullness(one: Scored, other: Scored) -> float:
    """How much two rows tell besides their names."""
    cells = min(len(cells_of(one)), len(cells_of(other)), FULL)
    return FULLNESS * max(0, cells - 1)


def _likeness(one: Scored, other: Scored, names: set[str]) -> float:
    """The share of words that both have, but for the names; rows of one table are of one respect."""
    a, b = one.passage, other.passage
    if a.unit.kind != b.unit.kind:
        return 0.0
    if (
        a.unit.kind == "table_row"
        and columns(a) == columns(b)
        and a.chunk.document == b.chunk.document
    ):
        return 1.0
    ours, theirs = ({w for w in lexical.terms(p.text) if w.isalpha()} - names for p in (a, b))
    return len(ours & theirs) / max(1, len(ours | theirs))
