"""The real stores and the real ingestion in a folder, for measuring search on collections."""

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from masis.adapters.minilm import MiniLMEmbedder
from masis.adapters.multilingual_e5 import MultilingualE5Embedder
from masis.documents.chunking import chunk_document
from masis.documents.ingestion import Ingest
from masis.domain import EmbeddingProfile, ParsedDocument, Workspace, WorkspaceId
from masis.ports import Embedder, Vectors
from masis.retrieval.search import Retrieval
from masis.retrieval.sentence_vectors import SentenceVectors
from masis.text.lexical import sparse_query
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from storage.vectors.embedded_store import EdgeVectorStores
from tests.bench.corpora import Collection, Indexed

RANKED: Final = 40
"""Chunks that each way to search ranks: enough for ten of twelve documents by their best chunk."""

Searcher = Callable[[str], Awaitable[list[str]]]
"""From a question to chunk ids, best first."""


class Remembering:
    """An embedder that embeds each text once, and with a file once for all runs.

    The ways to search share most sentences, and a collection is indexed twice.
    """

    def __init__(self, embedder: Embedder, file: Path | None = None) -> None:
        self._embedder = embedder
        self._file = file
        self._known: dict[str, NDArray[np.float32]] = {}
        if file is not None and file.exists():
            with np.load(file) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["rows"], strict=True))

    @property
    def profile(self) -> EmbeddingProfile:
        """That of the embedder."""
        return self._embedder.profile

    async def embed(
        self, texts: Sequence[str], kind: Literal["document", "query"] = "document"
    ) -> Vectors:
        """One row a text, in order."""
        mark = "" if kind == "document" else f"{kind}\0"
        keys = [
            hashlib.blake2b(f"{mark}{text}".encode(), digest_size=16).hexdigest() for text in texts
        ]
        missing = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._known
        }
        fresh = await self._embedder.embed(list(missing.values()), kind)
        self._known |= dict(zip(missing, fresh, strict=True))
        return np.stack([self._known[key] for key in keys])

    def keep(self) -> None:
        """Write what is known to the file, if there is one."""
        if self._file is not None:
            rows = np.stack(list(self._known.values()))
            np.savez(self._file, keys=np.array(list(self._known)), rows=rows)


class Prepared:
    """A parser that was given what it reads: the collections are parsed already."""

    def __init__(self) -> None:
        self.documents: dict[str, ParsedDocument] = {}

    async def parse(self, name: str, content: bytes) -> ParsedDocument:
        """The document of that name."""
        del content
        return self.documents[name]


class Workbench:
    """Fills workspaces with collections, and searches them."""

    def __init__(
        self, repository: SqlRepository, stores: EdgeVectorStores, embedder: Remembering
    ) -> None:
        self.repository = repository
        self.stores = stores
        self.embedder = embedder
        self._parser = Prepared()
        self._ingest = Ingest(
            repository=repository, stores=stores, embedder=embedder, parser=self._parser
        )

    async def fill(self, name: str, collections: Sequence[Collection]) -> tuple[Workspace, Indexed]:
        """Put the collections into a new workspace together."""
        workspace = await self.repository.create_workspace("bench", name)
        indexed = Indexed()
        for collection in collections:
            for document, parsed in collection.documents.items():
                await self._add(workspace, document, parsed, indexed)
        return workspace, indexed

    async def _add(
        self, workspace: Workspace, name: str, parsed: ParsedDocument, indexed: Indexed
    ) -> None:
        self._parser.documents[name] = parsed
        await self._ingest.ingest(workspace, name, name.encode())
        stored = await self.repository.document(workspace.id, name)
        if stored is None:
            raise LookupError(f"{name} was not taken in")
        chunks = chunk_document(
            parsed,
            workspace_id=workspace.id,
            document_id=stored.id,
            version_id=stored.version_id,
        )
        indexed.add(name, chunks)

    def searchers(self, workspace: WorkspaceId) -> dict[str, Searcher]:
        """Each of our ways to search; the last one is the product's."""
        return {
            "BM25": self._plain(workspace, dense=False, sparse=True),
            "dense": self._plain(workspace, dense=True, sparse=False),
            "hybrid (DBSF)": self._plain(workspace, dense=True, sparse=True),
            "MASIS without an embedder": self._whole(workspace, lexical=True),
            "MASIS": self._whole(workspace),
        }

    def retrieval(self, *, lexical: bool = False) -> Retrieval:
        """The product's search, with or without its embedder."""
        return Retrieval(
            repository=self.repository,
            stores=self.stores,
            embedder=None if lexical else self.embedder,
            sentences=None if lexical else SentenceVectors(self.embedder),
        )

    def _plain(self, workspace: WorkspaceId, *, dense: bool, sparse: bool) -> Searcher:
        async def search(query: str) -> list[str]:
            store = await self.stores.open(workspace, self.embedder.profile)
            vector = (await self.embedder.embed([query], "query"))[0] if dense else None
            words = sparse_query(query) if sparse else {}
            return [hit.chunk_id for hit in await store.search(vector, words, limit=RANKED)]

        return search

    def _whole(self, workspace: WorkspaceId, *, lexical: bool = False) -> Searcher:
        retrieval = self.retrieval(lexical=lexical)

        async def search(query: str) -> list[str]:
            result = await retrieval.search(workspace, query, limit=RANKED)
            return [candidate.chunk_id for candidate in result.candidates]

        return search


@asynccontextmanager
async def workbench(
    folder: Path,
    vectors: Path | None = None,
    *,
    embedder: MiniLMEmbedder | MultilingualE5Embedder | None = None,
) -> AsyncIterator[Workbench]:
    """The stores in `folder`; vectors are kept in the file `vectors` for the next run.

    Another `embedder` than the bundled one is closed as well.
    """
    database = await Database.open(folder / "bench.db")
    stores = EdgeVectorStores(folder / "vectors")
    try:
        async with embedder or MiniLMEmbedder() as model:
            remembering = Remembering(model, vectors)
            yield Workbench(SqlRepository(database), stores, remembering)
            remembering.keep()
    finally:
        await stores.close()
        await database.close()
