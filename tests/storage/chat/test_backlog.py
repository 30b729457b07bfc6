from masis.domain import Workspace
from storage.chat.backlog import Backlog, backlog
from storage.sql.database import Database
from tests.storage.chat.samples import NOON, THEIRS, a_run, insert, seconds


async def test_an_empty_queue_has_no_oldest_request(database: Database) -> None:
    assert await backlog(database) == Backlog()


async def test_what_is_open_is_counted_over_all_teams_and_the_oldest_does_not_run_yet(
    database: Database, workspace: Workspace, their_workspace: Workspace
) -> None:
    await insert(
        database,
        a_run("running", workspace, status="running", accepted_at=NOON),
        a_run("queued", workspace, status="queued", accepted_at=seconds(20)),
        a_run("waiting", their_workspace, tenant=THEIRS, status="waiting", accepted_at=seconds(10)),
        a_run("ended", workspace, status="failed", accepted_at=NOON, finished_at=seconds(5)),
    )
    assert await backlog(database) == Backlog(waiting=1, queued=1, running=1, oldest=seconds(10))
