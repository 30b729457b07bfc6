from typing import Any

import pytest

from masis.conversation import BOTH, ChatRun, Session
from masis.domain import ParsedDocument, Workspace
from masis.records import Version
from storage.chat import sessions as session_steps
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.storage.beside import occurrences
from tests.storage.chat.samples import NOON, OURS, a_run, a_session, insert, kept_run

CANARY = "flamingo budget 4711.pdf"


@pytest.fixture
async def workspace(our_workspace: Workspace) -> Workspace:
    """Give a conversation's tests a workspace of a team."""
    return our_workspace


async def a_document(repository: SqlRepository, workspace: Workspace) -> Version:
    version = await repository.begin_version(workspace.id, "a.pdf", "hash", 1)
    await repository.activate(version, ParsedDocument(format="pdf", title="A", blocks=[]), 0)
    return version


async def ask(
    database: Database, repository: SqlRepository, run: ChatRun, document_id: str | None = None
) -> None:
    """Accept a request and keep its run, which quotes the document where there is one."""
    await insert(database, run)
    kept = kept_run(run, CANARY if document_id else "", document_id or "")
    await repository.save_run(kept if document_id else kept.model_copy(update={"evidence": []}))


def quoting(run: ChatRun, workspace: Workspace, **other: Any) -> Session:
    texts = {
        "clarification": f"Does {CANARY} count?",
        "suggestions": [f"Yes, {CANARY} counts", "No"],
    }
    return a_session(f"s of {run.id}", workspace, run_id=run.id, **texts | other)


@pytest.fixture
def sessions(database: Database) -> Sessions:
    return Sessions(database)


async def answer(database: Database, run_id: str, reply: str, next_run_id: str) -> bool:
    return await database.transact(
        lambda connection: session_steps.take(
            connection,
            f"s of {run_id}",
            OURS,
            user="U1",
            reply=reply,
            next_run_id=next_run_id,
            now=NOON,
        )
    )


async def test_deletion_removes_words_from_clarifications(
    database: Database,
    repository: SqlRepository,
    workspace: Workspace,
    sessions: Sessions,
    location: str,
) -> None:
    """A deleted documents words leave what was asked back."""
    document = await a_document(repository, workspace)
    run, other = a_run("run-1", workspace), a_run("run-2", workspace, thread="2")
    await ask(database, repository, run, document.document_id)
    await ask(database, repository, other)
    await sessions.open(quoting(run, workspace))
    untouched = await sessions.open(a_session("other", workspace, run_id="run-2", thread="2"))

    await repository.delete_document(workspace.id, document.document_id)

    session = await sessions.by_id(OURS, "s of run-1")
    assert session is not None
    assert (session.clarification, session.suggestions) == ("", [])
    assert (session.question, session.status) == ("What is it?", "open")
    assert await sessions.by_id(OURS, "other") == untouched
    assert occurrences(location, CANARY) == 0


async def test_chosen_suggestion_is_removed_from_requests(
    database: Database,
    repository: SqlRepository,
    workspace: Workspace,
    sessions: Sessions,
    location: str,
) -> None:
    """A chosen suggestion leaves every request that took it up."""
    document = await a_document(repository, workspace)
    run = a_run("run-1", workspace)
    await ask(database, repository, run, document.document_id)
    session = await sessions.open(quoting(run, workspace))
    reply = session.suggestions[0]
    for run_id, next_id, said in [("run-1", "run-2", reply), ("run-2", "run-3", "No more")]:
        assert await answer(database, run_id, said, next_id)
        query = f"What is it? {reply}"
        fresh = a_run(next_id, workspace, question=said, query=query, reply=said, kind="reply")
        await ask(database, repository, fresh, document.document_id)
        await sessions.open(quoting(fresh, workspace, question=query))
    assert occurrences(location, CANARY) > 10

    await repository.delete_document(workspace.id, document.document_id)

    assert occurrences(location, CANARY) == 0
    third = await ChatRuns(database).get(OURS, "run-3")
    assert third is not None
    assert (third.question, third.query) == ("No more", "What is it? ")
    second = await ChatRuns(database).get(OURS, "run-2")
    assert second is not None
    assert (second.question, second.reply) == ("", "")
    kept = await repository.run(workspace.id, "run-3")
    assert kept is not None
    assert kept.question == kept.outcome["question"] == "What is it? "


async def test_the_askers_own_words_stay(
    database: Database, repository: SqlRepository, workspace: Workspace, sessions: Sessions
) -> None:
    document = await a_document(repository, workspace)
    run = a_run("run-1", workspace)
    await ask(database, repository, run, document.document_id)
    await sessions.open(quoting(run, workspace))
    await answer(database, "run-1", "the newer one", "run-2")
    await repository.delete_document(workspace.id, document.document_id)
    session = await sessions.by_id(OURS, "s of run-1")
    assert session is not None
    assert (session.reply, session.clarification) == ("the newer one", "")


async def test_suggestion_without_document_is_kept(
    database: Database, repository: SqlRepository, workspace: Workspace, sessions: Sessions
) -> None:
    """A suggestion that names no document stays."""
    document = await a_document(repository, workspace)
    run = a_run("run-1", workspace)
    await ask(database, repository, run, document.document_id)
    await sessions.open(quoting(run, workspace, suggestions=[f"{CANARY} counts", BOTH]))
    await answer(database, "run-1", BOTH, "run-2")
    fresh = a_run("run-2", workspace, question="Both offices?", reply=BOTH, kind="reply")
    await ask(database, repository, fresh, document.document_id)

    await repository.delete_document(workspace.id, document.document_id)

    kept = await ChatRuns(database).get(OURS, "run-2")
    assert kept is not None
    assert (kept.question, kept.reply) == ("Both offices?", BOTH)


async def test_session_after_deletion_has_no_texts(
    database: Database, repository: SqlRepository, workspace: Workspace, sessions: Sessions
) -> None:
    """A session that opens after the deletion opens without its texts."""
    document = await a_document(repository, workspace)
    run = a_run("run-1", workspace)
    await ask(database, repository, run, document.document_id)
    await repository.delete_document(workspace.id, document.document_id)
    session = await sessions.open(quoting(run, workspace))
    assert (session.clarification, session.suggestions, session.status) == ("", [], "open")
