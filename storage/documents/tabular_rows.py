"""Whole tables of document versions as rows: written and gone with their version."""

from collections.abc import Sequence

from sqlalchemy import Connection, insert, select

from masis.domain import WorkspaceId, opaque_id
from masis.records import Version
from masis.values.tabular import PackedTable, TableInfo, TableShape
from storage.sql.database import Database
from storage.sql.rows import text_or_nothing, within
from storage.sql.tables import documents, versions, whole_table_columns, whole_tables

MOST_TABLES = 200
"""Of a workspace that a question looks at, the newest documents' first."""


def insert_tables(connection: Connection, version: Version, tables: Sequence[PackedTable]) -> None:
    """Write the tables of a version."""
    for position, table in enumerate(tables):
        table_id = opaque_id("t", version.id, str(position))
        connection.execute(
            insert(whole_tables).values(
                workspace_id=version.workspace_id,
                id=table_id,
                version_id=version.id,
                position=position,
                shape=table.shape.model_dump(mode="json", exclude_defaults=True),
                numbers=table.numbers,
            )
        )
        for column, cells in enumerate(table.cells):
            row = {"workspace_id": version.workspace_id, "table_id": table_id}
            connection.execute(
                insert(whole_table_columns).values(row | {"position": column, "cells": cells})
            )


class SqlTables:
    """The whole tables of visible documents, from the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def tables(self, workspace_id: WorkspaceId) -> list[TableInfo]:
        """The tables of the workspace's visible documents, the newest documents' first."""
        query = (
            select(
                whole_tables.c.id,
                whole_tables.c.position,
                whole_tables.c.shape,
                versions.c.id.label("version_id"),
                versions.c.document_id,
                documents.c.name,
            )
            .join(versions, versions.c.id == whole_tables.c.version_id)
            .join(documents, documents.c.id == versions.c.document_id)
            .where(
                within(whole_tables.c, workspace_id),
                within(versions.c, workspace_id),
                within(documents.c, workspace_id),
                versions.c.state == "active",
            )
            .order_by(versions.c.ingested_at.desc(), versions.c.id, whole_tables.c.position)
            .limit(MOST_TABLES)
        )

        def look(connection: Connection) -> list[TableInfo]:
            return [
                TableInfo(
                    table_id=row.id,
                    document_id=row.document_id,
                    version_id=row.version_id,
                    source=row.name,
                    position=row.position,
                    shape=TableShape.model_validate(row.shape),
                )
                for row in connection.execute(query)
            ]

        return await self._database.inspect(look)

    async def cells(
        self, workspace_id: WorkspaceId, table_id: str, columns: Sequence[int]
    ) -> PackedTable | None:
        """A visible table with the cells of these columns, the others' empty."""
        mine = (
            within(whole_tables.c, workspace_id),
            whole_tables.c.id == text_or_nothing(table_id),
        )
        visible = (
            select(whole_tables.c.shape, whole_tables.c.numbers)
            .join(versions, versions.c.id == whole_tables.c.version_id)
            .where(*mine, within(versions.c, workspace_id), versions.c.state == "active")
        )
        wanted = select(whole_table_columns.c.position, whole_table_columns.c.cells).where(
            within(whole_table_columns.c, workspace_id),
            whole_table_columns.c.table_id == text_or_nothing(table_id),
            whole_table_columns.c.position.in_(list(columns)),
        )

        def look(connection: Connection) -> PackedTable | None:
            found = connection.execute(visible).one_or_none()
            if found is None:
                return None
            shape = TableShape.model_validate(found.shape)
            cells = [b""] * len(shape.columns)
            for position, packed in connection.execute(wanted):
                cells[position] = bytes(packed)
            return PackedTable(shape=shape, numbers=bytes(found.numbers), cells=cells)

        return await self._database.inspect(look)
