"""Find what is left of a person in a tenant's rows, and remove it."""

import re
from collections.abc import Collection
from typing import Final

from sqlalchemy import ColumnElement, Table, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.conversation import OPEN, Tenant
from masis.domain import Value
from storage.privacy.authorship import Requests
from storage.privacy.row_removal import batches, remove, remove_kept_runs
from storage.sql.scope import exactly, mentions, of_tenant, owner_of
from storage.sql.tables import (
    admin_log,
    attached_files,
    chat_jobs,
    chat_runs,
    claims,
    direct_choices,
    installations,
    ledger,
    links,
    run_steps,
    sessions,
    team_settings,
    votes,
)

NOBODY: Final = "forgotten"
"""Stands where the person's id stood."""

_DONE_BY: Final = (
    (chat_runs, "cancelled_by"),
    (sessions, "answered_by"),
    (links, "linked_by"),
    (installations, "installed_by"),
    (admin_log, "actor"),
)
"""Where it stands because of what the person did."""


class Gone(Value):
    """Report how many sessions and votes were removed."""

    sessions: int
    votes: int


async def forget_words(
    connection: AsyncConnection, tenant: Tenant, user: str, found: Requests
) -> Gone:
    """Remove the person's requests with all that hangs on them, and empty what others took up."""
    held = [*found.own, *found.taken_up]
    await remove_kept_runs(connection, held)
    asked = await _remove_theirs(
        connection, tenant, sessions, exactly(sessions.c.asker, user), held
    )
    await _forget_jobs(connection, tenant, user)
    voted = await _remove_theirs(connection, tenant, votes, exactly(votes.c.user, user), found.own)
    for ids in batches(held):
        await remove(connection, attached_files, attached_files.c.run_id.in_(ids))
    for ids in batches(found.own):
        await remove(connection, chat_runs, chat_runs.c.id.in_(ids))
    for ids in batches(found.taken_up):
        emptied = (
            update(chat_runs)
            .where(chat_runs.c.id.in_(ids))
            .values(question="", query="", earlier="", reply="", files=[])
        )
        await connection.execute(emptied)
        await remove(connection, run_steps, run_steps.c.run_id.in_(ids))
    # Who wrote what was read of a thread is not kept, and only open requests hold any of it.
    of_team = of_tenant(chat_runs.c, tenant), chat_runs.c.status.in_(sorted(OPEN))
    await connection.execute(update(chat_runs).where(*of_team).values(heard=[]))
    replied = of_tenant(sessions.c, tenant), exactly(sessions.c.answered_by, user)
    await connection.execute(update(sessions).where(*replied).values(reply=""))
    return Gone(sessions=asked, votes=voted)


async def _forget_jobs(connection: AsyncConnection, tenant: Tenant, user: str) -> None:
    """Remove what the person just wrote, and what they were to be told.

    Of what came in a moment ago the team may not be known yet: there it is the organisation's.
    """
    if not owner_of(tenant):
        return
    theirs = exactly(chat_jobs.c.user, user)
    known = [tenant]
    if tenant and tenant.enterprise:
        known.append(tenant.model_copy(update={"team": ""}))
    for whose in known:
        await remove(connection, chat_jobs, of_tenant(chat_jobs.c, whose), theirs)


async def _remove_theirs(
    connection: AsyncConnection,
    tenant: Tenant,
    table: Table,
    whose: ColumnElement[bool],
    run_ids: Collection[str],
) -> int:
    """Remove the person's rows and those of these runs."""
    mine = of_tenant(table.c, tenant)
    removed = await remove(connection, table, mine, whose)
    for ids in batches(run_ids):
        removed += await remove(connection, table, mine, table.c.run_id.in_(ids))
    return removed


async def anonymise_actions(connection: AsyncConnection, tenant: Tenant, user: str) -> None:
    """Take the person's id out of what they did: actions stay, as nobody's."""
    await _forget_mentions(connection, tenant, user)
    for table, name in _DONE_BY:
        theirs = of_tenant(table.c, tenant), exactly(table.c[name], user)
        await connection.execute(update(table).where(*theirs).values({name: NOBODY}))
    await _forget_costs(connection, tenant, user)
    await _forget_manager(connection, tenant, user)
    chosen = of_tenant(direct_choices.c, tenant), exactly(direct_choices.c.user, user)
    await remove(connection, direct_choices, *chosen)
    await _forget_claims(connection, tenant, user)


async def _forget_mentions(connection: AsyncConnection, tenant: Tenant, user: str) -> None:
    """In the admin log the person may also be whom something was done to."""
    target, detail = admin_log.c.target, admin_log.c.detail
    named = or_(mentions(target, user), mentions(detail, user))
    query = select(admin_log.c.id, target, detail).where(of_tenant(admin_log.c, tenant), named)
    word = _word(user)
    for row in (await connection.execute(query)).all():
        change = update(admin_log).where(admin_log.c.id == row.id)
        texts = {"target": word.sub(NOBODY, row.target), "detail": word.sub(NOBODY, row.detail)}
        await connection.execute(change.values(**texts))


async def _forget_costs(connection: AsyncConnection, tenant: Tenant, user: str) -> None:
    """Forget whose questions cost what; the costs stay.

    A direct message's channel is a person's, too.
    """
    theirs = of_tenant(ledger.c, tenant), exactly(ledger.c.user, user)
    nobodys = {"user": NOBODY, "channel": "", "run_id": ""}
    await connection.execute(update(ledger).where(*theirs).values(nobodys))


async def _forget_claims(connection: AsyncConnection, tenant: Tenant, user: str) -> None:
    """A claim's key may hold who pressed what."""
    mine, key = of_tenant(claims.c, tenant), claims.c.key
    found = await connection.scalars(select(key).where(mine, mentions(key, user)))
    word = _word(user)
    for keys in batches([text for text in found if word.search(text)]):
        await remove(connection, claims, mine, key.in_(keys))


def _word(user: str) -> re.Pattern[str]:
    """The id where it is not a part of a longer one; a database's search is not as exact."""
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(user)}(?![A-Za-z0-9])")


async def _forget_manager(connection: AsyncConnection, tenant: Tenant, user: str) -> None:
    mine = of_tenant(team_settings.c, tenant)
    settings = await connection.scalar(select(team_settings.c.settings).where(mine))
    if not settings or user not in settings.get("managers", []):
        return
    staying = [manager for manager in settings["managers"] if manager != user]
    change = update(team_settings).where(mine)
    await connection.execute(change.values(settings=settings | {"managers": staying}))
