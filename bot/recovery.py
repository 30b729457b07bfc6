"""Remove what crashes left half written.

This is done when the bot starts, and before documents go in.
"""

import logging
from typing import Final

from bot.compose import App
from masis.domain import Workspace
from masis.errors import StoreLocked, StoreUnavailable
from storage.documents.leftovers import leftovers

log = logging.getLogger(__name__)

LEFT_OVER_SECONDS: Final = 2 * 3600.0
"""Nobody writes one version of a document for so long."""


async def recover(app: App, workspace: Workspace) -> None:
    """Remove what crashes left in a workspace.

    In the data folder the lock of its vectors keeps other writers out. On a server what was begun
    of late is left alone: another process may be writing it.

    Raises:
        StoreUnavailable: a store cannot be reached, or another process holds it.
    """
    age = LEFT_OVER_SECONDS if app.settings.qdrant_address else 0.0
    found = await leftovers(app.database, begun_before=age, workspace_id=workspace.id)
    for workspace_id, versions in found.items():
        await app.ingest.recover(workspace_id, versions)


async def recover_all(app: App, *, at_work: float = 0.0) -> None:
    """The same in every workspace; where it cannot be done, the next start or ingestion does it.

    This process itself may write a version since it went to work, `at_work` seconds ago.

    Raises:
        StoreUnavailable: the database cannot be read.
    """
    age = LEFT_OVER_SECONDS if app.settings.qdrant_address else at_work
    for workspace_id, versions in (await leftovers(app.database, begun_before=age)).items():
        try:
            await app.ingest.recover(workspace_id, versions)
        except StoreLocked:
            log.warning("%s is in use: what a crash left there is removed later", workspace_id)
        except StoreUnavailable as error:
            if error.retryable:  # nor can those of the other workspaces be reached
                log.warning("what crashes left is removed later: %s", type(error).__name__)
                return
            log.warning("what a crash left in %s cannot be removed: %s", workspace_id, error)
