import pytest

from masis.domain import Workspace
from storage.chat.trails import Trails
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.storage.chat.samples import NO_IDS, NO_TENANTS, OURS, THEIRS, a_run, insert, keep


@pytest.fixture
def trails(database: Database) -> Trails:
    return Trails(database)


async def test_trail_is_found_in_any_workspace(
    trails: Trails, database: Database, workspace: Workspace, repository: SqlRepository
) -> None:
    """A trail is found in whichever workspace it was asked."""
    second = await repository.create_workspace(OURS.owner, "second")
    for run in (a_run("run-1", workspace), a_run("run-2", second)):
        await insert(database, run)
        await keep(database, run, "42")
        trail = await trails.of(OURS, run.id)
        assert trail is not None
        assert trail == await repository.run(run.workspace_id, run.id)
        assert trail.evidence[0].text == "42"


async def test_running_request_has_no_trail(
    trails: Trails, database: Database, workspace: Workspace
) -> None:
    """A request that goes on has no trail yet."""
    await insert(database, a_run("run-1", workspace))
    assert await trails.of(OURS, "run-1") is None


async def test_another_tenant_finds_no_trail(
    trails: Trails, database: Database, workspace: Workspace
) -> None:
    run = a_run("run-1", workspace)
    await insert(database, run)
    await keep(database, run)
    for tenant in [*NO_TENANTS, THEIRS]:
        assert await trails.of(tenant, "run-1") is None


async def test_run_outside_chat_has_no_trail(
    trails: Trails, database: Database, workspace: Workspace
) -> None:
    """What nobody asked in a chat has no trail there."""
    await keep(database, a_run("from the command line", workspace))
    assert await trails.of(OURS, "from the command line") is None
    for value in NO_IDS:
        assert await trails.of(OURS, value) is None
