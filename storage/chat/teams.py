"""List which teams there are, for the operator alone."""

from typing import Final

from sqlalchemy import Table, select, union

from masis.conversation import Tenant
from storage.sql import tables
from storage.sql.database import Database
from storage.sql.scope import TENANT, tenant_of

_TABLES: Final[tuple[Table, ...]] = (
    tables.admin_log,
    tables.chat_jobs,
    tables.chat_runs,
    tables.claims,
    tables.direct_choices,
    tables.installations,
    tables.links,
    tables.sessions,
    tables.team_settings,
    tables.teams_places,
    tables.votes,
)


async def teams(database: Database) -> list[Tenant]:
    """Everyone of whom anything of a chat is kept, in order; an organisation has no team."""
    everyone = union(*(select(*(table.c[name] for name in TENANT)) for table in _TABLES))
    async with database.read() as connection:
        found = [tenant_of(row) for row in await connection.execute(everyone)]
    return sorted(found, key=lambda each: (each.chat, each.enterprise, each.team))
