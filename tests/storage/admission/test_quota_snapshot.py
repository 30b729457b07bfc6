import datetime as dt
import re

import pytest
from sqlalchemy import Connection, event

from masis.conversation import TEAMS, ChatRun, TeamSettings, Tenant
from masis.domain import Workspace
from storage.admission.quota_snapshot import QuotaSnapshot, take_snapshot
from storage.chat.team_settings import TeamSettingsStore
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.storage.beside import sqlite_alone
from tests.storage.chat.samples import NOON, OURS, THEIRS, a_run, insert, seconds


@pytest.fixture
async def workspace(our_workspace: Workspace) -> Workspace:
    """Give these tests a workspace of a team, whose quotas they are about."""
    return our_workspace


async def of(database: Database, run: ChatRun, now: dt.datetime = NOON) -> QuotaSnapshot:
    return await database.transact(lambda connection: take_snapshot(connection, run, now))


async def test_team_asks_its_organisations_workspace(
    database: Database, repository: SqlRepository
) -> None:
    """And its quota counts what another team asked of it; neither other organisations nor who is no
    team have any of it.
    """
    ours = Tenant(chat=TEAMS, enterprise="E1", team="T1")
    beside, foreign = (
        ours.model_copy(update={"team": "T2"}),
        ours.model_copy(update={"enterprise": "E2"}),
    )
    shared = await repository.create_workspace(ours.organisation_owner, "handbook")
    await insert(database, a_run("theirs", shared, tenant=beside, accepted_at=NOON, asker="U2"))
    found = await of(database, a_run("new", shared, tenant=ours))
    assert (found.has_workspace, found.workspace_last_minute, found.user_last_minute) == (
        True,
        1,
        0,
    )
    nobody = ours.model_copy(update={"team": "T1\0"})
    for other in (foreign, nobody):
        assert not (await of(database, a_run("new", shared, tenant=other))).has_workspace


async def test_quotas_count_every_dimension(
    database: Database,
    workspace: Workspace,
    repository: SqlRepository,
    their_workspace: Workspace,
) -> None:
    """Quotas are counted by user channel workspace and thread."""
    second = await repository.create_workspace(OURS.owner, "second")
    ago = -30
    await insert(
        database,
        a_run("same in all", workspace, accepted_at=seconds(ago)),
        a_run("ended", workspace, accepted_at=seconds(ago), status="finished"),
        a_run("old but open", workspace, accepted_at=seconds(-90), status="running"),
        a_run("old and ended", workspace, accepted_at=seconds(-90), status="failed"),
        a_run("other user", workspace, accepted_at=seconds(ago), asker="U2", status="waiting"),
        a_run("other channel", workspace, accepted_at=seconds(ago), channel="C2"),
        a_run("other workspace", second, accepted_at=seconds(ago), thread="1.2"),
        a_run("theirs", their_workspace, tenant=THEIRS, accepted_at=seconds(ago)),
    )
    assert await of(database, a_run("new", workspace)) == QuotaSnapshot(
        is_known=False,
        has_workspace=True,
        settings=TeamSettings(),
        user_last_minute=4,
        user_open=4,
        channel_last_minute=4,
        workspace_last_minute=4,
        workspace_open=4,
        workspace_waiting=1,
        workspace_queued=3,
        thread_open=3,
        queued=5,
        going=5,
        workers=0,
        spent_tokens=0,
        spent_cost=0,
    )


async def test_request_ignores_itself_in_counts(database: Database, workspace: Workspace) -> None:
    """A request does not count against itself."""
    run = a_run("run-1", workspace)
    await insert(database, run)
    found = await of(database, run)
    assert found.is_known
    named = {"is_known", "has_workspace", "settings"}
    assert set(found.model_dump(exclude=named).values()) == {0}


async def test_a_minute_ends_after_sixty_seconds(database: Database, workspace: Workspace) -> None:
    await insert(database, a_run("run-1", workspace))
    new = a_run("new", workspace)
    assert (await of(database, new, seconds(59.9))).user_last_minute == 1
    assert (await of(database, new, seconds(60))).user_last_minute == 0
    zone = dt.timezone(dt.timedelta(hours=9))
    assert (await of(database, new, seconds(59.9).astimezone(zone))).user_last_minute == 1


async def test_threadless_requests_share_no_thread(
    database: Database, workspace: Workspace
) -> None:
    """Requests that have no thread yet are in none together."""
    await insert(database, a_run("run-1", workspace, thread=""))
    assert (await of(database, a_run("new", workspace, thread=""))).thread_open == 0


async def test_the_settings_are_the_teams_own(database: Database, workspace: Workspace) -> None:
    ours = TeamSettings(user_running=7, managers=["U1"])
    await TeamSettingsStore(database).save(OURS, ours)
    await TeamSettingsStore(database).save(THEIRS, TeamSettings(user_running=9))
    assert (await of(database, a_run("new", workspace))).settings == ours


@sqlite_alone  # which tells its plans in words; PostgreSQL's depend on how full a table is
async def test_counts_avoid_full_table_scans(database: Database, workspace: Workspace) -> None:
    """Everybody's acknowledgement waits for the counts."""

    def plans(connection: Connection) -> list[str]:
        statements: list[str] = []
        event.listen(
            connection,
            "before_cursor_execute",
            lambda *called: statements.append(str(called[2])),
        )
        take_snapshot(connection, a_run("run-1", workspace), NOON)
        (statement,) = statements
        explained = connection.exec_driver_sql(
            f"EXPLAIN QUERY PLAN {statement}", ("",) * statement.count("?")
        )
        return [row.detail for row in explained]

    reads = [plan for plan in await database.transact(plans) if "chat_runs" in plan]
    assert len(reads) == 3
    for read in reads:
        assert re.search(
            r"INDEX (ix_chat_runs_(status \(status|workspace_id_\w+ \(.* AND )|.*\(id=\?\))", read
        )
