"""Find what a draft states: its claims in whatever form, and the citations of each."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Final, Literal

from masis.domain import EvidenceChunk
from masis.text import assertions
from masis.text.sentences import Unit, units, words

HEDGES: Final = (
    "insufficient evidence",
    "lack sufficient evidence",
    "partially covers",
    "not provided",
    "cannot provide",
)
"""Who says that something is not known needs no source for it."""
_EVIDENCE: Final = r"(?:documents?|evidence|sources?|passages?|excerpts?|texts?|context|materials?)"
_PAPER: Final = r"(?:handbook|policy|report|guide|manual|contract|agreement|page|section|table)"
_SAY: Final = r"(?:say|state|mention|specify|tell|indicate|disclose|show)"
_SAYS_NOTHING: Final = re.compile(
    rf"\b{_EVIDENCE}\s(?:\w+\s){{0,3}}(?:do|does|did)(?:\snot|n't)\s"
    rf"(?:{_SAY}|give|contain|include|provide|cover|describe|explain|address|answer)\b"
    rf"|\b(?:{_PAPER}|they|it)\s(?:do|does)(?:\snot|n't)\s{_SAY}\b"
    rf"|\bno\s{_EVIDENCE}\s(?:\w+\s){{0,2}}{_SAY}s?\b"
)
"""The same of the documents: what they do not say."""
_OF_EVIDENCE: Final = re.compile(rf"(?:\w+\s){{0,3}}(?:{_EVIDENCE}|{_PAPER})\b")
_CONTRAST: Final = re.compile(r";|\b(?:but|however|yet|although|though|while|whereas)\b")

MIN_CLAIM_WORDS: Final = 4
_MAX_BENEATH: Final = 20
"""Units under a heading or a lead-in whose sources may bear it out."""
_BEHIND: Final = "*_\"'”’) "
_PARTED: Final = re.compile(r"\n| [›>|/] ")
_PUNCTUATION: Final = frozenset(".,;:!?)")


MarkForm = Literal["id", "lookalike", "number"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation as it is written: `text == source[start:end]`.

    `ids` are the ids as written; a number is its whole mark (`[1]`). `mixed` says that the
    brackets hold other words besides (`[c_7f3akq2mxw4b, p. 3]`), or several numbers.
    """

    ids: tuple[str, ...]
    start: int
    end: int
    text: str
    form: MarkForm = "id"
    mixed: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that a draft states, without its marks, and the ids that stand behind it.

    `below` are the ids beneath a heading or a lead-in that has none itself: where their sources
    bear it out, it only says again what is cited.
    """

    text: str
    ids: tuple[str, ...]
    below: tuple[str, ...] = ()


def hedges(claim: Claim, question: str) -> bool:
    """Tell whether a claim only says that something is not known.

    It may hold no figure but the question's own.
    """
    said = _flat(claim.text)
    figures = {word for word in words(said) if any(map(str.isdigit, word))}
    if figures.difference(words(question.lower())) or not _hedged(said):
        return False
    return all(map(_states_nothing, _CONTRAST.split(said)))


def is_hedge(text: str) -> bool:
    """Tell whether a text says that something is not known, or not in the documents."""
    return _hedged(_flat(text))


def _flat(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").split())


def _hedged(said: str) -> bool:
    return any(hedge in said for hedge in HEDGES) or bool(_SAYS_NOTHING.search(said))


def _states_nothing(part: str) -> bool:
    """Say whether a part of a hedge speaks only of the evidence.

    Unlike it, "…, but you must pay" states something.
    """
    about = _hedged(part) or _OF_EVIDENCE.match(part.strip(" ,"))
    return bool(about) or not assertions.title_states(part)


@dataclass(frozen=True, slots=True)
class Known:
    """Hold what a draft may say again without stating it.

    That is the question, and the documents' headings.
    """

    asked: str
    headings: frozenset[str]

    @classmethod
    def of(cls, question: str, evidence: Iterable[EvidenceChunk]) -> "Known":
        """Collect them from a question and its evidence."""
        named = [
            name
            for chunk in evidence
            for name in (chunk.title, chunk.document, chunk.context, *chunk.place.headings)
        ]
        inside = [part for name in named for part in _PARTED.split(name)]
        return cls(_spoken(question), frozenset(map(_spoken, [*named, *inside])))


def _spoken(text: str) -> str:
    return " ".join(words(text.lower()))


def stated(draft: str, marks: Sequence[Mark], known: Known) -> list[Claim]:
    """Return what a draft states, in order, each with the ids of the marks that belong to it."""
    plain, places = _without(draft, marks)
    found = units(plain)
    owned = _owners(plain, found, places)
    ids = [
        tuple(dict.fromkeys(name for mark in owned.get(at, ()) for name in marks[mark].ids))
        for at in range(len(found))
    ]
    return [
        Claim(" ".join(unit.flat.split()), ids[at], () if ids[at] else _beneath(found, ids, at))
        for at, unit in enumerate(found)
        if _states(unit, known, cited=bool(ids[at]))
    ]


def _states(unit: Unit, known: Known, *, cited: bool) -> bool:
    """Say whether a unit states something. Where the draft cites a source for it, it does."""
    said = _spoken(unit.text)
    if not said or said == known.asked or unit.kind == "code":
        return bool(said) and cited and unit.kind == "code"
    if (unit.kind == "heading" or _leads(unit)) and said in known.headings:
        return False
    if unit.text.rstrip(_BEHIND).endswith("?"):
        return assertions.question_states(unit.text)
    if _leads(unit):
        return assertions.lead_states(unit.text)
    if unit.kind == "heading":
        return assertions.title_states(unit.text)
    return cited or says_enough(unit.text)


def _leads(unit: Unit) -> bool:
    return unit.text.rstrip(_BEHIND).endswith(":")


def says_enough(text: str) -> bool:
    """Tell whether a text has the words of a claim, or names a sum or an account: "Pay 5000 EUR"."""
    enough = len(words(text)) >= MIN_CLAIM_WORDS
    return enough or assertions.names_contact(text) or assertions.names_amount(text)


def _beneath(found: Sequence[Unit], ids: Sequence[tuple[str, ...]], at: int) -> tuple[str, ...]:
    """The ids under a heading, up to the next one, or under the lead-in of a list."""
    if found[at].kind != "heading" and not _leads(found[at]):
        return ()
    under = takewhile(lambda place: found[place].kind != "heading", range(at + 1, len(found)))
    named = (name for place in islice(under, _MAX_BENEATH) for name in ids[place])
    return tuple(dict.fromkeys(named))


def _without(draft: str, marks: Sequence[Mark]) -> tuple[str, list[int]]:
    """The draft without its marks, and where in it each of them stood."""
    pieces: list[str] = []
    places: list[int] = []
    length = cursor = 0
    for start, end in _spans(draft, marks):
        pieces.append(draft[cursor:start])
        length, cursor = length + start - cursor, end
        places.append(length)
    return "".join([*pieces, draft[cursor:]]), places


def _spans(draft: str, marks: Sequence[Mark]) -> list[tuple[int, int]]:
    """Return where the marks stand, with the blanks in front of those that punctuation follows.

    So `rose [c_...].` becomes `rose.`, which is the end of a sentence to anybody.
    """
    spans = []
    glued, following = False, len(draft)
    for mark in reversed(marks):
        gap = draft[mark.end : following]
        glued = gap[:1] in _PUNCTUATION or (glued and not gap.strip(" \t"))
        start = following = mark.start
        while glued and start > 0 and draft[start - 1] in " \t":
            start -= 1
        spans.append((start, mark.end))
    return spans[::-1]


def _owners(plain: str, found: Sequence[Unit], places: Sequence[int]) -> dict[int, list[int]]:
    """For each unit, by index, the marks that belong to it.

    A mark belongs to the sentence that it stands in or behind; in a draft that puts its marks in
    front of sentences, to the one behind it. On a line of its own it belongs to what stands
    above, and there to all rows of a table.
    """
    lines = _Lines(plain, found)
    leading = lines.marks_lead(places)
    owned: dict[int, list[int]] = {}
    for mark, place in enumerate(places):
        for owner in lines.owners(place, leading=leading):
            owned.setdefault(owner, []).append(mark)
    return owned


class _Lines:
    """Keep where units and line breaks stand in a text."""

    def __init__(self, text: str, found: Sequence[Unit]) -> None:
        self._breaks = [at for at, char in enumerate(text) if char == "\n"]
        self._starts = [unit.start for unit in found]
        self._found = found

    def _parted(self, start: int, end: int) -> bool:
        """Say whether a line break stands between two places."""
        return bisect_left(self._breaks, start) != bisect_left(self._breaks, end)

    def _around(self, place: int) -> tuple[Unit | None, Unit | None]:
        """The unit that begins before `place`, and the one that follows it, on the same line."""
        at = bisect_left(self._starts, place)
        before = self._found[at - 1] if at else None
        behind = self._found[at] if at < len(self._found) else None
        if before and place > before.end and self._parted(before.end, place):
            before = None
        if behind and self._parted(place, behind.start):
            behind = None
        return before, behind

    def marks_lead(self, places: Sequence[int]) -> bool:
        """Say whether marks begin lines and none ends one."""
        around = [self._around(place) for place in places]
        return any(before is None and behind for before, behind in around) and not any(
            before and behind is None and place >= before.end
            for place, (before, behind) in zip(places, around, strict=True)
        )

    def owners(self, place: int, *, leading: bool) -> Iterable[int]:
        """The units, by index, that a mark at `place` belongs to."""
        before, behind = self._around(place)
        at = bisect_left(self._starts, place)
        if behind and (before is None or (leading and place >= before.end)):
            return (at,)
        if at == 0:
            return ()
        if before is None and self._found[at - 1].kind == "table_row":
            return self._table(at - 1)
        return (at - 1,)

    def _table(self, last: int) -> Iterable[int]:
        first = last
        while first > 0 and self._found[first - 1].kind == "table_row":
            first -= 1
        return range(first, last + 1)
