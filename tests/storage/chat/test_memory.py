"""A thread is recalled from its stored runs, and by nobody but its own team and workspace."""

from typing import Any

from masis.conversation import Spot, Tenant
from masis.domain import Workspace
from storage.chat.memory import MOST_CHARS, MOST_EXCHANGES, ThreadMemory
from storage.documents import kept_runs
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.storage.chat.samples import (
    NO_IDS,
    NO_TENANTS,
    OURS,
    THEIRS,
    a_run,
    insert,
    kept_run,
    seconds,
)

THREAD = Spot(tenant=OURS, channel="C1", thread="1.1")


async def asked(
    database: Database, workspace: Workspace, number: int, text: str, **outcome: Any
) -> None:
    """Have a question asked in the thread and answered, so many seconds after noon."""
    run = a_run(f"run-{number}", workspace, query=text, accepted_at=seconds(number))
    await insert(database, run)
    kept = kept_run(run)
    kept = kept.model_copy(update={"status": "success", "outcome": kept.outcome | outcome})
    async with database.write() as connection:
        await kept_runs.insert_run(connection, kept)


async def recalled(database: Database, workspace: Workspace, thread: Spot = THREAD) -> list[str]:
    found = await ThreadMemory(database).recall(thread, workspace.id)
    return [each.standalone for each in found]


async def test_last_exchanges_are_recalled_in_order(
    database: Database, workspace: Workspace
) -> None:
    """The last six, oldest first, each as it was understood."""
    for number in range(MOST_EXCHANGES + 2):
        await asked(database, workspace, number, f"Question {number}?")
    await asked(database, workspace, 9, "and for us?", understood="Question 9 for us?")
    assert await recalled(database, workspace) == [
        *(f"Question {number}?" for number in range(3, MOST_EXCHANGES + 2)),
        "Question 9 for us?",
    ]


async def test_recalled_text_is_bounded(database: Database, workspace: Workspace) -> None:
    """Older exchanges go first; the newest is recalled however long it is."""
    for number in (1, 2):
        await asked(database, workspace, number, f"{number}" * MOST_CHARS)
    assert await recalled(database, workspace) == ["2" * MOST_CHARS]


async def test_what_asked_nothing_is_left_out(database: Database, workspace: Workspace) -> None:
    """Small talk, and the last answer in another form, are no exchange."""
    await asked(database, workspace, 1, "How much leave is there?")
    await asked(database, workspace, 2, "thanks", small_talk=True)
    await asked(database, workspace, 3, "shorter please", retold=True)
    assert await recalled(database, workspace) == ["How much leave is there?"]


async def test_one_person_in_an_answer_is_recalled(
    database: Database, workspace: Workspace
) -> None:
    """Only where somebody was asked for, and one is named."""
    await asked(database, workspace, 1, "Who opens it?", answer="Only Isaac Kiln opens it [1].")
    await asked(database, workspace, 2, "When?", answer="Ask Isaac Kiln [1].")
    await asked(database, workspace, 3, "who else?", answer="Isaac Kiln or Anna Wick [1].")
    await asked(database, workspace, 4, "who's wick", answer="Isaac Kiln or Anna Wick [1].")
    found = await ThreadMemory(database).recall(THREAD, workspace.id)
    assert [each.person for each in found] == ["Isaac Kiln", "", "", "Anna Wick"]


async def test_documents_of_an_answer_are_recalled(
    database: Database, workspace: Workspace
) -> None:
    """Each once, and few: a follow-up is about few."""
    cited = [{"document": name} for name in ("rota.md", "kiln.md", "rota.md", "fees.md")]
    await asked(database, workspace, 1, "Who opens it?", citations=cited)
    (found,) = await ThreadMemory(database).recall(THREAD, workspace.id)
    assert found.documents == ["rota.md", "kiln.md"]


async def test_another_scope_recalls_nothing(
    database: Database, workspace: Workspace, their_workspace: Workspace
) -> None:
    """Neither another team nor another workspace, channel or thread recalls it."""
    await asked(database, workspace, 1, "How much leave is there?")
    assert await recalled(database, their_workspace) == []
    spots: list[dict[str, Any]] = [
        *({"tenant": tenant} for tenant in (THEIRS, *NO_TENANTS) if isinstance(tenant, Tenant)),
        *({"channel": value} for value in ("C2", *NO_IDS)),
        *({"thread": value} for value in ("1.2", *NO_IDS)),
    ]
    for other in spots:
        assert await recalled(database, workspace, THREAD.model_copy(update=other)) == [], other


async def test_deleted_workspace_is_recalled_no_more(
    database: Database, workspace: Workspace
) -> None:
    """What is forgotten of the stored runs is forgotten of the thread."""
    await asked(database, workspace, 1, "How much leave is there?")
    await SqlRepository(database).delete_workspace(workspace.id)
    assert await recalled(database, workspace) == []
