"""An embedding service as an `Embedder`: its requests pass the same gateway as model calls."""

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from masis.domain import EmbeddingProfile
from masis.errors import EmbeddingError, ModelServiceError
from masis.models.accounting import Accountant
from masis.models.gateway import DEFAULT_BACKOFF, Backoff, Circuits, retried
from masis.models.permits import MemoryCallSlots
from masis.models.rate_limit import RateLimit
from masis.policy import EMBEDDING_BATCH, EMBEDDING_CALLS_PER_MINUTE
from masis.ports import CallSlots, Embedder, EmbeddingService, Vectors

NAME: Final = "embedding"
"""As what its calls are counted."""


class ServedEmbedder:
    """Embeds in batches; every attempt of a batch takes a place and is on the payer's account.

    Without `slots` it has some of its own.
    """

    def __init__(
        self,
        service: EmbeddingService,
        *,
        slots: CallSlots | None = None,
        accountant: Accountant | None = None,
        backoff: Backoff = DEFAULT_BACKOFF,
        batch: int = EMBEDDING_BATCH,
    ) -> None:
        self._service = service
        self._accountant = accountant
        self._backoff = backoff
        self._batch = batch
        self._circuits = Circuits()
        places = slots or MemoryCallSlots(EMBEDDING_CALLS_PER_MINUTE)
        self._limit = RateLimit({NAME: places}, admit=self._circuits.admit)

    @property
    def profile(self) -> EmbeddingProfile:
        """Return the profile, which says which vectors these are."""
        return self._service.profile

    async def embed(
        self, texts: Sequence[str], kind: Literal["document", "query"] = "document"
    ) -> Vectors:
        """One row a text, in order. These models make no difference between kinds of text.

        Raises:
            EmbeddingError: the service failed, or sent vectors of another kind.
            BudgetSpent: the payer may spend no more today.
            StoreUnavailable: the database that holds the places or the budget is away.
        """
        del kind
        found = np.empty((len(texts), self.profile.dimension), dtype=np.float32)
        for start in range(0, len(texts), self._batch):
            # The service refuses empty texts; a blank one has a harmless vector.
            batch = [text or " " for text in texts[start : start + self._batch]]
            found[start : start + len(batch)] = await self._vectors(batch)
        return found

    async def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self._accountant is not None:
            await self._accountant.check()
        try:
            return await retried(lambda: self._placed(texts), self._backoff)
        except ModelServiceError as error:
            failure = EmbeddingError(str(error))
            failure.retryable = error.retryable
            raise failure from None

    async def _placed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return await self._limit.call(
            NAME, lambda: self._circuits.call(NAME, lambda: self._paid(texts))
        )

    async def _paid(self, texts: Sequence[str]) -> NDArray[np.float32]:
        reply = await self._service.request(texts)
        if self._accountant is not None:
            await self._accountant.charge(NAME, self.profile.model, reply.usage)
        return reply.vectors


class Calibrated:
    """An embedder whose cosine means what the operator has measured. It is an `Embedder` itself."""

    def __init__(self, embedder: Embedder, calibration: list[tuple[float, float]]) -> None:
        self._embedder = embedder
        self.profile = embedder.profile.model_copy(update={"calibration": calibration})

    async def embed(
        self, texts: Sequence[str], kind: Literal["document", "query"] = "document"
    ) -> Vectors:
        """One row a text, in order."""
        return await self._embedder.embed(texts, kind)
