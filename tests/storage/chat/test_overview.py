from masis.domain import Workspace
from storage.chat.outbox import Outbox
from storage.chat.overview import overview
from storage.sql.database import Database
from tests.storage.chat.samples import NO_TENANTS, NOON, OURS, THEIRS, a_run, insert, seconds


async def test_requests_come_newest_first(
    database: Database, workspace: Workspace, their_workspace: Workspace
) -> None:
    """One teams requests or all come newest first with their messages."""
    await insert(
        database,
        a_run("old", workspace, status="finished", finished_at=NOON),
        a_run("new", workspace, accepted_at=seconds(2)),
        a_run("theirs", their_workspace, tenant=THEIRS, accepted_at=seconds(1)),
    )
    await Outbox(database).begin("old", "answer", 0, "C1", "1.1")

    everybody = await overview(database, None, None, 9)
    assert [seen.run.id for seen in everybody] == ["new", "theirs", "old"]
    assert [seen.messages for seen in everybody] == [set(), set(), {"answer"}]
    assert [seen.run.id for seen in await overview(database, OURS, None, 9)] == ["new", "old"]
    assert [seen.run.id for seen in await overview(database, OURS, "finished", 9)] == ["old"]
    assert [seen.run.id for seen in await overview(database, None, None, 1)] == ["new"]
    assert await overview(database, None, None, 0) == []


async def test_invalid_team_has_no_requests(database: Database, workspace: Workspace) -> None:
    """What is no team has no requests."""
    await insert(database, a_run("r1", workspace))
    for tenant in NO_TENANTS[1:]:  # None is the operator's word for all
        assert await overview(database, tenant, None, 9) == []
