"""Find a run for a token, and what came of it."""

from bot.api.problems import not_found
from bot.api.surface import STOPPED, is_api
from bot.chat.handler import BROKEN_OFF
from bot.results import Result
from masis.conversation import ChatRun
from masis.ports import Repository
from storage.accounts.api_tokens import ApiToken
from storage.chat.requests import ChatRuns


class Lookup:
    """Finds what was asked of a token's workspace over HTTP, by whichever of its tokens."""

    def __init__(self, runs: ChatRuns, repository: Repository) -> None:
        self._runs = runs
        self._repository = repository

    async def found(self, token: ApiToken, run_id: str, *, is_upload: bool = False) -> ChatRun:
        """The run's request: a question's, or that of a file to put in.

        Raises:
            Refusal: the token reaches no such run.
        """
        run = await self._runs.get(token.tenant, run_id)
        if run is None or run.workspace_id != token.workspace_id or not is_api(run):
            raise not_found()
        if (run.kind == "upload") != is_upload:
            raise not_found()
        return run

    async def result(self, run: ChatRun) -> Result:
        """Return the result of a run that has ended."""
        if run.status == "cancelled":
            return Result.nothing("cancelled", STOPPED, run.id).in_thread(run.thread)
        kept = await self._repository.run(run.workspace_id, run.id)
        if kept is None:
            return Result.nothing("failed", BROKEN_OFF, run.id).in_thread(run.thread)
        return Result.of_stored(kept).in_thread(run.thread)
