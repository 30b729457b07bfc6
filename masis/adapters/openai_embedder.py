"""Embeddings from any OpenAI-compatible service, as the Embedder port."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError

from masis.accounting import Accountant
from masis.adapters.openai_service import (
    BodyTooLarge,
    Endpoint,
    call,
    client,
    http_client,
    usage_of,
)
from masis.domain import EmbeddingProfile
from masis.errors import EmbeddingError, InvalidSettings, ModelServiceError
from masis.gateway import DEFAULT_BACKOFF, Backoff, retried
from masis.policy import EMBEDDING_BATCH, MODEL_CALL_SECONDS
from masis.ports import Vectors

ADA_002: Final = "text-embedding-ada-002"
IDENTITY: Final = ((0.0, 0.0), (1.0, 1.0))
"""The relevance scale is the cosine scale of ada-002; other models want a calibration."""

DIMENSIONS: Final[Mapping[str, int]] = {
    ADA_002: 1536,
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
}
"""Vector lengths as OpenAI's model pages give them."""

MAX_BODY_BYTES: Final = 32_000_000
"""A full batch of 3,072 numbers of 22 characters each comes to 9 MB."""


class _Row(BaseModel):
    index: int
    embedding: list[float]


class _Rows(BaseModel):
    data: list[_Row]
    usage: dict[str, Any] | None = None


class OpenAIEmbedder:
    """An embedding service whose every vector is checked before anybody stores it.

    `dimension` is needed for a model that is not in `DIMENSIONS`. With an `accountant` every request
    is on the account of the payer in force.

    Raises:
        InvalidSettings: the model's dimension is not known.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        dimension: int | None = None,
        calibration: Sequence[tuple[float, float]] = IDENTITY,
        timeout: float = MODEL_CALL_SECONDS,
        backoff: Backoff = DEFAULT_BACKOFF,
        batch: int = EMBEDDING_BATCH,
        accountant: Accountant | None = None,
    ) -> None:
        length = dimension or DIMENSIONS.get(endpoint.model)
        if length is None:
            raise InvalidSettings(
                f"The length of the vectors of {endpoint.model} is not known."
                " Set MASIS_EMBEDDING_DIMENSION to it."
            )
        self._endpoint = endpoint
        self._timeout = timeout
        self._backoff = backoff
        self._batch = batch
        self._accountant = accountant
        self._pool = http_client(MAX_BODY_BYTES, timeout)
        self._client = client(endpoint, self._pool)
        self._profile = EmbeddingProfile(
            name=endpoint.model,
            model=endpoint.model,
            dimension=length,
            version="1",
            calibration=list(calibration),
        )

    @property
    def profile(self) -> EmbeddingProfile:
        """Which vectors these are."""
        return self._profile

    async def embed(
        self, texts: Sequence[str], kind: Literal["document", "query"] = "document"
    ) -> Vectors:
        """One row a text, in order. These models make no difference between kinds of text.

        Raises:
            EmbeddingError: the service failed, or sent vectors of another kind.
            BudgetSpent: the payer may spend no more today.
        """
        del kind
        found = np.empty((len(texts), self._profile.dimension), dtype=np.float32)
        for start in range(0, len(texts), self._batch):
            # The service refuses empty texts; a blank one has a harmless vector.
            batch = [text or " " for text in texts[start : start + self._batch]]
            found[start : start + len(batch)] = await self._vectors(batch)
        return found

    async def close(self) -> None:
        """Let go of the connections."""
        await self._pool.aclose()

    async def _vectors(self, texts: list[str]) -> NDArray[np.float32]:
        if self._accountant is not None:
            await self._accountant.check()
        try:
            said = _Rows.model_validate_json(await self._asked(texts))
        except ValidationError:
            raise self._useless("no vectors") from None
        if self._accountant is not None:
            figures = said.usage or {}
            tokens = figures.get("prompt_tokens", figures.get("total_tokens"))
            await self._accountant.charge("embedding", self._endpoint.model, usage_of(tokens))
        return self._checked(said.data, len(texts))

    async def _asked(self, texts: list[str]) -> bytes:
        try:
            return await retried(
                lambda: call(lambda: self._send(texts), self._endpoint, self._timeout),
                self._backoff,
            )
        except ModelServiceError as error:
            failure = EmbeddingError(str(error))
            failure.retryable = error.retryable
            raise failure from None
        except BodyTooLarge:
            raise self._useless("far too much") from None

    async def _send(self, texts: list[str]) -> bytes:
        # Numbers as numbers: not every compatible service knows the client's base64 form.
        response = await self._client.embeddings.with_raw_response.create(
            model=self._endpoint.model, input=texts, encoding_format="float"
        )
        return response.content

    def _checked(self, data: list[_Row], count: int) -> NDArray[np.float32]:
        rows = sorted(data, key=lambda row: row.index)
        if [row.index for row in rows] != list(range(count)):
            raise self._useless(f"{len(rows)} vectors for {count} texts")
        lengths = {len(row.embedding) for row in rows}
        if lengths != {self._profile.dimension}:
            sent = ", ".join(map(str, sorted(lengths)[:3]))
            raise EmbeddingError(
                f"{self._endpoint.model} at {self._endpoint.host} sent vectors of length {sent}"
                f" instead of {self._profile.dimension}. Check MASIS_EMBEDDING_MODEL and"
                " MASIS_EMBEDDING_DIMENSION."
            )
        vectors = np.array([row.embedding for row in rows], dtype=np.float64)
        with np.errstate(over="ignore"):
            norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not (np.isfinite(norms).all() and (norms > 0).all()):
            raise self._useless("vectors that are no directions")
        unit: NDArray[np.float32] = (vectors / norms).astype(np.float32)
        return unit

    def _useless(self, what: str) -> EmbeddingError:
        return EmbeddingError(
            f"{self._endpoint.model} at {self._endpoint.host} sent {what}. Check that"
            " the address is that of an embedding service (MASIS_EMBEDDING_BASE_URL)."
        )
