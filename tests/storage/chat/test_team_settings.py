import pytest
from sqlalchemy import update

from masis.conversation import TeamSettings
from storage.chat.team_settings import TeamSettingsStore
from storage.sql.database import Database
from storage.sql.tables import team_settings
from tests.storage.chat.samples import NO_TENANTS, OURS, THEIRS


@pytest.fixture
def store(database: Database) -> TeamSettingsStore:
    return TeamSettingsStore(database)


async def test_last_settings_override_defaults(
    store: TeamSettingsStore,
) -> None:
    """The last settings count and the defaults before them."""
    assert await store.of(OURS) == TeamSettings()
    for decided in (TeamSettings(guests=True), TeamSettings(managers=["U1"], user_per_minute=9)):
        await store.save(OURS, decided)
        assert await store.of(OURS) == decided


async def test_each_tenant_has_own_settings(store: TeamSettingsStore) -> None:
    """Another tenant has settings of its own."""
    await store.save(OURS, TeamSettings(guests=True))
    for tenant in [*NO_TENANTS, THEIRS]:
        assert await store.of(tenant) == TeamSettings()


async def test_unknown_newer_setting_is_ignored(
    store: TeamSettingsStore, database: Database
) -> None:
    """A setting of a newer program is left out."""
    await store.save(OURS, TeamSettings())
    async with database.write() as connection:
        newer = {"guests": True, "moon_phase": "full"}
        await connection.execute(update(team_settings).values(settings=newer))
    assert await store.of(OURS) == TeamSettings(guests=True)
