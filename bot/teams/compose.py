"""Put Teams together as a surface, from the application's parts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

from bot.chat.admin import Admin
from bot.chat.surface import ServedSurface
from bot.chat.tasks import Tasks
from bot.compose import App
from bot.settings import Settings
from bot.teams.bounded_http import BoundedHttp
from bot.teams.card_presses import CardPresses
from bot.teams.connector.client_token import ClientToken
from bot.teams.connector.connector import Connector
from bot.teams.connector.conversation_limits import PROGRESS_SECONDS, Windows
from bot.teams.connector.file_downloads import FileDownloads
from bot.teams.hearing import Hearing, Parts
from bot.teams.inbound.activity_guard import ActivityGuard
from bot.teams.inbound.clouds import cloud_of, tenants_of
from bot.teams.inbound.messages_route import MessagesRoute
from bot.teams.inbound.signing_keys import SigningKeys
from bot.teams.jobs.job_worker import JobWorker
from bot.teams.jobs.notice_delivery import Notices
from bot.teams.managing.admin_forms import AdminForms
from bot.teams.managing.document_uploads import DocumentUploads
from bot.teams.managing.team_commands import Commands
from bot.teams.managing.team_owners import TeamOwners
from bot.teams.managing.team_rights import TeamRights
from bot.teams.outcome_delivery import OutcomeDelivery
from bot.teams.package.app_pages import app_pages
from bot.teams.question_intake import QuestionIntake
from bot.teams.run_dialogs import RunDialogs
from bot.teams.run_lookup import RunLookup
from bot.teams.surface import TeamsSurface
from bot.teams.team_lookup import TeamLookup
from bot.teams.teams_access import TeamsAccess
from bot.teams.teams_greeting import Greeting
from bot.teams.text import sentences
from bot.teams.typing_indicator import TypingIndicator
from masis.conversation import TEAMS
from storage.chat.admin_log import AdminLog
from storage.chat.deduplication import Claims
from storage.chat.links import Links
from storage.chat.logged_changes import LoggedChanges
from storage.chat.outbox import Outbox
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.teams_places import TeamsPlaces
from storage.chat.trails import Trails
from storage.chat.votes import Votes
from storage.jobs.chat_jobs import ChatJobs
from storage.queue.engine import DbosEngine

TASKS_SECONDS: Final = 5.0
"""How long questions may still be made for a welcome when the bot stops."""


def names_teams(settings: Settings) -> bool:
    """Say whether Teams is to be served."""
    return bool(settings.teams_app_id)


@dataclass(frozen=True, slots=True)
class TeamsConnections:
    """Hold what Teams is reached by. It is open before the engine works, and until its runs are shown."""

    app: App
    connector: Connector
    downloads: FileDownloads
    guard: ActivityGuard
    owners: TeamOwners

    def bot(self, engine: DbosEngine, *, every: float = PROGRESS_SECONDS) -> ServedSurface:
        """Build the surface on an engine. `every`: progress, in seconds."""
        parts = TeamsParts(self, engine, every)
        route = MessagesRoute(self.guard, parts.worker, on_ack=self.app.metrics.acknowledged)
        return ServedSurface(
            name=TEAMS,
            shows=parts.surface,
            sessions=parts.sessions,
            routes=[*route.routes(), *app_pages(round(self.app.settings.keep_runs_days))],
            drain=partial(parts.tasks.drain, TASKS_SECONDS),
            share=self.connector.share,
            forever=parts.worker.forever,
        )


class TeamsParts:
    """The parts of Teams on one engine, each made once."""

    def __init__(self, made: TeamsConnections, engine: DbosEngine, every: float) -> None:
        self._made = made
        self._app = made.app
        self._engine = engine
        self._every = every
        database = made.app.database
        self.jobs: Final = ChatJobs(database)
        self.links: Final = Links(database)
        self.outbox: Final = Outbox(database)
        self.places: Final = TeamsPlaces(database)
        self.runs: Final = ChatRuns(database)
        self.sessions: Final = Sessions(database)
        self.settings: Final = TeamSettingsStore(database)
        self.tasks: Final = Tasks()
        self.trails: Final = Trails(database)

    # --- who may ---------------------------------------------------------------------------

    @cached_property
    def rights(self) -> TeamRights:
        """Tells who somebody of a team is."""
        return TeamRights(owners=self._made.owners, places=self.places, settings=self.settings)

    @cached_property
    def access(self) -> TeamsAccess:
        """Decides who may have an answer where."""
        return TeamsAccess(
            connector=self._made.connector,
            links=self.links,
            places=self.places,
            rights=self.rights,
            settings=self.settings,
        )

    @cached_property
    def admin(self) -> Admin:
        """Does what those do who run MASIS in a team."""
        return Admin(
            rights=self.rights,
            changes=LoggedChanges(self._app.database),
            links=self.links,
            settings=self.settings,
            log=AdminLog(self._app.database),
            repository=self._app.repository,
            ingest=self._app.ingest,
            forget=self._engine.forget,
            not_linked=sentences.NOT_LINKED,
        )

    # --- what is shown ---------------------------------------------------------------------

    @cached_property
    def delivery(self) -> OutcomeDelivery:
        """Gets each outcome into its conversation."""
        counted = self._app.metrics.ambiguous
        connector = self._made.connector
        return OutcomeDelivery(connector, self.outbox, self.places, self.jobs, on_ambiguous=counted)

    @cached_property
    def surface(self) -> TeamsSurface:
        """Shows runs."""
        return TeamsSurface(
            access=self.access,
            delivery=self.delivery,
            downloads=self._made.downloads,
            outbox=self.outbox,
            sessions=self.sessions,
            every=self._every,
        )

    # --- what is heard ---------------------------------------------------------------------

    @cached_property
    def lookup(self) -> RunLookup:
        """Finds what an activity is about."""
        return RunLookup(
            links=self.links,
            outbox=self.outbox,
            repository=self._app.repository,
            runs=self.runs,
            sessions=self.sessions,
        )

    @cached_property
    def intake(self) -> QuestionIntake:
        """Takes questions in."""
        return QuestionIntake(
            access=self.access,
            engine=self._app.observed(self._engine),
            links=self.links,
            repository=self._app.repository,
            runs=self.runs,
        )

    @cached_property
    def presses(self) -> CardPresses:
        """Does what buttons mean."""
        return CardPresses(
            access=self.access,
            delivery=self.delivery,
            engine=self._engine,
            greeting=self.greeting,
            intake=self.intake,
            lookup=self.lookup,
            sessions=self.sessions,
            surface=self.surface,
            tasks=self.tasks,
            trails=self.trails,
            votes=Votes(self._app.database),
        )

    @cached_property
    def greeting(self) -> Greeting:
        """Says hello."""
        return Greeting(
            access=self.access,
            connector=self._made.connector,
            greeter=self._app.greeter,
            intake=self.intake,
            repository=self._app.repository,
            suggestions=self._app.suggestions,
            tasks=self.tasks,
        )

    @cached_property
    def commands(self) -> Commands:
        """Does what verbs say."""
        return Commands(
            access=self.access,
            admin=self.admin,
            claims=Claims(self._app.database),
            engine=self._engine,
            links=self.links,
            lookup=self.lookup,
            repository=self._app.repository,
        )

    @cached_property
    def forms(self) -> AdminForms:
        """Opens the forms of those who run MASIS in a team."""
        return AdminForms(
            access=self.access, admin=self.admin, links=self.links, settings=self.settings
        )

    @cached_property
    def hearing(self) -> Hearing:
        """Takes in whatever is heard."""
        parts = Parts(
            commands=self.commands,
            engine=self._engine,
            forms=self.forms,
            greeting=self.greeting,
            intake=self.intake,
            links=self.links,
            lookup=self.lookup,
            places=self.places,
            teams=TeamLookup(self._made.connector, self.places),
            typing=TypingIndicator(self._made.connector, self.tasks),
            uploads=DocumentUploads(
                access=self.access,
                admin=self.admin,
                intake=self.intake,
                repository=self._app.repository,
            ),
        )
        return Hearing(parts, self.presses, RunDialogs(self.lookup, self.trails))

    @cached_property
    def worker(self) -> JobWorker:
        """Does what is heard, until it is done."""
        notices = Notices(self.delivery, self.greeting, self.jobs)
        return JobWorker(self.jobs, self.hearing, notices, self.tasks)


@asynccontextmanager
async def teams_connections(app: App) -> AsyncIterator[TeamsConnections]:
    """Open what Teams is reached by; closed when the block ends."""
    settings, cloud, http = app.settings, cloud_of(app.settings), BoundedHttp()
    token = ClientToken(
        http,
        cloud=cloud,
        app_id=settings.teams_app_id,
        secret=settings.teams_app_secret,
        home_tenant=settings.teams_home_tenant,
    )
    connector = Connector(
        http,
        app_id=settings.teams_app_id,
        token=token,
        hosts=cloud.service_hosts,
        windows=Windows(),
    )
    guard = ActivityGuard(
        app_id=settings.teams_app_id,
        cloud=cloud,
        tenants=tenants_of(settings),
        keys=SigningKeys(http, cloud.metadata_url, cloud.issuer),
    )
    owners = TeamOwners(
        http, cloud=cloud, app_id=settings.teams_app_id, secret=settings.teams_app_secret
    )
    downloads = FileDownloads(cloud, max_bytes=app.max_file_bytes)
    try:
        yield TeamsConnections(app, connector, downloads, guard, owners)
    finally:
        await downloads.close()
        await http.close()
