"""Taking documents out: points first, since the rows say what is still hidden."""

import logging
from collections.abc import Callable, Sequence
from typing import Literal

from masis.domain import Value, Workspace, WorkspaceId
from masis.errors import ProfileMismatch, StoreUnavailable
from masis.ports import Embedder, Repository, VectorStore, VectorStores
from masis.records import Version

log = logging.getLogger(__name__)


class DeleteResult(Value):
    """Report what became of a document that was to be deleted.

    `unknown`: there is none of that name. `replaced`: another version than the one that was meant
    answers by now, and stays.

    `blanked` is how many stored answers quoted it and had their texts emptied.
    """

    status: Literal["deleted", "unknown", "replaced"]
    name: str
    chunks: int = 0
    blanked: int = 0


class Removal:
    """Removes versions, documents and workspaces, each at once and completely.

    `forget` drops what is kept in memory of a workspace, and is called when something of it stops
    being visible.
    """

    def __init__(
        self,
        *,
        repository: Repository,
        stores: VectorStores,
        embedder: Embedder | None,
        forget: Callable[[WorkspaceId], None],
    ) -> None:
        self._repository = repository
        self._stores = stores
        self._embedder = embedder
        self._forget = forget

    async def document(self, workspace: Workspace, name: str, version: str = "") -> DeleteResult:
        """Delete a document with all its versions, at once and completely.

        With a `version` only where that is the one that answers.

        Raises:
            StoreUnavailable: nothing was deleted; or, where only removing the points failed, the
                document was, and `recover` removes them.
        """
        document = await self._repository.document(workspace.id, name)
        if document is None:
            return DeleteResult(status="unknown", name=name)
        store = await self._any_store(workspace.id)
        # From here on its chunks are not found any more, whatever becomes of their points.
        deleted = await self._repository.delete_document(workspace.id, document.id, version)
        if not deleted.versions:
            return DeleteResult(status="replaced" if deleted.replaced else "unknown", name=name)
        self._forget(workspace.id)
        await self._remove_from(store, deleted.versions)
        return DeleteResult(
            status="deleted", name=name, chunks=document.chunks, blanked=deleted.blanked
        )

    async def workspace(self, workspace: Workspace) -> None:
        """Delete a workspace with everything in it.

        Raises:
            StoreUnavailable: nothing was deleted, where it is retryable.
        """
        try:
            await self._stores.open(workspace.id, None)
        except StoreUnavailable as error:
            if error.retryable:  # held by another process; damaged vectors can still be dropped
                raise
        await self._repository.delete_workspace(workspace.id)
        self._forget(workspace.id)
        await self._stores.drop(workspace.id)

    async def discard(self, version: Version, name: str) -> None:
        """Remove a version, unless an activation that was broken off made it visible after all."""
        try:
            active = await self._repository.document(version.workspace_id, name)
        except StoreUnavailable as error:
            log.warning("version %s is left for the next recovery: %s", version.id, error)
            return
        if active is not None and active.version_id == version.id:
            self._forget(version.workspace_id)
        else:
            await self.remove_or_leave(version.workspace_id, version.id)

    async def remove_or_leave(self, workspace_id: WorkspaceId, version_id: str) -> None:
        """Remove an invisible version; when that fails it stays invisible until `recover`."""
        try:
            await self.remove(workspace_id, [version_id])
        except StoreUnavailable as error:
            log.warning("version %s is left for the next recovery: %s", version_id, error)

    async def remove(self, workspace_id: WorkspaceId, versions: Sequence[str]) -> None:
        """Remove invisible versions.

        Raises:
            StoreUnavailable: some may be left.
        """
        await self._remove_from(await self._any_store(workspace_id), versions)

    async def _any_store(self, workspace_id: WorkspaceId) -> VectorStore:
        """The workspace's vectors to remove some, of whatever profile they are."""
        profile = None if self._embedder is None else self._embedder.profile
        try:
            return await self._stores.open(workspace_id, profile)
        except ProfileMismatch:
            return await self._stores.open(workspace_id, None)

    async def _remove_from(self, store: VectorStore, versions: Sequence[str]) -> None:
        """Remove versions, points first: their rows say what is still hidden."""
        for version in versions:
            await store.delete_version(version)
            await self._repository.discard_version(store.workspace_id, version)
