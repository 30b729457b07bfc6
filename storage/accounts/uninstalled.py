"""Handle a tenant's conversations when the app is uninstalled."""

from typing import Any, Final

from sqlalchemy import ColumnElement, and_, delete, false, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.conversation import OPEN, Tenant
from masis.installation import Uninstalled
from storage import checkpoint_rows
from storage.sql.scope import exactly, of_tenant, tenant_of
from storage.sql.tables import (
    chat_runs,
    direct_choices,
    installations,
    links,
    sessions,
    team_settings,
)

UNINSTALLED: Final = "MASIS was uninstalled"
"""Why a link does not answer after an uninstallation; only an admin's new link ends that."""


async def uninstall(connection: AsyncConnection, tenant: Tenant) -> Uninstalled:
    """Put the tenant's links out of use, close its clarifications, and list its open runs.

    Links of a team that does not want its data kept are removed at once; the rest of its data is
    the caller's to remove. An organisation (its team is empty) takes along every team of it that
    has no installation of its own. To be called after the installation's row is gone.
    """
    forgotten = await _forgotten(connection, tenant)
    gone = links.c.team.in_([team.team for team in forgotten])
    await connection.execute(delete(links).where(_whose(links.c, tenant), gone))
    await connection.execute(
        # An earlier reason gives way: what ends that one must not bring the link back.
        update(links).where(_whose(links.c, tenant)).values(suspended=UNINSTALLED)
    )
    await connection.execute(delete(direct_choices).where(_whose(direct_choices.c, tenant)))
    await connection.execute(
        update(sessions)
        .where(_whose(sessions.c, tenant), sessions.c.status == "open")
        .values(status="cancelled")
    )
    await connection.run_sync(checkpoint_rows.remove_left)
    running = select(chat_runs.c.id).where(
        _whose(chat_runs.c, tenant), chat_runs.c.status.in_(OPEN)
    )
    return Uninstalled(forgotten=forgotten, open_runs=list(await connection.scalars(running)))


async def _forgotten(connection: AsyncConnection, tenant: Tenant) -> list[Tenant]:
    """The teams that go and do not want their data kept."""
    query = select(team_settings).where(_whose(team_settings.c, tenant))
    return [
        tenant_of(row)
        for row in await connection.execute(query)
        if row.settings.get("keep_when_uninstalled") is False
    ]


def _whose(columns: Any, tenant: Tenant) -> ColumnElement[bool]:
    """The rows of the team that goes, or of all teams that the organisation that goes covered."""
    if tenant.team:
        return of_tenant(columns, tenant)
    if not tenant.enterprise:
        return false()
    staying = select(installations.c.team).where(
        installations.c.chat == tenant.chat,
        exactly(installations.c.enterprise, tenant.enterprise),
    )
    return and_(
        columns.chat == tenant.chat,
        exactly(columns.enterprise, tenant.enterprise),
        columns.team.not_in(staying),
    )
