"""Read the lists of a document out of its chunks: tables, bullets, lines of a name and a role.

Pure. Rows of one table and items of one list stay together over the borders of chunks.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from masis.domain import EvidenceChunk
from masis.retrieval.extraction import is_numbered_heading
from masis.text.sentences import Unit, units

DOCUMENT_HEAD: Final = re.compile(
    r"(?:document|owner|date|version|class|status|effective|approved|author|company|held|present|apologies|in attendance"
    r"|attending|minutes|next review|valid|prepared|source|currency|reviewed|scope|readers|applies|title|page|to|from|cc|subject|place|time)\b[^:]{0,30}:",
    re.IGNORECASE,
)
"""How a line begins in which a document says of itself what it is, whose and of when."""
LEAST_ROWS: Final = 2
LEAST_NAMED: Final = 3
"""Names that a sentence lists."""
MOST_NAME: Final = 120
MOST_COLUMN: Final = 60
MOST_LINE: Final = 200
MOST_SENTENCE: Final = 600
MOST_ITEM: Final = 60
"""Characters of an item on average: longer ones are clauses."""

_LINE: Final = re.compile(
    r"(?P<name>[^\s–—:|][^–—:|]{1,60}?)(?:\s+[–—-]\s+|:\s+|\s?,\s(?=[a-z]))(?P<rest>\S.{1,160})"
)
_MARKS: Final = re.compile(r"^[\s*_#>-]+|\*\*|[\s*_]+$")
_LISTED: Final = re.compile(r"^(?P<label>[^:]{2,80}):\s(?P<items>.+)$", re.DOTALL)
_PARTED: Final = re.compile(r",\s+(?:and\s+|or\s+)?|;\s+|\s+and\s+(?=[^,;]+$)")
CODE: Final = re.compile(r"#?(?:[A-Z]{1,4}[-/ ]?)?\d[\d/ -]{0,8}[a-z]?")
"""What numbers a row and names nothing: "3", "C-105", "T1001"."""
FIGURE: Final = re.compile(
    r"[£$€]?\s?[\d.,:/ -]+\s?(?:%|[A-Z]{3}|[a-z]{1,3})?|[A-Z]{0,4}-?\d[\d-]*"
)
"""A date, a figure, a sum or a code: it tells of a thing and names none."""
_NUMBERED: Final = re.compile(r"^\d{1,2}(?:\.\d{1,2})*\.?\s+")

CollectionKind = Literal["table", "list", "lines", "sentence"]


@dataclass(frozen=True, slots=True)
class Row:
    """One row or item: its cells by column where it has some, and its text as it stands there."""

    text: str
    chunk: EvidenceChunk
    cells: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """Return what it is about: its first cell, or what stands before a dash or colon."""
        if self.cells:
            first, *others = (value for _, value in self.cells)
            is_number = CODE.fullmatch(first) and others and not FIGURE.fullmatch(others[0])
            return others[0] if is_number else first
        found = _LINE.fullmatch(self.text)
        return (found["name"] if found else self.text)[:MOST_NAME]


@dataclass
class Collection:
    """Rows that belong together, and the words over them; `intro` is the sentence right before."""

    kind: CollectionKind
    heading: str
    lead: str
    intro: str
    chunk: EvidenceChunk
    rows: list[Row] = field(default_factory=list)

    @cached_property
    def columns(self) -> list[str]:
        """Return the columns in the order in which rows have them."""
        return list(dict.fromkeys(column for row in self.rows for column, _ in row.cells if column))

    @property
    def naming_column(self) -> str:
        """Return the column that names the rows: the first that holds no codes; empty without any."""
        row = self.rows[0]
        return next((column for column, value in row.cells if value == row.name), "")

    @property
    def label(self) -> str:
        """Return what people call it: its lead-in, heading or sheet; empty where it has none."""
        lead = _NUMBERED.sub("", self.lead.rstrip(": "))
        if lead and len(lead) <= MOST_NAME:
            return lead
        return _NUMBERED.sub("", self.heading) or self.chunk.place.sheet or ""


def collections(chunks: Sequence[EvidenceChunk]) -> list[Collection]:
    """Return what a document lists, in reading order; `chunks` are its own, in order."""
    reader = _Reader()
    for chunk in chunks:
        reader.read(chunk)
    least = {"sentence": 1}
    return [
        each
        for each in reader.found
        if len(each.rows) >= least.get(each.kind, LEAST_ROWS) and not _is_head(each)
    ]


def _is_head(one: Collection) -> bool:
    """Say whether the rows are what a document says of itself: its owner, date, version, who was there."""
    heads = sum(DOCUMENT_HEAD.match(row.text) is not None for row in one.rows)
    return one.kind != "table" and heads * 2 >= len(one.rows)


class _Reader:
    """Reads chunk after chunk, and keeps what stands over the next row."""

    def __init__(self) -> None:
        self.found: list[Collection] = []
        self._open: Collection | None = None
        self._heading = self._lead = self._intro = ""
        self._place: tuple[object, ...] = ()

    def read(self, chunk: EvidenceChunk) -> None:
        """Read one chunk; where it goes on with the section before, so do its rows."""
        place = (chunk.place.sheet, *chunk.place.headings)
        if place != self._place:
            self._place = place
            self._under(chunk.place.headings[-1] if chunk.place.headings else "")
        found = units(chunk.text, wrapped=False)
        for at, unit in enumerate(found):
            self._take(chunk, unit, found[at + 1 : at + 2])

    def _under(self, heading: str) -> None:
        self._heading, self._lead, self._intro, self._open = heading, "", "", None

    def _take(self, chunk: EvidenceChunk, unit: Unit, following: Sequence[Unit]) -> None:
        text = _MARKS.sub("", unit.flat)
        if not text or unit.kind == "code":
            self._open = None
        elif unit.kind == "table_row":
            self._add("table", Row(text, chunk, cells_of(unit.flat)))
        elif is_numbered_heading(chunk.text, unit, following):
            self._under(text)
        elif unit.kind == "list_item":
            self._add("list", Row(text, chunk))
        elif self._is_line(unit, following):
            self._add("lines", Row(text, chunk))
        elif unit.kind == "heading":
            self._under(text.rstrip(":"))
        else:
            self._say(chunk, text)

    def _say(self, chunk: EvidenceChunk, text: str) -> None:
        """Take a sentence: a lead-in, a list in itself, or what stands before the next list."""
        self._open = None
        self._lead, self._intro = (text, "") if text.endswith(":") else ("", text)
        if names_several(text):
            made = Collection("sentence", self._heading, "", "", chunk, [Row(text, chunk)])
            self.found.append(made)

    def _is_line(self, unit: Unit, following: Sequence[Unit]) -> bool:
        """Say whether it is one of several lines of a name and what it is."""
        text = _MARKS.sub("", unit.flat)
        if unit.kind not in {"heading", "sentence"} or not is_line(text):
            return False
        goes_on = self._open is not None and self._open.kind == "lines"
        return goes_on or any(is_line(_MARKS.sub("", each.flat)) for each in following)

    def _add(self, kind: CollectionKind, row: Row) -> None:
        if self._open is not None and self._open.kind == kind and _is_like(self._open, row):
            self._open.rows.append(row)
            return
        self._open = Collection(kind, self._heading, self._lead, self._intro, row.chunk, [row])
        self.found.append(self._open)


def cells_of(text: str) -> tuple[tuple[str, str], ...]:
    """Return the columns and values of a row; a cell without a column has an empty one."""
    cells = []
    for cell in text.strip("| ").split(" | "):
        column, named, value = cell.partition(": ")
        is_named = bool(named) and len(column) <= MOST_COLUMN
        cells.append((column, value.strip()) if is_named else ("", cell.strip()))
    return tuple(cells)


def is_line(text: str) -> bool:
    """Return whether a text is a name and what it is: "Ada Lund – finance director"."""
    return text[-1:] not in ".!?" and len(text) <= MOST_LINE and bool(_LINE.fullmatch(text))


def names_several(text: str) -> bool:
    """Return whether a sentence lists things behind a label: "Current list: A, B and C."."""
    found = _LISTED.match(text)
    if found is None or len(text) > MOST_SENTENCE:
        return False
    items = [item for item in _PARTED.split(found["items"].rstrip(". ")) if item.strip()]
    return len(items) >= LEAST_NAMED and sum(map(len, items)) <= MOST_ITEM * len(items)


def _is_like(one: Collection, row: Row) -> bool:
    """Say whether a row is of a table: it has one of its columns, or neither has any."""
    if one.kind != "table":
        return True
    names = {column for column, _ in row.cells if column}
    theirs = {column for each in one.rows[:3] for column, _ in each.cells if column}
    return bool(names & theirs) or not (names or theirs)
