"""Embeddings from any OpenAI-compatible service, as the EmbeddingService port."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError

from masis.adapters.openai_service import (
    BodyTooLarge,
    Endpoint,
    call,
    client,
    http_client,
    usage_of,
)
from masis.domain import EmbeddingProfile
from masis.errors import EmbeddingError, InvalidSettings
from masis.policy import MODEL_CALL_SECONDS
from masis.ports import EmbeddingReply

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

    It is an `EmbeddingService`. `dimension` is needed for a model that is not in `DIMENSIONS`.

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
    ) -> None:
        length = dimension or DIMENSIONS.get(endpoint.model)
        if length is None:
            raise InvalidSettings(
                f"The length of the vectors of {endpoint.model} is not known."
                " Set MASIS_EMBEDDING_DIMENSION to it."
            )
        self._endpoint = endpoint
        self._timeout = timeout
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
        """Return the profile, which says which vectors these are."""
        return self._profile

    async def request(self, texts: Sequence[str]) -> EmbeddingReply:
        """Ask once.

        Raises:
            ModelServiceError: the service failed or refused.
            EmbeddingError: it sent vectors of another kind.
        """
        try:
            body = await call(lambda: self._send(texts), self._endpoint, self._timeout)
            said = _Rows.model_validate_json(body)
        except BodyTooLarge:
            raise self._useless("far too much") from None
        except ValidationError:
            raise self._useless("no vectors") from None
        figures = said.usage or {}
        tokens = figures.get("prompt_tokens", figures.get("total_tokens"))
        return EmbeddingReply(self._checked(said.data, len(texts)), usage_of(tokens))

    async def close(self) -> None:
        """Let go of the connections."""
        await self._pool.aclose()

    async def _send(self, texts: Sequence[str]) -> bytes:
        # Numbers as numbers: not every compatible service knows the client's base64 form.
        response = await self._client.embeddings.with_raw_response.create(
            model=self._endpoint.model, input=list(texts), encoding_format="float"
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
