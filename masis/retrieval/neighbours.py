"""Find what stands beside the evidence. An answer that begins in one chunk may end in the next.

A chunk that is kept may lack a line of its answer where that stands at its border, or where its list
or table goes on behind it. Its neighbours then come along, below everything that was found. Where it is
asked whether one may, so does the section between two that were found.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from masis.domain import Chunk, EvidenceChunk, WorkspaceId
from masis.phrases import obligations
from masis.ports import Repository
from masis.retrieval.extraction import Passage, embedded_text, passages
from masis.retrieval.sentence_vectors import SentenceVectors
from masis.text.lexical import terms
from masis.text.sentences import Unit, units

READ: Final = 3
"""Of the first chunks alone: they stay whole in a prompt (`policy.UNCOMPRESSED_CHUNKS`), and what
stands beside a weaker one is seldom what was asked for."""
ROOM: Final = 1_200
"""Characters of all neighbours together: one chunk, or two short ones. On the sample and the handbook
they come along with 17 of 76 questions; 4,000 bring 2 chunks more, and neither an answer more: 71 of 76
stand in the evidence without any, and the offline writer quotes the same 63. The prompts of writer and
auditor become 1.6 % longer in the median, on the sample."""

MOST_BETWEEN: Final = 2
"""Sections that come along because they lie between two that were found."""

_LISTED: Final = frozenset({"list_item", "table_row"})


@dataclass(frozen=True, slots=True)
class _Side:
    """The chunk beside `of`, at `position`. With `rest` it is wanted only where the list goes on."""

    of: EvidenceChunk
    position: int
    rest: str | None = None


class Neighbours:
    """Finds the chunks beside the evidence, of the same version of the same document.

    Without sentence vectors the words of a sentence say whether it answers.
    """

    def __init__(
        self,
        repository: Repository,
        sentences: SentenceVectors | None,
        *,
        room: int = ROOM,
    ) -> None:
        self._repository = repository
        self._sentences = sentences
        self._room = room

    async def beside(
        self, question: str, evidence: Sequence[EvidenceChunk], room: int
    ) -> list[EvidenceChunk]:
        """Find what to read with the evidence, nothing of which it holds.

        It has `room` characters at most.

        They were not searched for, and have no scores.

        Raises:
            EmbeddingError: the question could not be embedded.
            StoreUnavailable: the database cannot be read.
        """
        left = min(room, self._room)
        held = {chunk.chunk_id for chunk in evidence}
        found: list[EvidenceChunk] = []
        for side in await self._sides(question, evidence[:READ]):
            chunk = await self._at(side)
            if chunk is None or chunk.id in held or len(chunk.text) > left:
                continue
            held.add(chunk.id)
            left -= len(chunk.text)
            found.append(_beside(side.of, chunk))
        return found

    async def _sides(self, question: str, evidence: Sequence[EvidenceChunk]) -> list[_Side]:
        sides: list[_Side] = []
        for chunk in evidence:
            found = passages([chunk])
            best = await self._best(question, chunk.workspace_id, found)
            sides.extend(_open_sides(chunk, best))
        return sides

    async def _best(
        self, question: str, workspace_id: WorkspaceId, found: Sequence[Passage]
    ) -> Passage | None:
        """The passage that is nearest to the question."""
        if not found:
            return None
        if self._sentences is None:
            asked = set(terms(question))
            return max(found, key=lambda each: len(asked.intersection(terms(each.text))))
        vectors = await self._sentences.of(workspace_id, [embedded_text(each) for each in found])
        cosines = vectors @ await self._sentences.question(workspace_id, question)
        return found[int(cosines.argmax())]

    async def _at(self, side: _Side) -> Chunk | None:
        """The chunk on that side, where it is there and goes on with what it is wanted for."""
        if side.position < 0:
            return None
        of = side.of
        found = await self._repository.neighbours(of.workspace_id, of.version_id, [side.position])
        wanted = (chunk for chunk in found if side.rest is None or _goes_on(side, chunk))
        return next(wanted, None)


class RuleSections:
    """Finds the section between two of a document, where it is asked whether one may.

    What a rule excepts has the words of such a question more often than the rule itself.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def beside(
        self, question: str, evidence: Sequence[EvidenceChunk], room: int
    ) -> list[EvidenceChunk]:
        """Find what lies between the evidence, `MOST_BETWEEN` chunks and `room` characters at most.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        sides = (
            list(_between(evidence))[:MOST_BETWEEN] if obligations.asks_for_one(question) else []
        )
        found: list[EvidenceChunk] = []
        for of, position in sides:
            for chunk in await self._repository.neighbours(
                of.workspace_id, of.version_id, [position]
            ):
                if len(chunk.text) <= room:
                    room -= len(chunk.text)
                    found.append(
                        _beside(of, chunk).model_copy(update={"rank_score": of.rank_score})
                    )
        return found


def _between(evidence: Sequence[EvidenceChunk]) -> Iterator[tuple[EvidenceChunk, int]]:
    """Yield a chunk and the place behind it, where that alone lies between it and another one."""
    held = {(chunk.version_id, chunk.position) for chunk in evidence}
    for chunk in evidence:
        behind = (chunk.version_id, chunk.position + 1)
        if behind not in held and (chunk.version_id, chunk.position + 2) in held:
            yield chunk, chunk.position + 1


def _open_sides(chunk: EvidenceChunk, best: Passage | None) -> Iterator[_Side]:
    """Yield where the answer may go on: behind a list, and beyond the border that it stands at."""
    lines = units(chunk.text)
    if not lines:
        return
    last = lines[-1]
    if best is not None and best.index == len(lines) - 1 and last.kind == "sentence":
        yield _Side(chunk, chunk.position + 1)
    elif last.kind in _LISTED and best is not None and best.unit.kind == last.kind:
        yield _Side(chunk, chunk.position + 1, rest=last.kind)
    if best is not None and best.dangling and _first(lines) == best.index:
        yield _Side(chunk, chunk.position - 1)


def _first(lines: Sequence[Unit]) -> int:
    """The first unit that is no heading."""
    return next((at for at, unit in enumerate(lines) if unit.kind != "heading"), 0)


def _goes_on(side: _Side, chunk: Chunk) -> bool:
    """Say whether the list or table goes on.

    The headings are the same, and a line of the same kind comes first.
    """
    if chunk.context != side.of.context:
        return False
    plain = [unit for unit in units(chunk.text) if not unit.flat.endswith(":")]
    return bool(plain) and plain[0].kind == side.rest


def _beside(of: EvidenceChunk, chunk: Chunk) -> EvidenceChunk:
    return EvidenceChunk(
        **of.model_dump(
            include={"workspace_id", "document_id", "version_id", "document", "title", "date"}
        ),
        chunk_id=chunk.id,
        place=chunk.place,
        position=chunk.position,
        text=chunk.text,
        context=chunk.context,
        score=0.0,
    )
