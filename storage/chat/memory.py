"""Recall a thread from what its finished runs keep; there is no second store that could disagree."""

import asyncio
import re
from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa

from masis.conversation import Exchange, Spot
from masis.domain import WorkspaceId
from masis.rewriting.named_people import people
from storage.sql.database import Database
from storage.sql.scope import exactly, of_tenant
from storage.sql.tables import chat_runs, runs

MOST_EXCHANGES: Final = 6
"""Of a thread that are recalled: the last ones (design section 12)."""
MOST_CHARS: Final = 4_000
"""Of these exchanges together; older ones go first."""
MOST_ABOUT: Final = 6
"""Titles and headings of one exchange."""
MOST_DOCUMENTS: Final = 2
"""Of one exchange; a follow-up is about few."""
MOST_NAME: Final = 100
"""Characters of a person's name."""
_WHO: Final = re.compile(r"\bwho(?:m|se|['’]?s)?\b", re.IGNORECASE)
_NOTHING_ASKED: Final = ("small_talk", "retold")
"""Marks of what asked the documents nothing: a thread goes on from the question before it."""
_ANSWERED: Final = "success"
_ENDED: Final = (_ANSWERED, "needs_clarification")


class ThreadMemory:
    """Recalls what was asked in threads.

    Raises:
        StoreUnavailable: the database cannot be read.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def recall(self, thread: Spot, workspace_id: WorkspaceId) -> list[Exchange]:
        """Return the thread's last exchanges that were answered from this workspace, oldest first."""
        columns = runs.c.run_id, runs.c.question, runs.c.status, runs.c.outcome
        of_thread = (
            of_tenant(chat_runs.c, thread.tenant),
            exactly(chat_runs.c.channel, thread.channel),
            exactly(chat_runs.c.thread, thread.thread),
            exactly(chat_runs.c.workspace_id, workspace_id),
            runs.c.status.in_(_ENDED),
        )
        same_run = sa.and_(
            runs.c.run_id == chat_runs.c.id, runs.c.workspace_id == chat_runs.c.workspace_id
        )
        query = (
            sa.select(*columns)
            .select_from(chat_runs.join(runs, same_run))
            .where(*of_thread)
            .order_by(chat_runs.c.accepted_at.desc(), chat_runs.c.id.desc())
            .limit(2 * MOST_EXCHANGES)  # what asked nothing is left out
        )
        found = await self._database.inspect(lambda look: look.execute(query).all())
        asked = [row for row in found if not _asked_nothing(row.outcome)]
        # The words that tell a person's name are a list read from a file, once.
        return await asyncio.to_thread(_recalled, asked[:MOST_EXCHANGES])


def _recalled(newest_first: Sequence[Any]) -> list[Exchange]:
    return _within([_exchange(row) for row in newest_first])


def _asked_nothing(outcome: dict[str, Any]) -> bool:
    return any(outcome.get(mark) for mark in _NOTHING_ASKED)


def _exchange(row: Any) -> Exchange:
    outcome = row.outcome
    citations = outcome.get("citations") or []
    names = [name for each in citations for name in _names(each)]
    return Exchange(
        run_id=row.run_id,
        question=row.question,
        standalone=outcome.get("understood") or row.question,
        status=row.status,
        about=list(dict.fromkeys(names))[:MOST_ABOUT],
        chunk_ids=[each["chunk_id"] for each in citations if each.get("chunk_id")],
        documents=_documents(row.status, citations),
        person=_person(outcome.get("understood") or row.question, outcome),
    )


def _documents(status: str, citations: Sequence[dict[str, Any]]) -> list[str]:
    """Return which documents an answer rests on; a question back rests on none."""
    names = [each.get("document") or "" for each in citations] if status == _ANSWERED else []
    return list(dict.fromkeys(filter(None, names)))[:MOST_DOCUMENTS]


def _person(question: str, outcome: dict[str, Any]) -> str:
    """Return who the answer to "who" names, where it is one; a question back has none."""
    if not _WHO.search(question) or not outcome.get("answer"):
        return ""
    named = people(outcome["answer"])
    return named[0][:MOST_NAME] if len(named) == 1 else ""


def _names(citation: dict[str, Any]) -> list[str]:
    """Return the title and the headings of what was cited, as far as it is still there."""
    headings = (citation.get("place") or {}).get("headings") or []
    return [name for name in (citation.get("title"), *headings) if name]


def _within(newest_first: list[Exchange]) -> list[Exchange]:
    """Return the newest that have room together, oldest first."""
    kept: list[Exchange] = []
    room = MOST_CHARS
    for each in newest_first:
        room -= len(each.question) + len(each.standalone) + sum(map(len, each.about))
        if room < 0 and kept:
            break
        kept.append(each)
    return kept[::-1]
