from typing import Any, Final

import pytest
from sqlalchemy import select

from masis.conversation import TEAMS, AdminAction, ChatRun, TeamSettings, Tenant, Vote
from masis.domain import Workspace
from storage.chat import sessions as session_steps
from storage.chat.admin_log import AdminLog
from storage.chat.deduplication import Claims
from storage.chat.links import Links
from storage.chat.outbox import Outbox
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.votes import Votes
from storage.documents.repository import SqlRepository
from storage.privacy.person import NOBODY
from storage.privacy.purge import Purge, PurgeReport
from storage.sql.database import Database
from storage.sql.scope import tenant_values
from storage.sql.tables import metadata
from tests.storage.beside import occurrences
from tests.storage.chat.samples import (
    NO_IDS,
    NO_TENANTS,
    NOON,
    OURS,
    THEIRS,
    a_link,
    a_run,
    a_session,
    insert,
    keep,
    seconds,
)

WORDS: Final = "flamingo budget 4711"
GONER: Final = "U0GONER"
STAYER: Final = "U0STAYER"


class Rows:
    """All rows of the database, as plain values, to compare before and after."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, *tables: str) -> dict[str, list[dict[str, Any]]]:
        async with self._database.read() as connection:
            return {
                table.name: [
                    dict(row)
                    for row in (
                        await connection.execute(select(table).order_by(*table.primary_key))
                    ).mappings()
                ]
                for table in metadata.sorted_tables
                if not tables or table.name in tables
            }

    async def of_tenant(self, tenant: Tenant, workspace: Workspace) -> dict[str, Any]:
        """Every row that names the tenant or its workspace."""

        def theirs(row: dict[str, Any]) -> bool:
            if "team" in row:
                return all(row[name] == value for name, value in tenant_values(tenant).items())
            if "run_id" in row and row["run_id"].endswith(f" of {tenant.team}"):
                return True
            return workspace.id in (row.get("workspace_id"), row.get("id"))

        return {
            name: [row for row in rows if theirs(row)] for name, rows in (await self.of()).items()
        }


class Team:
    """A team in which a goner and a stayer talked to each other through MASIS."""

    def __init__(self, database: Database, tenant: Tenant, workspace: Workspace) -> None:
        self.database = database
        self.tenant = tenant
        self.workspace = workspace

    def run(self, name: str, **other: Any) -> ChatRun:
        values: dict[str, Any] = {"tenant": self.tenant, "asker": STAYER, "status": "finished"}
        run_id = f"{name} of {self.tenant.team}"
        return a_run(run_id, self.workspace, **values | other)

    async def ask(self, name: str, words: str = "", **other: Any) -> ChatRun:
        """A request that was answered, with everything that is kept of it."""
        run = self.run(name, **{"question": words or name, "query": words or name} | other)
        await insert(self.database, run)
        await keep(self.database, run, words)
        await Outbox(self.database).begin(run.id, "answer", 0, run.channel, run.thread)
        return run

    async def ask_back(
        self, run: ChatRun, *, replied_by: str, reply: str, next_run_id: str | None
    ) -> None:
        sessions, session_id = Sessions(self.database), f"session of {run.id}"
        await sessions.open(
            a_session(
                session_id,
                self.workspace,
                tenant=self.tenant,
                run_id=run.id,
                asker=run.asker,
                thread=run.thread,
                question=run.question,
            )
        )
        assert await self.database.transact(
            lambda connection: session_steps.take(
                connection,
                session_id,
                self.tenant,
                user=replied_by,
                reply=reply,
                next_run_id=next_run_id or "",
                now=seconds(1),
            )
        )

    async def vote(self, run: ChatRun, user: str, reason: str = "") -> None:
        vote = Vote(
            tenant=self.tenant, run_id=run.id, user=user, good=False, reason=reason, at=NOON
        )
        assert await Votes(self.database).cast(vote, self.workspace.id)

    async def talk(self) -> None:
        """The goner's words in every place that they get to, and the stayer's beside them."""
        asked = await self.ask("asked", WORDS, asker=GONER, thread="1")
        reply = self.run("reply")
        await self.ask_back(asked, replied_by=STAYER, reply="the first", next_run_id=reply.id)
        await self.ask(
            "reply", f"{WORDS} the first", reply=WORDS, kind="reply", session_id="s", thread="1"
        )
        await self.ask("wider", WORDS, kind="wider", parent_run_id=reply.id, thread="5")
        await self.ask("follow-up", "and then?", earlier=WORDS, kind="follow_up", thread="1")

        own = await self.ask("own", "stays", thread="2")
        answered = self.run("answered")
        await self.ask_back(own, replied_by=GONER, reply=WORDS, next_run_id=answered.id)
        await self.ask("answered", f"stays {WORDS}", kind="reply", thread="2")
        alone = await self.ask("alone", "stays too", thread="3", cancelled_by=GONER)

        await self.vote(asked, STAYER)
        await self.vote(own, GONER, WORDS)
        await self.vote(alone, STAYER, "stays")
        await self.administer()

    async def administer(self) -> None:
        links, log = Links(self.database), AdminLog(self.database)
        await links.link(a_link(self.workspace, tenant=self.tenant, linked_by=GONER))
        for user in (GONER, STAYER):
            await links.choose_direct(self.tenant, user, self.workspace.id)
            await Claims(self.database).take(self.tenant, f"button:C1:1.1:{user}")
        await TeamSettingsStore(self.database).save(
            self.tenant, TeamSettings(managers=[STAYER, GONER], guests=True)
        )
        for target, detail in [(GONER, f"by <@{GONER}>, not {GONER}2"), ("C1", "acme")]:
            action = {"actor": GONER, "action": "link", "target": target, "detail": detail}
            await log.add(AdminAction(tenant=self.tenant, at=NOON, **action))


@pytest.fixture
async def team(database: Database, workspace: Workspace) -> Team:
    team = Team(database, OURS, workspace)
    await team.talk()
    return team


@pytest.fixture
async def others(database: Database, their_workspace: Workspace) -> Team:
    """Another team where people of the same ids said the same."""
    team = Team(database, THEIRS, their_workspace)
    await team.talk()
    return team


@pytest.fixture
def purge(database: Database) -> Purge:
    return Purge(database)


@pytest.fixture
def rows(database: Database) -> Rows:
    return Rows(database)


# --- a person ------------------------------------------------------------------------------


async def test_forgotten_words_leave_no_byte(team: Team, purge: Purge, location: str) -> None:
    """A forgotten persons words are gone from every byte of the folder."""
    assert occurrences(location, WORDS) > 20
    report = await purge.purge_user(OURS, GONER)
    assert occurrences(location, WORDS) == 0
    assert report == PurgeReport(
        runs=sorted(
            team.run(name).id for name in ("asked", "reply", "wider", "follow-up", "answered")
        ),
        requests=1,
        emptied=4,
        sessions=1,
        votes=2,
    )


async def test_what_was_heard_is_erased(
    workspace: Workspace, purge: Purge, database: Database
) -> None:
    """Whoever wrote what an open request heard of its thread: it goes with anybody's words."""
    await insert(database, a_run("run-1", workspace, asker=STAYER, heard=[WORDS]))
    await purge.purge_user(OURS, GONER)
    run = await ChatRuns(database).get(OURS, "run-1")
    assert run is not None
    assert run.heard == []


async def test_only_the_exact_id_is_erased(team: Team, purge: Purge, location: str) -> None:
    """A forgotten persons id is gone but for others that begin alike."""
    await purge.purge_user(team.tenant, GONER)
    assert occurrences(location, GONER) == occurrences(location, f"{GONER}2")


async def test_what_others_did_and_said_stays(team: Team, purge: Purge, database: Database) -> None:
    await purge.purge_user(team.tenant, GONER)
    left = {run.id: run for run in await ChatRuns(database).recent(OURS, 99)}
    assert left[team.run("own").id].question == "stays"
    assert left[team.run("alone").id].cancelled_by == NOBODY
    replied = left[team.run("reply").id]
    assert (replied.question, replied.query, replied.reply) == ("", "", "")
    assert team.run("asked").id not in left
    session = await Sessions(database).by_id(OURS, f"session of {team.run('own').id}")
    assert session is not None
    assert (session.question, session.reply, session.answered_by) == ("stays", "", NOBODY)
    [voted] = await Votes(database).list(OURS)
    assert (voted.vote.user, voted.question, voted.vote.reason) == (STAYER, "stays too", "stays")
    assert await Outbox(database).of(team.run("alone").id) != []
    assert await Links(database).direct_choice(OURS, STAYER) == team.workspace.id
    assert await Links(database).direct_choice(OURS, GONER) is None
    assert not await Claims(database).take(OURS, f"button:C1:1.1:{STAYER}")


async def test_forgotten_person_actions_become_anonymous(
    team: Team, purge: Purge, database: Database
) -> None:
    """What a forgotten person did stays as nobodys."""
    await purge.purge_user(team.tenant, GONER)
    [link] = await Links(database).all(OURS)
    assert link.linked_by == NOBODY
    settings = await TeamSettingsStore(database).of(OURS)
    assert settings == TeamSettings(managers=[STAYER], guests=True)
    actions = await AdminLog(database).list(OURS)
    assert {(action.actor, action.target, action.detail) for action in actions} == {
        (NOBODY, NOBODY, f"by <@{NOBODY}>, not {GONER}2"),
        (NOBODY, "C1", "acme"),
    }


async def test_same_id_in_other_team_stays(
    team: Team, others: Team, purge: Purge, rows: Rows
) -> None:
    """A person of another team with the same id is left alone."""
    before = await rows.of_tenant(others.tenant, others.workspace)
    await purge.purge_user(team.tenant, GONER)
    assert await rows.of_tenant(others.tenant, others.workspace) == before


async def test_forgetting_unknown_person_changes_nothing(
    team: Team, purge: Purge, rows: Rows
) -> None:
    """Who is not there is forgotten without a change."""
    before = await rows.of()
    for user in [*NO_IDS, "U0GONE", "u0goner", "forgotten"]:
        assert await purge.purge_user(team.tenant, user) == PurgeReport()
    for tenant in [*NO_TENANTS, THEIRS]:
        assert await purge.purge_user(tenant, GONER) == PurgeReport()
        assert await purge.purge_team(tenant) == PurgeReport()
    assert await rows.of() == before


async def test_open_requests_of_person_are_named(
    team: Team, purge: Purge, database: Database
) -> None:
    """Open requests with a persons words are named before."""
    assert await purge.open_requests(OURS, GONER) == []
    asked = team.run("asks now", asker=GONER, status="running")
    follow_up = team.run("follows now", kind="follow_up", status="waiting", thread="1")
    other = team.run("other", status="queued", thread="9")
    await insert(database, asked, follow_up, other)
    assert await purge.open_requests(OURS, GONER) == sorted([asked.id, follow_up.id])
    assert await purge.open_requests(OURS, "") == []
    assert await purge.open_requests(THEIRS, GONER) == []


async def test_forgotten_request_posts_nothing(
    team: Team, purge: Purge, database: Database
) -> None:
    """Nothing is posted for a forgotten request."""
    await purge.purge_user(team.tenant, GONER)
    assert await Outbox(database).of(team.run("asked").id) == []


# --- a team --------------------------------------------------------------------------------


async def test_forgotten_team_leaves_no_trace(
    team: Team, others: Team, purge: Purge, rows: Rows, location: str
) -> None:
    """A forgotten team leaves no row and no byte and the other one is unchanged."""
    second = await SqlRepository(team.database).create_workspace(OURS.owner, "second")
    before = await rows.of_tenant(others.tenant, others.workspace)

    report = await purge.purge_team(team.tenant)

    assert report.workspaces == sorted([team.workspace.id, second.id])
    assert (report.requests, report.sessions, report.votes) == (7, 2, 3)
    assert len(report.runs) == 7
    assert {
        name for name, left in (await rows.of_tenant(OURS, team.workspace)).items() if left
    } == set()
    assert await rows.of_tenant(others.tenant, others.workspace) == before
    assert await rows.of() == before
    await purge.purge_team(others.tenant)
    assert occurrences(location, WORDS) == occurrences(location, GONER) == 0


async def test_organisations_requests_go_with_it(database: Database, purge: Purge) -> None:
    """A team's own stay: it asked the organisation's workspace, and one of its own."""
    team = Tenant(chat=TEAMS, enterprise="E1", team="T1")
    repository = SqlRepository(database)
    shared = await repository.create_workspace(team.organisation_owner, "shared")
    own = await repository.create_workspace(team.owner, "own")
    asked = [a_run(each.name, each, tenant=team) for each in (shared, own)]
    assert await insert(database, *asked) == [True, True]
    report = await purge.purge_team(team.model_copy(update={"team": ""}))
    assert (report.runs, report.requests, report.workspaces) == (["shared"], 1, [shared.id])
    assert [run.id for run in await ChatRuns(database).recent(team, 9)] == ["own"]


# --- a workspace ---------------------------------------------------------------------------


async def test_forgotten_workspace_loses_its_conversations(
    team: Team, others: Team, purge: Purge, rows: Rows, location: str
) -> None:
    """A forgotten workspace takes its conversations along."""
    before = await rows.of_tenant(others.tenant, others.workspace)
    report = await purge.purge_workspace(OURS.owner, team.workspace.id)
    assert report.workspaces == [team.workspace.id]
    assert (report.requests, report.sessions, report.votes) == (7, 2, 3)
    left = {name for name, some in (await rows.of_tenant(OURS, team.workspace)).items() if some}
    assert left == {"admin_log", "claims", "team_settings"}
    assert await rows.of_tenant(others.tenant, others.workspace) == before
    await purge.purge_workspace(THEIRS.owner, others.workspace.id)
    assert occurrences(location, WORDS) == 0


async def test_only_owner_may_forget_workspace(team: Team, purge: Purge, rows: Rows) -> None:
    """A workspace is forgotten by its owner alone."""
    before = await rows.of()
    for owner in [*NO_IDS, THEIRS.owner, "local"]:
        assert await purge.purge_workspace(owner, team.workspace.id) == PurgeReport()
    for scope in [None, "%", ["w"], "w_nothing"]:
        assert await purge.purge_workspace(OURS.owner, scope) == PurgeReport()  # type: ignore[arg-type] # that is the point
    assert await rows.of() == before
