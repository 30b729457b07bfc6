"""Counts the documents that an older reader read than the one in use."""

from collections.abc import Mapping

import sqlalchemy as sa

from masis.domain import Format, Value
from storage.sql import rows
from storage.sql.database import Database
from storage.sql.tables import versions, workspaces


class OlderDocuments(Value):
    """Visible documents of older readers: those of synced folders, and those put in otherwise.

    MASIS keeps no files, so that the latter are read again only where somebody puts them in again.
    """

    synced: int = 0
    others: int = 0


async def older_documents(
    database: Database, parsers: Mapping[Format, int], owner: str | None
) -> OlderDocuments:
    """Count them in an owner's workspaces; for None in everybody's, for an operator alone."""
    read_by = sa.func.coalesce(versions.c.parser, 0)
    is_older = (
        sa.and_(versions.c.format == form, read_by < version) for form, version in parsers.items()
    )
    is_synced = versions.c.source.is_not(None)
    query = (
        sa.select(sa.func.count(sa.case((is_synced, 1))), sa.func.count(sa.case((~is_synced, 1))))
        .select_from(versions)
        .where(versions.c.state == "active", sa.or_(sa.false(), *is_older))
    )
    if owner is not None:
        mine = sa.select(workspaces.c.id).where(workspaces.c.owner == rows.text_or_nothing(owner))
        query = query.where(versions.c.workspace_id.in_(mine))

    def look(connection: sa.Connection) -> OlderDocuments:
        synced, others = connection.execute(query).one()
        return OlderDocuments(synced=synced, others=others)

    return await database.inspect(look)
