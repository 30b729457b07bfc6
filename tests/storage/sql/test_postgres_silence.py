"""A server that takes connections and words, and says nothing any more."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest
import sqlalchemy as sa
from sqlalchemy import text

from masis.errors import StoreUnavailable
from storage.sql import postgres
from storage.sql.database import Database
from tests.pooler import Pooler

ONE = text("SELECT 1")


@pytest.fixture
def pooler(postgres_url: str) -> Iterator[Pooler]:
    with Pooler(postgres_url) as listening:
        yield listening


@pytest.fixture
async def pooled(pooler: Pooler) -> AsyncIterator[Database]:
    opened = await Database.open(pooler.url)
    yield opened
    await opened.close()


async def reads(pooled: Database, pooler: Pooler) -> None:
    async with pooled.read() as connection:
        await connection.execute(ONE)
        pooler.muted = True
        await connection.execute(ONE)


async def inspects(pooled: Database, pooler: Pooler) -> None:
    def look(connection: sa.Connection) -> None:
        connection.execute(ONE)
        pooler.muted = True
        connection.execute(ONE)

    await pooled.inspect(look)


async def writes(pooled: Database, pooler: Pooler) -> None:
    async with pooled.write() as connection:
        await connection.execute(ONE)
        pooler.muted = True
        await connection.execute(ONE)


async def commits(pooled: Database, pooler: Pooler) -> None:
    async with pooled.write() as connection:
        await connection.execute(ONE)
        pooler.muted = True


@pytest.mark.parametrize("use", [reads, inspects, writes, commits])
async def test_silent_server_is_disconnected(
    pooler: Pooler,
    pooled: Database,
    monkeypatch: pytest.MonkeyPatch,
    use: Callable[[Database, Pooler], Awaitable[None]],
) -> None:
    """A server that falls silent is parted from."""
    monkeypatch.setattr(postgres, "_SILENCE_SECONDS", 0.2)
    async with asyncio.timeout(5):
        with pytest.raises(StoreUnavailable, match="went away") as caught:
            await use(pooled, pooler)
    assert caught.value.retryable
    pooler.drop()
    pooler.muted = False
    monkeypatch.undo()
    assert await pooled.inspect(lambda look: look.scalar(ONE)) == 1


async def test_occasional_traffic_keeps_connection(
    pooled: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who says something now and then is not cut off."""
    monkeypatch.setattr(postgres, "_SILENCE_SECONDS", 0.2)
    async with pooled.write() as connection:
        for _ in range(8):
            assert await connection.scalar(ONE) == 1
            await asyncio.sleep(0.05)
