"""Find what conversations hold of a document's words, and have them forget it."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.conversation import BOTH
from storage import checkpoint_rows
from storage.sql.rows import AnyRow, within
from storage.sql.tables import chat_runs, runs, sessions

_LONGEST_CHAIN: Final = 100
"""Clarifications of one question that lead to the next; nobody answers as many."""


async def blank_sessions(
    connection: AsyncConnection, workspace_id: object, run_ids: Collection[str]
) -> None:
    """Empty what the sessions of these runs quote of documents; the asker's own words stay.

    A suggestion that was chosen is not the asker's wording: it leaves the requests that took it up.
    """
    mine = within(sessions.c, workspace_id), sessions.c.run_id.in_(sorted(run_ids))
    found = (await connection.execute(select(sessions).where(*mine))).all()
    await connection.run_sync(checkpoint_rows.remove, [row.id for row in found])
    for row in found:
        chosen = row.reply not in {"", BOTH} and row.reply in row.suggestions
        change = update(sessions).where(sessions.c.id == row.id)
        await connection.execute(change.values(clarification="", suggestions=[]))
        if chosen:
            await connection.execute(change.values(reply=""))
            await _forget_reply(connection, row)


async def _forget_reply(connection: AsyncConnection, answered: AnyRow) -> None:
    """Take a reply's words out of all requests that came of it, one after the other."""
    session: AnyRow | None = answered
    for _ in range(_LONGEST_CHAIN):
        if session is None or session.next_run_id is None:
            return
        run_id = session.next_run_id
        await _take_out(connection, session.workspace_id, run_id, answered.reply)
        following = select(sessions).where(
            within(sessions.c, session.workspace_id), sessions.c.run_id == run_id
        )
        session = (await connection.execute(following)).one_or_none()


async def _take_out(
    connection: AsyncConnection, workspace_id: object, run_id: str, words: str
) -> None:
    request = chat_runs.c
    asked = (request.question, request.query, request.earlier, request.reply)
    for table, key, columns in (
        (chat_runs, request.id, asked),
        (sessions, sessions.c.run_id, (sessions.c.question,)),
        (runs, runs.c.run_id, (runs.c.question,)),
    ):
        change = update(table).where(within(table.c, workspace_id), key == run_id)
        without = {column.name: func.replace(column, words, "") for column in columns}
        await connection.execute(change.values(**without))
    kept = select(runs.c.question, runs.c.outcome).where(
        within(runs.c, workspace_id), runs.c.run_id == run_id
    )
    row = (await connection.execute(kept)).one_or_none()
    if row is not None:
        change = update(runs).where(within(runs.c, workspace_id), runs.c.run_id == run_id)
        reply = row.outcome.get("reply", "").replace(words, "")
        outcome = row.outcome | {"question": row.question, "reply": reply}
        await connection.execute(change.values(outcome=outcome))
