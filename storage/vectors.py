"""The embedded vector store: Qdrant's engine in this process, one shard in one folder a workspace."""

import asyncio
import contextlib
import json
import os
import shutil
import threading
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import qdrant_edge as edge
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from masis import domain
from masis.domain import EmbeddingProfile, Value, WorkspaceId
from masis.errors import MasisError, StoreLocked, StoreUnavailable
from masis.ports import Hit, Point, SparseVector
from storage.points import (
    BRANCH_LIMIT,
    DENSE,
    INDEXED,
    SPARSE,
    ForeignPoint,
    damaged,
    dense_list,
    final,
    hit_of,
    payload_of,
    point_id,
    profile_mismatch,
    sparse_lists,
)

_LOCK_WAIT_SECONDS: Final = 1.0
_RESERVE_BYTES: Final = 256 * 2**20
"""The engine writes through memory maps, in which a full disk kills the process; so it is not
given the last of the disk."""
_UPSERT_BATCH: Final = 128
"""Points a call: the engine stops all other threads for about 6 ms meanwhile."""
_POINT_BYTES: Final = 4096
"""A generous guess of what a point takes beside its dense vector."""


class _Manifest(Value):
    """What the shard beside it was made for. It is written last: a shard without one is a wreck."""

    profile: str | None
    dimension: int | None


class EdgeVectorStores:
    """Every workspace's vectors under one folder; a workspace is open in one process at a time.

    Args:
        folder: Where each workspace gets its own folder.
        lock_wait: Seconds to wait for another process to let go of a workspace.
        reserve_bytes: Free space of the disk that is never used up.
    """

    def __init__(
        self,
        folder: Path,
        *,
        lock_wait: float = _LOCK_WAIT_SECONDS,
        reserve_bytes: int = _RESERVE_BYTES,
    ) -> None:
        self._folder = folder
        self._lock_wait = lock_wait
        self._reserve = reserve_bytes
        self._stores: dict[WorkspaceId, EdgeVectorStore] = {}
        # A thread lock, taken in the worker thread: a caller who is cancelled while a shard opens
        # leaves it opened and listed, not half open and forgotten.
        self._mutex = threading.Lock()

    async def open(
        self, workspace_id: WorkspaceId, profile: EmbeddingProfile | None
    ) -> "EdgeVectorStore":
        """The workspace's store, opened once and shared.

        Without a profile any store opens, and a new one holds terms alone. An empty store takes
        whatever profile comes.

        Raises:
            ValueError: the id cannot be a workspace's.
            ProfileMismatch: it holds vectors of another profile.
            StoreLocked: another process holds it.
            StoreUnavailable: it cannot be opened.
        """
        return await asyncio.to_thread(self._open, domain.workspace_id(workspace_id), profile)

    async def drop(self, workspace_id: WorkspaceId) -> None:
        """Remove the workspace's vectors, bytes and all.

        Raises:
            ValueError: the id cannot be a workspace's.
            StoreLocked: another process holds them.
        """
        await asyncio.to_thread(self._drop, domain.workspace_id(workspace_id))

    async def close(self) -> None:
        """Close every open store."""
        await asyncio.to_thread(self._close)

    def _open(
        self, workspace_id: WorkspaceId, profile: EmbeddingProfile | None
    ) -> "EdgeVectorStore":
        with self._mutex:
            store = self._stores.get(workspace_id)
            if store is None or store.is_closed:
                store = self._load(workspace_id, profile)
            elif not _fits(store.profile, profile):
                store.empty_or_mismatch(profile)
                store.shut()
                store = self._load(workspace_id, profile)
            self._stores[workspace_id] = store
            return store

    def _load(
        self, workspace_id: WorkspaceId, profile: EmbeddingProfile | None
    ) -> "EdgeVectorStore":
        lock = self._locked(workspace_id)
        try:
            folder = self._folder / workspace_id
            store = _existing(workspace_id, folder, lock, self._reserve)
            if store is not None and not _fits(store.profile, profile):
                store.empty_or_mismatch(profile)
                store.shut(release=False)
                store = None
            return store or _created(workspace_id, folder, lock, self._reserve, profile)
        except BaseException:
            lock.release()
            raise

    def _drop(self, workspace_id: WorkspaceId) -> None:
        with self._mutex:
            store = self._stores.pop(workspace_id, None)
            if store is not None:
                store.shut()
            folder = self._folder / workspace_id
            if folder.exists():
                lock = self._locked(workspace_id)
                try:
                    _remove(folder)
                finally:
                    lock.release()

    def _close(self) -> None:
        with self._mutex:
            while self._stores:
                _, store = self._stores.popitem()
                store.shut()

    def _locked(self, workspace_id: WorkspaceId) -> FileLock:
        """Hold the workspace against other processes.

        The lock's empty file stands beside the folder and is never removed: a lock on a removed
        file would keep nobody out.
        """
        with _disk_errors(self._folder):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = FileLock(self._folder / f"{workspace_id}.lock", thread_local=False)
            try:
                lock.acquire(timeout=self._lock_wait)
            except Timeout:
                raise _locked_by_another(workspace_id) from None
        return lock


class EdgeVectorStore:
    """One workspace's shard. Dense search is exact: no graph is built, whose recall would be less.

    Exact search takes 18 ms at 100,000 points and 160 ms at a million, on one core; beyond that
    the server is the store to use.
    """

    def __init__(
        self,
        workspace_id: WorkspaceId,
        shard: edge.EdgeShard,
        manifest: _Manifest,
        *,
        folder: Path,
        lock: FileLock,
        reserve_bytes: int,
    ) -> None:
        self._workspace_id = workspace_id
        self._shard = shard
        self._manifest = manifest
        self._folder = folder
        self._lock = lock
        self._reserve = reserve_bytes
        self._closed = False

    @property
    def workspace_id(self) -> WorkspaceId:
        """Whose vectors these are."""
        return self._workspace_id

    @property
    def profile(self) -> str | None:
        """The id of the profile of its vectors; None when it holds terms alone."""
        return self._manifest.profile

    @property
    def is_closed(self) -> bool:
        """Whether it let go of its files."""
        return self._closed

    async def upsert(self, points: Sequence[Point]) -> None:
        """Write points; the same chunk id replaces. Durable when this returns.

        Raises:
            ValueError: a vector does not fit the store.
            StoreUnavailable: the disk is full or fails.
        """
        await asyncio.to_thread(self._upsert, points)

    async def search(
        self,
        dense: NDArray[np.float32] | None,
        sparse: SparseVector,
        *,
        limit: int,
        hidden: Collection[str] = (),
    ) -> list[Hit]:
        """Hybrid search, best first: distribution-based score fusion over 100 a branch.

        Points of the version ids in `hidden` are left out. Without `dense` it is lexical alone,
        as it is in a store without dense vectors.
        """
        return await asyncio.to_thread(self._search, dense, sparse, limit, hidden)

    async def delete_version(self, version_id: str) -> None:
        """Remove all points of a version; their space is reclaimed when the store closes."""
        await asyncio.to_thread(self._delete_version, version_id)

    async def count(self) -> int:
        """How many points there are."""
        return await asyncio.to_thread(self.points)

    async def close(self) -> None:
        """Flush and let go of the store."""
        await asyncio.to_thread(self.shut)

    def points(self) -> int:
        """How many points there are."""
        with _engine_errors(self._workspace_id):
            return int(self._shard.count(edge.CountRequest(exact=True, filter=self._mine())))

    def empty_or_mismatch(self, profile: EmbeddingProfile | None) -> None:
        """Check that nothing would be lost by starting anew with `profile`.

        Raises:
            ProfileMismatch: the store holds points.
        """
        if profile is not None and self.points():
            raise profile_mismatch(self.profile, profile)

    def shut(self, *, release: bool = True) -> None:
        """Flush, close and, unless told otherwise, let other processes in."""
        if self._closed:
            return
        self._closed = True
        try:
            with _engine_errors(self._workspace_id):
                self._reclaim_space()
                self._shard.close()
        finally:
            if release:
                self._lock.release()

    def _upsert(self, points: Sequence[Point]) -> None:
        if not points:
            return
        engine_points = [self._point(point) for point in points]
        _check_space(self._folder, self._reserve + self._bytes(len(points)))
        with _engine_errors(self._workspace_id):
            for start in range(0, len(engine_points), _UPSERT_BATCH):
                batch = engine_points[start : start + _UPSERT_BATCH]
                self._shard.update(edge.UpdateOperation.upsert_points(batch))
            self._shard.flush()

    def _bytes(self, count: int) -> int:
        """What so many points take on the disk, guessed generously."""
        return count * (_POINT_BYTES + 4 * (self._manifest.dimension or 0))

    def _reclaim_space(self) -> None:
        """Write the shard anew where a fifth of it is dead, and the disk has room for the copy.

        Done at the end alone, for the engine stops all other threads meanwhile: half a second at
        20,000 points.
        """
        copy = self._bytes(self.points())
        if shutil.disk_usage(self._folder).free >= self._reserve + copy:
            self._shard.optimize()

    def _point(self, point: Point) -> edge.Point:
        vectors: dict[str, Any] = {SPARSE: edge.SparseVector(*sparse_lists(point.sparse))}
        if point.dense is not None:
            if self._manifest.dimension is None:
                raise ValueError("this store was made without an embedder and takes no vectors")
            vectors[DENSE] = dense_list(point.dense, self._manifest.dimension)
        return edge.Point(
            point_id(self._workspace_id, point.chunk_id),
            vectors,
            payload_of(self._workspace_id, point),
        )

    def _search(
        self,
        dense: NDArray[np.float32] | None,
        sparse: SparseVector,
        limit: int,
        hidden: Collection[str],
    ) -> list[Hit]:
        branches = self._branches(dense, sparse, max(limit, BRANCH_LIMIT), self._visible(hidden))
        if not branches:
            return []
        request = edge.QueryRequest(
            limit=limit,
            prefetches=branches,
            query=edge.Fusion.Dbsf(),  # type: ignore[arg-type] # the stub's variants do not inherit
            with_payload=True,
        )
        with _engine_errors(self._workspace_id):
            found = self._shard.query(request)
            cosines = self._cosines(dense, {point.id for point in found})
        return [
            hit_of(point.payload, point.score, cosines.get(point.id, 0.0), self._workspace_id)
            for point in found
        ]

    def _branches(
        self,
        dense: NDArray[np.float32] | None,
        sparse: SparseVector,
        limit: int,
        visible: edge.Filter,
    ) -> list[edge.Prefetch]:
        branches = []
        if dense is not None and self._manifest.dimension is not None:
            vector = dense_list(dense, self._manifest.dimension)
            nearest = edge.Query.Nearest(vector, using=DENSE)
            branches.append(edge.Prefetch(limit=limit, query=nearest, filter=visible))
        if sparse:
            nearest = edge.Query.Nearest(edge.SparseVector(*sparse_lists(sparse)), using=SPARSE)
            # A term is as rare as it is among the visible chunks of this workspace.
            rarity = edge.SearchParams(idf=edge.IdfParams(corpus=visible))
            branches.append(
                edge.Prefetch(limit=limit, query=nearest, filter=visible, params=rarity)
            )
        return branches

    def _cosines(self, dense: NDArray[np.float32] | None, ids: set[Any]) -> dict[Any, float]:
        """The exact cosine of each of these points.

        A second query for these ids takes 0.14 ms; fetching their vectors with the first 0.7 ms.
        """
        if dense is None or self._manifest.dimension is None or not ids:
            return {}
        nearest = edge.Query.Nearest(dense_list(dense, self._manifest.dimension), using=DENSE)
        only = edge.Filter(must=[edge.HasIdCondition(ids)])
        scored = self._shard.query(
            edge.QueryRequest(limit=len(ids), query=nearest, filter=only, with_payload=False)
        )
        return {point.id: point.score for point in scored}

    def _delete_version(self, version_id: str) -> None:
        of_version = edge.FieldCondition(key="version_id", match=edge.MatchValue(version_id))
        mine = self._mine(of_version)
        with _engine_errors(self._workspace_id):
            self._shard.update(edge.UpdateOperation.delete_points_by_filter(mine))
            self._shard.flush()

    def _mine(self, *conditions: edge.FieldCondition) -> edge.Filter:
        return edge.Filter(must=[self._own(), *conditions])

    def _visible(self, hidden: Collection[str]) -> edge.Filter:
        if not hidden:
            return self._mine()
        unseen = edge.FieldCondition(key="version_id", match=edge.MatchAny(sorted(hidden)))
        return edge.Filter(must=[self._own()], must_not=[unseen])

    def _own(self) -> edge.FieldCondition:
        return edge.FieldCondition(key="workspace_id", match=edge.MatchValue(self._workspace_id))


# --- shards on disk ------------------------------------------------------------------------


def _fits(stored: str | None, profile: EmbeddingProfile | None) -> bool:
    return profile is None or profile.id == stored


def _existing(
    workspace_id: WorkspaceId, folder: Path, lock: FileLock, reserve_bytes: int
) -> EdgeVectorStore | None:
    """The store in the folder; None where there is none, or only what a crash left of its making."""
    manifest = _read_manifest(folder)
    if manifest is None:
        return None
    with _engine_errors(workspace_id):
        shard = edge.EdgeShard.load(str(folder / "shard"))
    return EdgeVectorStore(
        workspace_id, shard, manifest, folder=folder, lock=lock, reserve_bytes=reserve_bytes
    )


def _created(
    workspace_id: WorkspaceId,
    folder: Path,
    lock: FileLock,
    reserve_bytes: int,
    profile: EmbeddingProfile | None,
) -> EdgeVectorStore:
    """A new, empty store in the folder."""
    with _disk_errors(folder):
        _remove(folder)
        shard_folder = folder / "shard"
        shard_folder.mkdir(mode=0o700, parents=True)
    _check_space(folder, reserve_bytes)
    manifest = _Manifest(
        profile=profile.id if profile else None, dimension=profile.dimension if profile else None
    )
    with _engine_errors(workspace_id):
        shard = edge.EdgeShard.create(str(shard_folder), _shard_config(manifest.dimension))
        for field in INDEXED:
            index = edge.UpdateOperation.create_field_index(field, edge.PayloadSchemaType.Keyword)
            shard.update(index)
        shard.flush()
    with _disk_errors(folder):
        _write_manifest(folder, manifest)
    return EdgeVectorStore(
        workspace_id, shard, manifest, folder=folder, lock=lock, reserve_bytes=reserve_bytes
    )


def _shard_config(dimension: int | None) -> edge.EdgeConfig:
    dense = None
    if dimension is not None:
        dense = {DENSE: edge.EdgeVectorParams(size=dimension, distance=edge.Distance.Cosine)}
    return edge.EdgeConfig(
        vectors=dense,
        sparse_vectors={SPARSE: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
        max_search_threads=1,
        # 0: never build a graph when space is reclaimed.
        optimizers=edge.EdgeOptimizersConfig(indexing_threshold=0),
    )


def _read_manifest(folder: Path) -> _Manifest | None:
    try:
        return _Manifest.model_validate_json((folder / "store.json").read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise damaged(f"{folder / 'store.json'} cannot be read") from error


def _write_manifest(folder: Path, manifest: _Manifest) -> None:
    """Put the manifest in place whole, so that it is there or not there after a crash."""
    draft = folder / "store.json.new"
    with draft.open("w", encoding="utf-8") as file:
        json.dump(manifest.model_dump(), file)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(folder / "store.json")
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(folder: Path) -> None:
    """Remove a workspace's folder; the manifest first, so that half a removal reads as none."""
    (folder / "store.json").unlink(missing_ok=True)
    if folder.exists():
        shutil.rmtree(folder)


def _check_space(folder: Path, needed: int) -> None:
    with _disk_errors(folder):
        free = shutil.disk_usage(folder).free
    if free < needed:
        raise final(
            f"The disk is nearly full: {folder} has {free // 2**20} MB left and"
            f" {needed // 2**20 + 1} MB are wanted. Free some space and try again; nothing was lost."
        )


# --- errors --------------------------------------------------------------------------------


def _locked_by_another(workspace_id: str) -> StoreLocked:
    return StoreLocked(
        f"Another process holds the vectors of workspace {workspace_id}. Stop it or wait for it,"
        " or give both a Qdrant server with MASIS_QDRANT_URL."
    )


@contextlib.contextmanager
def _disk_errors(folder: Path) -> Iterator[None]:
    """Turn what the file system reports into `StoreUnavailable`."""
    try:
        yield
    except OSError as error:
        raise final(
            f"The folder {folder} cannot be used ({error.strerror}). Check its permissions and its"
            " disk, or name another one with MASIS_DATA_DIR."
        ) from error


@contextlib.contextmanager
def _engine_errors(workspace_id: str) -> Iterator[None]:
    """Turn what the engine reports into `StoreUnavailable`.

    It has no error classes of its own: errors are bare `Exception`, panics a `BaseException`.
    """
    try:
        yield
    except (MasisError, ForeignPoint):
        raise
    except Exception as error:
        raise _explained(workspace_id, error) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise damaged(str(error)) from error


def _explained(workspace_id: str, error: Exception) -> StoreUnavailable:
    text = str(error)
    if "WouldBlock" in text:
        return _locked_by_another(workspace_id)
    if "not initialized" in text:
        return StoreUnavailable(f"The vectors of workspace {workspace_id} were closed. Try again.")
    if "No space left" in text:
        return final("The disk is full. Free some space and try again; nothing was lost.")
    return damaged(text)
