import asyncio

import psycopg
import pytest

from tests.chaos.postgres_that_stops import stoppable_postgres

pytestmark = pytest.mark.long


async def test_stopped_postgres_returns_with_data() -> None:
    """It comes back with what it had and is gone in the end."""
    async with asyncio.timeout(60):
        async with stoppable_postgres() as server:
            await server.tell("stop")
            with pytest.raises(psycopg.OperationalError):
                await psycopg.AsyncConnection.connect(server.url)
            await server.tell("start")
            async with await psycopg.AsyncConnection.connect(server.url) as connection:
                await connection.execute("SELECT version_num FROM alembic_version")
        with pytest.raises(psycopg.OperationalError):
            await psycopg.AsyncConnection.connect(server.url)
