from pathlib import Path

from sqlalchemy import text

from bot.observability.metrics import Metrics
from bot.observability.scrape import page
from storage.documents.repository import SqlRepository
from storage.queue.executors import Executors
from storage.sql.database import Database
from tests.storage.chat.samples import NOON, OURS, a_run, insert


async def test_scrape_survives_an_unreadable_database(
    tmp_path: Path,
) -> None:
    """A scrape reads the queue and survives a database that cannot be read."""
    metrics = Metrics()
    database = await Database.open(tmp_path / "masis.db")
    try:
        workspace = await SqlRepository(database).create_workspace(OURS.owner, "acme")
        await insert(
            database,
            a_run("waiting", workspace, status="waiting"),
            a_run("running", workspace, status="running"),
            a_run("ended", workspace, status="finished", finished_at=NOON),
        )
        await Executors(database).beat("one")
        body, _ = await page(metrics, database)("")
        assert b"masis_queue_depth 1.0" in body
        assert b"masis_runs_running 1.0" in body
        assert b'masis_workers{state="alive"} 1.0' in body

        async with database.write() as connection:
            await connection.execute(text("ALTER TABLE chat_runs RENAME TO elsewhere"))
        body, _ = await page(metrics, database)("")
        assert b"masis_database_up 0.0" in body
        assert b"masis_queue_depth NaN" in body
        assert b'masis_workers{state="alive"} NaN' in body
    finally:
        await database.close()
