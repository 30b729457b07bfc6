"""Track which processes work on runs, which of them are dead, and who has a duty.

Times are by the database's clock.
"""

from typing import Final, Literal

import sqlalchemy as sa

from storage.sql.database import Database
from storage.sql.moments import moment
from storage.sql.tables import duties, executors
from storage.sql.upserts import add_new

TTL_SECONDS: Final = 10.0
"""Who has not beaten for so long is dead: five beats missed."""
CLAIM_SECONDS: Final = 10.0
"""How long one process alone may hand on the runs of a dead one; it takes milliseconds."""

Life = Literal["begun", "unbroken", "claimed"]
"""What a beat finds: no row, its own one, or one whose runs somebody is handing to others."""


class Executors:
    """A row for each process that works. Each method is one transaction.

    A process whose row is `ttl_seconds` old is dead. One process claims it and hands its runs to
    others; a claimer that dies in the middle loses its claim after `claim_seconds`.
    """

    def __init__(
        self,
        database: Database,
        *,
        ttl_seconds: float = TTL_SECONDS,
        claim_seconds: float = CLAIM_SECONDS,
    ) -> None:
        self.ttl_seconds = ttl_seconds
        self.claim_seconds = claim_seconds
        self._database = database

    async def beat(self, executor: str) -> Life:
        """Say that the process lives.

        Raises:
            StoreUnavailable: nobody heard it.
        """

        def beat(connection: sa.Connection) -> Life:
            claimed = sa.func.coalesce(executors.c.claimed_until > moment(), sa.false())
            change = sa.update(executors).where(executors.c.id == executor)
            row = connection.execute(change.values(beat_at=moment()).returning(claimed))
            found = row.scalar_one_or_none()
            if found is None:
                _insert(connection, executor)
                return "begun"
            return "claimed" if found else "unbroken"

        return await self._database.transact(beat, urgent=True)

    async def dead(self) -> list[str]:
        """Those that stopped beating and are claimed by nobody now, the longest dead first."""
        query = sa.select(executors.c.id).where(self._is_dead(), _is_unclaimed())
        found = query.order_by(executors.c.beat_at)
        return await self._database.inspect(lambda look: list(look.scalars(found)))

    async def has_others(self, executor: str) -> bool:
        """Say whether any process but that one sends heartbeats."""
        alive = sa.exists().where(executors.c.id != executor, ~self._is_dead())
        return await self._database.inspect(lambda look: bool(look.scalar(sa.select(alive))))

    async def unknown(self, names: set[str]) -> set[str]:
        """Those of the names that have no row."""
        query = sa.select(executors.c.id).where(executors.c.id.in_(sorted(names)))
        known = await self._database.inspect(lambda look: set(look.scalars(query)))
        return names - known

    async def claim(self, executor: str, by: str) -> bool:
        """Take it on oneself to hand on a dead process's runs; True for one claimer at a time."""
        values = {"claimed_by": by, "claimed_until": moment(self.claim_seconds)}
        change = sa.update(executors).where(executors.c.id == executor)
        guarded = change.where(self._is_dead(), _is_unclaimed()).values(**values)
        return await self._database.transact(lambda write: write.execute(guarded).rowcount == 1)

    async def claim_unknown(self, executor: str, by: str) -> bool:
        """The same for one that has runs and no row."""

        def claim(connection: sa.Connection) -> bool:
            long_ago = moment(-self.ttl_seconds)
            return _insert(
                connection,
                executor,
                beat_at=long_ago,
                claimed_by=by,
                claimed_until=moment(self.claim_seconds),
            )

        return await self._database.transact(claim)

    async def bury(self, executor: str, by: str) -> None:
        """End a claim: the row goes, or stays unclaimed where the process beats again."""
        mine = executors.c.id == executor, executors.c.claimed_by == by
        removal = sa.delete(executors).where(*mine, self._is_dead())
        release = sa.update(executors).where(*mine).values(claimed_by="", claimed_until=None)

        def bury(connection: sa.Connection) -> None:
            if connection.execute(removal).rowcount == 0:
                connection.execute(release)

        await self._database.transact(bury)

    async def remove(self, executor: str) -> None:
        """Take a process out that ends and has no runs left."""
        removal = sa.delete(executors).where(executors.c.id == executor)
        await self._database.transact(lambda write: write.execute(removal).close())

    def _is_dead(self) -> sa.ColumnElement[bool]:
        return executors.c.beat_at <= moment(-self.ttl_seconds)


def _insert(connection: sa.Connection, executor: str, **more: object) -> bool:
    row = {
        "id": executor,
        "started_at": moment(),
        "beat_at": moment(),
        "claimed_by": "",
        "claimed_until": None,
    }
    return add_new(connection, executors, row | more)


def _is_unclaimed() -> sa.ColumnElement[bool]:
    until = executors.c.claimed_until
    return sa.or_(until.is_(None), until <= moment())


class Duties:
    """Assign what one process at a time does for all.

    Whoever holds a duty keeps it by asking again in time.
    """

    def __init__(self, database: Database, holder: str) -> None:
        self._database = database
        self._holder = holder

    async def hold(self, name: str, seconds: float) -> bool:
        """Have the duty for so long from now; False while another process has it."""

        def hold(connection: sa.Connection) -> bool:
            row = {"name": name, "holder": self._holder, "until": moment(seconds)}
            is_free = sa.or_(duties.c.holder == self._holder, duties.c.until <= moment())
            change = sa.update(duties).where(duties.c.name == name, is_free)
            taken = connection.execute(change.values(holder=self._holder, until=moment(seconds)))
            return taken.rowcount == 1 or add_new(connection, duties, row)

        return await self._database.transact(hold)

    async def leave(self) -> None:
        """Let others have at once whatever this one has."""
        removal = sa.delete(duties).where(duties.c.holder == self._holder)
        await self._database.transact(lambda write: write.execute(removal).close())
