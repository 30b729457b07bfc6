import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from masis.domain import Workspace
from storage.chat.requests import ChatRuns
from storage.documents.repository import SqlRepository
from storage.queue.engine import DbosEngine
from storage.sql import migrations
from storage.sql.database import Database
from tests.storage.chat.samples import OURS, THEIRS
from tests.storage.handled import Engines


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder."""
    return tmp_path


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty file of the current schema: its migration takes longer than most tests here."""
    file = tmp_path_factory.mktemp("migrated") / "masis.db"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        migrations.upgrade(connection)
    engine.dispose()
    return file


@pytest.fixture(params=["sqlite", "postgres"])
def location(request: pytest.FixtureRequest) -> str:
    """Where a database of the current schema is; a test that takes it runs once on each kind."""
    kind = "sqlite_file" if request.param == "sqlite" else "postgres_url"
    return str(request.getfixturevalue(kind))


@pytest.fixture
def sqlite_file(folder: Path, migrated: Path) -> Path:
    """The same, for what is SQLite's own alone."""
    return shutil.copyfile(migrated, folder / "masis.db")


@pytest.fixture
async def database(location: str) -> AsyncIterator[Database]:
    opened = await Database.open(location)
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite_database(sqlite_file: Path) -> AsyncIterator[Database]:
    opened = await Database.open(sqlite_file)
    yield opened
    await opened.close()


@pytest.fixture
async def engines(database: Database) -> AsyncIterator[Engines]:
    made = Engines(database)
    yield made
    for engine in made.opened:
        await engine.stop(0)


@pytest.fixture
async def engine(engines: Engines) -> DbosEngine:
    return await engines.open(retry_seconds=0.01, interrupt_seconds=0.05)


@pytest.fixture
def runs(database: Database) -> ChatRuns:
    return ChatRuns(database)


@pytest.fixture
def repository(database: Database) -> SqlRepository:
    return SqlRepository(database)


@pytest.fixture
async def workspace(repository: SqlRepository) -> Workspace:
    return await repository.create_workspace("local", "acme")


@pytest.fixture
async def our_workspace(repository: SqlRepository) -> Workspace:
    """Create a workspace of our team's."""
    return await repository.create_workspace(OURS.owner, "acme")


@pytest.fixture
async def their_workspace(repository: SqlRepository) -> Workspace:
    """Create one of the same name of another team's."""
    return await repository.create_workspace(THEIRS.owner, "acme")
