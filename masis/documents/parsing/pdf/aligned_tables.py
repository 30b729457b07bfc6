"""Finds tables without upright rules on PDF pages: rows whose cells stand in columns."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from masis.documents.parsing.pdf.bullets import is_mark
from masis.documents.parsing.pdf.table_columns import (
    Columns,
    Run,
    Table,
    columns_of,
    found_columns,
    span,
    split_at_seam,
)
from masis.documents.parsing.pdf.table_rows import by_rows
from masis.documents.parsing.placed_words import Line, Word
from masis.documents.parsing.tables.cells import is_value

_FEWEST_ROWS: Final = 3
_LONGEST_CELL: Final = 80
_MOST_BETWEEN: Final = 4
"""So many lines of one cell may stand between rows of several."""
_MAY_PART: Final = 1.3
_LEAST_PART: Final = 0.4
"""A gap of so many times the narrowest of its line, and so many sizes, may part cells."""
_SIGNS: Final = frozenset("$€£¥")
_DEEPEST: Final = 4
"""So many times rows are parted at lines that fit no table."""
_MOST_CELLS: Final = 100
"""Of a row whose cells are looked at one against the others."""
_SAME_EDGE: Final = 1.0
"""Points that the edges of one column may differ."""
_TAKEN: Final = 6.0
"""Points within which two cells of a row cannot begin."""
_SPACE: Final = 0.75
"""A gap of so many sizes is no space within a text."""
_KNOWN_SHARE: Final = 0.25
_LIKELY_SHARE: Final = 0.45
"""So many rows have an edge where cells stand too near each other to be told apart by space: of what
is drawn apart, and where nothing says what is."""
_FEWEST_ALIKE: Final = 2
_FEWEST_LOOSE: Final = 2
_TIGHT: Final = 0.25
"""Lines of one row stand nearer by this share of their size than those of two."""


def with_aligned(lines: Sequence[Line]) -> list[Line | Table]:
    """The lines, runs of rows whose cells stand under each other replaced by tables."""
    return by_rows(lines, _aligned)


def _aligned(lines: Sequence[Line]) -> list[Line | Table]:
    return [item for near in _near(lines) for item in _with_tables(near)]


def _near(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines by what stands close together from the top down."""
    group: list[Line] = []
    for line in lines:
        if group and line.top > group[-1].bottom + line.size:
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _with_tables(lines: Sequence[Line]) -> Iterator[Line | Table]:
    several = [_may_have_cells(line) for line in lines]
    at = 0
    while at < len(lines):
        end = _end_of_rows(several, at)
        if end - at < _FEWEST_ROWS:
            yield lines[at]
            at += 1
            continue
        tables, taken = _tables(lines[at:end], lines[end:])
        yield from tables
        at = end + taken


def _may_have_cells(line: Line) -> bool:
    if len(line.cells()) > 1:
        return True
    pairs = list(pairwise(line.words))
    gaps = [after.left - before.right for before, after in pairs]
    uneven = bool(gaps) and max(gaps) > max(_MAY_PART * min(gaps), _LEAST_PART * line.size)
    return uneven or any(after.starts_after(before) for before, after in pairs)


def _end_of_rows(several: Sequence[bool], at: int) -> int:
    """Behind the last line of several cells that fewer lines of one part from the last."""
    end = at
    while end < len(several) and several[at] and any(several[end : end + _MOST_BETWEEN + 1]):
        end += 1
    return end


# --- one table -----------------------------------------------------------------------------


@dataclass(slots=True)
class _Edges:
    """Keep where words begin and end in rows, sorted.

    Those that are known to be a run's stand apart from all.
    """

    rows: int
    begins: list[float]
    ends: list[float]
    all_begins: list[float]
    all_ends: list[float]
    value_ends: list[float]

    def begin_at(self, x: float) -> bool:
        """Say whether what is known as runs begins here in several rows."""
        return _alike(x, self.begins) >= max(_FEWEST_ALIKE, _KNOWN_SHARE * self.rows)

    def parts(self, before: Word, word: Word, size: float) -> bool:
        """Say whether two words are of two cells where only a narrow gap parts them."""
        known = word.starts_after(before)
        apart = word.left - before.right > _SPACE * size
        if (known or apart) and is_value(word.text) and self._ends_under_figures(word):
            return True
        if known:
            several = apart and _alike(word.left, self.begins) > _FEWEST_ALIKE
            return several or self.begin_at(word.left) or self._ends_under_figures(before)
        if word.spaced:
            return self.begin_at(word.left) or self._parts_at_space(before, word)
        if word.first:  # drawn together
            return word.text in _SIGNS and self._figure_ends(before, self.all_ends)
        enough = max(_FEWEST_ALIKE + 1, _LIKELY_SHARE * self.rows)
        begins = _alike(word.left, self.all_begins) >= enough
        return begins or self._figure_ends(before, self.all_ends)

    def _parts_at_space(self, before: Word, word: Word) -> bool:
        """Whether a figure ends in its column there, or the name of a column of figures."""
        if any(map(str.isdigit, before.text)) and self._figure_ends(before, self.all_ends):
            return True
        begins = _alike(word.left, self.begins) > 0 or self._ends_under_figures(word)
        return begins and self._ends_under_figures(before)

    def _figure_ends(self, word: Word, ends: Sequence[float]) -> bool:
        """Say whether a figure ends where several do.

        Words do not count, as they end under each other by chance.
        """
        enough = max(_FEWEST_ALIKE, _KNOWN_SHARE * self.rows)
        return is_value(word.text) and _alike(word.right, ends) > enough

    def _ends_under_figures(self, word: Word) -> bool:
        """Whether a word, or a column's name, ends where several figures do."""
        return _alike(word.right, self.value_ends) > max(
            _FEWEST_ALIKE, _KNOWN_SHARE * self.rows
        ) or self._figure_ends(word, self.ends)


def _alike(edge: float, edges: Sequence[float]) -> int:
    return bisect_right(edges, edge + _SAME_EDGE) - bisect_left(edges, edge - _SAME_EDGE)


def _seams(cell: Run, seen: set[tuple[str, int]]) -> Iterator[float]:
    """Where something begins within words, but once where the same text stands before it."""
    for word in cell:
        for count, x, _ in word.seams:
            before = word.text[:count], round(word.left)
            if before not in seen:
                seen.add(before)
                yield x


def _edges(rows: Sequence[Sequence[Run]]) -> _Edges:
    found = _Edges(len(rows), [], [], [], [], [])
    seen: set[tuple[str, int]] = set()
    for row in rows:
        for cell in row:
            found.begins.append(cell[0].left)
            found.ends.append(cell[-1].right)
            found.begins += _seams(cell, seen)
            for before, word in pairwise(cell):
                if word.starts_after(before):
                    found.begins.append(word.left)
                    found.ends.append(before.right)
            if is_value(cell[-1].text):
                found.value_ends.append(cell[-1].right)
            found.all_begins.append(cell[0].left)
            found.all_ends.append(cell[-1].right)
            # Text that repeats itself stands under itself.
            for before, word in pairwise(cell):
                if (word.text, round(word.left)) not in seen:
                    seen.add((word.text, round(word.left)))
                    found.all_begins.append(word.left)
                    found.all_ends.append(before.right)
    for edges in (found.begins, found.ends, found.all_begins, found.all_ends, found.value_ends):
        edges.sort()
    return found


def _tables(
    rows: Sequence[Line], behind: Sequence[Line], depth: int = 0
) -> tuple[list[Line | Table], int]:
    """The table of rows, or what they have of several; and how many lines behind belong to it."""
    found = _whole(rows, behind, depth)
    if found is not None:
        return found
    # Without what stands between rows that space alone parts.
    wide = [len(line.cells()) > 1 for line in rows]
    if depth > _DEEPEST or all(wide):
        return list(rows), 0
    return list(_between(rows, wide, depth + 1)), 0


def _whole(
    rows: Sequence[Line], behind: Sequence[Line], depth: int
) -> tuple[list[Line | Table], int] | None:
    """Return what `_tables` gives where the rows are tables.

    They are one table, or several and what stands between them.
    """
    cells = [line.cells() for line in rows]
    for _ in range(2):  # names of columns stand over what is known to be cells
        edges = _edges(cells)
        cells = [
            list(_parted_row(row, edges, line.size)) for line, row in zip(rows, cells, strict=True)
        ]
    several = [row for row in cells if len(row) > 1]
    columns = _columns(several) if len(several) >= _FEWEST_ROWS else None
    if columns is None or depth > _DEEPEST:
        return None
    farthest = _farthest(rows, cells)
    fit = [
        len(row) > 1
        or _fits(row[0], columns)
        or (at > 0 and _is_first_cell(rows[at - 1], rows[at], columns, farthest))
        for at, row in enumerate(cells)
    ]
    if not all(fit):
        return list(_between(rows, fit, depth + 1)), 0
    more = _going_on(rows, behind, columns)
    table = _table([*rows, *more], [*cells, *(line.cells() for line in more)], columns)
    return ([table], len(more)) if table else None


def _parted_row(row: Sequence[Run], edges: _Edges, size: float) -> Iterator[Run]:
    if len(row) > _MOST_CELLS:
        yield from row
        return
    begins = [cell[0].left for cell in row]
    for number, cell in enumerate(row):
        others = [*begins[:number], *begins[number + 1 :]]
        yield from _parted(cell, edges, size, others)


def _parted(cell: Run, edges: _Edges, size: float, others: Sequence[float]) -> Iterator[Run]:
    """The cells of a run; where nothing says what is drawn apart, none begins where another does."""
    part: Run = []
    for word in (piece for whole in cell for piece in split_at_seam(whole, edges.begin_at)):
        taken = not word.first and any(abs(word.left - other) < _TAKEN for other in others)
        marked = len(part) == 1 and is_mark(part[0].text)
        if part and not taken and not marked and edges.parts(part[-1], word, size):
            yield part
            part = []
        part.append(word)
    yield part


def _columns(rows: Sequence[Sequence[Run]]) -> Columns | None:
    """The columns of rows of several cells; None where they are too scattered for a table."""
    runs = [[span(cell) for cell in row] for row in rows]
    spans = found_columns(runs)
    if len(spans) < 2 or sum(map(len, rows)) < 0.6 * len(spans) * len(rows):
        return None  # before thousands of columns are looked through for every line
    marks = sum(1 for row in rows if len(row[0]) == 1 and is_mark(row[0][0].text))
    if len(spans) == 2 and marks > _LIKELY_SHARE * len(rows):
        return None
    return columns_of(spans, [one for row in runs for one in row])


def _fits(cell: Run, columns: Columns) -> bool:
    """Say whether a line of one cell can be a row.

    It stands in a column then, or begins where one does.
    """
    where = span(cell)
    return columns.holds(where) or columns.begins(where.left)


def _is_first_cell(above: Line, line: Line, columns: Columns, farthest: float) -> bool:
    """Whether a line of one cell stands in the first column, as near as rows, if the longest there."""
    first, second = columns.spans[:2]
    inside = abs(line.left - first.left) <= _SAME_EDGE and line.right < second.left
    alike = above.left - first.left <= _SAME_EDGE and (above.size, above.bold) == (
        line.size,
        line.bold,
    )
    return inside and alike and above.bottom - line.top <= farthest


def _farthest(lines: Sequence[Line], cells: Sequence[Sequence[Run]]) -> float:
    """How far lines of several cells stand from each other that follow each other."""
    gaps = [
        lines[at].bottom - lines[at + 1].top
        for at, (one, other) in enumerate(pairwise(cells))
        if min(len(one), len(other)) > 1
    ]
    return max(gaps, default=-lines[0].size) + _SAME_EDGE


def _near_gap(lines: Sequence[Line]) -> float:
    """Below which gap a line stands nearer than rows do; lines of one size where all stand alike."""
    gaps = [above.bottom - below.top for above, below in pairwise(lines)]
    size = lines[-1].size
    return min(gaps) + _TIGHT * size if max(gaps) - min(gaps) > 2 * _TIGHT * size else -size


def _between(rows: Sequence[Line], fit: Sequence[bool], depth: int) -> Iterator[Line | Table]:
    """Yield what rows hold where some between them fit no table."""
    part: list[Line] = []
    for line, fits in zip(rows, fit, strict=True):
        if fits:
            part.append(line)
            continue
        yield from _tables(part, (), depth)[0]
        yield line
        part = []
    yield from _tables(part, (), depth)[0]


def _going_on(rows: Sequence[Line], behind: Sequence[Line], columns: Columns) -> list[Line]:
    """The lines behind a table in which cells of its last row go on.

    In the first column they stand nearer than rows do; elsewhere as near as these.
    """
    size = rows[-1].size
    near = _near_gap(rows)
    found: list[Line] = []
    for line in behind[:_MOST_BETWEEN]:
        where = span(line.words)
        gap = (found or rows)[-1].bottom - line.top
        if not columns.holds(where) or gap > (size if columns.place(where) else near):
            break
        found.append(line)
    return found


def _table(lines: Sequence[Line], cells: Sequence[Sequence[Run]], columns: Columns) -> Table | None:
    rows: list[list[str]] = []
    if any(_length(run) > _LONGEST_CELL for row in cells for run in row):
        return None
    placed = [_in_columns(row, columns) for row in cells]
    tight = _tight_gap(lines, placed)
    for number, texts in enumerate(placed):
        gap = lines[number - 1].bottom - lines[number].top if number else 0.0
        if rows and _goes_on(rows[-1], texts, gap, tight):
            rows[-1] = [
                f"{above} {text}".strip() for above, text in zip(rows[-1], texts, strict=True)
            ]
        else:
            rows.append(texts)
    filled = sum(1 for row in rows for cell in row if cell)
    if filled < 0.5 * len(rows) * len(columns.spans):
        return None
    return Table(lines[0].page, rows)


def _length(run: Run) -> int:
    return sum(len(word.text) + 1 for word in run) - 1


def _in_columns(row: Sequence[Run], columns: Columns) -> list[str]:
    cells: list[list[str]] = [[] for _ in columns.spans]
    for run in row:
        cells[columns.place(span(run))] += [word.text for word in run]
    return [" ".join(cell) for cell in cells]


# --- cells of several lines ----------------------------------------------------------------


def _tight_gap(lines: Sequence[Line], rows: Sequence[Sequence[str]]) -> float | None:
    """Below which gap a line goes on with the row above; None where gaps do not tell.

    They do where they are of two kinds, and what stands near reads like cells that go on: no figure
    under a figure, no text under an empty cell, and not all of them full.
    """
    gaps = [above.bottom - below.top for above, below in pairwise(lines)]
    size = max(line.size for line in lines)
    limit = min(gaps) + _TIGHT * size
    if sum(gap > limit + _TIGHT * size for gap in gaps) < _FEWEST_LOOSE:
        return None
    near = [pair for pair, gap in zip(pairwise(rows), gaps, strict=True) if gap <= limit]
    ragged = any(not all(below) for _, below in near)
    return limit if ragged and all(_may_go_on(*pair) for pair in near) else None


def _may_go_on(above: Sequence[str], row: Sequence[str]) -> bool:
    under = [(one, text) for one, text in zip(above, row, strict=True) if text]
    return all(one and not (is_value(one) and is_value(text)) for one, text in under)


def _goes_on(above: Sequence[str], row: Sequence[str], gap: float, tight: float | None) -> bool:
    """Say whether cells of the row above go on in this line."""
    if tight is not None:
        return gap <= tight
    under = [(one, text) for one, text in zip(above, row, strict=True) if text]
    if row[0] or any(not one or is_value(text) or is_value(one) for one, text in under):
        return False
    return len(under) < sum(map(bool, above[1:])) or all(text[0].islower() for _, text in under)
