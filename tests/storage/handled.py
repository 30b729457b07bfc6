"""Engines of a test, what they hand runs to, and how a test waits for what becomes of them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from masis.conversation import ChatRun, Tenant
from masis.domain import Workspace
from masis.errors import RunCancelled
from storage.chat.requests import ChatRuns
from storage.durable.execution import current
from storage.queue.engine import DbosEngine
from storage.sql.database import Database

TENANT = Tenant(enterprise="E1", team="T1")
Ask = Callable[..., ChatRun]


def asked(workspace: Workspace, number: int = 0, **more: object) -> ChatRun:
    """A request to the workspace, of that number."""
    values: dict[str, object] = {
        "id": f"run-{number}",
        "tenant": TENANT,
        "channel": "C1",
        "asker": f"U{number}",
        "question": "When does the office open?",
        "query": "When does the office open?",
        "workspace_id": workspace.id,
    }
    return ChatRun.model_validate(values | more)


@dataclass
class Engines:
    """Opens engines on one database, and stops them."""

    database: Database
    opened: list[DbosEngine] = field(default_factory=list)

    async def open(self, **more: float) -> DbosEngine:
        """One more, which looks for work often."""
        engine = await DbosEngine.open(self.database, poll_seconds=0.02, **more)  # type: ignore[arg-type] # counts are whole
        self.opened.append(engine)
        return engine


@dataclass
class Handler:
    """Remembers the runs that it was handed; `gates` hold it in a step of that run."""

    got: list[ChatRun] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    gates: dict[str, asyncio.Event] = field(default_factory=dict)
    errors: list[Exception] = field(default_factory=list)
    in_step: bool = True

    async def __call__(self, run: ChatRun) -> None:
        self.got.append(run)
        if self.errors:
            raise self.errors.pop(0)
        execution, gate = current(), self.gates.get(run.id)
        assert execution is not None
        if gate is not None and not run.cancelled_by:
            try:
                await (execution.step(gate.wait) if self.in_step else gate.wait())
            except RunCancelled:
                self.told.append(run.id)
                return
        self.ended.append(run.id)


async def until(happened: Callable[[], bool]) -> None:
    """Wait for it."""
    async with asyncio.timeout(10):
        while not happened():  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)


async def status(runs: ChatRuns, run_id: str) -> str:
    """What its row says."""
    found = await runs.get(None, run_id)
    return "gone" if found is None else found.status


async def ended(runs: ChatRuns, run_id: str, how: str = "finished") -> None:
    """Wait for its end."""
    async with asyncio.timeout(10):
        while await status(runs, run_id) != how:  # noqa: ASYNC110 - a row tells nobody
            await asyncio.sleep(0.01)
