"""Files that came with a question, in rows of their run: no other run reads them."""

import datetime as dt
from collections.abc import Collection, Sequence

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.attached import Attached, AttachedFile
from masis.domain import Chunk, Document, Place, WorkspaceId
from storage.sql.database import Database
from storage.sql.rows import AnyRow, now, scope_of, text_or_nothing, within
from storage.sql.scope import clean
from storage.sql.tables import attached_chunks, attached_files
from storage.sql.upserts import add_new

_FILES = attached_files.c
_CHUNKS = attached_chunks.c
_BOTH = sa.and_(
    _CHUNKS.workspace_id == _FILES.workspace_id,
    _CHUNKS.run_id == _FILES.run_id,
    _CHUNKS.file == _FILES.position,
)


class SqlAttachedFiles:
    """The attached files of `masis.ports` on a database that somebody else opens and closes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def write(
        self,
        workspace_id: WorkspaceId,
        run_id: str,
        position: int,
        file: AttachedFile,
        chunks: Sequence[Chunk],
    ) -> None:
        """Keep the file at that place, whole or not at all; the first one that is kept stays."""
        key = {"workspace_id": scope_of(workspace_id), "run_id": text_or_nothing(run_id)}
        row = key | {"position": position} | _row(file)
        passages = [key | {"file": position} | _passage(chunk) for chunk in chunks]

        def write(connection: sa.Connection) -> None:
            if add_new(connection, attached_files, row) and passages:
                connection.execute(sa.insert(attached_chunks), passages)

        await self._database.transact(write)

    async def of(self, workspace_id: WorkspaceId, run_id: str) -> Attached:
        """The files of a run that were kept so far, in their order."""
        mine = within(_FILES, workspace_id), _FILES.run_id == text_or_nothing(run_id)
        files = sa.select(attached_files).where(*mine).order_by(_FILES.position)
        passages = _passages().where(*mine).order_by(_CHUNKS.file, _CHUNKS.position)
        async with self._database.read() as connection:
            return Attached(
                files=tuple(map(_file, await connection.execute(files))),
                chunks=tuple(_chunk(row)[0] for row in await connection.execute(passages)),
            )

    async def remove(self, workspace_id: WorkspaceId, run_id: str) -> None:
        """Remove what is kept for a run, bytes and all."""
        mine = within(_FILES, workspace_id), _FILES.run_id == text_or_nothing(run_id)
        await self._database.transact(
            lambda connection: connection.execute(sa.delete(attached_files).where(*mine)).close()
        )
        await self._database.erase_traces()


# --- within a transaction ------------------------------------------------------------------


def chunks(
    connection: sa.Connection, workspace_id: object, chunk_ids: Collection[str]
) -> dict[str, tuple[Chunk, Document]]:
    """The passages of attached files among these ids, each with its file."""
    query = _passages().where(within(_FILES, workspace_id), _CHUNKS.id.in_(chunk_ids))
    found = map(_chunk, connection.execute(query))
    return {chunk.id: (chunk, document) for chunk, document in found}


def neighbours(
    connection: sa.Connection, workspace_id: object, version_id: object, positions: Collection[int]
) -> list[Chunk]:
    """The passages at these positions of an attached file, in order."""
    query = _passages().where(
        within(_FILES, workspace_id),
        _FILES.version_id == text_or_nothing(version_id),
        _CHUNKS.position.in_(list(positions)),
    )
    return [_chunk(row)[0] for row in connection.execute(query.order_by(_CHUNKS.position))]


def remove(connection: sa.Connection, run_ids: Collection[str]) -> None:
    """Remove what is kept for these runs."""
    connection.execute(sa.delete(attached_files).where(_FILES.run_id.in_(sorted(run_ids))))


async def sweep(connection: AsyncConnection, before: dt.datetime) -> int:
    """Remove what was kept before that moment: its run has ended without anybody noticing."""
    return (await connection.execute(sa.delete(attached_files).where(_FILES.at < before))).rowcount


# --- rows and values -----------------------------------------------------------------------


def _passages() -> sa.Select[tuple[object, ...]]:
    columns = (_CHUNKS.id, _CHUNKS.position, _CHUNKS.text, _CHUNKS.context, _CHUNKS.place)
    return sa.select(*columns, _FILES.document).join(attached_files, _BOTH)


def _row(file: AttachedFile) -> dict[str, object]:
    document = file.document
    return {
        "name": clean(file.name),
        "document": sa.null() if document is None else document.model_dump(mode="json"),
        "version_id": None if document is None else document.version_id,
        "reason": clean(file.reason),
        "left_out": file.left_out,
        "at": now(),
    }


def _passage(chunk: Chunk) -> dict[str, object]:
    return {
        "id": chunk.id,
        "position": chunk.position,
        "text": clean(chunk.text),
        "context": clean(chunk.context),
        "place": chunk.place.model_dump(mode="json"),
    }


def _file(row: AnyRow) -> AttachedFile:
    document = None if row.document is None else Document.model_validate(row.document)
    return AttachedFile(name=row.name, document=document, reason=row.reason, left_out=row.left_out)


def _chunk(row: AnyRow) -> tuple[Chunk, Document]:
    document = Document.model_validate(row.document)
    chunk = Chunk(
        id=row.id,
        workspace_id=document.workspace_id,
        document_id=document.id,
        version_id=document.version_id,
        position=row.position,
        text=row.text,
        context=row.context,
        place=Place.model_validate(row.place),
    )
    return chunk, document
