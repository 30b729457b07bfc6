"""Installations that were begun: each is ended once, in the browser that began it."""

import datetime as dt
import hashlib
from typing import Final

from sqlalchemy import delete, func, insert, select

from masis.errors import StoreUnavailable
from storage.sql.database import Database
from storage.sql.rows import now
from storage.sql.tables import install_states

MOST_BEGUN: Final = 10_000
"""Anybody may begin an installation; the table must not grow without end."""


class SqlInstallStates:
    """Begun installations in the database, as hashes of random values of 256 bits."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, state: str, browser: str, seconds: float) -> None:
        """Note an installation that was begun, for so many seconds.

        Raises:
            StoreUnavailable: too many are under way.
        """
        moment = now()
        row = {
            "state_hash": _hash(state),
            "browser_hash": _hash(browser),
            "expires_at": moment + dt.timedelta(seconds=seconds),
        }
        async with self._database.write() as connection:
            ended = install_states.c.expires_at < moment
            await connection.execute(delete(install_states).where(ended))
            begun = await connection.scalar(select(func.count()).select_from(install_states))
            if (begun or 0) >= MOST_BEGUN:
                raise StoreUnavailable("Too many installations are under way. Try again later.")
            await connection.execute(insert(install_states).values(row))

    async def end(self, state: str, browser: str) -> bool | None:
        """Take it: True once, False when it took too long, None for anything else.

        A wrong browser takes nothing, so that who saw the address alone cannot end it.
        """
        mine = (
            install_states.c.state_hash == _hash(state),
            install_states.c.browser_hash == _hash(browser),
        )
        # Invented states come from anybody: they must not queue up as writers.
        async with self._database.read() as connection:
            if await connection.scalar(select(func.count()).where(*mine)) == 0:
                return None
        # One statement: of two who ask at the same time, one gets the row.
        taking = delete(install_states).where(*mine).returning(install_states.c.expires_at)
        async with self._database.write() as connection:
            expires_at = await connection.scalar(taking)
        return None if expires_at is None else bool(expires_at >= now())


def _hash(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()
