"""The words of a workspace's versions, and its synonyms, as rows."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from masis.domain import WorkspaceId
from storage.sql.rows import within
from storage.sql.tables import chunks, version_words, versions
from storage.sql.upserts import add_new

Words = dict[str, dict[str, int]]
"""By the id of a version."""


def read(
    connection: Connection, workspace_id: WorkspaceId, version_ids: Sequence[str]
) -> tuple[Words, list[str]]:
    """Read the words of visible versions, and which of them have none yet."""
    mine = select(versions.c.id).where(
        within(versions.c, workspace_id),
        versions.c.state == "active",
        versions.c.id.in_(version_ids),
    )
    wanted = list(connection.scalars(mine))
    stored = select(version_words.c.version_id, version_words.c.words).where(
        within(version_words.c, workspace_id), version_words.c.version_id.in_(wanted)
    )
    found = {version_id: dict(words) for version_id, words in connection.execute(stored)}
    return found, [version_id for version_id in wanted if version_id not in found]


def texts(connection: Connection, workspace_id: WorkspaceId, version_id: str) -> list[str]:
    """Read the texts of a version's passages."""
    query = select(chunks.c.context, chunks.c.text).where(
        within(chunks.c, workspace_id), chunks.c.version_id == version_id
    )
    return [f"{context}\n{text}" for context, text in connection.execute(query)]


def keep(connection: Connection, workspace_id: WorkspaceId, words: Words) -> None:
    """Keep the words of those versions that are still there and that nobody kept meanwhile."""
    there = select(versions.c.id, versions.c.workspace_id).where(
        within(versions.c, workspace_id), versions.c.id.in_(list(words))
    )
    for version_id, scope in connection.execute(there).all():
        row = {"version_id": version_id, "workspace_id": scope, "words": words[version_id]}
        add_new(connection, version_words, row)
