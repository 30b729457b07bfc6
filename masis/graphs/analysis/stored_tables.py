"""Read the tables of passages to their ends, from where the passages are stored."""

from collections.abc import Sequence
from typing import Final

from masis.answering.figures import tables
from masis.domain import Chunk, EvidenceChunk
from masis.ports import Repository

MOST_TABLES: Final = 6
"""Tables that are read to their ends, the best passages' first."""
REACH: Final = 200
"""Passages to either side of one that a table is read in."""


class StoredTables:
    """Reads the rest of tables from where the passages are stored."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def beside(self, evidence: Sequence[EvidenceChunk]) -> list[EvidenceChunk]:
        """Return the passages under the same headings that a table of the evidence goes on in."""
        held = {chunk.chunk_id for chunk in evidence}
        spots: dict[tuple[str, str], EvidenceChunk] = {}
        for chunk in evidence:
            if tables([chunk]) and len(spots) < MOST_TABLES:
                spots.setdefault((chunk.version_id, chunk.context), chunk)
        found: list[EvidenceChunk] = []
        for chunk in spots.values():
            for each in await self._around(chunk):
                if each.id not in held:
                    held.add(each.id)
                    found.append(_evidence(chunk, each))
        return found

    async def _around(self, chunk: EvidenceChunk) -> list[Chunk]:
        positions = range(max(0, chunk.position - REACH), chunk.position + REACH + 1)
        around = await self._repository.neighbours(chunk.workspace_id, chunk.version_id, positions)
        return [each for each in around if each.context == chunk.context]


def _evidence(of: EvidenceChunk, chunk: Chunk) -> EvidenceChunk:
    return of.model_copy(
        update={
            "chunk_id": chunk.id,
            "place": chunk.place,
            "position": chunk.position,
            "text": chunk.text,
            "score": 0.0,
        }
    )
