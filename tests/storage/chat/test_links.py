import datetime as dt

import pytest

from masis.conversation import TEAMS, Tenant
from masis.domain import Workspace, WorkspaceId
from masis.errors import UnknownWorkspace
from storage.chat.links import Links
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.storage.chat.samples import ELSEWHERE, NO_IDS, NO_TENANTS, NOON, OURS, THEIRS, a_link


@pytest.fixture
def links(database: Database) -> Links:
    return Links(database)


async def test_link_is_found_as_made(links: Links, workspace: Workspace) -> None:
    """A link is found as it was made."""
    link = a_link(workspace, external_allowed=True, private=True, suspended="uninstalled")
    assert await links.link(link) is None
    assert await links.of(OURS, "C1") == link
    assert await links.all(OURS) == [link]


async def test_new_link_returns_the_replaced_one(
    links: Links, workspace: Workspace, repository: SqlRepository
) -> None:
    """A new link replaces the old one and gives it back."""
    other = await repository.create_workspace(OURS.owner, "other")
    old, new = a_link(workspace), a_link(other, linked_by="U8", private=True)
    await links.link(old)
    assert await links.link(new) == old
    assert await links.all(OURS) == [new]


async def test_follow_up_rule_is_changed(links: Links, workspace: Workspace) -> None:
    """A channel's rule is changed once, and another team's stays."""
    await links.link(a_link(workspace))
    assert not await links.set_follow_ups(THEIRS, "C1", "tagged")
    assert not await links.set_follow_ups(OURS, "C1", "mine")
    assert await links.set_follow_ups(OURS, "C1", "everybody")
    assert await links.of(OURS, "C1") == a_link(workspace, follow_ups="everybody")


async def test_mode_is_changed(links: Links, workspace: Workspace) -> None:
    """A channel's mode is changed once, and another team's stays."""
    await links.link(a_link(workspace))
    assert not await links.set_mode(THEIRS, "C1", "documents")
    assert not await links.set_mode(OURS, "C1", "auto")
    assert await links.set_mode(OURS, "C1", "documents")
    assert await links.of(OURS, "C1") == a_link(workspace, mode="documents")


async def test_an_unlinked_channel_has_no_link(links: Links, workspace: Workspace) -> None:
    link = a_link(workspace)
    await links.link(link)
    assert await links.unlink(OURS, "C1") == link
    assert await links.unlink(OURS, "C1") is None
    assert await links.of(OURS, "C1") is None


async def test_links_are_listed_by_channel(links: Links, workspace: Workspace) -> None:
    for channel in ("C3", "C1", "C2"):
        await links.link(a_link(workspace, channel=channel))
    assert [link.channel for link in await links.all(OURS)] == ["C1", "C2", "C3"]


async def test_foreign_workspace_keeps_old_link(
    links: Links, workspace: Workspace, their_workspace: Workspace
) -> None:
    """Another teams workspace is not linked and the old link stays."""
    await links.link(a_link(workspace))
    with pytest.raises(UnknownWorkspace):
        await links.link(a_link(their_workspace))
    assert await links.all(OURS) == [a_link(workspace)]


@pytest.mark.parametrize("owner", ["local", "", "slack:E1:T1x"])
async def test_unowned_workspace_is_not_linked(
    links: Links, repository: SqlRepository, owner: str
) -> None:
    """A workspace of nobody here is not linked."""
    other = await repository.create_workspace(owner or "x", "acme")
    scope = other.id if owner else WorkspaceId("w_nothing")
    with pytest.raises(UnknownWorkspace):
        await links.link(a_link(other, workspace_id=scope))


async def test_channel_links_separately_per_team(
    links: Links, workspace: Workspace, their_workspace: Workspace
) -> None:
    """The same channel of two teams has two links."""
    mine, other = a_link(workspace), a_link(their_workspace, tenant=THEIRS)
    await links.link(mine)
    await links.link(other)
    assert (await links.of(OURS, "C1"), await links.of(THEIRS, "C1")) == (mine, other)
    await links.unlink(THEIRS, "C1")
    assert await links.all(OURS) == [mine]


async def test_what_is_no_tenant_finds_nothing(links: Links, workspace: Workspace) -> None:
    await links.link(a_link(workspace))
    await links.choose_direct(OURS, "U1", workspace.id)
    for tenant in NO_TENANTS:
        assert await links.of(tenant, "C1") is None
        assert await links.all(tenant) == []
        assert await links.unlink(tenant, "C1") is None
        assert not await links.suspend(tenant, "C1", "uninstalled")
        assert not await links.resume(tenant, "C1")
        assert await links.direct_choice(tenant, "U1") is None
        assert await links.all(OURS) == [a_link(workspace)]


async def test_what_is_no_id_finds_nothing(links: Links, workspace: Workspace) -> None:
    await links.link(a_link(workspace))
    for channel in NO_IDS:
        assert await links.of(OURS, channel) is None
        assert await links.unlink(OURS, channel) is None
        assert not await links.suspend(OURS, channel, "why")
        assert await links.direct_choice(OURS, channel) is None
        assert await links.all(OURS) == [a_link(workspace)]


async def test_suspended_link_gives_its_reason(links: Links, workspace: Workspace) -> None:
    """A suspended link says why until it is resumed."""
    await links.link(a_link(workspace))
    assert await links.suspend(OURS, "C1", "shared with another company")
    assert await links.of(OURS, "C1") == a_link(workspace, suspended="shared with another company")
    assert await links.resume(OURS, "C1")
    assert await links.of(OURS, "C1") == a_link(workspace)


async def test_suspension_requires_a_reason(links: Links, workspace: Workspace) -> None:
    """A suspension without a reason would be none."""
    await links.link(a_link(workspace))
    with pytest.raises(ValueError, match="reason"):
        await links.suspend(OURS, "C1", "")


async def test_a_link_goes_with_its_workspace(
    links: Links, workspace: Workspace, repository: SqlRepository
) -> None:
    await links.link(a_link(workspace))
    await links.choose_direct(OURS, "U1", workspace.id)
    await repository.delete_workspace(workspace.id)
    assert await links.all(OURS) == []
    assert await links.direct_choice(OURS, "U1") is None


async def test_last_direct_message_choice_counts(
    links: Links, workspace: Workspace, repository: SqlRepository, their_workspace: Workspace
) -> None:
    """The last choice for direct messages counts."""
    other = await repository.create_workspace(OURS.owner, "other")
    await links.choose_direct(OURS, "U1", workspace.id)
    await links.choose_direct(OURS, "U1", other.id)
    with pytest.raises(UnknownWorkspace):
        await links.choose_direct(OURS, "U1", their_workspace.id)
    assert await links.direct_choice(OURS, "U1") == other.id
    assert await links.direct_choice(OURS, "U2") is None
    assert await links.direct_choice(THEIRS, "U1") is None


async def test_forgotten_choice_is_one_persons(links: Links, workspace: Workspace) -> None:
    for user in ("U1", "U2"):
        await links.choose_direct(OURS, user, workspace.id)
    await links.forget_choice(THEIRS, "U2")
    await links.forget_choice(OURS, "U1")
    assert await links.direct_choice(OURS, "U1") is None
    assert await links.direct_choice(OURS, "U2") == workspace.id


async def test_link_time_is_zone_independent(links: Links, workspace: Workspace) -> None:
    """A time in another zone is the same moment."""
    zone = dt.timezone(dt.timedelta(hours=-5))
    await links.link(a_link(workspace, linked_at=NOON.astimezone(zone)))
    [link] = await links.all(OURS)
    assert link.linked_at == NOON


async def test_direct_choices_stay_in_their_organisation(
    links: Links, workspace: Workspace, their_workspace: Workspace, repository: SqlRepository
) -> None:
    """A person's choices are listed over all teams of one organisation, and nobody else's."""
    foreign = await repository.create_workspace(ELSEWHERE.owner, "elsewhere")
    for tenant, user, place in [
        (THEIRS, "U1", their_workspace),
        (OURS, "U1", workspace),
        (OURS, "U2", workspace),
        (ELSEWHERE, "U1", foreign),
    ]:
        await links.choose_direct(tenant, user, place.id)
    ours = [(OURS, workspace.id), (THEIRS, their_workspace.id)]
    assert await links.direct_choices_of("slack", "E1", "U1") == ours
    assert await links.direct_choices_of("slack", "E2", "U1") == [(ELSEWHERE, foreign.id)]
    assert await links.direct_choices_of("teams", "E1", "U1") == []


async def test_organisations_workspace_is_asked_by_its_teams(
    links: Links, repository: SqlRepository
) -> None:
    """Each team of a tenant of Teams may link it, and no other tenant or chat."""
    ours = Tenant(chat=TEAMS, enterprise="E1", team="T1")
    others = [
        Tenant(chat=TEAMS, enterprise="E2", team="T1"),
        Tenant(enterprise="E1", team="T1"),
        Tenant(chat=TEAMS, enterprise="E1"),
    ]
    shared = await repository.create_workspace(ours.organisation_owner, "handbook")
    for team in ("T1", "T2"):
        await links.link(a_link(shared, tenant=ours.model_copy(update={"team": team})))
    for tenant in others[:2]:
        with pytest.raises(UnknownWorkspace):
            await links.link(a_link(shared, tenant=tenant))
    own = await repository.create_workspace(ours.owner, "own")
    with pytest.raises(UnknownWorkspace):
        await links.link(a_link(own, tenant=others[2]))
