"""Exactly one visible outcome, whatever the connector does and wherever the process dies."""

import asyncio
import datetime as dt
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import update

from bot.chat.surface import Denial
from bot.playground.teams.connector_standin import ConnectorStandin, Fault, connecting, member
from bot.playground.teams.issuer import APP, HOME, HOSTS, SECRET, Issuer, issuing
from bot.playground.teams.teams_payloads import ANN, CHANNEL, GROUP, ROOT
from bot.settings import load
from bot.teams.bounded_http import BoundedHttp
from bot.teams.connector.client_token import ClientToken
from bot.teams.connector.connector import Connector, Spot
from bot.teams.connector.connector_errors import Unavailable
from bot.teams.connector.conversation_limits import Clock, Windows
from bot.teams.connector.file_downloads import FileDownloads
from bot.teams.inbound.clouds import CLOUDS
from bot.teams.jobs.job_worker import MOST_ATTEMPTS, MOST_PAUSE
from bot.teams.jobs.work import TakeBack, Tell, Work, read
from bot.teams.managing.team_owners import TeamOwners
from bot.teams.managing.team_rights import TeamRights
from bot.teams.outcome_delivery import OutcomeDelivery
from bot.teams.surface import BY_REMOVAL, TeamsSurface
from bot.teams.teams_access import LOOK_SECONDS, REMEMBERED_SECONDS, TeamsAccess
from bot.teams.text import sentences
from masis.assistant import Finished
from masis.conversation import TEAMS, ChatRun, Link, Session, Tenant
from masis.errors import LinkChanged, MasisError, StoreUnavailable
from masis.runs import Step
from storage.chat.links import Links
from storage.chat.outbox import Outbox
from storage.chat.sessions import Sessions, take
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.teams_places import TeamsPlace, TeamsPlaces
from storage.documents.repository import SqlRepository
from storage.jobs.chat_jobs import ChatJobs
from storage.sql.database import Database
from storage.sql.rows import now
from storage.sql.tables import chat_jobs
from tests.bot.slack.view_samples import answered, asked_back
from tests.bot.teams.card_checker import violations
from tests.bot.teams.connector.test_connector import Time
from tests.current_schema import copy_to
from tests.examples import examples
from tests.storage.chat.samples import NOON, a_run, a_session, insert
from tests.walks.teams_office import words

TEAM: Final = Tenant(chat=TEAMS, enterprise=HOME, team=GROUP)
WORKING: Final = "Working on it"
FAULTS: Final[tuple[Fault, ...]] = (
    *(429, 412, 408, 500, 502, 503, 504),
    *("taken, then dropped", "dropped", "garbled", "slow"),
)


def finished(outcome: Any) -> Finished:
    return Finished(outcome, [], {}, [], 0.0)


class Died(BaseException):
    """The process ended here."""


class DyingOutbox(Outbox):
    """An outbox whose process dies at one of its calls, before or after it."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.dies_at = -1
        self.calls = 0

    def _count(self) -> None:
        if self.calls == self.dies_at:
            self.dies_at = -1
            raise Died
        self.calls += 1

    async def begin(self, *given: Any, link: Link | None = None) -> Any:
        self._count()
        made = await super().begin(*given, link=link)
        self._count()
        return made

    async def sent(self, *given: Any) -> None:
        self._count()
        await super().sent(*given)
        self._count()


@dataclass
class Town:
    """A run that was asked in a channel, and what shows it."""

    database: Database
    standin: ConnectorStandin
    connector: Connector
    run: ChatRun
    outbox: DyingOutbox
    links: Links
    issuer: Issuer
    owners: TeamOwners
    ambiguous: list[int] = field(default_factory=list)

    def surface(self) -> TeamsSurface:
        """As a process has it that knows nothing but the database."""
        return TeamsSurface(
            access=self.access(),
            delivery=self.delivery(),
            downloads=FileDownloads(CLOUDS["public"], max_bytes=1),
            outbox=self.outbox,
            sessions=Sessions(self.database),
            every=0.01,
        )

    def delivery(self) -> OutcomeDelivery:
        return OutcomeDelivery(
            self.connector,
            self.outbox,
            TeamsPlaces(self.database),
            ChatJobs(self.database),
            on_ambiguous=lambda: self.ambiguous.append(1),
        )

    def access(self) -> TeamsAccess:
        return TeamsAccess(
            connector=self.connector,
            links=self.links,
            places=TeamsPlaces(self.database),
            rights=self.rights(),
            settings=TeamSettingsStore(self.database),
        )

    def rights(self) -> TeamRights:
        return TeamRights(
            owners=self.owners,
            places=TeamsPlaces(self.database),
            settings=TeamSettingsStore(self.database),
        )

    async def live(self, outcome: Any = None) -> bool:
        """One attempt of the run, as the handler makes it; whether it came to its end."""
        surface = self.surface()
        try:
            if (before := await surface.ending(self.run)) is not None and before.posted:
                return True
            opened = await surface.open(self.run)
            if isinstance(opened, Denial):
                await surface.refuse(self.run, opened)
                return True
            async with surface.progress(self.run) as on_step:
                on_step(Step(name="search", number=1, state="started", title="Searching"))
                await asyncio.sleep(0.02)
            await surface.show(self.run, finished(outcome or answered()), None, None)
        except (MasisError, Died):
            return False
        return True

    async def live_on(self) -> None:
        """As often as the engine tries."""
        for _ in range(6):
            if await self.live():
                return

    @property
    def outcomes(self) -> list[str]:
        return [said for each in self.standin.shown if WORKING not in (said := words(each))]


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    async with made(tmp_path) as found:
        yield found


@asynccontextmanager
async def made(folder: Path) -> AsyncIterator[Town]:
    """A town in a folder."""
    async with AsyncExitStack() as closing:
        await asyncio.to_thread(copy_to, folder / "masis.db")
        issuer = await closing.enter_async_context(issuing())
        standin = await closing.enter_async_context(connecting())
        standin.slow_seconds = 0.6
        standin.members[ANN] = member()
        database = await Database.open(folder / "masis.db")
        closing.push_async_callback(database.close)
        http, time = BoundedHttp(seconds=0.3), Time()
        closing.push_async_callback(http.close)
        secret = load(teams_app_id=APP, teams_app_secret=SECRET, teams_home_tenant=HOME)
        cloud = CLOUDS["public"].model_copy(
            update={"login_url": issuer.url, "graph_url": issuer.url}
        )
        token = ClientToken(
            http, cloud=cloud, app_id=APP, secret=secret.teams_app_secret, home_tenant=HOME
        )
        windows = Windows(Clock(time.now, time.sleep))
        connector = Connector(http, app_id=APP, token=token, hosts=HOSTS, windows=windows)
        workspace = await SqlRepository(database).create_workspace(TEAM.owner, "handbook")
        place = TeamsPlace(
            tenant=TEAM,
            kind="channel",
            conversation=CHANNEL,
            service_url=standin.url,
            seen_at=NOON,
        )
        await TeamsPlaces(database).keep(place)
        links = Links(database)
        link = Link(
            tenant=TEAM,
            channel=place.id,
            workspace_id=workspace.id,
            linked_by="operator",
            linked_at=NOON,
        )
        await links.link(link)
        run = a_run(
            "r1", workspace, tenant=TEAM, surface=TEAMS, channel=place.id, thread=ROOT, asker=ANN
        )
        await insert(database, run)
        owners = TeamOwners(http, cloud=cloud, app_id=APP, secret=secret.teams_app_secret)
        outbox = DyingOutbox(database)
        yield Town(database, standin, connector, run, outbox, links, issuer, owners)


async def test_answer_takes_the_placeholders_place(town: Town) -> None:
    assert await town.live()
    (message,) = town.standin.shown
    assert "26 days" in words(message)
    assert (message.conversation, message.thread) == (CHANNEL, ROOT)
    assert WORKING in words_of(message.versions[0])
    assert violations(message.activity) == []
    assert await town.live(), "a second attempt shows nothing twice"
    assert len(town.standin.shown) == 1


def words_of(activity: dict[str, Any]) -> str:
    return str(activity["attachments"][0]["content"])


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("verb", ["POST", "PUT"])
async def test_faults_leave_one_outcome(town: Town, verb: str, fault: Fault) -> None:
    town.standin.fail(verb, fault, fault)
    await town.live_on()
    assert len(town.outcomes) == 1, [words(each) for each in town.standin.shown]
    assert "26 days" in town.outcomes[0]


@pytest.mark.parametrize("moment", range(9))
async def test_death_leaves_one_outcome(town: Town, moment: int) -> None:
    """Before and after each row is written: the placeholder's, the outcome's."""
    town.outbox.dies_at = moment
    await town.live_on()
    assert len(town.outcomes) == 1
    assert "26 days" in town.outcomes[0]


async def test_progress_never_covers_an_outcome(town: Town) -> None:
    """A process that goes on with a run does not know that another one has shown its report."""
    workspace = await SqlRepository(town.database).workspace_by_id(town.run.workspace_id)
    assert workspace is not None
    await town.surface().open(town.run)
    await town.surface().ingested(town.run, workspace, [])
    await town.surface().uploading(town.run, workspace, ["a.md"], [])
    await town.surface().ingested(town.run, workspace, [])
    (message,) = town.standin.shown
    assert WORKING not in words(message)
    assert len(message.versions) == 2


async def test_no_progress_is_shown_over_an_outcome(town: Town) -> None:
    """A run goes on whose process died between its outcome and its end."""
    await town.live()
    surface = town.surface()
    async with surface.progress(town.run) as on_step:
        for number in (1, 2):
            on_step(Step(name="search", number=number, state="started", title="Searching"))
            await asyncio.sleep(0.05)
    (message,) = town.standin.shown
    assert "26 days" in words(message)


async def test_deleted_placeholder_is_posted_once(town: Town) -> None:
    surface = town.surface()
    await surface.open(town.run)
    (placeholder,) = town.standin.shown
    placeholder.deleted = True
    await surface.show(town.run, finished(answered()), None, None)
    assert len(town.outcomes) == 1


async def test_doubtful_repost_is_not_repeated(town: Town) -> None:
    surface = town.surface()
    await surface.open(town.run)
    town.standin.shown[0].deleted = True
    town.standin.fail("POST", "taken, then dropped")
    await surface.show(town.run, finished(answered()), None, None)
    await town.surface().show(town.run, finished(answered()), None, None)
    apologies = [each for each in town.standin.shown if "If you do not see it" in words(each)]
    assert [each.targeted for each in apologies] == [f"8:orgid:{ANN}"]
    assert sum("26 days" in said for said in town.outcomes) == 1
    assert town.ambiguous


@pytest.mark.parametrize("times", range(1, 8))
async def test_flaky_placeholder_never_stays(town: Town, times: int) -> None:
    """Teams says so often that a message is not there which is."""
    surface = town.surface()
    await surface.open(town.run)
    town.standin.fail("PUT", *[404] * times)
    town.standin.fail("DELETE", *[404] * (times - 4))
    await surface.show(town.run, finished(answered()), None, None)
    assert sum("26 days" in said for said in town.outcomes) == 1
    assert len(town.standin.shown) == (1 if times < 5 else 2)
    assert town.standin.verbs().count("POST") == (1 if times < 4 else 2)
    due = await left_to_do(town)
    assert len(due) == (1 if times > 4 else 0)
    for leftover in due:
        assert isinstance(leftover, TakeBack)
        spot = Spot(town.standin.url, CHANNEL)
        while not await town.connector.delete(spot, leftover.message):
            assert times > 5
    assert [each for each in town.standin.shown if WORKING in words(each)] == []


async def left_to_do(town: Town) -> list[Work]:
    """What the workers find when its time has come."""
    async with town.database.write() as connection:
        await connection.execute(update(chat_jobs).values(due_at=now()))
    return [read(each.work) for each in await ChatJobs(town.database).claim(TEAMS, 10)]


@pytest.mark.parametrize("fault", [502, "dropped", 504])
async def test_lost_refusal_is_told_later(town: Town, fault: Fault) -> None:
    """It is stored until it is told."""
    town.standin.fail("POST", fault)
    await town.surface().refuse(town.run, Denial(reason="Not here."))
    assert town.standin.shown == []
    (notice,) = await left_to_do(town)
    assert isinstance(notice, Tell)
    assert "Not here." in words_of(notice.shown)
    await town.surface().refuse(town.run, Denial(reason="Not here."))
    assert await left_to_do(town) == [notice], "a second attempt of the run tells nothing more"


async def test_unsent_repost_is_tried_again(town: Town) -> None:
    """What was certainly not taken is no outcome yet."""
    surface = town.surface()
    await surface.open(town.run)
    town.standin.shown[0].deleted = True
    town.standin.fail("POST", *[429] * 5)
    with pytest.raises(Unavailable):
        await surface.show(town.run, finished(answered()), None, None)
    await town.surface().show(town.run, finished(answered()), None, None)
    assert len(town.outcomes) == 1


async def test_found_placeholder_keeps_its_outcome(town: Town) -> None:
    """It was said to be gone, and the post in its stead was certainly not taken."""
    surface = town.surface()
    await surface.open(town.run)
    town.standin.fail("PUT", *[404] * 4)
    town.standin.fail("POST", *[429] * 5)
    with pytest.raises(Unavailable):
        await surface.show(town.run, finished(answered()), None, None)
    await town.surface().show(town.run, finished(answered()), None, None)
    await clear_away(town)
    assert len(town.outcomes) == 1, "what takes placeholders away took the outcome"
    assert len(town.standin.shown) == 1


@pytest.mark.parametrize("moment", range(2, 7))
async def test_found_placeholder_of_a_dead_repost_is_left(town: Town, moment: int) -> None:
    """The process died about the post that stands for a placeholder which is there after all."""
    await town.surface().open(town.run)
    town.standin.fail("PUT", *[404] * 4)
    town.outbox.calls, town.outbox.dies_at = 0, moment
    with pytest.raises(Died):
        await town.surface().show(town.run, finished(answered()), None, None)
    await town.surface().show(town.run, finished(answered()), None, None)
    await clear_away(town)
    assert sum("26 days" in said for said in town.outcomes) <= 1
    assert town.outcomes, "nobody is told anything"


async def clear_away(town: Town) -> None:
    """Do the jobs that take placeholders away."""
    for leftover in await left_to_do(town):
        if isinstance(leftover, TakeBack):
            await town.connector.delete(Spot(town.standin.url, CHANNEL), leftover.message)


@pytest.mark.parametrize("look", [3, 4])
async def test_failed_look_does_not_end_the_repost(
    town: Town, monkeypatch: pytest.MonkeyPatch, look: int
) -> None:
    """The database is away for a moment before the outcome is posted anew."""
    surface = town.surface()
    await surface.open(town.run)
    town.standin.shown[0].deleted = True
    town.standin.fail("PUT", *[404] * 4)
    get, left = TeamsPlaces.get, iter([*[True] * look, False])

    async def failing(places: TeamsPlaces, *given: str) -> TeamsPlace | None:
        if "PUT" in town.standin.verbs() and not next(left, True):
            raise StoreUnavailable("away")
        return await get(places, *given)

    monkeypatch.setattr(TeamsPlaces, "get", failing)
    with pytest.raises(StoreUnavailable):
        await surface.show(town.run, finished(answered()), None, None)
    await town.surface().show(town.run, finished(answered()), None, None)
    assert sum("26 days" in said for said in town.outcomes) == 1


@pytest.mark.parametrize("fault", [None, *FAULTS[:8]])
async def test_who_waited_long_is_reminded_once(town: Town, fault: Fault | None) -> None:
    """By a mention: nobody is told that a message was changed."""
    town.standin.members[ANN] = member(name="Ann *[Example](http://a.b)")
    town.run = town.run.model_copy(
        update={"accepted_at": dt.datetime.now(dt.UTC) - dt.timedelta(seconds=61)}
    )
    surface = town.surface()
    await surface.open(town.run)
    if fault is not None:
        town.standin.fail("POST", fault)
    await surface.show(town.run, finished(answered()), None, None)
    await town.surface().show(town.run, finished(answered()), None, None)
    reminders = [each for each in town.standin.shown if "is above" in str(each.card)]
    assert len(reminders) <= 1
    assert len(reminders) == 1 or fault is not None
    for each in reminders:
        assert each.card["body"][0]["text"].startswith("<at>Ann Example http a b</at>,")
        assert violations(each.activity) == []
    assert sum("26 days" in said for said in town.outcomes) == 1


async def test_quick_answer_reminds_nobody(town: Town) -> None:
    await town.live()
    assert len(town.standin.shown) == 1


async def test_removed_bot_troubles_nobody(town: Town) -> None:
    town.standin.fail("*", *[403] * 20)
    assert await town.live()
    assert town.standin.shown == []


async def test_large_answer_is_apologised_for(town: Town) -> None:
    surface = town.surface()
    await surface.open(town.run)
    town.standin.fail("PUT", 413)
    await surface.show(town.run, finished(answered()), None, None)
    assert "too large" in town.outcomes[0]


async def test_apology_never_stands_beside_an_answer(town: Town) -> None:
    await town.live()
    await town.surface().fail(town.run, "Something broke. Ask again.")
    assert len(town.outcomes) == 1
    assert "26 days" in town.outcomes[0]


async def test_stop_is_shown_unless_removed(town: Town) -> None:
    surface = town.surface()
    await surface.open(town.run)
    await surface.stopped(town.run.model_copy(update={"cancelled_by": BY_REMOVAL}))
    assert town.outcomes == []
    await surface.stopped(town.run.model_copy(update={"cancelled_by": ANN}))
    assert "Stopped" in town.outcomes[0]


async def test_private_refusal_is_targeted(town: Town) -> None:
    await town.surface().refuse(town.run, Denial(reason="Not here."))
    (told,) = town.standin.shown
    assert told.targeted == f"8:orgid:{ANN}"


async def test_private_refusal_falls_back_to_a_chat(town: Town) -> None:
    """Where targeted messages are not taken the asker is told alone."""
    town.standin.fail("POST", 400)
    await town.surface().refuse(town.run, Denial(reason="Not here."))
    (told,) = town.standin.shown
    assert told.conversation == f"a:chat-8:orgid:{ANN}"


async def test_session_expires_once(town: Town) -> None:
    workspace = await SqlRepository(town.database).workspace_by_id(town.run.workspace_id)
    assert workspace is not None
    session: Session = a_session(
        "s_1", workspace, tenant=TEAM, run_id="r1", channel=town.run.channel, thread=ROOT
    )
    surface = town.surface()
    await surface.open(town.run)
    await surface.show(town.run, finished(asked_back()), session, None)
    for _ in range(2):
        await town.surface().expired(town.run, session)
    assert "Nobody replied" in town.outcomes[0]
    assert town.standin.verbs().count("PUT") == 2


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (member(name="Ann Example"), "Answered by Ann Example: “April”"),
        (member(), "Answered: “April”"),
    ],
)
async def test_quick_reply_is_told_with_its_name(
    town: Town, known: dict[str, Any], said: str
) -> None:
    """The question is shown when its reply has been taken."""
    session, _ = await replied(town)
    town.standin.members[ANN] = known
    surface = town.surface()
    await surface.open(town.run)
    await surface.show(town.run, finished(asked_back()), session, None)
    assert said in town.outcomes[0]


async def replied(town: Town) -> tuple[Session, ChatRun]:
    """Let the run's question back be answered, and return its session with the run of the reply."""
    workspace = await SqlRepository(town.database).workspace_by_id(town.run.workspace_id)
    assert workspace is not None
    where = {"channel": town.run.channel, "thread": ROOT}
    far = dt.datetime.now(dt.UTC) + dt.timedelta(hours=1)
    session = a_session("s_1", workspace, tenant=TEAM, run_id="r1", expires_at=far, **where)
    await Sessions(town.database).open(session)
    reply = a_run("r2", workspace, tenant=TEAM, surface=TEAMS, session_id="s_1", **where)
    await insert(town.database, reply)
    now = dt.datetime.now(dt.UTC)
    taken = await town.database.transact(
        lambda sync: take(sync, "s_1", TEAM, user=ANN, reply="April", next_run_id="r2", now=now)
    )
    assert taken
    return session, reply


async def test_run_of_a_reply_closes_its_question(town: Town) -> None:
    """Whoever took the reply in may have died before it was shown."""
    surface = town.surface()
    await surface.open(town.run)
    await surface.show(town.run, finished(asked_back()), None, None)
    town.standin.members[ANN] = member(name="Ann Example")
    _, reply = await replied(town)
    await surface.open(reply)
    assert "Answered by Ann Example: “April”" in words(town.standin.shown[0])


async def test_broken_off_refusal_says_why(town: Town) -> None:
    """The reason is not kept: it is what it would be now."""
    town.outbox.dies_at = 1
    with pytest.raises(Died):
        await town.surface().refuse(town.run, Denial(reason="Not here."))
    await town.links.unlink(TEAM, town.run.channel)
    await town.surface().refuse(town.run, Denial(reason="It was broken off.", private=False))
    (told,) = town.standin.shown
    assert sentences.WITHHELD_UNLINKED in words(told)


@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize("outcome", [answered(), asked_back()])
async def test_relink_after_admission_shows_nothing(town: Town, outcome: Any, direct: bool) -> None:
    """Between the look at the link and the post the channel was linked to something else."""
    run = town.run.model_copy(update={"direct": direct})
    surface = town.surface()
    await surface.open(run)
    link = await surface.admit(run)
    assert isinstance(link, Link)
    other = await SqlRepository(town.database).create_workspace(TEAM.owner, "contracts")
    await town.links.link(link.model_copy(update={"workspace_id": other.id}))

    with pytest.raises(LinkChanged):
        await surface.show(run, finished(outcome), None, link)
    assert town.outcomes == []
    assert isinstance(await surface.admit(run), Denial)


async def test_access_follows_the_link(town: Town) -> None:
    surface = town.surface()
    assert not isinstance(await surface.admit(town.run), Denial)
    await town.links.suspend(TEAM, town.run.channel, "archived")
    assert isinstance(await surface.admit(town.run), Denial)
    await town.links.unlink(TEAM, town.run.channel)
    assert isinstance(await surface.admit(town.run), Denial)


@pytest.mark.parametrize(
    ("known", "is_admitted"),
    [
        (member(), True),
        (member(role="owner"), True),
        (member(role="guest"), False),
        (member(role="anonymous"), False),
        (member(tenant="aaaaaaaa-0000-0000-0000-00000000000f"), False),
        (None, False),
    ],
)
async def test_members_alone_are_admitted(
    town: Town, known: dict[str, Any] | None, is_admitted: bool
) -> None:
    town.standin.members = {} if known is None else {ANN: known}
    admitted = await town.surface().admit(town.run)
    assert isinstance(admitted, Denial) is not is_admitted


async def test_slow_teams_holds_no_message_up(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose channels are not told in time is asked again by the next delivery."""
    monkeypatch.setattr("bot.teams.teams_access.LOOK_SECONDS", 0.02)
    town.standin.slow_seconds = 0.5
    town.standin.fail("GET", "slow")
    access = town.access()
    with pytest.raises(Unavailable):
        await access.reachable(HOME, ANN)
    monkeypatch.setattr("bot.teams.teams_access.LOOK_SECONDS", 10.0)
    assert [each.channel for each in await access.reachable(HOME, ANN)] == [town.run.channel]


async def test_membership_is_known_through_all_attempts() -> None:
    """Each attempt at a message gets further by what those before it found out."""
    pauses = sum(min(2.0**attempt, MOST_PAUSE) for attempt in range(1, MOST_ATTEMPTS))
    assert pauses < REMEMBERED_SECONDS
    assert REMEMBERED_SECONDS > 5 * LOOK_SECONDS


async def test_new_member_is_let_in_at_once(town: Town) -> None:
    """Whoever was in no team a moment ago is looked for again."""
    town.standin.members = {}
    access = town.access()
    assert await access.reachable(HOME, ANN) == []
    town.standin.members = {ANN: member()}
    assert [each.channel for each in await access.reachable(HOME, ANN)] == [town.run.channel]
    assert await access.reachable(HOME, ANN)
    assert town.standin.verbs().count("GET") == 2, "who is in a team is remembered"


async def test_many_links_hide_none(town: Town) -> None:
    """Somebody is in one channel of an organisation that has many."""
    for number in range(80):
        other = Tenant(chat=TEAMS, enterprise=HOME, team=f"aaaaaaaa-0000-0000-0000-{number:012}")
        made = await SqlRepository(town.database).create_workspace(other.owner, "theirs")
        link = Link(
            tenant=other,
            channel=f"c{number}",
            workspace_id=made.id,
            linked_by="operator",
            linked_at=NOON,
        )
        await town.links.link(link)
    found = await town.access().reachable(HOME, ANN)
    assert [each.channel for each in found] == [town.run.channel]
    alone = town.run.model_copy(update={"direct": True})
    assert not isinstance(await town.surface().admit(alone), Denial)


async def test_team_is_asked_once_for_all_channels(town: Town) -> None:
    """A standard channel has all members of its team."""
    for number in range(30):
        link = (await town.links.all(TEAM))[0]
        await town.links.link(link.model_copy(update={"channel": f"c{number}"}))
    assert len(await town.access().reachable(HOME, ANN)) == 31
    assert town.standin.verbs().count("GET") == 1


@settings(
    max_examples=examples(10),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    faults=st.lists(st.tuples(st.sampled_from(["POST", "PUT"]), st.sampled_from(FAULTS[:-1]))),
    moment=st.integers(-1, 9),
)
async def test_no_tale_ends_in_two_outcomes(
    tmp_path_factory: pytest.TempPathFactory, faults: list[tuple[str, Fault]], moment: int
) -> None:
    folder = tmp_path_factory.mktemp("tale")
    async with made(folder) as town:
        for verb, fault in faults[:8]:
            town.standin.fail(verb, fault)
        town.outbox.dies_at = moment
        await town.live_on()
        town.standin.faults.clear()
        await town.live_on()
        assert len(town.outcomes) == 1
    shutil.rmtree(folder)
