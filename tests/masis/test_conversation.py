import pytest
from pydantic import ValidationError

from masis.conversation import LOCAL_TENANT, ChatRun, Tenant, run_id
from masis.domain import WorkspaceId

TENANTS = [
    Tenant(team="T1"),
    Tenant(enterprise="E1"),
    Tenant(chat="teams", enterprise="E1", team="T1"),
    LOCAL_TENANT,
]


@pytest.mark.parametrize("tenant", TENANTS)
def test_a_tenant_is_found_by_its_owner(tenant: Tenant) -> None:
    assert Tenant.of_owner(tenant.owner) == tenant


def test_owners_and_run_ids_of_slack_stay() -> None:
    """They are written in databases: whoever changes them orphans workspaces and repeats runs."""
    tenant = Tenant(enterprise="E1", team="T1")

    assert tenant.owner == "slack:E1:T1"
    assert run_id(tenant, "message", "C1:1.1") == "058c8484-ea7f-5f84-ae02-5b10eae5d067"


def test_the_same_ids_elsewhere_are_others() -> None:
    here = Tenant(enterprise="E1", team="T1")
    there = here.model_copy(update={"chat": "teams"})

    assert here.owner != there.owner
    assert run_id(here, "message", "1") != run_id(there, "message", "1")


@pytest.mark.parametrize("owner", ["", "slack", "slack:T1", "Slack::T1", "a b::T1"])
def test_what_is_no_owner_is_nobodys(owner: str) -> None:
    assert Tenant.of_owner(owner) == Tenant()


@pytest.mark.parametrize("chat", ["", "Slack", "slack:x", "a" * 21, "slack\n"])
def test_a_chats_name_is_a_word(chat: str) -> None:
    with pytest.raises(ValidationError):
        Tenant(chat=chat, team="T1")


@pytest.mark.parametrize("chat", ["slack", "teams"])
def test_a_run_is_shown_in_its_tenants_chat(chat: str) -> None:
    tenant = Tenant(chat=chat, team="T1")
    given = {"tenant": tenant, "channel": "C1", "asker": "U1", "question": "?", "query": "?"}
    run = ChatRun(id="r", workspace_id=WorkspaceId("w"), **given)

    assert run.surface == chat
    assert ChatRun.model_validate(run.model_dump()) == run
    assert run.model_copy(update={"surface": "api"}).surface == "api"
