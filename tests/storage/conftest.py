from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from masis.domain import Workspace
from storage.database import Database
from storage.repository import SqlRepository


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(tmp_path / "masis.db")
    yield opened
    await opened.close()


@pytest.fixture
def repository(database: Database) -> SqlRepository:
    return SqlRepository(database)


@pytest.fixture
async def workspace(repository: SqlRepository) -> Workspace:
    return await repository.create_workspace("local", "acme")
