import asyncio
import datetime as dt

import pytest

from masis.conversation import Tenant
from storage.chat import deduplication as module
from storage.chat.deduplication import Claims
from storage.sql.database import Database
from storage.sql.rows import now
from tests.storage.chat.samples import NO_TENANTS, NOON, OURS, THEIRS


@pytest.fixture
def claims(database: Database) -> Claims:
    return Claims(database)


async def test_key_is_taken_once_per_tenant(claims: Claims) -> None:
    """A key is taken once by each tenant."""
    assert await claims.take(OURS, "message:C1:1.1")
    assert not await claims.take(OURS, "message:C1:1.1")
    assert await claims.take(OURS, "message:C1:1.2")
    assert await claims.take(THEIRS, "message:C1:1.1")


async def test_a_released_key_is_taken_again(claims: Claims) -> None:
    await claims.take(OURS, "key")
    await claims.release(THEIRS, "key")
    assert not await claims.take(OURS, "key")
    await claims.release(OURS, "key")
    assert await claims.take(OURS, "key")


async def test_taken_keys_are_told(claims: Claims) -> None:
    """Of whichever length, and of nobody else's."""
    kept = ["k" * 201, "button:C1"]
    for key in kept:
        await claims.take(OURS, key)
    assert await claims.taken(OURS, ["", "other", *kept]) == kept
    assert await claims.taken(OURS, []) == await claims.taken(THEIRS, kept) == []


@pytest.mark.parametrize("key", ["k" * 201, "a\0b", "\ud800"])
async def test_overlong_key_still_works(claims: Claims, key: str) -> None:
    """A key that does not fit its column is a key all the same."""
    assert await claims.take(OURS, key)
    assert not await claims.take(OURS, key)
    assert await claims.take(OURS, key + "!")
    await claims.release(OURS, key)
    assert await claims.take(OURS, key)


async def test_empty_key_or_tenant_raises(claims: Claims) -> None:
    """An empty key and a tenant without an id are bugs."""
    with pytest.raises(ValueError, match="key"):
        await claims.take(OURS, "")
    with pytest.raises(ValueError, match="belongs to a team"):
        await claims.take(Tenant(), "key")


async def test_what_is_no_tenant_releases_nothing(claims: Claims) -> None:
    await claims.take(OURS, "key")
    for tenant in NO_TENANTS:
        await claims.release(tenant, "key")
        assert not await claims.take(OURS, "key")


async def test_old_claims_are_forgotten(claims: Claims, database: Database) -> None:
    async with database.write() as connection:
        assert await module.take(connection, OURS, "old", NOON)
    await claims.take(OURS, "new")
    assert await claims.purge(NOON) == 0
    assert await claims.purge(now() - dt.timedelta(minutes=5)) == (now() > NOON)
    assert not await claims.take(OURS, "new")


async def test_one_process_takes_each_key(claims: Claims, location: str) -> None:
    """Of several processes one takes a key."""
    others = [await Database.open(location) for _ in range(2)]
    try:
        takers = [claims, *(Claims(other) for other in others)]
        taken = await asyncio.gather(*(taker.take(OURS, "key") for taker in takers * 3))
    finally:
        for other in others:
            await other.close()
    assert sum(taken) == 1
