"""Rows and values: what is selected of each noun, within which scope, and how it becomes one."""

import datetime as dt
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, and_, func, select
from sqlalchemy.sql import ColumnElement

from masis import domain
from masis.domain import Chunk, Document, Origin, Place, Workspace
from masis.fields import together
from storage.sql.tables import chunks, documents, versions, workspaces

AnyRow = Row[*tuple[Any, ...]]
"""A row of a query whose columns are read by name."""

_NOWHERE: Final = ""
"""A scope that no row has."""

CHUNK_COLUMNS: Final = (
    chunks.c.id,
    chunks.c.version_id,
    chunks.c.position,
    chunks.c.text,
    chunks.c.context,
    chunks.c.place,
)


def scope_of(workspace_id: object) -> str:
    """The workspace to look in; nowhere for what cannot be one (None, empty, a pattern, a list)."""
    try:
        return domain.workspace_id(workspace_id)  # type: ignore[arg-type] # it checks at run time
    except ValueError:
        return _NOWHERE


def text_or_nothing(value: object) -> str:
    """`value` when it is text that a database can hold; else a text that no row has."""
    if not isinstance(value, str) or "\0" in value:
        return _NOWHERE
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        return _NOWHERE
    return value


def within(columns: Any, workspace_id: object) -> ColumnElement[bool]:
    """The condition that belongs into every WHERE."""
    condition: ColumnElement[bool] = columns.workspace_id == scope_of(workspace_id)
    return condition


def now() -> dt.datetime:
    """The moment that is written into rows."""
    return dt.datetime.now(dt.UTC)


def workspace_query() -> Select[Any]:
    """Workspaces with the counts of their visible documents and chunks."""
    visible = and_(versions.c.workspace_id == workspaces.c.id, versions.c.state == "active")
    return (
        select(
            workspaces.c.id,
            workspaces.c.owner,
            workspaces.c.name,
            workspaces.c.embedding_profile,
            func.count(versions.c.id).label("documents"),
            func.coalesce(func.sum(versions.c.chunks), 0).label("chunks"),
        )
        .join(versions, visible, isouter=True)
        .group_by(workspaces.c.id)
    )


def find_workspace(connection: Connection, *conditions: ColumnElement[bool]) -> Workspace | None:
    """The one workspace that meets the conditions."""
    row = connection.execute(workspace_query().where(*conditions)).one_or_none()
    return None if row is None else to_workspace(row)


def to_workspace(row: AnyRow) -> Workspace:
    """The value of a row of `workspace_query`."""
    return Workspace.model_validate(dict(row._mapping))


def active_documents(workspace_id: object) -> Select[Any]:
    """The visible documents of a workspace."""
    return (
        select(
            documents.c.name,
            versions.c.workspace_id,
            versions.c.document_id,
            versions.c.id.label("version_id"),
            versions.c.number,
            versions.c.content_hash,
            versions.c.size_bytes,
            versions.c.format,
            versions.c.title,
            versions.c.date,
            versions.c.date_source,
            versions.c.chunks,
            versions.c.ingested_at,
            versions.c.source,
            versions.c.stamp,
            versions.c.fields,
            versions.c.given_fields,
            versions.c.parser,
        )
        .join(versions, versions.c.document_id == documents.c.id)
        .where(
            within(documents.c, workspace_id),
            within(versions.c, workspace_id),
            versions.c.state == "active",
        )
    )


def to_document(row: AnyRow) -> Document:
    """The value of a row of `active_documents`."""
    return Document(
        id=row.document_id,
        workspace_id=row.workspace_id,
        name=row.name,
        title=row.title,
        format=row.format,
        version_id=row.version_id,
        version_number=row.number,
        content_hash=row.content_hash,
        size_bytes=row.size_bytes,
        chunks=row.chunks,
        date=row.date,
        date_source=row.date_source,
        ingested_at=row.ingested_at,
        parser=row.parser or 0,
        origin=Origin(source=row.source or "", stamp=row.stamp or ""),
        fields=together(row.fields or {}, row.given_fields or {}),
        given=row.given_fields or {},
    )


def to_chunk(row: AnyRow, prefix: str = "") -> Chunk:
    """The value of `CHUNK_COLUMNS` (labelled with `prefix`), `workspace_id` and `document_id`."""
    columns = row._mapping
    return Chunk(
        id=columns[f"{prefix}id"],
        workspace_id=row.workspace_id,
        document_id=row.document_id,
        version_id=columns[f"{prefix}version_id"],
        position=columns[f"{prefix}position"],
        text=columns[f"{prefix}text"],
        context=columns[f"{prefix}context"],
        place=Place.model_validate(columns[f"{prefix}place"]),
    )
