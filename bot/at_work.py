"""Put surfaces to work: one engine, one sweeper, and every run shown where it was asked."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any, TypeVar

from bot.chat.handler import Background
from bot.chat.offering import Offering
from bot.chat.surface import ServedSurface
from bot.chat.sweeper import HELD_SECONDS, Sweeper
from bot.chat.wanted_files import WantedFiles
from bot.compose import App
from bot.observability.logs import keep_texts_out
from bot.observability.run_spans import traced
from bot.roles import Role
from masis.assistant import Assistant
from masis.conversation import ChatRun
from masis.graphs.common import AnyBoundGraph, AnyGraph, Wrap
from storage.chat.admin_log import AdminLog
from storage.chat.requests import ChatRuns
from storage.checkpoints import SqlCheckpoints
from storage.durable.durable_steps import durable
from storage.privacy.retention import Keep, Retention
from storage.queue.engine import DbosEngine
from storage.queue.fleet import fleet
from storage.queue.worker import Handler

Surfaces = TypeVar("Surfaces", bound=Sequence[ServedSurface])


@asynccontextmanager
async def at_work(
    app: App,
    join: Callable[[DbosEngine], Surfaces],
    *,
    role: Role = Role.BOTH,
    hurry: asyncio.Event | None = None,
) -> AsyncIterator[Surfaces]:
    """The surfaces that `join` builds on the engine, which is at work where the role works.

    What they need to show a run is to be open already, and to stay so until the block has ended:
    runs under way get their time then. Once `hurry` is set they get none.

    Raises:
        StoreUnavailable: the database cannot be opened.
        StoreLocked: another process works on this SQLite file.
    """
    keep_texts_out()
    names: set[str] = set()
    async with AsyncExitStack() as closing:
        engine = await DbosEngine.open(
            app.database,
            migrate=role.migrates,
            concurrency=app.settings.runs_at_once,
            budget=app.settings.budget,
            takes=lambda run: run.surface in names,  # others stay for who can show them
            hurry=hurry,
            on_takeover=app.metrics.taken_over,
        )
        closing.push_async_callback(engine.stop)
        surfaces = join(engine)
        names.update(each.name for each in surfaces)
        for each in surfaces:
            closing.push_async_callback(each.drain)
        if role.works:
            await app.observed(engine).start(by_surface(_handlers(app, surfaces)))
            for name, forever in (
                ("sweeping", sweeper(app, surfaces, engine).forever()),
                ("offering questions", offering(app, engine).forever()),
            ):
                await closing.enter_async_context(_going_on(name, forever))
        for each in surfaces:
            await closing.enter_async_context(_going_on(each.name, each.forever()))
        yield surfaces


def by_surface(handlers: Mapping[str, Handler]) -> Handler:
    """Take every run to the handler of where it was asked."""

    async def handle(run: ChatRun) -> None:
        await handlers[run.surface](run)

    return handle


def _handlers(app: App, surfaces: Sequence[ServedSurface]) -> dict[str, Handler]:
    settings, runs = app.settings, ChatRuns(app.database)
    assistant = Assistant(
        repository=app.repository,
        graphs=_durable_graphs(app),
        attached=app.attached,
        run_timeout_s=settings.run_timeout,
        questions_near=app.suggestions.near,
    )
    return {
        each.name: app.observed_runs(
            Background(
                assistant=assistant,
                ingest=app.ingest,
                attaching=app.attaching,
                repository=app.repository,
                sessions=each.sessions,
                runs=runs,
                surface=each.shows,
                wanted=WantedFiles(app.repository, AdminLog(app.database)),
                clarification_hours=settings.clarification_hours,
                max_retries=settings.max_retries,
            )
        )
        for each in surfaces
    }


def _durable_graphs(app: App) -> dict[str, AnyBoundGraph]:
    """Bind the graphs as a run engine works on them: each node a step that is kept, and a span."""

    def wrap(graph: AnyGraph) -> Wrap:
        return traced(durable(graph, app.repository))

    return app.graphs(wrap, SqlCheckpoints(app.database))


def sweeper(app: App, surfaces: Sequence[ServedSurface], engine: DbosEngine) -> Sweeper:
    """Build what looks after old data, as the settings say."""
    settings = app.settings
    keep = Keep(
        claims=dt.timedelta(hours=settings.keep_claims_hours),
        sessions=dt.timedelta(days=settings.keep_runs_days),
        runs=dt.timedelta(days=settings.keep_runs_days),
        usage=dt.timedelta(days=settings.keep_usage_days),
    )
    return Sweeper(
        surfaces,
        ChatRuns(app.database),
        Retention(app.database, keep),
        engine.purge_steps,
        keep_steps=dt.timedelta(days=settings.keep_steps_days),
        has_duty=lambda name: engine.has_duty(name, HELD_SECONDS),
        processes=partial(_processes, app),
    )


async def _processes(app: App) -> int:
    """Count the processes that work on this database; on SQLite it is this one."""
    return (await fleet(app.database)).alive


def offering(app: App, engine: DbosEngine) -> Offering:
    """Build what makes questions where documents have changed."""
    return Offering(
        app.suggestions,
        app.repository,
        app.kept_suggestions,
        has_duty=lambda name: engine.has_duty(name, HELD_SECONDS),
    )


@asynccontextmanager
async def _going_on(name: str, forever: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Let it go on as long as the block does."""
    task = asyncio.create_task(forever, name=name)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
