"""The operator's view of requests: of one tenant or of all, with how each of them ended."""

import sqlalchemy as sa

from masis.conversation import ChatRun, RunStatus, Tenant
from masis.domain import Value
from storage.chat import requests
from storage.chat.outbox import Outbox
from storage.sql.database import Database
from storage.sql.scope import of_tenant
from storage.sql.tables import chat_runs


class Seen(Value):
    """A request, and the kinds of messages that it has in its chat."""

    run: ChatRun
    messages: set[str]


async def overview(
    database: Database, tenant: Tenant | None, status: RunStatus | None, limit: int
) -> list[Seen]:
    """The newest requests, newest first; without a tenant everybody's."""
    query = sa.select(chat_runs)
    if tenant is not None:
        query = query.where(of_tenant(chat_runs.c, tenant))
    if status is not None:
        query = query.where(chat_runs.c.status == status)
    newest = query.order_by(chat_runs.c.accepted_at.desc(), chat_runs.c.id.desc())
    async with database.read() as connection:
        rows = (await connection.execute(newest.limit(max(limit, 0)))).all()
    found = [requests.to_run(row) for row in rows]
    kinds = await Outbox(database).kinds([run.id for run in found])
    return [Seen(run=run, messages=kinds.get(run.id, set())) for run in found]
