"""Find how a document begins, for whoever names it and asks what it is about.

No search for words finds that.

What a document begins with was not found by relevance. It is evidence, and speaks for no answer.
"""

from collections.abc import Sequence
from typing import Final

from masis.domain import Chunk, Document, EvidenceChunk
from masis.policy import UNCOMPRESSED_CHUNKS
from masis.ports import Repository
from masis.retrieval.evidence import unscored
from masis.retrieval.extraction import wanted
from masis.text.lexical import terms

FIRST: Final = UNCOMPRESSED_CHUNKS
"""Chunks, some 2,400 characters: they stand first, and so stay whole in a prompt."""

_ASKING: Final = frozenset(
    terms(
        """
        aim brief briefly content contents cover covers describe description detail details explain
        general gist give important information introduce introduction key main mean message need
        overall overview outline point points purpose quick quickly read say says short shortly show
        sketch subject sum summarise summarize summary summaries tl dr tldr topic topics understand whole
        entire know learn let look see want inside kind sort thing things
        agreement contract deck doc document file guide handbook letter manual memo one page pages
        paper pdf policy presentation report sheet slide slides spreadsheet text workbook
        """
    )
)
"""Words that ask for a document as a whole, or only say what kind of document it is. English, as the
stop words are ("what", "is", "about", "does", "tell" and "me" are some)."""


def asks_for_the_whole(question: str) -> bool:
    """Say whether a question, without its filters, asks for nothing in particular.

    "When?" and "how many?" do, however few words stand beside them.
    """
    return _ASKING.issuperset(terms(question)) and wanted(question) in {"any", "yes_no"}


def whole_words() -> frozenset[str]:
    """Return the terms that ask for a document as a whole, or only say what kind of one it is."""
    return _ASKING


async def introduction(
    repository: Repository, document: Document, version_id: str
) -> list[EvidenceChunk]:
    """The first chunks of a visible version of the document; none where it is not visible any more.

    Raises:
        StoreUnavailable: the database cannot be read.
    """
    found = await repository.neighbours(document.workspace_id, version_id, range(FIRST))
    return [
        unscored(chunk, document).model_copy(update={"asked_by_name": True})
        for chunk in found
        if _is_of(chunk, document)
    ]


def opening(evidence: Sequence[EvidenceChunk]) -> list[EvidenceChunk]:
    """The first chunks of the documents that a question asks for as a whole, in reading order."""
    named = {chunk.document_id for chunk in evidence if chunk.asked_by_name}
    found = [c for c in evidence if c.document_id in named and c.position < FIRST]
    return sorted(found, key=lambda chunk: chunk.position)


def found(evidence: Sequence[EvidenceChunk]) -> list[EvidenceChunk]:
    """The evidence that a search found: the only part that says whether a question is answered."""
    return [chunk for chunk in evidence if not chunk.asked_by_name]


def _is_of(chunk: Chunk, document: Document) -> bool:
    """Checked again after the database: a tenant's text must never reach another."""
    return (chunk.workspace_id, chunk.document_id) == (document.workspace_id, document.id)
