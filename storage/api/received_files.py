"""Files that come over HTTP: their bytes until they are put in, how far that is, what came of it."""

from typing import Any, Final, Literal

import sqlalchemy as sa

from masis.conversation import ChatRun, Tenant
from masis.domain import Value, WorkspaceId
from storage.chat.requests import is_open, run_of
from storage.sql.database import Database
from storage.sql.rows import AnyRow, now, within
from storage.sql.scope import checked_workspace, exactly, of_tenant
from storage.sql.tables import chat_runs, upload_parts, uploads
from storage.sql.upserts import add_new

PROCESSING: Final = "processing"
UploadState = Literal["processing", "ready", "refused"]


class UploadProgress(Value):
    """How far an upload is: `share` from 0 to 1 where it is known, `result` at its end."""

    state: UploadState
    share: float | None = None
    result: dict[str, Any] = {}


class ReceivedFiles:
    """The files of all tenants' uploads. An upload is a run of the kind `upload`, and has its id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # --- bytes -----------------------------------------------------------------------------

    async def add_part(
        self,
        tenant: Tenant,
        workspace_id: WorkspaceId,
        content_id: str,
        position: int,
        content: bytes,
    ) -> None:
        """Keep the next bytes of a file that is on its way: small transactions, others write, too.

        Raises:
            UnknownWorkspace: its tenant has no such workspace.
        """

        def add(connection: sa.Connection) -> None:
            row = {
                "content_id": content_id,
                "position": position,
                "workspace_id": checked_workspace(connection, tenant, workspace_id),
                "content": content,
                "at": now(),
            }
            connection.execute(sa.insert(upload_parts).values(row))

        await self._database.transact(add)

    async def content(self, workspace_id: WorkspaceId, content_id: str) -> bytes:
        """The bytes of a file, as far as they are kept."""
        query = (
            sa.select(upload_parts.c.content)
            .where(
                within(upload_parts.c, workspace_id),
                exactly(upload_parts.c.content_id, content_id),
            )
            .order_by(upload_parts.c.position)
        )
        return await self._database.inspect(lambda look: b"".join(look.scalars(query)))

    async def drop(self, workspace_id: WorkspaceId, content_id: str) -> None:
        """Delete the bytes of a file, and their traces."""
        await self._database.transact(lambda within: _drop(within, workspace_id, content_id))
        await self._database.erase_traces()

    # --- how far it is ---------------------------------------------------------------------

    async def note_share(self, run: ChatRun, share: float) -> None:
        """Note which share of a file is embedded; nothing where the upload has ended."""
        await self._database.transact(lambda within: _set(within, run, share=share))

    async def end(
        self, run: ChatRun, state: UploadState, result: dict[str, Any], content_id: str
    ) -> None:
        """Note what came of an upload, and delete its bytes; of several ends the first one stays."""

        def end(connection: sa.Connection) -> None:
            _set(connection, run, state=state, share=None, result=result)
            _drop(connection, run.workspace_id, content_id)

        await self._database.transact(end)
        await self._database.erase_traces()

    async def of(self, run: ChatRun) -> UploadProgress:
        """How far this upload is, as far as it was noted."""
        query = sa.select(uploads).where(
            within(uploads.c, run.workspace_id), exactly(uploads.c.run_id, run.id)
        )
        row = await self._database.inspect(lambda look: look.execute(query).one_or_none())
        return UploadProgress(state=PROCESSING) if row is None else _to_progress(row)

    async def not_ready(
        self, tenant: Tenant, workspace_id: WorkspaceId, surface: str, limit: int
    ) -> list[tuple[ChatRun, UploadProgress]]:
        """The newest uploads of a workspace that go on or were refused, the newest first."""
        run = chat_runs.c
        # Among all that was ever asked uploads are few: indexes know what is open, and uploads.
        going = sa.select(run.id).where(within(run, workspace_id), is_open())
        refused = sa.select(uploads.c.run_id).where(
            within(uploads.c, workspace_id), uploads.c.state == "refused"
        )
        query = (
            sa.select(chat_runs, uploads.c.state, uploads.c.share, uploads.c.result)
            .join(uploads, uploads.c.run_id == run.id, isouter=True)
            .where(
                run.id.in_(sa.union(going, refused)),
                of_tenant(run, tenant),
                within(run, workspace_id),
                run.surface == surface,
                run.kind == "upload",
                sa.func.coalesce(uploads.c.state, PROCESSING) != "ready",
            )
            .order_by(run.accepted_at.desc(), run.id)
            .limit(limit)
        )
        return await self._database.inspect(
            lambda look: [_to_both(row) for row in look.execute(query)]
        )


def _set(connection: sa.Connection, run: ChatRun, **values: Any) -> None:
    """Change what is noted of an upload that has not ended; nothing of a request that is gone."""
    request = sa.select(chat_runs.c.id).where(exactly(chat_runs.c.id, run.id))
    if connection.scalar(request.with_for_update(read=True, key_share=True)) is None:
        return
    begun = {"run_id": run.id, "workspace_id": run.workspace_id, "state": PROCESSING}
    add_new(connection, uploads, begun)
    mine = uploads.c.run_id == run.id, uploads.c.state == PROCESSING
    connection.execute(sa.update(uploads).where(*mine).values(**values))


def _drop(connection: sa.Connection, workspace_id: WorkspaceId, content_id: str) -> None:
    mine = within(upload_parts.c, workspace_id), exactly(upload_parts.c.content_id, content_id)
    connection.execute(sa.delete(upload_parts).where(*mine))


def _to_progress(row: AnyRow) -> UploadProgress:
    return UploadProgress(state=row.state, share=row.share, result=row.result or {})


def _to_both(row: AnyRow) -> tuple[ChatRun, UploadProgress]:
    """A row of a request beside what is noted of it, which may be nothing yet."""
    values = dict(row._mapping)
    progress = UploadProgress(
        state=values.pop("state") or PROCESSING,
        share=values.pop("share"),
        result=values.pop("result") or {},
    )
    return run_of(values), progress
