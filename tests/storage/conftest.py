import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from masis.domain import Workspace
from storage.database import Database
from storage.repository import SqlRepository

MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
ROOMY = 2**30


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty folder, in memory where there is room: every write here waits for the disk."""
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < ROOMY:
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=MEMORY, prefix="masis-test-") as made:
        yield Path(made)


@pytest.fixture
async def database(folder: Path) -> AsyncIterator[Database]:
    opened = await Database.open(folder / "masis.db")
    yield opened
    await opened.close()


@pytest.fixture
def repository(database: Database) -> SqlRepository:
    return SqlRepository(database)


@pytest.fixture
async def workspace(repository: SqlRepository) -> Workspace:
    return await repository.create_workspace("local", "acme")
