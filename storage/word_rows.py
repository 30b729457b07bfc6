"""The words of a workspace's versions, and its synonyms, as rows."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, select

from masis.domain import WorkspaceId
from masis.spelling import counted
from storage.chat.upserts import add_new
from storage.rows import within
from storage.tables import chunks, version_words, versions

Words = dict[str, dict[str, int]]
"""By the id of a version."""


def read(
    connection: Connection, workspace_id: WorkspaceId, version_ids: Sequence[str]
) -> tuple[Words, dict[str, list[str]]]:
    """Read the words of visible versions; of those that have none, the texts of their passages."""
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
    return found, _texts(connection, workspace_id, [each for each in wanted if each not in found])


def _texts(
    connection: Connection, workspace_id: WorkspaceId, version_ids: Iterable[str]
) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {version_id: [] for version_id in version_ids}
    if texts:
        query = select(chunks.c.version_id, chunks.c.context, chunks.c.text).where(
            within(chunks.c, workspace_id), chunks.c.version_id.in_(list(texts))
        )
        for version_id, context, text in connection.execute(query):
            texts[version_id].append(f"{context}\n{text}")
    return texts


def count(texts: Mapping[str, Sequence[str]]) -> Words:
    """Count the words of each version."""
    return {version_id: counted(passages) for version_id, passages in texts.items()}


def keep(connection: Connection, workspace_id: WorkspaceId, words: Words) -> None:
    """Keep the words of those versions that are still there and that nobody kept meanwhile."""
    there = select(versions.c.id, versions.c.workspace_id).where(
        within(versions.c, workspace_id), versions.c.id.in_(list(words))
    )
    for version_id, scope in connection.execute(there).all():
        row = {"version_id": version_id, "workspace_id": scope, "words": words[version_id]}
        add_new(connection, version_words, row)
