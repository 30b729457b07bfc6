"""Requests, sessions and links with everything that a test does not care about filled in."""

import datetime as dt
from typing import Any, Final

from masis.conversation import ChatRun, Link, Session, Tenant
from masis.domain import EvidenceChunk, Workspace
from masis.records import StoredRun
from storage.chat import requests
from storage.documents import kept_runs
from storage.sql.database import Database

OURS: Final = Tenant(enterprise="E1", team="T1")
THEIRS: Final = Tenant(enterprise="E1", team="T2")
ELSEWHERE: Final = Tenant(enterprise="E2", team="T1")
NOON: Final = dt.datetime(2026, 3, 1, 12, 0, tzinfo=dt.UTC)

NO_IDS: Final[list[Any]] = [None, "", "%", "C", "C1\0", "\ud800", "C1' OR 1=1 --", ["C1"], 7, True]
"""What finds nothing where an id is expected; `C1` itself would."""
NOT_CHECKED: Final[Any] = {"enterprise": ["E1"], "team": ["T1"]}
NO_TENANTS: Final[list[Any]] = [
    None,
    "E1",
    Tenant(),
    Tenant(team="T1"),
    Tenant(enterprise="E1"),
    Tenant(enterprise="T1", team="E1"),
    Tenant(enterprise="%", team="%"),
    Tenant(enterprise="E1", team="T1\0"),
    Tenant.model_construct(**NOT_CHECKED),
]


def seconds(count: float) -> dt.datetime:
    """So many seconds after noon."""
    return NOON + dt.timedelta(seconds=count)


def a_run(run_id: str, workspace: Workspace, **other: Any) -> ChatRun:
    return ChatRun(
        **{
            "id": run_id,
            "tenant": OURS,
            "channel": "C1",
            "thread": "1.1",
            "asker": "U1",
            "question": "What is it?",
            "query": "What is it?",
            "workspace_id": workspace.id,
            "accepted_at": NOON,
        }
        | other
    )


async def insert(database: Database, *runs: ChatRun) -> list[bool]:
    return await database.transact(lambda sync: [requests.insert(sync, run) for run in runs])


def a_session(session_id: str, workspace: Workspace, **other: Any) -> Session:
    return Session(
        **{
            "id": session_id,
            "tenant": OURS,
            "channel": "C1",
            "thread": "1.1",
            "asker": "U1",
            "kind": "conflict",
            "run_id": f"run of {session_id}",
            "workspace_id": workspace.id,
            "question": "What is it?",
            "clarification": "Which of the two counts?",
            "suggestions": ["The first", "The second"],
            "created_at": NOON,
            "expires_at": NOON + dt.timedelta(hours=24),
        }
        | other
    )


def a_link(workspace: Workspace, **other: Any) -> Link:
    return Link(
        **{
            "tenant": OURS,
            "channel": "C1",
            "workspace_id": workspace.id,
            "linked_by": "U9",
            "linked_at": NOON,
        }
        | other
    )


def kept_run(run: ChatRun, words: str = "", document_id: str = "d_1") -> StoredRun:
    """A run's trail that cites one document, and says `words` wherever it can."""
    citation = {"document": "a.pdf", "document_id": document_id, "text": words}
    return StoredRun(
        run_id=run.id,
        graph="research",
        workspace_id=run.workspace_id,
        parent_run_id=run.parent_run_id,
        question=run.query,
        status="answered",
        outcome={
            "run_id": run.id,
            "question": run.query,
            "answer": f"It is {words} [1].",
            "citations": [citation, citation],
        },
        evidence=[
            EvidenceChunk(
                chunk_id="c_1",
                document_id=document_id,
                version_id="v_1",
                document="a.pdf",
                title="A",
                text=words,
                score=0.9,
            )
        ],
        trace=[{"node": "researcher", "augmented_query_used": f"{run.query} {words}"}],
        figures={"gaps": [words]},
    )


async def keep(database: Database, run: ChatRun, words: str = "") -> None:
    """Keep a run's trail, as if its document were there."""
    async with database.write() as connection:
        await kept_runs.insert_run(connection, kept_run(run, words))
