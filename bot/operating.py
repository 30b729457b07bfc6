"""Cancel and retry requests for an operator.

This runs in a process of its own, beside the bot or without it.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.compose import App
from bot.roles import on_sqlite
from masis.conversation import BY_OPERATOR, Acceptance, ChatRun, run_id
from storage.queue.engine import DbosEngine


async def cancelled(app: App, run: ChatRun) -> bool:
    """Have an open run stopped by the bot; False when it has ended already."""
    async with _engine(app) as engine:
        return await engine.cancel(run.id, BY_OPERATOR)


async def retried(app: App, run: ChatRun) -> Acceptance:
    """Queue what a run asked for once more, as a run of its own in the same thread.

    The old one keeps its id, its outcome and its trail; the new one names it as its parent.
    """
    async with _engine(app) as engine:
        return await engine.accept(anew(run))


def anew(run: ChatRun) -> ChatRun:
    """The run that a retry asks for: the same for the same run, so that it is retried once.

    What a reply closed stays closed: the retry has its words, and answers no session.
    """
    fresh = {
        "id": run_id(run.tenant, "retry", run.id),
        "parent_run_id": run.id,
        "session_id": None,
        "status": "queued",
        "attempt": 0,
        "steps": 0,
        "cancelled_by": "",
        "accepted_at": None,
        "finished_at": None,
    }
    return run.model_copy(update=fresh)


@asynccontextmanager
async def _engine(app: App) -> AsyncIterator[DbosEngine]:
    """An engine that accepts and does not work; the bot's own takes up what it queues."""
    engine = await DbosEngine.open(
        app.database,
        migrate=on_sqlite(app.settings),
        concurrency=app.settings.runs_at_once,
        budget=app.settings.budget,
    )
    try:
        yield engine
    finally:
        await engine.stop()
