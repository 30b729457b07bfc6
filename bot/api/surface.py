"""Handle the end of a run that was asked over HTTP.

Nothing is posted: the kept run is its result.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, NoReturn

from bot.api.step_notes import noted
from bot.chat.surface import Denial, Ending
from masis.assistant import STATUS, Finished
from masis.conversation import ChatRun, Session
from masis.documents.ingestion import IngestResult
from masis.domain import Failed, Refused, Workspace
from masis.errors import UnknownWorkspace
from masis.ports import Repository, StoredRun
from masis.runs import OnStep
from storage.accounts.api_tokens import ApiTokens
from storage.chat.run_steps import RunSteps

API: Final = "api"
"""The surface's name."""

PREFIX: Final = "api:"
"""Begins the channel of a run that was asked over HTTP, and the id of who asked it: no chat's
own ids hold a colon."""

REVOKED: Final = "The token that this was asked with was revoked."


def is_api(run: ChatRun) -> bool:
    """Say whether the run was asked over HTTP."""
    return run.surface == API


class ApiSurface:
    """Keeps an outcome where the assistant had none to keep. Of several the first one stays."""

    def __init__(self, *, tokens: ApiTokens, repository: Repository, steps: RunSteps) -> None:
        self._tokens = tokens
        self._repository = repository
        self._steps = steps

    async def ending(self, run: ChatRun) -> Ending | None:  # noqa: ARG002 - the surface's signature
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

    def suggestions(self, finished: Finished) -> list[str]:  # noqa: ARG002 - the same
        """Nobody chooses."""
        return []

    async def show(self, run: ChatRun, finished: Finished, session: Session | None) -> None:
        """The assistant has kept it, which is all."""

    async def files(self, run: ChatRun) -> NoReturn:
        """Files do not come this way."""
        raise NotImplementedError(f"run {run.id} wants to put files in over HTTP")

    async def uploading(
        self, run: ChatRun, workspace: Workspace, names: list[str], results: list[IngestResult]
    ) -> None:
        """Files do not come this way."""

    async def ingested(
        self, run: ChatRun, workspace: Workspace, results: list[IngestResult]
    ) -> None:
        """Files do not come this way."""

    async def refuse(self, run: ChatRun, denial: Denial) -> None:
        """Keep why there is no answer."""
        await self._keep(run, Refused(run_id=run.id, question=run.question, reason=denial.reason))

    async def stopped(self, run: ChatRun) -> None:
        """The request's own row says so."""

    async def fail(self, run: ChatRun, error: str) -> None:
        """Keep what failed."""
        await self._keep(run, Failed(run_id=run.id, question=run.question, error=error))

    async def expired(self, run: ChatRun, session: Session) -> None:
        """Nothing is asked back here."""

    async def _keep(self, run: ChatRun, outcome: Refused | Failed) -> None:
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
