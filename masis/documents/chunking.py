"""Cuts a parsed document into chunks along its structure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from masis.domain import Block, Chunk, ParsedDocument, Place, WorkspaceId, opaque_id
from masis.errors import DocumentRefused

TARGET_CHARS: Final = 800
"""Coupled to `policy.MAX_CONTEXT_CHARS`: seven or eight whole chunks fit into a prompt."""
MAX_CHARS: Final = 1200
MAX_CHUNKS: Final = 20_000

_OVERLAP_CHARS: Final = 160
"""A sentence of usual length; a longer one is not repeated."""
_SMALL_SECTION: Final = TARGET_CHARS // 2
_SHORT_TAIL: Final = 200
_SLACK: Final = 100
"""Rows of a table and items of a list may run this much over the target to stay together."""
_LINE_COST: Final = 4
"""What a unit takes beside its text: a bullet and an empty line."""
_PATH_CHARS: Final = 240
_PATH_DEPTH: Final = 6
"""Headings beyond these stand in the text: the path is repeated in front of every chunk, and an
embedding model of 256 tokens would see nothing else."""
_TITLE_CHARS: Final = 120
_LOOK_BACK: Final = 60
"""Items of a list that are passed to find its lead-in; bounded, so that long lists stay linear."""

# An abbreviation may be taken for an end; that costs nothing, since the parts stay in order.
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+(?=[^\sa-z])|(?<=[.!?][\"”’)])\s+|(?<=[。！？])")  # noqa: RUF001 - full stops of Chinese and Japanese
_CELLS = re.compile(r"([A-Z]{1,3})(\d+)(?::([A-Z]{1,3})(\d+))?")
_CELL_BORDER = " | "
_ROW_NAME_CHARS: Final = 80


@dataclass(frozen=True, slots=True)
class _Unit:
    """A piece of text that is not cut further. `joined` says that it goes on with its block."""

    kind: str
    text: str
    place: Place
    joined: bool = False

    @property
    def cost(self) -> int:
        """The most characters that it adds to a chunk."""
        return len(self.text) + _LINE_COST


@dataclass(slots=True)
class _Section:
    """Collect what stands under one path of headings."""

    path: list[str]
    units: list[_Unit] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The most characters that its text can have."""
        return _size(self.units)


@dataclass(frozen=True, slots=True)
class _Piece:
    """One chunk to be; its first `carried` units repeat the piece before it."""

    path: list[str]
    units: list[_Unit]
    carried: int = 0


def chunk_document(
    parsed: ParsedDocument, *, workspace_id: WorkspaceId, document_id: str, version_id: str
) -> list[Chunk]:
    """The document's chunks in reading order; the same input gives the same ids.

    Raises:
        DocumentRefused: there are more chunks than a document may have.
    """
    chunks: list[Chunk] = []
    for piece in _all_pieces(parsed):
        if len(chunks) == MAX_CHUNKS:
            raise DocumentRefused(
                f"The document is too long: it makes more than {MAX_CHUNKS:,} chunks. "
                "Split it into parts."
            )
        position = len(chunks)
        text = _text(piece.units)
        chunks.append(
            Chunk(
                id=opaque_id("c", workspace_id, document_id, version_id, str(position), text),
                workspace_id=workspace_id,
                document_id=document_id,
                version_id=version_id,
                position=position,
                text=text,
                context=_context(parsed.title, piece.path),
                place=_place(piece, parsed.title),
            )
        )
    return chunks


def _all_pieces(parsed: ParsedDocument) -> Iterator[_Piece]:
    for section in _merged(_sections(parsed.blocks)):
        yield from _pieces(section)


# --- sections ------------------------------------------------------------------------------


def _sections(blocks: Sequence[Block]) -> Iterator[_Section]:
    """The document's text by heading; a heading that leads to nothing is text itself."""
    path: list[Block] = []
    section = _Section([])
    for block, following in zip(blocks, [*blocks, None][1:], strict=True):
        if block.kind != "heading":
            section.units.extend(_units(block))
            continue
        if section.units:
            yield section
        while path and path[-1].level >= block.level:
            path.pop()
        named = _leads_to(block, following) and _fits(path, block)
        if named:
            path.append(block)
        section = _Section([heading.text for heading in path])
        if not named:
            section.units.extend(_units(block))
    if section.units:
        yield section


def _leads_to(heading: Block, following: Block | None) -> bool:
    return following is not None and (
        following.kind != "heading" or following.level > heading.level
    )


def _fits(path: Sequence[Block], heading: Block) -> bool:
    length = sum(len(block.text) for block in path) + len(heading.text)
    return len(path) < _PATH_DEPTH and length <= _PATH_CHARS


def _merged(sections: Iterator[_Section]) -> Iterator[_Section]:
    """Small neighbours under one heading become one section, each heading on a line of its own."""
    waiting: _Section | None = None
    for section in sections:
        together = None if waiting is None else _together(waiting, section)
        if together is None and waiting is not None:
            yield waiting
        waiting = together or section
    if waiting is not None:
        yield waiting


def _together(first: _Section, second: _Section) -> _Section | None:
    """Both as one section; None where they are too long, or neither parent and child nor siblings."""
    if second.size > _SMALL_SECTION or not _same_spot(first.units[-1].place, second.units[0].place):
        return None
    shared = _common(first.path, second.path)
    depth = len(shared)
    if len(first.path) - depth > 1 or len(second.path) - depth > 1:
        return None
    whole = _Section(shared, [*_headed(first, depth), *_headed(second, depth)])
    return whole if whole.size <= TARGET_CHARS else None


def _headed(section: _Section, depth: int) -> list[_Unit]:
    """A section's units below those of its headings that are not shared."""
    place = section.units[0].place
    return [*(_Unit("heading", name, place) for name in section.path[depth:]), *section.units]


def _common(first: Sequence[str], second: Sequence[str]) -> list[str]:
    shared: list[str] = []
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        shared.append(one)
    return shared


def _same_spot(first: Place, second: Place) -> bool:
    return (first.page, first.slide, first.sheet) == (second.page, second.slide, second.sheet)


# --- units ---------------------------------------------------------------------------------


def _units(block: Block) -> Iterator[_Unit]:
    """A block whole, or where it is longer than a chunk its sentences, lines or cells."""
    if len(block.text) <= TARGET_CHARS:
        yield _Unit(block.kind, block.text, block.place)
        return
    if block.kind == "table_row":
        parts = block.text.split(_CELL_BORDER)
    elif block.kind == "code":
        parts = block.text.split("\n")
    else:
        parts = _SENTENCE_END.split(block.text)
    shorts = (short for part in parts for short in _cut(part))
    for number, text in enumerate(
        _row_parts(shorts, parts[0]) if block.kind == "table_row" else shorts
    ):
        yield _Unit(block.kind, text, block.place, joined=number > 0)


def _row_parts(cells: Iterator[str], first: str) -> Iterator[str]:
    """A row in parts that can be read alone: each begins with the first cell, which names the row."""
    name = first if len(first) <= _ROW_NAME_CHARS else ""
    for number, text in enumerate(_packed(cells, _CELL_BORDER)):
        yield f"{name}{_CELL_BORDER}{text}" if number and name else text


def _cut(text: str) -> Iterator[str]:
    """A text cut at white space into parts of the target's length, or hard where there is none."""
    start = 0
    while len(text) - start > TARGET_CHARS:
        end = text.rfind(" ", start + 1, start + TARGET_CHARS)
        end = end if end > start else start + TARGET_CHARS
        yield text[start:end].strip()
        start = end
    yield text[start:].strip()


def _packed(parts: Iterator[str], border: str) -> Iterator[str]:
    """As many parts together as fit."""
    packed = ""
    for part in parts:
        if packed and len(packed) + len(border) + len(part) > TARGET_CHARS:
            yield packed
            packed = part
        else:
            packed = f"{packed}{border}{part}" if packed else part
    yield packed


def _size(units: Sequence[_Unit]) -> int:
    return sum(unit.cost for unit in units)


# --- pieces --------------------------------------------------------------------------------


def _pieces(section: _Section) -> Iterator[_Piece]:
    """A section cut near the target; a piece goes on with the last sentence or lead-in before it."""
    units = section.units
    piece: list[_Unit] = []
    carried = size = 0
    left = section.size
    for index, unit in enumerate(units):
        if len(piece) > carried and size + unit.cost > _limit(piece, unit, size + left):
            kept, moved = _without_lead(piece, unit, carried)
            yield _Piece(section.path, kept, carried)
            repeated = [] if moved else _repeated(units, index)
            piece, carried = [*repeated, *moved], len(repeated)
            size = _size(piece)
        piece.append(unit)
        size += unit.cost
        left -= unit.cost
    yield _Piece(section.path, piece, carried)


def _limit(piece: Sequence[_Unit], unit: _Unit, whole: int) -> int:
    """Return how long the piece may become.

    `whole` is its size with all that is left of the section.
    """
    if whole <= TARGET_CHARS + _SHORT_TAIL:  # a short rest is better here than alone
        return MAX_CHARS
    same = unit.kind in {"table_row", "list_item"} and piece[-1].kind == unit.kind
    return TARGET_CHARS + _SLACK if same else TARGET_CHARS


def _without_lead(
    piece: list[_Unit], following: _Unit, carried: int
) -> tuple[list[_Unit], list[_Unit]]:
    """The piece and its closing headings or lead-in, which belong to what follows."""
    cut = len(piece)
    room = MAX_CHARS - following.cost
    while cut > carried + 1 and _introduces(piece[cut - 1], following):
        room -= piece[cut - 1].cost
        if room < 0:
            break
        cut -= 1
    return piece[:cut], piece[cut:]


def _introduces(unit: _Unit, following: _Unit) -> bool:
    if unit.kind == "heading":
        return True
    return following.kind in {"list_item", "table_row", "code"} and _is_lead_in(unit)


def _is_lead_in(unit: _Unit) -> bool:
    return unit.kind == "paragraph" and unit.text.endswith(":") and len(unit.text) <= _OVERLAP_CHARS


def _repeated(units: Sequence[_Unit], index: int) -> list[_Unit]:
    """Return what the piece that begins with `units[index]` repeats.

    It is a list's lead-in, or a sentence.
    """
    unit, before = units[index], units[index - 1]
    if unit.kind == "list_item" and not unit.joined:
        return _lead_in(units, index)
    if before.kind != "paragraph" or unit.kind != "paragraph":
        return []
    # Only the end of the text is looked at: a paragraph may be long, and sentences short.
    sentence = _SENTENCE_END.split(before.text[-2 * _OVERLAP_CHARS :])[-1].strip()
    short = 0 < len(sentence) <= _OVERLAP_CHARS
    return [_Unit("paragraph", sentence, before.place)] if short else []


def _lead_in(units: Sequence[_Unit], index: int) -> list[_Unit]:
    for unit in reversed(units[max(0, index - _LOOK_BACK) : index]):
        if unit.kind != "list_item":
            return [unit] if _is_lead_in(unit) else []
    return []


# --- what a chunk shows --------------------------------------------------------------------


def _text(units: Sequence[_Unit]) -> str:
    parts: list[str] = []
    before: _Unit | None = None
    for unit in units:
        if before is not None:
            parts.append(_border(before, unit))
        starts_item = unit.kind == "list_item" and not (unit.joined and before is not None)
        parts.append(f"- {unit.text}" if starts_item else unit.text)
        before = unit
    return "".join(parts)


def _border(before: _Unit, unit: _Unit) -> str:
    if unit.joined and unit.kind == before.kind:
        return " " if unit.kind in {"paragraph", "list_item", "heading"} else "\n"
    same = before.kind == unit.kind and unit.kind in {"list_item", "table_row"}
    led = before.kind == "heading" or _introduces(before, unit)
    return "\n" if same or (led and unit.kind != "heading") else "\n\n"


def _context(title: str, path: Sequence[str]) -> str:
    names = [title[:_TITLE_CHARS].strip(), *_below(title, path)]
    return " › ".join(name for name in names if name)


def _below(name: str, path: Sequence[str]) -> list[str]:
    """The path without headings that repeat `name`."""
    return [heading for heading in path if heading.casefold() != name.casefold()]


def _place(piece: _Piece, title: str) -> Place:
    own = piece.units[piece.carried :]
    first = own[0].place
    headings = _below(first.sheet or title, _below(title, piece.path))
    return first.model_copy(update={"headings": headings, "cells": _span(own)})


def _span(units: Sequence[_Unit]) -> str | None:
    """The range of cells from the first to the last: `A2:B2` and `A7` are `A2:B7`."""
    corners = [
        (len(column), column, int(row))
        for unit in units
        for found in [_CELLS.fullmatch(unit.place.cells or "")]
        if found
        for column, row in [(found[1], found[2]), (found[3] or found[1], found[4] or found[2])]
    ]
    if not corners:
        return None
    first_column, last_column = min(corners)[1], max(corners)[1]
    rows = [row for _, _, row in corners]
    first, last = f"{first_column}{min(rows)}", f"{last_column}{max(rows)}"
    return first if first == last else f"{first}:{last}"
