"""Model calls wait here for their turn, whoever shares the limit with this process."""

import asyncio
import logging
import math
import uuid
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from pydantic import BaseModel

from masis.errors import BudgetSpent, ModelServiceUnavailable, NotAsked, StoreUnavailable
from masis.models import run_clock
from masis.models.run_clock import RunClock
from masis.policy import DATABASE_PATIENCE, MAX_RATE_WAIT, RATE_QUEUE, TICKET_RENEWAL
from masis.ports import CallSlots, ChatModel, ChatReply, Message, Place, Role, Ticket, Turns, Wait

log = logging.getLogger(__name__)

T = TypeVar("T")
Name = TypeVar("Name", bound=str)

_ASK_SECONDS: Final = 10.0
"""For one look at the slots; a database that takes longer is away."""
_PAUSE_SECONDS: Final = 0.5
"""Before slots that could not be reached are tried again."""


class RateLimit(Generic[Name]):
    """Lets calls of named services begin only where `slots` has a place for them.

    Waiters are served in order within a workspace and by turns between workspaces; a wait stands
    outside the run's deadline. `admit` is asked before anybody queues (see `Circuits.admit`). Names
    with the same slots wait in one line.
    """

    def __init__(
        self,
        slots: Mapping[Name, CallSlots],
        *,
        admit: Callable[[Name], None] | None = None,
        queue: int = RATE_QUEUE,
        longest_wait: float = MAX_RATE_WAIT,
        patience: float = DATABASE_PATIENCE,
    ) -> None:
        self._admit = admit
        lines = {id(each): _Line(each, queue, longest_wait, patience) for each in slots.values()}
        self._lines = {name: lines[id(each)] for name, each in slots.items()}

    async def call(self, name: Name, send: Callable[[], Awaitable[T]]) -> T:
        """Wait for a place, then send.

        Raises:
            NotAsked: too many wait already, or too long.
            StoreUnavailable: the database that holds the places is away.
        """
        if self._admit is not None:
            self._admit(name)
        line = self._lines[name]
        place = await line.place()
        try:
            return await send()
        except (NotAsked, BudgetSpent, StoreUnavailable):
            line.give_back(place)
            raise
        except ModelServiceUnavailable as error:
            if error.retry_after is not None:
                await line.cool_down(error.retry_after)
            raise


class RateLimited:
    """A chat model whose calls wait for their places."""

    def __init__(
        self,
        chat: ChatModel,
        slots: Mapping[Role, CallSlots],
        *,
        admit: Callable[[Role], None] | None = None,
        queue: int = RATE_QUEUE,
        longest_wait: float = MAX_RATE_WAIT,
        patience: float = DATABASE_PATIENCE,
    ) -> None:
        self._chat = chat
        self._limit = RateLimit(
            slots, admit=admit, queue=queue, longest_wait=longest_wait, patience=patience
        )

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        """Wait for a place, then ask."""
        return await self._limit.call(role, lambda: self._chat.complete(role, messages, schema))


@dataclass(eq=False, slots=True)
class _Waiter:
    """A call that has no place yet. The future is awaited by its task, and set by the line's."""

    ticket: Ticket
    clock: RunClock | None
    place: "asyncio.Future[Place]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    is_told: bool = False

    def grant(self, place: Place) -> bool:
        """Let it in; False when it does not wait any more."""
        if not self.place.done():
            self.place.set_result(place)
            return True
        return False

    def refuse(self, error: Exception) -> None:
        """Send it away."""
        if not self.place.done():
            self.place.set_exception(error)

    def tell(self, seconds: float) -> None:
        """Say once how long it is going to take."""
        if self.clock is not None and not self.is_told:
            self.clock.tell(seconds)
        self.is_told = True


class _Line:
    """Keep who waits in this process for one service.

    One task asks for all of them, and is kept here, too.
    """

    def __init__(self, slots: CallSlots, queue: int, longest_wait: float, patience: float) -> None:
        self._slots = slots
        self._limit = queue
        self._longest_wait = longest_wait
        self._patience = patience
        self._waiters: dict[str, _Waiter] = {}
        self._is_listed = False
        """Whether tickets of ours may stand in the slots' own list."""
        self._away_since: float | None = None
        self._serving: asyncio.Task[None] | None = None
        self._changed: asyncio.Event | None = None
        self._background: set[asyncio.Task[None]] = set()

    async def place(self) -> Place:
        """Wait for leave to begin a call right now.

        Raises:
            NotAsked: too many wait already, or too long.
            StoreUnavailable: the database that holds the places is away.
        """
        clock = run_clock.current()
        ticket = Ticket(id=uuid.uuid4().hex, workspace_id=clock.workspace_id if clock else "")
        waiter = _Waiter(ticket, clock)
        is_used = False
        try:
            with run_clock.standing(clock):
                async with asyncio.timeout(self._longest_wait):
                    place = await self._begun(await self._granted(waiter))
            is_used = True
        except TimeoutError:
            raise NotAsked(
                "The rate limit left no place for this question. Ask again in some minutes."
            ) from None
        finally:
            self._leave(waiter, is_used=is_used)
        return place or await self.place()

    def give_back(self, place: Place) -> None:
        """The call was not made."""
        self._in_background(self._give_back(place))

    async def cool_down(self, seconds: float) -> None:
        """Push everybody back."""
        try:
            async with asyncio.timeout(_ASK_SECONDS):
                await self._slots.cool_down(seconds)
        except (StoreUnavailable, TimeoutError) as error:
            log.warning("nobody was told to stay away: %s", type(error).__name__)

    # --- one who waits ---------------------------------------------------------------------

    async def _granted(self, waiter: _Waiter) -> Place:
        self._waiters[waiter.ticket.id] = waiter
        self._serve()
        return await waiter.place

    async def _begun(self, place: Place) -> Place | None:
        """The place, with its window counted from now on; None when it was lost meanwhile."""
        late: Place | None = place
        while late is not None and asyncio.get_running_loop().time() > late.begin_by:
            try:
                async with asyncio.timeout(_ASK_SECONDS):
                    late = await self._slots.begin(late)
            except (StoreUnavailable, TimeoutError) as error:
                raise _database_away(error) from None
        return late

    def _leave(self, waiter: _Waiter, *, is_used: bool) -> None:
        self._waiters.pop(waiter.ticket.id, None)
        if is_used:
            return
        place = waiter.place
        if place.done() and not place.cancelled() and place.exception() is None:
            self.give_back(place.result())
        elif self._is_listed:
            self._serve()

    # --- for all who wait ------------------------------------------------------------------

    def _serve(self) -> None:
        """Ask for who waits now, and as long as anybody does."""
        if self._serving is None or self._serving.done():
            self._changed = asyncio.Event()
            self._serving = asyncio.create_task(self._ask_on(self._changed))
            self._serving.add_done_callback(self._served)
        elif self._changed is not None:
            self._changed.set()

    async def _ask_on(self, changed: asyncio.Event) -> None:
        while self._waiters or self._is_listed:
            changed.clear()
            pause = await self._ask()
            try:
                async with asyncio.timeout(pause):
                    await changed.wait()
            except TimeoutError:
                continue

    def _served(self, task: "asyncio.Task[None]") -> None:
        """Nobody waits for a task that broke."""
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            for waiter in self._waiters.values():
                waiter.refuse(error)

    async def _ask(self) -> float:
        """One look at the slots; gives the seconds until the next one is worth it."""
        tickets = [each.ticket for each in self._waiters.values() if not each.place.done()]
        try:
            async with asyncio.timeout(_ASK_SECONDS):
                turns = await self._slots.ask(tickets)
        except StoreUnavailable as error:
            return self._away(error)
        except TimeoutError as error:
            await self._give_up(tickets)
            return self._away(error)
        self._away_since = None
        self._is_listed = bool(turns.waits)
        self._tell(turns)
        return min((TICKET_RENEWAL, *(wait.seconds for wait in turns.waits.values())))

    def _tell(self, turns: Turns) -> None:
        for ticket_id, place in turns.places.items():
            waiter = self._waiters.get(ticket_id)
            if waiter is None or not waiter.grant(place):
                self.give_back(place)
        for ticket_id, wait in turns.waits.items():
            if (waiter := self._waiters.get(ticket_id)) is not None:
                self._keep_waiting(waiter, wait)

    def _keep_waiting(self, waiter: _Waiter, wait: Wait) -> None:
        is_too_much = wait.before >= self._limit or wait.seconds > self._longest_wait
        if is_too_much and not waiter.is_told:
            waiter.refuse(
                NotAsked(
                    "Too many questions wait for the model service. Ask again in some minutes,"
                    " or raise the calls a minute (MASIS_MODEL_CALLS_PER_MINUTE, of an embedding"
                    " service MASIS_EMBEDDING_CALLS_PER_MINUTE, of a reranking service"
                    " MASIS_RERANK_CALLS_PER_MINUTE)."
                )
            )
        else:
            waiter.tell(max(0.0, wait.seconds))

    def _away(self, error: Exception) -> float:
        """Wait on while the slots cannot be reached, but not for ever."""
        now = asyncio.get_running_loop().time()
        if self._away_since is None:
            self._away_since = now
        if now - self._away_since < self._patience:
            return _PAUSE_SECONDS
        for waiter in self._waiters.values():
            waiter.refuse(_database_away(error))
        self._away_since, self._is_listed = None, False
        return 0.0

    async def _give_up(self, tickets: Sequence[Ticket]) -> None:
        """Nobody heard which of them have places, which would stand unused for a window.

        It is over before any of them is asked for again: a later place must not be given back.
        """
        try:
            async with asyncio.timeout(_ASK_SECONDS):
                for ticket in tickets:
                    await self._slots.give_back(Place(ticket.id, begin_by=-math.inf))
        except (StoreUnavailable, TimeoutError) as error:
            log.warning("places were not given back: %s", type(error).__name__)

    async def _give_back(self, place: Place) -> None:
        try:
            async with asyncio.timeout(_ASK_SECONDS):
                await self._slots.give_back(place)
        except (StoreUnavailable, TimeoutError) as error:
            log.warning("a place was not given back: %s", type(error).__name__)
        if self._waiters:
            self._serve()

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)


def _database_away(error: Exception) -> StoreUnavailable:
    """Return what to tell who could not be let in. It is not the model service that failed."""
    said = str(error) or "it does not answer"
    away = StoreUnavailable(
        "The model was not asked: its calls are counted in the database, which is away. Ask again"
        f" in a minute. ({said})"
    )
    away.retryable = True
    return away
