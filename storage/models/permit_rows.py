"""Permits of model calls in the database: one limit for every process that uses it."""

import asyncio
import uuid
from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from masis.models.permits import Service, decide
from masis.policy import CALL_DELAY, MAX_RETRY_AFTER, PERMIT_REQUEST_SECONDS, RATE_WINDOW
from masis.ports import Permit, PermitDecisions, PermitRequest, Wait
from storage.sql.database import Database
from storage.sql.exclusive import be_brief
from storage.sql.last_served import clock, note_served, when_served
from storage.sql.tables import call_permits, call_scopes, permit_requests
from storage.sql.upserts import add_new

_MOST_DELAY: Final = MAX_RETRY_AFTER
"""A permit that is further away than this after its window was written before the clock was set."""
_TICK: Final = 0.001
"""SQLite's clock shows whole milliseconds."""


class SqlCallPermits:
    """The `CallPermits` of `masis.ports`, shared by all processes on one database.

    `scope` names a service and a key. Of each grant one permit is taken for a window and the delay
    with which a call may begin; one that begins later says so, and its permit is taken anew. The
    database's clock alone counts. Of processes with different limits the last one to start decides.
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
        self._delay = delay + _TICK
        self._request_seconds = request_seconds
        self._process = uuid.uuid4().hex
        self._is_sized = False

    async def ask(self, requests: Sequence[PermitRequest]) -> PermitDecisions:
        """Let in whom the window allows, and keep the others' requests."""
        begin_by = asyncio.get_running_loop().time() + self._delay - _TICK
        decided = await self._database.transact(lambda within: self._decide(within, requests))
        self._is_sized = True
        granted = [request.id for request, wait in decided if wait.seconds <= 0]
        return PermitDecisions(
            granted={request_id: Permit(request_id, begin_by) for request_id in granted},
            waits={request.id: wait for request, wait in decided if wait.seconds > 0},
        )

    async def begin(self, permit: Permit) -> Permit | None:
        """Count the window from now, and leave more time this time; None when the permit was lost."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        delay = min(_MOST_DELAY, max(self._delay, 2 * (now - permit.begin_by)))
        held = await self._database.transact(lambda within: self._take_again(within, permit, delay))
        return Permit(permit.id, now + delay - _TICK) if held else None

    async def give_back(self, permit: Permit) -> None:
        """The call is not made: the permit is free."""
        mine = self._permits(), call_permits.c.holder == permit.id
        change = sa.update(call_permits).where(*mine).values(free_at=0.0, holder="")
        await self._database.transact(lambda within: within.execute(change).close())

    async def cool_down(self, seconds: float) -> None:
        """Let no call of any process begin for so long, 60 seconds at most."""
        pause = max(0.0, min(seconds, MAX_RETRY_AFTER))
        await self._database.transact(lambda within: self._close(within, pause))

    # --- within a transaction --------------------------------------------------------------

    def _decide(
        self, connection: sa.Connection, requests: Sequence[PermitRequest]
    ) -> list[tuple[PermitRequest, Wait]]:
        """Let these in or let them wait, with all others in mind."""
        closed_until = self._hold(connection)
        now = clock(connection)
        if not self._is_sized:
            self._resize(connection)
        wait_list = self._wait_list(connection, requests, now)
        permits = self._soonest(connection, len(wait_list.waiting), now)
        service = Service(
            now=now,
            window=self._window,
            closed_until=min(closed_until, now + MAX_RETRY_AFTER),
            free_at=[free_at for _, free_at in permits],
        )
        served = when_served(
            connection, self._scope, {each.workspace_id for each in wait_list.waiting}
        )
        mine = {request.id for request in requests}
        decided = [
            each for each in decide(service, wait_list.waiting, served) if each[0].id in mine
        ]
        granted = [request for request, wait in decided if wait.seconds <= 0]
        self._grant(connection, granted, [number for number, _ in permits], now)
        self._keep(connection, wait_list, [t for t, wait in decided if wait.seconds > 0], now)
        return decided

    def _hold(self, connection: sa.Connection) -> float:
        """Be the only one who decides about the scope; until when the service is left alone."""
        be_brief(connection)
        query = sa.select(call_scopes.c.closed_until).where(call_scopes.c.scope == self._scope)
        held = query.with_for_update()
        found: float | None = connection.scalar(held)
        if found is None:
            add_new(connection, call_scopes, {"scope": self._scope, "closed_until": 0.0})
            found = connection.scalar(held)
        return found or 0.0

    def _resize(self, connection: sa.Connection) -> None:
        """Have as many permits as the limit. The ones that go are free before all that stay."""
        known = (
            sa.select(call_permits.c.number).where(self._permits()).order_by(call_permits.c.free_at)
        )
        permits = list(connection.scalars(known))
        if surplus := permits[: max(0, len(permits) - self._limit)]:
            for one in _parts(surplus):
                gone = call_permits.c.number.in_(one)
                connection.execute(sa.delete(call_permits).where(self._permits(), gone))
        taken = set(permits)
        free = (number for number in range(self._limit + len(permits)) if number not in taken)
        missing = max(0, self._limit - len(permits))
        rows = [
            {"scope": self._scope, "number": number, "free_at": 0.0, "holder": ""}
            for number, _ in zip(free, range(missing), strict=False)
        ]
        if rows:
            connection.execute(sa.insert(call_permits), rows)

    def _wait_list(
        self, connection: sa.Connection, requests: Sequence[PermitRequest], now: float
    ) -> "_WaitList":
        """All who wait, in order of arrival; who is new comes last, who is dead is left out."""
        query = (
            sa.select(permit_requests).where(self._requests()).order_by(permit_requests.c.number)
        )
        rows = connection.execute(query).all()
        mine = {request.id for request in requests}
        known = {row.id for row in rows if row.process == self._process}
        gone = {row.id for row in rows if self._is_gone(row, mine, now)}
        waiting = [
            PermitRequest(id=row.id, workspace_id=row.workspace_id)
            for row in rows
            if row.id not in gone
        ]
        new = [request for request in requests if request.id not in known]
        last = max((row.number for row in rows), default=0)
        return _WaitList(waiting=[*waiting, *new], known=known - gone, gone=gone, last_number=last)

    def _is_gone(self, row: Any, mine: Collection[str], now: float) -> bool:  # noqa: ANN401 - a row's columns are untyped
        if row.process == self._process:
            return row.id not in mine
        # One far ahead was written before the clock was set: its owner would have renewed it.
        return not now < row.expires_at <= now + 2 * self._request_seconds

    def _soonest(
        self, connection: sa.Connection, count: int, now: float
    ) -> list[tuple[int, float]]:
        """The permits that are free first, as many as are wanted, each with its time."""
        query = sa.select(call_permits.c.number, call_permits.c.free_at).where(self._permits())
        ordered = query.order_by(call_permits.c.free_at, call_permits.c.number).limit(max(1, count))
        found = [(number, free_at) for number, free_at in connection.execute(ordered)]
        sane = now + self._window + _MOST_DELAY
        if all(free_at <= sane for _, free_at in found):
            return found
        mended = sa.update(call_permits).where(self._permits(), call_permits.c.free_at > sane)
        connection.execute(mended.values(free_at=now + self._window))
        return [(number, min(free_at, now + self._window)) for number, free_at in found]

    def _grant(
        self,
        connection: sa.Connection,
        granted: Sequence[PermitRequest],
        permits: Sequence[int],
        now: float,
    ) -> None:
        if not granted:
            return
        change = sa.update(call_permits).where(
            self._permits(), call_permits.c.number == sa.bindparam("taken")
        )
        rows = [
            {"taken": number, "free_at": now + self._window + self._delay, "holder": request.id}
            for number, request in zip(permits, granted, strict=False)
        ]
        connection.execute(change, rows)
        note_served(connection, self._scope, [request.workspace_id for request in granted], now)

    def _keep(
        self,
        connection: sa.Connection,
        wait_list: "_WaitList",
        staying: Sequence[PermitRequest],
        now: float,
    ) -> None:
        """Renew the requests of those who wait on, and remove those of others who do not."""
        stay = {request.id for request in staying}
        if gone := wait_list.gone | (wait_list.known - stay):
            mine = self._requests(), permit_requests.c.id.in_(sorted(gone))
            connection.execute(sa.delete(permit_requests).where(*mine))
        expires_at = now + self._request_seconds
        if wait_list.known & stay:
            renewed = self._requests(), permit_requests.c.process == self._process
            connection.execute(
                sa.update(permit_requests).where(*renewed).values(expires_at=expires_at)
            )
        new = {each.id: each for each in staying if each.id not in wait_list.known}
        arrived = [new[each.id] for each in wait_list.waiting if each.id in new]
        rows = [
            self._row(request, wait_list.last_number + number, expires_at)
            for number, request in enumerate(arrived, start=1)
        ]
        if rows:
            connection.execute(sa.insert(permit_requests), rows)

    def _row(self, request: PermitRequest, number: int, expires_at: float) -> dict[str, Any]:
        own = {"scope": self._scope, "process": self._process}
        return own | request.model_dump() | {"number": number, "expires_at": expires_at}

    def _take_again(self, connection: sa.Connection, permit: Permit, delay: float) -> bool:
        self._hold(connection)
        free_at = clock(connection) + self._window + delay
        mine = self._permits(), call_permits.c.holder == permit.id
        change = sa.update(call_permits).where(*mine).values(free_at=free_at)
        return connection.execute(change).rowcount == 1

    def _close(self, connection: sa.Connection, seconds: float) -> None:
        before = self._hold(connection)
        now = clock(connection)
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

    waiting: list[PermitRequest]
    known: set[str]
    gone: set[str]
    last_number: int


def _parts(permits: list[int]) -> list[list[int]]:
    return [permits[at : at + 500] for at in range(0, len(permits), 500)]
