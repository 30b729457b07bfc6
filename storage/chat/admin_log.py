"""Log who did, or was refused, what. Lines are added and read, never changed."""

import datetime as dt
import uuid
from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.conversation import RUN_NAMESPACE, AdminAction, Tenant
from storage.sql.database import Database
from storage.sql.rows import AnyRow
from storage.sql.scope import clean, of_tenant, tenant_of, tenant_values, utc
from storage.sql.tables import admin_log
from storage.sql.upserts import insert_new


async def write_down(connection: AsyncConnection, action: AdminAction, once: str = "") -> bool:
    """Write an action down within the caller's transaction; False where it is written down.

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
    return await insert_new(connection, admin_log, row)


async def is_written_down(
    connection: AsyncConnection, tenant: Tenant, action: str, once: str
) -> bool:
    """Say within the caller's transaction whether an action is written down that named itself so."""
    named = admin_log.c.id == _id_of(tenant, action, once)
    query = select(admin_log.c.id).where(of_tenant(admin_log.c, tenant), named)
    return await connection.scalar(query) is not None


async def is_decided_since(
    connection: AsyncConnection,
    tenant: Tenant,
    actions: Collection[str],
    target: str,
    at: dt.datetime,
) -> bool:
    """Say within the caller's transaction whether one of the actions was done to it after a moment."""
    query = select(admin_log.c.id).where(
        of_tenant(admin_log.c, tenant),
        admin_log.c.at > utc(at),
        admin_log.c.action.in_(sorted(actions)),
        admin_log.c.target == clean(target),
        admin_log.c.allowed,
    )
    return await connection.scalar(query.limit(1)) is not None


class AdminLog:
    """The admin actions of all tenants."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, action: AdminAction, *, once: str = "") -> None:
        """Write an action down, also a refused one.

        What may be tried again names itself in `once`: of its lines the first one stays.
        """
        async with self._database.write() as connection:
            await write_down(connection, action, once)

    async def of(self, tenant: Tenant, action: str, once: str) -> AdminAction | None:
        """Return the action that is written down and named itself so."""
        query = select(admin_log).where(
            of_tenant(admin_log.c, tenant), admin_log.c.id == _id_of(tenant, action, once)
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else _to_action(row)

    async def is_done_since(
        self, tenant: Tenant, action: str, target: str, at: dt.datetime
    ) -> bool:
        """Say whether an action was done to it after a moment."""
        async with self._database.read() as connection:
            return await is_decided_since(connection, tenant, {action}, target, at)

    async def list(self, tenant: Tenant, limit: int = 100) -> list[AdminAction]:
        """The tenant's last actions, the last one first, those of one moment in one order."""
        query = (
            select(admin_log)
            .where(of_tenant(admin_log.c, tenant))
            .order_by(admin_log.c.at.desc(), admin_log.c.target, admin_log.c.detail, admin_log.c.id)
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
