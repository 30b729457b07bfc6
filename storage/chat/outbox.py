"""The messages of runs, each noted before it is sent and after."""

from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import Connection, Select, delete, select, update

from masis.conversation import ChatRun, Link, Posted, Tenant
from masis.errors import LinkChanged, RunCancelled, RunTakenOver
from storage.chat.links import hold_link
from storage.durable.execution import current
from storage.sql.database import Database
from storage.sql.rows import AnyRow, now
from storage.sql.scope import exactly, of_tenant
from storage.sql.tables import chat_runs, outbox
from storage.sql.upserts import add_new

_COLUMNS: Final = tuple(outbox.c)
_ATTEMPT: Final = (chat_runs.c.status, chat_runs.c.attempt, chat_runs.c.steps)


class Begun(Posted):
    """A message about to be sent. One that is not `fresh` was begun before, and may be there."""

    fresh: bool


class Outbox:
    """The messages of all runs. A run's id is its secret: no person's input is one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(
        self,
        run_id: str,
        kind: str,
        part: int,
        channel: str,
        thread: str,
        *,
        link: Link | None = None,
    ) -> Begun:
        """Note that the message is about to be sent, or give what was noted before.

        Fresh ones are posted at once. One `sending` that is not fresh is ambiguous, one `sent`
        needs nothing more. With a `link` the message begins only as long as that link stands: a
        change of it that was committed before stops the message, a later one comes too late.

        Raises:
            LinkChanged: it does not stand any more; nothing is noted.
            RunCancelled: there is no such run (any more): somebody had it forgotten.
            RunTakenOver: the caller's attempt of the run is over: another process is at it.
        """
        row = {
            "run_id": run_id,
            "kind": kind,
            "part": part,
            "state": "sending",
            "channel": channel,
            "thread": thread,
            "message": "",
            "at": now(),
        }
        held = _held(run_id)
        return await self._database.transact(lambda sync: _begin(sync, row, held, link))

    async def sent(self, run_id: str, kind: str, part: int, message: str) -> None:
        """Note the posted message's id; the first one stays."""
        mine = exactly(outbox.c.run_id, run_id), outbox.c.kind == kind, outbox.c.part == part
        change = update(outbox).where(*mine, outbox.c.state == "sending")
        async with self._database.write() as connection:
            await connection.execute(change.values(state="sent", message=message, at=now()))

    async def retract(self, run_id: str, kind: str, part: int) -> None:
        """Forget a message that was begun and certainly not sent."""
        mine = exactly(outbox.c.run_id, run_id), outbox.c.kind == kind, outbox.c.part == part
        async with self._database.write() as connection:
            await connection.execute(delete(outbox).where(*mine, outbox.c.state == "sending"))

    async def of(self, run_id: str) -> list[Posted]:
        """The run's messages in the order of their kinds and parts."""
        async with self._database.read() as connection:
            found = await connection.execute(_rows(run_id).order_by(outbox.c.kind, outbox.c.part))
            return [_to_posted(row) for row in found]

    async def kinds(self, run_ids: Collection[str]) -> dict[str, set[str]]:
        """Return which kinds of messages each of the runs has. A run that has none is left out."""
        query = select(outbox.c.run_id, outbox.c.kind).where(outbox.c.run_id.in_(sorted(run_ids)))
        found: dict[str, set[str]] = {}
        async with self._database.read() as connection:
            for run_id, kind in await connection.execute(query):
                found.setdefault(run_id, set()).add(kind)
        return found

    async def find_by_message(self, tenant: Tenant, channel: str, message: str) -> Posted | None:
        """Find the run whose message this one of the tenant's is; None for what is not MASIS's."""
        query = (
            select(*_COLUMNS)
            .join(chat_runs, chat_runs.c.id == outbox.c.run_id)
            .where(
                of_tenant(chat_runs.c, tenant),
                exactly(outbox.c.channel, channel),
                exactly(outbox.c.message, message),
            )
            .limit(1)
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else _to_posted(row)


def _begin(
    connection: Connection, row: dict[str, Any], held: ChatRun | None, link: Link | None
) -> Begun:
    run_id = row["run_id"]
    # First the run, then its link: so does who deletes a workspace with all that hangs on it.
    run = select(*_ATTEMPT).where(exactly(chat_runs.c.id, run_id))
    found = connection.execute(run.with_for_update(read=True, key_share=True))
    _check(found.one_or_none(), held)
    fresh = add_new(connection, outbox, row)
    # Whether one that was begun before may be shown was decided then: it may be there.
    if fresh and link is not None and not hold_link(connection, link):
        raise LinkChanged("The channel was linked anew, or not at all any more.")
    mine = _rows(run_id).where(outbox.c.kind == row["kind"], outbox.c.part == row["part"])
    noted = _to_posted(connection.execute(mine).one())
    return Begun(**noted.model_dump(), fresh=fresh)


def _held(run_id: str) -> ChatRun | None:
    """Return the run as the attempt found it that the caller is part of, if any."""
    execution = current()
    return None if execution is None or execution.held.id != run_id else execution.held


def _check(attempt: AnyRow | None, held: ChatRun | None) -> None:
    """Check that the run is there, and still in the attempt that the caller is part of, if any."""
    if attempt is None:
        raise RunCancelled("The request was forgotten.")
    if held is not None and tuple(attempt) != (held.status, held.attempt, held.steps):
        raise RunTakenOver


def _rows(run_id: str) -> Select[Any]:
    return select(*_COLUMNS).where(exactly(outbox.c.run_id, run_id))


def _to_posted(row: AnyRow) -> Posted:
    return Posted.model_validate(dict(row._mapping))
