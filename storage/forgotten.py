"""Requests under way whose steps may quote what was deleted meanwhile: forgotten at their end."""

import sqlalchemy as sa

from storage.chat.requests import is_open
from storage.chat.scope import exactly
from storage.chat.upserts import dialect_insert
from storage.database import Database
from storage.tables import chat_runs, forgotten_runs
from storage.workflows import Workflows


class Forgotten:
    """Notes them in the database: another process than the one that deletes may end them."""

    def __init__(self, database: Database, workflows: Workflows) -> None:
        self._database = database
        self._workflows = workflows

    async def note(self, workspace_id: str) -> None:
        """Have what is under way in a workspace forgotten at its end."""
        scope = exactly(chat_runs.c.workspace_id, workspace_id)
        # Locked, so that one which is being purged is waited for and left out.
        query = sa.select(chat_runs.c.id).where(scope, is_open())
        there = query.with_for_update(read=True, key_share=True)

        def note(connection: sa.Connection) -> None:
            insertion = dialect_insert(connection, forgotten_runs).from_select(["run_id"], there)
            connection.execute(insertion.on_conflict_do_nothing()).close()

        await self._database.transact(note)

    def is_noted(self, connection: sa.Connection, run_id: str) -> bool:
        """Whether the request is one of them."""
        query = sa.select(forgotten_runs.c.run_id).where(forgotten_runs.c.run_id == run_id)
        return connection.scalar(query) is not None

    async def sweep(self) -> None:
        """Forget those that ended."""
        query = sa.select(forgotten_runs.c.run_id).join(
            chat_runs, chat_runs.c.id == forgotten_runs.c.run_id
        )
        ended = query.where(sa.not_(is_open()))
        run_ids = await self._database.inspect(lambda look: set(look.scalars(ended)))
        if not run_ids:
            return
        gone = run_ids - await self._workflows.unfinished(run_ids)
        removal = sa.delete(forgotten_runs).where(forgotten_runs.c.run_id.in_(sorted(gone)))
        await self._database.transact(lambda write: write.execute(removal).close())
        await self._database.erase_traces()
