"""Places for model calls in the database: one limit for every process that uses it."""

import asyncio
import uuid
from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from masis.models.permits import Service, decide
from masis.policy import CALL_DELAY, MAX_RETRY_AFTER, RATE_WINDOW, TICKET_SECONDS
from masis.ports import Place, Ticket, Turns, Wait
from storage.sql.database import Database
from storage.sql.exclusive import be_brief
from storage.sql.last_served import clock, had_turns, last_turns
from storage.sql.tables import call_scopes, call_slots, call_tickets
from storage.sql.upserts import add_new

_MOST_DELAY: Final = MAX_RETRY_AFTER
"""A slot that is further away than this after its window was written before the clock was set."""
_TICK: Final = 0.001
"""SQLite's clock shows whole milliseconds."""


class SqlCallSlots:
    """The `CallSlots` of `masis.ports`, shared by all processes on one database.

    `scope` names a service and a key. Of each grant one slot is taken for a window and the delay
    with which a call may begin; one that begins later says so, and its slot is taken anew. The
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
        ticket_seconds: float = TICKET_SECONDS,
    ) -> None:
        self._database = database
        self._scope = scope
        self._limit = limit
        self._window = window
        self._delay = delay + _TICK
        self._ticket_seconds = ticket_seconds
        self._process = uuid.uuid4().hex
        self._is_sized = False

    async def ask(self, tickets: Sequence[Ticket]) -> Turns:
        """Let in whom the window allows, and keep the others' tickets."""
        begin_by = asyncio.get_running_loop().time() + self._delay - _TICK
        decided = await self._database.transact(lambda within: self._decide(within, tickets))
        self._is_sized = True
        places = [ticket.id for ticket, wait in decided if wait.seconds <= 0]
        return Turns(
            places={ticket_id: Place(ticket_id, begin_by) for ticket_id in places},
            waits={ticket.id: wait for ticket, wait in decided if wait.seconds > 0},
        )

    async def begin(self, place: Place) -> Place | None:
        """Count the window from now, and leave more time this time; None when the slot was lost."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        delay = min(_MOST_DELAY, max(self._delay, 2 * (now - place.begin_by)))
        held = await self._database.transact(lambda within: self._take_again(within, place, delay))
        return Place(place.id, now + delay - _TICK) if held else None

    async def give_back(self, place: Place) -> None:
        """The call is not made: the slot is free."""
        mine = self._slots(), call_slots.c.holder == place.id
        change = sa.update(call_slots).where(*mine).values(free_at=0.0, holder="")
        await self._database.transact(lambda within: within.execute(change).close())

    async def cool_down(self, seconds: float) -> None:
        """Let no call of any process begin for so long, 60 seconds at most."""
        pause = max(0.0, min(seconds, MAX_RETRY_AFTER))
        await self._database.transact(lambda within: self._close(within, pause))

    # --- within a transaction --------------------------------------------------------------

    def _decide(
        self, connection: sa.Connection, tickets: Sequence[Ticket]
    ) -> list[tuple[Ticket, Wait]]:
        """Let these in or let them wait, with all others in mind."""
        closed_until = self._hold(connection)
        now = clock(connection)
        if not self._is_sized:
            self._resize(connection)
        line = self._line(connection, tickets, now)
        slots = self._soonest(connection, len(line.waiting), now)
        service = Service(
            now=now,
            window=self._window,
            closed_until=min(closed_until, now + MAX_RETRY_AFTER),
            free_at=[free_at for _, free_at in slots],
        )
        turns = last_turns(connection, self._scope, {each.workspace_id for each in line.waiting})
        mine = {ticket.id for ticket in tickets}
        decided = [each for each in decide(service, line.waiting, turns) if each[0].id in mine]
        granted = [ticket for ticket, wait in decided if wait.seconds <= 0]
        self._grant(connection, granted, [slot for slot, _ in slots], now)
        self._keep(connection, line, [t for t, wait in decided if wait.seconds > 0], now)
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
        """Have as many slots as the limit. The ones that go are free before all that stay."""
        known = sa.select(call_slots.c.slot).where(self._slots()).order_by(call_slots.c.free_at)
        slots = list(connection.scalars(known))
        if surplus := slots[: max(0, len(slots) - self._limit)]:
            for one in _parts(surplus):
                gone = call_slots.c.slot.in_(one)
                connection.execute(sa.delete(call_slots).where(self._slots(), gone))
        taken = set(slots)
        free = (number for number in range(self._limit + len(slots)) if number not in taken)
        missing = max(0, self._limit - len(slots))
        rows = [
            {"scope": self._scope, "slot": number, "free_at": 0.0, "holder": ""}
            for number, _ in zip(free, range(missing), strict=False)
        ]
        if rows:
            connection.execute(sa.insert(call_slots), rows)

    def _line(self, connection: sa.Connection, tickets: Sequence[Ticket], now: float) -> "_Line":
        """All who wait, in order of arrival; who is new stands last, who is dead is left out."""
        query = sa.select(call_tickets).where(self._tickets()).order_by(call_tickets.c.number)
        rows = connection.execute(query).all()
        mine = {ticket.id for ticket in tickets}
        known = {row.id for row in rows if row.process == self._process}
        gone = {row.id for row in rows if self._is_gone(row, mine, now)}
        waiting = [
            Ticket(id=row.id, workspace_id=row.workspace_id) for row in rows if row.id not in gone
        ]
        new = [ticket for ticket in tickets if ticket.id not in known]
        last = max((row.number for row in rows), default=0)
        return _Line(waiting=[*waiting, *new], known=known - gone, gone=gone, last_number=last)

    def _is_gone(self, row: Any, mine: Collection[str], now: float) -> bool:  # noqa: ANN401 - a row's columns are untyped
        if row.process == self._process:
            return row.id not in mine
        # One far ahead was written before the clock was set: its owner would have renewed it.
        return not now < row.expires_at <= now + 2 * self._ticket_seconds

    def _soonest(
        self, connection: sa.Connection, count: int, now: float
    ) -> list[tuple[int, float]]:
        """The slots that are free first, as many as are wanted, each with its time."""
        query = sa.select(call_slots.c.slot, call_slots.c.free_at).where(self._slots())
        ordered = query.order_by(call_slots.c.free_at, call_slots.c.slot).limit(max(1, count))
        found = [(slot, free_at) for slot, free_at in connection.execute(ordered)]
        sane = now + self._window + _MOST_DELAY
        if all(free_at <= sane for _, free_at in found):
            return found
        mended = sa.update(call_slots).where(self._slots(), call_slots.c.free_at > sane)
        connection.execute(mended.values(free_at=now + self._window))
        return [(slot, min(free_at, now + self._window)) for slot, free_at in found]

    def _grant(
        self, connection: sa.Connection, granted: Sequence[Ticket], slots: Sequence[int], now: float
    ) -> None:
        if not granted:
            return
        change = sa.update(call_slots).where(
            self._slots(), call_slots.c.slot == sa.bindparam("taken")
        )
        rows = [
            {"taken": slot, "free_at": now + self._window + self._delay, "holder": ticket.id}
            for slot, ticket in zip(slots, granted, strict=False)
        ]
        connection.execute(change, rows)
        had_turns(connection, self._scope, [ticket.workspace_id for ticket in granted], now)

    def _keep(
        self, connection: sa.Connection, line: "_Line", staying: Sequence[Ticket], now: float
    ) -> None:
        """Renew the tickets of those who wait on, and remove those of others who do not."""
        stay = {ticket.id for ticket in staying}
        if gone := line.gone | (line.known - stay):
            mine = self._tickets(), call_tickets.c.id.in_(sorted(gone))
            connection.execute(sa.delete(call_tickets).where(*mine))
        expires_at = now + self._ticket_seconds
        if line.known & stay:
            renewed = self._tickets(), call_tickets.c.process == self._process
            connection.execute(
                sa.update(call_tickets).where(*renewed).values(expires_at=expires_at)
            )
        new = {each.id: each for each in staying if each.id not in line.known}
        arrived = [new[each.id] for each in line.waiting if each.id in new]
        rows = [
            self._row(ticket, line.last_number + number, expires_at)
            for number, ticket in enumerate(arrived, start=1)
        ]
        if rows:
            connection.execute(sa.insert(call_tickets), rows)

    def _row(self, ticket: Ticket, number: int, expires_at: float) -> dict[str, Any]:
        own = {"scope": self._scope, "process": self._process}
        return own | ticket.model_dump() | {"number": number, "expires_at": expires_at}

    def _take_again(self, connection: sa.Connection, place: Place, delay: float) -> bool:
        self._hold(connection)
        free_at = clock(connection) + self._window + delay
        mine = self._slots(), call_slots.c.holder == place.id
        change = sa.update(call_slots).where(*mine).values(free_at=free_at)
        return connection.execute(change).rowcount == 1

    def _close(self, connection: sa.Connection, seconds: float) -> None:
        before = self._hold(connection)
        now = clock(connection)
        until = max(min(before, now + MAX_RETRY_AFTER), now + seconds)
        change = sa.update(call_scopes).where(call_scopes.c.scope == self._scope)
        connection.execute(change.values(closed_until=until))

    def _slots(self) -> sa.ColumnElement[bool]:
        return call_slots.c.scope == self._scope

    def _tickets(self) -> sa.ColumnElement[bool]:
        return call_tickets.c.scope == self._scope


class _Line(NamedTuple):
    """Hold who waits.

    `known` are those of this process that were there before, `gone` left or died.
    """

    waiting: list[Ticket]
    known: set[str]
    gone: set[str]
    last_number: int


def _parts(slots: list[int]) -> list[list[int]]:
    return [slots[at : at + 500] for at in range(0, len(slots), 500)]
