"""A document version's life in rows: writing, active, retired, gone."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeVar

from sqlalchemy import Connection, delete, func, insert, literal, null, select, union_all, update

from masis.domain import (
    Chunk,
    Origin,
    ParsedDocument,
    WorkspaceId,
    document_id_of,
    opaque_id,
)
from masis.errors import StoreUnavailable
from masis.records import Version
from masis.values.tabular import PackedTable
from storage.documents import suggestion_rows
from storage.documents.tabular_rows import insert_tables
from storage.sql.exclusive import hold
from storage.sql.rows import AnyRow, now, text_or_nothing, within
from storage.sql.scope import clean
from storage.sql.tables import (
    chunks,
    documents,
    removed_versions,
    version_terms,
    version_words,
    versions,
)
from storage.sql.upserts import add_new

ROWS_AT_ONCE: Final = 500
T = TypeVar("T")


def holds_versions(connection: Connection, workspace_id: str) -> bool:
    """Say whether the workspace has any version, visible or not.

    Vectors still to be removed count, too.
    """
    some = union_all(
        select(literal(1)).where(within(versions.c, workspace_id)),
        select(literal(1)).where(within(removed_versions.c, workspace_id)),
    )
    return connection.scalar(some.limit(1)) is not None


def document_id(connection: Connection, workspace_id: str, name: str) -> str:
    """The id of the workspace's document of that name, whose row is made when it is new.

    The workspace is held. An id is that of the first name: a document that was renamed since may
    still have the one that this name would get.
    """
    named = within(documents.c, workspace_id), documents.c.name == name
    found: str | None = connection.scalar(select(documents.c.id).where(*named))
    if found is not None:
        return found
    row = {"id": document_id_of(workspace_id, name), "workspace_id": workspace_id, "name": name}
    if not add_new(connection, documents, row):
        row["id"] = opaque_id("d", workspace_id, name, uuid.uuid4().hex)
        connection.execute(insert(documents).values(row))
    return row["id"]


def origin_columns(origin: Origin | None) -> dict[str, str | None]:
    """A version's columns for where its bytes came from; null for what is not known."""
    known = origin or Origin()
    return {"source": known.source or None, "stamp": known.stamp or None}


def rename(
    connection: Connection, workspace_id: object, document_id: str, name: str, origin: Origin
) -> bool:
    """Rename a visible document to what no other is called; the workspace is held."""
    mine = within(documents.c, workspace_id), documents.c.id == document_id
    taken = select(literal(1)).where(within(documents.c, workspace_id), documents.c.name == name)
    if connection.scalar(taken) is not None:
        return False
    visible = (
        within(versions.c, workspace_id),
        versions.c.document_id == document_id,
        versions.c.state == "active",
    )
    noted = connection.execute(update(versions).where(*visible).values(origin_columns(origin)))
    if noted.rowcount != 1:
        return False
    connection.execute(update(documents).where(*mine).values(name=name))
    return True


def next_number(connection: Connection, workspace_id: str, document_id: str) -> int:
    """One more than any version that exists or whose vectors may still exist."""
    taken = union_all(
        *(
            select(func.max(table.c.number).label("number")).where(
                within(table.c, workspace_id), table.c.document_id == document_id
            )
            for table in (versions, removed_versions)
        )
    ).subquery()
    highest = connection.scalar(select(func.max(taken.c.number)))
    return int(highest or 0) + 1


def state(connection: Connection, version: Version) -> str | None:
    """The version's state, None when it was removed; it is not until the transaction's end."""
    mine = within(versions.c, version.workspace_id), versions.c.id == version.id
    query = select(versions.c.state).where(*mine)
    return connection.scalar(query.with_for_update(read=True, key_share=True))


def _portions(whole: Sequence[T]) -> Iterator[Sequence[T]]:
    """A few rows at a time: between them other work of the process gets its turn."""
    for start in range(0, len(whole), ROWS_AT_ONCE):
        yield whole[start : start + ROWS_AT_ONCE]


def insert_chunks(connection: Connection, version: Version, pieces: Sequence[Chunk]) -> None:
    """Write the chunks' rows under the version, whatever the chunks themselves name."""
    own = {"workspace_id": version.workspace_id, "version_id": version.id}
    for portion in _portions(pieces):
        rows = [
            piece.model_dump(mode="json", include={"id", "position", "place"})
            | {"text": clean(piece.text), "context": clean(piece.context)}
            | own
            for piece in portion
        ]
        connection.execute(insert(chunks), rows)


def insert_terms(connection: Connection, version: Version, terms: Mapping[int, int]) -> None:
    """Write in how many of the version's chunks each term stands."""
    own = {"workspace_id": version.workspace_id, "version_id": version.id}
    # In the order of the key, so that neighbouring rows are written together.
    for portion in _portions(sorted(terms)):
        rows = [own | {"term": term, "chunks": terms[term]} for term in portion]
        connection.execute(insert(version_terms), rows)


def insert_words(
    connection: Connection, workspace_id: str, words: Mapping[str, Mapping[str, int]]
) -> None:
    """Write the words of versions, by their ids."""
    rows = [
        {"workspace_id": workspace_id, "version_id": version_id, "words": dict(found)}
        for version_id, found in words.items()
    ]
    connection.execute(insert(version_words), rows)


def check_complete(connection: Connection, version: Version, expected: int) -> None:
    """Check that all chunks of the version are stored.

    Raises:
        StoreUnavailable: some are missing, or there are more.
    """
    stored = connection.scalar(
        select(func.count())
        .select_from(chunks)
        .where(within(chunks.c, version.workspace_id), chunks.c.version_id == version.id)
    )
    if stored != expected:
        raise StoreUnavailable(
            f"{stored} of {expected} pieces of the document were stored. Ingest it again."
        )


def active_version(connection: Connection, version: Version) -> AnyRow | None:
    """The visible version of the same document: its id and number."""
    query = select(versions.c.id, versions.c.number).where(
        within(versions.c, version.workspace_id),
        versions.c.document_id == version.document_id,
        versions.c.state == "active",
    )
    return connection.execute(query).one_or_none()


def set_state(connection: Connection, workspace_id: str, version_id: str, state: str) -> None:
    """Move one version to another state."""
    mine = within(versions.c, workspace_id), versions.c.id == version_id
    connection.execute(update(versions).where(*mine).values(state=state))


def drop_empty_documents(connection: Connection, workspace_id: object) -> None:
    """Remove documents of which no version is left: their first one was given up."""
    held = select(versions.c.document_id).where(within(versions.c, workspace_id))
    connection.execute(
        delete(documents).where(within(documents.c, workspace_id), documents.c.id.not_in(held))
    )


# --- whole transactions --------------------------------------------------------------------


def begin(
    connection: Connection,
    workspace_id: str,
    name: str,
    *,
    content_hash: str,
    size_bytes: int,
    origin: Origin | None,
) -> Version:
    """Open a new, invisible version of the document; the workspace is held."""
    of_document = document_id(connection, workspace_id, name)
    number = next_number(connection, workspace_id, of_document)
    version = Version(
        id=opaque_id("v", of_document, str(number), content_hash),
        workspace_id=WorkspaceId(workspace_id),
        document_id=of_document,
        number=number,
        content_hash=content_hash,
    )
    row = version.model_dump() | {
        "state": "writing",
        "size_bytes": size_bytes,
        "chunks": 0,
        "begun_at": now(),
        **origin_columns(origin),
    }
    connection.execute(insert(versions).values(row))
    return version


def write(
    connection: Connection,
    version: Version,
    pieces: Sequence[Chunk],
    terms: Mapping[int, int],
    *,
    words: Mapping[str, int] | None = None,
    tables: Sequence[PackedTable] = (),
) -> None:
    """Store what a version is found by; one that was removed meanwhile takes nothing."""
    if state(connection, version) == "writing":
        insert_chunks(connection, version, pieces)
        insert_terms(connection, version, terms)
        if words is not None:
            insert_words(connection, version.workspace_id, {version.id: words})
        insert_tables(connection, version, tables)


def activate(
    connection: Connection, version: Version, parsed: ParsedDocument, pieces: int
) -> str | None:
    """See `masis.ports.Repository.activate`.

    Raises:
        StoreUnavailable: the rows are not all there; nothing was changed.
    """
    hold(connection, version.workspace_id)
    if state(connection, version) != "writing":
        return version.id
    check_complete(connection, version, pieces)
    active = active_version(connection, version)
    if active is not None and active.number > version.number:
        set_state(connection, version.workspace_id, version.id, "retired")
        return version.id
    if active is not None:
        set_state(connection, version.workspace_id, active.id, "retired")
    suggestion_rows.forget(connection, version.workspace_id)
    connection.execute(
        update(versions)
        .where(within(versions.c, version.workspace_id), versions.c.id == version.id)
        .values(
            state="active",
            format=parsed.format,
            title=parsed.title,
            date=parsed.date,
            date_source=parsed.date_source,
            fields=parsed.fields or null(),
            given_fields=parsed.given or null(),
            parser=parsed.parser,
            chunks=pieces,
            ingested_at=now(),
        )
    )
    return None if active is None else str(active.id)


def discard(connection: Connection, workspace_id: object, version_id: str) -> None:
    """Forget an invisible version; the visible one stays."""
    hold(connection, workspace_id)
    connection.execute(
        delete(versions).where(
            within(versions.c, workspace_id),
            versions.c.id == text_or_nothing(version_id),
            versions.c.state != "active",
        )
    )
    connection.execute(
        delete(removed_versions).where(
            within(removed_versions.c, workspace_id),
            removed_versions.c.id == text_or_nothing(version_id),
        )
    )
    drop_empty_documents(connection, workspace_id)
