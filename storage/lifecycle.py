"""A document version's life in rows: writing, active, retired, gone."""

import uuid
from collections.abc import Mapping, Sequence

from sqlalchemy import delete, func, insert, literal, select, union_all, update
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.domain import Chunk, Origin, opaque_id
from masis.errors import StoreUnavailable
from masis.ports import Version
from storage.chat.scope import clean
from storage.chat.upserts import insert_new
from storage.rows import AnyRow, within
from storage.tables import chunks, documents, removed_versions, version_terms, versions


async def holds_versions(connection: AsyncConnection, workspace_id: str) -> bool:
    """Whether the workspace has any version, visible or not, or vectors still to be removed."""
    some = union_all(
        select(literal(1)).where(within(versions.c, workspace_id)),
        select(literal(1)).where(within(removed_versions.c, workspace_id)),
    )
    return await connection.scalar(some.limit(1)) is not None


async def document_id(connection: AsyncConnection, workspace_id: str, name: str) -> str:
    """The id of the workspace's document of that name, whose row is made when it is new.

    The workspace is held. An id is that of the first name: a document that was renamed since may
    still have the one that this name would get.
    """
    named = within(documents.c, workspace_id), documents.c.name == name
    found: str | None = await connection.scalar(select(documents.c.id).where(*named))
    if found is not None:
        return found
    row = {"id": opaque_id("d", workspace_id, name), "workspace_id": workspace_id, "name": name}
    if not await insert_new(connection, documents, row):
        row["id"] = opaque_id("d", workspace_id, name, uuid.uuid4().hex)
        await connection.execute(insert(documents).values(row))
    return row["id"]


def origin_columns(origin: Origin | None) -> dict[str, str | None]:
    """A version's columns for where its bytes came from; null for what is not known."""
    known = origin or Origin()
    return {"source": known.source or None, "stamp": known.stamp or None}


async def rename(
    connection: AsyncConnection, workspace_id: object, document_id: str, name: str, origin: Origin
) -> bool:
    """Rename a visible document to what no other is called; the workspace is held."""
    mine = within(documents.c, workspace_id), documents.c.id == document_id
    taken = select(literal(1)).where(within(documents.c, workspace_id), documents.c.name == name)
    if await connection.scalar(taken) is not None:
        return False
    visible = (
        within(versions.c, workspace_id),
        versions.c.document_id == document_id,
        versions.c.state == "active",
    )
    noted = await connection.execute(
        update(versions).where(*visible).values(origin_columns(origin))
    )
    if noted.rowcount != 1:
        return False
    await connection.execute(update(documents).where(*mine).values(name=name))
    return True


async def next_number(connection: AsyncConnection, workspace_id: str, document_id: str) -> int:
    """One more than any version that exists or whose vectors may still exist."""
    taken = union_all(
        *(
            select(func.max(table.c.number).label("number")).where(
                within(table.c, workspace_id), table.c.document_id == document_id
            )
            for table in (versions, removed_versions)
        )
    ).subquery()
    highest = await connection.scalar(select(func.max(taken.c.number)))
    return int(highest or 0) + 1


async def state(connection: AsyncConnection, version: Version) -> str | None:
    """The version's state, None when it was removed; it is not until the transaction's end."""
    mine = within(versions.c, version.workspace_id), versions.c.id == version.id
    query = select(versions.c.state).where(*mine)
    return await connection.scalar(query.with_for_update(read=True, key_share=True))


async def insert_chunks(
    connection: AsyncConnection, version: Version, pieces: Sequence[Chunk]
) -> None:
    """Write the chunks' rows under the version, whatever the chunks themselves name."""
    if not pieces:
        return
    own = {"workspace_id": version.workspace_id, "version_id": version.id}
    rows = [
        piece.model_dump(mode="json", include={"id", "position", "place"})
        | {"text": clean(piece.text), "context": clean(piece.context)}
        | own
        for piece in pieces
    ]
    await connection.execute(insert(chunks), rows)


async def insert_terms(
    connection: AsyncConnection, version: Version, terms: Mapping[int, int]
) -> None:
    """Write in how many of the version's chunks each term stands."""
    if not terms:
        return
    own = {"workspace_id": version.workspace_id, "version_id": version.id}
    # In the order of the key, so that neighbouring rows are written together.
    rows = [own | {"term": term, "chunks": terms[term]} for term in sorted(terms)]
    await connection.execute(insert(version_terms), rows)


async def check_complete(connection: AsyncConnection, version: Version, expected: int) -> None:
    """Check that all chunks of the version are stored.

    Raises:
        StoreUnavailable: some are missing, or there are more.
    """
    stored = await connection.scalar(
        select(func.count())
        .select_from(chunks)
        .where(within(chunks.c, version.workspace_id), chunks.c.version_id == version.id)
    )
    if stored != expected:
        raise StoreUnavailable(
            f"{stored} of {expected} pieces of the document were stored. Ingest it again."
        )


async def active_version(connection: AsyncConnection, version: Version) -> AnyRow | None:
    """The visible version of the same document: its id and number."""
    query = select(versions.c.id, versions.c.number).where(
        within(versions.c, version.workspace_id),
        versions.c.document_id == version.document_id,
        versions.c.state == "active",
    )
    return (await connection.execute(query)).one_or_none()


async def set_state(
    connection: AsyncConnection, workspace_id: str, version_id: str, state: str
) -> None:
    """Move one version to another state."""
    mine = within(versions.c, workspace_id), versions.c.id == version_id
    await connection.execute(update(versions).where(*mine).values(state=state))


async def drop_empty_documents(connection: AsyncConnection, workspace_id: object) -> None:
    """Remove documents of which no version is left: their first one was given up."""
    held = select(versions.c.document_id).where(within(versions.c, workspace_id))
    await connection.execute(
        delete(documents).where(within(documents.c, workspace_id), documents.c.id.not_in(held))
    )
