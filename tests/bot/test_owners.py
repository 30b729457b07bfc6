from typing import Final

import pytest

from bot.owners import owner_of, tenant_of
from bot.rendering import show_chat
from masis.conversation import Tenant
from masis.errors import InvalidSettings

GUID: Final = "aaaaaaaa-0000-0000-0000-000000000001"


def test_a_team_owns_its_own_workspaces() -> None:
    assert owner_of("") == "local"
    assert owner_of("T0123") == Tenant(team="T0123").owner
    assert owner_of("E09/T0123") == Tenant(enterprise="E09", team="T0123").owner


def test_team_of_microsoft_teams_has_two_ids() -> None:
    tenant, group = "AAAAAAAA-0000-0000-0000-000000000001", "bbbbbbbb-0000-0000-0000-000000000001"
    owner = owner_of(f"{tenant}/{group}")
    assert owner == Tenant(chat="teams", enterprise=tenant.lower(), team=group).owner
    whole = owner_of(f"{tenant}/")
    assert whole == Tenant(chat="teams", enterprise=tenant.lower(), team=group).organisation_owner
    assert tenant_of(f"{tenant}/").owner == whole


@pytest.mark.parametrize("team", ["T0123", "E09/T0123", f"{GUID}/{GUID}", f"{GUID}/"])
def test_team_is_shown_as_it_is_taken(team: str) -> None:
    assert show_chat.team(Tenant.of_owner(owner_of(team))) == team


@pytest.mark.parametrize(
    "team",
    ["handbook", "t0123", "T01/T02", "E01/", "T0123 ", "aaaaaaaa-0000-0000-0000-000000000001"],
)
def test_invalid_team_id_is_refused(team: str) -> None:
    """What is no team id is refused."""
    with pytest.raises(InvalidSettings, match="--team"):
        owner_of(team)
