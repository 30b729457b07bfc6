"""Guard the way from the agents to a model service: retries, rate limit, circuit breaker.

Each of `Retrying`, `RateLimited` and `Breaker` takes a ChatModel and is one; `guarded` stacks them
in the order that makes the figures exact: every attempt takes a place in the rate limit, and the
breaker sees every attempt. All times are the event loop's own, so a test may bend them.
"""

import asyncio
import math
import random
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from pydantic import BaseModel

from masis.errors import ModelServiceBusy, ModelServiceUnavailable, NotAsked
from masis.models import run_clock
from masis.models.permits import MemoryCallSlots
from masis.models.rate_limit import RateLimited
from masis.policy import (
    BREAKER_FAILURES,
    BREAKER_OPEN,
    BREAKER_WINDOW,
    CALLS_PER_MINUTE,
    MAX_RETRY_AFTER,
    MODEL_RETRIES,
)
from masis.ports import ROLES, CallSlots, ChatModel, ChatReply, Message, Role

T = TypeVar("T")


# --- retries -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Backoff:
    """Set how often a failed call is retried, and after what delay.

    It is `base`, doubled each time, jittered.

    A service that asks for more than `patience` seconds is not asked again.
    """

    retries: int = MODEL_RETRIES
    base: float = 0.5
    longest: float = 8.0
    patience: float = math.inf
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
            if wished is not None and wished > backoff.patience:
                raise
        await _pause(delay, wished)
    return await attempt()


async def _pause(delay: float, wished: float | None) -> None:
    if wished is None:
        await asyncio.sleep(delay)
        return
    wait = max(delay, min(wished, MAX_RETRY_AFTER))
    clock = run_clock.current()
    if clock is not None:
        clock.tell(wait)
    with run_clock.standing(clock):
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


# --- breaker -------------------------------------------------------------------------------


@dataclass(slots=True)
class _Circuit:
    failed_at: deque[float] = field(default_factory=deque)
    open_until: float | None = None
    probing: bool = False


class Circuits:
    """Stops calling a service that keeps failing, and answers at once instead.

    Each name has its own circuit, since each may have its own service. After the pause one call
    goes through as a probe: it closes the circuit, or opens it again. Each process has circuits of
    its own: what it cannot reach others may, and five failures more cost little.
    """

    def __init__(
        self,
        *,
        failures: int = BREAKER_FAILURES,
        within: float = BREAKER_WINDOW,
        open_for: float = BREAKER_OPEN,
    ) -> None:
        self._failures = failures
        self._within = within
        self._open_for = open_for
        self._circuits: dict[str, _Circuit] = {}

    def admit(self, name: str) -> None:
        """Say no at once while the service's circuit is open.

        Raises:
            NotAsked: it is open.
        """
        circuit = self._circuits.get(name)
        if circuit is None or circuit.open_until is None:
            return
        left = circuit.open_until - asyncio.get_running_loop().time()
        if left > 0 or circuit.probing:
            raise NotAsked(
                f"The model service for the {name} failed {self._failures} times in a row and"
                f" is left alone for now. Ask again in {max(1, round(left))} seconds."
            )

    async def call(self, name: str, send: Callable[[], Awaitable[T]]) -> T:
        """Send, unless the circuit is open.

        Raises:
            NotAsked: it is open.
        """
        self.admit(name)
        circuit = self._circuits.setdefault(name, _Circuit())
        probe = circuit.open_until is not None
        circuit.probing = circuit.probing or probe
        try:
            reply = await send()
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


class Breaker:
    """A chat model each of whose roles has a circuit."""

    def __init__(self, chat: ChatModel, circuits: Circuits | None = None) -> None:
        self._chat = chat
        self._circuits = circuits or Circuits()
        self.admit = self._circuits.admit

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        """Ask, unless the circuit is open.

        Raises:
            NotAsked: it is open.
        """
        return await self._circuits.call(role, lambda: self._chat.complete(role, messages, schema))


def guarded(
    chat: ChatModel,
    *,
    slots: Mapping[Role, CallSlots] | None = None,
    per_minute: int = CALLS_PER_MINUTE,
    backoff: Backoff = DEFAULT_BACKOFF,
) -> ChatModel:
    """The whole gateway around a service: what the application hands to its agents.

    Without `slots` all roles share `per_minute` calls of their own.
    """
    breaker = Breaker(chat)
    places = slots or dict.fromkeys(ROLES, MemoryCallSlots(per_minute))
    return Retrying(RateLimited(breaker, places, admit=breaker.admit), backoff)
