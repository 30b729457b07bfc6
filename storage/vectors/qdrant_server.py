"""A Qdrant server as it is called: bounded, repeated while it is away, with errors that help.

The pauses are those of the gateway; stamina has neither the event loop's clock nor its jitter.
"""

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Final, TypeVar
from urllib.parse import urlsplit

from qdrant_client import AsyncQdrantClient, models
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

from masis.errors import VectorsUnavailable
from masis.failures import SEARCH_IS_AWAY
from masis.models import run_clock
from masis.models.gateway import Backoff
from storage.vectors.points import DENSE, INDEXED, SPARSE

log = logging.getLogger(__name__)

T = TypeVar("T")

TIMEOUT_SECONDS: Final = 10.0
TRIES: Final = Backoff(retries=4, base=0.7)
"""Pauses of 0.7, 1.4, 2.8 and 5.6 s, jittered: some 10 s in all, as long as a restart takes."""
ONCE: Final = Backoff(retries=0)
"""For who wants to know how things are now."""
SILENT_SECONDS: Final = 5.0
"""A server that is well answers in a fraction of it: from then on who asked is told of the wait."""
_TRYING_SECONDS: Final = 10.0
"""After so long no further try begins: one alone may take as long, where nothing comes back."""
_REQUESTS_AT_ONCE: Final = 16
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class QdrantServer:
    """The client, with a bound on every request and errors that say what to do.

    Whatever is asked of it may be asked twice: points have ids of ours.
    """

    def __init__(
        self,
        url: str,
        api_key: str,
        timeout: float,
        tries: Backoff = TRIES,
        silent_seconds: float = SILENT_SECONDS,
    ) -> None:
        parts = urlsplit(url)
        self._place = f"{parts.scheme}://{parts.hostname}:{parts.port or 6333}"
        if api_key and parts.scheme == "http" and parts.hostname not in _LOOPBACK:
            log.warning("The key of the Qdrant server goes over an unencrypted connection")
        self._timeout = timeout
        self._tries = tries
        self._silent_seconds = silent_seconds
        self._at_once = asyncio.Semaphore(_REQUESTS_AT_ONCE)
        self.client = AsyncQdrantClient(
            url=url,
            # As a header, for the client warns of the key on standard error even on loopback.
            headers={"api-key": api_key} if api_key else None,
            timeout=max(1, round(timeout)),
            check_compatibility=False,
        )

    async def call(self, request: Callable[[], Awaitable[T]]) -> T:
        """The answer to a request, which is made again while the server is away.

        Raises:
            VectorsUnavailable: there was none in time, or it was a refusal.
        """
        with self._said_to_wait() as say:
            now = asyncio.get_running_loop().time
            until = now() + _TRYING_SECONDS
            for pause in self._tries.delays():
                try:
                    return await self._once(request)
                except VectorsUnavailable as error:
                    if not error.retryable or now() + pause >= until:
                        raise
                say()
                await asyncio.sleep(pause)
            return await self._once(request)

    @contextmanager
    def _said_to_wait(self) -> Iterator[Callable[[], None]]:
        """Tell the run what it waits for when the block takes long, or as soon as that is known."""
        clock = run_clock.current()

        def say() -> None:
            if clock is not None:
                clock.note(SEARCH_IS_AWAY)

        timer = asyncio.get_running_loop().call_later(self._silent_seconds, say)
        try:
            yield say
        except VectorsUnavailable as error:
            if error.retryable:  # the run may be held up for it
                say()
            raise
        finally:
            timer.cancel()

    async def _once(self, request: Callable[[], Awaitable[T]]) -> T:
        try:
            async with asyncio.timeout(self._timeout), self._at_once:
                return await request()
        except TimeoutError as error:
            raise VectorsUnavailable(
                f"The Qdrant server at {self._place} did not answer within {self._timeout:g}"
                " seconds. Try again."
            ) from error
        except UnexpectedResponse as error:
            raise self._refused(error.status_code or 0) from error
        except QdrantException as error:
            # The client's own class for a 429 that says when to come again.
            raise self._refused(429) from error
        # A ValueError is an answer that is no JSON: something else answers there.
        except (ApiException, ValueError) as error:
            raise VectorsUnavailable(
                f"The Qdrant server at {self._place} cannot be reached or does not answer as one"
                f" ({type(_source(error)).__name__}). Start it, or check MASIS_QDRANT_URL."
            ) from error

    async def query(self, collection: str, **request: object) -> list[models.ScoredPoint]:
        """The points that answer a query."""
        asked = functools.partial(self.client.query_points, collection, **request)  # type: ignore[arg-type] # typed where it is called
        return (await self.call(asked)).points

    async def vectors(
        self, collection: str, scope: models.Filter, limit: int
    ) -> list[models.Record]:
        """At most `limit` points within the scope, each with its payload and dense vector."""
        asked = functools.partial(
            self.client.scroll,
            collection,
            scroll_filter=scope,
            limit=limit,
            with_payload=True,
            with_vectors=[DENSE],
        )
        found, _ = await self.call(asked)
        return found

    async def upsert(self, collection: str, points: list[models.PointStruct]) -> None:
        """Write points; they are durable then."""
        await self.call(functools.partial(self.client.upsert, collection, points=points, wait=True))

    async def count(self, collection: str, scope: models.Filter) -> int:
        """Count the points within the scope."""
        asked = functools.partial(self.client.count, collection, count_filter=scope, exact=True)
        return (await self.call(asked)).count

    async def delete(self, collection: str, scope: models.Filter) -> None:
        """Remove all points within the scope."""
        selector = models.FilterSelector(filter=scope)
        await self.call(
            functools.partial(self.client.delete, collection, points_selector=selector, wait=True)
        )

    async def dimension(self, collection: str) -> int | None:
        """The dimension of the collection's dense vectors; None where it has none."""
        info = await self.call(functools.partial(self.client.get_collection, collection))
        vectors = info.config.params.vectors
        dense = vectors.get(DENSE) if isinstance(vectors, dict) else None
        return None if dense is None else dense.size

    async def ensure(self, collection: str, dimension: int | None) -> None:
        """Make the collection and its indexes where they are missing."""
        if not await self._exists(collection):
            await self._create(collection, dimension)
        info = await self.call(functools.partial(self.client.get_collection, collection))
        for field in INDEXED:
            if field not in info.payload_schema:
                make = self.client.create_payload_index
                asked = functools.partial(make, collection, field, _index(field), wait=True)
                await self.call(asked)

    async def _exists(self, collection: str) -> bool:
        return await self.call(functools.partial(self.client.collection_exists, collection))

    async def _create(self, collection: str, dimension: int | None) -> None:
        vectors = {}
        if dimension is not None:
            vectors[DENSE] = models.VectorParams(size=dimension, distance=models.Distance.COSINE)
        made = functools.partial(
            self.client.create_collection,
            collection,
            vectors_config=vectors,
            sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
            # A graph for each workspace and none across: no search spans workspaces.
            hnsw_config=models.HnswConfigDiff(m=0, payload_m=16),
        )
        try:
            await self.call(made)
        except VectorsUnavailable:
            # Another process may have made it a moment before.
            if not await self._exists(collection):
                raise

    def _refused(self, status: int) -> VectorsUnavailable:
        place = f"The Qdrant server at {self._place}"
        retryable = False
        if status in {401, 403}:
            message = f"{place} refuses the key. Check MASIS_QDRANT_API_KEY."
        elif status == HTTPStatus.NOT_FOUND:
            message = f"{place} has lost a collection of MASIS. Restore it, or ingest again."
        elif status in {429, 500, 502, 503, 504}:
            message = f"{place} is overloaded or failing (status {status}). Try again."
            retryable = True
        else:
            message = (
                f"{place} refuses a request (status {status}). Its version must be 1.19 or newer."
            )
        refusal = VectorsUnavailable(message)
        refusal.retryable = retryable
        return refusal


def _index(field: str) -> models.KeywordIndexParams | models.IntegerIndexParams:
    """Return how a payload field is indexed. Points of one workspace are stored side by side."""
    if INDEXED[field] == "integer":
        # Term ids are equal or not; no range of them means anything.
        return models.IntegerIndexParams(
            type=models.IntegerIndexType.INTEGER, lookup=True, range=False
        )
    return models.KeywordIndexParams(
        type=models.KeywordIndexType.KEYWORD, is_tenant=field == "workspace_id"
    )


def _source(error: BaseException) -> BaseException:
    """Return the error that lies under the client's own wrapping."""
    source = getattr(error, "source", None)
    return source if isinstance(source, BaseException) else error
