"""MASIS's memory in SQL: values in, values out, and the workspace in every WHERE."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from sqlalchemy import Connection, delete, func, insert, null, select, update

from masis.domain import (
    Chunk,
    Document,
    Origin,
    ParsedDocument,
    Workspace,
    WorkspaceId,
    opaque_id,
)
from masis.errors import ProfileMismatch, UnknownWorkspace
from masis.fields import together
from masis.records import DeletedDocument, StoredRun, Version
from masis.values.tabular import PackedTable
from masis.words.spelling import counted
from storage import checkpoint_rows
from storage.documents import (
    attached_rows,
    kept_runs,
    suggestion_rows,
    upload_traces,
    version_rows,
    word_rows,
)
from storage.sql import rows
from storage.sql.database import Database
from storage.sql.exclusive import hold
from storage.sql.rows import now, scope_of, text_or_nothing, within
from storage.sql.tables import (
    chunks,
    documents,
    removed_versions,
    version_terms,
    versions,
    workspaces,
)
from storage.sql.upserts import add_new


class SqlRepository:
    """The repository of `masis.ports` on a database that somebody else opens and closes.

    A scope that cannot be a workspace's (None, empty, a pattern, a list) finds nothing.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    # --- workspaces ------------------------------------------------------------------------

    async def create_workspace(self, owner: str, name: str) -> Workspace:
        """The owner's workspace of that name, made when it is new."""
        if not owner or not name:
            raise ValueError("a workspace has an owner and a name")
        row_id = opaque_id("w", owner, name)
        row = {"id": row_id, "owner": owner, "name": name, "created_at": now()}

        def create(connection: Connection) -> Workspace | None:
            add_new(connection, workspaces, row)
            return rows.find_workspace(connection, workspaces.c.id == row_id)

        created = await self._database.transact(create)
        assert created is not None  # noqa: S101 - written in this transaction
        return created

    async def workspace(self, owner: str, name: str) -> Workspace | None:
        """The owner's workspace of that name."""
        mine = (
            workspaces.c.owner == text_or_nothing(owner),
            workspaces.c.name == text_or_nothing(name),
        )
        return await self._database.inspect(
            lambda connection: rows.find_workspace(connection, *mine)
        )

    async def workspace_by_id(self, workspace_id: WorkspaceId) -> Workspace | None:
        """The workspace of that id, with its counts."""
        mine = workspaces.c.id == scope_of(workspace_id)
        return await self._database.inspect(
            lambda connection: rows.find_workspace(connection, mine)
        )

    async def workspaces(self, owner: str) -> list[Workspace]:
        """The owner's workspaces by name, with their counts."""
        query = rows.workspace_query().where(workspaces.c.owner == text_or_nothing(owner))
        async with self._database.read() as connection:
            found = [rows.to_workspace(row) for row in await connection.execute(query)]
        return sorted(found, key=_name)

    async def bind_profile(self, workspace_id: WorkspaceId, profile_id: str) -> None:
        """Record the embedding profile of a workspace; one that holds nothing can be bound anew.

        Raises:
            ProfileMismatch: it is bound to another one.
            UnknownWorkspace: there is no such workspace.
        """
        scope = scope_of(workspace_id)
        mine = workspaces.c.id == scope

        def bind(connection: Connection) -> None:
            name = _held(connection, scope)
            bound = connection.scalar(select(workspaces.c.embedding_profile).where(mine))
            if bound not in {None, profile_id} and version_rows.holds_versions(connection, scope):
                raise ProfileMismatch(
                    f"Workspace {name} holds vectors of {bound}, and {profile_id} is in use."
                    " Use the embedder it was ingested with, or delete its documents and ingest"
                    " them again."
                )
            connection.execute(update(workspaces).where(mine).values(embedding_profile=profile_id))

        await self._database.transact(bind)

    async def delete_workspace(self, workspace_id: WorkspaceId) -> None:
        """Remove the workspace and every row of it, bytes and all."""
        async with self._database.write() as connection:
            mine = workspaces.c.id == scope_of(workspace_id)
            await connection.execute(delete(workspaces).where(mine))
            await connection.run_sync(checkpoint_rows.remove_left)
        await self._database.erase_traces()

    # --- documents -------------------------------------------------------------------------

    async def documents(self, workspace_id: WorkspaceId) -> list[Document]:
        """The active documents by name."""
        query = rows.active_documents(workspace_id)
        async with self._database.read() as connection:
            found = [rows.to_document(row) for row in await connection.execute(query)]
        return sorted(found, key=_name)

    async def document(self, workspace_id: WorkspaceId, name: str) -> Document | None:
        """The active document of that name."""
        query = rows.active_documents(workspace_id).where(documents.c.name == text_or_nothing(name))
        row = await self._database.inspect(
            lambda connection: connection.execute(query).one_or_none()
        )
        return None if row is None else rows.to_document(row)

    async def begin_version(
        self,
        workspace_id: WorkspaceId,
        name: str,
        content_hash: str,
        size_bytes: int,
        origin: Origin | None = None,
    ) -> Version:
        """Open a new, invisible version of the document (which is made when it is new).

        Raises:
            UnknownWorkspace: there is no such workspace.
        """
        scope = scope_of(workspace_id)

        def begin(connection: Connection) -> Version:
            _held(connection, scope)
            return version_rows.begin(
                connection,
                scope,
                name,
                content_hash=content_hash,
                size_bytes=size_bytes,
                origin=origin,
            )

        return await self._database.transact(begin)

    async def note_origin(self, workspace_id: WorkspaceId, version_id: str, origin: Origin) -> None:
        """Say anew where a version's bytes are from."""
        mine = (
            within(versions.c, workspace_id),
            versions.c.id == text_or_nothing(version_id),
        )
        change = update(versions).where(*mine).values(version_rows.origin_columns(origin))
        async with self._database.write() as connection:
            await connection.execute(change)

    async def note_fields(
        self, workspace_id: WorkspaceId, version_id: str, given: Mapping[str, str]
    ) -> None:
        """Say anew which fields a version was given."""
        mine = (
            within(versions.c, workspace_id),
            versions.c.id == text_or_nothing(version_id),
        )
        change = update(versions).where(*mine).values(given_fields=dict(given) or null())
        async with self._database.write() as connection:
            await connection.execute(change)
        await self._database.erase_traces()

    async def field_keys(self, workspace_id: WorkspaceId) -> frozenset[str]:
        """The keys of all fields of visible documents."""
        query = select(versions.c.fields, versions.c.given_fields).where(
            within(versions.c, workspace_id), versions.c.state == "active"
        )
        async with self._database.read() as connection:
            found = (await connection.execute(query)).all()
        return frozenset(key for read, given in found for key in together(read or {}, given or {}))

    async def rename_document(
        self, workspace_id: WorkspaceId, document_id: str, name: str, origin: Origin
    ) -> bool:
        """Give a visible document another name; its id, version and chunks stay.

        False, and nothing changed, where another document has the name or one is being written
        under it, and where no such document is visible.
        """

        def rename(connection: Connection) -> bool:
            hold(connection, workspace_id)
            return version_rows.rename(connection, workspace_id, document_id, name, origin)

        return await self._database.transact(rename)

    async def twin(self, version: Version) -> str | None:
        """The name of another document with the same bytes, visible or being written."""
        query = (
            select(documents.c.name)
            .join(versions, versions.c.document_id == documents.c.id)
            .where(
                within(versions.c, version.workspace_id),
                within(documents.c, version.workspace_id),
                versions.c.content_hash == version.content_hash,
                versions.c.state.in_(["active", "writing"]),
                documents.c.id != version.document_id,
            )
            .order_by(documents.c.name)
            .limit(1)
        )
        found: str | None = await self._database.inspect(
            lambda connection: connection.scalar(query)
        )
        return found

    async def write_chunks(
        self,
        version: Version,
        chunks: Sequence[Chunk],
        terms: Mapping[int, int],
        words: Mapping[str, int] | None = None,
        tables: Sequence[PackedTable] = (),
    ) -> None:
        """Store the version's chunks and tables, and in how many chunks each term id and word stands.

        Words that are not given are counted when they are first read. A version that was removed while it was written takes nothing more; `activate` says so.
        """
        # As long as it may take: a large document's rows are thousands.
        async with self._database.write() as connection:
            kept = partial(version_rows.write, words=words, tables=tables)
            await connection.run_sync(kept, version, chunks, terms)

    async def activate(self, version: Version, parsed: ParsedDocument, chunks: int) -> str | None:
        """Check that `chunks` rows are there, make the version the visible one, in one transaction.

        Gives back the id of the version that is to be removed: the replaced one; or `version`
        itself, when a version begun later is visible already or the document was deleted.

        Raises:
            StoreUnavailable: the rows are not all there; nothing was changed.
        """
        return await self._database.transact(
            lambda connection: version_rows.activate(connection, version, parsed, chunks)
        )

    async def discard_version(self, workspace_id: WorkspaceId, version_id: str) -> None:
        """Forget an invisible version, once its vectors are gone; the visible one stays."""
        await self._database.transact(
            lambda connection: version_rows.discard(connection, workspace_id, version_id)
        )

    async def delete_document(
        self, workspace_id: WorkspaceId, document_id: str, version: str = ""
    ) -> DeletedDocument:
        """Remove the document, bytes and all; blank and mark stored answers that quote it.

        With a `version` only where that is the one that answers.
        """
        blanked = 0
        mine = (
            within(versions.c, workspace_id),
            versions.c.document_id == text_or_nothing(document_id),
        )
        query = select(
            versions.c.id, versions.c.workspace_id, versions.c.document_id, versions.c.number
        )
        async with self._database.write() as connection:
            await connection.run_sync(hold, workspace_id)
            if version:
                answers = select(versions.c.id).where(*mine, versions.c.state == "active")
                active = await connection.scalar(answers)
                if active != version:
                    return DeletedDocument(versions=[], replaced=active is not None)
            gone = [dict(row) for row in (await connection.execute(query.where(*mine))).mappings()]
            if gone:
                await connection.execute(insert(removed_versions), gone)
                blanked = await kept_runs.blank(connection, workspace_id, document_id)
                await connection.run_sync(upload_traces.forget, workspace_id, document_id)
                await connection.run_sync(suggestion_rows.forget, workspace_id)
                await connection.execute(
                    delete(documents).where(
                        within(documents.c, workspace_id), documents.c.id == document_id
                    )
                )
        await self._database.erase_traces()
        return DeletedDocument(versions=[row["id"] for row in gone], blanked=blanked)

    async def hidden_versions(self, workspace_id: WorkspaceId) -> list[str]:
        """Versions that are not visible: being written, replaced, or left over from a crash."""
        invisible = select(versions.c.id).where(
            within(versions.c, workspace_id), versions.c.state != "active"
        )
        removed = select(removed_versions.c.id).where(within(removed_versions.c, workspace_id))
        both = invisible.union_all(removed)
        return await self._database.inspect(lambda connection: list(connection.scalars(both)))

    # --- search ----------------------------------------------------------------------------

    async def chunks(
        self, workspace_id: WorkspaceId, chunk_ids: Sequence[str]
    ) -> dict[str, tuple[Chunk, Document]]:
        """The chunks among these ids: of visible versions, and of files of a run's question."""
        query = (
            rows.active_documents(workspace_id)
            .add_columns(*(column.label(f"chunk_{column.name}") for column in rows.CHUNK_COLUMNS))
            .join(chunks, chunks.c.version_id == versions.c.id)
            .where(within(chunks.c, workspace_id), chunks.c.id.in_(chunk_ids))
        )

        def look(connection: Connection) -> dict[str, tuple[Chunk, Document]]:
            found = {
                row.chunk_id: (rows.to_chunk(row, "chunk_"), rows.to_document(row))
                for row in connection.execute(query)
            }
            others = [each for each in chunk_ids if each not in found]
            return found | attached_rows.chunks(connection, workspace_id, others)

        return await self._database.inspect(look)

    async def neighbours(
        self, workspace_id: WorkspaceId, version_id: str, positions: Collection[int]
    ) -> list[Chunk]:
        """The chunks at these positions of a visible version or an attached file, in order."""
        query = (
            select(*rows.CHUNK_COLUMNS, versions.c.workspace_id, versions.c.document_id)
            .join(versions, versions.c.id == chunks.c.version_id)
            .where(
                within(versions.c, workspace_id),
                within(chunks.c, workspace_id),
                versions.c.id == text_or_nothing(version_id),
                versions.c.state == "active",
                chunks.c.position.in_(list(positions)),
            )
            .order_by(chunks.c.position)
        )

        def look(connection: Connection) -> list[Chunk]:
            found = [rows.to_chunk(row) for row in connection.execute(query)]
            return found or attached_rows.neighbours(
                connection, workspace_id, version_id, positions
            )

        return await self._database.inspect(look)

    async def term_frequencies(
        self, workspace_id: WorkspaceId, terms: Collection[int]
    ) -> tuple[int, dict[int, int]]:
        """Count the visible chunks, and for each term id how many of them it stands in.

        A term that stands nowhere is left out.
        """
        mine = within(versions.c, workspace_id)
        total = select(func.coalesce(func.sum(versions.c.chunks), 0))
        total = total.where(mine, versions.c.state == "active")
        # Few versions are invisible: leaving those out is four times as fast as joining the rest.
        invisible = select(versions.c.id).where(mine, versions.c.state != "active")
        frequencies = (
            select(version_terms.c.term, func.sum(version_terms.c.chunks))
            .where(
                within(version_terms.c, workspace_id),
                version_terms.c.term.in_(list(terms)),
                version_terms.c.version_id.not_in(invisible),
            )
            .group_by(version_terms.c.term)
        )

        def look(connection: Connection) -> tuple[int, dict[int, int]]:
            count = connection.scalar(total)
            found = connection.execute(frequencies).all()
            return int(count or 0), {term: int(frequency) for term, frequency in found}

        return await self._database.inspect(look)

    async def active_versions(self, workspace_id: WorkspaceId) -> list[str]:
        """The ids of the visible versions."""
        mine = select(versions.c.id).where(
            within(versions.c, workspace_id), versions.c.state == "active"
        )
        return await self._database.inspect(lambda connection: list(connection.scalars(mine)))

    async def version_words(
        self, workspace_id: WorkspaceId, version_ids: Sequence[str]
    ) -> dict[str, dict[str, int]]:
        """The words of visible versions, each with the number of passages that it stands in.

        Those of a version that an earlier release stored are counted now, and kept.
        """
        found, missing = await self._database.inspect(
            lambda connection: word_rows.read(connection, workspace_id, version_ids)
        )
        for version_id in missing:  # one at a time: each may be a large document
            texts = await self._database.inspect(
                partial(word_rows.texts, workspace_id=workspace_id, version_id=version_id)
            )
            found[version_id] = await asyncio.to_thread(counted, texts)
        if missing:
            fresh = {version_id: found[version_id] for version_id in missing}
            await self._database.transact(
                lambda connection: word_rows.keep(connection, workspace_id, fresh)
            )
        return found

    # --- runs ------------------------------------------------------------------------------

    async def save_run(self, run: StoredRun) -> None:
        """Keep a finished run with its evidence snapshot; the first copy of a run stays.

        A run that ended after a document it quotes was deleted is kept blanked.

        Raises:
            UnknownWorkspace: there is no such workspace.
        """
        async with self._database.write() as connection:
            scope = scope_of(run.workspace_id)
            await connection.run_sync(_held, scope, shared=True)
            if await kept_runs.find(connection, scope, run.run_id) is not None:
                return
            await kept_runs.insert_run(connection, run)
            for document_id in await kept_runs.missing_documents(connection, run):
                await kept_runs.blank(connection, run.workspace_id, document_id)

    async def run(self, workspace_id: WorkspaceId, run_id: str) -> StoredRun | None:
        """A kept run."""
        async with self._database.read() as connection:
            return await kept_runs.load(connection, workspace_id, run_id)


def _held(connection: Connection, workspace_id: str, *, shared: bool = False) -> str:
    """`hold` a workspace that must be there; gives its name."""
    name = hold(connection, workspace_id, shared=shared)
    if name is None:
        raise UnknownWorkspace("There is no such workspace.")
    return name


def _name(named: Workspace | Document) -> str:
    """Return the name to sort by here, as each server's own order of texts is another one."""
    return named.name
