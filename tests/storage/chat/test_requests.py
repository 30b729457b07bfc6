import pytest

from masis.conversation import OPEN, RunStatus, Tenant
from masis.domain import Workspace
from masis.errors import UnknownWorkspace
from storage.chat import requests
from storage.chat.requests import ChatRuns
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.storage.chat.samples import (
    ELSEWHERE,
    NO_IDS,
    NO_TENANTS,
    OURS,
    THEIRS,
    a_run,
    insert,
    seconds,
)


@pytest.fixture
def chat_runs(database: Database) -> ChatRuns:
    return ChatRuns(database)


# --- writing -------------------------------------------------------------------------------


async def test_request_is_found_as_accepted(
    database: Database, chat_runs: ChatRuns, workspace: Workspace
) -> None:
    """A request is found as it was accepted."""
    run = a_run(
        "run-1",
        workspace,
        kind="reply",
        reply="the newer one",
        heard=["what others wrote"],
        max_retries=0,
        wider=True,
        direct=True,
        parent_run_id="run-0",
        session_id="s-1",
        message="1.2",
        attempt=2,
        cancelled_by="U2",
        status="cancelled",
        finished_at=seconds(9),
    )
    assert await insert(database, run) == [True]
    assert await chat_runs.get(OURS, "run-1") == run
    assert await chat_runs.get(None, "run-1") == run
    assert await database.transact(lambda sync: requests.find(sync, "run-1")) == run


async def test_heard_words_go_with_the_end(
    database: Database, chat_runs: ChatRuns, workspace: Workspace
) -> None:
    """What others wrote is kept while a request is open, and not a moment longer."""
    await insert(database, a_run("run-1", workspace), a_run("run-2", workspace, status="failed"))
    for run_id in ("run-1", "run-2"):
        await chat_runs.set_heard(run_id, ["Oh no!", "a\0b"])
    heard = [await chat_runs.get(OURS, run_id) for run_id in ("run-1", "run-2")]
    assert [run.heard for run in heard if run] == [["Oh no!", "ab"], []]
    await chat_runs.mark("run-1", "running")
    assert (await chat_runs.get(OURS, "run-1")).heard  # type: ignore[union-attr]
    await chat_runs.mark("run-1", "finished")
    assert (await chat_runs.get(OURS, "run-1")).heard == []  # type: ignore[union-attr]


async def test_question_before_a_message_is_found(
    database: Database, chat_runs: ChatRuns, workspace: Workspace
) -> None:
    """What was asked before a message is found by the chat's own order; files are no question."""
    await insert(
        database,
        a_run("command", workspace, accepted_at=seconds(1)),
        a_run("later", workspace, message="1700000002.000100", accepted_at=seconds(2)),
        a_run("first", workspace, message="1700000001.000100", accepted_at=seconds(3)),
        a_run("files", workspace, kind="upload", accepted_at=seconds(4)),
        a_run("elsewhere", workspace, thread="1.2", accepted_at=seconds(5)),
    )

    async def found(message: str, tenant: Tenant = OURS) -> str:
        before = await chat_runs.asked_before(tenant, "C1", "1.1", message)
        return before.id if before else ""

    assert await found("1700000003.000100") == "first"
    assert await found("1700000001.000100") == "command"
    assert await found("1700000003.000100", THEIRS) == ""


async def test_a_request_is_accepted_once(
    database: Database, chat_runs: ChatRuns, workspace: Workspace
) -> None:
    first = a_run("run-1", workspace)
    again = a_run("run-1", workspace, question="Another?", status="failed")
    assert await insert(database, first, again) == [True, False]
    assert await chat_runs.get(OURS, "run-1") == first


async def test_missing_accept_time_means_now(
    database: Database, chat_runs: ChatRuns, workspace: Workspace
) -> None:
    """A request without a time is accepted now."""
    await insert(database, a_run("run-1", workspace, accepted_at=None))
    found = await chat_runs.get(OURS, "run-1")
    assert found is not None
    assert found.accepted_at is not None


async def test_another_teams_workspace_is_not_asked(
    database: Database, chat_runs: ChatRuns, their_workspace: Workspace
) -> None:
    with pytest.raises(UnknownWorkspace):
        await insert(database, a_run("run-1", their_workspace))
    assert await chat_runs.open_runs(None) == []


async def test_request_of_no_tenant_is_rejected(
    database: Database, repository: SqlRepository
) -> None:
    """A request of no tenant asks no workspace."""
    nobody = Tenant()
    workspace = await repository.create_workspace(nobody.owner, "acme")
    with pytest.raises(UnknownWorkspace):
        await insert(database, a_run("run-1", workspace, tenant=nobody))


async def test_unstorable_question_characters_are_removed(
    database: Database, chat_runs: ChatRuns, workspace: Workspace
) -> None:
    """A question with characters that no database takes is kept without them."""
    await insert(database, a_run("run-1", workspace, question="a\0b c", query="\0"))
    found = await chat_runs.get(OURS, "run-1")
    assert found is not None
    assert (found.question, found.query) == ("ab c", "")


async def test_a_thread_is_noted_once(
    database: Database, chat_runs: ChatRuns, workspace: Workspace
) -> None:
    await insert(database, a_run("run-1", workspace, thread=""))
    await chat_runs.set_thread("run-1", "1.5")
    await chat_runs.set_thread("run-1", "1.6")
    await chat_runs.set_thread("", "1.7")
    found = await chat_runs.get(OURS, "run-1")
    assert found is not None
    assert found.thread == "1.5"


# --- marking -------------------------------------------------------------------------------


async def test_mark_changes_only_named_fields(
    database: Database, chat_runs: ChatRuns, workspace: Workspace
) -> None:
    """A mark changes what it names alone."""
    run = a_run("run-1", workspace)
    other = a_run("run-2", workspace)
    await insert(database, run, other)
    assert await chat_runs.mark("run-1", "running", attempt=1, at=seconds(5))
    assert await chat_runs.mark("run-1", "queued", cancelled_by="U2")
    changes = {"attempt": 1, "cancelled_by": "U2", "begun_at": seconds(5)}
    expected = run.model_copy(update=changes)
    assert await chat_runs.get(OURS, "run-1") == expected
    assert await chat_runs.get(OURS, "run-2") == other


@pytest.mark.parametrize("end", ["finished", "cancelled", "failed"])
async def test_noted_end_is_final(
    database: Database, chat_runs: ChatRuns, workspace: Workspace, end: RunStatus
) -> None:
    """An end is noted with its time and stays."""
    await insert(database, a_run("run-1", workspace))
    assert await chat_runs.mark("run-1", end, at=seconds(5))
    for status in ("running", "finished", "cancelled", "failed"):
        assert not await chat_runs.mark("run-1", status, at=seconds(6))
    found = await chat_runs.get(OURS, "run-1")
    assert found is not None
    assert (found.status, found.finished_at) == (end, seconds(5))


async def test_an_unknown_request_is_not_marked(chat_runs: ChatRuns) -> None:
    assert not await chat_runs.mark("run-1", "running")
    assert not await chat_runs.mark("", "running")


async def test_missing_end_time_means_now(
    database: Database, chat_runs: ChatRuns, workspace: Workspace
) -> None:
    """An end without a time is now."""
    await insert(database, a_run("run-1", workspace))
    await chat_runs.mark("run-1", "finished")
    found = await chat_runs.get(OURS, "run-1")
    assert found is not None
    assert found.finished_at is not None


# --- reading -------------------------------------------------------------------------------


async def test_newest_thread_request_is_latest(
    database: Database, chat_runs: ChatRuns, workspace: Workspace
) -> None:
    """The newest request of a thread is its latest."""
    new = a_run("new", workspace, status="finished", accepted_at=seconds(2))
    await insert(
        database,
        new,
        a_run("old", workspace, accepted_at=seconds(1)),
        a_run("elsewhere", workspace, thread="1.2", accepted_at=seconds(3)),
    )
    assert await chat_runs.latest_in_thread(OURS, "C1", "1.1") == new
    assert await chat_runs.latest_in_thread(OURS, "C1", "9.9") is None
    assert await chat_runs.latest_in_thread(THEIRS, "C1", "1.1") is None


async def test_recent_requests_filter_named_channels(
    database: Database, chat_runs: ChatRuns, workspace: Workspace
) -> None:
    """Recent requests come newest first from the channels that are named."""
    await insert(
        database,
        *(
            a_run(f"run-{n}", workspace, channel=f"C{n % 2}", accepted_at=seconds(n))
            for n in range(6)
        ),
    )

    async def recent(limit: int, channels: list[str] | None = None) -> list[str]:
        return [run.id for run in await chat_runs.recent(OURS, limit, channels)]

    assert await recent(2) == ["run-5", "run-4"]
    assert await recent(9, ["C1", "C7"]) == ["run-5", "run-3", "run-1"]
    assert await recent(9, []) == []
    assert await recent(-1) == []


async def test_open_requests_are_filtered_by_tenant(
    database: Database, chat_runs: ChatRuns, workspace: Workspace, their_workspace: Workspace
) -> None:
    """Open requests are found of one tenant or of all."""
    statuses: list[RunStatus] = ["waiting", "queued", "running", "finished", "failed", "cancelled"]
    await insert(
        database,
        *(
            a_run(status, workspace, status=status, accepted_at=seconds(n))
            for n, status in enumerate(statuses)
        ),
        a_run("theirs", their_workspace, tenant=THEIRS, accepted_at=seconds(9)),
    )
    assert {run.id for run in await chat_runs.open_runs(OURS)} == OPEN
    everybodys = [run.id for run in await chat_runs.open_runs(None)]
    assert everybodys == ["waiting", "queued", "running", "theirs"]


async def test_what_is_no_tenant_finds_nothing(
    database: Database, chat_runs: ChatRuns, workspace: Workspace
) -> None:
    await insert(database, a_run("run-1", workspace))
    for tenant in [tenant for tenant in NO_TENANTS if tenant is not None]:
        assert await chat_runs.get(tenant, "run-1") is None
        assert await chat_runs.latest_in_thread(tenant, "C1", "1.1") is None
        assert await chat_runs.recent(tenant, 9) == []
        assert await chat_runs.open_runs(tenant) == []


async def test_what_is_no_id_finds_nothing(
    database: Database, chat_runs: ChatRuns, workspace: Workspace
) -> None:
    await insert(database, a_run("run-1", workspace, thread=""))
    for value in NO_IDS:
        assert await chat_runs.get(None, value) is None
        assert await chat_runs.latest_in_thread(OURS, "C1", value) is None


async def test_persons_newest_stay_in_their_organisation(
    database: Database,
    chat_runs: ChatRuns,
    workspace: Workspace,
    their_workspace: Workspace,
    repository: SqlRepository,
) -> None:
    """What somebody asked in a place is found over all teams of one organisation."""
    foreign = await repository.create_workspace(ELSEWHERE.owner, "elsewhere")
    await insert(
        database,
        a_run("run-1", workspace),
        a_run("run-2", their_workspace, tenant=THEIRS, accepted_at=seconds(1)),
        a_run("run-3", foreign, tenant=ELSEWHERE, accepted_at=seconds(2)),
        a_run("run-4", workspace, asker="U2", accepted_at=seconds(3)),
    )

    async def found(enterprise: str, limit: int = 9) -> list[str]:
        asked = await chat_runs.recent_of("slack", enterprise, "C1", "U1", limit)
        return [run.id for run in asked]

    assert await found("E1") == ["run-2", "run-1"]
    assert await found("E1", 1) == ["run-2"]
    assert await found("E2") == ["run-3"]
    assert await chat_runs.recent_of("teams", "E1", "C1", "U1", 9) == []
