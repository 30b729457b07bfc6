import asyncio
from collections.abc import Awaitable, Callable, Sequence

import numpy as np
import pytest
from pydantic import BaseModel

from bot.observability.metrics import Metrics
from bot.observability.observed_ports import (
    observed_chat,
    observed_embedding,
    observed_engine,
    observed_waits,
)
from masis.conversation import Acceptance, ChatRun, Tenant
from masis.domain import EmbeddingProfile, Usage
from masis.errors import (
    BudgetSpent,
    CallNotPermitted,
    ModelServiceBusy,
    ModelServiceError,
    ModelServiceUnavailable,
    StoreUnavailable,
    TooBusy,
)
from masis.models.gateway import Backoff
from masis.models.pipeline import guarded
from masis.ports import ChatReply, EmbeddingReply, Message, Role
from tests.fakes import PROFILE
from tests.spans import recorded

RUN = ChatRun(
    id="r1",
    tenant=Tenant(team="T1"),
    channel="C1",
    asker="U1",
    question="What?",
    query="What?",
    workspace_id="w_1",
)


class Scripted:
    """A model service that says its lines one after another."""

    def __init__(self, *lines: ChatReply | Exception) -> None:
        self._lines = list(lines)

    async def complete(
        self,
        role: Role,  # noqa: ARG002 - the port's
        messages: Sequence[Message],  # noqa: ARG002 - the port's
        schema: type[BaseModel] | None = None,  # noqa: ARG002 - the port's
    ) -> ChatReply:
        line = self._lines.pop(0)
        if isinstance(line, Exception):
            raise line
        return line


class Never:
    """A service that never answers."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def complete(
        self,
        role: Role,  # noqa: ARG002 - the port's
        messages: Sequence[Message],  # noqa: ARG002 - the port's
        schema: type[BaseModel] | None = None,  # noqa: ARG002 - the port's
    ) -> ChatReply:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError


def model_of(role: Role) -> str:
    return {"writer": "small"}.get(role, "large")


def calls(metrics: Metrics, model: str, outcome: str) -> float:
    labels = {"model": model, "outcome": outcome}
    return metrics.registry.get_sample_value("masis_llm_calls_total", labels) or 0


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        (ChatReply(text="Yes."), "ok"),
        (ChatReply(refusal="No."), "refused"),
        (ModelServiceBusy("429"), "busy"),
        (ModelServiceUnavailable("down"), "unavailable"),
        (ModelServiceError("no key"), "failed"),
        (RuntimeError("a bug"), "failed"),
    ],
)
async def test_a_call_counts_by_model_and_end(line: ChatReply | Exception, outcome: str) -> None:
    metrics = Metrics()
    chat = observed_chat(Scripted(line), metrics, model_of)
    if isinstance(line, Exception):
        with pytest.raises(type(line)):
            await chat.complete("writer", [])
    else:
        assert await chat.complete("writer", []) == line
    assert calls(metrics, "small", outcome) == 1


async def test_a_call_given_up_counts_as_cancelled() -> None:
    metrics, never = Metrics(), Never()
    asking = asyncio.create_task(observed_chat(never, metrics, model_of).complete("judge", []))
    await never.asked.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert calls(metrics, "large", "cancelled") == 1


@pytest.mark.parametrize(
    ("error", "outcome"),
    [(CallNotPermitted("open"), "not_asked"), (BudgetSpent("spent"), "over_budget")],
)
async def test_what_was_not_asked_counts(error: Exception, outcome: str) -> None:
    """By who refused: the gateway, or the budget."""
    metrics = Metrics()
    with pytest.raises(type(error)):
        await observed_waits(Scripted(error), metrics, model_of).complete("writer", [])
    assert calls(metrics, "small", outcome) == 1


async def test_every_attempt_counts_and_one_wait() -> None:
    metrics = Metrics()
    service = Scripted(ModelServiceUnavailable("down"), ChatReply(text="Yes."))
    counted = observed_chat(service, metrics, model_of)
    patient = guarded(counted, backoff=Backoff(retries=1, base=0.0))
    reply = await observed_waits(patient, metrics, model_of).complete("auditor", [])
    assert reply.text == "Yes."
    assert (calls(metrics, "large", "unavailable"), calls(metrics, "large", "ok")) == (1, 1)
    assert metrics.registry.get_sample_value("masis_llm_wait_seconds_count") == 1


async def test_the_gateways_own_answer_is_no_call() -> None:
    metrics = Metrics()
    gateway = observed_waits(Scripted(CallNotPermitted("full")), metrics, model_of)
    with pytest.raises(CallNotPermitted):
        await gateway.complete("writer", [])
    assert calls(metrics, "small", "not_asked") == 1


class Door:
    """An engine that accepts as it is told to; the rest of it is not used."""

    def __init__(self, accept: Callable[[], Awaitable[Acceptance]]) -> None:
        self._accept = accept
        self.cancelled: list[tuple[str, str]] = []
        self.stopped: list[float] = []

    async def accept(self, _run: ChatRun, *, seconds: float | None = None) -> Acceptance:
        del seconds
        return await self._accept()

    async def start(self, handler: Callable[[ChatRun], Awaitable[None]]) -> None:
        await handler(RUN)

    async def cancel(self, run_id: str, by: str) -> bool:
        self.cancelled.append((run_id, by))
        return True

    async def stop(self, grace_seconds: float = 20.0) -> None:
        self.stopped.append(grace_seconds)


async def test_acceptances_are_counted_by_their_end() -> None:
    """Those that could not be stored count too."""
    metrics = Metrics()

    async def full() -> Acceptance:
        return Acceptance(state="over_quota", run_id="r1", reason="Too many.", over_budget=True)

    async def away() -> Acceptance:
        raise StoreUnavailable("locked")

    async def crowded() -> Acceptance:
        raise TooBusy("later")

    async def broken() -> Acceptance:
        raise RuntimeError("a bug")

    with pytest.raises(TooBusy):
        await observed_engine(Door(crowded), metrics).accept(RUN, seconds=0.5)
    assert (await observed_engine(Door(full), metrics).accept(RUN)).reason == "Too many."
    with pytest.raises(StoreUnavailable):
        await observed_engine(Door(away), metrics).accept(RUN)
    with pytest.raises(RuntimeError):
        await observed_engine(Door(broken), metrics).accept(RUN)
    counted = {
        state: metrics.registry.get_sample_value("masis_accepts_total", {"state": state})
        for state in ("accepted", "over_quota", "busy", "unavailable", "failed")
    }
    assert counted == {
        "accepted": 0,
        "over_quota": 1,
        "busy": 1,
        "unavailable": 1,
        "failed": 1,
    }
    assert metrics.registry.get_sample_value("masis_budget_refusals_total", {"at": "door"}) == 1


# --- embeddings ----------------------------------------------------------------------------


class Embedding:
    profile: EmbeddingProfile = PROFILE
    error: Exception | None = None

    async def request(self, texts: Sequence[str]) -> EmbeddingReply:
        if self.error is not None:
            raise self.error
        vectors = np.ones((len(texts), PROFILE.dimension), dtype=np.float32)
        return EmbeddingReply(vectors, Usage(calls=1, prompt_tokens=7))


async def test_an_embedding_request_is_a_span() -> None:
    """It holds counts, and none of the texts."""
    with recorded() as spans:
        await observed_embedding(Embedding()).request(["a salary", "another"])
    [found] = spans.named("embeddings")
    assert found.attributes is not None
    assert found.attributes["gen_ai.operation.name"] == "embeddings"
    assert found.attributes["gen_ai.request.model"] == PROFILE.model
    assert found.attributes["gen_ai.usage.input_tokens"] == 7
    assert found.attributes["masis.texts"] == 2
    assert "salary" not in spans.text()


async def test_a_failed_request_names_its_error() -> None:
    """Of what the error says nothing is kept."""
    service = Embedding()
    service.error = ModelServiceUnavailable("at 10.0.0.7")
    with recorded() as spans, pytest.raises(ModelServiceUnavailable):
        await observed_embedding(service).request(["a"])
    [found] = spans.named("embeddings")
    assert found.attributes is not None
    assert found.attributes["error.type"] == "ModelServiceUnavailable"
    assert "10.0.0.7" not in spans.text()
