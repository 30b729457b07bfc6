"""Forgetting a person, a team or a workspace, to the last byte of the database."""

from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import ColumnElement, Table, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.conversation import Tenant
from masis.domain import Value, WorkspaceId
from storage import checkpoint_rows
from storage.privacy import person
from storage.privacy.authorship import requests_of
from storage.privacy.row_removal import batches, remove
from storage.sql.database import Database
from storage.sql.rows import scope_of, text_or_nothing, within
from storage.sql.scope import exactly, of_tenant, owner_of
from storage.sql.tables import (
    admin_log,
    attached_files,
    chat_jobs,
    chat_runs,
    claims,
    direct_choices,
    ledger,
    links,
    sessions,
    team_settings,
    teams_places,
    votes,
    workspaces,
)

_OF_TEAMS: Final[tuple[Table, ...]] = (
    chat_jobs,
    links,
    direct_choices,
    claims,
    admin_log,
    team_settings,
    teams_places,
    ledger,
)
"""What else of a team is forgotten with it."""


class PurgeReport(Value):
    """Report what was forgotten, and what the caller still has to remove.

    `runs` are the requests whose traces in the engine are to go, `workspaces` the workspaces whose
    vectors and files are. `requests` counts the removed ones, `emptied` those of other people that
    had taken up the person's words and lost them.
    """

    runs: list[str] = []
    workspaces: list[WorkspaceId] = []
    requests: int = 0
    emptied: int = 0
    sessions: int = 0
    votes: int = 0


class Purge:
    """Removes what is asked for in one transaction, then its traces from the database's log.

    A run in progress would write its words down anew: what is open is to be cancelled before.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open_requests(self, tenant: Tenant, user: str) -> list[str]:
        """The ids of the open requests that hold the person's words, to be cancelled first."""
        async with self._database.read() as connection:
            return (await requests_of(connection, tenant, user)).open

    async def purge_user(self, tenant: Tenant, user: str) -> PurgeReport:
        """Forget what a person asked, replied and voted, and who it was that did what they did.

        Requests of others that took up the person's words stay as rows without any text. Admin
        actions, links, cancellations and costs stay, as nobody's. What was posted is the chat's.
        """
        if not text_or_nothing(user):
            return PurgeReport()
        async with self._database.write() as connection:
            found = await requests_of(connection, tenant, user)
            gone = await person.forget_words(connection, tenant, user, found)
            await person.anonymise_actions(connection, tenant, user)
            await connection.run_sync(checkpoint_rows.remove_left)
        await self._database.erase_traces()
        return PurgeReport(
            runs=sorted({*found.own, *found.taken_up}),
            requests=len(found.own),
            emptied=len(found.taken_up),
            sessions=gone.sessions,
            votes=gone.votes,
        )

    async def purge_team(self, tenant: Tenant) -> PurgeReport:
        """Forget a team's conversations, settings and workspaces; its installation stays.

        Of other teams goes what they asked of those workspaces, which a whole organisation shares.
        """
        owned = exactly(workspaces.c.owner, owner_of(tenant))
        ids = select(workspaces.c.id).where(owned)
        async with self._database.write() as connection:
            report = await _forget(
                connection,
                lambda columns: or_(of_tenant(columns, tenant), columns.workspace_id.in_(ids)),
            )
            for table in _OF_TEAMS:
                await remove(connection, table, of_tenant(table.c, tenant))
            scopes = await _remove_workspaces(connection, owned)
        await self._database.erase_traces()
        return report.model_copy(update={"workspaces": scopes})

    async def purge_workspace(self, owner: str, workspace_id: WorkspaceId) -> PurgeReport:
        """Forget a workspace of this owner, and every conversation about it."""
        mine = workspaces.c.id == scope_of(workspace_id), exactly(workspaces.c.owner, owner)
        async with self._database.write() as connection:
            if await connection.scalar(select(workspaces.c.id).where(*mine)) is None:
                return PurgeReport()
            report = await _forget(connection, lambda columns: within(columns, workspace_id))
            scopes = await _remove_workspaces(connection, *mine)
        await self._database.erase_traces()
        return report.model_copy(update={"workspaces": scopes})


async def _forget(
    connection: AsyncConnection, whose: Callable[[Any], ColumnElement[bool]]
) -> PurgeReport:
    """Remove the requests, sessions and votes whose columns meet the condition."""
    asked = list(await connection.scalars(select(chat_runs.c.id).where(whose(chat_runs.c))))
    for ids in batches(asked):
        await remove(connection, attached_files, attached_files.c.run_id.in_(ids))
    return PurgeReport(
        runs=sorted(asked),
        votes=await remove(connection, votes, whose(votes.c)),
        sessions=await remove(connection, sessions, whose(sessions.c)),
        requests=await remove(connection, chat_runs, whose(chat_runs.c)),
    )


async def _remove_workspaces(
    connection: AsyncConnection, *mine: ColumnElement[bool]
) -> list[WorkspaceId]:
    """Remove workspaces; documents, kept runs and all that hangs on them go along."""
    found = await connection.scalars(select(workspaces.c.id).where(*mine))
    scopes = sorted(WorkspaceId(scope) for scope in found)
    await remove(connection, workspaces, *mine)
    await connection.run_sync(checkpoint_rows.remove_left)
    return scopes
