"""Find which requests hold a person's words: their own, and those of others that took them up."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.conversation import OPEN, Tenant
from masis.domain import Value
from storage.sql.rows import AnyRow
from storage.sql.scope import of_tenant
from storage.sql.tables import chat_runs, sessions

_REQUEST: Final = (
    chat_runs.c.id,
    chat_runs.c.parent_run_id,
    chat_runs.c.asker,
    chat_runs.c.kind,
    chat_runs.c.channel,
    chat_runs.c.thread,
    chat_runs.c.status,
)
_REPLY: Final = (sessions.c.run_id, sessions.c.next_run_id, sessions.c.answered_by)


class Requests(Value):
    """Ids of requests: asked by the person, taking up the person's words, and open among both."""

    own: list[str]
    taken_up: list[str]
    open: list[str]


async def requests_of(connection: AsyncConnection, tenant: Tenant, user: str) -> Requests:
    """Every request of the tenant that may hold what this person wrote.

    A request takes up what the one before it held: its parent, the question that it replies to,
    and, as a follow-up, all of its thread. Rather one too many than one too few.
    """
    if not user:
        return Requests(own=[], taken_up=[], open=[])
    requests = select(*_REQUEST).where(of_tenant(chat_runs.c, tenant))
    asked = {row.id: row for row in await connection.execute(requests)}
    replies = select(*_REPLY).where(
        of_tenant(sessions.c, tenant), sessions.c.next_run_id.is_not(None)
    )
    answered = (await connection.execute(replies)).all()
    own = {row.id for row in asked.values() if row.asker == user}
    replied = {row.next_run_id for row in answered if row.answered_by == user}
    held = _descendants(own | replied, asked, answered)
    return Requests(
        own=sorted(own),
        taken_up=sorted(held - own),
        open=sorted(run_id for run_id in held if asked[run_id].status in OPEN),
    )


def _descendants(
    first: Iterable[str], asked: dict[str, AnyRow], answered: Iterable[AnyRow]
) -> set[str]:
    """These requests, and all that came of them."""
    children: defaultdict[str, set[str]] = defaultdict(set)
    follow_ups: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for row in answered:
        children[row.run_id].add(row.next_run_id)
    for row in asked.values():
        if row.parent_run_id is not None:
            children[row.parent_run_id].add(row.id)
        if row.kind == "follow_up" and row.thread:
            follow_ups[row.channel, row.thread].add(row.id)
    held: set[str] = set()
    to_visit = list(first)
    while to_visit:
        run_id = to_visit.pop()
        if run_id in held or run_id not in asked:
            continue
        held.add(run_id)
        to_visit += children[run_id]
        to_visit += follow_ups[asked[run_id].channel, asked[run_id].thread]
    return held
