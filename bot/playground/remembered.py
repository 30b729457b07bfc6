"""The vectors of the sample's passages, made ahead: the first start then reads, and need not think.

`python -m bot.playground.remembered` makes them anew after the sample, the way documents are cut or
the bundled model has changed. Until then passages that are not known are embedded as any others.
"""

import asyncio
import hashlib
import tempfile
from collections.abc import Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from bot.compose import compose
from bot.playground import samples
from bot.settings import load
from masis.documents.ingestion import Source
from masis.domain import EmbeddingProfile
from masis.ports import Embedder, Vectors

FILE: Final = "vectors.npz"
KEY_BYTES: Final = 12
"""Of a text's hash: among a few hundred texts no two are alike."""

Known = dict[bytes, Any]
"""A vector by its text's key."""


class Remembered:
    """An embedder that knows some texts by heart; the others are the real one's."""

    def __init__(self, embedder: Embedder, known: Known) -> None:
        self._embedder = embedder
        self._known = known

    @property
    def profile(self) -> EmbeddingProfile:
        """The real one's: what is known by heart was made by it."""
        return self._embedder.profile

    async def embed(
        self, texts: Sequence[str], kind: Literal["document", "query"] = "document"
    ) -> Vectors:
        """One row of length one a text, in order."""
        keys = [key(text) for text in texts]
        missing = [row for row, each in enumerate(keys) if each not in self._known]
        rows = np.zeros((len(texts), self.profile.dimension), dtype=np.float32)
        for row, each in enumerate(keys):
            if each in self._known:
                rows[row] = self._known[each]
        if missing:
            rows[missing] = await self._embedder.embed([texts[row] for row in missing], kind)
        return rows


class Recording:
    """An embedder that notes what it made."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.made: Known = {}

    @property
    def profile(self) -> EmbeddingProfile:
        """The real one's."""
        return self._embedder.profile

    async def embed(
        self, texts: Sequence[str], kind: Literal["document", "query"] = "document"
    ) -> Vectors:
        """One row of length one a text, in order."""
        rows = await self._embedder.embed(texts, kind)
        self.made |= dict(zip(map(key, texts), rows, strict=True))
        return rows


def by_heart(embedder: Embedder) -> Embedder:
    """The embedder with what the sample's file knows of its vectors."""
    known = read(samples.SAMPLE / FILE, embedder.profile)
    return Remembered(embedder, known) if known else embedder


def key(text: str) -> bytes:
    """Return the key by which a text is looked up."""
    return hashlib.sha256(text.encode()).digest()[:KEY_BYTES]


def read(file: Traversable, profile: EmbeddingProfile) -> Known:
    """The vectors of a file; none where there is no file, or it is of another model."""
    if not file.is_file():
        return {}
    with file.open("rb") as stored, np.load(stored, allow_pickle=False) as arrays:
        if str(arrays["profile"]) != profile.id:
            return {}
        rows = arrays["vectors"].astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        keys = (bytes(each) for each in arrays["keys"])
        return dict(zip(keys, rows, strict=True))


def write(path: Path, made: Known, profile: EmbeddingProfile) -> None:
    """Store vectors, in half precision: a cosine changes by less than 0.001."""
    keys = sorted(made)
    np.savez(
        path,
        profile=np.array(profile.id),
        keys=np.array([list(each) for each in keys], dtype=np.uint8),
        vectors=np.array([made[each] for each in keys], dtype=np.float16),
    )


async def make(path: Path) -> int:
    """Read the sample with the bundled model and store its vectors; gives how many there are."""
    with (
        tempfile.TemporaryDirectory() as folder,
        resources.as_file(samples.SAMPLE) as sample,
    ):
        settings = load(data_dir=Path(folder), agents="offline", embedder="bundled")
        async with compose(settings) as app:
            workspace = await app.repository.create_workspace(app.owner, "sample")
            recording = Recording(app.embedder) if app.embedder else None
            assert recording is not None  # noqa: S101 - the settings name one
            app.embedder = recording
            for each in samples.folders("sample"):
                async for _ in app.ingest.ingest_many(workspace, sources(sample / each)):
                    pass
    write(path, recording.made, recording.profile)
    return len(recording.made)


def sources(documents: Path) -> list[Source]:
    """The sample's files, as ingestion takes them."""
    files = sorted(path for path in documents.rglob("*") if path.is_file())
    return [Source(path.relative_to(documents).as_posix(), path.read_bytes) for path in files]


if __name__ == "__main__":
    with resources.as_file(samples.SAMPLE) as sample:
        asyncio.run(make(sample / FILE))
