"""Ports that count what passes through them. Each takes a port and is one."""

import asyncio
import contextlib
import datetime as dt
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar
from typing import Final

from pydantic import BaseModel

from bot.chat.surface import Denial, Ending, Files, Surface
from bot.observability import spans
from bot.observability.metrics import Accepted, CallOutcome, Metrics
from masis.assistant import Finished
from masis.conversation import Acceptance, ChatRun, Session
from masis.documents.ingestion import IngestResult
from masis.domain import Workspace
from masis.errors import (
    BudgetSpent,
    ModelServiceBusy,
    ModelServiceUnavailable,
    NotAsked,
    StoreUnavailable,
)
from masis.ports import ChatModel, ChatReply, Message, Role, RunEngine
from masis.runs import OnStep
from storage.chat.backlog import Backlog, backlog
from storage.queue.fleet import Fleet, fleet
from storage.sql.database import Database

SCRAPE_SECONDS: Final = 2.0
"""How long a scrape waits for the database; the figures of the process come all the same."""

Page = Callable[[str], Awaitable[tuple[bytes, str]]]
"""Takes an `Accept` header; gives the figures and what form they have."""


def page(metrics: Metrics, database: Database) -> Page:
    """Build the function that answers a scrape.

    It gives the counted figures, and those read from the database.
    """

    async def scraped(accept: str) -> tuple[bytes, str]:
        found: tuple[Backlog, Fleet] | tuple[None, None] = (None, None)
        with contextlib.suppress(StoreUnavailable, TimeoutError):
            async with asyncio.timeout(SCRAPE_SECONDS):
                found = await backlog(database), await fleet(database)
        metrics.backlog(found[0], dt.datetime.now(dt.UTC))
        metrics.fleet(found[1])
        return metrics.page(accept)

    return scraped


# --- requests ------------------------------------------------------------------------------


class MeasuredEngine:
    """A run engine whose acceptances are counted."""

    def __init__(self, engine: RunEngine, metrics: Metrics) -> None:
        self._engine = engine
        self._metrics = metrics

    async def accept(self, run: ChatRun) -> Acceptance:
        """Accept, and count what became of it; also when nobody waits for it any more."""
        state: Accepted = "failed"
        try:
            acceptance = await self._engine.accept(run)
            state = acceptance.state
            if acceptance.over_budget:
                self._metrics.over_budget("door")
        except (StoreUnavailable, asyncio.CancelledError):
            state = "unavailable"
            raise
        finally:
            self._metrics.accepted(state)
        return acceptance

    async def start(self, handler: Callable[[ChatRun], Awaitable[None]]) -> None:
        """Begin to work."""
        await self._engine.start(handler)

    async def cancel(self, run_id: str, by: str) -> bool:
        """Ask an open run to end."""
        return await self._engine.cancel(run_id, by)

    async def stop(self, grace_seconds: float = 20.0) -> None:
        """Take no more."""
        await self._engine.stop(grace_seconds)


class MeasuredSurface:
    """A surface whose outcomes are counted once they are shown."""

    def __init__(self, surface: Surface, metrics: Metrics) -> None:
        self._surface = surface
        self._metrics = metrics

    async def ending(self, run: ChatRun) -> Ending | None:
        """Every handing over of a run begins with this."""
        self._metrics.begun(run)
        return await self._surface.ending(run)

    async def show(self, run: ChatRun, finished: Finished, session: Session | None) -> None:
        """Show what the research came to."""
        await self._surface.show(run, finished, session)
        self._metrics.researched(finished)
        status = {"success": "answer", "needs_clarification": "clarification"}
        self._ended(run, status.get(finished.status, "failed"))

    async def ingested(
        self, run: ChatRun, workspace: Workspace, results: list[IngestResult]
    ) -> None:
        """Show what became of files."""
        await self._surface.ingested(run, workspace, results)
        self._ended(run, "report")

    async def refuse(self, run: ChatRun, denial: Denial) -> None:
        """Say why not."""
        await self._surface.refuse(run, denial)
        self._ended(run, "refused")

    async def stopped(self, run: ChatRun) -> None:
        """Say who stopped it."""
        await self._surface.stopped(run)
        self._ended(run, "stopped")

    async def fail(self, run: ChatRun, error: str) -> None:
        """Apologise."""
        await self._surface.fail(run, error)
        self._ended(run, "failed")

    async def expired(self, run: ChatRun, session: Session) -> None:
        """Say that a question takes no reply any more: no outcome of a run."""
        await self._surface.expired(run, session)

    def _ended(self, run: ChatRun, status: str) -> None:
        self._metrics.ended(run, status)
        spans.ended(status)

    # --- passed on as it is ----------------------------------------------------------------

    async def admit(self, run: ChatRun) -> Denial | None:
        """Check whether the asker may have an answer."""
        return await self._surface.admit(run)

    async def open(self, run: ChatRun) -> ChatRun | Denial:
        """Post what the thread hangs from."""
        return await self._surface.open(run)

    def progress(self, run: ChatRun) -> AbstractAsyncContextManager[OnStep]:
        """Show the steps."""
        return self._surface.progress(run)

    def suggestions(self, finished: Finished) -> list[str]:
        """Replies to choose from."""
        return self._surface.suggestions(finished)

    async def files(self, run: ChatRun) -> Files:
        """The files of an upload."""
        return await self._surface.files(run)

    async def uploading(
        self, run: ChatRun, workspace: Workspace, names: list[str], results: list[IngestResult]
    ) -> None:
        """Show how far an upload is."""
        await self._surface.uploading(run, workspace, names, results)


# --- model calls ---------------------------------------------------------------------------


class _Spent:
    """The seconds of one question to a model in which the service itself was asked."""

    def __init__(self) -> None:
        self.seconds = 0.0


_asked: ContextVar[_Spent | None] = ContextVar("masis_asked", default=None)


class MeasuredChat:
    """A model service whose every call is counted; it stands inside of the gateway."""

    def __init__(self, chat: ChatModel, metrics: Metrics, models: Callable[[Role], str]) -> None:
        self._chat = chat
        self._metrics = metrics
        self._models = models

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        """Ask, and count how it ended."""
        outcome: CallOutcome = "failed"
        began, reply = time.monotonic(), None
        try:
            reply = await self._chat.complete(role, messages, schema)
            outcome = "refused" if reply.refusal else "ok"
        except asyncio.CancelledError:
            outcome = "cancelled"
            raise
        except ModelServiceBusy:
            outcome = "busy"
            raise
        except ModelServiceUnavailable:
            outcome = "unavailable"
            raise
        finally:
            self._note(role, outcome, reply, time.monotonic() - began)
        return reply

    def _note(
        self, role: Role, outcome: CallOutcome, reply: ChatReply | None, seconds: float
    ) -> None:
        self._metrics.called(self._models(role), outcome, reply.usage if reply else None)
        if (spent := _asked.get()) is not None:
            spent.seconds += seconds


class MeasuredGateway:
    """A guarded chat model whose waits are counted: all of its time but that of the service."""

    def __init__(self, chat: ChatModel, metrics: Metrics, models: Callable[[Role], str]) -> None:
        self._chat = chat
        self._metrics = metrics
        self._models = models

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        """Ask when it is this question's turn."""
        began, spent = time.monotonic(), _Spent()
        token = _asked.set(spent)
        try:
            reply = await self._chat.complete(role, messages, schema)
        except NotAsked:
            self._metrics.called(self._models(role), "not_asked")
            raise
        except BudgetSpent:
            self._metrics.called(self._models(role), "over_budget")
            self._metrics.over_budget("call")
            raise
        finally:
            _asked.reset(token)
            self._metrics.waited(time.monotonic() - began - spent.seconds)
        self._metrics.paid(self._models(role), reply.usage.cost_usd)
        return reply
