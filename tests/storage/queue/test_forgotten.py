import asyncio
from typing import cast

import sqlalchemy as sa

from masis.conversation import ChatRun, Tenant
from storage.chat import requests
from storage.documents.repository import SqlRepository
from storage.durable.workflows import Workflows
from storage.queue.forgotten import Forgotten
from storage.sql.database import Database
from storage.sql.tables import chat_runs, forgotten_runs

TENANT = Tenant(team="T1")
NOTED = forgotten_runs.c.run_id


async def test_run_purged_meanwhile_needs_no_note(postgres_url: str) -> None:
    """A run that is purged meanwhile needs no note."""
    database = await Database.open(postgres_url)
    try:
        workspace = await SqlRepository(database).create_workspace(TENANT.owner, "acme")
        for run_id in ("purged", "stays"):
            run = ChatRun(
                id=run_id,
                tenant=TENANT,
                channel="C1",
                asker="U1",
                question="?",
                query="?",
                workspace_id=workspace.id,
            )
            await database.transact(lambda within, run=run: requests.insert(within, run))  # type: ignore[misc] # a default is no type
        forgotten = Forgotten(database, cast("Workflows", None))  # a note asks nobody
        async with database.write() as purge:
            await purge.execute(sa.delete(chat_runs).where(chat_runs.c.id == "purged"))
            noting = asyncio.create_task(forgotten.note(workspace.id))
            await asyncio.wait({noting}, timeout=0.1)
        await noting
        noted = await database.inspect(lambda look: list(look.scalars(sa.select(NOTED))))
    finally:
        await database.close()
    assert noted == ["stays"]
