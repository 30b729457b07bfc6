"""Outline a document: of each of its parts the leading sentence, and the one with most figures in it.

Pure. A document without headings is parted by its chunks, and one without sentences by its rows.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from masis.domain import EvidenceChunk
from masis.extractive.selection import is_front_matter
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
ROW: Final = 0.22
TOTAL: Final = 0.4
"""How much a row of a table tells, and one with a total more, beside sentences."""
_SUMMARY: Final = re.compile(
    r"\b(?:summary|in (?:short|brief|a nutshell)|overview|highlights|key (?:points|messages|figures|facts)|main points|at a glance)\b",
    re.IGNORECASE,
)
_ABOUT_ITSELF: Final = re.compile(
    r"^(?:purpose|aim|why we have|what this|about this|introduction|agenda|contents|table of contents|scope|history|version|change log|open points"
    r"|definitions|words|glossary|related|references|see also|distribution|questions|contact)\b",
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
    r"^(?:\d{1,2}(?:\.\d{1,2})+\.?|\d{1,2}[.)])\s+(?=\S)|^\d{1,2}\s+(?=[A-Z][a-z]+\b[^.]*$)"
)


@dataclass
class Part:
    """A part of a document: its heading, and what stands under it in reading order."""

    title: str
    told: list[Passage] = field(default_factory=list)

    @cached_property
    def lead(self) -> Passage:
        """Return the first statement that needs none before it."""
        told = _statements(self)
        return next((p for p in told if not p.dangling), told[0])


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
    found = _worth_telling([part for part in parts(chunks) if _statements(part)])
    shown = found[:MOST_PARTS]
    chosen = {part.lead.key: part.lead for part in shown}
    room = MOST_CHARS - sum(len(p.text) for p in chosen.values())
    counts = [1] * len(shown)
    most = MOST_OF_PART if len(shown) > FEW_PARTS else MOST_OF_PART * 2
    for at, passage in _others(shown):
        is_promised = _SUMMARY.search(shown[at].title) is not None
        if len(passage.text) > room or (counts[at] >= most and not is_promised):
            continue
        if passage.key not in chosen:
            chosen[passage.key] = passage
            room -= len(passage.text)
            counts[at] += 1
    return [line for part in shown for line in _lines(part, chosen)], len(found)


def _worth_telling(found: Sequence[Part]) -> list[Part]:
    """Without what only says of a document what it is for, or which parts follow, where there is enough else."""
    left = [part for part in found if not _ABOUT_ITSELF.search(part.title)]
    left = [p for n, p in enumerate(left) if p.title or n or not any(each.title for each in left)]
    return left if len(left) >= LEAST_PARTS else list(found)


def _others(shown: Sequence[Part]) -> list[tuple[int, Passage]]:
    """What else there is to tell, what tells most first."""
    found = [
        (_telling(p) + (PROMISED if _SUMMARY.search(part.title) else 0.0), at, p)
        for at, part in enumerate(shown)
        for p in part.told
        if p is not part.lead and _may_stand(p)
    ]
    found.sort(key=lambda each: -each[0])
    return [(at, passage) for _, at, passage in found]


def _may_stand(passage: Passage) -> bool:
    return (
        not _is_head(passage)
        and len(passage.text) <= MOST_STATEMENT
        and passage.text[-1:] != "?"
        and not (passage.unit.kind == "sentence" and says_nothing(passage.text))
    )


def _parted(passages: Sequence[Passage], depth: int) -> list[Part]:
    found: list[Part] = []
    open_key: tuple[str, ...] | None = None
    for passage in passages:
        path = passage.chunk.place.headings
        inner = () if passage.heading in path or not passage.heading else (passage.heading,)
        slide = passage.chunk.place.slide
        sheet = passage.chunk.place.sheet
        whole = (*([sheet] if sheet else []), *path, *inner)
        key = whole[:depth] or ((f"{SLIDE}{slide}",) if slide else ())
        if key != open_key:
            found.append(Part(_title(key)))
            open_key = key
        found[-1].told.append(passage)
    if len(found) == 1 and not found[0].title:
        return _by_chunk(found[0])
    return found


def _title(key: Sequence[str]) -> str:
    named = key[-1] if key else ""
    return "" if named.startswith(SLIDE) else _NUMBERING.sub("", named).rstrip(":")


def _by_chunk(part: Part) -> list[Part]:
    by_chunk: dict[str, Part] = {}
    for passage in part.told:
        by_chunk.setdefault(passage.chunk.chunk_id, Part("")).told.append(passage)
    return [*by_chunk.values()]


def _statements(part: Part) -> list[Passage]:
    """What of a part tells something: its sentences, else its items, else its rows."""
    told = [p for p in part.told if not _is_head(p) and len(p.text) <= MOST_STATEMENT]
    sentences = [
        p
        for p in told
        if p.unit.kind == "sentence" and not says_nothing(p.text) and p.text[-1:] != "?"
    ]
    return sentences or [p for p in told if p.unit.kind != "sentence"]


def _is_head(passage: Passage) -> bool:
    return _HEAD.match(passage.text) is not None or is_front_matter(passage.text)


def _lines(part: Part, chosen: Mapping[tuple[str, int], Passage]) -> list[WholeLine]:
    """The chosen statements of a part in reading order, under its title; one line a source."""
    said: dict[str, list[str]] = {}
    for passage in part.told:
        if passage.key in chosen:
            said.setdefault(passage.chunk.chunk_id, []).append(_worded(passage))
    lines = []
    for at, (chunk_id, texts) in enumerate(said.items()):
        lead = f"{part.title} – " if part.title and not at else ""
        lines.append(WholeLine(text=f"{lead}{' '.join(texts)}", ids=[chunk_id]))
    return lines


def _telling(passage: Passage) -> float:
    """How much a statement tells: figures, names and decisions, for its length."""
    text = passage.text
    told = (
        2 * len(_FIGURES.findall(text)) + len(_NAME.findall(text)) + 3 * bool(_DECIDES.search(text))
    )
    return told / (12 + len(terms(text))) - (0.2 if passage.dangling else 0.0)


def _worded(passage: Passage) -> str:
    text = _NUMBERING.sub("", passage.text) if passage.unit.kind == "sentence" else passage.text
    if passage.unit.kind == "table_row":
        text = "; ".join(text.strip("| ").split(" | "))
    text = text.replace("**", "").strip(" *")
    return text if text[-1:] in ".!?" else f"{text}."
