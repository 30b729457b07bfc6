"""The gateway on an event loop whose time jumps ahead instead of passing."""

import asyncio
import selectors
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeVar

import pytest
from pydantic import BaseModel

from masis.errors import (
    CallNotPermitted,
    ModelServiceBusy,
    ModelServiceError,
    ModelServiceUnavailable,
)
from masis.models.gateway import Backoff, Circuits, retried
from masis.models.pipeline import GuardedChat, guarded
from masis.models.run_clock import run_clock
from masis.ports import ChatModel, ChatReply, Message, Role

T = TypeVar("T")
ASK = [Message(role="user", content="?")]
STEADY = Backoff(jitter=lambda: 0.5)


class JumpingSelector(selectors.DefaultSelector):
    """Never sleeps: tells how long it would have."""

    def __init__(self, skip: Callable[[float], None]) -> None:
        super().__init__()
        self.skip = skip

    def select(self, timeout: float | None = None) -> Any:
        events = super().select(0 if timeout else timeout)
        if timeout and not events:
            self.skip(timeout)
        return events


class JumpingLoop(asyncio.SelectorEventLoop):
    """Time stands still while there is something to do, and jumps to the next timer otherwise."""

    def __init__(self) -> None:
        self.now = 1000.0
        super().__init__(JumpingSelector(self.skip))

    def skip(self, seconds: float) -> None:
        self.now += seconds

    def time(self) -> float:
        return self.now


def play(scene: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(scene)


def now() -> float:
    return asyncio.get_running_loop().time() - 1000.0


@dataclass
class Service:
    """A chat model that notes when it was asked, and fails as the script says."""

    script: list[Exception | None] = field(default_factory=list)
    takes: float = 0.0
    asked: list[float] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        del role, schema
        self.asked.append(now())
        self.questions.append(messages[0].content)
        outcome = self.script.pop(0) if self.script else None
        await asyncio.sleep(self.takes)
        if outcome is not None:
            raise outcome
        return ChatReply(text="yes")


async def ask(chat: ChatModel, text: str = "?", seconds: float = 1e6) -> str:
    async with run_clock(seconds=seconds):
        return (await chat.complete("writer", [Message(role="user", content=text)])).text


# --- retries -------------------------------------------------------------------------------


def retrying(service: ChatModel, backoff: Backoff = STEADY) -> GuardedChat:
    """A chat model that is asked again, and nothing else."""

    async def repeat(_: Role, send: Callable[[], Awaitable[ChatReply]]) -> ChatReply:
        return await retried(send, backoff)

    return GuardedChat(service, [repeat])


def test_unavailable_service_is_retried_with_backoff() -> None:
    """What was unavailable is asked twice more with growing pauses."""
    service = Service([ModelServiceUnavailable("gone")] * 3)

    async def scene() -> None:
        with pytest.raises(ModelServiceUnavailable):
            await ask(retrying(service))

    play(scene())
    assert service.asked == [0.0, 0.5, 1.5]


def test_a_second_try_may_succeed() -> None:
    service = Service([ModelServiceUnavailable("gone"), None])
    assert play(ask(retrying(service))) == "yes"


@pytest.mark.parametrize(
    "refusal",
    [ModelServiceError("the key was refused"), CallNotPermitted("open"), ValueError("a bug")],
)
def test_permanent_failure_is_not_retried(refusal: Exception) -> None:
    """What cannot get better is not asked again."""
    service = Service([refusal])

    async def scene() -> None:
        with pytest.raises(type(refusal)):
            await ask(retrying(service))

    play(scene())
    assert service.asked == [0.0]


@pytest.mark.parametrize(
    ("wished", "pause"), [(3.0, 3.0), (0.0, 0.5), (3600.0, 60.0), (60.0, 60.0)]
)
def test_retry_after_is_always_respected(wished: float, pause: float) -> None:
    """The service is never asked sooner than it wished."""
    service = Service([ModelServiceBusy("busy", wished)])
    play(ask(retrying(service)))
    assert service.asked == [0.0, pause]


def test_requested_pause_spares_the_run_time() -> None:
    """A pause that the service wished for does not use up the run."""
    service = Service([ModelServiceBusy("busy", 30.0)] * 2)
    assert play(ask(retrying(service), seconds=5)) == "yes"
    assert service.asked == [0.0, 30.0, 60.0]


def test_jitter_surrounds_the_exponential_step() -> None:
    """Jitter spreads the pauses around the exponential step."""
    assert Backoff(retries=3, jitter=lambda: 0.0).delays() == [0.25, 0.5, 1.0]
    assert Backoff(retries=7, jitter=lambda: 1.0).delays()[-1] == 12.0
    assert all(0.25 <= Backoff().delays()[0] <= 0.75 for _ in range(50))


def test_without_retries_there_is_one_attempt() -> None:
    service = Service([ModelServiceUnavailable("gone")])

    async def scene() -> None:
        with pytest.raises(ModelServiceUnavailable):
            await retried(lambda: service.complete("writer", ASK), Backoff(retries=0))

    play(scene())


# --- breaker -------------------------------------------------------------------------------


async def knock(chat: ChatModel, role: Role = "writer") -> str:
    try:
        return (await chat.complete(role, ASK)).text
    except CallNotPermitted:
        return "not asked"
    except ModelServiceError as error:
        return str(error)


GONE = ModelServiceUnavailable("gone")


def test_breaker_opens_after_five_failures() -> None:
    """After five failures the breaker answers at once for thirty seconds."""
    service = Service([GONE] * 5)

    async def scene() -> list[str]:
        chat = GuardedChat(service, [Circuits().call])
        said = [await knock(chat) for _ in range(6)]
        await asyncio.sleep(29.9)
        said.append(await knock(chat))
        await asyncio.sleep(0.2)
        return [*said, await knock(chat), await knock(chat)]

    assert play(scene()) == ["gone"] * 5 + ["not asked"] * 2 + ["yes"] * 2


def test_failed_probe_reopens_the_breaker() -> None:
    """A probe that fails opens the breaker again."""
    service = Service([GONE] * 6)

    async def scene() -> list[str]:
        chat = GuardedChat(service, [Circuits().call])
        for _ in range(5):
            await knock(chat)
        await asyncio.sleep(30)
        return [await knock(chat), await knock(chat)]

    assert play(scene()) == ["gone", "not asked"]


def test_only_one_probe_runs_at_once() -> None:
    """Only one probe goes through at a time."""
    service = Service([GONE] * 5)

    async def scene() -> list[str]:
        chat = GuardedChat(service, [Circuits().call])
        for _ in range(5):
            await knock(chat)
        await asyncio.sleep(30)
        service.takes = 1.0
        return list(await asyncio.gather(knock(chat), knock(chat)))

    assert play(scene()) == ["yes", "not asked"]


def test_cancelled_probe_allows_another() -> None:
    """A probe that is cancelled leaves room for another."""
    service = Service([GONE] * 5)

    async def scene() -> str:
        chat = GuardedChat(service, [Circuits().call])
        for _ in range(5):
            await knock(chat)
        await asyncio.sleep(30)
        service.takes = 5.0
        probe = asyncio.create_task(knock(chat))
        await asyncio.sleep(1)
        probe.cancel()
        await asyncio.wait([probe])
        return await knock(chat)

    assert play(scene()) == "yes"


def test_sparse_failures_do_not_open_breaker() -> None:
    """Failures far apart or between successes do not count."""
    service = Service([GONE, None, GONE, GONE, GONE, GONE, None])

    async def scene() -> list[str]:
        chat = GuardedChat(service, [Circuits().call])
        said = [await knock(chat) for _ in range(6)]
        await asyncio.sleep(31)
        service.script[:] = [GONE, None]
        return [*said, await knock(chat), await knock(chat)]

    assert play(scene())[-1] == "yes"


@pytest.mark.parametrize(
    "alive", [ModelServiceBusy("busy", 1.0), ModelServiceError("the key was refused")]
)
def test_a_service_that_refuses_is_alive(alive: Exception) -> None:
    service = Service([alive] * 9)

    async def scene() -> list[str]:
        chat = GuardedChat(service, [Circuits().call])
        return [await knock(chat) for _ in range(10)]

    assert play(scene())[-1] == "yes"


def test_each_role_has_its_own_circuit() -> None:
    service = Service([GONE] * 5)

    async def scene() -> list[str]:
        chat = GuardedChat(service, [Circuits().call])
        for _ in range(5):
            await knock(chat, "auditor")
        return [await knock(chat, "auditor"), await knock(chat, "writer")]

    assert play(scene()) == ["not asked", "yes"]


# --- all together --------------------------------------------------------------------------


def test_every_attempt_uses_rate_limit_slot() -> None:
    """Every attempt takes a place in the rate limit."""
    service = Service([GONE, None, None])

    async def scene() -> None:
        chat = guarded(service, per_minute=2, backoff=STEADY)
        await ask(chat)
        await ask(chat)

    play(scene())
    assert service.asked == [0.0, 0.5, 60.0]


def test_open_breaker_bypasses_queue() -> None:
    """An open breaker answers before anybody queues and empties the queue."""
    service = Service([GONE] * 5)

    async def scene() -> list[float]:
        chat = guarded(service, per_minute=5, backoff=Backoff(retries=0))
        for _ in range(4):
            await knock(chat)

        async def late() -> float:
            assert await knock(chat) == "not asked"
            return now()

        queued = [asyncio.create_task(knock(chat))]
        queued += [asyncio.create_task(knock(chat)) for _ in range(3)]
        await asyncio.sleep(40)
        service.script[:] = [GONE] * 9
        await asyncio.sleep(25)
        at_once = await late()
        await asyncio.gather(*queued)
        return [at_once, now()]

    at_once, emptied = play(scene())
    assert at_once == emptied == 65.0
    assert all(a <= b for a, b in pairwise(service.asked))
