import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from masis.domain import Workspace
from storage import migrations
from storage.database import Database
from storage.repository import SqlRepository
from tests.storage.chat.samples import OURS, THEIRS


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database of the current schema: its migration takes longer than most tests here."""
    file = tmp_path_factory.mktemp("migrated") / "masis.db"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        migrations.upgrade(connection)
    engine.dispose()
    return file


@pytest.fixture
async def database(folder: Path, migrated: Path) -> AsyncIterator[Database]:
    shutil.copyfile(migrated, folder / "masis.db")
    opened = await Database.open(folder / "masis.db")
    yield opened
    await opened.close()


@pytest.fixture
async def workspace(repository: SqlRepository) -> Workspace:
    """A workspace of our team's."""
    return await repository.create_workspace(OURS.owner, "acme")


@pytest.fixture
async def their_workspace(repository: SqlRepository) -> Workspace:
    """One of the same name of another team's."""
    return await repository.create_workspace(THEIRS.owner, "acme")
