"""Tell which files of an upload are still wanted when their turn comes."""

import datetime as dt
from collections.abc import Sequence

from bot.chat.words import shared_sentences
from masis.conversation import ChatRun
from masis.documents.ingestion import SUPERSEDED
from masis.domain import Workspace, document_id_of
from masis.errors import DocumentRefused
from masis.ports import Repository
from storage.chat.admin_log import AdminLog


class WantedFiles:
    """Checks an upload's files, also those of one that was broken off and is begun again.

    Whoever put another version in since the upload was sent, or deleted the document, has the last
    word. Of the files of one name the last one has.
    """

    def __init__(self, repository: Repository, admin_log: AdminLog) -> None:
        self._repository = repository
        self._admin_log = admin_log

    async def check(
        self, run: ChatRun, workspace: Workspace, names: Sequence[str], position: int
    ) -> dt.datetime | None:
        """Return when the file was sent, where it is put in again: nothing newer is replaced.

        Raises:
            DocumentRefused: another one of its name came behind it, or somebody deleted it since.
        """
        name = names[position]
        if name in names[position + 1 :]:
            raise DocumentRefused(shared_sentences.NAMED_TWICE)
        sent_at = run.accepted_at if run.attempt > 1 else None
        if sent_at is not None and await self._is_deleted(run, workspace, name, sent_at):
            raise DocumentRefused(SUPERSEDED)
        return sent_at

    async def _is_deleted(
        self, run: ChatRun, workspace: Workspace, name: str, since: dt.datetime
    ) -> bool:
        """Say whether somebody deleted the document, and nobody put it in anew."""
        if await self._repository.document(workspace.id, name) is not None:
            return False
        document = document_id_of(workspace.id, name)
        return await self._admin_log.is_done_since(run.tenant, "delete", document, since)
