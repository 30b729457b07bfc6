"""One workspace's shard on the disk: its folder, its lock, and the engine that has it open."""

import contextlib
import errno
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import qdrant_edge as edge
from filelock import FileLock, Timeout

from masis.domain import EmbeddingProfile, Value, WorkspaceId
from masis.errors import MasisError, StoreLocked, StoreUnavailable, VectorsUnavailable
from storage.vectors.points import (
    DENSE,
    INDEXED,
    SPARSE,
    ForeignPoint,
    damaged,
    final,
    profile_mismatch,
)

_FULL_CODES: Final = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
_DISK_FULL: Final = re.compile(
    r"No space left|File too large|Disk quota exceeded|StorageFull|FileTooLarge|QuotaExceeded"
    r"|os error (?:27|28|122)\b|code: (?:27|28|122)\b"
)
"""How the engine's texts name these, by word or by Linux's number."""

_INDEX_TYPES: Final = {
    "keyword": edge.PayloadSchemaType.Keyword,
    "integer": edge.PayloadSchemaType.Integer,
}

_POINT_BYTES: Final = 4096
"""A generous guess of what a point takes beside its dense vector."""


class _Manifest(Value):
    """Store what the shard beside it was made for.

    It is written last, so that a shard without one is incomplete.
    """

    profile: str | None
    dimension: int | None


class Shard:
    """An open shard. Who has it holds the workspace's lock against other processes."""

    def __init__(
        self,
        workspace_id: WorkspaceId,
        engine: edge.EdgeShard,
        manifest: _Manifest,
        *,
        folder: Path,
        lock: FileLock,
        reserve_bytes: int,
    ) -> None:
        self.workspace_id = workspace_id
        self.engine = engine
        self._manifest = manifest
        self._folder = folder
        self._lock = lock
        self._reserve = reserve_bytes
        self._closed = False

    @property
    def profile(self) -> str | None:
        """The id of the profile of its vectors; None when it holds terms alone."""
        return self._manifest.profile

    @property
    def dimension(self) -> int | None:
        """That of its vectors; None when it holds terms alone."""
        return self._manifest.dimension

    @property
    def is_closed(self) -> bool:
        """Return whether the shard let go of its files."""
        return self._closed

    def fits(self, profile: EmbeddingProfile | None) -> bool:
        """Say whether it is the shard to use; None asks for any."""
        return profile is None or profile.id == self.profile

    def points(self) -> int:
        """Count the points."""
        with engine_errors():
            return int(self.engine.count(edge.CountRequest(exact=True)))

    def empty_or_mismatch(self, profile: EmbeddingProfile | None) -> None:
        """Check that nothing would be lost by starting anew with `profile`.

        Raises:
            ProfileMismatch: the shard holds points.
        """
        if profile is not None and self.points():
            raise profile_mismatch(self.profile, profile)

    def check_space(self, points: int) -> None:
        """Check that so many points can be written without filling up the disk.

        Raises:
            StoreUnavailable: they cannot.
        """
        _check_space(self._folder, self._reserve + self._bytes(points))

    def shut(self, *, release: bool = True) -> None:
        """Flush, close and, unless told otherwise, let other processes in."""
        if self._closed:
            return
        self._closed = True
        try:
            with engine_errors():
                self._reclaim_space()
                self.engine.close()
        finally:
            if release:
                self._lock.release()

    def _bytes(self, points: int) -> int:
        """Estimate how many bytes so many points take on the disk, guessed generously."""
        return points * (_POINT_BYTES + 4 * (self.dimension or 0))

    def _reclaim_space(self) -> None:
        """Write the shard anew where a fifth of it is dead, and the disk has room for the copy.

        Done at the end alone, for the engine stops all other threads meanwhile: half a second at
        20,000 points.
        """
        copy = self._bytes(self.points())
        if shutil.disk_usage(self._folder).free >= self._reserve + copy:
            self.engine.optimize()


def open_shard(
    root: Path,
    workspace_id: WorkspaceId,
    profile: EmbeddingProfile | None,
    *,
    lock_wait: float,
    reserve_bytes: int,
) -> Shard:
    """The workspace's shard under `root`, made where there is none or an empty one of no use.

    Raises:
        ProfileMismatch: it holds vectors of another profile.
        StoreLocked: another process holds it, and did not let go within `lock_wait` seconds.
        StoreUnavailable: it cannot be opened.
    """
    lock = _locked(root, workspace_id, lock_wait)
    with contextlib.ExitStack() as undoing:
        undoing.callback(lock.release)
        folder = root / workspace_id
        shard = _existing(workspace_id, folder, lock, reserve_bytes)
        if shard is not None and not shard.fits(profile):
            try:
                shard.empty_or_mismatch(profile)
            finally:  # an engine that stays open would keep out who comes next
                shard.shut(release=False)
            shard = None
        opened = shard or _created(workspace_id, folder, lock, reserve_bytes, profile)
        undoing.pop_all()
    return opened


def remove_shard(root: Path, workspace_id: WorkspaceId, *, lock_wait: float) -> None:
    """Remove a shard that this process has not open.

    Raises:
        StoreLocked: another process holds it.
    """
    folder = root / workspace_id
    if folder.exists():
        lock = _locked(root, workspace_id, lock_wait)
        try:
            _remove(folder)
        finally:
            lock.release()


def _locked(root: Path, workspace_id: WorkspaceId, wait: float) -> FileLock:
    """Hold the workspace against other processes.

    The lock's empty file stands beside the folder and is never removed: a lock on a removed
    file would keep nobody out.
    """
    with _disk_errors(root):
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = FileLock(root / f"{workspace_id}.lock", thread_local=False)
        try:
            lock.acquire(timeout=wait)
        except Timeout:
            raise _locked_by_another() from None
    return lock


def _existing(
    workspace_id: WorkspaceId, folder: Path, lock: FileLock, reserve_bytes: int
) -> Shard | None:
    """The shard in the folder; None where there is none, or only what a crash left of its making."""
    manifest = _read_manifest(folder)
    if manifest is None:
        return None
    with engine_errors():
        engine = edge.EdgeShard.load(str(folder / "shard"), _engine_config(manifest.dimension))
    return Shard(
        workspace_id, engine, manifest, folder=folder, lock=lock, reserve_bytes=reserve_bytes
    )


def _created(
    workspace_id: WorkspaceId,
    folder: Path,
    lock: FileLock,
    reserve_bytes: int,
    profile: EmbeddingProfile | None,
) -> Shard:
    """A new, empty shard in the folder."""
    with _disk_errors(folder):
        _remove(folder)
        shard_folder = folder / "shard"
        shard_folder.mkdir(mode=0o700, parents=True)
    _check_space(folder, reserve_bytes)
    manifest = _Manifest(
        profile=profile.id if profile else None, dimension=profile.dimension if profile else None
    )
    with engine_errors():
        engine = edge.EdgeShard.create(str(shard_folder), _engine_config(manifest.dimension))
        for field, kind in INDEXED.items():
            engine.update(edge.UpdateOperation.create_field_index(field, _INDEX_TYPES[kind]))
        engine.flush()
    with _disk_errors(folder):
        _write_manifest(folder, manifest)
    return Shard(
        workspace_id, engine, manifest, folder=folder, lock=lock, reserve_bytes=reserve_bytes
    )


def _engine_config(dimension: int | None) -> edge.EdgeConfig:
    dense = None
    if dimension is not None:
        # Cold: of a file of 32 MB, mapped into memory, only what is looked at is read. The engine's
        # usual way reads all of it when a shard is opened, its empty rest too.
        dense = {
            DENSE: edge.EdgeVectorParams(
                size=dimension, distance=edge.Distance.Cosine, memory=edge.Memory.Cold
            )
        }
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


def _locked_by_another() -> StoreLocked:
    return StoreLocked(
        "Another process holds the vectors of this workspace, and one process at a time uses a"
        " data folder. Stop it or wait for it, or give both a Qdrant server with MASIS_QDRANT_URL."
    )


def _disk_full() -> VectorsUnavailable:
    return final(
        "The disk is full, or a quota of it is. Free some space and try again; nothing was lost."
    )


@contextlib.contextmanager
def _disk_errors(folder: Path) -> Iterator[None]:
    """Turn what the file system reports into `StoreUnavailable`."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL_CODES:
            raise _disk_full() from error
        raise final(
            f"The folder {folder} cannot be used ({error.strerror}). Check its permissions and its"
            " disk, or name another one with MASIS_DATA_DIR."
        ) from error


@contextlib.contextmanager
def engine_errors() -> Iterator[None]:
    """Turn what the engine reports into `StoreUnavailable`.

    It has no error classes of its own: errors are bare `Exception`, panics a `BaseException`.
    """
    try:
        yield
    except (MasisError, ForeignPoint):
        raise
    except Exception as error:
        raise _explained(error) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise _explained(error) from error


def _explained(error: BaseException) -> StoreUnavailable:
    text = str(error)
    if "WouldBlock" in text:
        return _locked_by_another()
    if "not initialized" in text:
        return VectorsUnavailable("The vectors of this workspace were closed. Try again.")
    if _DISK_FULL.search(text):
        return _disk_full()
    return damaged(text)
