"""Store what people thought of answers."""

from typing import Any

from sqlalchemy import Select, and_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.conversation import Tenant, Vote
from masis.domain import Value, WorkspaceId
from storage.sql.database import Database
from storage.sql.rows import AnyRow, within
from storage.sql.scope import clean, exactly, of_tenant, tenant_of, tenant_values, utc
from storage.sql.tables import chat_runs, runs, votes
from storage.sql.upserts import put


class VotedRun(Value):
    """A vote with what it was about: empty where the run is not kept any more, or was blanked.

    `documents` are the names of those that the answer cites, in the order of its citations.
    """

    vote: Vote
    workspace_id: WorkspaceId
    question: str = ""
    status: str = ""
    answer: str = ""
    documents: list[str] = []
    blanked: bool = False


class Votes:
    """The votes of all tenants."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def cast(self, vote: Vote, workspace_id: WorkspaceId) -> bool:
        """Count a vote; the person's last one stands. False for a run that is not the tenant's."""
        row = (
            vote.model_dump(exclude={"tenant"})
            | tenant_values(vote.tenant)
            | {"workspace_id": workspace_id, "reason": clean(vote.reason), "at": utc(vote.at)}
        )
        async with self._database.write() as connection:
            if not await _is_theirs(connection, vote.tenant, vote.run_id, workspace_id):
                return False
            await put(connection, votes, row)
        return True

    async def of(self, tenant: Tenant, run_id: str) -> list[Vote]:
        """The votes on one of the tenant's runs, the last one first."""
        query = _newest_first(
            select(votes).where(of_tenant(votes.c, tenant), exactly(votes.c.run_id, run_id))
        )
        async with self._database.read() as connection:
            return [_to_vote(row) for row in await connection.execute(query)]

    async def list(
        self, tenant: Tenant | None, workspace_id: WorkspaceId | None = None, limit: int = 100
    ) -> list[VotedRun]:
        """The last votes with what they were about, the last one first.

        Of every tenant where that is None, which is for the operator alone; of all its workspaces
        where that one is.
        """
        about = and_(runs.c.workspace_id == votes.c.workspace_id, runs.c.run_id == votes.c.run_id)
        query = select(
            votes, runs.c.question, runs.c.status, runs.c.outcome, runs.c.blanked
        ).select_from(votes.outerjoin(runs, about))
        if tenant is not None:
            query = query.where(of_tenant(votes.c, tenant))
        if workspace_id is not None:
            query = query.where(within(votes.c, workspace_id))
        async with self._database.read() as connection:
            found = await connection.execute(_newest_first(query).limit(max(limit, 0)))
            return [_to_voted_run(row) for row in found]


async def _is_theirs(
    connection: AsyncConnection, tenant: Tenant, run_id: str, workspace_id: WorkspaceId
) -> bool:
    """Say whether the tenant asked it, in this workspace."""
    mine = of_tenant(chat_runs.c, tenant), within(chat_runs.c, workspace_id)
    query = select(chat_runs.c.id).where(*mine, exactly(chat_runs.c.id, run_id))
    return await connection.scalar(query) is not None


def _newest_first(query: Select[Any]) -> Select[Any]:
    return query.order_by(votes.c.at.desc(), votes.c.run_id, votes.c.user)


def _to_vote(row: AnyRow) -> Vote:
    return Vote(
        tenant=tenant_of(row),
        run_id=row.run_id,
        user=row.user,
        good=row.good,
        reason=row.reason,
        at=row.at,
    )


def _to_voted_run(row: AnyRow) -> VotedRun:
    outcome: dict[str, Any] = row.outcome or {}
    names = [citation.get("document", "") for citation in outcome.get("citations", [])]
    return VotedRun(
        vote=_to_vote(row),
        workspace_id=row.workspace_id,
        question=row.question or "",
        status=row.status or "",
        answer=outcome.get("answer", ""),
        documents=[name for name in dict.fromkeys(names) if name],
        blanked=bool(row.blanked),
    )
