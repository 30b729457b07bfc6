"""Who somebody of a team is: by Graph's word of their own row, else nobody but who is named."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat.admin import NotDone
from bot.chat.authority import Kind
from bot.playground.teams.issuer import HOME, OTHER
from bot.playground.teams.teams_payloads import ANN, BEN
from bot.teams.connector.connector_errors import TeamsError
from bot.teams.managing.team_owners import NotConsented, Role
from masis.conversation import TeamSettings, Tenant
from storage.chat.team_settings import TeamSettingsStore
from tests.bot.teams.test_one_outcome import TEAM, Town, made


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    async with made(tmp_path) as found:
        yield found


async def name_manager(town: Town, user: str) -> None:
    await TeamSettingsStore(town.database).save(TEAM, TeamSettings(managers=[user]))


@pytest.mark.parametrize(
    ("roles", "role"),
    [({ANN: ["owner"]}, "owner"), ({ANN: []}, "member"), ({ANN: ["guest"]}, "guest"), ({}, "none")],
)
async def test_graph_tells_the_role(town: Town, roles: dict[str, list[str]], role: Role) -> None:
    town.issuer.roles = roles
    assert await town.owners.role(TEAM, ANN) == role


async def test_another_persons_row_counts_for_nobody(town: Town) -> None:
    """A Graph that does not filter tells of an owner who is somebody else."""
    town.issuer.roles = {f"{ANN}' or userId eq '{BEN}": ["owner"]}
    assert await town.owners.role(TEAM, BEN) == "none"
    assert await town.owners.role(TEAM, "x' or 1 eq 1") == "none"
    assert len(town.issuer.asked) == 1, "what is no id is not asked for"


async def test_role_is_remembered_unless_fresh(town: Town) -> None:
    town.issuer.roles = {ANN: ["owner"]}
    for _ in range(3):
        assert await town.rights().manages(TEAM, ANN)
    assert len(town.issuer.asked) == 1
    town.issuer.roles = {ANN: []}
    assert await town.rights().kind(TEAM, ANN) == "member"
    assert not await town.rights().manages(TEAM, ANN)


async def test_token_is_of_the_teams_own_tenant(town: Town) -> None:
    other = Tenant(chat=TEAM.chat, enterprise=OTHER, team=TEAM.team)
    await town.owners.role(TEAM, ANN)
    await town.owners.role(other, ANN)
    paths = [each["path"] for each in town.issuer.granted]
    assert paths == [f"/{each}/oauth2/v2.0/token" for each in (HOME, OTHER)]
    assert {each["scope"] for each in town.issuer.granted} == {f"{town.issuer.url}/.default"}


@pytest.mark.parametrize(
    ("roles", "kind"), [(["owner"], "owner"), ([], "manager"), (["guest"], "multi_channel_guest")]
)
async def test_manager_is_named_in_settings(town: Town, roles: list[str], kind: Kind) -> None:
    await name_manager(town, ANN)
    town.issuer.roles = {ANN: roles}
    assert await town.rights().kind(TEAM, ANN) == kind


async def test_without_consent_only_named_managers_may(town: Town) -> None:
    town.issuer.consented = False
    with pytest.raises(NotConsented):
        await town.owners.role(TEAM, ANN)
    with pytest.raises(NotDone, match="does not tell me who owns"):
        await town.rights().kind(TEAM, ANN)
    assert not await town.rights().manages(TEAM, ANN)
    await name_manager(town, ANN)
    assert await town.rights().kind(TEAM, ANN) == "manager"


async def test_silent_graph_lets_nobody_in(town: Town) -> None:
    town.issuer.status = 503
    with pytest.raises(TeamsError):
        await town.rights().kind(TEAM, ANN)
    assert not await town.rights().manages(TEAM, ANN)


async def test_only_the_teams_channels_are_linkable(town: Town) -> None:
    assert not await town.rights().linkable(TEAM, town.run.channel, external=False)
    for tenant, channel in [
        (TEAM, "c" + "0" * 40),
        (Tenant(chat=TEAM.chat, enterprise=HOME, team=OTHER), town.run.channel),
        (Tenant(chat=TEAM.chat, enterprise=OTHER, team=TEAM.team), town.run.channel),
    ]:
        with pytest.raises(NotDone):
            await town.rights().linkable(tenant, channel, external=False)
