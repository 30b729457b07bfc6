"""Read the tables of passages to their ends, from where the passages are stored."""

from collections.abc import Collection, Sequence
from typing import Final, Protocol

from masis.calculating.figures import LEAST_LIKE, tables
from masis.domain import Chunk, EvidenceChunk, WorkspaceId
from masis.graphs.analysis.agents import Rest
from masis.ports import Repository
from masis.tables.long_tables import SheetName
from masis.tables.stated_units import statements

MOST_TABLES: Final = 16
"""Tables that are read to their ends, the best passages' first."""
MOST_STATING: Final = 4
"""Passages beside a table that say the unit of figures."""
REACH: Final = 200
"""Passages to either side of one that a table is read in."""


class LongTables(Protocol):
    """Knows which sheets have tables that are too long to be read in passages."""

    async def longer(self, workspace_id: WorkspaceId) -> frozenset[SheetName]:
        """Return the sheets with a table of which the first rows alone may be passages."""
        ...


class StoredTables:
    """Reads the rest of tables from where the passages are stored."""

    def __init__(self, repository: Repository, long: LongTables | None = None) -> None:
        self._repository = repository
        self._long = long

    async def beside(self, evidence: Sequence[EvidenceChunk]) -> Rest:
        """Return the passages under the same headings that a table of the evidence goes on in."""
        spots: dict[tuple[str, str], list[EvidenceChunk]] = {}
        for chunk in evidence:
            if tables([chunk]):
                spots.setdefault((chunk.version_id, chunk.context), []).append(chunk)
        held = {chunk.chunk_id for chunk in evidence}
        beyond = await self._beyond(evidence) if spots else frozenset()
        found: list[EvidenceChunk] = []
        partial: set[str] = set()
        for number, chunks in enumerate(spots.values()):
            around = await self._whole(chunks[0], beyond) if number < MOST_TABLES else None
            if around is None:
                partial |= {chunk.chunk_id for chunk in chunks}
            else:
                found += [_evidence(chunks[0], each) for each in around if each.id not in held]
                held |= {each.id for each in around}
        return Rest(found, frozenset(partial))

    async def _beyond(self, evidence: Sequence[EvidenceChunk]) -> frozenset[SheetName]:
        if self._long is None:
            return frozenset()
        found = [await self._long.longer(each) for each in {chunk.workspace_id for chunk in evidence}]  # fmt: skip
        return frozenset().union(*found)

    async def _whole(
        self, chunk: EvidenceChunk, beyond: Collection[SheetName]
    ) -> list[Chunk] | None:
        """Return what stands under the same headings; None where that is too much to read.

        A table that goes on in a sheet whose first rows alone are passages is none that could be read.
        """
        first, last = max(0, chunk.position - REACH), chunk.position + REACH
        positions = range(first, last + 1)
        around = await self._repository.neighbours(chunk.workspace_id, chunk.version_id, positions)
        columns = _columns(chunk.text)
        same = [
            each
            for each in around
            if each.context == chunk.context or (columns and _columns(each.text) == columns)
        ]
        ends = {each.position for each in same}
        sheets = {SheetName(chunk.version_id, each.place.sheet or "") for each in same}
        if last in ends or (first and first in ends) or not sheets.isdisjoint(beyond):
            return None
        return [*same, *_stating(around, same)]


def _stating(around: Sequence[Chunk], table: Sequence[Chunk]) -> list[Chunk]:
    """Return the passages that say in what unit figures are: those above a table, the nearest first."""
    known = {each.id for each in table}
    begun = min((each.position for each in table), default=0)
    said = [each for each in around if each.id not in known and any(statements(each.text))]
    return sorted(said, key=lambda each: (each.position > begun, -each.position))[:MOST_STATING]


def _columns(text: str) -> list[str]:
    """Return the names of the columns of a text's first table; none where they are too few to know it by."""
    row = next((line for line in text.splitlines() if " | " in line), "")
    names = [part.partition(": ")[0] for part in row.removeprefix("- ").split(" | ")]
    return names if len(names) >= LEAST_LIKE else []


def _evidence(of: EvidenceChunk, chunk: Chunk) -> EvidenceChunk:
    return of.model_copy(
        update={
            "chunk_id": chunk.id,
            "place": chunk.place,
            "context": chunk.context,
            "position": chunk.position,
            "text": chunk.text,
            "score": 0.0,
        }
    )
