"""Make the questions that a greeting offers, after documents have changed."""

import asyncio
import logging
from typing import Final

from bot.compose import App
from masis.domain import WorkspaceId
from masis.errors import MasisError

log = logging.getLogger(__name__)

MOST_SECONDS: Final = 15.0
"""Somebody waits at the terminal; `masis serve` makes what is not made by then."""


async def offer_questions(app: App, workspace_id: WorkspaceId) -> None:
    """Make the questions of a workspace where they are not known; without them nothing is wrong."""
    try:
        workspace = await app.repository.workspace_by_id(workspace_id)
        if workspace is not None and workspace.documents:
            async with asyncio.timeout(MOST_SECONDS):
                await app.suggestions.of(workspace)
    except (MasisError, TimeoutError) as error:
        log.info("no questions are made now: %s", type(error).__name__)
