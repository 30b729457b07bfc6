"""Remember what was taken on already. Of several deliveries of the same thing one is taken."""

import datetime as dt
import hashlib
from collections.abc import Collection
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.conversation import Tenant
from storage.sql.database import Database
from storage.sql.rows import now
from storage.sql.scope import clean, exactly, of_tenant, tenant_values, utc
from storage.sql.tables import claims
from storage.sql.upserts import insert_new

_KEY_CHARS: Final = 200
"""The width of the column; a chat's keys have about 60 characters."""


async def take(connection: AsyncConnection, tenant: Tenant, key: str, at: dt.datetime) -> bool:
    """Take the key within the caller's transaction; False when it is taken.

    Raises:
        ValueError: the key is empty.
    """
    if not key:
        raise ValueError("a claim has a key")
    row = tenant_values(tenant) | {"key": _fitting(key), "at": utc(at)}
    return await insert_new(connection, claims, row)


class Claims:
    """The claims of all tenants."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, tenant: Tenant, key: str) -> bool:
        """Take the key: True once, over all processes, until it is released or purged."""
        async with self._database.write() as connection:
            return await take(connection, tenant, key, now())

    async def taken(self, tenant: Tenant, keys: Collection[str]) -> list[str]:
        """Return which of the keys are taken, in their order."""
        fitting = {key: _fitting(key) for key in keys if key}
        mine = of_tenant(claims.c, tenant), claims.c.key.in_(sorted(fitting.values()))
        async with self._database.read() as connection:
            found = set(await connection.scalars(select(claims.c.key).where(*mine)))
        return [key for key, fits in fitting.items() if fits in found]

    async def release(self, tenant: Tenant, key: str) -> None:
        """Give the key back: what it was taken for did not happen."""
        mine = of_tenant(claims.c, tenant), exactly(claims.c.key, _fitting(key))
        async with self._database.write() as connection:
            await connection.execute(delete(claims).where(*mine))

    async def purge(self, before: dt.datetime) -> int:
        """Forget the claims taken before that moment; how many there were."""
        async with self._database.write() as connection:
            old = delete(claims).where(claims.c.at < utc(before))
            return (await connection.execute(old)).rowcount


def _fitting(key: str) -> str:
    """The key itself, or the digest of one that is too long for the column or holds odd text."""
    if len(key) <= _KEY_CHARS and clean(key) == key:
        return key
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
