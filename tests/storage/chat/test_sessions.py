import asyncio
import contextlib
import datetime as dt
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import Connection

from masis.conversation import Session
from masis.domain import Workspace
from masis.errors import UnknownWorkspace
from storage.chat import sessions as module
from storage.chat.outbox import Outbox
from storage.chat.sessions import Sessions
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.storage.chat.samples import (
    ELSEWHERE,
    NO_IDS,
    NO_TENANTS,
    NOON,
    OURS,
    THEIRS,
    a_run,
    a_session,
    insert,
    seconds,
)

TOMORROW = NOON + dt.timedelta(hours=24)


@pytest.fixture
def sessions(database: Database) -> Sessions:
    return Sessions(database)


async def take(
    database: Database,
    session_id: Any = "s",
    tenant: Any = OURS,
    reply: str = "the first",
    *,
    now: dt.datetime = NOON,
) -> bool:
    return await database.transact(
        lambda connection: module.take(
            connection,
            session_id,
            tenant,
            user="U1",
            reply=reply,
            next_run_id="run for it",
            now=now,
        )
    )


async def found(sessions: Sessions, session_id: str = "s") -> Session:
    session = await sessions.by_id(OURS, session_id)
    assert session is not None
    return session


@contextlib.asynccontextmanager
async def processes(location: str, count: int) -> AsyncIterator[list[Database]]:
    """Several databases on the same file, as several processes have them."""
    opened = [await Database.open(location) for _ in range(count)]
    try:
        yield opened
    finally:
        for database in opened:
            await database.close()


# --- opening -------------------------------------------------------------------------------


async def test_session_is_found_as_opened(sessions: Sessions, workspace: Workspace) -> None:
    """A session is found as it was opened."""
    session = a_session("s", workspace)
    assert await sessions.open(session) == session
    assert await sessions.by_id(OURS, "s") == session
    assert await sessions.open_in_thread(OURS, "C1", "1.1") == session


async def test_a_run_opens_one_session(sessions: Sessions, workspace: Workspace) -> None:
    session = await sessions.open(a_session("s", workspace))
    again = a_session("another", workspace, run_id=session.run_id, clarification="Something else?")
    assert await sessions.open(again) == session
    assert await sessions.by_id(OURS, "another") is None


async def test_answered_session_is_not_reopened(
    sessions: Sessions, workspace: Workspace, database: Database
) -> None:
    """An answered session is not opened again."""
    await sessions.open(a_session("s", workspace))
    await take(database)
    assert (await sessions.open(a_session("s", workspace))).status == "answered"
    assert await sessions.open_in_thread(OURS, "C1", "1.1") is None


async def test_new_session_cancels_waiting_one(sessions: Sessions, workspace: Workspace) -> None:
    """A new session cancels the one its thread waited for."""
    await sessions.open(a_session("old", workspace))
    await sessions.open(a_session("elsewhere", workspace, thread="1.2"))
    new = await sessions.open(a_session("new", workspace))
    assert (await found(sessions, "old")).status == "cancelled"
    assert (await found(sessions, "elsewhere")).status == "open"
    assert await sessions.open_in_thread(OURS, "C1", "1.1") == new


async def test_same_thread_waits_separately_per_tenant(
    sessions: Sessions, workspace: Workspace, their_workspace: Workspace
) -> None:
    """The same thread of two tenants waits twice."""
    mine = await sessions.open(a_session("mine", workspace))
    other = await sessions.open(a_session("theirs", their_workspace, tenant=THEIRS))
    assert await sessions.open_in_thread(OURS, "C1", "1.1") == mine
    assert await sessions.open_in_thread(THEIRS, "C1", "1.1") == other


async def test_session_requires_own_thread_and_workspace(
    sessions: Sessions, workspace: Workspace, their_workspace: Workspace
) -> None:
    """A session needs a thread and a workspace of its own."""
    await sessions.open(a_session("old", workspace))
    with pytest.raises(UnknownWorkspace):
        await sessions.open(a_session("s", their_workspace))
    with pytest.raises(ValueError, match="thread"):
        await sessions.open(a_session("s", workspace, thread=""))
    assert (await found(sessions, "old")).status == "open"


async def test_unstorable_characters_are_removed(sessions: Sessions, workspace: Workspace) -> None:
    """Texts are kept without what no database takes."""
    session = await sessions.open(
        a_session("s", workspace, question="a\0", clarification="\0", suggestions=["b\0"])
    )
    assert (session.question, session.clarification, session.suggestions) == ("a", "", ["b"])


async def test_the_posted_message_is_noted(sessions: Sessions, workspace: Workspace) -> None:
    await sessions.open(a_session("s", workspace))
    await sessions.set_message(THEIRS, "s", "9.9")
    assert (await found(sessions)).message == ""
    await sessions.set_message(OURS, "s", "2.2")
    assert (await found(sessions)).message == "2.2"


# --- taking --------------------------------------------------------------------------------


async def test_only_first_reply_is_kept(
    sessions: Sessions, workspace: Workspace, database: Database
) -> None:
    """The first reply is taken and kept."""
    session = await sessions.open(a_session("s", workspace))
    assert await take(database, reply="the first\ud800\0")
    assert not await take(database, reply="the second")
    assert await found(sessions) == session.model_copy(
        update={
            "status": "answered",
            "answered_by": "U1",
            "reply": "the first?",
            "next_run_id": "run for it",
        }
    )


async def test_late_reply_is_refused(
    sessions: Sessions, workspace: Workspace, database: Database
) -> None:
    """A reply in time is taken and a late one is not."""
    await sessions.open(a_session("late", workspace, thread="1"))
    await sessions.open(a_session("in time", workspace, thread="2"))
    assert not await take(database, "late", now=TOMORROW)
    assert await take(database, "in time", now=TOMORROW - dt.timedelta(seconds=1))
    assert (await found(sessions, "late")).status == "open"


async def test_withdrawn_reply_leaves_session_open(
    sessions: Sessions, workspace: Workspace, database: Database
) -> None:
    """A reply that is taken back leaves the session open."""

    def take_and_fail(connection: Connection) -> None:
        module.take(connection, "s", OURS, user="U1", reply="a", next_run_id="r", now=NOON)
        raise TimeoutError

    await sessions.open(a_session("s", workspace))
    with pytest.raises(TimeoutError):
        await database.transact(take_and_fail)
    assert (await found(sessions)).status == "open"


async def test_concurrent_replies_yield_one_winner(
    sessions: Sessions, workspace: Workspace, location: str
) -> None:
    """Of replies to several processes one is taken."""
    await sessions.open(a_session("s", workspace))
    async with processes(location, 3) as databases:
        taken = await asyncio.gather(
            *(take(databases[n % 3], reply=f"reply {n}") for n in range(12))
        )
    assert sum(taken) == 1
    assert (await found(sessions)).reply == f"reply {taken.index(True)}"


# --- ending --------------------------------------------------------------------------------


async def test_a_cancelled_session_takes_no_reply(
    sessions: Sessions, workspace: Workspace, database: Database
) -> None:
    await sessions.open(a_session("s", workspace))
    assert not await sessions.cancel(THEIRS, "s", "U9")
    assert await sessions.cancel(OURS, "s", "U1")
    assert not await sessions.cancel(OURS, "s", "U2")
    assert not await take(database)
    assert ((await found(sessions)).status, (await found(sessions)).answered_by) == (
        "cancelled",
        "U1",
    )


async def test_what_is_due_expires_once(
    sessions: Sessions, workspace: Workspace, their_workspace: Workspace, database: Database
) -> None:
    await sessions.open(a_session("later", workspace, thread="1", expires_at=seconds(2)))
    await sessions.open(a_session("first", workspace, thread="2", expires_at=seconds(1)))
    await sessions.open(a_session("not yet", workspace, thread="3", expires_at=seconds(4)))
    await sessions.open(a_session("theirs", their_workspace, tenant=THEIRS, expires_at=seconds(3)))
    await sessions.open(a_session("answered", workspace, thread="4", expires_at=seconds(1)))
    await take(database, "answered")

    assert [session.id for session in await sessions.due(seconds(3))] == [
        "first",
        "later",
        "theirs",
    ]
    expired = await sessions.expire(seconds(3))
    assert {(session.id, session.status) for session in expired} == {
        ("first", "expired"),
        ("later", "expired"),
        ("theirs", "expired"),
    }
    assert await sessions.expire(seconds(3)) == []
    assert await sessions.due(seconds(3)) == []
    assert (await found(sessions, "not yet")).status == "open"
    assert not await take(database, "first")


async def test_each_session_expires_in_one_process(
    sessions: Sessions, workspace: Workspace, location: str
) -> None:
    """Of several processes each session expires in one."""
    for n in range(7):
        await sessions.open(a_session(f"s{n}", workspace, thread=str(n)))
    async with processes(location, 3) as databases:
        results = await asyncio.gather(
            *(Sessions(databases[n % 3]).expire(TOMORROW) for n in range(6))
        )
    expired = [session.id for result in results for session in result]
    assert sorted(expired) == [f"s{n}" for n in range(7)]


async def test_large_expiry_takes_several_batches(
    sessions: Sessions, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than a batch expires in several calls."""
    monkeypatch.setattr(module, "_BATCH", 2)
    for n in range(3):
        await sessions.open(a_session(f"s{n}", workspace, thread=str(n), expires_at=seconds(3 - n)))
    first = {session.id for session in await sessions.expire(TOMORROW)}
    second = {session.id for session in await sessions.expire(TOMORROW)}
    assert (first, second) == ({"s2", "s1"}, {"s0"})


# --- scope ---------------------------------------------------------------------------------


async def test_another_tenant_finds_nothing(
    sessions: Sessions, workspace: Workspace, database: Database
) -> None:
    session = await sessions.open(a_session("s", workspace))
    for tenant in [*NO_TENANTS, THEIRS]:
        assert await sessions.by_id(tenant, "s") is None
        assert await sessions.open_in_thread(tenant, "C1", "1.1") is None
        assert not await sessions.cancel(tenant, "s", "U1")
        assert not await take(database, tenant=tenant)
        await sessions.set_message(tenant, "s", "2.2")
        assert await found(sessions) == session


async def test_what_is_no_id_finds_nothing(
    sessions: Sessions, workspace: Workspace, database: Database
) -> None:
    session = await sessions.open(a_session("s", workspace))
    for value in NO_IDS:
        assert await sessions.by_id(OURS, value) is None
        assert await sessions.open_in_thread(OURS, value, "1.1") is None
        assert await sessions.open_in_thread(OURS, "C1", value) is None
        assert not await sessions.cancel(OURS, value, "U1")
        assert not await take(database, value)
        assert await found(sessions) == session


async def test_expired_session_stays_until_announced(
    database: Database, sessions: Sessions, workspace: Workspace
) -> None:
    """What expired is found until its thread was told."""
    outbox = Outbox(database)
    await insert(database, *[a_run(f"run of {each}", workspace) for each in "abc"])
    for each in ["a", "b", "c", "forgotten"]:
        await sessions.open(a_session(each, workspace, thread=f"1.{ord(each[0])}"))
    assert await sessions.expired_unannounced(TOMORROW, "slack") == []
    await sessions.expire(TOMORROW)
    await outbox.begin("run of b", "expired", 0, "C1", "1.1")
    await outbox.begin("run of c", "expired", 0, "C1", "1.1")
    await outbox.sent("run of c", "expired", 0, "1.2")
    found = await sessions.expired_unannounced(TOMORROW, "slack")
    assert [each.id for each in found] == ["a", "b"]
    assert [each.id for each in await sessions.expired_unannounced(TOMORROW, "slack", 1)] == ["a"]
    assert await sessions.expired_unannounced(TOMORROW + dt.timedelta(hours=48), "slack") == []


async def test_newest_open_stays_in_its_organisation(
    sessions: Sessions,
    workspace: Workspace,
    their_workspace: Workspace,
    repository: SqlRepository,
) -> None:
    """What a chat waits for is found over all teams of one organisation."""
    foreign = await repository.create_workspace(ELSEWHERE.owner, "elsewhere")
    for session in [
        a_session("s", workspace),
        a_session("s2", their_workspace, tenant=THEIRS, created_at=seconds(1)),
        a_session("s3", foreign, tenant=ELSEWHERE, created_at=seconds(2)),
    ]:
        await sessions.open(session)

    async def found(enterprise: str, chat: str = "slack") -> str | None:
        session = await sessions.newest_open(chat, enterprise, "C1", "U1")
        return None if session is None else session.id

    assert await found("E1") == "s2"
    assert await found("E2") == "s3"
    assert await found("E1", "teams") is None
    assert await sessions.cancel(THEIRS, "s2", "U1")
    assert await found("E1") == "s"
