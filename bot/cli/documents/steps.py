"""Remove what the run engine keeps of a workspace's requests.

They came from Slack or over HTTP, and their steps may quote the workspace.
"""

from typing import TYPE_CHECKING

from storage.durable.workflow_presence import has_workflows

if TYPE_CHECKING:
    from bot.compose import App
    from masis.domain import Workspace


async def forget_workspace_steps(app: "App", workspace: "Workspace") -> None:
    """Remove the finished steps of the workspace's ended requests, where an engine ever worked.

    To be called after what they may quote was deleted.
    """
    if await has_workflows(app.database):
        from storage.durable.erasure import forget_steps  # noqa: PLC0415 - it loads the engine

        await forget_steps(app.database, [], [workspace.id])
