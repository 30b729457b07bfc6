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


async def test_the_last_settings_count_and_the_defaults_before_them(
    store: TeamSettingsStore,
) -> None:
    assert await store.of(OURS) == TeamSettings()
    for decided in (TeamSettings(guests=True), TeamSettings(managers=["U1"], user_per_minute=9)):
        await store.save(OURS, decided)
        assert await store.of(OURS) == decided


async def test_another_tenant_has_settings_of_its_own(store: TeamSettingsStore) -> None:
    await store.save(OURS, TeamSettings(guests=True))
    for tenant in [*NO_TENANTS, THEIRS]:
        assert await store.of(tenant) == TeamSettings()


async def test_a_setting_of_a_newer_program_is_left_out(
    store: TeamSettingsStore, database: Database
) -> None:
    await store.save(OURS, TeamSettings())
    async with database.write() as connection:
        newer = {"guests": True, "moon_phase": "full"}
        await connection.execute(update(team_settings).values(settings=newer))
    assert await store.of(OURS) == TeamSettings(guests=True)
