"""Find what a document says of the unit of a table's figures: at the table, above it, or of all its tables."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from masis.calculating.dimensions.dimensions import NO_UNIT, TableUnit
from masis.domain import EvidenceChunk
from masis.tables.stated_units import Stated, statements, unit_in

MOST_ABOVE: Final = 12
"""Passages above a table in which its unit is looked for."""
_PARTED: Final = " › "


class Said(NamedTuple):
    """A statement of a unit, and the line of the passage that it stands in."""

    stated: Stated
    chunk: EvidenceChunk
    line: int


class Begun(NamedTuple):
    """Tell where a table begins: its first column's name, its passage and its line there."""

    header: str
    chunk: EvidenceChunk
    line: int


def said_in(chunk: EvidenceChunk, lines: Sequence[tuple[int, str]]) -> list[Said]:
    """Return what lines of a passage, which are no rows, say of the unit of figures."""
    return [Said(found, chunk, at) for at, line in lines for found in statements(line)]


def unit_of(table: Begun, said: Sequence[Said], tables: Sequence[Begun]) -> TableUnit:
    """Return the unit of a table's figures: what stands nearest holds."""
    own = unit_in(table.header)
    if own is not None:
        return TableUnit(own)
    near = _above(table, said, tables)
    if near is not None and near.stated.reach != "some":
        return _found(near, table)
    heading = next(_headings(table.chunk), None)
    if heading is not None:
        return TableUnit(heading)
    document = [each for each in said if each.chunk.version_id == table.chunk.version_id]
    of_all = [each for each in document if each.stated.reach == "all"]
    if near is None and len({each.stated.dimensions for each in of_all}) == 1:
        return _found(of_all[0], table)
    others = (
        unit_in(each.header) for each in tables if each.chunk.version_id == table.chunk.version_id
    )
    mentioned = [*(each.stated for each in (near, *document) if each), *filter(None, others)]
    return NO_UNIT._replace(doubt=next((each.said for each in mentioned if each.scale > 1), ""))


def _found(said: Said, table: Begun) -> TableUnit:
    elsewhere = said.chunk.chunk_id != table.chunk.chunk_id
    return TableUnit(said.stated, said.chunk.chunk_id if elsewhere else "")


def _above(table: Begun, said: Sequence[Said], tables: Sequence[Begun]) -> Said | None:
    """Return the last statement above a table that no other table stands between."""
    begins = _spot(table.chunk, table.line)
    last = max((_spot(each.chunk, each.line) for each in tables if _is_before(each, begins, table)), default=(-1, -1))  # fmt: skip
    above = [
        each
        for each in said
        if each.chunk.version_id == table.chunk.version_id
        and last < _spot(each.chunk, each.line) < begins
        and table.chunk.position - each.chunk.position <= MOST_ABOVE
        and _holds(each.chunk.context, table.chunk.context)
    ]
    return above[-1] if above else None


def _holds(section: str, context: str) -> bool:
    """Tell whether a passage stands in a section or below it: "Note 1" holds no "Note 12"."""
    return not section or f"{context}{_PARTED}".startswith(f"{section}{_PARTED}")


def _is_before(each: Begun, spot: tuple[int, int], table: Begun) -> bool:
    return each.chunk.version_id == table.chunk.version_id and _spot(each.chunk, each.line) < spot


def _spot(chunk: EvidenceChunk, line: int) -> tuple[int, int]:
    return chunk.position, line


def _headings(chunk: EvidenceChunk) -> Iterator[Stated]:
    """Yield the units that the headings above a passage state, the nearest first."""
    for heading in reversed([chunk.title, *chunk.context.split(_PARTED)]):
        found = unit_in(heading)
        if found is not None:
            yield found
