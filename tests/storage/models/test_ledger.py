import datetime as dt

import pytest

from masis.conversation import LOCAL_TENANT, Tenant
from masis.domain import Workspace
from masis.spending import Charge, Payer, Spent
from storage.documents.repository import SqlRepository
from storage.models.ledger import Grouping, SqlLedger, Usage
from storage.privacy.person import NOBODY
from storage.privacy.purge import Purge
from storage.privacy.retention import Keep, Retention
from storage.sql.database import Database

OURS = Tenant(enterprise="E1", team="T1")
THEIRS = Tenant(team="T2")
NOW = dt.datetime.now(dt.UTC)
LONG_AGO = NOW - dt.timedelta(days=9999)


@pytest.fixture
async def workspace(repository: SqlRepository) -> Workspace:
    return await repository.create_workspace(OURS.owner, "acme")


@pytest.fixture
async def their_workspace(repository: SqlRepository) -> Workspace:
    return await repository.create_workspace(THEIRS.owner, "other")


@pytest.fixture
def kept(database: Database) -> SqlLedger:
    return SqlLedger(database)


def charge(
    name: str,
    workspace: Workspace | None,
    *,
    tenant: Tenant = OURS,
    user: str = "U1",
    tokens: int = 100,
    cost: int | None = 30,
    model: str = "gpt-4o",
    at: dt.datetime = NOW,
) -> Charge:
    scope = None if workspace is None else workspace.id
    payer = Payer(tenant=tenant, channel="C1", user=user, workspace_id=scope, run_id=f"run-{name}")
    return Charge(
        id=name,
        payer=payer,
        role="writer",
        model=model,
        prompt_tokens=tokens,
        completion_tokens=1,
        cost=cost,
        at=at,
    )


async def by(kept: SqlLedger, grouping: Grouping, tenant: Tenant | None = None) -> dict[str, Usage]:
    found = await kept.usage(tenant, grouping, LONG_AGO, 100)
    return {each.key: each for each in found}


async def test_workspace_spending_sums_calls_of_today(
    kept: SqlLedger, workspace: Workspace, their_workspace: Workspace
) -> None:
    """A workspace spent what its calls of today cost."""
    yesterday = NOW - dt.timedelta(days=1)
    await kept.write([charge("a", workspace), charge("b", workspace, cost=None)])
    await kept.write([charge("c", their_workspace, tenant=THEIRS)])
    await kept.write([charge("d", workspace, at=yesterday)])
    assert await kept.spent(workspace.id) == Spent(tokens=202, cost=30)
    assert await kept.spent(their_workspace.id) == Spent(tokens=101, cost=30)


async def test_rewritten_charge_counts_once(kept: SqlLedger, workspace: Workspace) -> None:
    """A charge that is written again counts once."""
    await kept.write([charge("a", workspace)])
    await kept.write([charge("a", workspace), charge("b", workspace)])
    assert await kept.spent(workspace.id) == Spent(tokens=202, cost=60)


async def test_usage_is_summed_by_any_key(kept: SqlLedger, workspace: Workspace) -> None:
    """Usage is summed up by whatever is asked for."""
    await kept.write(
        [
            charge("a", workspace, tokens=1000),
            charge("b", workspace, user="U2"),
            charge("c", workspace, user="U2", cost=None, model="my:model"),
            charge("d", None, tenant=LOCAL_TENANT, user=""),
        ]
    )
    people = await by(kept, "user", OURS)
    assert list(people) == ["U1", "U2"]
    assert (people["U2"].calls, people["U2"].cost, people["U2"].unpriced) == (2, 30, 1)
    models = await by(kept, "model")
    assert (models["gpt-4o"].calls, models["gpt-4o"].prompt_tokens) == (3, 1200)
    places = await by(kept, "workspace")
    assert places[workspace.id].name == "acme"
    assert (places[""].calls, places[""].tenant) == (1, LOCAL_TENANT)
    assert set(await by(kept, "run", OURS)) == {"run-a", "run-b", "run-c"}
    assert (await by(kept, "channel", OURS))["C1"].completion_tokens == 3
    assert await kept.usage(OURS, "user", NOW + dt.timedelta(hours=1), 100) == []


async def test_tenant_sees_only_own_usage(
    kept: SqlLedger, workspace: Workspace, their_workspace: Workspace
) -> None:
    """A tenant learns nothing of anothers usage."""
    await kept.write([charge("a", workspace), charge("b", their_workspace, tenant=THEIRS)])
    ours, theirs = await by(kept, "user", OURS), await by(kept, "user", THEIRS)
    assert (ours["U1"].calls, theirs["U1"].calls) == (1, 1)
    assert set(await by(kept, "workspace", OURS)) == {workspace.id}
    assert await by(kept, "user", Tenant()) == {}
    both = await kept.usage(None, "user", LONG_AGO, 100)
    assert sorted(each.tenant.team for each in both) == ["T1", "T2"]


async def test_call_of_deleted_workspace_is_dropped(
    kept: SqlLedger, repository: SqlRepository, workspace: Workspace, their_workspace: Workspace
) -> None:
    """A call of a workspace that is gone is left out and costs the others nothing."""
    await kept.write([charge("a", workspace)])
    await repository.delete_workspace(workspace.id)
    await kept.write([charge("b", workspace), charge("c", their_workspace, tenant=THEIRS)])
    assert set(await by(kept, "workspace")) == {their_workspace.id}
    assert await kept.spent(workspace.id) == Spent()


async def test_forgotten_person_leaves_anonymous_costs(
    kept: SqlLedger, database: Database, workspace: Workspace, their_workspace: Workspace
) -> None:
    """Who is forgotten leaves costs that are nobodys."""
    await kept.write([charge("a", workspace), charge("b", their_workspace, tenant=THEIRS)])
    await Purge(database).purge_user(OURS, "U1")
    assert set(await by(kept, "user", OURS)) == {NOBODY}
    assert set(await by(kept, "user", THEIRS)) == {"U1"}
    assert await kept.spent(workspace.id) == Spent(tokens=101, cost=30)


async def test_forgotten_team_leaves_no_costs(
    kept: SqlLedger, database: Database, workspace: Workspace
) -> None:
    """A team that is forgotten leaves no costs."""
    await kept.write([charge("a", workspace), charge("b", None)])
    await Purge(database).purge_team(OURS)
    assert await by(kept, "workspace") == {}


async def test_costs_are_kept_for_so_long(
    kept: SqlLedger, database: Database, workspace: Workspace
) -> None:
    old = NOW - dt.timedelta(days=11)
    await kept.write([charge("old", workspace, at=old), charge("new", workspace)])
    await Retention(database, Keep(usage=dt.timedelta(days=10))).sweep(NOW)
    assert set(await by(kept, "run")) == {"run-new"}
