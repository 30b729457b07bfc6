"""Forget what uploads over HTTP say of a document that is deleted: its name, and what came of it."""

from typing import Any

import sqlalchemy as sa

from masis.conversation import OPEN
from storage.sql.rows import AnyRow, text_or_nothing, within
from storage.sql.tables import chat_runs, documents, uploads


def forget(connection: sa.Connection, workspace_id: object, document_id: str) -> None:
    """Delete the requests of ended uploads of the document, and its name from what others noted.

    To be called before the document's own row goes. One that is on its way brings it back anyway.
    """
    mine = within(documents.c, workspace_id), documents.c.id == text_or_nothing(document_id)
    name = connection.scalar(sa.select(documents.c.name).where(*mine)) or ""
    query = (
        sa.select(uploads.c.run_id, uploads.c.result, chat_runs.c.question)
        .join(chat_runs, chat_runs.c.id == uploads.c.run_id)
        .where(within(uploads.c, workspace_id), uploads.c.state != "processing")
    )
    found = connection.execute(query).all()
    _remove(connection, [row.run_id for row in found if _is_of(row, document_id, name)])
    for row in found:
        result = _without(row.result or {}, name)
        if result != row.result:
            here = uploads.c.run_id == row.run_id
            connection.execute(sa.update(uploads).where(here).values(result=result))


def _is_of(row: AnyRow, document_id: str, name: str) -> bool:
    return row.question == name or (row.result or {}).get("document_id") == document_id


def _remove(connection: sa.Connection, run_ids: list[str]) -> None:
    """Delete the requests; of one that is about to be noted as ended only the name goes."""
    for run_id in run_ids:
        here = chat_runs.c.id == run_id
        is_open = chat_runs.c.status.in_(sorted(OPEN))
        connection.execute(sa.update(chat_runs).where(here, is_open).values(question=""))
        connection.execute(sa.delete(chat_runs).where(here, ~is_open))


def _without(result: dict[str, Any], name: str) -> dict[str, Any]:
    """What is noted of an upload, without the notes that name the document."""
    if not name or "notes" not in result:
        return result
    return result | {"notes": [note for note in result["notes"] if name not in note]}
