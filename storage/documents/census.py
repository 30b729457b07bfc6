"""The operator's view of workspaces: of one owner or of all."""

import sqlalchemy as sa

from masis.domain import Workspace
from storage.sql import rows
from storage.sql.database import Database
from storage.sql.tables import versions, workspaces

_HOLDS_DOCUMENTS = sa.exists().where(
    versions.c.workspace_id == workspaces.c.id, versions.c.state == "active"
)


async def with_documents(
    database: Database, owner: str | None, limit: int
) -> tuple[list[Workspace], int]:
    """Workspaces that hold documents, by owner and name, and how many there are beyond `limit`.

    `owner`: whose alone; None for everybody's, which only an operator may be shown.
    """
    matching = sa.select(workspaces.c.id).where(_HOLDS_DOCUMENTS)
    if owner is not None:
        matching = matching.where(workspaces.c.owner == rows.text_or_nothing(owner))
    order = workspaces.c.owner, workspaces.c.name
    first = matching.order_by(*order).limit(limit).subquery()
    query = rows.workspace_query().where(workspaces.c.id.in_(sa.select(first.c.id)))
    async with database.read() as connection:
        found = [rows.to_workspace(row) for row in await connection.execute(query.order_by(*order))]
        count = sa.select(sa.func.count()).select_from(matching.subquery())
        total = (await connection.execute(count)).scalar_one()
    return found, total - len(found)


async def count_of_others(database: Database, owner: str) -> int:
    """Count the workspaces that belong to anybody but the owner."""
    others = sa.select(sa.func.count()).where(workspaces.c.owner != owner)
    async with database.read() as connection:
        return (await connection.execute(others)).scalar_one()
