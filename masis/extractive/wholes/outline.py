"""Outline a document: of each of its parts the leading sentence, and the one with most figures in it.

Pure. A document without headings is parted by its chunks, and one without sentences by its rows.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Final, NamedTuple

from masis.domain import EvidenceChunk
from masis.extractive.selection import is_front_matter
from masis.extractive.wholes.collections import DOCUMENT_HEAD, Row, cells_of
from masis.extractive.wholes.values import WholeLine
from masis.retrieval.extraction import Passage, of_chunk, says_nothing
from masis.text.lexical import terms

MOST_PARTS: Final = 14
MOST_CHARS: Final = 3_000
"""Of an outline: a page that is read in a minute."""
MOST_STATEMENT: Final = 320
MOST_OF_PART: Final = 4
"""Statements of one part."""
FEW_PARTS: Final = 5
"""So few parts are told in more statements each."""
LEAST_PARTS: Final = 3
SLIDE: Final = "slide "
PROMISED: Final = 1.0
"""What stands under a heading that promises a summary tells more than all else."""
ROWS: Final = 0.3
TOTAL: Final = 0.4
"""How much the names of a table's rows tell, and its total, beside sentences."""
LEANS: Final = 0.2
"""How much less a statement tells that needs the one before it."""
MOST_NAMES: Final = 300
"""Characters of the names of a table's rows."""
_SUMMARY: Final = re.compile(
    r"\b(?:summary|in (?:short|brief|a nutshell)|overview|highlights|key (?:points|messages|figures|facts)|main points|at a glance)\b",
    re.IGNORECASE,
)
_ABOUT_ITSELF: Final = re.compile(
    r"^(?:purpose|aim|why we have|what this|about this|introduction|agenda|contents|table of contents|scope|history|version|change log|open points"
    r"|definitions|words|glossary|related|references|see also|distribution|questions|contact"
    r"|changes to (?:this|the) (?:document|report|policy|paper|guide|plan)|(?:document|revision|change) (?:history|control))\b",
    re.IGNORECASE,
)
_FIGURES: Final = re.compile(r"[£$€]\s?\d[\d,.]*|\d[\d,.]*\s?%|\b\d[\d,.:]*\b")
_TOTAL: Final = re.compile(
    r"\b(?:total|overall|sum|altogether|surplus|deficit|profit|result|balance)\b", re.IGNORECASE
)
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][\w'’-]+")
_DECIDES: Final = re.compile(
    r"\b(?:agreed|decided|approved|decision|chose|resolved|must|at most|up to|no longer|from \d|deadline|limit|within)\b",
    re.IGNORECASE,
)
_HEAD: Final = re.compile(
    r"^(?:present|apologies|attendees|attending|in attendance|absent|chair|minutes|secretary|distribution|copies to|version|owner|date|"
    r"approved by|author|next review|status|classification|document no)\b[^.]{0,40}[:|]",
    re.IGNORECASE,
)
_NUMBERING: Final = re.compile(
    r"^(?:\d{1,2}(?:\.\d{1,2})+\.?|\d{1,2}[.)])\s+(?=[^\W\d_])|^\d{1,2}\s+(?=[A-Z][a-z]+\b[^.]*$)"
)


class Told(NamedTuple):
    """Something that an outline may tell of a part: its words, where they stand, and how much they tell."""

    text: str
    chunk_id: str
    place: tuple[int, int]
    telling: float
    leans: bool = False


@dataclass
class Part:
    """A part of a document: its heading, and what stands under it in reading order."""

    title: str
    passages: list[Passage] = field(default_factory=list)

    @cached_property
    def told(self) -> list[Told]:
        """Return what it may be told by: its statements, and of tables what their rows are about."""
        plain = [p for p in self.passages if p.unit.kind != "table_row" and _may_stand(p)]
        rows = [p for p in self.passages if p.unit.kind == "table_row" and not _is_head(p)]
        found = [_statement(p) for p in plain]
        totals = [p for p in rows if _TOTAL.search(p.text)][:2]
        return sorted([*found, *map(_row, totals), *_names(rows)], key=lambda told: told.place)

    @cached_property
    def lead(self) -> Told:
        """Return the first statement that needs none before it; a sentence, where there is one."""
        sentences = {_place(p) for p in self.passages if p.unit.kind == "sentence"}
        first = [told for told in self.told if told.place in sentences] or self.told
        return next((told for told in first if not told.leans), first[0])


def parts(chunks: Sequence[EvidenceChunk]) -> list[Part]:
    """Return the parts of a document by its headings, few enough to be told one by one."""
    passages = [passage for chunk in chunks for passage in of_chunk(chunk)]
    for depth in (9, 2, 1):
        found = _parted(passages, depth)
        if len(found) <= MOST_PARTS:
            break
    return found


def outlined(chunks: Sequence[EvidenceChunk]) -> tuple[list[WholeLine], int]:
    """Return the lines of an outline, and how many parts the document has.

    Each part is told by the statement that leads it; what tells most of all others fills the page.
    """
    found = _worth_telling([part for part in parts(chunks) if part.told])
    shown = found[:MOST_PARTS]
    chosen = [{part.lead} for part in shown]
    room = MOST_CHARS - sum(len(part.lead.text) for part in shown)
    most = MOST_OF_PART if len(shown) > FEW_PARTS else MOST_OF_PART * 2
    for at, told in _others(shown):
        is_promised = _SUMMARY.search(shown[at].title) is not None
        if len(told.text) <= room and (len(chosen[at]) < most or is_promised):
            chosen[at].add(told)
            room -= len(told.text)
    lines = [line for part, own in zip(shown, chosen, strict=True) for line in _lines(part, own)]
    return lines, len(found)


def _worth_telling(found: Sequence[Part]) -> list[Part]:
    """Without what only says of a document what it is for, or which parts follow, where there is enough else."""
    left = [
        part
        for part in found
        if not (_ABOUT_ITSELF.search(part.title) or DOCUMENT_HEAD.match(part.title))
    ]
    left = [p for n, p in enumerate(left) if p.title or n or not any(each.title for each in left)]
    return left if len(left) >= LEAST_PARTS else list(found)


def _others(shown: Sequence[Part]) -> list[tuple[int, Told]]:
    """What else there is to tell, what tells most first."""
    found = [
        (told.telling + (PROMISED if _SUMMARY.search(part.title) else 0.0), at, told)
        for at, part in enumerate(shown)
        for told in part.told
        if told is not part.lead
    ]
    found.sort(key=lambda each: -each[0])
    return [(at, told) for _, at, told in found]


def _may_stand(passage: Passage) -> bool:
    is_sentence = passage.unit.kind == "sentence"
    return (
        not _is_head(passage)
        and len(passage.text) <= MOST_STATEMENT
        and passage.text[-1:] != "?"
        and not (is_sentence and says_nothing(passage.text))
    )


def _parted(passages: Sequence[Passage], depth: int) -> list[Part]:
    found: list[Part] = []
    open_key: tuple[str, ...] | None = None
    for passage in passages:
        place = passage.chunk.place
        path = ([place.sheet] if place.sheet else []) + place.headings
        inner = [passage.heading] if passage.heading and passage.heading not in path else []
        slide = [f"{SLIDE}{place.slide}"] if place.slide else []
        key = tuple([*path, *inner][:depth] or slide)
        if key != open_key:
            found.append(Part(_title(key)))
            open_key = key
        found[-1].passages.append(passage)
    return _by_chunk(found[0]) if len(found) == 1 and not found[0].title else found


def _title(key: Sequence[str]) -> str:
    named = key[-1] if key else ""
    return "" if named.startswith(SLIDE) else _NUMBERING.sub("", named).rstrip(":")


def _by_chunk(part: Part) -> list[Part]:
    by_chunk: dict[str, Part] = {}
    for passage in part.passages:
        by_chunk.setdefault(passage.chunk.chunk_id, Part("")).passages.append(passage)
    return [*by_chunk.values()]


def _is_head(passage: Passage) -> bool:
    return _HEAD.match(passage.text) is not None or is_front_matter(passage.text)


def _place(passage: Passage) -> tuple[int, int]:
    return passage.chunk.position, passage.index


def _statement(passage: Passage) -> Told:
    is_sentence = passage.unit.kind == "sentence"
    text = _NUMBERING.sub("", passage.text) if is_sentence else passage.text
    return _point(passage, text, _telling(text) - (LEANS if passage.dangling else 0.0))


def _row(passage: Passage) -> Told:
    return _point(passage, "; ".join(passage.text.strip("| ").split(" | ")), TOTAL)


def _names(rows: Sequence[Passage]) -> list[Told]:
    """The rows of a part with as many of their cells as there is room for, for each chunk that holds some."""
    found = []
    for _, group in groupby(rows, key=lambda p: p.chunk.chunk_id):
        own = list(group)
        found.append(_point(own[0], _shortest(own), ROWS))
    return found


def _shortest(rows: Sequence[Passage]) -> str:
    """Rows by their names and cells, else by their names alone, cut where even those are many."""
    read = [Row(p.text, p.chunk, cells_of(p.text)) for p in rows]
    for most in (3, 2, 1, 0):
        told = [_row_in_short(row, most) for row in read]
        text = "; ".join(dict.fromkeys(told))
        if len(text) <= MOST_NAMES:
            return text
    return f"{text[:MOST_NAMES].rsplit('; ', 1)[0]} …"


def _row_in_short(row: Row, most: int) -> str:
    values = [value for _, value in row.cells if value != row.name][:most]
    return f"{row.name} ({', '.join(values)})" if values else row.name


def _point(passage: Passage, text: str, telling: float) -> Told:
    plain = text.replace("**", "").strip(" *")
    whole = plain if plain[-1:] in ".!?" else f"{plain}."
    return Told(whole, passage.chunk.chunk_id, _place(passage), telling, passage.dangling)


def _lines(part: Part, chosen: Collection[Told]) -> list[WholeLine]:
    """The chosen statements of a part in reading order, under its title; one line a source."""
    said: dict[str, list[str]] = {}
    for told in part.told:
        if told in chosen:
            said.setdefault(told.chunk_id, []).append(told.text)
    lines = []
    for at, (chunk_id, texts) in enumerate(said.items()):
        lead = f"{part.title} – " if part.title and not at else ""
        lines.append(WholeLine(text=f"{lead}{' '.join(texts)}", ids=[chunk_id]))
    return lines


def _telling(text: str) -> float:
    """How much a statement tells: figures, names and decisions, for its length."""
    said = 2 * len(_FIGURES.findall(text)) + len(_NAME.findall(text))
    return (said + 3 * bool(_DECIDES.search(text))) / (12 + len(terms(text)))
