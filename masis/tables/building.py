"""Builds a typed table of rows as they come: texts are kept packed until all rows are there.

Rows of totals and subtotals, notes and repeated headers are told from data rows and left out.
"""

import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from masis.tables.cell_values import DASHES, Marks, is_blank, moment, number
from masis.tables.column_types import Reading, Tally
from masis.tables.packing import packed_block, packed_numbers
from masis.tables.stated_units import Stated, statements, unit_in
from masis.values.tabular import Column, PackedTable, TableShape

BLOCK_ROWS: Final = 20_000
MOST_ROWS: Final = 1_048_576
"""As many as a sheet can have."""
MOST_BYTES: Final = 48 * 1024 * 1024
"""Of a table as it is kept."""
FEWEST_ROWS: Final = 2
FEWEST_COLUMNS: Final = 2
TITLES: Final = " · "
"""Stands between the rows above a header, which are its title."""
_CELL_CHARS: Final = 2_000
_SPACE: Final = re.compile(r"\s+")
_CERTAIN: Final = re.compile(
    r"(?:(?:grand|sub|over-?all|running|report|column)[ -]?)?(?:totals?|sum|summe|gesamt(?:summe)?|zwischensumme|total g[eé]n[eé]ral)\W*"
    r"|average|mean|Σ",
    re.IGNORECASE,
)
_LIKELY: Final = re.compile(r"(?:sub-?|grand )?totals?\b.+|.+ (?:sub-?)?totals?\W*|(?:sum|average) of .+|all .+", re.IGNORECASE)  # fmt: skip
_HINT: Final = re.compile(r"total|\ball |sum|gesamt|average|mean|g[eé]n|Σ", re.IGNORECASE)
_PARTED: Final = "\0"
_CLOSE: Final = 0.006
"""How far a total may lie from the sum of its rows, as a share of it or in its own unit."""


_BLOCKS_A_PART: Final = 5
_told: "list[Callable[[], None]]" = []


def after_each_part(call: Callable[[], None]) -> None:
    """Have something called after every hundred thousand rows: a long table takes its time."""
    _told[:] = [call]


def _tell() -> None:
    for call in _told:
        call()


class TooLarge(Exception):
    """A table takes more than it may."""


class TableBuilder:
    """Takes the rows of a table, one after the other, and makes the table of them.

    `usual_mark` is the decimal mark where no number of a column tells. `is_grid` says that rows of a
    sheet with one text are headings and notes.
    """

    def __init__(
        self, names: Sequence[str], *, sheet: str = "", title: str = "", usual_mark: str = ".", is_grid: bool = False, above: str = ""
    ) -> None:  # fmt: skip
        self._names = _different(names)
        self._header = [name.casefold() for name in names]
        self._sheet = sheet
        self._title = title
        self._above = above
        self._mark = usual_mark
        self._is_grid = is_grid
        self._used = [at for at, name in enumerate(self._names) if name]
        self._rows: list[Sequence[str]] = []
        self._numbers: list[int] = []
        self._blocks: list[list[tuple[bytes, bytes]]] = []
        self._sizes: list[int] = []
        self._tallies = [Tally() for _ in self._names]
        self._totals: list[int] = []
        self._doubtful: list[int] = []
        """Places of rows that may be totals: whether they are, their figures tell."""
        self._others = 0
        self._bytes = 0

    @property
    def rows(self) -> int:
        """Return how many data rows there are so far."""
        return len(self._numbers)

    def add(self, row_number: int, cells: Sequence[str]) -> None:
        """Take a row.

        Raises:
            TooLarge: there are more than a table may have.
        """
        width = len(cells)
        filled = [at for at in self._used if at < width and cells[at] and not cells[at].isspace()]
        if not filled:
            return
        kind = self._kind(cells, filled)
        if kind == "total":
            self._totals.append(row_number)
        elif kind == "other":
            self._others += 1
        else:
            if kind == "doubtful":
                self._doubtful.append(len(self._numbers))
            self._rows.append(cells)
            self._numbers.append(row_number)
            if len(self._numbers) > MOST_ROWS:
                raise TooLarge
            if len(self._rows) >= BLOCK_ROWS:
                self._flush()

    def _kind(self, cells: Sequence[str], filled: Sequence[int]) -> str:
        first = cells[filled[0]].lstrip()
        if len(filled) == 1 and len(self._used) > 2:
            short = len(cells) <= filled[0] + 1
            aside = self._is_grid and filled[0] == self._used[0] and number(first) is None
            return "other" if (short or aside or len(first) > 60) and not moment(first) else "data"
        if first[:1].casefold() == self._header[filled[0]][:1] and self._is_header(cells, filled):
            return "other"
        if not any(_HINT.search(cells[at]) for at in filled[:3]):
            return "data"
        said = [cells[at].strip() for at in filled[:3]]
        label = next((text for text in said if _CERTAIN.fullmatch(text)), None)
        label = label or next((text for text in said if _LIKELY.fullmatch(text)), None)
        if label is None:
            return "data"
        beside = sum(1 for at in filled if number(cells[at].strip()) is None and cells[at].strip() not in DASHES)  # fmt: skip
        certain = _CERTAIN.fullmatch(label) and (beside == 1 or beside * 2 < len(self._used))
        return "total" if certain else "doubtful"

    def _is_header(self, cells: Sequence[str], filled: Sequence[int]) -> bool:
        return all(cells[at].strip().casefold() == self._header[at] for at in filled)

    # --- blocks --------------------------------------------------------------------------------

    def _flush(self) -> None:
        if not self._rows:
            return
        width = len(self._names)
        rows = [
            row if len(row) >= width else [*row, *[""] * (width - len(row))] for row in self._rows
        ]
        block: list[tuple[bytes, bytes]] = []
        for at, column in zip(range(width), zip(*rows, strict=False), strict=False):
            block.append(self._packed(at, column))
        self._blocks.append(block)
        self._sizes.append(len(rows))
        self._rows = []
        if len(self._blocks) % _BLOCKS_A_PART == 0:
            _tell()
        self._bytes += sum(len(words) + len(codes) for words, codes in block)
        if self._bytes > 2 * MOST_BYTES:
            raise TooLarge

    def _packed(self, at: int, column: Sequence[str]) -> tuple[bytes, bytes]:
        """Keep a block of a column as its different texts and each cell's place among them."""
        if not self._names[at]:
            return b"", b""
        raw: dict[str, int] = {}
        codes = [raw.setdefault(cell, len(raw)) for cell in column]
        texts = [_clean(cell) for cell in raw]
        times = np.bincount(codes, minlength=len(raw))
        counted: Counter[str] = Counter()
        for text, count in zip(texts, times.tolist(), strict=True):
            counted[text] += count
        self._tallies[at].add(counted)
        words = zlib.compress(_PARTED.join(texts).encode("utf-8", "replace"), 1)
        return words, zlib.compress(np.asarray(codes, dtype=np.uint32).tobytes(), 1)

    # --- the table -----------------------------------------------------------------------------

    def table(self) -> PackedTable | None:
        """Return the table; None where there are too few rows or columns.

        Raises:
            TooLarge: it takes more bytes than it may.
        """
        self._flush()
        kept = [at for at in self._used if self._tallies[at].filled or self._tallies[at].dashes]
        if self.rows < FEWEST_ROWS or len(kept) < FEWEST_COLUMNS:
            return None
        notes: list[str] = []
        readings = {at: self._reading(at, notes) for at in kept}
        left_out = self._left_out(readings)
        cells = {at: self._cells(at, readings[at], left_out) for at in kept}
        numbers = [each for place, each in enumerate(self._numbers) if place not in left_out]
        if sum(map(len, cells.values())) > MOST_BYTES:
            raise TooLarge
        if len(numbers) < FEWEST_ROWS:
            return None
        shape = TableShape(
            sheet=self._sheet,
            title=self._title,
            first_row=numbers[0],
            last_row=numbers[-1],
            rows=len(numbers),
            columns=[readings[at].column() for at in kept],
            totals=sorted([*self._totals, *(self._numbers[place] for place in left_out)])[:1000],
            others=self._others,
            notes=notes,
        )
        return PackedTable(
            shape=shape, numbers=packed_numbers(numbers), cells=[cells[at] for at in kept]
        )

    def _reading(self, at: int, notes: list[str]) -> Reading:
        tally, name = self._tallies[at], self._names[at]
        mark = tally.mark(self._file_mark())
        day_first = tally.day_first >= tally.month_first
        reading = Reading(name, tally, Marks(mark, day_first), self._stated())
        if reading.type == "date" and tally.day_first and tally.month_first:
            notes.append(f"“{name}” has dates with the day first and with the month first.")
        elif (
            reading.type == "date"
            and not (tally.day_first or tally.month_first)
            and _is_numeric(tally)
        ):
            notes.append(f"Dates of “{name}” were read with the day before the month.")
        for texts, _ in self._columns(at):
            reading.measure(texts)
        return reading

    def _stated(self) -> Stated | None:
        """Return the unit of all figures: the title says it, the name of the first column, or a line above."""
        first = next((self._names[at] for at in self._used), "")
        said = [
            *map(unit_in, (first, *reversed(self._title.split(TITLES)))),
            *statements(self._above),
        ]
        return next((each for each in said if each is not None and each.scale > 1), None)

    def _file_mark(self) -> str:
        """Return the decimal mark of the file's other columns, else the usual one."""
        commas = sum(tally.marks[","] for tally in self._tallies)
        points = sum(tally.marks["."] for tally in self._tallies)
        return self._mark if commas == points else "," if commas > points else "."

    def _columns(self, at: int) -> Iterator[tuple[list[str], Any]]:
        """The blocks of a column: its different texts, and each cell's place among them."""
        for block in self._blocks:
            words, codes = block[at]
            texts = zlib.decompress(words).decode().split(_PARTED)
            yield texts, np.frombuffer(zlib.decompress(codes), dtype=np.uint32)

    def _cells(self, at: int, reading: Reading, left_out: set[int]) -> bytes:
        column = Column(name="", type=reading.type)
        packed: list[bytes] = []
        begun = 0
        for texts, codes in self._columns(at):
            out = sorted(place - begun for place in left_out if begun <= place < begun + len(codes))
            begun += len(codes)
            kept = np.delete(codes, out) if out else codes
            times = np.bincount(kept, minlength=len(texts)).tolist()
            counted: Counter[str] = Counter()
            for text, count in zip(texts, times, strict=True):
                if count:
                    counted[text] += count
            read = reading.read(counted)
            values = [read.get(text) for text in texts]
            packed.append(packed_block(column, [values[code] for code in kept.tolist()]))
        if len(self._blocks) >= _BLOCKS_A_PART:
            _tell()
        return b"".join(packed)

    # --- totals --------------------------------------------------------------------------------

    def _left_out(self, readings: dict[int, Reading]) -> set[int]:
        """Return the places of rows whose figures are the sums of the rows above."""
        bare = self._without_label(readings)
        places = sorted({*self._doubtful, *self._unlabelled(readings)} - bare)
        figures = [at for at, reading in readings.items() if reading.type == "number"]
        if not places or not figures or len(places) > self.rows // 2:
            return bare
        found: set[int] = set(bare)
        sums = {at: self._floats(at, readings[at]) for at in figures}
        begun = 0
        for place in places:
            spans = [slice(begun, place), slice(0, place)]
            tops = any(
                self._adds_up(sums[at], place, span, found) for at in figures for span in spans
            )
            if tops:
                found.add(place)
                begun = place + 1
        return found

    def _without_label(self, readings: dict[int, Reading]) -> set[int]:
        """Return the doubtful rows that lack a label which all other rows have."""
        found: set[int] = set()
        for at, reading in readings.items():
            if self._doubtful and reading.type == "text":
                blank = set(self._blank(at))
                if len(blank - set(self._doubtful)) * 20 < self.rows - len(self._doubtful):
                    found |= blank & set(self._doubtful)
        return found

    def _blank(self, at: int) -> Iterator[int]:
        begun = 0
        for texts, codes in self._columns(at):
            empty = [place for place, text in enumerate(texts) if is_blank(text) or text in DASHES]
            yield from (begun + np.flatnonzero(np.isin(codes, empty))).tolist()
            begun += len(codes)

    def _unlabelled(self, readings: dict[int, Reading]) -> list[int]:
        """Return the last row where it has figures alone, and others have texts."""
        last = self.rows - 1
        texts = [at for at, reading in readings.items() if reading.type in {"text", "date"}]
        cell = {at: self._cell(at, last) for at in texts}
        return [last] if texts and not any(cell.values()) and last > 2 else []

    def _cell(self, at: int, place: int) -> str:
        begun = 0
        for texts, codes in self._columns(at):
            if place < begun + len(codes):
                return str(texts[codes[place - begun]])
            begun += len(codes)
        return ""

    def _floats(self, at: int, reading: Reading) -> Any:
        parts = []
        for texts, codes in self._columns(at):
            values = [reading.value(text) for text in texts]
            parts.append(np.asarray([float(each or 0) for each in values])[codes])
        return np.concatenate(parts)

    def _adds_up(self, figures: Any, place: int, span: slice, found: set[int]) -> bool:
        stated = figures[place]
        chosen = figures[span].copy()
        for each in found:
            if span.start <= each < place:
                chosen[each - span.start] = 0
        if len(chosen) < 2 or not stated:
            return False
        return bool(abs(chosen.sum() - stated) <= max(1.0, _CLOSE * abs(stated) if len(chosen) > 50 else 1.0))  # fmt: skip


def _is_numeric(tally: Tally) -> bool:
    """Tell whether the dates of a column are written as numbers without the year first."""
    sample = next(iter(tally.texts), "")
    return bool(re.match(r"\d{1,2}[./-]\d{1,2}[./-]", sample))


def _clean(cell: str) -> str:
    return _SPACE.sub(" ", cell.replace(_PARTED, "")).strip()[:_CELL_CHARS]


def _different(names: Sequence[str]) -> list[str]:
    """Return the names, those that stand twice with a number."""
    seen: Counter[str] = Counter()
    made = []
    for name in names:
        text = _clean(name)[:80]
        key = text.casefold()
        seen[key] += 1
        made.append(f"{text} ({seen[key]})" if text and seen[key] > 1 else text)
    return made
