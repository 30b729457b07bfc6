"""Build what operators see: metrics, spans, and whether this process can work."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from bot.observability.metrics import Metrics
from bot.observability.observed_ports import observed_engine, observed_stores
from bot.observability.readiness import Readiness, folder, qdrant
from bot.observability.run_spans import observed_runs

__all__ = ["Metrics", "observed_engine", "observed_runs", "observed_stores", "readiness"]


def readiness(database: Callable[[], Awaitable[None]], vectors: str | Path) -> Readiness:
    """Return the check of whether this process can work now; vectors are at an address, or in a folder."""
    found = qdrant(vectors) if isinstance(vectors, str) else folder(vectors)
    return Readiness({"database": database, "vectors": found})
