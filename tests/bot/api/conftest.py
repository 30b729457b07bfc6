import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.bot.api.service import Service, Template, prepared, template

MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty folder, in memory where there is room: every write here waits for the disk."""
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < 2**30:
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=MEMORY, prefix="masis-test-") as made:
        yield Path(made)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """The database that every test has a copy of."""
    return asyncio.run(template(tmp_path_factory.mktemp("api") / "masis.db"))


@pytest.fixture
async def idle(folder: Path, made: Template) -> AsyncIterator[Service]:
    """The service before its start."""
    async with prepared(folder, made) as service:
        yield service


@pytest.fixture
async def service(idle: Service) -> Service:
    """The service at work."""
    await idle.start()
    return idle
