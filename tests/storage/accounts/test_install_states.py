import asyncio
import contextlib

import pytest
from sqlalchemy import text

from masis.errors import StoreUnavailable
from storage.accounts import install_states
from storage.accounts.install_states import SqlInstallStates
from storage.sql.database import Database
from tests.storage.beside import occurrences


@pytest.fixture
def states(database: Database) -> SqlInstallStates:
    return SqlInstallStates(database)


async def test_an_installation_is_ended_once(states: SqlInstallStates) -> None:
    await states.begin("state", "browser", 600)
    assert await states.end("state", "browser") is True
    assert await states.end("state", "browser") is None


async def test_other_browser_cannot_end_installation(states: SqlInstallStates) -> None:
    """Another browser ends nothing and takes nothing."""
    await states.begin("state", "browser", 600)
    for other in ("", "else", "state"):
        assert await states.end("state", other) is None
    assert await states.end("state", "browser") is True


async def test_an_invented_state_is_none(states: SqlInstallStates) -> None:
    assert await states.end("never", "browser") is None


async def test_expired_state_is_told_once(states: SqlInstallStates) -> None:
    """What took too long is told apart and is over."""
    await states.begin("state", "browser", -1)
    assert await states.end("state", "browser") is False
    assert await states.end("state", "browser") is None


async def test_expired_states_are_swept_at_begin(
    states: SqlInstallStates, database: Database
) -> None:
    """What ran out is swept away by the next."""
    for n in range(5):
        await states.begin(f"old{n}", "browser", -1)
    await states.begin("new", "browser", 600)
    async with database.read() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM install_states")) == 1


async def test_open_installations_are_bounded(
    states: SqlInstallStates, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is an end to what may be under way."""
    monkeypatch.setattr(install_states, "MOST_BEGUN", 3)
    for n in range(3):
        await states.begin(f"s{n}", "browser", 600)
    with pytest.raises(StoreUnavailable, match="Try again later"):
        await states.begin("one too many", "browser", 600)


async def test_the_database_holds_hashes_alone(states: SqlInstallStates, location: str) -> None:
    await states.begin("a-secret-state", "a-secret-browser", 600)
    assert occurrences(location, "a-secret") == 0


async def test_one_process_ends_each_installation(location: str) -> None:
    """Six databases are six connections in six threads: what keeps them apart is the database alone."""
    async with contextlib.AsyncExitStack() as closing:
        six = []
        for _ in range(6):
            database = await Database.open(location)
            closing.push_async_callback(database.close)
            six.append(SqlInstallStates(database))
        for n in range(60):
            await six[0].begin(f"state{n}", "browser", 600)
            ends = await asyncio.gather(*(each.end(f"state{n}", "browser") for each in six))
            assert sorted(ends, key=str) == [None] * 5 + [True]
