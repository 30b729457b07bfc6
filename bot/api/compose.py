"""Puts the HTTP API together: beside a chat on the chat's engine, or alone on one of its own."""

import asyncio
import datetime as dt
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from aiohttp import web

from bot.api.authentication import Door
from bot.api.routes import Api
from bot.api.surface import ApiSurface, Handler, is_api
from bot.chat.handler import Background
from bot.compose import App
from bot.observability.logs import keep_texts_out
from bot.roles import Role
from masis.assistant import Assistant
from masis.errors import InvalidSettings, MasisError
from masis.ports import RunEngine
from storage.accounts.api_tokens import ApiTokens
from storage.chat.requests import ChatRuns
from storage.privacy.retention import Keep, Retention
from storage.queue.engine import DbosEngine

log = logging.getLogger(__name__)

RETAIN_SECONDS: Final = 3600.0
DUTY: Final = "retaining"


def api_handler(app: App) -> Handler:
    """Build the handler that takes a run asked over HTTP to its end."""
    settings = app.settings
    assistant = Assistant(
        repository=app.repository,
        graphs=app.durable_graphs(),
        run_timeout_s=settings.run_timeout,
        questions_near=app.suggestions.near,
    )
    surface = ApiSurface(tokens=ApiTokens(app.database), repository=app.repository)
    handler = Background(
        assistant=assistant,
        ingest=app.ingest,
        repository=app.repository,
        sessions=None,
        runs=ChatRuns(app.database),
        surface=surface,
        max_retries=settings.max_retries,
    )
    return app.observed_runs(handler)


def api_routes(app: App, engine: RunEngine) -> Sequence[web.RouteDef]:
    """List the routes served below `/masis`. Nobody is let in while there are no tokens."""
    api = Api(
        door=Door(ApiTokens(app.database)),
        engine=app.observed(engine),
        runs=ChatRuns(app.database),
        repository=app.repository,
    )
    return api.routes()


async def has_tokens(app: App) -> bool:
    """Say whether anybody could ask over HTTP."""
    return await ApiTokens(app.database).any_works()


@asynccontextmanager
async def api_alone(
    app: App, *, role: Role = Role.BOTH, hurry: asyncio.Event | None = None
) -> AsyncIterator[Sequence[web.RouteDef]]:
    """The API's routes without a chat, with an engine at work where the role works.

    Raises:
        InvalidSettings: requests of a chat are open, which nobody could answer from here.
        StoreUnavailable: the database cannot be opened.
        StoreLocked: another process works on this SQLite file.
    """
    keep_texts_out()
    if role.works:
        await _check_alone(app)
    async with AsyncExitStack() as closing:
        engine = await DbosEngine.open(
            app.database,
            migrate=role.migrates,
            concurrency=app.settings.runs_at_once,
            budget=app.settings.budget,
            takes=is_api,  # a chat's run stays for a process that can show it
            hurry=hurry,
            on_takeover=app.metrics.taken_over,
        )
        closing.push_async_callback(engine.stop)
        if role.works:
            await app.observed(engine).start(api_handler(app))
            await closing.enter_async_context(_retaining(app, engine))
        yield api_routes(app, engine)


async def _check_alone(app: App) -> None:
    opened = await ChatRuns(app.database).open_runs(None)
    waiting = sum(not is_api(run) for run in opened)
    if waiting:
        raise InvalidSettings(
            f"MASIS_SLACK_BOT_TOKEN: questions from Slack are still open ({waiting}). Serve with"
            " Slack's settings until they are answered."
        )


@asynccontextmanager
async def _retaining(app: App, engine: DbosEngine) -> AsyncIterator[None]:
    """Forgets once an hour what is old, as long as the block goes on."""
    task = asyncio.create_task(_retain(app, engine), name="retaining")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _retain(app: App, engine: DbosEngine) -> None:
    settings = app.settings
    keep = Keep(
        claims=dt.timedelta(hours=settings.keep_claims_hours),
        sessions=dt.timedelta(days=settings.keep_runs_days),
        runs=dt.timedelta(days=settings.keep_runs_days),
        usage=dt.timedelta(days=settings.keep_usage_days),
    )
    retention = Retention(app.database, keep)
    while True:
        moment = dt.datetime.now(dt.UTC)
        try:
            if await engine.has_duty(DUTY, RETAIN_SECONDS / 2):
                await retention.sweep(moment)
                await engine.purge_steps(moment - dt.timedelta(days=settings.keep_steps_days))
        except MasisError as error:
            log.warning("what is old is forgotten later: %s", type(error).__name__)
        await asyncio.sleep(RETAIN_SECONDS)
