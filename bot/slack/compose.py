"""Puts the Slack bot together from the application's parts, and takes it apart again."""

import asyncio
import datetime as dt
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from aiohttp import web
from slack_bolt.async_app import AsyncApp

from bot.api.compose import api_handler, api_routes
from bot.api.surface import Handler, by_surface
from bot.chat.handler import Background
from bot.compose import App
from bot.observability.logs import keep_texts_out
from bot.roles import Role
from bot.settings import Settings
from bot.slack.access import Access
from bot.slack.admin import Admin
from bot.slack.app import Listening, bolt
from bot.slack.client.coalescing import EVERY_SECONDS
from bot.slack.client.delivery import Delivery
from bot.slack.client.downloads import Downloads
from bot.slack.client.uploaded import Uploaded
from bot.slack.client.web import SlackWeb
from bot.slack.install.grants import Grants
from bot.slack.install.manifest import packaged
from bot.slack.install.oauth import InstallPages, check_keys
from bot.slack.install.tokens import InstalledTokens, OneToken, Tokens
from bot.slack.install.uninstall import BY_UNINSTALL, Uninstall
from bot.slack.intake.intake import Intake
from bot.slack.intake.tasks import Tasks
from bot.slack.services import Services
from bot.slack.surface import SlackSurface
from bot.slack.sweeping import DUTY, HELD_SECONDS, Sweeping
from masis.assistant import Assistant
from masis.conversation import Tenant
from masis.errors import InvalidSettings
from masis.ports import RunEngine
from storage.accounts.install_states import SqlInstallStates
from storage.accounts.installations import SqlInstallations
from storage.chat.admin_log import AdminLog
from storage.chat.deduplication import Claims
from storage.chat.links import Links
from storage.chat.outbox import Outbox
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.trails import Trails
from storage.chat.votes import Votes
from storage.durable.erasure import forget_steps
from storage.privacy.purge import Purge
from storage.privacy.retention import Keep, Retention
from storage.queue.engine import DbosEngine
from storage.queue.fleet import fleet
from storage.secrets import KeyRing

log = logging.getLogger(__name__)

TASKS_SECONDS: Final = 5.0
"""How long the short work of listeners may go on when the bot stops."""


@dataclass(frozen=True, slots=True)
class SlackBot:
    """A bot that is at work: runs go on; what arrives comes through `app`, by either transport.

    In one role alone it is the same bot: one whose runs go on elsewhere, or to which nothing comes.
    """

    app: AsyncApp
    engine: RunEngine
    services: Services
    tokens: Tokens
    pages: Sequence[web.RouteDef]
    api: Sequence[web.RouteDef]
    """The HTTP API, which either transport's server carries."""
    team: Tenant | None
    """The one workspace it is for; None where it is installed by OAuth."""


@asynccontextmanager
async def slack_bot(
    app: App,
    *,
    every: float = EVERY_SECONDS,
    role: Role = Role.BOTH,
    hurry: asyncio.Event | None = None,
) -> AsyncIterator[SlackBot]:
    """The bot, with its engine started where the role works; stopped when the block ends.

    `every`: progress, in seconds. Once `hurry` is set the end waits for no question any more.

    Raises:
        InvalidSettings: a token or key is missing or not accepted.
        SlackError: Slack cannot be asked whose the token is.
        StoreUnavailable: the database cannot be opened.
        StoreLocked: another process works on this SQLite file.
    """
    settings = app.settings
    check_slack(settings, role)
    keep_texts_out()
    async with AsyncExitStack() as closing:
        grants = Grants(
            api_url=settings.slack_api_url,
            client_id=settings.slack_client_id,
            client_secret=settings.slack_client_secret,
        )
        closing.push_async_callback(grants.close)
        installations = SqlInstallations(app.database, KeyRing.parse(settings.secret_keys))
        if settings.slack_client_id:
            await installations.check_keys()
        tokens = await _tokens(settings, grants, installations)
        closing.push_async_callback(tokens.close)
        slack = SlackWeb(api_url=settings.slack_api_url, tokens=tokens, on_token_lost=tokens.lost)
        closing.push_async_callback(slack.close)
        engine = await DbosEngine.open(
            app.database,
            migrate=role.migrates,
            concurrency=settings.runs_at_once,
            budget=settings.budget,
            hurry=hurry,
            on_takeover=app.metrics.taken_over,
        )
        closing.push_async_callback(engine.stop)
        services = _services(app, slack, engine)
        closing.push_async_callback(services.tasks.drain, TASKS_SECONDS)
        uninstall = Uninstall(
            installations=installations,
            tokens=tokens,
            cancel=engine.cancel,
            purge=_purging(app, engine),
        )
        if role.works:
            chat = _background(app, services, every)
            await app.observed(engine).start(by_surface(api=api_handler(app), chat=chat))
            await closing.enter_async_context(_sweeping(app, services, engine))
        yield SlackBot(
            app=bolt(Listening(services, uninstall), tokens, settings),
            engine=engine,
            services=services,
            tokens=tokens,
            pages=_pages(app, grants, installations, tokens),
            api=api_routes(app, engine),
            team=tokens.identity.tenant if isinstance(tokens, OneToken) else None,
        )


_INGRESS_LACKS: Final = (
    "Set it and MASIS_SLACK_APP_TOKEN for one workspace, or MASIS_SLACK_CLIENT_ID and its secret for"
    " many; `masis manifest` prints what Slack wants to create the app."
)
_WORKER_LACKS: Final = (
    "A worker posts as the ingress does: set it for one workspace, or MASIS_SLACK_CLIENT_ID, its"
    " secret and MASIS_SECRET_KEYS for many, each as the ingress has it."
)
_API_ALONE: Final = "To serve the HTTP API alone make a token for it: `masis token create`."


def check_slack(settings: Settings, role: Role = Role.BOTH) -> None:
    """Check that the settings say how Slack is reached, before anything is opened.

    A worker is called by nobody, and needs nothing that proves who calls.

    Raises:
        InvalidSettings: they do not; the message says what to set.
    """
    by_oauth = bool(settings.slack_client_id)
    if not (by_oauth or settings.slack_bot_token.get_secret_value()):
        lacking = _INGRESS_LACKS if role.listens else _WORKER_LACKS
        raise InvalidSettings(f"MASIS_SLACK_BOT_TOKEN: there is no token. {lacking} {_API_ALONE}")
    check_keys(client_id=settings.slack_client_id, secret_keys=settings.secret_keys)
    if not role.listens:
        return
    if by_oauth and not settings.public_url:
        raise InvalidSettings(
            "MASIS_PUBLIC_URL: OAuth needs the https address that browsers reach this server by"
        )
    over_http = not settings.slack_app_token.get_secret_value()
    if over_http and not settings.slack_signing_secret.get_secret_value():
        raise InvalidSettings(
            "MASIS_SLACK_SIGNING_SECRET: without it anybody could speak in Slack's name; copy it"
            " from the app's page, or set MASIS_SLACK_APP_TOKEN for Socket Mode"
        )


async def _tokens(settings: Settings, grants: Grants, installations: SqlInstallations) -> Tokens:
    if settings.slack_bot_token.get_secret_value():
        return await OneToken.start(settings.slack_bot_token, grants)
    return InstalledTokens(installations=installations, grants=grants)


def _services(app: App, slack: SlackWeb, engine: DbosEngine) -> Services:
    database = app.database
    links, runs, settings = Links(database), ChatRuns(database), TeamSettingsStore(database)
    outbox = Outbox(database)
    access = Access(web=slack, links=links, settings=settings, repository=app.repository)
    return Services(
        access=access,
        admin=Admin(
            access=access,
            links=links,
            settings=settings,
            log=AdminLog(database),
            repository=app.repository,
            ingest=app.ingest,
            forget=engine.forget,
        ),
        claims=Claims(database),
        delivery=Delivery(slack, outbox, on_ambiguous=app.metrics.ambiguous),
        engine=engine,
        intake=Intake(engine=app.observed(engine), access=access, links=links, runs=runs),
        links=links,
        older=app.older_documents,
        outbox=outbox,
        repository=app.repository,
        runs=runs,
        sessions=Sessions(database),
        settings=settings,
        suggestions=app.suggestions,
        tasks=Tasks(),
        trails=Trails(database),
        votes=Votes(database),
        web=slack,
    )


def _background(app: App, services: Services, every: float) -> Handler:
    settings = app.settings
    assistant = Assistant(
        repository=app.repository,
        graphs=app.durable_graphs(),
        run_timeout_s=settings.run_timeout,
        questions_near=app.suggestions.near,
    )
    surface = SlackSurface(
        access=services.access,
        admin_log=AdminLog(app.database),
        delivery=services.delivery,
        outbox=services.outbox,
        runs=services.runs,
        sessions=services.sessions,
        uploaded=Uploaded(services.web, Downloads(services.web, max_bytes=app.max_file_bytes)),
        web=services.web,
        every=every,
    )
    handler = Background(
        assistant=assistant,
        ingest=app.ingest,
        repository=app.repository,
        sessions=services.sessions,
        runs=services.runs,
        surface=surface,
        clarification_hours=settings.clarification_hours,
        max_retries=settings.max_retries,
    )
    return app.observed_runs(handler)


def sweeper(app: App, services: Services, engine: DbosEngine) -> Sweeping:
    """Build what looks after old data, as the settings say."""
    settings = app.settings
    keep = Keep(
        claims=dt.timedelta(hours=settings.keep_claims_hours),
        sessions=dt.timedelta(days=settings.keep_runs_days),
        runs=dt.timedelta(days=settings.keep_runs_days),
        usage=dt.timedelta(days=settings.keep_usage_days),
    )
    return Sweeping(
        services,
        Retention(app.database, keep),
        engine.purge_steps,
        keep_steps=dt.timedelta(days=settings.keep_steps_days),
        is_mine=lambda: engine.has_duty(DUTY, HELD_SECONDS),
        processes=partial(_processes, app),
    )


async def _processes(app: App) -> int:
    """Count the processes that work on this database; on SQLite it is this one."""
    return (await fleet(app.database)).alive


@asynccontextmanager
async def _sweeping(app: App, services: Services, engine: DbosEngine) -> AsyncIterator[None]:
    """Looks after what nobody waits for, as long as the block goes on."""
    task = asyncio.create_task(sweeper(app, services, engine).forever(), name="sweeping")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _purging(app: App, engine: DbosEngine) -> Callable[[Tenant], Awaitable[None]]:
    """Removes everything of a team, rows first: without them nothing of it is found any more."""
    purge, runs = Purge(app.database), ChatRuns(app.database)

    async def purged(tenant: Tenant) -> None:
        # A run in progress would write its words down anew.
        for run in await runs.open_runs(tenant):
            await engine.cancel(run.id, BY_UNINSTALL)
        report = await purge.purge_team(tenant)
        await forget_steps(app.database, report.runs, report.workspaces)
        for workspace_id in report.workspaces:
            await app.drop(workspace_id)

    return purged


def _pages(
    app: App, grants: Grants, installations: SqlInstallations, tokens: Tokens
) -> Sequence[web.RouteDef]:
    """The pages of an installation, where the app is installed by OAuth."""
    settings = app.settings
    if not settings.slack_client_id:
        return []
    pages = InstallPages(
        public_url=settings.public_url,
        client_id=settings.slack_client_id,
        scopes=packaged()["oauth_config"]["scopes"]["bot"],
        installations=installations,
        states=SqlInstallStates(app.database),
        grants=grants,
        tokens=tokens,
    )
    return pages.routes()
