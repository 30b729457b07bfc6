"""Store what each team's admins decided."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.conversation import TeamSettings, Tenant
from storage.sql.database import Database
from storage.sql.rows import now
from storage.sql.scope import of_tenant, tenant_values
from storage.sql.tables import team_settings
from storage.sql.upserts import put


async def put_settings(connection: AsyncConnection, tenant: Tenant, settings: TeamSettings) -> None:
    """Replace the tenant's settings within the caller's transaction."""
    decided = {"settings": settings.model_dump(mode="json"), "changed_at": now()}
    await put(connection, team_settings, tenant_values(tenant) | decided)


class TeamSettingsStore:
    """The settings of all tenants."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, tenant: Tenant) -> TeamSettings:
        """The tenant's settings; the defaults where nothing was decided.

        A setting that a newer version of this program wrote down is left out.
        """
        query = select(team_settings.c.settings).where(of_tenant(team_settings.c, tenant))
        async with self._database.read() as connection:
            found = await connection.scalar(query) or {}
        known = {name: found[name] for name in TeamSettings.model_fields if name in found}
        return TeamSettings.model_validate(known)

    async def save(self, tenant: Tenant, settings: TeamSettings) -> None:
        """Replace the tenant's settings."""
        async with self._database.write() as connection:
            await put_settings(connection, tenant, settings)
