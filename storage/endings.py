"""Work that ends whatever its caller does."""

import asyncio
from typing import TypeVar

T = TypeVar("T")


async def to_its_end(work: asyncio.Future[T]) -> T:
    """Return what `work` gives. Whoever is cancelled meanwhile hears of it when it is done."""
    cancelled: asyncio.CancelledError | None = None
    while not work.done():
        try:
            await asyncio.wait({work})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        if not work.cancelled():
            work.exception()
        raise cancelled
    return await work
