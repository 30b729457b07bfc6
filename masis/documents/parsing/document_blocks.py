"""Collects the blocks of a document as its reader meets them."""

import re
from collections.abc import Sequence
from typing import Final, Literal

from masis.documents.parsing import document_limits, refusals
from masis.documents.parsing.cleaning import code_lines, one_line
from masis.documents.parsing.tables import row_text
from masis.domain import Block, Place
from masis.errors import DocumentRefused

LOWEST_HEADING: Final = 9
_NOWHERE = Place()
_QUERIED: Final = {"is_queried": True}
_LEAD_WITH_COLON = 80
_LEAD_WITHOUT = 40
_MAX_HEADING = 200
"""Longer headings are paragraphs in disguise, and would be repeated in front of every chunk."""


class BlockCollector:
    """Cleans and counts what a reader adds, and refuses a document that holds too much.

    `cells` counts those of all tables; `damaged` says that a part could not be read. `is_queried` holds
    for what is added while it is set: a query finds it, and in a workspace it is no passage.

    Raises:
        DocumentRefused: there is more text, more blocks or more table cells than allowed.
    """

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.notes: list[str] = []
        self._chars = 0
        self.cells = 0
        self.damaged = False
        self.is_queried = False
        self._leads: list[str] = []

    def heading(self, text: str, level: int, place: Place = _NOWHERE) -> None:
        """Add a heading of `level` 1 (top) to 9."""
        line = one_line(text)
        kind: Literal["heading", "paragraph"] = (
            "heading" if len(line) <= _MAX_HEADING else "paragraph"
        )
        self._add(
            Block(kind=kind, text=line, level=max(1, min(level, LOWEST_HEADING)), place=place)
        )

    def paragraph(self, text: str, place: Place = _NOWHERE) -> None:
        """Add running text; its line breaks are folded."""
        self._add(Block(kind="paragraph", text=one_line(text), place=place))

    def code(self, text: str, place: Place = _NOWHERE) -> None:
        """Add text whose line breaks matter."""
        self._add(Block(kind="code", text=code_lines(text), place=place))

    def item(self, text: str, depth: int = 0, place: Place = _NOWHERE) -> None:
        """Add a list item; a nested one keeps the short lead of the item above it."""
        line = one_line(text)
        if not line:
            return
        if not self.blocks or self.blocks[-1].kind != "list_item":
            self._leads.clear()
        del self._leads[depth:]
        lead = next((lead for lead in reversed(self._leads) if lead), "")
        self._leads.extend([""] * (depth - len(self._leads)))
        self._leads.append(_lead(line))
        whole = f"{lead}: {line}" if lead else line
        self._add(Block(kind="list_item", text=whole, level=depth, place=place))

    def continued(self, text: str, place: Place = _NOWHERE) -> None:
        """Add a further paragraph of the list item before it."""
        line = one_line(text)
        last = self.blocks[-1] if self.blocks else None
        if line and last and last.kind == "list_item":
            joined = f"{last.text} {line}"
            self.blocks.pop()
            self._chars -= len(last.text)
            self._add(last.model_copy(update={"text": joined}))
        else:
            self.paragraph(line, place)

    def table(
        self,
        rows: Sequence[Sequence[str]],
        header_rows: int | None = None,
        places: Sequence[Place] | Place = _NOWHERE,
    ) -> None:
        """Add a table as rows that can be read alone; without `header_rows` they are guessed.

        `places` is one place a row (header rows included), or one for all.
        """
        cleaned = [[one_line(cell) for cell in row] for row in rows]
        self.count_cells(sum(len(row) for row in cleaned))
        for index, line in row_text.readable_rows(cleaned, header_rows):
            place = places if isinstance(places, Place) else places[index]
            self._add(Block(kind="table_row", text=line, place=place))

    def row(self, text: str, place: Place = _NOWHERE) -> None:
        """Add a table row that can be read alone."""
        self._add(Block(kind="table_row", text=one_line(text), place=place))

    def count_cells(self, cells: int) -> None:
        """Count cells towards the limit of the document."""
        self.cells += cells
        if self.cells > document_limits.CELLS:
            raise DocumentRefused(refusals.TOO_MANY_CELLS)

    def left_out(self, what: str, place: Place | None = None) -> None:
        """Note that a part could not be read; what is said already is not said again."""
        self.damaged = True
        where = (place or _NOWHERE).label()
        self.note(refusals.LEFT_OUT.format(what=f"{what} ({where})" if where else what))

    def note(self, text: str) -> None:
        """Note what was left out, once, and no more than anybody would read."""
        if len(self.notes) < document_limits.NOTES and text not in self.notes:
            self.notes.append(text)

    def extend(self, other: "BlockCollector", below: int = 0) -> None:
        """Add what another collector holds, its headings `below` that many levels."""
        self.count_cells(other.cells)
        for block in other.blocks:
            level = min(block.level + below, LOWEST_HEADING)
            shifted = block.model_copy(update={"level": level})
            self._add(shifted if block.kind == "heading" else block)

    def _add(self, block: Block) -> None:
        if not block.text:
            return
        self._chars += len(block.text)
        if self._chars > document_limits.TEXT_CHARS:
            raise DocumentRefused(refusals.TOO_MUCH_TEXT)
        if len(self.blocks) >= document_limits.BLOCKS:
            raise DocumentRefused(refusals.TOO_MANY_BLOCKS)
        self.blocks.append(block.model_copy(update=_QUERIED) if self.is_queried else block)


def _lead(line: str) -> str:
    """Return what a nested item needs of the item above it to be read alone.

    It is empty when that item is a sentence.
    """
    if line.endswith(":") and len(line) <= _LEAD_WITH_COLON:
        return line[:-1].rstrip()
    ended = re.search(r"[.!?;,]$", line)
    return "" if ended or len(line) > _LEAD_WITHOUT else line
