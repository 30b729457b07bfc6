"""Handle the end of a run that was asked over HTTP.

Nothing is posted: the kept run is its result.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from bot.api.documents.file_bodies import received_of
from bot.api.step_notes import noted, share_noted
from bot.chat.surface import Denial, Ending
from masis.assistant import STATUS, Finished
from masis.conversation import ChatRun, Link, Session
from masis.documents.attaching import Files
from masis.documents.indexing import OnShare
from masis.documents.ingestion import IngestResult
from masis.domain import Failed, Refused, Workspace
from masis.errors import DocumentRefused, UnknownWorkspace
from masis.ports import Repository
from masis.records import StoredRun
from masis.runs import OnStep
from storage.accounts.api_tokens import ApiTokens
from storage.api.received_files import ReceivedFiles, UploadState
from storage.api.run_steps import RunSteps

API: Final = "api"
"""The surface's name."""

PREFIX: Final = "api:"
"""Begins the channel of a run that was asked over HTTP, and the id of who asked it: no chat's
own ids hold a colon."""

STOPPED: Final = "Somebody stopped this question."
NOT_WHOLE: Final = "The file did not arrive as a whole. Send it again."
REVOKED: Final = "The token that this was asked with was revoked."


def is_api(run: ChatRun) -> bool:
    """Say whether the run was asked over HTTP."""
    return run.surface == API


class ApiSurface:
    """Keeps an outcome where the assistant had none to keep. Of several the first one stays."""

    def __init__(
        self,
        *,
        tokens: ApiTokens,
        repository: Repository,
        steps: RunSteps,
        files: ReceivedFiles,
    ) -> None:
        self._tokens = tokens
        self._repository = repository
        self._steps = steps
        self._files = files

    async def ending(self, run: ChatRun) -> Ending | None:
        """Nothing is ever half shown: what was done goes by quickly once more."""
        return None

    async def admit(self, run: ChatRun) -> Denial | None:
        """Deny the run if its token was revoked meanwhile. One that expired was let in in time."""
        token = await self._tokens.get(run.asker.removeprefix(PREFIX))
        return Denial(reason=REVOKED) if token is None or token.revoked_at else None

    async def open(self, run: ChatRun) -> ChatRun:
        """There is nothing to begin with."""
        return run

    @asynccontextmanager
    async def progress(self, run: ChatRun) -> AsyncIterator[OnStep]:
        """Write the steps down: whoever looks on may do so in another process."""
        async with noted(self._steps, run.id) as on_step:
            yield on_step

    async def show(
        self, run: ChatRun, finished: Finished, session: Session | None, link: Link | None
    ) -> None:
        """The assistant has kept it, which is all."""

    # --- documents -------------------------------------------------------------------------

    async def files(self, run: ChatRun) -> Files:
        """The one file of an upload, as it was received."""
        return _OneFile(run, self._files)

    async def uploading(
        self, run: ChatRun, workspace: Workspace, names: list[str], results: list[IngestResult]
    ) -> None:
        """There is one file, which has not begun yet."""

    @asynccontextmanager
    async def share(self, run: ChatRun) -> AsyncIterator[OnShare]:
        """Write down which share is done."""
        async with share_noted(self._files, run) as on_share:
            yield on_share

    async def ingested(
        self,
        run: ChatRun,
        workspace: Workspace,
        results: list[IngestResult],
    ) -> None:
        """Keep what became of the file."""
        result = results[0].model_dump(mode="json", exclude={"name", "seconds"})
        state: UploadState = "refused" if results[0].status == "refused" else "ready"
        await self._files.end(run, state, result, received_of(run).content_id)

    # --- other ends ------------------------------------------------------------------------

    async def refuse(self, run: ChatRun, denial: Denial) -> None:
        """Keep why there is no answer."""
        await self._keep(run, Refused(run_id=run.id, question=run.question, reason=denial.reason))

    async def stopped(self, run: ChatRun) -> None:
        """The request's own row says so; the bytes of a file are not needed any more."""
        if run.kind == "upload":
            await self._end_upload(run, STOPPED)

    async def fail(self, run: ChatRun, error: str) -> None:
        """Keep what failed."""
        await self._keep(run, Failed(run_id=run.id, question=run.question, error=error))

    async def expired(self, run: ChatRun, session: Session) -> None:
        """Nothing is asked back here."""

    async def _end_upload(self, run: ChatRun, reason: str) -> None:
        await self._files.end(run, "refused", {"reason": reason}, received_of(run).content_id)

    async def _keep(self, run: ChatRun, outcome: Refused | Failed) -> None:
        if run.kind == "upload":
            said = outcome.reason if isinstance(outcome, Refused) else outcome.error
            await self._end_upload(run, said)
            return
        kept = StoredRun(
            run_id=run.id,
            workspace_id=run.workspace_id,
            graph=run.graph,
            question=run.question,
            status=STATUS[type(outcome).__name__],
            outcome=outcome.model_dump(mode="json"),
            evidence=[],
            trace=[],
            figures={},
        )
        try:
            await self._repository.save_run(kept)
        except UnknownWorkspace:
            return  # it was deleted, and the request with it: nobody can ask for the result


class _OneFile:
    """The file of an upload, as `bot.chat.surface.Files`."""

    def __init__(self, run: ChatRun, files: ReceivedFiles) -> None:
        self._run = run
        self._files = files

    @property
    def names(self) -> list[str]:
        """Return the file's name alone."""
        return [self._run.question]

    async def read(self, position: int) -> bytes:
        """The file's bytes.

        Raises:
            DocumentRefused: they are not there as a whole.
        """
        received = received_of(self._run)
        content = await self._files.content(self._run.workspace_id, received.content_id)
        if len(content) != received.size:
            raise DocumentRefused(NOT_WHOLE)
        return content
