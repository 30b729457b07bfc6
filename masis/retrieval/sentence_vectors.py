"""The vectors of sentences, remembered: search, writer and critic look at the same ones."""

import asyncio
import hashlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

import numpy as np
from cachetools import TTLCache
from numpy.typing import NDArray

from masis.domain import WorkspaceId
from masis.ports import Embedder, Vectors

CACHED_SENTENCES: Final = 8_192
"""Sentence vectors kept in memory: 12 MB at 384 dimensions."""

KEPT_SECONDS: Final = 600.0
"""Since it was made: `forget` reaches one process, and what was deleted in another is gone from here
after so long. A conversation's questions about one document come closer together."""

_Vector = NDArray[np.float32]
_Kind = Literal["document", "query"]


class SentenceVectors:
    """Embeds the sentences that are not remembered, in one batch.

    Raises:
        EmbeddingError: the sentences could not be embedded.
    """

    def __init__(
        self,
        embedder: Embedder,
        size: int = CACHED_SENTENCES,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._embedder = embedder
        self._cache = SentenceCache(size, clock=clock)
        self.forget: Final = self._cache.forget
        """Drops all of a workspace; to be called when something of it is deleted."""

    async def of(self, workspace_id: WorkspaceId, texts: Sequence[str]) -> Vectors:
        """One row a text, in order; shape (len(texts), dimension)."""
        return await self._rows(workspace_id, texts, "document")

    async def questions(self, workspace_id: WorkspaceId, texts: Sequence[str]) -> Vectors:
        """The vectors of questions, one row each; of a service one request for all."""
        return await self._rows(workspace_id, texts, "query")

    async def question(self, workspace_id: WorkspaceId, text: str) -> _Vector:
        """The vector of a question; shape (dimension,)."""
        vector: _Vector = (await self.questions(workspace_id, [text]))[0]
        return vector

    async def _rows(self, workspace_id: WorkspaceId, texts: Sequence[str], kind: _Kind) -> Vectors:
        if not texts:
            return np.zeros((0, self._embedder.profile.dimension), dtype=np.float32)
        keys = {text: self._key(kind, text) for text in texts}
        known = self._cache.known(workspace_id, list(keys.values()))
        missing = [text for text, key in keys.items() if key not in known]
        if missing:
            rows = await self._embedder.embed(missing, kind)
            fresh = {keys[text]: rows[at].copy() for at, text in enumerate(missing)}
            self._remember(workspace_id, fresh)
            known |= fresh
        return np.stack([known[keys[text]] for text in texts])

    def _key(self, kind: _Kind, text: str) -> str:
        """Return what a vector is of.

        That is the model with its dimension and version, the kind, and the text.

        Some models embed a query otherwise than a text, so it is remembered apart.
        """
        profile = self._embedder.profile
        return f"{profile.model}\x00{profile.id}\x00{kind}\x00{text}"

    def _remember(self, workspace_id: WorkspaceId, vectors: Mapping[str, _Vector]) -> None:
        self._cache.remember(workspace_id, vectors)
        # Also where nobody asks any more.
        asyncio.get_running_loop().call_later(KEPT_SECONDS, self._cache.expire)


class SentenceCache:
    """The sentence vectors made last, by workspace; never the sentences themselves.

    A deleted document leaves nothing behind once `forget` was called, and in another process after
    `KEPT_SECONDS` of `clock`. Safe to share by threads.
    """

    def __init__(self, size: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        # A vector's time counts from when it was made, not used: what is deleted is used on.
        self._vectors: TTLCache[tuple[WorkspaceId, bytes], _Vector] = TTLCache(
            size, KEPT_SECONDS, clock
        )
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._vectors)

    def known(self, workspace_id: WorkspaceId, texts: Sequence[str]) -> dict[str, _Vector]:
        """The vectors of those among `texts` that are remembered."""
        with self._lock:
            self._vectors.expire()
            found = ((text, self._vectors.get((workspace_id, _digest(text)))) for text in texts)
            return {text: vector for text, vector in found if vector is not None}

    def remember(self, workspace_id: WorkspaceId, vectors: Mapping[str, _Vector]) -> None:
        """Keep these, and let go of those used longest ago."""
        with self._lock:
            for text, vector in vectors.items():
                self._vectors[workspace_id, _digest(text)] = vector

    def expire(self) -> None:
        """Drop what is too old."""
        with self._lock:
            self._vectors.expire()

    def forget(self, workspace_id: WorkspaceId) -> None:
        """Drop all of a workspace."""
        with self._lock, self._vectors.timer:  # the time stands still within the block
            self._vectors.expire()
            for key in [key for key in self._vectors if key[0] == workspace_id]:
                del self._vectors[key]


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def blended(whole: _Vector, part: _Vector, share: float) -> _Vector:
    """Return a text's vector with one of its parts counting by a share for itself."""
    both: _Vector = (1 - share) * whole + share * part
    return both / np.linalg.norm(both)
