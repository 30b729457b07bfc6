"""Outline a document: of each of its parts the leading sentence, and the one with most figures in it.

Pure. A document without headings is parted by its chunks, and one without sentences by its rows.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from masis.domain import EvidenceChunk
from masis.extractive.selection import is_front_matter
from masis.extractive.wholes.values import WholeLine
from masis.retrieval.extraction import Passage, of_chunk, says_nothing
from masis.text.lexical import terms

MOST_PARTS: Final = 14
MOST_CHARS: Final = 2_600
"""Of an outline: a page that is read in a minute."""
MOST_STATEMENT: Final = 320
MOST_OF_PART: Final = 3
"""Statements of one part."""
FEW_PARTS: Final = 5
"""So few parts are told in more statements each."""
_FIGURES: Final = re.compile(r"[£$€]\s?\d[\d,.]*|\d[\d,.]*\s?%|\b\d[\d,.:]*\b")
_TOTAL: Final = re.compile(r"\b(?:total|overall|sum|altogether)\b", re.IGNORECASE)
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][\w'’-]+")
_DECIDES: Final = re.compile(
    r"\b(?:agreed|decided|approved|decision|chose|resolved|must|at most|up to|no longer|from \d|deadline|limit|within)\b", re.IGNORECASE
)
_HEAD: Final = re.compile(
    r"^(?:present|apologies|attendees|attending|in attendance|absent|chair|minutes|secretary|distribution|copies to|version|owner|date|"
    r"approved by|author|next review|status|classification|document no)\b[^.]{0,40}[:|]",
    re.IGNORECASE,
)
_NUMBERING: Final = re.compile(r"^\d{1,2}(?:\.\d{1,2})*[.)]?\s+")


@dataclass
class Part:
    """A part of a document: its heading, and what stands under it in reading order."""

    title: str
    told: list[Passage] = field(default_factory=list)


def parts(chunks: Sequence[EvidenceChunk]) -> list[Part]:
    """Return the parts of a document by its headings, few enough to be told one by one."""
    passages = [passage for chunk in chunks for passage in of_chunk(chunk)]
    for depth in (9, 2, 1):
        found = _parted(passages, depth)
        if len(found) <= MOST_PARTS:
            break
    return found


def outlined(chunks: Sequence[EvidenceChunk]) -> tuple[list[WholeLine], int]:
    """Return the lines of an outline, and how many parts the document has."""
    found = [part for part in parts(chunks) if _statements(part)]
    shown = found[:MOST_PARTS]
    most = MOST_OF_PART if len(shown) > FEW_PARTS else MOST_OF_PART * 2
    for count in range(most, 0, -1):
        lines = [line for part in shown for line in _lines(part, count)]
        if sum(len(line.text) for line in lines) <= MOST_CHARS:
            break
    return lines, len(found)


def _parted(passages: Sequence[Passage], depth: int) -> list[Part]:
    found: list[Part] = []
    open_key: tuple[str, ...] | None = None
    for passage in passages:
        path = passage.chunk.place.headings
        inner = () if passage.heading in path or not passage.heading else (passage.heading,)
        slide = passage.chunk.place.slide
        sheet = passage.chunk.place.sheet
        whole = (*([sheet] if sheet else []), *path, *inner)
        key = whole[:depth] or ((f"slide {slide}",) if slide else ())
        if key != open_key:
            found.append(Part(_title(key)))
            open_key = key
        found[-1].told.append(passage)
    if len(found) == 1 and not found[0].title:
        return _by_chunk(found[0])
    return found


def _title(key: Sequence[str]) -> str:
    return _NUMBERING.sub("", key[-1]).rstrip(":") if key else ""


def _by_chunk(part: Part) -> list[Part]:
    by_chunk: dict[str, Part] = {}
    for passage in part.told:
        by_chunk.setdefault(passage.chunk.chunk_id, Part("")).told.append(passage)
    return [*by_chunk.values()]


def _statements(part: Part) -> list[Passage]:
    """What of a part tells something: its sentences, else its items, else its rows."""
    told = [p for p in part.told if not _is_head(p) and len(p.text) <= MOST_STATEMENT]
    sentences = [
        p for p in told if p.unit.kind == "sentence" and not says_nothing(p.text) and p.text[-1:] != "?"
    ]
    return sentences or [p for p in told if p.unit.kind != "sentence"]


def _is_head(passage: Passage) -> bool:
    return _HEAD.match(passage.text) is not None or is_front_matter(passage.text)


def _lines(part: Part, count: int) -> list[WholeLine]:
    """The leading statement of a part with the most telling ones, in reading order; one line a source."""
    chosen = _chosen(part, count)
    said: dict[str, list[str]] = {}
    for passage in chosen:
        said.setdefault(passage.chunk.chunk_id, []).append(_worded(passage))
    lines = []
    for at, (chunk_id, texts) in enumerate(said.items()):
        lead = f"{part.title} – " if part.title and not at else ""
        lines.append(WholeLine(text=f"{lead}{' '.join(texts)}", ids=[chunk_id]))
    return lines


def _chosen(part: Part, count: int) -> list[Passage]:
    told = _statements(part)
    rows = [p for p in part.told if p not in told and p.unit.kind == "table_row"]
    totals = [p for p in rows if _TOTAL.search(p.text)][:1]
    lead = next((p for p in told if not p.dangling), told[0])
    others = sorted((p for p in told if p is not lead), key=_telling, reverse=True)
    items = [
        p for p in part.told if p not in told and p.unit.kind == "list_item" and not _is_head(p)
    ]
    more = [*others, *items, *rows[:2]]
    chosen = {p.key: p for p in [lead, *(totals if count > 1 else []), *more][:count]}
    return [p for p in part.told if p.key in chosen]


def _telling(passage: Passage) -> float:
    """How much a statement tells: figures, names and decisions, for its length."""
    text = passage.text
    told = 2 * len(_FIGURES.findall(text)) + len(_NAME.findall(text)) + 3 * bool(_DECIDES.search(text))
    return told / (12 + len(terms(text))) - (0.2 if passage.dangling else 0.0)


def _worded(passage: Passage) -> str:
    text = _NUMBERING.sub("", passage.text) if passage.unit.kind == "sentence" else passage.text
    if passage.unit.kind == "table_row":
        text = "; ".join(text.strip("| ").split(" | "))
    text = text.replace("**", "").strip(" *")
    return text if text[-1:] in ".!?" else f"{text}."
