from masis.domain import Workspace
from storage.chat.backlog import Backlog, backlog
from storage.sql.database import Database
from tests.storage.chat.samples import NOON, THEIRS, a_run, insert, seconds


async def test_empty_queue_lacks_oldest_request(database: Database) -> None:
    """An empty queue has no oldest request."""
    assert await backlog(database) == Backlog()


async def test_backlog_counts_all_teams(
    database: Database, workspace: Workspace, their_workspace: Workspace
) -> None:
    """What is open is counted over all teams and the oldest does not run yet."""
    await insert(
        database,
        a_run("running", workspace, status="running", accepted_at=NOON),
        a_run("queued", workspace, status="queued", accepted_at=seconds(20)),
        a_run("waiting", their_workspace, tenant=THEIRS, status="waiting", accepted_at=seconds(10)),
        a_run("ended", workspace, status="failed", accepted_at=NOON, finished_at=seconds(5)),
    )
    assert await backlog(database) == Backlog(waiting=1, queued=1, running=1, oldest=seconds(10))
