"""Put Teams together as a surface, from the application's parts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.chat.surface import ServedSurface
from bot.compose import App
from bot.settings import Settings
from bot.teams.bounded_http import BoundedHttp
from bot.teams.card_presses import CardPresses
from bot.teams.connector.client_token import ClientToken
from bot.teams.connector.connector import Connector
from bot.teams.connector.conversation_limits import PROGRESS_SECONDS, Windows
from bot.teams.hearing import Hearing, Parts
from bot.teams.inbound.activity_guard import ActivityGuard
from bot.teams.inbound.clouds import cloud_of, tenants_of
from bot.teams.inbound.messages_route import MessagesRoute
from bot.teams.inbound.signing_keys import SigningKeys
from bot.teams.outcome_delivery import OutcomeDelivery
from bot.teams.question_intake import QuestionIntake
from bot.teams.run_dialogs import RunDialogs
from bot.teams.run_lookup import RunLookup
from bot.teams.surface import TeamsSurface
from bot.teams.team_lookup import TeamLookup
from bot.teams.teams_access import TeamsAccess
from masis.conversation import TEAMS
from masis.ports import RunEngine
from storage.chat.deduplication import Claims
from storage.chat.links import Links
from storage.chat.outbox import Outbox
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.teams_places import TeamsPlaces
from storage.chat.trails import Trails
from storage.chat.votes import Votes


def names_teams(settings: Settings) -> bool:
    """Say whether Teams is to be served."""
    return bool(settings.teams_app_id)


@dataclass(frozen=True, slots=True)
class TeamsConnections:
    """Hold what Teams is reached by. It is open before the engine works, and until its runs are shown."""

    app: App
    connector: Connector
    guard: ActivityGuard

    def bot(self, engine: RunEngine, *, every: float = PROGRESS_SECONDS) -> ServedSurface:
        """Build the surface on an engine. `every`: progress, in seconds."""
        app, database = self.app, self.app.database
        links, places = Links(database), TeamsPlaces(database)
        sessions, outbox, runs = Sessions(database), Outbox(database), ChatRuns(database)
        observed, trails = app.observed(engine), Trails(database)
        access = TeamsAccess(
            connector=self.connector,
            links=links,
            places=places,
            settings=TeamSettingsStore(database),
        )
        delivery = OutcomeDelivery(
            self.connector, outbox, places, on_ambiguous=app.metrics.ambiguous
        )
        surface = TeamsSurface(
            access=access, delivery=delivery, outbox=outbox, sessions=sessions, every=every
        )
        intake = QuestionIntake(
            access=access, engine=observed, links=links, repository=app.repository, runs=runs
        )
        lookup = RunLookup(links=links, outbox=outbox, runs=runs, sessions=sessions)
        presses = CardPresses(
            access=access,
            delivery=delivery,
            engine=engine,
            intake=intake,
            lookup=lookup,
            sessions=sessions,
            surface=surface,
            trails=trails,
            votes=Votes(database),
        )
        parts = Parts(
            claims=Claims(database),
            delivery=delivery,
            engine=engine,
            greeter=app.greeter,
            intake=intake,
            links=links,
            lookup=lookup,
            places=places,
            teams=TeamLookup(self.connector, places),
        )
        hearing = Hearing(parts, presses, RunDialogs(lookup, trails))
        route = MessagesRoute(self.guard, hearing, on_ack=app.metrics.acknowledged)
        return ServedSurface(
            name=TEAMS,
            shows=surface,
            sessions=sessions,
            routes=route.routes(),
            share=self.connector.share,
        )


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
    try:
        yield TeamsConnections(app, connector, guard)
    finally:
        await http.close()
