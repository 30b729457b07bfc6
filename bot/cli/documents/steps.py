"""Remove what the run engine keeps of a workspace's requests.

They came from Slack or over HTTP, and their steps may quote the workspace.
"""

from bot.compose import App
from masis.domain import Workspace
from storage.durable.erasure import forget_steps
from storage.durable.workflow_presence import has_workflows


async def forget_workspace_steps(app: App, workspace: Workspace) -> None:
    """Remove the finished steps of the workspace's ended requests, where an engine ever worked.

    To be called after what they may quote was deleted.
    """
    if await has_workflows(app.database):
        await forget_steps(app.database, [], [workspace.id])
