"""Permits of model calls in the database: one limit for every process that uses it."""

import asyncio
import itertools
import math
import uuid
from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from masis.models.permits import Service, decide
from masis.policy import CALL_DELAY, MAX_RETRY_AFTER, PERMIT_REQUEST_SECONDS, RATE_WINDOW
from masis.ports import Permit, PermitDecisions, Wait
from storage.sql.database import Database
from storage.sql.exclusive import be_brief
from storage.sql.moments import instant
from storage.sql.tables import call_permits, call_scopes, permit_requests
from storage.sql.upserts import add_new, dialect_insert

_MOST_DELAY: Final = MAX_RETRY_AFTER
"""A permit that is further away than this after its window was written before the clock was set."""
_STEPS: Final = 240
"""Of a window. Permits that are free again within the same step are one row: so many and a few more
rows at most, whatever the limit, and calls wait up to a step longer (0.4 %)."""


class SqlCallPermits:
    """The `CallPermits` of `masis.ports`, shared by all processes on one database.

    `scope` names a service and a key. A grant takes a permit for a window and the delay with which a
    call may begin; one that begins later says so, and its permit is taken anew. What is kept is how
    many are free again at which moment. The database's clock alone counts. Of processes with
    different limits the last one to start decides.
    """

    def __init__(
        self,
        database: Database,
        scope: str,
        limit: int,
        *,
        window: float = RATE_WINDOW,
        delay: float = CALL_DELAY,
        request_seconds: float = PERMIT_REQUEST_SECONDS,
    ) -> None:
        self._database = database
        self._scope = scope
        self._limit = limit
        self._window = window
        self._delay = delay
        self._request_seconds = request_seconds
        self._process = uuid.uuid4().hex
        self._is_sized = False
        self._held: dict[str, float] = {}
        """Until when this process's permits are taken, the soonest first; over with its window."""

    async def ask(self, waiting: Sequence[str]) -> PermitDecisions:
        """Let in whom the window allows, and keep the others' requests."""
        begin_by = asyncio.get_running_loop().time() + self._delay
        decided = await self._database.transact(lambda within: self._decide(within, waiting))
        self._is_sized = True
        return PermitDecisions(
            granted={
                name: Permit(name, begin_by) for name, wait in decided.items() if wait.seconds <= 0
            },
            waits={name: wait for name, wait in decided.items() if wait.seconds > 0},
        )

    async def begin(self, permit: Permit) -> Permit | None:
        """Count the window from now, and leave more time this time; None when the permit was lost."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        delay = min(_MOST_DELAY, max(self._delay, 2 * (now - permit.begin_by)))
        until = await self._database.transact(
            lambda within: self._take_again(within, permit, delay)
        )
        if until is None:
            return None
        self._held.pop(permit.id, None)
        self._held[permit.id] = until
        return Permit(permit.id, now + delay)

    async def give_back(self, permit: Permit) -> None:
        """The call is not made: the permit is free."""
        until = self._held.pop(permit.id, None)
        if until is not None:
            await self._database.transact(lambda within: self._free(within, until))

    async def cool_down(self, seconds: float) -> None:
        """Let no call of any process begin for so long, 60 seconds at most."""
        pause = max(0.0, min(seconds, MAX_RETRY_AFTER))
        await self._database.transact(lambda within: self._close(within, pause))

    # --- within a transaction --------------------------------------------------------------

    def _decide(self, connection: sa.Connection, mine: Sequence[str]) -> dict[str, Wait]:
        """Let these in or let them wait, with all others in mind."""
        closed_until, limit = self._hold(connection)
        now = instant(connection).timestamp()
        wait_list = self._wait_list(connection, mine, now)
        count = min(limit, max(1, len(wait_list.waiting)))
        service = Service(
            now=now,
            window=self._window,
            closed_until=min(closed_until, now + MAX_RETRY_AFTER),
            free_at=_soonest(self._taken(connection, now), count, limit, now),
        )
        waits = decide(service, wait_list.waiting)
        decided = {name: waits[name] for name in mine}
        self._grant(connection, [name for name in mine if decided[name].seconds <= 0], now)
        staying = [name for name in mine if decided[name].seconds > 0]
        self._keep(connection, wait_list, staying, now)
        return decided

    def _hold(self, connection: sa.Connection) -> tuple[float, int]:
        """Be the only one who decides about the scope.

        Gives until when the service is left alone, and how many calls may begin in a window.
        """
        be_brief(connection)
        here = call_scopes.c.scope == self._scope
        query = sa.select(call_scopes.c.closed_until, call_scopes.c.permits).where(here)
        held = query.with_for_update()
        found = connection.execute(held).one_or_none()
        if found is None:
            row = {"scope": self._scope, "closed_until": 0.0, "permits": self._limit}
            add_new(connection, call_scopes, row)
            found = connection.execute(held).one()
        if self._is_sized or found.permits == self._limit:
            return found.closed_until, found.permits
        connection.execute(sa.update(call_scopes).where(here).values(permits=self._limit))
        return found.closed_until, self._limit

    def _wait_list(self, connection: sa.Connection, mine: Sequence[str], now: float) -> "_WaitList":
        """All who wait, in order of arrival; who is new comes last, who is dead is left out."""
        query = (
            sa.select(permit_requests).where(self._requests()).order_by(permit_requests.c.number)
        )
        rows = connection.execute(query).all()
        known = {row.id for row in rows if row.process == self._process}
        gone = {row.id for row in rows if self._is_gone(row, mine, now)}
        waiting = [row.id for row in rows if row.id not in gone]
        new = [name for name in mine if name not in known]
        last = max((row.number for row in rows), default=0)
        return _WaitList(waiting=[*waiting, *new], known=known - gone, gone=gone, last_number=last)

    def _is_gone(self, row: Any, mine: Collection[str], now: float) -> bool:
        if row.process == self._process:
            return row.id not in mine
        # One far ahead was written before the clock was set: its owner would have renewed it.
        return not now < row.expires_at <= now + 2 * self._request_seconds

    def _taken(self, connection: sa.Connection, now: float) -> list[tuple[float, int]]:
        """How many permits are taken until when, the soonest first. What is over is removed."""
        self._forget(now)
        rows = sa.select(call_permits.c.free_at, call_permits.c.taken).where(self._permits())
        found = [(row.free_at, row.taken) for row in connection.execute(rows)]
        sane = now + self._window + _MOST_DELAY
        late = sum(taken for free_at, taken in found if free_at > sane)
        if late or any(free_at <= now for free_at, _ in found):
            over = sa.or_(call_permits.c.free_at <= now, call_permits.c.free_at > sane)
            connection.execute(sa.delete(call_permits).where(self._permits(), over))
        left = [row for row in found if now < row[0] <= sane]
        if late:
            left.append((self._take(connection, late, now), late))
        return sorted(left)

    def _forget(self, now: float) -> None:
        """Forget those of this process that are free again by themselves."""
        while self._held:
            name, until = next(iter(self._held.items()))
            if until > now:
                return
            self._held.pop(name, None)

    def _grant(self, connection: sa.Connection, granted: Sequence[str], now: float) -> None:
        if not granted:
            return
        until = self._take(connection, len(granted), now + self._delay)
        # Here, since nobody else hears of a grant whose caller has gone meanwhile.
        self._held |= dict.fromkeys(granted, until)

    def _take(self, connection: sa.Connection, count: int, begun: float) -> float:
        """Take so many for a window from then on; until when they are taken."""
        step = self._window / _STEPS
        until = math.ceil((begun + self._window) / step) * step
        row = {"scope": self._scope, "free_at": until, "taken": count}
        added = dialect_insert(connection, call_permits).values(**row)
        more = {"taken": call_permits.c.taken + added.excluded.taken}
        connection.execute(
            added.on_conflict_do_update(index_elements=["scope", "free_at"], set_=more)
        )
        return until

    def _free(self, connection: sa.Connection, until: float) -> bool:
        """Free one that is taken until then; False where its window is over."""
        here = self._permits(), call_permits.c.free_at == until, call_permits.c.taken > 0
        change = sa.update(call_permits).where(*here).values(taken=call_permits.c.taken - 1)
        return connection.execute(change).rowcount == 1

    def _keep(
        self,
        connection: sa.Connection,
        wait_list: "_WaitList",
        staying: Sequence[str],
        now: float,
    ) -> None:
        """Renew the requests of those who wait on, and remove those of others who do not."""
        stay = set(staying)
        if gone := wait_list.gone | (wait_list.known - stay):
            mine = self._requests(), permit_requests.c.id.in_(sorted(gone))
            connection.execute(sa.delete(permit_requests).where(*mine))
        expires_at = now + self._request_seconds
        if wait_list.known & stay:
            renewed = self._requests(), permit_requests.c.process == self._process
            connection.execute(
                sa.update(permit_requests).where(*renewed).values(expires_at=expires_at)
            )
        own = {"scope": self._scope, "process": self._process, "expires_at": expires_at}
        new = [name for name in staying if name not in wait_list.known]
        rows = [
            own | {"id": name, "number": number}
            for number, name in enumerate(new, start=wait_list.last_number + 1)
        ]
        if rows:
            connection.execute(sa.insert(permit_requests), rows)

    def _take_again(self, connection: sa.Connection, permit: Permit, delay: float) -> float | None:
        self._hold(connection)
        before = self._held.get(permit.id)
        if before is None or not self._free(connection, before):
            return None
        return self._take(connection, 1, instant(connection).timestamp() + delay)

    def _close(self, connection: sa.Connection, seconds: float) -> None:
        before, _ = self._hold(connection)
        now = instant(connection).timestamp()
        until = max(min(before, now + MAX_RETRY_AFTER), now + seconds)
        change = sa.update(call_scopes).where(call_scopes.c.scope == self._scope)
        connection.execute(change.values(closed_until=until))

    def _permits(self) -> sa.ColumnElement[bool]:
        return call_permits.c.scope == self._scope

    def _requests(self) -> sa.ColumnElement[bool]:
        return permit_requests.c.scope == self._scope


class _WaitList(NamedTuple):
    """Hold who waits.

    `known` are those of this process that were there before, `gone` left or died.
    """

    waiting: list[str]
    known: set[str]
    gone: set[str]
    last_number: int


def _soonest(taken: Sequence[tuple[float, int]], count: int, limit: int, now: float) -> list[float]:
    """When the permits are free that are free first, so many of them."""
    at_work = sum(number for _, number in taken)
    unused = itertools.repeat(now, max(0, limit - at_work))
    later = itertools.chain.from_iterable(itertools.repeat(*each) for each in taken)
    # Of more than there are by now, after the limit was lowered, the first ones serve nobody.
    still = itertools.islice(later, max(0, at_work - limit), None)
    return list(itertools.islice(itertools.chain(unused, still), count))
