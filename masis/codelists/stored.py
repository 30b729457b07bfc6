"""Read the code lists of a workspace from where its documents are stored, and keep the last ones."""

import asyncio
from collections.abc import Sequence
from typing import Final

from cachetools import LRUCache

from masis.codelists.code_list import KIND, KIND_FIELD
from masis.codelists.index import CodeIndex
from masis.codelists.reading import code_list
from masis.domain import Chunk, Document, WorkspaceId
from masis.ports import Repository

MOST_LISTS: Final = 8
"""Of one workspace, by name."""
KEPT: Final = 16
"""Lists that are kept in memory; one of 4,000 codes takes some 20 MB."""
MOST_ASKED: Final = 24
"""Words of a question that asks what a code stands for; its title may be among them."""
MOST_PASSAGES: Final = 4_000
"""Of one list."""


class StoredCodeLists:
    """Reads code lists from the stored passages of documents of that kind.

    A list is kept by its version, which never changes, and read only while that is visible.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._kept: LRUCache[tuple[WorkspaceId, str], CodeIndex | None] = LRUCache(KEPT)

    async def of(self, workspace_id: WorkspaceId) -> list[CodeIndex]:
        """Return the workspace's code lists, by name.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        documents = [
            each for each in await self._repository.documents(workspace_id) if is_one(each)
        ]
        found = [await self._read(workspace_id, each) for each in documents[:MOST_LISTS]]
        return [index for index in found if index is not None]

    async def names(self, workspace_id: WorkspaceId) -> frozenset[str]:
        """Return the terms by which the lists are called; none where there is no list.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        return frozenset().union(*(each.codes.called for each in await self.of(workspace_id)))

    async def asked(self, workspace_id: WorkspaceId, question: str) -> bool:
        """Tell whether a question asks what a code of a list stands for.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        if len(question.split()) > MOST_ASKED:
            return False
        return any(each.asked(question) for each in await self.of(workspace_id))

    async def are_all(self, workspace_id: WorkspaceId) -> bool:
        """Tell whether the workspace has code lists and no other document.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        documents = await self._repository.documents(workspace_id)
        return bool(documents) and all(is_one(each) for each in documents)

    def forget(self, workspace_id: WorkspaceId) -> None:
        """Drop what is kept of a workspace; to be called when something is deleted."""
        for key in [key for key in self._kept if key[0] == workspace_id]:
            self._kept.pop(key, None)

    async def _read(self, workspace_id: WorkspaceId, document: Document) -> CodeIndex | None:
        key = (workspace_id, document.version_id)
        if key not in self._kept:
            positions = range(min(document.chunks, MOST_PASSAGES))
            chunks = await self._repository.neighbours(workspace_id, document.version_id, positions)
            self._kept[key] = await asyncio.to_thread(_indexed, document, chunks)
        return self._kept[key]


def is_one(document: Document) -> bool:
    """Tell whether a document is a code list: it was recognised as one, or somebody said so."""
    return document.fields.get(KIND_FIELD) == KIND


def _indexed(document: Document, chunks: Sequence[Chunk]) -> CodeIndex | None:
    found = code_list(document, chunks)
    return CodeIndex(found) if found else None
