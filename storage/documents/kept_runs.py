"""Finished runs in rows, and how they forget a deleted document."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Text, cast, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.domain import is_attached
from masis.records import StoredRun
from storage.documents.blanking import blanked
from storage.documents.quotes import blank_sessions
from storage.sql.rows import AnyRow, now, text_or_nothing, within
from storage.sql.scope import clean
from storage.sql.tables import documents, run_evidence, runs


async def find(connection: AsyncConnection, workspace_id: object, run_id: object) -> AnyRow | None:
    """The workspace's run of that id."""
    mine = within(runs.c, workspace_id), runs.c.run_id == text_or_nothing(run_id)
    return (await connection.execute(select(runs).where(*mine))).one_or_none()


async def load(
    connection: AsyncConnection, workspace_id: object, run_id: object
) -> StoredRun | None:
    """The workspace's run of that id, with its evidence in the order it was kept."""
    row = await find(connection, workspace_id, run_id)
    if row is None:
        return None
    mine = within(run_evidence.c, workspace_id), run_evidence.c.run_id == row.run_id
    query = select(run_evidence.c.evidence).where(*mine).order_by(run_evidence.c.position)
    return StoredRun(
        run_id=row.run_id,
        workspace_id=row.workspace_id,
        graph=row.graph,
        parent_run_id=row.parent_run_id,
        question=row.question,
        status=row.status,
        outcome=row.outcome,
        evidence=list(await connection.scalars(query)),
        trace=row.trace,
        figures=row.figures,
        blanked=row.blanked,
    )


async def insert_run(connection: AsyncConnection, run: StoredRun) -> None:
    """Write a run and its evidence."""
    row = run.model_dump(mode="json", exclude={"evidence"})
    row |= {"question": clean(run.question), "finished_at": now()}
    await connection.execute(insert(runs).values(row))
    evidence = [
        {
            "workspace_id": run.workspace_id,
            "run_id": run.run_id,
            "position": position,
            "document_id": chunk.document_id,
            "evidence": chunk.model_dump(mode="json"),
        }
        for position, chunk in enumerate(run.evidence)
    ]
    if evidence:
        await connection.execute(insert(run_evidence), evidence)


async def missing_documents(connection: AsyncConnection, run: StoredRun) -> set[str]:
    """The documents that the run quotes, or names when it asks back, and that are no more.

    A file that came with the question is the run's own: no document that could be deleted.
    """
    quoted = {chunk.document_id for chunk in run.evidence}
    quoted |= {
        text_or_nothing(citation.get("document_id"))
        for citation in run.outcome.get("citations", [])
    }
    quoted |= {text_or_nothing(id_) for id_ in _stating(run.outcome)}
    quoted |= {text_or_nothing(id_) for entry in run.trace for id_ in entry.get("named", [])}
    there = select(documents.c.id).where(
        within(documents.c, run.workspace_id), documents.c.id.in_(quoted)
    )
    gone = quoted - set(await connection.scalars(there))
    return {document_id for document_id in gone if not is_attached(document_id)}


def _stating(outcome: Mapping[str, Any]) -> Iterator[Any]:
    """The ids of the documents whose statements an outcome asks about, or chose between."""
    asked = [outcome, *outcome.get("choices", [])]
    return (said.get("document_id") for each in asked for said in each.get("statements", []))


async def blank(connection: AsyncConnection, workspace_id: object, document_id: str) -> int:
    """Empty every text of the runs that quote the document, and mark them; numbers stay.

    The asker's own question and reply stay. So does evidence from other documents. What the runs asked back
    in a chat is emptied too. Gives back how many runs had not been blanked before.
    """
    evidence = select(run_evidence.c.run_id).where(
        within(run_evidence.c, workspace_id), run_evidence.c.document_id == document_id
    )
    named = (
        cast(column, Text).contains(document_id, autoescape=True)
        for column in (runs.c.outcome, runs.c.trace, runs.c.figures)
    )
    quoting = select(runs).where(
        within(runs.c, workspace_id), or_(runs.c.run_id.in_(evidence), *named)
    )
    found = (await connection.execute(quoting)).all()
    for row in found:
        await _blank_run(connection, row)
    await _blank_evidence(connection, workspace_id, document_id)
    await blank_sessions(connection, workspace_id, [row.run_id for row in found])
    return sum(not row.blanked for row in found)


async def _blank_run(connection: AsyncConnection, row: AnyRow) -> None:
    outcome = blanked(row.outcome)
    if "question" in outcome:
        outcome |= {"question": row.question, "reply": row.outcome.get("reply", "")}
    await connection.execute(
        update(runs)
        .where(within(runs.c, row.workspace_id), runs.c.run_id == row.run_id)
        .values(
            outcome=outcome, trace=blanked(row.trace), figures=blanked(row.figures), blanked=True
        )
    )


async def _blank_evidence(
    connection: AsyncConnection, workspace_id: object, document_id: str
) -> None:
    mine = within(run_evidence.c, workspace_id), run_evidence.c.document_id == document_id
    for row in (await connection.execute(select(run_evidence).where(*mine))).all():
        await connection.execute(
            update(run_evidence)
            .where(*mine, run_evidence.c.run_id == row.run_id)
            .where(run_evidence.c.position == row.position)
            .values(evidence=blanked(row.evidence))
        )
