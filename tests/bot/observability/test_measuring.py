import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from pydantic import BaseModel
from sqlalchemy import text

from bot.observability.measuring import MeasuredChat, MeasuredEngine, MeasuredGateway, page
from bot.observability.metrics import Metrics
from masis.conversation import Acceptance, ChatRun, Tenant
from masis.errors import (
    BudgetSpent,
    CallNotPermitted,
    ModelServiceBusy,
    ModelServiceError,
    ModelServiceUnavailable,
    StoreUnavailable,
)
from masis.models.gateway import Backoff, Retrying
from masis.ports import ChatReply, Message, Role
from storage.documents.repository import SqlRepository
from storage.queue.executors import Executors
from storage.sql.database import Database
from tests.storage.chat.samples import NOON, OURS, a_run, insert

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
async def test_a_call_is_counted_by_its_model_and_its_end(
    line: ChatReply | Exception, outcome: str
) -> None:
    metrics = Metrics()
    chat = MeasuredChat(Scripted(line), metrics, model_of)
    if isinstance(line, Exception):
        with pytest.raises(type(line)):
            await chat.complete("writer", [])
    else:
        assert await chat.complete("writer", []) == line
    assert calls(metrics, "small", outcome) == 1


async def test_a_call_that_its_run_gave_up_is_counted_as_such() -> None:
    metrics, never = Metrics(), Never()
    asking = asyncio.create_task(MeasuredChat(never, metrics, model_of).complete("judge", []))
    await never.asked.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert calls(metrics, "large", "cancelled") == 1


@pytest.mark.parametrize(
    ("error", "outcome"),
    [(CallNotPermitted("open"), "not_asked"), (BudgetSpent("spent"), "over_budget")],
)
async def test_what_was_not_asked_is_counted_by_who_refused(error: Exception, outcome: str) -> None:
    metrics = Metrics()
    with pytest.raises(type(error)):
        await MeasuredGateway(Scripted(error), metrics, model_of).complete("writer", [])
    assert calls(metrics, "small", outcome) == 1


async def test_every_attempt_counts_and_the_wait_is_one() -> None:
    metrics = Metrics()
    service = Scripted(ModelServiceUnavailable("down"), ChatReply(text="Yes."))
    counted = MeasuredChat(service, metrics, model_of)
    guarded = Retrying(counted, Backoff(retries=1, base=0.0))
    reply = await MeasuredGateway(guarded, metrics, model_of).complete("auditor", [])
    assert reply.text == "Yes."
    assert (calls(metrics, "large", "unavailable"), calls(metrics, "large", "ok")) == (1, 1)
    assert metrics.registry.get_sample_value("masis_llm_wait_seconds_count") == 1


async def test_what_the_gateway_answers_itself_is_no_call() -> None:
    metrics = Metrics()
    gateway = MeasuredGateway(Scripted(CallNotPermitted("full")), metrics, model_of)
    with pytest.raises(CallNotPermitted):
        await gateway.complete("writer", [])
    assert calls(metrics, "small", "not_asked") == 1


class Door:
    """An engine that accepts as it is told to; the rest of it is not used."""

    def __init__(self, accept: Callable[[], Awaitable[Acceptance]]) -> None:
        self._accept = accept
        self.cancelled: list[tuple[str, str]] = []
        self.stopped: list[float] = []

    async def accept(self, _run: ChatRun) -> Acceptance:
        return await self._accept()

    async def start(self, handler: Callable[[ChatRun], Awaitable[None]]) -> None:
        await handler(RUN)

    async def cancel(self, run_id: str, by: str) -> bool:
        self.cancelled.append((run_id, by))
        return True

    async def stop(self, grace_seconds: float = 20.0) -> None:
        self.stopped.append(grace_seconds)


async def test_acceptances_are_counted_also_those_that_could_not_be_stored() -> None:
    metrics = Metrics()

    async def full() -> Acceptance:
        return Acceptance(state="over_quota", run_id="r1", reason="Too many.", over_budget=True)

    async def away() -> Acceptance:
        raise StoreUnavailable("locked")

    async def broken() -> Acceptance:
        raise RuntimeError("a bug")

    assert (await MeasuredEngine(Door(full), metrics).accept(RUN)).reason == "Too many."
    with pytest.raises(StoreUnavailable):
        await MeasuredEngine(Door(away), metrics).accept(RUN)
    with pytest.raises(RuntimeError):
        await MeasuredEngine(Door(broken), metrics).accept(RUN)
    counted = {
        state: metrics.registry.get_sample_value("masis_accepts_total", {"state": state})
        for state in ("accepted", "over_quota", "unavailable", "failed")
    }
    assert counted == {"accepted": 0, "over_quota": 1, "unavailable": 1, "failed": 1}
    assert metrics.registry.get_sample_value("masis_budget_refusals_total", {"at": "door"}) == 1


async def test_the_engine_behind_is_reached() -> None:
    async def never() -> Acceptance:
        raise AssertionError

    door = Door(never)
    engine = MeasuredEngine(door, Metrics())
    handled: list[ChatRun] = []

    async def handler(run: ChatRun) -> None:
        handled.append(run)

    await engine.start(handler)
    assert await engine.cancel("r1", "U1")
    await engine.stop(1.5)
    assert (handled, door.cancelled, door.stopped) == ([RUN], [("r1", "U1")], [1.5])


async def test_a_scrape_reads_the_queue_and_survives_a_database_that_cannot_be_read(
    tmp_path: Path,
) -> None:
    metrics = Metrics()
    database = await Database.open(tmp_path / "masis.db")
    try:
        workspace = await SqlRepository(database).create_workspace(OURS.owner, "acme")
        await insert(
            database,
            a_run("waiting", workspace, status="waiting"),
            a_run("running", workspace, status="running"),
            a_run("ended", workspace, status="finished", finished_at=NOON),
        )
        await Executors(database).beat("one")
        body, _ = await page(metrics, database)("")
        assert b"masis_queue_depth 1.0" in body
        assert b"masis_runs_running 1.0" in body
        assert b'masis_workers{state="alive"} 1.0' in body

        async with database.write() as connection:
            await connection.execute(text("ALTER TABLE chat_runs RENAME TO elsewhere"))
        body, _ = await page(metrics, database)("")
        assert b"masis_database_up 0.0" in body
        assert b"masis_queue_depth NaN" in body
        assert b'masis_workers{state="alive"} NaN' in body
    finally:
        await database.close()
