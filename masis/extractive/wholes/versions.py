"""Tell what differs between two versions of a document: what was said, what is said now, each with its source.

Pure. Statements are held against those under the same heading, rows against those of the same name.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz import fuzz

from masis.domain import EvidenceChunk
from masis.extractive.selection import is_front_matter
from masis.extractive.wholes.collections import CODE, cells_of
from masis.extractive.wholes.values import WholeLine
from masis.retrieval.extraction import Passage, of_chunk
from masis.text.lexical import terms

MOST_CHANGES: Final = 40
MOST_TOGETHER: Final = 5_000
"""Characters of all changes that are shown."""
MOST_STATEMENTS: Final = 400
"""Of each version that are compared, each with each of the other's under like headings."""
ALIKE: Final = 55
"""From this likeness on they speak of the same thing."""
ALIKE_ELSEWHERE: Final = 68
ALIKE_SUBJECT: Final = 35
"""Under one heading, where both begin with the same words."""
SUBJECT: Final = 2
"""Terms that tell what a statement begins with."""
MOST_CHARS: Final = 220
_FIGURE: Final = re.compile(r"\d[\d,.:]*")
_NUMBERING: Final = re.compile(
    r"^(?:\d{1,2}(?:\.\d{1,2})+\.?|\d{1,2}[.)]|\([a-z]\)|[a-z]\))\s+|^\d{1,2}\s+(?=[A-Z][a-z]+\b[^.]*$)"
)
_RULES: Final = re.compile(
    r"\b(?:must|may|no longer|not|no|only|at most|at least|up to|within|before|after|can|cannot|required?|needs?|days?|weeks?|hours?)\b",
    re.IGNORECASE,
)
_OF_ITSELF: Final = re.compile(
    r"\b(?:purpose|aim|why|what has changed|introduction|open points|actions|history|scope|definitions|words|feedback|review)\b",
    re.IGNORECASE,
)
"""What stands under such a heading is about the document."""
_WORD: Final = re.compile(r"\w+")
_VERSION: Final = re.compile(
    r"\b(?:version|supersedes|replaces|owner|approved by|effective|valid from|issued|review date|document)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Told:
    """A statement of one version, as it is compared."""

    passage: Passage
    heading: str
    plain: str
    name: str

    @property
    def subject(self) -> tuple[str, ...]:
        """Return the terms that it begins with; none of a row."""
        said = terms(self.plain)
        is_row = self.passage.unit.kind == "table_row"
        return () if is_row or len(said) <= SUBJECT else tuple(said[:SUBJECT])

    @property
    def text(self) -> str:
        """Return its words without the number of its clause."""
        plain = _NUMBERING.sub("", self.passage.text).replace("**", "").strip(" |")
        return plain.replace(" | ", "; ")


@dataclass(frozen=True, slots=True)
class Change:
    """What one statement became; one of the two is None where it is new or gone."""

    old: Told | None
    new: Told | None

    @property
    def moved_figure(self) -> bool:
        """Return whether a figure is another one."""
        if self.old is None or self.new is None:
            return False
        return sorted(_FIGURE.findall(self.old.text)) != sorted(_FIGURE.findall(self.new.text))


def changes(old: Sequence[EvidenceChunk], new: Sequence[EvidenceChunk]) -> list[Change]:
    """Return what differs, in the order of the new version; what is gone stands last."""
    before, after = _told(old), _told(new)
    matched = _matched(before, after)
    found: list[Change] = []
    for told in after:
        other = matched.get(told.passage.key)
        if other is None:
            found.append(Change(None, told))
        elif other.plain != told.plain:
            found.append(Change(other, told))
    kept = {each.passage.key for each in matched.values()}
    found += [Change(told, None) for told in before if told.passage.key not in kept]
    return found


def lines(found: Sequence[Change], subject: Sequence[str]) -> list[WholeLine]:
    """Return the changes as lines: on the subject where one is named, those of figures first."""
    if subject:
        found = [each for each in found if _is_on(each, subject)]
    left = [each for each in found if not _is_of_itself(each)]
    found = left or found
    both = [each for each in found if each.old and each.new]
    ordered = [
        *(each for each in both if each.moved_figure),
        *(each for each in both if not each.moved_figure),
        *sorted(
            (each for each in found if not (each.old and each.new)), key=_telling, reverse=True
        ),
    ]
    return [_line(each) for each in ordered]


def _is_of_itself(change: Change) -> bool:
    """Say whether a statement that is new or gone only tells what the document is and replaces."""
    told = change.new or change.old
    if told is None or (change.old and change.new):
        return False
    return bool(_REPLACES.search(told.text) or _CHANGES.search(told.passage.heading))


_REPLACES: Final = re.compile(r"\b(?:supersed\w+|replaces|replaced by)\b", re.IGNORECASE)
_CHANGES: Final = re.compile(r"\bwhat (?:has )?changed\b|\bchange (?:log|history)\b", re.IGNORECASE)


def _telling(change: Change) -> float:
    """How much a statement that is new or gone tells: figures and rules, for its length."""
    told = change.new or change.old
    assert told is not None  # noqa: S101 - one of the two is there
    if _OF_ITSELF.search(told.passage.heading):
        return -1.0
    said = 2 * len(_FIGURE.findall(told.text)) + 2 * bool(_RULES.search(told.text))
    return said / (12 + len(told.plain.split()))


def _told(chunks: Sequence[EvidenceChunk]) -> list[Told]:
    found: dict[str, Told] = {}
    for chunk in chunks:
        for passage in of_chunk(chunk):
            if is_front_matter(passage.text) and _VERSION.search(passage.text):
                continue
            told = _as_told(passage)
            if told.plain:
                found.setdefault(f"{told.heading}|{told.plain}", told)
    return list(found.values())[:MOST_STATEMENTS]


def _as_told(passage: Passage) -> Told:
    heading = _NUMBERING.sub("", passage.heading)
    text = _NUMBERING.sub("", passage.text)
    cells = cells_of(passage.text) if passage.unit.kind == "table_row" else ()
    return Told(
        passage,
        " ".join(terms(heading)),
        " ".join(_WORD.findall(text.lower())),
        _name(cells),
    )


def _name(cells: Sequence[tuple[str, str]]) -> str:
    """What a row is about; a row that has a number alone is about what stands behind that."""
    named = next((value for _, value in cells if not CODE.fullmatch(value)), "")
    return " ".join(terms(named))


def _matched(before: Sequence[Told], after: Sequence[Told]) -> dict[tuple[str, int], Told]:
    """For each statement of the new version the one of the old that speaks of the same, each used once."""
    found: dict[tuple[str, int], Told] = {}
    used: set[tuple[str, int]] = set()
    pairs = sorted(
        ((likeness, a, b) for b in after for a in before if (likeness := _likeness(a, b))),
        key=lambda each: -each[0],
    )
    for _, a, b in pairs:
        if b.passage.key not in found and a.passage.key not in used:
            found[b.passage.key] = a
            used.add(a.passage.key)
    return found


def _likeness(a: Told, b: Told) -> float:
    """How alike two statements are; 0 where they do not speak of the same."""
    if a.passage.unit.kind == b.passage.unit.kind == "table_row" and a.name and b.name:
        return 100.0 if a.name == b.name and _same_columns(a, b) else 0.0
    if a.plain == b.plain:
        return 101.0 if a.heading == b.heading else 100.0
    least = ALIKE if a.heading == b.heading else ALIKE_ELSEWHERE
    if a.heading == b.heading and a.subject and a.subject == b.subject:
        least = ALIKE_SUBJECT
    alike = fuzz.token_sort_ratio(
        _FIGURE.sub("#", a.plain), _FIGURE.sub("#", b.plain), score_cutoff=least
    )
    return alike + (2 if alike and a.heading == b.heading else 0)


def _same_columns(a: Told, b: Told) -> bool:
    ours, theirs = ({c for c, _ in cells_of(t.passage.text)} for t in (a, b))
    return bool(ours & theirs)


def _is_on(change: Change, subject: Sequence[str]) -> bool:
    said = {
        term
        for told in (change.old, change.new)
        if told
        for term in terms(f"{told.passage.chunk.context} {told.passage.heading} {told.text}")
    }
    return said.issuperset(subject)


def _line(change: Change) -> WholeLine:
    old, new = change.old, change.new
    told = new or old
    assert told is not None  # noqa: S101 - one of the two is there
    ids = [each.passage.chunk.chunk_id for each in (old, new) if each]
    if old and new:
        if cells := _cells(old, new):
            return WholeLine(text=cells, ids=ids)
        lead = _heading(told)
        return WholeLine(text=f"{lead}was: “{_cut(old.text)}”; now: “{_cut(new.text)}”", ids=ids)
    word = "new" if new else "no longer there"
    return WholeLine(text=f"{_heading(told)}{word}: “{_cut(told.text)}”", ids=ids)


def _cells(old: Told, new: Told) -> str:
    """Two rows of one name by the cells that differ: "Meals – Limit: £30 → £34"."""
    before, after = (dict(cells_of(t.passage.text)) for t in (old, new))
    if not (old.name and new.name) or set(before) == {""}:
        return ""
    moved = [
        f"{column}: {before.get(column, '–')} → {after.get(column, '–')}"
        for column in dict.fromkeys([*after, *before])
        if column and before.get(column) != after.get(column)
    ]
    name = next((v for _, v in cells_of(new.passage.text) if not CODE.fullmatch(v)), "")
    return f"{name} – {'; '.join(moved)}" if moved else ""


def _heading(told: Told) -> str:
    heading = _NUMBERING.sub("", told.passage.heading).rstrip(":")
    return f"{heading} – " if heading else ""


def _cut(text: str) -> str:
    flat = text.rstrip(".;")
    if len(flat) <= MOST_CHARS:
        return flat
    return f"{flat[:MOST_CHARS].rsplit(' ', 1)[0]}…"
