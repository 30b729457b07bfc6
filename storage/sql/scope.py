"""Scope queries to their rows.

The tenant stands in every WHERE, and what cannot be an id finds nothing.
"""

import datetime as dt
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, false, select
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.conversation import Tenant
from masis.domain import WorkspaceId
from masis.errors import UnknownWorkspace
from storage.sql.rows import AnyRow, scope_of
from storage.sql.tables import workspaces

TENANT: Final = ("chat", "enterprise", "team")
"""The columns that say whose a row is."""


def of_tenant(columns: Any, tenant: object) -> ColumnElement[bool]:
    """The condition that belongs into every WHERE; a tenant without any id owns nothing."""
    if not isinstance(tenant, Tenant) or not owner_of(tenant):
        return false()
    return and_(*(columns[name] == getattr(tenant, name) for name in TENANT))


def owner_of(tenant: object) -> str:
    """Return who owns the tenant's workspaces.

    It is empty for what is no tenant, which owns nothing.
    """
    if not isinstance(tenant, Tenant):
        return ""
    ids = tenant.enterprise, tenant.team
    return tenant.owner if any(ids) and all(_storable(part) for part in ids) else ""


def owners_of(tenant: object) -> tuple[str, ...]:
    """Return whose workspaces the tenant may ask: its own, and those of its whole organisation."""
    own = owner_of(tenant)
    if not own or not isinstance(tenant, Tenant):
        return ()
    return tuple(each for each in (own, tenant.organisation_owner) if each)


def exactly(column: Any, value: object) -> ColumnElement[bool]:
    """`column` is this id. What is empty, no text, or no text of a database is no row's."""
    if not value or not _storable(value):
        return false()
    condition: ColumnElement[bool] = column == value
    return condition


def mentions(column: Any, value: object) -> ColumnElement[bool]:
    """This id stands somewhere in the text of `column`; as with `exactly`, some are in none."""
    if not value or not _storable(value):
        return false()
    condition: ColumnElement[bool] = column.contains(value, autoescape=True)
    return condition


def tenant_values(tenant: Tenant) -> dict[str, str]:
    """The tenant's columns of a row to write.

    Raises:
        ValueError: it has no id, so that nobody could ever find the row.
    """
    if not (tenant.enterprise or tenant.team):
        raise ValueError("a conversation belongs to a team or an enterprise")
    return {name: getattr(tenant, name) for name in TENANT}


def taken_tenant(values: dict[str, Any]) -> Tenant:
    """Take the tenant out of a row's values."""
    return Tenant(**{name: values.pop(name) for name in TENANT})


def tenant_of(row: AnyRow) -> Tenant:
    """Read whose a row is."""
    return Tenant(**{name: getattr(row, name) for name in TENANT})


def clean(text: str) -> str:
    """`text` as every database can keep it: without NUL, and with lone surrogates replaced."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def utc(moment: dt.datetime) -> dt.datetime:
    """The same moment in UTC: SQLite writes down the clock's figures and drops the zone."""
    return moment.astimezone(dt.UTC)


async def require_workspace(
    connection: AsyncConnection, tenant: Tenant, workspace_id: object
) -> WorkspaceId:
    """`checked_workspace` on the connection of a coroutine."""
    return await connection.run_sync(checked_workspace, tenant, workspace_id)


def checked_workspace(connection: Connection, tenant: Tenant, workspace_id: object) -> WorkspaceId:
    """The id of a workspace that this tenant may ask, which stays until the transaction's end.

    Raises:
        UnknownWorkspace: there is none, or it belongs to somebody else.
    """
    mine = (
        workspaces.c.id == scope_of(workspace_id),
        workspaces.c.owner.in_(owners_of(tenant)),
    )
    # FOR KEY SHARE where rows are locked one by one; SQLite's writer is alone anyway.
    query = select(workspaces.c.id).where(*mine).with_for_update(read=True, key_share=True)
    found = connection.scalar(query)
    if found is None:
        raise UnknownWorkspace("There is no such workspace.")
    return WorkspaceId(found)


def _storable(value: object) -> bool:
    return isinstance(value, str) and clean(value) == value
