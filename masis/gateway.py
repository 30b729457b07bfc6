"""What stands between the agents and a model service: retries, rate limit, breaker, run clock.

Each of `Retrying`, `RateLimited` and `Breaker` takes a ChatModel and is one; `guarded` stacks them
in the order that makes the figures exact: every attempt takes a place in the rate limit, and the
breaker sees every attempt. All times are the event loop's own, so a test may bend them.
"""

import asyncio
import random
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, TypeVar

from pydantic import BaseModel

from masis.errors import ModelServiceBusy, ModelServiceUnavailable, NotAsked
from masis.policy import (
    BREAKER_FAILURES,
    BREAKER_OPEN,
    BREAKER_WINDOW,
    CALLS_PER_MINUTE,
    MAX_RATE_WAIT,
    MAX_RETRY_AFTER,
    MODEL_RETRIES,
    RATE_QUEUE,
)
from masis.ports import ChatModel, ChatReply, Message, Role

T = TypeVar("T")

_MINUTE: Final = 60.0
_REMEMBERED_WORKSPACES: Final = 4096
"""Whose last turn is remembered; who is forgotten merely counts as new again."""


# --- the run clock -------------------------------------------------------------------------


class RunClock:
    """The deadline of one run, which stands still while the run waits for the rate limit."""

    def __init__(
        self,
        workspace_id: str,
        deadline: asyncio.Timeout,
        on_wait: Callable[[float], None] | None = None,
    ) -> None:
        self.workspace_id = workspace_id
        self.waited = 0.0
        """Seconds so far that did not count."""
        self._deadline = deadline
        self._on_wait = on_wait
        self._waits = 0
        self._stopped_at = 0.0
        self._left: float | None = None
        self._over = False

    @contextmanager
    def waiting(self, expected: float) -> Iterator[None]:
        """Stop the clock for a wait of about `expected` seconds, and tell who watches."""
        if self._on_wait is not None:
            self._on_wait(expected)
        self._stop()
        try:
            yield
        finally:
            self._go_on()

    def close(self) -> None:
        """The run is over: the deadline is not touched any more."""
        self._over = True

    def _stop(self) -> None:
        # Waits of parallel nodes overlap; the clock stands still for their union, not their sum.
        self._waits += 1
        if self._waits > 1:
            return
        self._stopped_at = asyncio.get_running_loop().time()
        when = self._deadline.when()
        if when is not None and self._can_move():
            self._left = when - self._stopped_at
            self._deadline.reschedule(None)

    def _go_on(self) -> None:
        self._waits -= 1
        if self._waits:
            return
        now = asyncio.get_running_loop().time()
        self.waited += now - self._stopped_at
        if self._left is not None and self._can_move():
            self._deadline.reschedule(now + self._left)
        self._left = None

    def _can_move(self) -> bool:
        return not (self._over or self._deadline.expired())


_run: ContextVar[RunClock | None] = ContextVar("masis_run_clock", default=None)


@asynccontextmanager
async def run_clock(
    *, seconds: float, workspace_id: str, on_wait: Callable[[float], None] | None = None
) -> AsyncIterator[RunClock]:
    """Bound a run to `seconds`, without the time it waits for the rate limit.

    `on_wait` is told the expected seconds when such a wait begins. Tasks started inside share the
    clock. The workspace is the one that the rate limit is fair to.

    Raises:
        TimeoutError: the run took too long.
    """
    async with asyncio.timeout(seconds) as deadline:
        clock = RunClock(workspace_id, deadline, on_wait)
        token = _run.set(clock)
        try:
            yield clock
        finally:
            clock.close()
            _run.reset(token)


@contextmanager
def _waiting(expected: float) -> Iterator[None]:
    clock = _run.get()
    if clock is None:
        yield
        return
    with clock.waiting(expected):
        yield


# --- retries -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often and how patiently a failed call is repeated: `base`, doubled each time, jittered."""

    retries: int = MODEL_RETRIES
    base: float = 0.5
    longest: float = 8.0
    jitter: Callable[[], float] = random.random

    def delays(self) -> list[float]:
        """Seconds before each repeat: half to one and a half times the exponential step."""
        steps = (min(self.longest, self.base * 2**n) for n in range(self.retries))
        return [step * (0.5 + self.jitter()) for step in steps]


DEFAULT_BACKOFF: Final = Backoff()


async def retried(attempt: Callable[[], Awaitable[T]], backoff: Backoff = DEFAULT_BACKOFF) -> T:
    """Repeat what was unavailable, never sooner than the service asked for.

    Refusals (key, quota, request) and the gateway's own answers are not repeated.

    Raises:
        ModelServiceUnavailable: the last attempt failed too.
    """
    for delay in backoff.delays():
        try:
            return await attempt()
        except NotAsked:
            raise
        except ModelServiceUnavailable as error:
            wished = error.retry_after
        await _pause(delay, wished)
    return await attempt()


async def _pause(delay: float, wished: float | None) -> None:
    if wished is None:
        await asyncio.sleep(delay)
        return
    wait = max(delay, min(wished, MAX_RETRY_AFTER))
    with _waiting(wait):
        await asyncio.sleep(wait)


class Retrying:
    """A chat model that asks again when the service was unavailable."""

    def __init__(self, chat: ChatModel, backoff: Backoff = DEFAULT_BACKOFF) -> None:
        self._chat = chat
        self._backoff = backoff

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        """Ask, and ask again."""
        return await retried(lambda: self._chat.complete(role, messages, schema), self._backoff)


# --- rate limit ----------------------------------------------------------------------------


class _Window:
    """When calls began within the last minute, and when the next one may."""

    def __init__(self, per_minute: int) -> None:
        self._begun: deque[float] = deque()
        self._per_minute = per_minute
        self.closed_until = 0.0

    def free_at(self, ahead: int = 0) -> float:
        """The earliest time of the next call, or of the one with `ahead` others before it."""
        spare = self._per_minute - len(self._begun)
        if ahead < spare:
            return self.closed_until
        rounds, place = divmod(ahead - spare, self._per_minute)
        oldest = self._begun[place] if place < len(self._begun) else self.closed_until
        return max(self.closed_until, oldest + _MINUTE * (rounds + 1))

    def expire(self, now: float) -> None:
        """Forget the calls that are a minute old."""
        while self._begun and now - self._begun[0] >= _MINUTE:
            self._begun.popleft()

    def take(self, now: float) -> float:
        """Begin a call now; the result is its place in the window."""
        self._begun.append(now)
        return now

    def begin(self, place: float, now: float) -> float:
        """A call that was let in begins only now; the window counts from here."""
        self.give_back(place)
        return self.take(now)

    def give_back(self, place: float) -> None:
        """The call was never made."""
        if place in self._begun:
            self._begun.remove(place)


class _Queue:
    """Who waits for a place: in order within a workspace, and workspaces by turns."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[asyncio.Future[float]]] = OrderedDict()
        self._last_turn: OrderedDict[str, int] = OrderedDict()
        self._turns = 0

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def push(self, workspace: str, waiter: asyncio.Future[float]) -> None:
        self._waiting.setdefault(workspace, deque()).append(waiter)

    def pop(self) -> asyncio.Future[float]:
        """The first waiter of the workspace whose last turn is longest ago."""
        workspace = min(self._waiting, key=lambda name: self._last_turn.get(name, 0))
        self.had_turn(workspace)
        waiter = self._waiting[workspace].popleft()
        self._tidy(workspace)
        return waiter

    def had_turn(self, workspace: str) -> None:
        self._turns += 1
        self._last_turn[workspace] = self._turns
        self._last_turn.move_to_end(workspace)
        if len(self._last_turn) > _REMEMBERED_WORKSPACES:
            self._last_turn.popitem(last=False)

    def remove(self, workspace: str, waiter: asyncio.Future[float]) -> None:
        waiters = self._waiting.get(workspace)
        if waiters is not None and waiter in waiters:
            waiters.remove(waiter)
            self._tidy(workspace)

    def ahead_of_new(self, workspace: str) -> int:
        """About how many would be served before one who came to `workspace` now."""
        own = len(self._waiting.get(workspace, ()))
        others = (len(line) for name, line in self._waiting.items() if name != workspace)
        return own + sum(min(length, own + 1) for length in others)

    def _tidy(self, workspace: str) -> None:
        if not self._waiting[workspace]:
            del self._waiting[workspace]


class RateLimited:
    """A chat model of which no 60 seconds see more than `per_minute` calls begin.

    Waiters are served in order within a workspace and by turns between workspaces; a wait stands
    outside the run's deadline. `admit` is asked before anybody queues (see `Breaker.admit`).
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        per_minute: int = CALLS_PER_MINUTE,
        admit: Callable[[Role], None] | None = None,
        queue: int = RATE_QUEUE,
        longest_wait: float = MAX_RATE_WAIT,
    ) -> None:
        if per_minute < 1:
            raise ValueError("a rate limit lets at least one call a minute pass")
        self._chat = chat
        self._admit = admit
        self._limit = queue
        self._longest_wait = longest_wait
        self._window = _Window(per_minute)
        self._queue = _Queue()
        self._alarm: asyncio.TimerHandle | None = None

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        """Wait for a place, then ask.

        Raises:
            NotAsked: too many wait already, or too long.
        """
        if self._admit is not None:
            self._admit(role)
        place = await self._place()
        try:
            return await self._chat.complete(role, messages, schema)
        except NotAsked:
            self._window.give_back(place)
            self._serve()
            raise
        except ModelServiceUnavailable as error:
            if error.retry_after is not None:
                self.cool_down(error.retry_after)
            raise

    def cool_down(self, seconds: float) -> None:
        """Push everybody back: no call begins in the next `seconds` (60 at most)."""
        until = asyncio.get_running_loop().time() + max(0.0, min(seconds, MAX_RETRY_AFTER))
        self._window.closed_until = max(self._window.closed_until, until)

    async def _place(self) -> float:
        clock = _run.get()
        workspace = clock.workspace_id if clock else ""
        now = asyncio.get_running_loop().time()
        self._window.expire(now)
        expected = self._window.free_at(self._queue.ahead_of_new(workspace)) - now
        if not self._queue and expected <= 0:
            self._queue.had_turn(workspace)
            return self._window.take(now)
        if len(self._queue) >= self._limit or expected > self._longest_wait:
            raise NotAsked(
                "Too many questions wait for the model service. Ask again in some minutes,"
                " or raise the calls a minute (MASIS_MODEL_CALLS_PER_MINUTE)."
            )
        return await self._turn(workspace, max(0.0, expected))

    async def _turn(self, workspace: str, expected: float) -> float:
        waiter: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._queue.push(workspace, waiter)
        self._serve()
        used = False
        try:
            with _waiting(expected):
                async with asyncio.timeout(self._longest_wait):
                    granted = await waiter
            used = True
        except TimeoutError:
            raise NotAsked(
                "The rate limit left no place for this question. Ask again in some minutes."
            ) from None
        finally:
            self._queue.remove(workspace, waiter)
            if not used and waiter.done() and not waiter.cancelled():
                self._window.give_back(waiter.result())
                self._serve()
        return self._window.begin(granted, asyncio.get_running_loop().time())

    def _serve(self) -> None:
        """Let in whom the window allows, and come back when it allows the next one."""
        loop = asyncio.get_running_loop()
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        while self._queue:
            now = loop.time()
            self._window.expire(now)
            if self._window.free_at() > now:
                self._alarm = loop.call_at(self._window.free_at(), self._serve)
                return
            waiter = self._queue.pop()
            if not waiter.done():
                waiter.set_result(self._window.take(now))


# --- breaker -------------------------------------------------------------------------------


@dataclass(slots=True)
class _Circuit:
    failed_at: deque[float] = field(default_factory=deque)
    open_until: float | None = None
    probing: bool = False


class Breaker:
    """A chat model that stops asking a service that keeps failing, and answers at once instead.

    Each role has its own circuit, since each may have its own service. After the pause one call
    goes through as a probe: it closes the circuit, or opens it again.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        failures: int = BREAKER_FAILURES,
        within: float = BREAKER_WINDOW,
        open_for: float = BREAKER_OPEN,
    ) -> None:
        self._chat = chat
        self._failures = failures
        self._within = within
        self._open_for = open_for
        self._circuits: dict[Role, _Circuit] = {}

    def admit(self, role: Role) -> None:
        """Say no at once while the role's circuit is open.

        Raises:
            NotAsked: it is open.
        """
        circuit = self._circuits.get(role)
        if circuit is None or circuit.open_until is None:
            return
        left = circuit.open_until - asyncio.get_running_loop().time()
        if left > 0 or circuit.probing:
            raise NotAsked(
                f"The model service for the {role} failed {self._failures} times in a row and"
                f" is left alone for now. Ask again in {max(1, round(left))} seconds."
            )

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        """Ask, unless the circuit is open.

        Raises:
            NotAsked: it is open.
        """
        self.admit(role)
        circuit = self._circuits.setdefault(role, _Circuit())
        probe = circuit.open_until is not None
        circuit.probing = circuit.probing or probe
        try:
            reply = await self._chat.complete(role, messages, schema)
        except ModelServiceBusy:
            # A service that counts our calls is alive; the rate limit deals with it.
            raise
        except ModelServiceUnavailable:
            self._record_failure(circuit)
            raise
        finally:
            if probe:
                circuit.probing = False
        circuit.failed_at.clear()
        circuit.open_until = None
        return reply

    def _record_failure(self, circuit: _Circuit) -> None:
        now = asyncio.get_running_loop().time()
        circuit.failed_at.append(now)
        while now - circuit.failed_at[0] > self._within:
            circuit.failed_at.popleft()
        if circuit.open_until is not None or len(circuit.failed_at) >= self._failures:
            circuit.open_until = now + self._open_for
            circuit.failed_at.clear()


def guarded(
    chat: ChatModel,
    *,
    per_minute: int = CALLS_PER_MINUTE,
    backoff: Backoff = DEFAULT_BACKOFF,
) -> ChatModel:
    """The whole gateway around a service: what the application hands to its agents."""
    breaker = Breaker(chat)
    return Retrying(RateLimited(breaker, per_minute=per_minute, admit=breaker.admit), backoff)
