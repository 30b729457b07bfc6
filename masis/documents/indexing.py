"""Index a document's text so that it is found: chunks, their terms, vectors and points."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from typing import Final

import numpy as np

from masis.documents.chunking import chunk_document
from masis.documents.known_vectors import Known
from masis.domain import Chunk, ParsedDocument
from masis.errors import EmbeddingError
from masis.ports import Embedder, Point, SparseVector, Vectors
from masis.records import Version
from masis.text.lexical import sparse_document, term_id, terms

_EMBEDDED_AT_ONCE: Final = 2
"""With two documents at the embedder there is always a batch waiting when one is done."""
_EMBED_BATCH: Final = 64


OnShare = Callable[[float], None]
"""Told which share of a document's new passages is embedded, from 0 to 1; returns at once."""


class ChunkVectors:
    """Embeds the chunks of documents, a few documents at a time."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._places = asyncio.Semaphore(_EMBEDDED_AT_ONCE)

    async def of(
        self, chunks: Sequence[Chunk], known: Known, on_share: OnShare | None = None
    ) -> Vectors | None:
        """One row a chunk, or None without an embedder. What is `known` is not embedded.

        `on_share` is told how far it is.

        Raises:
            EmbeddingError: the embedder failed, or gave vectors of another shape.
        """
        if self._embedder is None:
            return None
        texts = [chunk.indexed_text for chunk in chunks]
        wanted = [text for text in texts if text not in known]
        fresh = await self._embedded(self._embedder, wanted, on_share)
        rows = iter(fresh)
        return np.stack([known[text] if text in known else next(rows) for text in texts])

    async def _embedded(
        self, embedder: Embedder, texts: Sequence[str], on_share: OnShare | None
    ) -> Vectors:
        dimension = embedder.profile.dimension
        if not texts:
            return np.empty((0, dimension), dtype=np.float32)
        async with self._places:
            parts = []
            for start in range(0, len(texts), _EMBED_BATCH):
                if on_share is not None:
                    on_share(start / len(texts))
                parts.append(await embedder.embed(texts[start : start + _EMBED_BATCH]))
        dense = np.concatenate(parts)
        if dense.shape != (len(texts), dimension):
            raise EmbeddingError(f"the embedder gave {dense.shape} for {len(texts)} texts")
        return dense


def chunked(version: Version, parsed: ParsedDocument) -> tuple[list[Chunk], list[SparseVector]]:
    """Its chunks in reading order, and the terms of each with their weights."""
    chunks = chunk_document(
        parsed,
        workspace_id=version.workspace_id,
        document_id=version.document_id,
        version_id=version.id,
    )
    return chunks, [sparse_document(chunk.indexed_text) for chunk in chunks]


def points_of(
    chunks: Sequence[Chunk],
    parsed: ParsedDocument,
    dense: Vectors | None,
    sparse: Sequence[SparseVector],
) -> list[Point]:
    """One point a chunk, in seconds for many; `dense` has a row for each, or is None without an embedder."""
    headings = {block.text.strip() for block in parsed.blocks if block.kind == "heading"}
    return [
        Point(
            chunk_id=chunk.id,
            document_id=chunk.document_id,
            version_id=chunk.version_id,
            position=chunk.position,
            format=parsed.format,
            dense=None if dense is None else dense[row],
            sparse=sparse[row],
            section=_section(chunk, headings),
        )
        for row, chunk in enumerate(chunks)
    ]


def _section(chunk: Chunk, headings: Collection[str]) -> tuple[int, ...]:
    """The term ids of the headings and of the sheet that a chunk stands under or holds.

    Small neighbours share a chunk, in which their own headings are lines of the text.
    """
    held = [line for line in chunk.text.split("\n") if line in headings]
    said = terms(" ".join([*chunk.place.headings, chunk.place.sheet or "", *held]))
    return tuple(sorted({term_id(term) for term in said}))
