"""Vectors that a workspace holds already: a text that stays is not embedded again.

The store itself is the cache. It is bound to one workspace and one embedding profile (model,
dimension, version), lasts as long as the documents do, is as large as they are, and a deletion
leaves nothing of it behind.
"""

from collections.abc import Collection
from typing import Final

import numpy as np
from numpy.typing import NDArray

from masis.domain import Document
from masis.ports import Repository, VectorStore

_BATCH: Final = 256
"""Chunks that are read at a time: 200 KB of text, and 3 MB of vectors at the most usual length."""

Known = dict[str, NDArray[np.float32]]
"""By `Chunk.indexed_text`: its vector, shape (dimension,)."""


async def known_vectors(
    repository: Repository, store: VectorStore, document: Document, texts: Collection[str]
) -> Known:
    """The vectors of those among `texts` that are chunks of the document's visible version.

    Raises:
        StoreUnavailable: the database or the vectors cannot be read.
    """
    wanted = frozenset(texts)
    known: Known = {}
    for start in range(0, document.chunks, _BATCH):
        positions = range(start, min(start + _BATCH, document.chunks))
        chunks = await repository.neighbours(store.workspace_id, document.version_id, positions)
        same = {chunk.id: chunk.indexed_text for chunk in chunks if chunk.indexed_text in wanted}
        if same:
            vectors = await store.vectors(list(same))
            known |= {same[chunk_id]: vector for chunk_id, vector in vectors.items()}
    return known
