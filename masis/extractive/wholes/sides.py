"""Tell two things in the same respects, from one table that has both as rows or as columns. Pure."""

import re
from collections.abc import Sequence
from itertools import repeat
from typing import Final, NamedTuple

from masis.domain import EvidenceChunk
from masis.extractive.comparison import Side
from masis.extractive.wholes.collections import CODE, Collection, Row
from masis.extractive.wholes.values import WholeLine
from masis.retrieval.extraction import of_chunk
from masis.text.lexical import terms

MOST_RESPECTS: Final = 20
MOST_CELL: Final = 200
MOST_ROWS: Final = 8
MOST_OF_SECTION: Final = 6
MOST_TOLD: Final = 400
"""Characters of a line about one of the two."""
LEAST_TOLD: Final = 3
"""Words that a line has behind the thing that it begins with."""
_MARKS: Final = re.compile(r"^[\s*_#>•-]+|\*\*")
_SAYS_NOTHING: Final = frozenset(
    terms(
        "differ differs different difference compare comparison us per each vs versus option options respect main key "
        "thing things both side offer better best get please old new"
    )
)


class Compared(NamedTuple):
    """The lines of a comparison, the table that they are of, and how many respects they tell."""

    lines: list[WholeLine]
    collection: Collection
    names: tuple[str, str]


class _Told(NamedTuple):
    lines: list[WholeLine]
    names: tuple[str, str]


def compared(
    pair: tuple[Side, Side], found: Sequence[Collection], narrowing: Sequence[str]
) -> list[Compared]:
    """Return the tables that hold both things, the one that tells most of them first.

    What else is asked must be the name of a table, or of some of its respects: then of those alone.
    """
    told = [made for one in found if one.kind == "table" and (made := _of(pair, one))]
    told = [each for each in told if _is_told_of(pair, each)] or told
    left = [made for each in told if (made := _narrowed(each, narrowing))]
    return sorted(left, key=lambda each: -len(each.lines))


def _narrowed(made: Compared, narrowing: Sequence[str]) -> Compared | None:
    """The respects that are asked for; None where something else is."""
    one = made.collection
    name = one.chunk.document.replace("_", " ").replace("-", " ")
    above = f"{one.label} {one.lead} {one.intro} {' '.join(one.chunk.place.headings)} {one.chunk.title} {name}"
    over = set(terms(f"{above} {one.naming_column} {' '.join(made.names)}"))
    respects = [set(terms(line.text.partition(" – ")[0])) for line in made.lines]
    wanted = [t for t in narrowing if t not in _SAYS_NOTHING]
    in_respects = [t for t in wanted if any(t in said for said in respects)]
    if any(t not in over and t not in in_respects for t in wanted):
        return None
    own = [t for t in in_respects if t not in over or {t} in respects]
    lines = [line for line, said in zip(made.lines, respects, strict=True) if said.issuperset(own)]
    return made._replace(lines=lines) if lines else None


def _is_told_of(pair: tuple[Side, Side], made: Compared) -> bool:
    """Say whether the rows or columns themselves are called as the two things are."""
    return all(side.is_named_in(name) for side, name in zip(pair, made.names, strict=True))


def _of(pair: tuple[Side, Side], one: Collection) -> Compared | None:
    told = _by_column(pair, one)
    told = told if told.lines else _by_row(pair, one)
    return Compared(told.lines[:MOST_RESPECTS], one, told.names) if told.lines else None


def _by_column(pair: tuple[Side, Side], one: Collection) -> _Told:
    """Both are columns: each row is a respect."""
    names = [next((c for c in one.columns if side.is_named_in(c)), "") for side in pair]
    if not all(names) or names[0] == names[1]:
        return _Told([], ("", ""))
    lines = []
    for row in one.rows:
        cells = dict(row.cells)
        values = [cells.get(name, "–")[:MOST_CELL] for name in names]
        if values != ["–", "–"]:
            text = f"{row.name} – {names[0]}: {values[0]}; {names[1]}: {values[1]}"
            lines.append(WholeLine(text=text, ids=[row.chunk.chunk_id]))
    return _Told(lines, (names[0], names[1]))


def _by_row(pair: tuple[Side, Side], one: Collection) -> _Told:
    """Both are rows: each column is a respect; of several rows each those that say the same kind."""
    ours, theirs = _rows_of(pair[0], pair[1], one), _rows_of(pair[1], pair[0], one)
    lines: list[WholeLine] = []
    names = ("", "")
    several = min(len(ours), len(theirs)) > 1
    varying = _varying(ours) | _varying(theirs) if several else set()
    for a, b in _like(ours, theirs):
        if a is b:
            continue
        names = (a.name, b.name)
        lines += _differing(a, b, varying)
    return _Told(_once(lines), names)


def _once(lines: Sequence[WholeLine]) -> list[WholeLine]:
    return list({line.text: line for line in lines}.values())


def _like(ours: Sequence[Row], theirs: Sequence[Row]) -> list[tuple[Row, Row]]:
    """The rows of both sides that belong together: the one of each, or those of one kind."""
    if len(ours) == 1 or len(theirs) == 1:
        return [(ours[0], theirs[0])] if ours and theirs else []
    return [(a, b) for a in ours for b in theirs if _kind(a) and _kind(a) == _kind(b)]


def _kind(row: Row) -> str:
    """What tells one row of a thing from its others: the cell behind its name."""
    values = [value for _, value in row.cells if value != row.name]
    return values[0] if values else ""


def _varying(rows: Sequence[Row]) -> set[str]:
    """The columns in which the rows of one thing differ."""
    columns = dict.fromkeys(column for row in rows for column, _ in row.cells)
    return {c for c in columns if len({dict(row.cells).get(c) for row in rows}) > 1}


def _differing(a: Row, b: Row, varying: set[str]) -> list[WholeLine]:
    """A line for each column of two rows, but for those that name and number them."""
    ours, theirs = dict(a.cells), dict(b.cells)
    naming = {column for column, value in a.cells if value == a.name or CODE.fullmatch(value)}
    kind = _kind(a) if varying else ""
    ids = list(dict.fromkeys([a.chunk.chunk_id, b.chunk.chunk_id]))
    lines = []
    for column in dict.fromkeys([*ours, *theirs]):
        values = [cells.get(column, "–")[:MOST_CELL] for cells in (ours, theirs)]
        is_name = values[0] == a.name or (column in naming and column == a.cells[0][0])
        if column and not is_name and (not kind or values[0] != kind):
            of = f"{kind}, {column}" if column in varying else column
            text = f"{of} – {a.name}: {values[0]}; {b.name}: {values[1]}"
            lines.append(WholeLine(text=text, ids=ids))
    return lines


def _rows_of(side: Side, other: Side, one: Collection) -> list[Row]:
    """The rows whose name is the side and not the other, else is all of its words, else that say it first."""

    def is_meant(text: str) -> bool:
        return side.is_named_in(text) and not other.is_named_in(text)

    named = [row for row in one.rows if is_meant(row.name)]
    if named:
        return named[:MOST_ROWS]
    exact = [row for row in one.rows if terms(row.name) and set(terms(row.name)) <= set(side.words)]
    if exact:
        return [max(exact, key=lambda row: len(terms(row.name)))]
    return [row for row in one.rows if any(is_meant(v) for _, v in row.cells[:3])][:1]


def stated(pair: tuple[Side, Side], chunks: Sequence[EvidenceChunk]) -> list[WholeLine]:
    """Return the lines that begin with either of two things, or what stands in sections named so.

    Both must have some, in one document.
    """
    ours, theirs = (_own_lines(side, chunks) for side in pair)
    if not ours or not theirs:
        ours, theirs = (
            _own_section(side, other, chunks)
            for side, other in zip(pair, reversed(pair), strict=True)
        )
    return [*ours, *theirs] if ours and theirs else []


def _own_lines(side: Side, chunks: Sequence[EvidenceChunk]) -> list[WholeLine]:
    """The lines that begin with a thing and go on about it."""
    found = []
    for chunk in chunks:
        for text in map(_MARKS.sub, repeat(""), chunk.text.splitlines(), repeat(1)):
            said = terms(text)
            size = len(side.words)
            if tuple(said[:size]) == side.words and len(said) >= size + LEAST_TOLD:
                flat = " ".join(text.strip("| ").split())
                found.append(WholeLine(text=flat[:MOST_TOLD], ids=[chunk.chunk_id]))
    return found[:MOST_ROWS]


def _own_section(side: Side, other: Side, chunks: Sequence[EvidenceChunk]) -> list[WholeLine]:
    """What stands under a heading that names one thing and not the other."""
    found: list[WholeLine] = []
    for chunk in chunks:
        for passage in of_chunk(chunk):
            heading = passage.heading
            if side.is_named_in(heading) and not other.is_named_in(heading):
                text = f"{heading.rstrip(':')} – {passage.text}"
                found.append(WholeLine(text=text[:MOST_TOLD], ids=[chunk.chunk_id]))
    return found[:MOST_OF_SECTION]


def pair_of(texts: tuple[str, str] | None) -> tuple[Side, Side] | None:
    """Return the two sides as they are written, where nothing parts them better: "friend and good friend"."""
    if texts is None:
        return None
    one, other = (tuple(t for t in terms(text) if t not in _SAYS_NOTHING) for text in texts)
    if not one or not other or one == other:
        return None
    return Side(" ".join(one), one), Side(" ".join(other), other)
