"""The bot at work: composed, connected by one of two transports, until somebody ends it."""

import asyncio
import logging
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from typing import Final

from aiohttp import web

from bot import http
from bot.api.compose import check_alone, has_tokens, http_api
from bot.at_work import at_work
from bot.chat.surface import ServedSurface
from bot.compose import App, compose
from bot.connections import Bounds, bounded
from bot.observability import scrape
from bot.recovery import recover_all
from bot.roles import Role, check_role
from bot.settings import Settings
from bot.slack import clocks
from bot.slack.client.coalescing import EVERY_SECONDS
from bot.slack.client.socket import connected
from bot.slack.compose import SlackBot, check_slack, slack_connections
from bot.teams.compose import TeamsConnections, names_teams, teams_connections
from bot.teams.inbound.messages_route import MESSAGES_PATH
from masis.conversation import TEAMS
from masis.errors import StoreUnavailable
from storage.queue.engine import DbosEngine
from storage.queue.fleet import clock

log = logging.getLogger(__name__)

Announce = Callable[[str], None]

_STOPPING: Final = {
    Role.BOTH: "Stopping: questions under way get 20 seconds, the rest go on at the next start or in"
    " other processes.",
    Role.WORKER: "Stopping: questions under way get 20 seconds, the rest go on in other processes.",
    Role.INGRESS: "Stopping: what was taken in goes on in the workers.",
}


async def serve(
    settings: Settings,
    announce: Announce,
    stop: asyncio.Event | None = None,
    *,
    role: Role = Role.BOTH,
    on_stop: Callable[[], None] | None = None,
) -> None:
    """Serve until `stop` is set, or the process is told to end by SIGTERM or SIGINT.

    Told so twice it waits for no question any more. `on_stop` is called when the end begins.

    Raises:
        InvalidSettings: what Slack or the role needs is not set, or not accepted.
        SlackError: Slack cannot be reached at the start.
        StoreUnavailable: the database or the port cannot be opened.
        StoreLocked: another process works on this SQLite file.
    """
    check_role(settings, role)
    if _names_slack(settings):
        check_slack(settings, role)
    stop, hurry = stop or asyncio.Event(), asyncio.Event()
    began = time.monotonic()
    with told_by_signals(stop, hurry):
        async with (
            compose(settings, migrate=role.migrates) as app,
            _serving(app, role, hurry) as lines,
        ):
            if role.works:
                await recover_all(app, at_work=time.monotonic() - began)
            for line in (*lines, *await _clocks(app)):
                announce(line)
            await stop.wait()
            app.readiness.drain()
            if on_stop is not None:
                on_stop()
            announce(_STOPPING[role])


def _names_slack(settings: Settings) -> bool:
    """Say whether Slack is to be served."""
    secrets = (settings.slack_bot_token, settings.slack_app_token, settings.slack_signing_secret)
    return bool(settings.slack_client_id) or any(each.get_secret_value() for each in secrets)


@asynccontextmanager
async def _serving(app: App, role: Role, hurry: asyncio.Event) -> AsyncIterator[list[str]]:
    """Serve what is set up of Slack, Teams and the API; gives what to tell."""
    is_alone = not _names_slack(app.settings) and (
        names_teams(app.settings) or await has_tokens(app)
    )
    if role is Role.WORKER:
        working = without_slack if is_alone else slack_bot
        # Health to the last: the worker still drains when everything else has ended.
        async with alone(app, []) as address, working(app, role=role, hurry=hurry):
            yield told_of_worker(app, address)
    elif is_alone:
        async with (
            without_slack(app, role=role, hurry=hurry) as surfaces,
            alone(app, [route for each in surfaces for route in each.routes]) as address,
        ):
            yield start_lines(app, None, address)
    else:
        async with (
            slack_bot(app, role=role, hurry=hurry) as bot,
            listening(app, bot) as address,
        ):
            yield start_lines(app, bot, address)


@asynccontextmanager
async def slack_bot(
    app: App,
    *,
    every: float = EVERY_SECONDS,
    role: Role = Role.BOTH,
    hurry: asyncio.Event | None = None,
) -> AsyncIterator[SlackBot]:
    """Put Slack and the API to work on one engine, until the block ends.

    `every`: progress, in seconds. Once `hurry` is set the end waits for no question any more.

    Raises:
        InvalidSettings: a token or key is missing or not accepted.
        SlackError: Slack cannot be asked whose the token is.
        StoreUnavailable: the database cannot be opened.
        StoreLocked: another process works on this SQLite file.
    """
    async with slack_connections(app, role) as slack, _teams(app) as teams:

        def join(engine: DbosEngine) -> tuple[SlackBot, *tuple[ServedSurface, ...]]:
            others = _others(app, engine, teams)
            routes = [route for each in others for route in each.routes]
            return replace(slack.bot(engine, every=every), others=routes), *others

        async with at_work(app, join, role=role, hurry=hurry) as (bot, *_):
            yield bot


@asynccontextmanager
async def _teams(app: App) -> AsyncIterator[TeamsConnections | None]:
    """Open what Teams is reached by, where it is to be served."""
    if not names_teams(app.settings):
        yield None
        return
    async with teams_connections(app) as teams:
        yield teams


def _others(
    app: App, engine: DbosEngine, teams: TeamsConnections | None
) -> tuple[ServedSurface, ...]:
    """The API, and Teams where it is set up."""
    api = http_api(app, engine, forget=engine.forget)
    return (api,) if teams is None else (api, teams.bot(engine))


@asynccontextmanager
async def without_slack(
    app: App, *, role: Role = Role.BOTH, hurry: asyncio.Event | None = None
) -> AsyncIterator[Sequence[ServedSurface]]:
    """Put the API, and Teams where it is set up, to work without Slack until the block ends.

    Raises:
        InvalidSettings: requests of a chat are open, which nobody could answer from here.
        StoreUnavailable: the database cannot be opened.
        StoreLocked: another process works on this SQLite file.
    """
    if role.works:
        await check_alone(app, {TEAMS} if names_teams(app.settings) else set())
    async with (
        _teams(app) as teams,
        at_work(
            app, lambda engine: _others(app, engine, teams), role=role, hurry=hurry
        ) as surfaces,
    ):
        yield surfaces


@asynccontextmanager
async def alone(app: App, routes: Iterable[web.RouteDef]) -> AsyncIterator[str]:
    """Serve routes, health and figures without Slack; gives the address of the HTTP server."""
    figures = http.metrics(scrape.page(app.metrics, app.database))
    application = web.Application()
    application.add_routes([*http.health(app.readiness.problems), *figures, *routes])
    async with _served(application, app.settings) as address:
        yield address


@asynccontextmanager
async def listening(app: App, bot: SlackBot) -> AsyncIterator[str]:
    """Listen to Slack; gives the address of the HTTP server, or nothing for a socket.

    With Socket Mode the server has health, figures and the API alone.
    """
    settings, problems = app.settings, app.readiness.problems
    figures = http.metrics(scrape.page(app.metrics, app.database))
    on_ack = app.metrics.acknowledged
    if settings.slack_app_token.get_secret_value():
        application = web.Application()
        application.add_routes([*http.health(problems), *figures, *bot.others])
        token = settings.slack_app_token.get_secret_value()
        async with (
            connected(bot.app, token, on_ack=on_ack),
            _served(application, settings) as address,
        ):
            yield address
        return
    application = http.build(
        dispatch=bot.app.async_dispatch,
        signing_secret=settings.slack_signing_secret.get_secret_value(),
        problems=problems,
        routes=[*bot.routes, *figures, *bot.others],
        on_ack=on_ack,
    )
    async with _served(application, settings) as address:
        yield address


def start_lines(app: App, bot: SlackBot | None, address: str) -> list[str]:
    """List what an operator wants to know at the start, a line each.

    `bot` is None where there is no Slack.
    """
    settings = app.settings
    lines = [
        *_whom(settings, bot, address),
        *_stores(app),
        f"API: {address}/masis/openapi.json describes it",
        _health(address),
    ]
    if settings.slack_client_id:
        lines.append(f"Install it in a workspace: {settings.public_url}/slack/install")
    return lines


def told_of_worker(app: App, address: str) -> list[str]:
    """The same where a process works for others that listen."""
    return ["MASIS works on what other processes take in.", *_stores(app), _health(address)]


def _stores(app: App) -> list[str]:
    settings = app.settings
    return [
        f"Database: {app.database.place}",
        f"Vectors: {settings.qdrant_address or settings.data_dir / 'vectors'}",
        f"Answers by: {settings.agents_in_use} agents, {settings.embedder_in_use} embedder",
    ]


def _health(address: str) -> str:
    return f"Health: {address}/healthz and {address}/readyz, figures: {address}/metrics"


def _whom(settings: Settings, bot: SlackBot | None, address: str) -> list[str]:
    teams = f"MASIS serves Microsoft Teams, which calls {address}{MESSAGES_PATH}."
    lines = [_of_slack(settings, bot, address)] if bot else []
    lines += [teams] if names_teams(settings) else []
    return lines or ["MASIS serves its HTTP API alone, without Slack."]


def _of_slack(settings: Settings, bot: SlackBot, address: str) -> str:
    socket = bool(settings.slack_app_token.get_secret_value())
    team = f"the Slack team {bot.team.team}" if bot.team else "every team that installs it"
    how = "Socket Mode" if socket else f"HTTP, Slack calls {address}{http.EVENTS_PATH}"
    return f"MASIS serves {team} over {how}."


async def _clocks(app: App) -> list[str]:
    """List the clocks that are wrong, a line each."""
    asked = app.settings.slack_api_url if _names_slack(app.settings) else ""
    return await clocks.compare(partial(clock, app.database), asked)


@asynccontextmanager
async def _served(application: web.Application, settings: Settings) -> AsyncIterator[str]:
    bounds = Bounds(per_address=settings.http_connections_per_address)
    opened = bounded(application, settings.http_host, settings.http_port, bounds)
    async with AsyncExitStack() as closing:
        try:
            host, port = await closing.enter_async_context(opened)
        except OSError as error:
            raise StoreUnavailable(
                f"The port {settings.http_port} of {settings.http_host} cannot be opened"
                f" ({_reason(error)}). Name another one with MASIS_HTTP_PORT."
            ) from error
        yield f"http://{host}:{port}"


def _reason(error: OSError) -> str:
    """The system's words alone: the event loop puts its own, with the port, before them."""
    code = error.errno or 0
    # What is wrong with a host's name has another number, below 0.
    return os.strerror(code) if code > 0 else error.strerror or type(error).__name__


@contextmanager
def told_by_signals(stop: asyncio.Event, hurry: asyncio.Event) -> Iterator[None]:
    """Let SIGTERM and SIGINT set `stop`, and said again `hurry`, as long as the block goes on.

    Said a third time they end the process as if nobody listened.
    """
    loop = asyncio.get_running_loop()
    signals = (signal.SIGTERM, signal.SIGINT)

    def ignore() -> None:
        for each in signals:
            loop.remove_signal_handler(each)

    def told() -> None:
        if stop.is_set():
            hurry.set()
            ignore()
        stop.set()

    for each in signals:
        loop.add_signal_handler(each, told)
    try:
        yield
    finally:
        ignore()
