from typing import Any

import pytest

from masis.conversation import AdminAction, Tenant
from storage.chat.admin_log import AdminLog
from storage.sql.database import Database
from tests.storage.chat.samples import NO_TENANTS, NOON, OURS, THEIRS, seconds


@pytest.fixture
def admin_log(database: Database) -> AdminLog:
    return AdminLog(database)


def an_action(**other: Any) -> AdminAction:
    return AdminAction(**{"tenant": OURS, "actor": "U1", "action": "link", "at": NOON} | other)


async def test_actions_are_listed_newest_first(admin_log: AdminLog) -> None:
    """Actions are listed as they were the last one first."""
    first = an_action(target="C1", detail="acme")
    last = an_action(action="unlink", allowed=False, at=seconds(1))
    for action in (last, first):
        await admin_log.add(action)
    assert await admin_log.list(OURS) == [last, first]
    assert await admin_log.list(OURS, 1) == [last]
    assert await admin_log.list(OURS, -1) == []


async def test_repeated_action_gives_two_lines(admin_log: AdminLog) -> None:
    """The same action twice is two lines."""
    for _ in range(2):
        await admin_log.add(an_action())
    assert await admin_log.list(OURS) == [an_action()] * 2


async def test_retried_action_gives_one_line(
    admin_log: AdminLog,
) -> None:
    """What is tried again is one line of its tenant and action."""
    for action in (an_action(detail="first"), an_action(detail="again")):
        await admin_log.add(action, once="run 1")
    assert await admin_log.list(OURS) == [an_action(detail="first")]
    await admin_log.add(an_action(), once="run 2")
    await admin_log.add(an_action(action="unlink"), once="run 1")
    assert len(await admin_log.list(OURS)) == 3
    assert await admin_log.of(THEIRS, "link", "run 1") is None
    await admin_log.add(an_action(tenant=THEIRS), once="run 1")
    assert len(await admin_log.list(THEIRS)) == 1
    assert await admin_log.of(THEIRS, "link", "run 1") == an_action(tenant=THEIRS)


async def test_line_holds_only_portable_text(admin_log: AdminLog) -> None:
    """A line holds only what every database takes."""
    await admin_log.add(an_action(target="a\0", detail="\0b"))
    [action] = await admin_log.list(OURS)
    assert (action.target, action.detail) == ("a", "b")


async def test_another_tenant_reads_nothing(admin_log: AdminLog) -> None:
    await admin_log.add(an_action())
    for tenant in [*NO_TENANTS, THEIRS]:
        assert await admin_log.list(tenant) == []


async def test_action_without_tenant_raises(admin_log: AdminLog) -> None:
    """An action without a tenant is a bug."""
    with pytest.raises(ValueError, match="belongs to a team"):
        await admin_log.add(an_action(tenant=Tenant()))
