"""Whose turn it is when many ask, what they are told, and who is refused."""

import datetime as dt
from collections.abc import Sequence

import psycopg
import pytest
import sqlalchemy as sa

from masis.conversation import Acceptance, ChatRun, RunStatus, Session, TeamSettings, Tenant
from masis.domain import Workspace
from masis.policy import TYPICAL_RUN_SECONDS
from masis.spending import Budget, Charge, Payer
from storage.admission import acceptance
from storage.admission.acceptance import admit, let_through
from storage.admission.quota_settings import Limits
from storage.chat import requests
from storage.chat.sessions import Sessions
from storage.chat.team_settings import TeamSettingsStore
from storage.documents.repository import SqlRepository
from storage.models.ledger import SqlLedger
from storage.sql.database import Database
from storage.sql.moments import instant
from storage.sql.tables import executors

TENANT = Tenant(team="T1")
NOW = dt.datetime.now(dt.UTC)


class House:
    """Requests of several workspaces of one team, of which so many are worked on at a time."""

    def __init__(self, database: Database, repository: SqlRepository) -> None:
        self.database = database
        self.limits = Limits(runs_at_once=1)
        self.started: list[str] = []
        self._repository = repository
        self._asked = 0

    async def ask(self, name: str, count: int = 1, **more: object) -> list[Acceptance]:
        """So many questions to the workspace of that name, by as many people."""
        workspace = await self._repository.create_workspace(TENANT.owner, name)
        runs = [self._run(workspace, name, **more) for _ in range(count)]
        return await self.database.transact(lambda within: self._admit(within, runs))

    async def end(self, run_id: str, took: float = 1.0, status: RunStatus = "finished") -> None:
        """A request that is at work ends."""
        began = NOW - dt.timedelta(seconds=took)

        def end(within: sa.Connection) -> None:
            requests.mark(within, run_id, "running", at=began)
            requests.mark(within, run_id, status, at=NOW)
            let_through(within, self._enqueue, self.limits)

        await self.database.transact(end)

    async def end_all(self) -> list[str]:
        """Everything comes to its end, in the order in which it started; gives that order."""
        done = 0
        while done < len(self.started):
            await self.end(self.started[done])
            done += 1
        return self.started

    async def mark_cancelled(self, run_id: str) -> None:
        """Somebody stops a request, and nobody has heard of it yet."""
        await self.database.transact(lambda within: requests.mark_cancelled(within, run_id, "U9"))

    async def cancel(self, run_id: str) -> None:
        """Somebody stops a request."""

        def cancel(within: sa.Connection) -> None:
            requests.mark_cancelled(within, run_id, "U9")
            let_through(within, self._enqueue, self.limits)

        await self.database.transact(cancel)

    def _admit(self, within: sa.Connection, runs: Sequence[ChatRun]) -> list[Acceptance]:
        moment = instant(within)
        return [admit(within, run, moment, self._enqueue, self.limits) for run in runs]

    def _enqueue(self, _connection: sa.Connection, run_id: str, _workspace_id: str) -> None:
        self.started.append(run_id)

    def _run(self, workspace: Workspace, name: str, **more: object) -> ChatRun:
        self._asked += 1
        values: dict[str, object] = {
            "id": f"{name}{self._asked}",
            "tenant": TENANT,
            "channel": name,
            "asker": f"U{self._asked}",
            "question": "When?",
            "query": "When?",
            "workspace_id": workspace.id,
        }
        return ChatRun.model_validate(values | more)


@pytest.fixture
async def house(database: Database, repository: SqlRepository) -> House:
    generous = TeamSettings(channel_per_minute=1000, workspace_per_minute=1000)
    await TeamSettingsStore(database).save(TENANT, generous)
    return House(database, repository)


# --- turns ---------------------------------------------------------------------------------


async def test_second_workspace_passes_long_queue(
    house: House,
) -> None:
    """One question of another workspace is next after fifty of the first."""
    await house.ask("a", 50)
    await house.ask("b")
    await house.end("a1")
    assert house.started == ["a1", "b51"]


async def test_workspaces_alternate_keeping_own_order(house: House) -> None:
    """Workspaces take turns and keep their own order."""
    await house.ask("a", 4)
    await house.ask("b", 2)
    await house.ask("c")
    assert await house.end_all() == ["a1", "b5", "c7", "a2", "b6", "a3", "a4"]


async def test_recently_served_workspace_goes_last(house: House) -> None:
    """Who had a turn lately is behind who did not."""
    await house.ask("a")
    await house.ask("b")
    await house.ask("a")
    await house.end("a1")
    await house.ask("c")
    assert (await house.end_all())[1:] == ["b2", "c4", "a3"]


async def test_admissions_match_capacity_of_processes(house: House, database: Database) -> None:
    """As many are let through as all processes work on."""
    house.limits = Limits(runs_at_once=2)
    rows = [
        {
            "id": name,
            "started_at": NOW,
            "heartbeat_at": NOW,
            "claimed_by": "",
            "claimed_until": None,
        }
        for name in ("one", "two")
    ]
    await database.transact(lambda within: within.execute(sa.insert(executors), rows).close())
    await house.ask("a", 3)
    await house.ask("b", 3)
    assert house.started == ["a1", "a2", "a3", "b4"]


async def test_cancelled_run_starts_at_once(house: House) -> None:
    """One that was cancelled waits for nobody."""
    await house.ask("a", 3)
    await house.cancel("a3")
    assert house.started == ["a1", "a3"]


async def test_blocked_thread_passes_its_turn(house: House) -> None:
    """A turn that its thread holds up goes to the next."""
    await house.ask("a", 2, channel="C1", thread="1.0")
    await house.ask("a")
    await house.ask("b")
    assert await house.end_all() == ["a1", "b4", "a2", "a3"]


async def test_each_transaction_admits_bounded_runs(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One transaction lets so many through and the next end the rest."""
    monkeypatch.setattr(acceptance, "_AT_ONCE", 2)
    await house.ask("a", 6)
    for run_id in ("a4", "a5", "a6"):
        await house.mark_cancelled(run_id)
    house.limits = Limits(runs_at_once=50)
    await house.end("a1")
    assert house.started == ["a1", "a4", "a5"]
    await house.end("a4")
    assert house.started == ["a1", "a4", "a5", "a6", "a2"]


# --- the clock -----------------------------------------------------------------------------


async def test_the_server_s_clock_alone_counts(postgres_url: str) -> None:
    """It is two days ahead of this process's."""
    database = await Database.open(postgres_url)
    name = sa.make_url(postgres_url).database
    ahead = "SELECT pg_catalog.clock_timestamp() + interval '2 days'"
    later = (
        "CREATE SCHEMA ahead",
        f"CREATE FUNCTION ahead.clock_timestamp() RETURNS timestamptz LANGUAGE sql RETURN ({ahead})",
        f"ALTER DATABASE {name} SET search_path = ahead, pg_catalog, public",
    )
    try:
        repository = SqlRepository(database)
        workspace = await repository.create_workspace(TENANT.owner, "a")
        await Sessions(database).open(parked(workspace))
        with psycopg.connect(postgres_url, autocommit=True) as beside:
            for statement in later:
                beside.execute(statement.encode())
        await database.close()
        database = await Database.open(postgres_url)
        await spend(database, workspace, 1000, 0, at=dt.datetime.now(dt.UTC))
        house = House(database, SqlRepository(database))
        house.limits = Limits(runs_at_once=50, budget=Budget(tokens=1000))
        (spent,) = await house.ask("a")
        house.limits = Limits(runs_at_once=50)
        (late,) = await house.ask("a", session_id="s")
        (taken,) = await house.ask("a")
        (run,) = await requests.ChatRuns(database).open_runs(None)
        spending = await SqlLedger(database).spent(workspace.id)
    finally:
        await database.close()
        with psycopg.connect(postgres_url, autocommit=True) as beside:
            beside.execute(f"ALTER DATABASE {name} RESET search_path".encode())
            beside.execute(b"DROP SCHEMA ahead CASCADE")
    assert (spent.over_budget, late.state, taken.state) == (True, "too_late", "accepted")
    assert run.accepted_at is not None
    assert run.accepted_at > NOW + dt.timedelta(days=1)
    assert spending.tokens == 1000


def parked(workspace: Workspace) -> Session:
    """A question back to who asked, which waits for a day."""
    return Session(
        id="s",
        tenant=TENANT,
        channel="a",
        thread="1.0",
        asker="U0",
        kind="conflict",
        run_id="before",
        workspace_id=workspace.id,
        question="When?",
        clarification="Which one counts?",
        created_at=NOW,
        expires_at=NOW + dt.timedelta(days=1),
    )


# --- what is told --------------------------------------------------------------------------


async def test_immediate_start_reports_no_wait(house: House) -> None:
    """Who is worked on at once is told of no wait."""
    (only,) = await house.ask("a")
    assert (only.ahead, only.expected_wait_s) == (0, 0.0)


async def test_position_counts_fair_share_of_others(house: House) -> None:
    """A place counts those of others who are served before."""
    await house.ask("a", 9)
    first, second = await house.ask("b", 2)
    assert (first.ahead, second.ahead) == (1, 3)


async def test_expected_wait_follows_recent_durations(house: House) -> None:
    """The expected wait follows how long the last ones took."""
    await house.ask("a")
    (guessed,) = await house.ask("b")
    assert guessed.expected_wait_s == TYPICAL_RUN_SECONDS
    await house.ask("a", 2)
    for run_id in ("a1", "b2", "a3"):
        await house.end(run_id, took=50)
    (measured,) = await house.ask("c")
    assert measured.expected_wait_s == pytest.approx(50)


async def test_expected_wait_ignores_uploads(
    house: House,
) -> None:
    """Uploads and what was cancelled do not change the expected wait."""
    await house.ask("a", 3, kind="upload")
    await house.ask("a", 4)
    for run_id in ("a1", "a2", "a3"):
        await house.end(run_id, took=290)
    for run_id in ("a4", "a5", "a6"):
        await house.end(run_id, took=0.01, status="cancelled")
    (guessed,) = await house.ask("b")
    assert guessed.expected_wait_s == TYPICAL_RUN_SECONDS


async def test_expected_wait_resists_one_odd_run(house: House) -> None:
    """One run that took long does not make the expected wait absurd."""
    await house.ask("a", 4)
    for run_id, seconds in (("a1", 9), ("a2", 9), ("a3", 500)):
        await house.end(run_id, took=seconds)
    (told,) = await house.ask("b")
    assert told.expected_wait_s == pytest.approx(9)


async def test_busy_workspace_waits_for_own_runs(house: House, database: Database) -> None:
    """A workspace with enough at work waits for its own."""
    house.limits = Limits(runs_at_once=50)
    settings = TeamSettings(workspace_running=2, channel_per_minute=100)
    await TeamSettingsStore(database).save(TENANT, settings)
    told = await house.ask("a", 4)
    waits = [each.expected_wait_s / TYPICAL_RUN_SECONDS for each in told]
    assert waits == [0, 0, 0.5, 1]


# --- what is refused -----------------------------------------------------------------------


async def test_overlong_wait_is_refused(house: House) -> None:
    """Who would wait over ten minutes is refused at once."""
    await house.ask("a", 4)
    for run_id in ("a1", "a2", "a3"):
        await house.end(run_id, took=110)
    told = await house.ask("a", 6)
    assert [each.state for each in told] == ["accepted"] * 5 + ["over_quota"]
    assert told[-1].reason.startswith("You would wait about 11 minutes for an answer")


async def test_spent_budget_refuses_until_midnight(
    house: House, database: Database, repository: SqlRepository
) -> None:
    """A workspace that spent its budget is refused until midnight."""
    house.limits = Limits(budget=Budget(tokens=1000, cost=500))
    for name, tokens, cost in (("a", 1000, 1), ("b", 999, 499), ("c", 1, 500)):
        await spend(database, await repository.create_workspace(TENANT.owner, name), tokens, cost)
    (spent,), (nearly,), (money,) = [await house.ask(name) for name in "abc"]
    assert spent.reason == (
        "This workspace used up its 1,000 tokens for today. Ask again after midnight UTC, or ask"
        " who runs MASIS for more."
    )
    assert money.reason.startswith("This workspace used up its money for today.")
    assert [each.over_budget for each in (spent, nearly, money)] == [True, False, True]
    assert house.started == ["b2"]


async def test_yesterdays_spending_refuses_nobody(
    house: House, database: Database, repository: SqlRepository
) -> None:
    house.limits = Limits(budget=Budget(tokens=10))
    workspace = await repository.create_workspace(TENANT.owner, "a")
    await spend(database, workspace, 1000, 0, at=NOW - dt.timedelta(days=1))
    (only,) = await house.ask("a")
    assert only.state == "accepted"


async def spend(
    database: Database, workspace: Workspace, tokens: int, cost: int, at: dt.datetime = NOW
) -> None:
    charge = Charge(
        id=f"{workspace.name}-{at}",
        payer=Payer(tenant=TENANT, workspace_id=workspace.id),
        role="writer",
        model="gpt-4o",
        prompt_tokens=tokens,
        completion_tokens=0,
        cost=cost,
        at=at,
    )
    await SqlLedger(database).write([charge])
