"""Store what model calls cost, in rows: one a call, and a sum for each workspace and day."""

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

import sqlalchemy as sa
from sqlalchemy.sql import ColumnElement

from masis.conversation import Tenant
from masis.domain import Value, WorkspaceId
from masis.spending import Charge, Spent
from storage.sql.database import Database
from storage.sql.moments import instant, skew
from storage.sql.rows import AnyRow, scope_of
from storage.sql.scope import TENANT, clean, of_tenant, taken_tenant, tenant_values, utc
from storage.sql.tables import ledger, spent_days, workspaces
from storage.sql.upserts import add_new, dialect_insert

Grouping = Literal["workspace", "user", "channel", "run", "model"]
"""What usage may be summed up by."""

_MOST_NAME: Final = 200
"""Characters of a model's name; services name them as they like."""


class Usage(Value):
    """The calls of one workspace, person, channel, request or model.

    `key` is its id (a model's name, empty where there is none), `name` that of a workspace. `cost`
    is in millionths; `unpriced` are the calls that are not in it for want of a price.
    """

    tenant: Tenant
    key: str
    name: str = ""
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: int
    unpriced: int


class SqlLedger:
    """The `Ledger` of `masis.ports`, and its sums."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def write(self, charges: Sequence[Charge]) -> None:
        """Keep charges, all or none; of two with the same id the first is kept.

        Those of a workspace that is gone are left out: its own went with it. Their moments are set
        right by as much as this process's clock is off the database's.
        """
        await self._database.transact(lambda within: _write(within, charges))

    async def spent(self, workspace_id: WorkspaceId) -> Spent:
        """Return what the workspace spent today (UTC)."""
        found = await self.spent_today([workspace_id])
        return found.get(workspace_id, Spent())

    async def spent_today(self, workspace_ids: Iterable[str]) -> dict[str, Spent]:
        """The same for those of several that spent anything."""
        scopes = sorted({scope_of(each) for each in workspace_ids})
        here = sa.select(spent_days).where(spent_days.c.workspace_id.in_(scopes))

        def look(connection: sa.Connection) -> list[AnyRow]:
            today = spent_days.c.day == utc(instant(connection)).date()
            return list(connection.execute(here.where(today)))

        rows = await self._database.inspect(look)
        return {row.workspace_id: Spent(tokens=row.tokens, cost=row.cost) for row in rows}

    async def usage(
        self, tenant: Tenant | None, by: Grouping, since: dt.datetime, limit: int
    ) -> list[Usage]:
        """The sums since then, the most tokens first; without a tenant those of all of them."""
        query = _sums(tenant, by, since).limit(max(0, limit))
        return await self._database.inspect(
            lambda look: [_usage(row) for row in look.execute(query)]
        )


# --- writing -------------------------------------------------------------------------------


def _write(connection: sa.Connection, charges: Sequence[Charge]) -> None:
    scopes = {charge.payer.workspace_id for charge in charges} - {None}
    held = sa.select(workspaces.c.id).where(workspaces.c.id.in_(sorted(map(scope_of, scopes))))
    # They stay until the transaction's end; SQLite's writer is alone anyway.
    there = {None, *connection.scalars(held.with_for_update(read=True, key_share=True))}
    ahead = skew(connection)
    # In an order that is everybody's, so that two writers never wait for each other.
    for charge in sorted(charges, key=lambda each: each.payer.workspace_id or ""):
        right = charge.model_copy(update={"at": charge.at + ahead})
        if charge.payer.workspace_id in there and add_new(connection, ledger, _row(right)):
            _add_to_day(connection, right)


def _row(charge: Charge) -> dict[str, Any]:
    payer = charge.payer
    return tenant_values(payer.tenant) | {
        "id": charge.id,
        "channel": clean(payer.channel),
        "user": clean(payer.user),
        "workspace_id": payer.workspace_id,
        "run_id": clean(payer.run_id),
        "role": charge.role,
        "model": clean(charge.model)[:_MOST_NAME],
        "prompt_tokens": charge.prompt_tokens,
        "completion_tokens": charge.completion_tokens,
        "cost": charge.cost,
        "at": utc(charge.at),
    }


def _add_to_day(connection: sa.Connection, charge: Charge) -> None:
    if charge.payer.workspace_id is None:
        return
    row = {
        "workspace_id": charge.payer.workspace_id,
        "day": utc(charge.at).date(),
        "tokens": charge.prompt_tokens + charge.completion_tokens,
        "cost": charge.cost or 0,
    }
    added = dialect_insert(connection, spent_days).values(**row)
    sums = {name: spent_days.c[name] + added.excluded[name] for name in ("tokens", "cost")}
    connection.execute(
        added.on_conflict_do_update(index_elements=["workspace_id", "day"], set_=sums)
    )


# --- sums ----------------------------------------------------------------------------------

_KEYS: Final[dict[Grouping, sa.Column[Any]]] = {
    "workspace": ledger.c.workspace_id,
    "user": ledger.c.user,
    "channel": ledger.c.channel,
    "run": ledger.c.run_id,
    "model": ledger.c.model,
}


def _sums(tenant: Tenant | None, by: Grouping, since: dt.datetime) -> sa.Select[Any]:
    key = sa.func.coalesce(_KEYS[by], "")
    # Without a tenant a model is one line; ids of people and places are their tenant's own.
    whose = [ledger.c[name] for name in TENANT] if tenant or by != "model" else []
    name = workspaces.c.name if by == "workspace" else sa.literal("")
    asked = [ledger.c.at >= utc(since)]
    if tenant is not None:
        asked.append(of_tenant(ledger.c, tenant))
    joined = ledger.outerjoin(workspaces, workspaces.c.id == ledger.c.workspace_id)
    tokens = _total(ledger.c.prompt_tokens) + _total(ledger.c.completion_tokens)
    return (
        sa.select(
            key.label("key"),
            *whose,
            name.label("name"),
            sa.func.count().label("calls"),
            _total(ledger.c.prompt_tokens).label("prompt_tokens"),
            _total(ledger.c.completion_tokens).label("completion_tokens"),
            _total(ledger.c.cost).label("cost"),
            _total(sa.case((ledger.c.cost.is_(None), 1), else_=0)).label("unpriced"),
        )
        .select_from(joined)
        .where(*asked)
        .group_by(_KEYS[by], *whose, *([workspaces.c.name] if by == "workspace" else []))
        .order_by(tokens.desc(), key)
    )


def _total(column: ColumnElement[Any]) -> ColumnElement[int]:
    # PostgreSQL adds whole numbers up to a decimal one.
    return sa.cast(sa.func.coalesce(sa.func.sum(column), 0), sa.BigInteger)


def _usage(row: AnyRow) -> Usage:
    values = dict(row._mapping)
    tenant = taken_tenant(values) if "team" in values else Tenant()
    return Usage(tenant=tenant, **values | {"name": values["name"] or ""})
