import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import sqlalchemy as sa

from masis.conversation import ChatRun
from masis.domain import Workspace
from storage.chat.requests import ChatRuns
from storage.documents.repository import SqlRepository
from storage.queue.attempts import LAST_WORD
from storage.queue.engine import DbosEngine
from storage.sql.database import Database
from storage.sql.rows import now
from storage.sql.tables import outbox
from tests.pooler import Pooler
from tests.storage.handled import TENANT, Handler, asked, ended


@pytest.fixture
def pooler(postgres_url: str) -> Iterator[Pooler]:
    with Pooler(postgres_url) as listening:
        yield listening


@pytest.fixture
async def pooled(pooler: Pooler) -> AsyncIterator[Database]:
    opened = await Database.open(pooler.url)
    yield opened
    await opened.close()


@pytest.fixture
async def workspace(pooled: Database) -> Workspace:
    return await SqlRepository(pooled).create_workspace(TENANT.owner, "acme")


@pytest.mark.parametrize("column", ["begun_at", "finished_at"])
async def test_attempt_with_lost_commit_counts_once(
    pooler: Pooler, pooled: Database, workspace: Workspace, column: str
) -> None:
    """That of its beginning, or of its end."""
    lost: list[str] = []

    def lose(_connection: object, _cursor: object, statement: str, *_: Any) -> None:
        if statement.startswith("UPDATE chat_runs") and column in statement and not lost:
            pooler.loses_commits = 1
            lost.append(statement)

    handler = Handler()
    # So rarely that the next commit is this one.
    engine = await DbosEngine.open(pooled, poll_seconds=0.5, heartbeat_seconds=60)
    try:
        await engine.accept(asked(workspace))
        sa.event.listen(sa.Engine, "before_cursor_execute", lose)
        await engine.start(handler)
        await ended(ChatRuns(pooled), "run-0")
        async with asyncio.timeout(5):
            while await engine._workflows.unfinished(["run-0"]):  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0.01)
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", lose)
        await engine.stop(0)
    assert lost
    assert [run.attempt for run in handler.got] == [1]
    run: ChatRun | None = await ChatRuns(pooled).get(None, "run-0")
    assert run is not None
    assert run.attempt == 1


async def test_run_given_up_stays_given_up(database: Database, repository: SqlRepository) -> None:
    """A run that was given up stays so however far it got."""
    engine = await DbosEngine.open(database)
    try:
        workspace = await repository.create_workspace(TENANT.owner, "late")
        await engine.accept(asked(workspace))
        attempts = engine._worker._attempts
        coming = await attempts.next("run-0")
        assert coming is not None
        begun = await attempts.begin(coming)
        assert begun is not None
        row = {"run_id": "run-0", "kind": "progress", "part": 0, "state": "sent", "at": now()}
        sent = sa.insert(outbox).values(row | {"channel": "C1", "thread": "", "message": "1.0"})
        await database.transact(lambda connection: connection.execute(sent).close())
        late = await attempts.give_up(begun)
        assert await attempts.give_up(begun) == late  # its first commit was not heard
        again = await attempts.next("run-0")
        assert again is not None
        assert (late.attempt, again.after.attempt) == (LAST_WORD, LAST_WORD + 1)
        await attempts.take_back(late)
        again = await attempts.next("run-0")
        assert again is not None
        assert again.after.attempt == LAST_WORD
    finally:
        await engine.stop(0)
