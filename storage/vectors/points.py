"""Share what both vector stores need.

That is names, point ids, payloads, and the checks of what goes in and out.
"""

import uuid
from collections.abc import Mapping
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from masis.domain import EmbeddingProfile
from masis.errors import ProfileMismatch, VectorsUnavailable
from masis.ports import Hit, Point, SparseVector

DENSE: Final = "dense"
SPARSE: Final = "sparse"

BRANCH_LIMIT: Final = 100
"""Candidates of each branch before fusion (measured better than 30)."""

INDEXED: Final[Mapping[str, Literal["keyword", "integer"]]] = {
    "workspace_id": "keyword",
    "version_id": "keyword",
    "document_id": "keyword",
    "section": "integer",
}
"""Payload fields that filters name. An index more is a synchronous write more for each new store."""

_POINT_NAMESPACE: Final = uuid.UUID("6f0a4a0e-3a0f-5d0c-9b55-0b0b8f0e6a11")

_TERM_IDS: Final = 2**32


class ForeignPoint(RuntimeError):
    """A search brought a point of another workspace. It is a bug, and nothing of it is used."""


def point_id(workspace_id: str, chunk_id: str) -> str:
    """The engine's id of a chunk: the same for the same chunk of the same workspace."""
    return str(uuid.uuid5(_POINT_NAMESPACE, f"{workspace_id}\x1f{chunk_id}"))


def payload_of(workspace_id: str, point: Point) -> dict[str, str | int | list[int]]:
    """Return what is stored beside the vectors: ids and places, never text."""
    return {
        "workspace_id": workspace_id,
        "document_id": point.document_id,
        "version_id": point.version_id,
        "chunk_id": point.chunk_id,
        "position": point.position,
        "format": point.format,
        "section": list(point.section),
    }


def dense_list(vector: NDArray[np.float32], dimension: int) -> list[float]:
    """`vector` as the engines take it.

    Raises:
        ValueError: it has another dimension, or numbers that are not finite.
    """
    if vector.shape != (dimension,) or not np.isfinite(vector).all():
        raise ValueError(f"a vector of {dimension} finite numbers was expected")
    listed: list[float] = vector.tolist()
    return listed


def sparse_lists(vector: SparseVector) -> tuple[list[int], list[float]]:
    """Term ids in order and their weights.

    Raises:
        ValueError: an id is no unsigned 32-bit number, or a weight is not finite.
    """
    ids = sorted(vector)
    weights = [float(vector[term]) for term in ids]
    if ids and not (ids[0] >= 0 and ids[-1] < _TERM_IDS and np.isfinite(weights).all()):
        raise ValueError("term ids are unsigned 32-bit numbers, and weights are finite")
    return ids, weights


def hit_of(payload: dict[str, Any] | None, score: float, cosine: float, workspace_id: str) -> Hit:
    """The hit of an engine's answer, once its workspace was checked again.

    Raises:
        ForeignPoint: it belongs to another workspace.
        VectorsUnavailable: it lost its payload.
    """
    own = _own(payload, workspace_id)
    return Hit(
        chunk_id=own["chunk_id"],
        version_id=own["version_id"],
        score=score,
        # Rounding makes a cosine of 1.0000001 out of two equal vectors.
        cosine=max(-1.0, min(1.0, cosine)),
    )


def vector_of(
    payload: Mapping[str, Any] | None, vectors: object, workspace_id: str, dimension: int
) -> tuple[str, NDArray[np.float32] | None]:
    """A point's chunk id and dense vector, None where it has no usable one.

    Raises:
        ForeignPoint: it belongs to another workspace.
        VectorsUnavailable: it lost its payload.
    """
    own = _own(payload, workspace_id)
    numbers = vectors.get(DENSE) if isinstance(vectors, dict) else None
    vector = np.asarray(numbers if numbers is not None else [], dtype=np.float32)
    usable = vector.shape == (dimension,) and bool(np.isfinite(vector).all())
    return own["chunk_id"], vector if usable else None


def _own(payload: Mapping[str, Any] | None, workspace_id: str) -> Mapping[str, Any]:
    """Return what a point carries, once its workspace was checked again.

    Raises:
        ForeignPoint: it belongs to another workspace.
        VectorsUnavailable: it lost its payload.
    """
    if not payload:
        raise damaged("a point has lost its ids")
    if payload.get("workspace_id") != workspace_id:
        raise ForeignPoint(f"reading for {workspace_id} brought a point of another workspace")
    return payload


def profile_mismatch(stored: str | None, used: EmbeddingProfile) -> ProfileMismatch:
    """Return what to say when a workspace's vectors are not of the profile in use."""
    held = (
        f"vectors of {stored}" if stored else "no vectors, for it was ingested without an embedder"
    )
    return ProfileMismatch(
        f"This workspace holds {held}, and {used.id} is in use. Use the embedder it was ingested"
        " with, or delete its documents and ingest them again."
    )


def final(message: str) -> VectorsUnavailable:
    """An error that somebody has to mend first."""
    error = VectorsUnavailable(message)
    error.retryable = False
    return error


def damaged(what: str) -> VectorsUnavailable:
    """Return what to say when a store's files or points are not as they were written."""
    return final(
        f"The vectors are damaged: {what}. Delete the whole workspace and ingest its documents"
        " again, or restore its folder from a copy."
    )
