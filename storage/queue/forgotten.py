"""Requests under way whose steps may quote what was deleted meanwhile: forgotten at their end."""

import sqlalchemy as sa

from storage.chat.requests import is_open
from storage.durable.workflows import Workflows
from storage.sql.database import Database
from storage.sql.scope import exactly
from storage.sql.tables import chat_runs, forgotten_runs
from storage.sql.upserts import dialect_insert


class Forgotten:
    """Notes them in the database: another process than the one that deletes may end them."""

    def __init__(self, database: Database, workflows: Workflows) -> None:
        self._database = database
        self._workflows = workflows

    async def note(self, workspace_id: str) -> None:
        """Have what is under way in a workspace forgotten at its end."""
        await self._note(exactly(chat_runs.c.workspace_id, workspace_id), is_open())

    async def note_ending(self, workspace_id: str) -> None:
        """The same of requests that ended, where the engine has not noted so yet.

        To be called after `note`: what ended before is found here, or by who forgets what ended.
        """
        ending = await self._workflows.unfinished_of(workspace_id)
        if ending:
            await self._note(chat_runs.c.id.in_(sorted(ending)))

    async def _note(self, *which: sa.ColumnElement[bool]) -> None:
        # Locked, so that one which is being purged is waited for and left out.
        there = sa.select(chat_runs.c.id).where(*which).with_for_update(read=True, key_share=True)

        def note(connection: sa.Connection) -> None:
            insertion = dialect_insert(connection, forgotten_runs).from_select(["run_id"], there)
            connection.execute(insertion.on_conflict_do_nothing()).close()

        await self._database.transact(note)

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
        if not gone:
            return
        removal = sa.delete(forgotten_runs).where(forgotten_runs.c.run_id.in_(sorted(gone)))
        await self._database.transact(lambda write: write.execute(removal).close())
        await self._database.erase_traces()
