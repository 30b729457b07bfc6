import asyncio

import pytest

from masis.domain import Workspace
from masis.errors import RunCancelled
from storage.chat.outbox import Outbox
from storage.sql.database import Database
from tests.storage.chat.samples import NO_IDS, NO_TENANTS, OURS, THEIRS, a_run, insert


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
