"""The agents of a classification over one code list whose vectors are kept in a file: no app, no search.

Every code of the list is looked at, and each passage counts as near: the bench with the product's own search
gives the same figures but for one text in a hundred, and takes ten times as long.
"""

import asyncio
import datetime as dt
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from masis.adapters.minilm import MiniLMEmbedder
from masis.codelists.index import CodeIndex
from masis.codelists.reading import code_list
from masis.documents.chunking import chunk_document
from masis.documents.parsing.recognition.read_document import read_document
from masis.domain import Chunk, Document, EvidenceChunk, SearchResult, WorkspaceId
from masis.filters import NO_FILTERS, Filters
from masis.graphs.classification.agents import ClassificationAgents, ClassificationContext
from masis.graphs.classification.by_rule import RuleAnalyzer, RuleExpander
from masis.graphs.classification.stored_codes import StoredCodes
from masis.graphs.common import Context
from masis.ports import Vectors
from masis.retrieval.evidence import unscored

HERE = WorkspaceId("w_bench")


class KeptVectors:
    """Embeds each text once, and keeps its vector in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._model = MiniLMEmbedder()
        self._known: dict[str, NDArray[np.float32]] = {}
        if path.exists():
            with np.load(path, allow_pickle=False) as held:
                self._known = dict(zip(held["texts"].tolist(), held["vectors"], strict=True))

    async def of(self, workspace_id: WorkspaceId, texts: Sequence[str]) -> Vectors:
        """One row a text, in order."""
        assert workspace_id == HERE
        new = sorted({text for text in texts if text not in self._known}, key=len)
        self._known.update(zip(new, await self._model.embed(new), strict=True) if new else ())
        return np.stack([self._known[text] for text in texts])

    async def question(self, workspace_id: WorkspaceId, text: str) -> NDArray[np.float32]:
        """The vector of what is searched."""
        row: NDArray[np.float32] = (await self.of(workspace_id, [text]))[0]
        return row

    async def close(self) -> None:
        """Write the vectors down, and free the model."""
        texts = np.array(list(self._known))
        vectors = np.stack(list(self._known.values()))
        await asyncio.to_thread(np.savez, self._path, texts=texts, vectors=vectors)
        await self._model.close()


class KeptList:
    """One code list, as the ports of the classification graph ask for it."""

    def __init__(self, name: str, content: bytes) -> None:
        parsed = read_document(name, content)
        chunks = chunk_document(parsed, workspace_id=HERE, document_id="d_bench", version_id="v_1")
        self._document = Document(
            id="d_bench", workspace_id=HERE, name=name, title=name, format="csv", version_id="v_1",
            version_number=1, content_hash="", size_bytes=len(content), chunks=len(chunks), date=None,
            ingested_at=dt.datetime.now(dt.UTC),
        )  # fmt: skip
        codes = code_list(self._document, chunks)
        assert codes is not None
        self.index = CodeIndex(codes)
        self._chunks = {chunk.id: chunk for chunk in chunks}
        self._found = [self._evidence(each) for each in chunks if each.id in self.index.by_chunk]

    def _evidence(self, chunk: Chunk) -> EvidenceChunk:
        return unscored(chunk, self._document).model_copy(update={"score": 1.0})

    async def of(self, workspace_id: WorkspaceId) -> list[CodeIndex]:
        """Return the one list."""
        assert workspace_id == HERE
        return [self.index]

    async def search(
        self,
        workspace_id: WorkspaceId,
        query: str,
        *,
        limit: int,
        question: str | None = None,
        filters: Filters = NO_FILTERS,
    ) -> SearchResult:
        """Return every passage of the list, whatever is asked."""
        assert query, (limit, question, filters)
        return SearchResult(candidates=self._found, indexed=len(self._chunks), workspace=workspace_id)  # fmt: skip

    async def chunks(
        self, workspace_id: WorkspaceId, ids: Sequence[str]
    ) -> dict[str, tuple[Chunk, Document]]:
        """Return the passages by their ids."""
        assert workspace_id == HERE
        return {each: (self._chunks[each], self._document) for each in ids if each in self._chunks}


def context(codes: KeptList, vectors: KeptVectors) -> ClassificationContext:
    """Return what a run is given: the rules, and a search of the one list."""
    finder = StoredCodes(codes, codes, codes, vectors)  # type: ignore[arg-type]  # passages alone
    return Context(agents=ClassificationAgents(RuleExpander(), finder, RuleAnalyzer()))
