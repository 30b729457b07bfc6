"""The vector store on a Qdrant server: one collection an embedding profile, many workspaces in it.

The server must be of version 1.19 or newer, which can count the rarity of terms within one workspace.
"""

import asyncio
import hashlib
import re
from collections.abc import Collection, Sequence
from typing import Final
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray
from qdrant_client import models

from masis import domain
from masis.domain import EmbeddingProfile, WorkspaceId
from masis.models.gateway import Backoff
from masis.ports import Hit, Point, Scope, SparseVector
from storage.vectors.points import (
    BRANCH_LIMIT,
    DENSE,
    SPARSE,
    dense_list,
    hit_of,
    payload_of,
    point_id,
    profile_mismatch,
    sparse_lists,
    vector_of,
)
from storage.vectors.qdrant_server import TIMEOUT_SECONDS, TRIES, QdrantServer

_UPSERT_BATCH: Final = 128
"""Points a request: about a megabyte of JSON at 384 dimensions, far under the server's 32."""


class ServerVectorStores:
    """Every workspace's vectors on one server.

    Args:
        url: The server's address.
        api_key: Its key; empty where it wants none.
        timeout: Seconds for one request as a whole.
        tries: How often and how patiently a request is repeated that found the server away.
        prefix: What the names of our collections begin with.
    """

    def __init__(
        self,
        url: str,
        api_key: str = "",
        *,
        timeout: float = TIMEOUT_SECONDS,
        tries: Backoff = TRIES,
        prefix: str = "masis",
    ) -> None:
        self._prefix = prefix
        self._server = QdrantServer(url, api_key, timeout, tries)
        self._stores: dict[WorkspaceId, ServerVectorStore] = {}
        # One a workspace: nobody waits for another's tries while the server is away.
        self._opening: WeakValueDictionary[WorkspaceId, asyncio.Lock] = WeakValueDictionary()

    async def open(
        self, workspace_id: WorkspaceId, profile: EmbeddingProfile | None
    ) -> "ServerVectorStore":
        """The workspace's store, opened once and shared.

        Without a profile any store opens, and a new one holds terms alone. An empty store takes
        whatever profile comes.

        Raises:
            ValueError: the id cannot be a workspace's.
            ProfileMismatch: it holds vectors of another profile.
            VectorsUnavailable: the server cannot be reached, refuses the key, or fails.
        """
        checked = domain.workspace_id(workspace_id)
        async with self._opening.setdefault(checked, asyncio.Lock()):
            store = self._stores.get(checked)
            if store is None or not store.fits(self._wanted(profile)):
                store = await self._open(checked, profile)
                self._stores[checked] = store
            return store

    async def drop(self, workspace_id: WorkspaceId) -> None:
        """Remove the workspace's vectors from every collection of ours.

        Raises:
            ValueError: the id cannot be a workspace's.
        """
        checked = domain.workspace_id(workspace_id)
        self._stores.pop(checked, None)
        for collection in await self._collections():
            await self._server.delete(collection, _mine(checked))

    async def close(self) -> None:
        """Close the connections."""
        self._stores.clear()
        await self._server.client.close()

    def _wanted(self, profile: EmbeddingProfile | None) -> str | None:
        return None if profile is None else self._collection(profile)

    def _collection(self, profile: EmbeddingProfile | None) -> str:
        """The collection's name: readable, and different for different profiles."""
        if profile is None:
            return f"{self._prefix}_terms"
        slug = re.sub(r"[^A-Za-z0-9]+", "-", profile.id).strip("-").lower()[:80]
        return f"{self._prefix}_{slug}_{hashlib.sha256(profile.id.encode()).hexdigest()[:8]}"

    async def _open(
        self, workspace_id: WorkspaceId, profile: EmbeddingProfile | None
    ) -> "ServerVectorStore":
        wanted = self._collection(profile)
        holder = await self._holder(workspace_id)
        if profile is not None and holder not in {None, wanted}:
            raise profile_mismatch(holder, profile)
        collection = holder or wanted
        if collection == wanted:
            await self._server.ensure(wanted, None if profile is None else profile.dimension)
        dimension = await self._server.dimension(collection)
        return ServerVectorStore(workspace_id, self._server, collection, dimension)

    async def _holder(self, workspace_id: WorkspaceId) -> str | None:
        """The collection that has points of the workspace."""
        for collection in await self._collections():
            if await self._server.count(collection, _mine(workspace_id)):
                return collection
        return None

    async def _collections(self) -> list[str]:
        """Our collections: one for each profile that was ever used on this server."""
        found = await self._server.call(self._server.client.get_collections)
        names = sorted(collection.name for collection in found.collections)
        return [name for name in names if name.startswith(f"{self._prefix}_")]


class ServerVectorStore:
    """One workspace's points in a collection shared with others: each request names its scope."""

    def __init__(
        self,
        workspace_id: WorkspaceId,
        server: QdrantServer,
        collection: str,
        dimension: int | None,
    ) -> None:
        self._workspace_id = workspace_id
        self._server = server
        self._collection = collection
        self._dimension = dimension

    @property
    def workspace_id(self) -> WorkspaceId:
        """Return the workspace whose vectors these are."""
        return self._workspace_id

    def fits(self, collection: str | None) -> bool:
        """Say whether it is the store to use; None asks for any."""
        return collection is None or collection == self._collection

    async def upsert(self, points: Sequence[Point]) -> None:
        """Write points; the same chunk id replaces. Durable when this returns.

        Raises:
            ValueError: a vector does not fit the store.
            VectorsUnavailable: the server fails; some of the points may have been written.
        """
        structs = [self._struct(point) for point in points]
        for start in range(0, len(structs), _UPSERT_BATCH):
            batch = structs[start : start + _UPSERT_BATCH]
            await self._server.upsert(self._collection, batch)

    async def search(
        self,
        dense: NDArray[np.float32] | None,
        sparse: SparseVector,
        *,
        limit: int,
        hidden: Collection[str] = (),
        within: Scope | None = None,
    ) -> list[Hit]:
        """Hybrid search, best first: distribution-based score fusion over 100 a branch.

        Points of the version ids in `hidden` are left out, and those outside `within`. Without
        `dense` it is lexical alone, as it is in a store without dense vectors.
        """
        visible = _visible(self._workspace_id, hidden)
        branches = self._branches(dense, sparse, max(limit, BRANCH_LIMIT), visible, within)
        if not branches:
            return []
        found = await self._server.query(
            self._collection,
            prefetch=branches,
            query=models.FusionQuery(fusion=models.Fusion.DBSF),
            query_filter=visible,
            limit=limit,
            with_payload=True,
        )
        cosines = await self._cosines(dense, [point.id for point in found])
        return [
            hit_of(point.payload, point.score, cosines.get(point.id, 0.0), self._workspace_id)
            for point in found
        ]

    async def vectors(self, chunk_ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """The dense vectors of those among these chunks that have one here, by chunk id."""
        if self._dimension is None:
            return {}
        known: dict[str, NDArray[np.float32]] = {}
        for start in range(0, len(chunk_ids), _UPSERT_BATCH):
            batch = chunk_ids[start : start + _UPSERT_BATCH]
            ids = models.HasIdCondition(has_id=[point_id(self._workspace_id, c) for c in batch])
            mine = _mine(self._workspace_id, ids)
            for point in await self._server.vectors(self._collection, mine, len(batch)):
                chunk_id, vector = vector_of(
                    point.payload, point.vector, self._workspace_id, self._dimension
                )
                if vector is not None:
                    known[chunk_id] = vector
        return known

    async def delete_version(self, version_id: str) -> None:
        """Remove all points of a version."""
        mine = _mine(self._workspace_id, _is("version_id", version_id))
        await self._server.delete(self._collection, mine)

    async def count(self) -> int:
        """Count the points."""
        return await self._server.count(self._collection, _mine(self._workspace_id))

    async def close(self) -> None:
        """Nothing is held for one workspace; the connections belong to all of them."""

    def _struct(self, point: Point) -> models.PointStruct:
        ids, weights = sparse_lists(point.sparse)
        vectors: dict[str, models.Vector] = {
            SPARSE: models.SparseVector(indices=ids, values=weights)
        }
        if point.dense is not None:
            if self._dimension is None:
                raise ValueError("this store was made without an embedder and takes no vectors")
            vectors[DENSE] = dense_list(point.dense, self._dimension)
        return models.PointStruct(
            id=point_id(self._workspace_id, point.chunk_id),
            vector=vectors,
            payload=payload_of(self._workspace_id, point),
        )

    def _branches(
        self,
        dense: NDArray[np.float32] | None,
        sparse: SparseVector,
        limit: int,
        visible: models.Filter,
        within: Scope | None,
    ) -> list[models.Prefetch]:
        branches = []
        wanted = models.Filter(must=[visible, *_inside(within)]) if within else visible
        if dense is not None and self._dimension is not None:
            vector = dense_list(dense, self._dimension)
            branches.append(models.Prefetch(query=vector, using=DENSE, filter=wanted, limit=limit))
        if sparse:
            ids, weights = sparse_lists(sparse)
            terms = models.SparseVector(indices=ids, values=weights)
            # A term is as rare as it is among the visible chunks of this workspace: neither the
            # order nor a score may tell of other tenants.
            rarity = models.SearchParams(idf=models.IdfCorpusParams(corpus=visible))
            branches.append(
                models.Prefetch(
                    query=terms, using=SPARSE, filter=wanted, limit=limit, params=rarity
                )
            )
        return branches

    async def _cosines(
        self, dense: NDArray[np.float32] | None, ids: list[models.ExtendedPointId]
    ) -> dict[models.ExtendedPointId, float]:
        """The exact cosine of each of these points; fetching their vectors would cost more."""
        if dense is None or self._dimension is None or not ids:
            return {}
        scored = await self._server.query(
            self._collection,
            query=dense_list(dense, self._dimension),
            using=DENSE,
            query_filter=_mine(self._workspace_id, models.HasIdCondition(has_id=ids)),
            search_params=models.SearchParams(exact=True),
            limit=len(ids),
            with_payload=False,
        )
        return {point.id: point.score for point in scored}


# --- filters -------------------------------------------------------------------------------


def _is(field: str, value: str) -> models.FieldCondition:
    return models.FieldCondition(key=field, match=models.MatchValue(value=value))


def _mine(workspace_id: str, *conditions: models.Condition) -> models.Filter:
    return models.Filter(must=[_is("workspace_id", workspace_id), *conditions])


def _visible(workspace_id: str, hidden: Collection[str]) -> models.Filter:
    if not hidden:
        return _mine(workspace_id)
    unseen = models.FieldCondition(key="version_id", match=models.MatchAny(any=sorted(hidden)))
    return models.Filter(must=[_is("workspace_id", workspace_id)], must_not=[unseen])


def _inside(scope: Scope) -> list[models.Condition]:
    """The conditions of a scope, all of which must hold."""
    conditions: list[models.Condition] = []
    if scope.documents is not None:
        any_of = models.MatchAny(any=sorted(scope.documents))
        conditions.append(models.FieldCondition(key="document_id", match=any_of))
    if scope.sections is not None:
        conditions.append(models.Filter(should=[_under(section) for section in scope.sections]))
    return conditions


def _under(section: Sequence[int]) -> models.Filter:
    return models.Filter(
        must=[
            models.FieldCondition(key="section", match=models.MatchValue(value=term))
            for term in section
        ]
    )
