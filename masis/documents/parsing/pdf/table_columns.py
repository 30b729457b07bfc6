"""Puts runs of text into the columns of a table: each whole, where it begins or where it ends."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

from masis.documents.parsing.placed_words import Word
from masis.documents.parsing.tables.cells import is_value

_TOLERANCE: Final = 1.5
"""Points that a run may stand over the border of its column."""
_ALIGNED: Final = 1.0
"""Points that edges of one alignment may differ."""
_ALIGNED_SHARE: Final = 0.3
_SPACE: Final = 0.75
"""A gap of so many sizes may part cells that are drawn together."""
_SIGNS: Final = {"$", "€", "£", "¥", "(", "%", ")", ")%"}
_MOST_COMPARED: Final = 60_000
"""Pairs of a run and a gap."""

_APART: Final = -1
"""Where a word was parted: what ends there is no piece of a drawing that goes on."""

Run = list[Word]


@dataclass(slots=True)
class Table:
    """The cells of a table on one page."""

    page: int
    rows: list[list[str]]


class Span(NamedTuple):
    """From where to where a column or a run stands, in points."""

    left: float
    right: float


def span(run: Run) -> Span:
    """Return the span in which a run stands."""
    return Span(min(word.left for word in run), max(word.right for word in run))


@dataclass(slots=True)
class Columns:
    """The columns of a table, and the edges of the runs that lie wholly in each of them."""

    spans: list[Span]
    lefts: list[list[float]]
    rights: list[list[float]]

    def place(self, where: Span) -> int:
        """The column of a run: the one that it lies in, or begins in; or ends in, if that aligns."""
        first = max(self.column(where.left), 0)
        last = min(
            bisect_left(self.spans, where.right - _TOLERANCE, key=lambda s: s.right),
            len(self.spans) - 1,
        )
        if first >= last or self.holds(where) or _aligns(where.left, self.lefts[first]):
            return first
        if _aligns(where.right, self.rights[last]):
            return last
        middle = (where.left + where.right) / 2
        centred = [
            at
            for at in range(first, last + 1)
            if abs((self.spans[at].left + self.spans[at].right) / 2 - middle) < _TOLERANCE
        ]
        return centred[0] if len(centred) == 1 else first

    def column(self, x: float) -> int:
        """The last column that begins before, or hardly behind."""
        return bisect_right(self.spans, x + _TOLERANCE, key=lambda s: s.left) - 1

    def holds(self, where: Span) -> bool:
        """Say whether a run lies wholly in one column."""
        at = self.column(where.left)
        return at >= 0 and where.right <= self.spans[at].right + _TOLERANCE

    def begins(self, x: float) -> bool:
        """Say whether a column's runs begin here."""
        at = self.column(x)
        return at > 0 and _aligns(x, self.lefts[at])

    def ends(self, x: float) -> bool:
        """Say whether a column's runs end here."""
        at = bisect_left(self.spans, x - _TOLERANCE, key=lambda s: s.right)
        return at < len(self.spans) and _aligns(x, self.rights[at])


def columns_of(spans: Sequence[Span], runs: Sequence[Span]) -> Columns:
    """The columns that stand there, with the edges of the runs in them."""
    found = Columns(list(spans), [[] for _ in spans], [[] for _ in spans])
    for run in runs:
        if found.holds(run):
            at = found.place(run)
            found.lefts[at].append(run.left)
            found.rights[at].append(run.right)
    for edges in (*found.lefts, *found.rights):
        edges.sort()
    return found


def _aligns(edge: float, edges: Sequence[float]) -> bool:
    near = _near(edge, edges)
    return near > 0 and near >= _ALIGNED_SHARE * len(edges)


# --- runs ----------------------------------------------------------------------------------


def split_at_seam(word: Word, begins: Callable[[float], bool]) -> Iterator[Word]:
    """A word, or both parts where what is drawn apart in it begins where another column's runs do."""
    seam = next((seam for seam in word.seams if begins(seam[1])), None)
    if seam is None or is_value(word.text):
        yield word
        return
    count, x, drawn = seam
    yield replace(word, text=word.text[:count], right=x, last=_APART, seams=())
    yield replace(word, text=word.text[count:], left=x, first=drawn, seams=())


def _near(x: float, edges: Sequence[float]) -> int:
    return bisect_right(edges, x + _ALIGNED) - bisect_left(edges, x - _ALIGNED)


def split_at_borders(
    run: Run, columns: Columns, size: float, others: Sequence[Span] = ()
) -> Iterator[Run]:
    """The runs of cells that borders part: where one stands in a gap that may part cells.

    Where nothing says what is drawn apart, no cell begins in a column where one of the `others`,
    the runs of the same line, does.
    """
    taken = {columns.column(other.left) for other in others}
    signs = all(is_value(word.text) or word.text in _SIGNS for word in run)
    part: Run = []
    for word in (piece for whole in run for piece in split_at_seam(whole, columns.begins)):
        free = word.first or columns.column(word.left) not in taken
        if (
            part
            and free
            and (
                _is_next_cell(part[-1], word, columns)
                or (
                    _has_border(part[-1], word, columns.spans)
                    and (signs or _is_apart(part[-1], word, columns, size))
                )
            )
        ):
            yield part
            part = []
        part.append(word)
    yield part


def pieces(run: Run, columns: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans of a run's parts that borders in its gaps might part."""
    part: Run = []
    for word in run:
        if part and _has_border(part[-1], word, columns):
            yield span(part)
            part = []
        part.append(word)
    yield span(part)


def _is_next_cell(before: Word, word: Word, columns: Columns) -> bool:
    """Say whether a word begins the next cell.

    It is drawn apart where a column begins, wherever the word before it ends.
    """
    apart = word.starts_after(before) or not word.first
    ends = is_value(word.text) and columns.ends(word.right)
    return apart and (columns.begins(word.left) or ends)


def _is_apart(before: Word, word: Word, columns: Columns, size: float) -> bool:
    return (
        word.starts_after(before)
        or (not word.first and columns.begins(word.left))
        or word.left - before.right > _SPACE * size
    )


def _has_border(before: Word, word: Word, columns: Sequence[Span]) -> bool:
    """Say whether a border stands between two words."""
    at = bisect_right(columns, (before.left + before.right) / 2, key=lambda s: s.left)
    return at < len(columns) and (
        before.right - _TOLERANCE <= columns[at].left <= word.left + _TOLERANCE
    )


# --- columns without rules -----------------------------------------------------------------


class _Gap(NamedTuple):
    """Between two runs of one row; the second may begin before the first ends."""

    left: float
    right: float
    row: int


def found_columns(rows: Sequence[Sequence[Span]]) -> list[Span]:
    """The columns of rows of runs: the spans that they cover together, from left to right.

    A run that goes over a gap which more rows have than go over it covers another column as well,
    and says nothing about where columns stand. What ends below the next run ends where that begins.
    """
    trimmed = [_trimmed(row) for row in rows]
    runs = [run for row in trimmed for run in row]
    gaps = [
        _Gap(before.right, after.left, number)
        for number, row in enumerate(trimmed)
        for before, after in pairwise(row)
    ]
    if len(runs) * len(gaps) <= _MOST_COMPARED:
        borders = [gap for gap in gaps if _is_border(gap, gaps, runs)]
        runs = [run for run in runs if not any(_crosses(run, gap) for gap in borders)]
    return _merged(runs)


def _trimmed(row: Sequence[Span]) -> list[Span]:
    ordered = sorted(row)
    return [
        Span(run.left, min(run.right, after.left)) if after.left > run.left else run
        for run, after in zip(ordered, [*ordered[1:], Span(float("inf"), 0)], strict=True)
    ]


def _crosses(run: Span, gap: _Gap) -> bool:
    return run.left < gap.left - _TOLERANCE and run.right > gap.right + _TOLERANCE


def _is_border(gap: _Gap, gaps: Sequence[_Gap], runs: Sequence[Span]) -> bool:
    over = sum(1 for run in runs if _crosses(run, gap))
    if not over:
        return False
    like = {
        one.row
        for one in gaps
        if one.left < gap.right + _TOLERANCE and one.right > gap.left - _TOLERANCE
    }
    return len(like) > over


def _merged(runs: Sequence[Span]) -> list[Span]:
    ordered = sorted(runs)
    columns = ordered[:1]
    for run in ordered[1:]:
        if run.left < columns[-1].right - _TOLERANCE:
            columns[-1] = Span(columns[-1].left, max(columns[-1].right, run.right))
        else:
            columns.append(run)
    return columns
