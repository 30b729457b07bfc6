"""Log who did, or was refused, what. Lines are added and read, never changed."""

import uuid

from sqlalchemy import select

from masis.conversation import RUN_NAMESPACE, AdminAction, Tenant
from storage.sql.database import Database
from storage.sql.rows import AnyRow
from storage.sql.scope import clean, of_tenant, tenant_of, tenant_values, utc
from storage.sql.tables import admin_log
from storage.sql.upserts import insert_new


class AdminLog:
    """The admin actions of all tenants."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, action: AdminAction, *, once: str = "") -> None:
        """Write an action down, also a refused one.

        What may be tried again names itself in `once`: of its lines the first one stays.
        """
        row = (
            action.model_dump(exclude={"tenant"})
            | tenant_values(action.tenant)
            | {
                "id": _id_of(action.tenant, action.action, once) if once else str(uuid.uuid4()),
                "target": clean(action.target),
                "detail": clean(action.detail),
                "at": utc(action.at),
            }
        )
        async with self._database.write() as connection:
            await insert_new(connection, admin_log, row)

    async def has(self, tenant: Tenant, action: str, once: str) -> bool:
        """Say whether an action is written down that named itself so."""
        query = select(admin_log.c.id).where(
            of_tenant(admin_log.c, tenant), admin_log.c.id == _id_of(tenant, action, once)
        )
        async with self._database.read() as connection:
            return await connection.scalar(query) is not None

    async def list(self, tenant: Tenant, limit: int = 100) -> list[AdminAction]:
        """The tenant's last actions, the last one first."""
        query = (
            select(admin_log)
            .where(of_tenant(admin_log.c, tenant))
            .order_by(admin_log.c.at.desc(), admin_log.c.id)
            .limit(max(limit, 0))
        )
        async with self._database.read() as connection:
            return [_to_action(row) for row in await connection.execute(query)]


def _id_of(tenant: Tenant, action: str, once: str) -> str:
    named = f"{tenant.owner}\x1f{action}\x1f{once}"
    return str(uuid.uuid5(RUN_NAMESPACE, named))


def _to_action(row: AnyRow) -> AdminAction:
    return AdminAction(
        tenant=tenant_of(row),
        actor=row.actor,
        action=row.action,
        target=row.target,
        detail=row.detail,
        allowed=row.allowed,
        at=row.at,
    )
