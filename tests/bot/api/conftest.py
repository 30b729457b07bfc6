import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.api.service import Service, Template, prepared, template


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder."""
    return tmp_path


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
