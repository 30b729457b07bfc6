"""Model calls wait here for their turn, whoever shares the limit with this process."""

import asyncio
import logging
import math
import uuid
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from masis.errors import BudgetSpent, CallNotPermitted, ModelServiceUnavailable, StoreUnavailable
from masis.models import run_clock
from masis.models.run_clock import RunClock
from masis.policy import DATABASE_OUTAGE_SECONDS, MAX_RATE_WAIT, PERMIT_REQUEST_RENEWAL, RATE_QUEUE
from masis.ports import CallPermits, Permit, PermitDecisions, Wait

log = logging.getLogger(__name__)

T = TypeVar("T")
Name = TypeVar("Name", bound=str)

_ASK_SECONDS: Final = 10.0
"""For one look at the slots; a database that takes longer is away."""
_PAUSE_SECONDS: Final = 0.5
"""Before slots that could not be reached are tried again."""


class RateLimit(Generic[Name]):
    """Lets calls of named services begin only where `permits` has a place for them.

    Waiters are served in order of arrival; a wait stands outside the run's deadline. `admit` is asked
    before anybody queues (see `Circuits.admit`). Names with the same permits wait in one queue.
    """

    def __init__(
        self,
        permits: Mapping[Name, CallPermits],
        *,
        admit: Callable[[Name], None] | None = None,
        queue: int = RATE_QUEUE,
        longest_wait: float = MAX_RATE_WAIT,
        outage_seconds: float = DATABASE_OUTAGE_SECONDS,
    ) -> None:
        self._admit = admit
        queues = {
            id(each): _WaitQueue(each, queue, longest_wait, outage_seconds)
            for each in permits.values()
        }
        self._queues = {name: queues[id(each)] for name, each in permits.items()}

    async def call(self, name: Name, send: Callable[[], Awaitable[T]]) -> T:
        """Wait for a place, then send.

        Raises:
            NotAsked: too many wait already, or too long.
            StoreUnavailable: the database that holds the places is away.
        """
        if self._admit is not None:
            self._admit(name)
        queue = self._queues[name]
        permit = await queue.permit()
        try:
            return await send()
        except (CallNotPermitted, BudgetSpent, StoreUnavailable):
            queue.give_back(permit)
            raise
        except ModelServiceUnavailable as error:
            if error.retry_after is not None:
                await queue.cool_down(error.retry_after)
            raise


@dataclass(eq=False, slots=True)
class _Waiter:
    """A call that has no place yet. The future is awaited by its task, and set by the line's."""

    clock: RunClock | None
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    permit: "asyncio.Future[Permit]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    is_announced: bool = False

    def grant(self, permit: Permit) -> bool:
        """Let it in; False when it does not wait any more."""
        if not self.permit.done():
            self.permit.set_result(permit)
            return True
        return False

    def refuse(self, error: Exception) -> None:
        """Send it away."""
        if not self.permit.done():
            self.permit.set_exception(error)

    def announce(self, seconds: float) -> None:
        """Say once how long it is going to take."""
        if self.clock is not None and not self.is_announced:
            self.clock.announce(seconds)
        self.is_announced = True


class _WaitQueue:
    """Keep who waits in this process for one service.

    One task asks for all of them, and is kept here, too.
    """

    def __init__(
        self, permits: CallPermits, queue: int, longest_wait: float, outage_seconds: float
    ) -> None:
        self._permits = permits
        self._limit = queue
        self._longest_wait = longest_wait
        self._outage_seconds = outage_seconds
        self._waiters: dict[str, _Waiter] = {}
        self._is_listed = False
        """Whether tickets of ours may stand in the slots' own list."""
        self._away_since: float | None = None
        self._serving: asyncio.Task[None] | None = None
        self._changed: asyncio.Event | None = None
        self._background: set[asyncio.Task[None]] = set()

    async def permit(self) -> Permit:
        """Wait for leave to begin a call right now.

        Raises:
            NotAsked: too many wait already, or too long.
            StoreUnavailable: the database that holds the places is away.
        """
        waiter = _Waiter(run_clock.current())
        is_used = False
        try:
            with run_clock.paused(waiter.clock):
                async with asyncio.timeout(self._longest_wait):
                    permit = await self._begun(await self._granted(waiter))
            is_used = True
        except TimeoutError:
            raise CallNotPermitted(
                "The rate limit left no place for this question. Ask again in some minutes."
            ) from None
        finally:
            self._leave(waiter, is_used=is_used)
        return permit or await self.permit()

    def give_back(self, permit: Permit) -> None:
        """The call was not made."""
        self._in_background(self._give_back(permit))

    async def cool_down(self, seconds: float) -> None:
        """Push everybody back."""
        try:
            async with asyncio.timeout(_ASK_SECONDS):
                await self._permits.cool_down(seconds)
        except (StoreUnavailable, TimeoutError) as error:
            log.warning("nobody was told to stay away: %s", type(error).__name__)

    # --- one who waits ---------------------------------------------------------------------

    async def _granted(self, waiter: _Waiter) -> Permit:
        self._waiters[waiter.id] = waiter
        self._serve()
        return await waiter.permit

    async def _begun(self, permit: Permit) -> Permit | None:
        """The place, with its window counted from now on; None when it was lost meanwhile."""
        late: Permit | None = permit
        while late is not None and asyncio.get_running_loop().time() > late.begin_by:
            try:
                async with asyncio.timeout(_ASK_SECONDS):
                    late = await self._permits.begin(late)
            except (StoreUnavailable, TimeoutError) as error:
                raise _database_away(error) from None
        return late

    def _leave(self, waiter: _Waiter, *, is_used: bool) -> None:
        self._waiters.pop(waiter.id, None)
        if is_used:
            return
        permit = waiter.permit
        if permit.done() and not permit.cancelled() and permit.exception() is None:
            self.give_back(permit.result())
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
        waiting = [each.id for each in self._waiters.values() if not each.permit.done()]
        try:
            async with asyncio.timeout(_ASK_SECONDS):
                decisions = await self._permits.ask(waiting)
        except StoreUnavailable as error:
            return self._away(error)
        except TimeoutError as error:
            await self._give_up(waiting)
            return self._away(error)
        self._away_since = None
        self._is_listed = bool(decisions.waits)
        self._apply(decisions)
        return min((PERMIT_REQUEST_RENEWAL, *(wait.seconds for wait in decisions.waits.values())))

    def _apply(self, decisions: PermitDecisions) -> None:
        for name, permit in decisions.granted.items():
            waiter = self._waiters.get(name)
            if waiter is None or not waiter.grant(permit):
                self.give_back(permit)
        for name, wait in decisions.waits.items():
            if (waiter := self._waiters.get(name)) is not None:
                self._keep_waiting(waiter, wait)

    def _keep_waiting(self, waiter: _Waiter, wait: Wait) -> None:
        is_too_much = wait.before >= self._limit or wait.seconds > self._longest_wait
        if is_too_much and not waiter.is_announced:
            waiter.refuse(
                CallNotPermitted(
                    "Too many questions wait for the model service. Ask again in some minutes,"
                    " or raise the calls a minute (MASIS_MODEL_CALLS_PER_MINUTE, of an embedding"
                    " service MASIS_EMBEDDING_CALLS_PER_MINUTE, of a reranking service"
                    " MASIS_RERANK_CALLS_PER_MINUTE)."
                )
            )
        else:
            waiter.announce(max(0.0, wait.seconds))

    def _away(self, error: Exception) -> float:
        """Wait on while the slots cannot be reached, but not for ever."""
        now = asyncio.get_running_loop().time()
        if self._away_since is None:
            self._away_since = now
        if now - self._away_since < self._outage_seconds:
            return _PAUSE_SECONDS
        for waiter in self._waiters.values():
            waiter.refuse(_database_away(error))
        self._away_since, self._is_listed = None, False
        return 0.0

    async def _give_up(self, waiting: Sequence[str]) -> None:
        """Nobody heard which of them have places, which would stand unused for a window.

        It is over before any of them is asked for again: a later place must not be given back.
        """
        try:
            async with asyncio.timeout(_ASK_SECONDS):
                for name in waiting:
                    await self._permits.give_back(Permit(name, begin_by=-math.inf))
        except (StoreUnavailable, TimeoutError) as error:
            log.warning("granted were not given back: %s", type(error).__name__)

    async def _give_back(self, permit: Permit) -> None:
        try:
            async with asyncio.timeout(_ASK_SECONDS):
                await self._permits.give_back(permit)
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
