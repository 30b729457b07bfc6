"""A document that is ingested again by a process that dies at one of many points of it.

As a program it imports everything once, and forks a process for each line that it is sent: a folder
and the number of the point to die at; 0 says to live and to count them. What became of it is
printed: a signal's number below zero, or how many points there were.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine, event

from masis.documents.ingestion import Ingest
from masis.domain import SearchResult, Workspace
from masis.retrieval.search import Retrieval
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from storage.vectors import shards
from storage.vectors.embedded_store import EdgeVectorStores
from tests.fakes import FakeEmbedder, FakeParser

NAME: Final = "handbook.md"
LINES: Final = 140
"""Each long enough for a chunk of its own, so that points are written in several batches."""
LIMIT: Final = 30


def edition(word: str) -> bytes:
    """A document every chunk of which has the word."""
    filler = "The rule of this section holds for everybody who works here. " * 10
    return "\n".join(f"Section {n} of the {word} edition. {filler}" for n in range(LINES)).encode()


class House:
    """What documents are ingested into and asked in."""

    def __init__(self, database: Database, stores: EdgeVectorStores, workspace: Workspace) -> None:
        self.database = database
        self.repository = SqlRepository(database)
        self.stores = stores
        self.workspace = workspace
        embedder = FakeEmbedder()
        self.ingest = Ingest(
            repository=self.repository, stores=stores, embedder=embedder, parser=FakeParser()
        )
        self._retrieval = Retrieval(repository=self.repository, stores=stores, embedder=embedder)

    async def found(self) -> SearchResult:
        """What a question about both editions brings."""
        query = "Which section of the edition holds for everybody?"
        return await self._retrieval.search(self.workspace.id, query, limit=LIMIT)


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[House]:
    """The stores in a folder, closed at the end."""
    database, stores = await Database.open(folder / "masis.db"), EdgeVectorStores(folder / "edge")
    try:
        workspace = await SqlRepository(database).create_workspace("local", "acme")
        yield House(database, stores, workspace)
    finally:
        await stores.close()
        await database.close()


class Points:
    """Counts what happens, and ends this process at one of them."""

    def __init__(self, fatal: int) -> None:
        self.count = 0
        self._fatal = fatal

    def __call__(self, *_: Any) -> None:
        self.count += 1
        if self.count == self._fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    def arm(self) -> None:
        """Count from now on: before and after each statement, commit, and change of the points."""
        for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
            event.listen(Engine, name, self)

    def watched(self, engine: Any) -> "Watched":
        """The vectors' engine, whose changes are counted."""
        return Watched(engine, self)


class Watched:
    """An engine with points before and after what it writes."""

    def __init__(self, engine: Any, points: Points) -> None:
        self._engine = engine
        self._points = points

    def update(self, operation: Any) -> None:
        self._points()
        self._engine.update(operation)
        self._points()

    def flush(self) -> None:
        self._points()
        self._engine.flush()
        self._points()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


async def again(folder: Path, fatal: int) -> int:
    """Ingest the old edition, then the new one, and die meanwhile."""
    points = Points(fatal)
    async with opened(folder) as house:
        await house.ingest.ingest(house.workspace, NAME, edition("old"))
        for shard in house.stores._shards.values():
            assert isinstance(shard, shards.Shard)
            shard.engine = points.watched(shard.engine)  # type: ignore[assignment] # it acts as one
        points.arm()
        result = await house.ingest.ingest(house.workspace, NAME, edition("new"))
        assert result.status == "updated"
        return points.count


def forked(folder: Path, fatal: int) -> int:
    """What became of a process that ingests again."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        count = asyncio.run(again(folder, fatal))
        os.write(write, str(count).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as told:
        counted = told.read()
    _, status = os.waitpid(child, 0)
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else int(counted or 0)


def main() -> None:
    """Do what each line says, until there is none."""
    for line in sys.stdin:
        folder, _, fatal = line.rstrip("\n").rpartition(" ")
        sys.stdout.write(f"{forked(Path(folder), int(fatal))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
