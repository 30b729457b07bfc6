"""Reranking by any service with a `/rerank` as Cohere's and Jina's, as the RerankService port."""

import asyncio
import json
import math
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final

import httpx2
from pydantic import BaseModel, ValidationError

from masis.adapters.openai_service import (
    BodyTooLarge,
    Endpoint,
    http_client,
    retry_after,
    usage_of,
)
from masis.errors import (
    ModelKeyRefused,
    ModelServiceBusy,
    ModelServiceError,
    ModelServiceUnavailable,
)
from masis.policy import RERANK_SECONDS
from masis.ports import RerankReply

MAX_BODY_BYTES: Final = 1_000_000
"""Twenty scores are 2 KB; some services repeat the texts that they were sent, 50 KB."""
PATH: Final = "/rerank"

_TRANSIENT: Final = frozenset({408, 409, 425, 429})


class _Score(BaseModel):
    index: int
    relevance_score: float


class _Scores(BaseModel):
    results: list[_Score]
    usage: dict[str, Any] | None = None


class HttpReranker:
    """`POST {base_url}/rerank` with `{model, query, documents, top_n}`; it is a `RerankService`.

    An address that ends in `/rerank` is taken as it is.
    """

    def __init__(self, endpoint: Endpoint, *, timeout: float = RERANK_SECONDS) -> None:
        self._endpoint = endpoint
        self._url = endpoint.base_url.removesuffix(PATH) + PATH
        self._timeout = timeout
        self._pool = http_client(MAX_BODY_BYTES, timeout)

    @property
    def model(self) -> str:
        """The model that scores."""
        return self._endpoint.model

    async def request(self, query: str, texts: Sequence[str]) -> RerankReply:
        """Ask once.

        Raises:
            ModelServiceUnavailable: no answer, not in time, or a server error.
            ModelServiceError: it refused, or sent no score for each text.
        """
        try:
            said = _Scores.model_validate_json(await self._sent(query, texts))
        except (BodyTooLarge, ValidationError):
            raise self._useless() from None
        scores = {each.index: each.relevance_score for each in said.results}
        finite = all(math.isfinite(score) for score in scores.values())
        if not finite or sorted(scores) != list(range(len(texts))):
            raise self._useless()
        tokens = (said.usage or {}).get("total_tokens")
        return RerankReply([scores[at] for at in range(len(texts))], usage_of(tokens))

    async def close(self) -> None:
        """Let go of the connections."""
        await self._pool.aclose()

    async def _sent(self, query: str, texts: Sequence[str]) -> bytes:
        """The body of the answer; the call is bounded as a whole, drips included."""
        body = {
            "model": self.model,
            "query": query,
            "documents": list(texts),
            "top_n": len(texts),
        }
        try:
            async with asyncio.timeout(self._timeout):
                response = await self._pool.post(
                    self._url, content=json.dumps(body), headers=self._headers()
                )
        except (TimeoutError, httpx2.TimeoutException):
            raise ModelServiceUnavailable(
                f"The reranker at {self._endpoint.host} did not answer within"
                f" {self._timeout:g} seconds. Ask again later."
            ) from None
        except httpx2.HTTPError:
            raise ModelServiceUnavailable(
                f"The reranker at {self._endpoint.host} could not be reached. Check the network"
                " and the address (MASIS_RERANK_BASE_URL)."
            ) from None
        if response.status_code != HTTPStatus.OK:
            raise self._refusal(response)
        return response.content

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json"}
        if key := self._endpoint.api_key.get_secret_value():
            headers["Authorization"] = f"Bearer {key}"
        return headers

    def _refusal(self, response: httpx2.Response) -> ModelServiceError:
        # The service's own words may repeat the key or the texts: its status alone goes on.
        status, where = response.status_code, f"The reranker at {self._endpoint.host}"
        if status in {401, 403}:
            return ModelKeyRefused(
                f"{where} refused the key ({status}). Set a valid one (MASIS_RERANK_API_KEY)."
            )
        if status in _TRANSIENT or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            is_busy = status == HTTPStatus.TOO_MANY_REQUESTS
            kind = ModelServiceBusy if is_busy else ModelServiceUnavailable
            return kind(f"{where} has no answer for now ({status}).", retry_after(response.headers))
        return ModelServiceError(
            f"{where} refused the request ({status}). Check the model {self.model}"
            " (MASIS_RERANK_MODEL) and the address (MASIS_RERANK_BASE_URL)."
        )

    def _useless(self) -> ModelServiceError:
        return ModelServiceError(
            f"{self.model} at {self._endpoint.host} sent no score for each passage. Check that the"
            " address is that of a reranking service (MASIS_RERANK_BASE_URL)."
        )
