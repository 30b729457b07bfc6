"""Answer a scrape: what was counted in this process, and what is read from the database."""

import asyncio
import contextlib
import datetime as dt
from collections.abc import Awaitable, Callable
from typing import Final

from bot.observability.metrics import Metrics
from masis.errors import StoreUnavailable
from storage.chat.backlog import Backlog, backlog
from storage.queue.fleet import Fleet, fleet
from storage.sql.database import Database

SCRAPE_SECONDS: Final = 2.0
"""How long a scrape waits for the database; the figures of the process come all the same."""

Page = Callable[[str], Awaitable[tuple[bytes, str]]]
"""Takes an `Accept` header; gives the figures and what form they have."""


def page(metrics: Metrics, database: Database) -> Page:
    """Build the function that answers a scrape.

    It gives the counted figures, and those read from the database.
    """

    async def scraped(accept: str) -> tuple[bytes, str]:
        found: tuple[Backlog, Fleet] | tuple[None, None] = (None, None)
        with contextlib.suppress(StoreUnavailable, TimeoutError):
            async with asyncio.timeout(SCRAPE_SECONDS):
                found = await backlog(database), await fleet(database)
        metrics.backlog(found[0], dt.datetime.now(dt.UTC))
        metrics.fleet(found[1])
        return metrics.page(accept)

    return scraped
