"""Make the questions that are offered, wherever documents have changed."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from cachetools import TTLCache

from bot.chat.tasks import apart
from masis.domain import WorkspaceId
from masis.ports import Repository
from masis.questions.suggestions import Suggestions
from masis.values.suggested import Kept, digest

EVERY_SECONDS: Final = 10.0
"""Also before the first round, so that what waits at a start is answered first."""
OF_A_ROUND: Final = 4
"""Workspaces; each may take half a minute, one at a time, between the answers."""
ROUND_SECONDS: Final = 130.0
"""A round that takes longer is broken off."""
LOOKED_AT: Final = 64
"""Workspaces, among which are those that were tried in vain a while ago."""
AGAIN_SECONDS: Final = 600.0
"""Until a workspace is tried once more of which nothing could be asked; sooner where it changes."""
_OFFERING: Final = "offering"


class KeptQuestions(Protocol):
    """Knows of which workspaces questions are kept."""

    async def read(self, workspace_id: WorkspaceId) -> Kept | None:
        """Return the questions of a workspace; None where none are kept."""
        ...

    async def unknown(self, limit: int) -> list[WorkspaceId]:
        """Return the first that hold documents."""
        ...


class Offering:
    """Makes questions in rounds; what fails is tried again later. Of several processes one does."""

    def __init__(
        self,
        suggestions: Suggestions,
        repository: Repository,
        kept: KeptQuestions,
        *,
        has_duty: Callable[[str], Awaitable[bool]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._suggestions = suggestions
        self._repository = repository
        self._kept = kept
        self._has_duty = has_duty
        self._in_vain: TTLCache[WorkspaceId, str] = TTLCache(LOOKED_AT, AGAIN_SECONDS, clock)

    async def forever(self, every: float | None = None) -> None:
        """Go round until cancelled, whatever becomes of one round."""
        while True:
            await asyncio.sleep(EVERY_SECONDS if every is None else every)
            await apart("offering questions", self.once(), ROUND_SECONDS)

    async def once(self) -> int:
        """Make the questions of workspaces that have none; say of how many.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        if not await self._has_duty(_OFFERING):
            return 0
        found = await self._kept.unknown(LOOKED_AT)
        made = 0
        for each in found:
            if made == OF_A_ROUND:
                break
            made += await self._make(each)
        return made

    async def _make(self, workspace_id: WorkspaceId) -> bool:
        """Make the questions of a workspace, unless they were made in vain of the same documents."""
        workspace = await self._repository.workspace_by_id(workspace_id)
        held = await self._repository.documents(workspace_id)
        now = digest((each.id, each.version_id) for each in held)
        if workspace is None or self._in_vain.get(workspace_id) == now:
            return False
        self._in_vain[workspace_id] = now
        await self._suggestions.of(workspace)
        if await self._kept.read(workspace_id) is not None:
            self._in_vain.pop(workspace_id, None)
        return True
