"""Removes what the run engine keeps of requests, in whatever state they are."""

import asyncio
from collections.abc import Collection
from typing import Self

import sqlalchemy as sa
from dbos import DBOS

from masis.domain import WorkspaceId
from storage.chat.removal import batches
from storage.database import Database
from storage.workflows import Workflows, _quiet, _sync_url


async def forget_steps(
    database: Database, run_ids: Collection[str], workspaces: Collection[WorkspaceId] = ()
) -> None:
    """Delete the finished steps of these requests, and of all ended ones of these workspaces.

    A process that is at work on one of them finds at its next step that it is gone, writes nothing
    more of it down and lets go of it.

    Raises:
        StoreUnavailable: the database cannot be written.
    """
    if not (run_ids or workspaces):
        return
    with database.reported():
        records = await _Records.of(database.url)
        try:
            await records.remove(run_ids)
            for workspace_id in workspaces:
                await records.forget(workspace_id)
        finally:
            await records.close()
    await database.erase_traces()


class _Records(Workflows):
    """The engine's tables, opened to remove from them: its queue's settings stay as they are."""

    @classmethod
    async def of(cls, url: sa.URL) -> Self:
        _quiet()
        sync = _sync_url(url)
        await asyncio.to_thread(DBOS.migrate, sync.render_as_string(hide_password=False))
        return cls(sync)

    async def remove(self, run_ids: Collection[str]) -> None:
        for ids in batches(run_ids):
            await self._delete(ids)
