"""Store which workspace a channel asks, and which one a person asks in direct messages."""

from collections.abc import Callable
from typing import Any, Final, Literal

from sqlalchemy import Connection, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql import ColumnElement

from masis.conversation import FollowUpRule, Link, Mode, Tenant
from masis.domain import WorkspaceId
from storage.sql.database import Database
from storage.sql.rows import AnyRow
from storage.sql.scope import (
    clean,
    exactly,
    of_tenant,
    require_workspace,
    tenant_of,
    tenant_values,
    utc,
)
from storage.sql.tables import direct_choices, links
from storage.sql.upserts import put

Rule = Literal["follow_ups", "mode"]
"""The rules of a linked channel, decided beside its workspace."""

BESIDE: Final = "; "
"""Stands between the reasons of a link that is suspended for several."""


async def put_link(connection: AsyncConnection, link: Link) -> None:
    """Link a channel within the caller's transaction.

    Raises:
        UnknownWorkspace: the tenant has no such workspace.
    """
    await require_workspace(connection, link.tenant, link.workspace_id)
    await put(connection, links, _row(link))


async def take_link(connection: AsyncConnection, link: Link) -> bool:
    """Take away this very link within the caller's transaction; False where it is none any more."""
    removal = delete(links).where(*_very(link))
    return (await connection.execute(removal)).rowcount == 1


async def set_rule(
    connection: AsyncConnection, tenant: Tenant, channel: str, rule: Rule, value: str
) -> bool:
    """Set a rule of a linked channel within the caller's transaction; False if that changes nothing."""
    other = *_spot(tenant, channel), links.c[rule] != value
    change = update(links).where(*other).values({rule: value})
    return (await connection.execute(change)).rowcount == 1


def hold_link(connection: Connection, link: Link) -> bool:
    """Keep this very link as it is until the transaction's end; False where it answers no more.

    On PostgreSQL who changes or removes it waits, and who did so first was waited for.
    """
    query = select(links.c.channel).where(*_very(link), links.c.suspended == "")
    return connection.scalar(query.with_for_update(read=True)) is not None


class Links:
    """The links of all tenants; each call sees one tenant's."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def link(self, link: Link) -> Link | None:
        """Link the channel, and give back the link that this one replaces.

        Raises:
            UnknownWorkspace: the tenant has no such workspace; the old link stays.
        """
        async with self._database.write() as connection:
            previous = await connection.run_sync(find_link, link.tenant, link.channel)
            await put_link(connection, link)
        return previous

    async def unlink(self, tenant: Tenant, channel: str) -> Link | None:
        """Remove the channel's link, and give it back."""
        async with self._database.write() as connection:
            previous = await connection.run_sync(find_link, tenant, channel)
            await connection.execute(delete(links).where(*_spot(tenant, channel)))
        return previous

    async def of(self, tenant: Tenant, channel: str) -> Link | None:
        """The channel's link, suspended or not."""
        return await self._database.inspect(lambda look: find_link(look, tenant, channel))

    async def all(self, tenant: Tenant) -> list[Link]:
        """The tenant's links by channel."""
        query = select(links).where(of_tenant(links.c, tenant)).order_by(links.c.channel)
        return await self._database.inspect(
            lambda look: [_to_link(row) for row in look.execute(query)]
        )

    async def of_enterprise(self, chat: str, enterprise: str) -> list[Link]:
        """The links of all teams of an organisation in a chat, by team and channel."""
        query = (
            select(links)
            .where(exactly(links.c.chat, chat), exactly(links.c.enterprise, enterprise))
            .order_by(links.c.team, links.c.channel)
        )
        return await self._database.inspect(
            lambda look: [_to_link(row) for row in look.execute(query)]
        )

    # --- suspension ------------------------------------------------------------------------

    async def suspend(self, tenant: Tenant, channel: str, reason: str) -> bool:
        """Let the link answer nobody until each of its reasons is gone; False when there is none."""
        if not reason:
            raise ValueError("a suspension has a reason")
        return await self._change(tenant, channel, lambda held: [*held, clean(reason)])

    async def resume(self, tenant: Tenant, channel: str, reason: str = "") -> bool:
        """Take a reason away, or all of them; False when there is no link."""
        return await self._change(
            tenant, channel, lambda held: [each for each in held if reason not in {"", each}]
        )

    async def _change(
        self, tenant: Tenant, channel: str, change: Callable[[list[str]], list[str]]
    ) -> bool:
        spot = _spot(tenant, channel)
        async with self._database.write() as connection:
            query = select(links.c.suspended).where(*spot).with_for_update()
            held = await connection.scalar(query)
            if held is None:
                return False
            reasons = dict.fromkeys(change([each for each in held.split(BESIDE) if each]))
            said = BESIDE.join(reasons)
            await connection.execute(update(links).where(*spot).values(suspended=said))
        return True

    # --- what is answered, and how ---------------------------------------------------------

    async def set_follow_ups(self, tenant: Tenant, channel: str, rule: FollowUpRule) -> bool:
        """Decide which messages count as said to MASIS in its threads; False if that changes nothing."""
        async with self._database.write() as connection:
            return await set_rule(connection, tenant, channel, "follow_ups", rule)

    async def set_mode(self, tenant: Tenant, channel: str, mode: Mode) -> bool:
        """Decide whether every message there asks the documents; False if that changes nothing."""
        async with self._database.write() as connection:
            return await set_rule(connection, tenant, channel, "mode", mode)

    # --- direct messages -------------------------------------------------------------------

    async def choose_direct(self, tenant: Tenant, user: str, workspace_id: WorkspaceId) -> None:
        """Let the person's direct messages ask this workspace from now on.

        Raises:
            UnknownWorkspace: the tenant has no such workspace; the old choice stays.
        """
        row = tenant_values(tenant) | {"user": user, "workspace_id": workspace_id}
        async with self._database.write() as connection:
            await require_workspace(connection, tenant, workspace_id)
            await put(connection, direct_choices, row)

    async def forget_choice(self, tenant: Tenant, user: str) -> None:
        """Let the person's direct messages ask nothing of this team that they once chose."""
        mine = of_tenant(direct_choices.c, tenant), exactly(direct_choices.c.user, user)
        async with self._database.write() as connection:
            await connection.execute(delete(direct_choices).where(*mine))

    async def direct_choice(self, tenant: Tenant, user: str) -> WorkspaceId | None:
        """The workspace that the person's direct messages ask."""
        mine = of_tenant(direct_choices.c, tenant), exactly(direct_choices.c.user, user)
        async with self._database.read() as connection:
            found = await connection.scalar(select(direct_choices.c.workspace_id).where(*mine))
        return None if found is None else WorkspaceId(found)

    async def direct_choices_of(
        self, chat: str, enterprise: str, user: str
    ) -> list[tuple[Tenant, WorkspaceId]]:
        """Return what the person's direct messages ask, by the teams of an organisation."""
        mine = (
            exactly(direct_choices.c.enterprise, enterprise),
            exactly(direct_choices.c.user, user),
        )
        query = select(direct_choices).where(exactly(direct_choices.c.chat, chat), *mine)
        async with self._database.read() as connection:
            found = await connection.execute(query.order_by(direct_choices.c.team))
            return [(tenant_of(row), WorkspaceId(row.workspace_id)) for row in found]


def _spot(tenant: Tenant, channel: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return of_tenant(links.c, tenant), exactly(links.c.channel, channel)


def _very(link: Link) -> tuple[ColumnElement[bool], ...]:
    """Build the condition of the link as it was made: a new one of the same channel is another."""
    same = links.c.workspace_id == link.workspace_id, links.c.linked_at == utc(link.linked_at)
    return *_spot(link.tenant, link.channel), *same


def find_link(connection: Connection, tenant: Tenant, channel: str) -> Link | None:
    """Return the channel's link."""
    query = select(links).where(*_spot(tenant, channel))
    row = connection.execute(query).one_or_none()
    return None if row is None else _to_link(row)


def _row(link: Link) -> dict[str, Any]:
    values = link.model_dump(exclude={"tenant"}) | tenant_values(link.tenant)
    return values | {"linked_at": utc(link.linked_at), "suspended": clean(link.suspended)}


def _to_link(row: AnyRow) -> Link:
    return Link(
        tenant=tenant_of(row),
        channel=row.channel,
        workspace_id=row.workspace_id,
        linked_by=row.linked_by,
        linked_at=row.linked_at,
        external_allowed=row.external_allowed,
        private=row.private,
        suspended=row.suspended,
        follow_ups=row.follow_ups,
        mode=row.mode,
    )
