import asyncio
from collections.abc import Awaitable, Callable

import pytest

from masis.domain import Workspace
from masis.errors import LinkChanged, RunCancelled
from storage.chat.links import Links, put_link
from storage.chat.outbox import Outbox
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.storage.chat.samples import (
    NO_IDS,
    NO_TENANTS,
    OURS,
    THEIRS,
    a_link,
    a_run,
    insert,
    seconds,
)


@pytest.fixture
async def outbox(database: Database, workspace: Workspace, their_workspace: Workspace) -> Outbox:
    """An outbox with the runs that the tests send messages of."""
    await insert(
        database,
        a_run("run-1", workspace),
        a_run("run-2", workspace),
        a_run("theirs", their_workspace, tenant=THEIRS),
    )
    return Outbox(database)


async def test_message_begins_only_once(outbox: Outbox) -> None:
    """A message is begun once and then sent."""
    begun = await outbox.begin("run-1", "answer", 0, "C1", "1.1")
    assert begun.fresh
    assert (begun.state, begun.channel, begun.thread, begun.message) == ("sending", "C1", "1.1", "")

    again = await outbox.begin("run-1", "answer", 0, "C1", "1.1")
    assert (again.fresh, again.state) == (False, "sending")

    await outbox.sent("run-1", "answer", 0, "2.2")
    after = await outbox.begin("run-1", "answer", 0, "C9", "9.9")
    assert (after.fresh, after.state, after.message, after.channel) == (False, "sent", "2.2", "C1")


async def test_first_message_id_is_kept(outbox: Outbox) -> None:
    """The first id of a sent message stays."""
    await outbox.begin("run-1", "answer", 0, "C1", "1.1")
    await outbox.sent("run-1", "answer", 0, "2.2")
    await outbox.sent("run-1", "answer", 0, "3.3")
    [posted] = await outbox.of("run-1")
    assert posted.message == "2.2"


async def test_kind_and_part_identify_message(outbox: Outbox) -> None:
    """Each kind and part of each run is a message of its own."""
    for run_id, kind, part in [
        ("run-1", "root", 0),
        ("run-1", "answer", 1),
        ("run-1", "answer", 0),
        ("run-2", "answer", 0),
    ]:
        assert (await outbox.begin(run_id, kind, part, "C1", "1.1")).fresh
    await outbox.sent("run-1", "answer", 1, "2.2")
    listed = [(posted.kind, posted.part, posted.message) for posted in await outbox.of("run-1")]
    assert listed == [("answer", 0, ""), ("answer", 1, "2.2"), ("root", 0, "")]


async def test_kinds_of_runs_come_together(outbox: Outbox) -> None:
    """The kinds of several runs are told at once."""
    for run_id, kind in [("run-1", "root"), ("run-1", "answer"), ("run-2", "failed")]:
        await outbox.begin(run_id, kind, 0, "C1", "1.1")

    assert await outbox.kinds(["run-1", "theirs"]) == {"run-1": {"root", "answer"}}
    assert await outbox.kinds([]) == {}


async def test_forgotten_run_sends_nothing(outbox: Outbox) -> None:
    """Nothing is sent for a run that was forgotten."""
    with pytest.raises(RunCancelled):
        await outbox.begin("run-9", "answer", 0, "C1", "1.1")
    assert await outbox.of("run-9") == []


async def test_only_own_tenant_finds_message(outbox: Outbox) -> None:
    """A message is found by its own tenant alone."""
    await outbox.begin("run-1", "answer", 0, "C1", "1.1")
    await outbox.sent("run-1", "answer", 0, "2.2")
    [posted] = await outbox.of("run-1")
    assert await outbox.find_by_message(OURS, "C1", "2.2") == posted
    assert await outbox.find_by_message(OURS, "C2", "2.2") is None
    assert await outbox.find_by_message(THEIRS, "C1", "2.2") is None


async def test_message_ids_are_separate_per_tenant(outbox: Outbox) -> None:
    """The same message id of two tenants is two messages."""
    for run_id in ("run-1", "theirs"):
        await outbox.begin(run_id, "answer", 0, "C1", "1.1")
        await outbox.sent(run_id, "answer", 0, "2.2")
    ours = await outbox.find_by_message(OURS, "C1", "2.2")
    others = await outbox.find_by_message(THEIRS, "C1", "2.2")
    assert ours is not None
    assert others is not None
    assert (ours.run_id, others.run_id) == ("run-1", "theirs")


async def test_what_is_no_id_finds_nothing(outbox: Outbox) -> None:
    await outbox.begin("run-1", "answer", 0, "C1", "1.1")
    for value in NO_IDS:
        assert await outbox.of(value) == []
        assert await outbox.find_by_message(OURS, "C1", value) is None
        assert await outbox.find_by_message(OURS, value, "2.2") is None


async def test_what_is_no_tenant_finds_nothing(outbox: Outbox) -> None:
    await outbox.begin("run-1", "answer", 0, "C1", "1.1")
    await outbox.sent("run-1", "answer", 0, "2.2")
    for tenant in NO_TENANTS:
        assert await outbox.find_by_message(tenant, "C1", "2.2") is None


async def test_of_several_processes_one_begins_afresh(outbox: Outbox, location: str) -> None:
    others = [await Database.open(location) for _ in range(3)]
    try:
        boxes = [outbox, *(Outbox(other) for other in others)]
        begun = await asyncio.gather(
            *(box.begin("run-1", "answer", 0, "C1", "1.1") for box in boxes * 3)
        )
    finally:
        for other in others:
            await other.close()
    assert sum(message.fresh for message in begun) == 1


async def test_retracted_message_begins_anew(outbox: Outbox) -> None:
    """What was certainly not sent is forgotten; what was sent stays, and others' do."""
    for run_id, part in [("run-1", 0), ("run-1", 1), ("run-2", 0)]:
        await outbox.begin(run_id, "answer", part, "C1", "1.1")
    await outbox.retract("run-1", "answer", 0)
    assert [posted.part for posted in await outbox.of("run-1")] == [1]
    assert (await outbox.begin("run-1", "answer", 0, "C1", "1.1")).fresh
    assert not (await outbox.begin("run-2", "answer", 0, "C1", "1.1")).fresh

    await outbox.sent("run-2", "answer", 0, "2.2")
    await outbox.retract("run-2", "answer", 0)
    assert [posted.message for posted in await outbox.of("run-2")] == ["2.2"]


async def unlinked(links: Links, workspace: Workspace) -> None:
    assert await links.unlink(OURS, "C1") == a_link(workspace)


async def suspended(links: Links, workspace: Workspace) -> None:
    assert await links.suspend(OURS, "C1", f"{workspace.name} is archived")


async def linked_anew(links: Links, workspace: Workspace) -> None:
    await links.link(a_link(workspace, external_allowed=True, linked_at=seconds(1)))


@pytest.mark.parametrize("change", [unlinked, suspended, linked_anew])
async def test_changed_link_begins_nothing(
    database: Database,
    outbox: Outbox,
    workspace: Workspace,
    change: Callable[[Links, Workspace], Awaitable[None]],
) -> None:
    """Nothing is noted of what was admitted by a link that changed before; others' links stay theirs."""
    links, link = Links(database), a_link(workspace)
    await links.link(link)
    assert (await outbox.begin("run-2", "answer", 0, "C1", "1.1", link=link)).fresh
    await change(links, workspace)

    with pytest.raises(LinkChanged):
        await outbox.begin("run-1", "answer", 0, "C1", "1.1", link=link)
    assert await outbox.of("run-1") == []
    again = await outbox.begin("run-2", "answer", 0, "C1", "1.1", link=link)
    assert not again.fresh, "what was begun before may be there, and goes on"


async def test_link_of_others_begins_nothing(
    database: Database, outbox: Outbox, their_workspace: Workspace, workspace: Workspace
) -> None:
    """The same channel and moment of another team is another link."""
    await Links(database).link(a_link(their_workspace, tenant=THEIRS))
    with pytest.raises(LinkChanged):
        await outbox.begin("run-1", "answer", 0, "C1", "1.1", link=a_link(workspace))


async def test_begin_waits_for_a_relink(
    database: Database, outbox: Outbox, workspace: Workspace, repository: SqlRepository
) -> None:
    """A relink that is about to be committed stops the message that is begun meanwhile."""
    other, link = await repository.create_workspace(OURS.owner, "other"), a_link(workspace)
    await Links(database).link(link)
    async with database.write() as connection:
        await put_link(connection, a_link(other))
        begun = asyncio.ensure_future(outbox.begin("run-1", "answer", 0, "C1", "1.1", link=link))
        assert not (await asyncio.wait([begun], timeout=0.2))[0]
    with pytest.raises(LinkChanged):
        await begun
