"""Put Slack together as a surface, from the application's parts."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from aiohttp import web
from slack_bolt.async_app import AsyncApp

from bot.chat.admin import Admin
from bot.chat.surface import ServedSurface
from bot.chat.tasks import Tasks
from bot.compose import App
from bot.observability.logs import keep_texts_out
from bot.roles import Role
from bot.settings import Settings
from bot.slack.access import Access
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
from bot.slack.intake.greeting import Greeting
from bot.slack.intake.intake import Intake
from bot.slack.rights import SlackRights
from bot.slack.services import Services
from bot.slack.surface import SlackSurface
from bot.slack.text import sentences
from bot.slack.untagged import FollowUps
from masis.conversation import SLACK, Tenant
from masis.errors import InvalidSettings
from masis.ports import RunEngine
from storage.accounts.install_states import SqlInstallStates
from storage.accounts.installations import SqlInstallations
from storage.chat.admin_log import AdminLog
from storage.chat.deduplication import Claims
from storage.chat.links import Links
from storage.chat.logged_changes import LoggedChanges
from storage.chat.outbox import Outbox
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.trails import Trails
from storage.chat.votes import Votes
from storage.durable.erasure import forget_steps
from storage.privacy.purge import Purge
from storage.queue.engine import DbosEngine
from storage.secrets import KeyRing

TASKS_SECONDS: Final = 5.0
"""How long the short work of listeners may go on when the bot stops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackBot(ServedSurface):
    """Slack as a process serves it: what arrives comes through `app`, by either transport.

    Where the process only works on runs it is the same bot, to which nothing comes.
    """

    app: AsyncApp
    engine: RunEngine
    services: Services
    tokens: Tokens
    team: Tenant | None
    """The one workspace it is for; None where it is installed by OAuth."""
    others: Sequence[web.RouteDef] = ()
    """The routes of other surfaces, which either transport's server carries."""


@dataclass(frozen=True, slots=True)
class SlackConnections:
    """What Slack is reached by. It is open before the engine works, and until its runs are shown."""

    app: App
    grants: Grants
    installations: SqlInstallations
    tokens: Tokens
    web: SlackWeb

    def bot(self, engine: DbosEngine, *, every: float = EVERY_SECONDS) -> SlackBot:
        """Build the bot on an engine. `every`: progress, in seconds."""
        app, tokens = self.app, self.tokens
        services = _services(app, self.web, engine)
        uninstall = Uninstall(
            installations=self.installations,
            tokens=tokens,
            cancel=engine.cancel,
            purge=_purging(app, engine),
        )
        return SlackBot(
            name=SLACK,
            shows=_surface(app, services, every),
            sessions=services.sessions,
            routes=_pages(app, self.grants, self.installations, tokens),
            drain=partial(services.tasks.drain, TASKS_SECONDS),
            share=self.web.calls.pacing.share,
            app=bolt(Listening(services, uninstall), tokens, app.settings),
            engine=engine,
            services=services,
            tokens=tokens,
            team=tokens.identity.tenant if isinstance(tokens, OneToken) else None,
        )


@asynccontextmanager
async def slack_connections(app: App, role: Role = Role.BOTH) -> AsyncIterator[SlackConnections]:
    """Open what Slack is reached by; closed when the block ends.

    Raises:
        InvalidSettings: a token or key is missing or not accepted.
        SlackError: Slack cannot be asked whose the token is.
        StoreUnavailable: the database cannot be read.
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
        yield SlackConnections(app, grants, installations, tokens, slack)


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
    intake = Intake(
        engine=app.observed(engine),
        access=access,
        links=links,
        runs=runs,
        repository=app.repository,
        on_busy=lambda: app.metrics.accepted("busy"),
    )
    return Services(
        access=access,
        admin=_admin(app, access, engine),
        claims=Claims(database),
        delivery=Delivery(slack, outbox, on_ambiguous=app.metrics.ambiguous),
        engine=engine,
        follow_ups=FollowUps(access=access, links=links, runs=runs, web=slack),
        greeting=Greeting(access=access, intake=intake, greeter=app.greeter),
        intake=intake,
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


def _admin(app: App, access: Access, engine: DbosEngine) -> Admin:
    settings = TeamSettingsStore(app.database)
    return Admin(
        rights=SlackRights(access, settings),
        changes=LoggedChanges(app.database),
        links=Links(app.database),
        settings=settings,
        log=AdminLog(app.database),
        repository=app.repository,
        ingest=app.ingest,
        forget=engine.forget,
        not_linked=sentences.not_linked(can_link=False),
    )


def _surface(app: App, services: Services, every: float) -> SlackSurface:
    return SlackSurface(
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
