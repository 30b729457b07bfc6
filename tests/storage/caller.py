"""A process that calls a model as often as it may: `test_permit_rows` runs several of them.

Its arguments are a database, the limit, the window in seconds and how many calls to make. It says
that it is ready, waits for a line, and in the end tells when each of its calls began.
"""

import asyncio
import sys
import time
from collections.abc import Sequence

from pydantic import BaseModel

from masis.models.pipeline import GuardedChat
from masis.models.rate_limit import RateLimit
from masis.ports import ROLES, ChatReply, Message, Role
from storage.models.permit_rows import SqlCallPermits
from storage.sql.database import Database

CALLERS = 3


class Service:
    """A model that notes when it was called."""

    def __init__(self) -> None:
        self.called: list[float] = []

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        del role, messages, schema
        self.called.append(time.time())
        return ChatReply(text="yes")


async def call(location: str, limit: int, window: float, count: int) -> list[float]:
    """So many calls, as soon as there is room for each."""
    database = await Database.open(location)
    service = Service()
    left = iter(range(count))
    try:
        permits = SqlCallPermits(database, "service", limit, window=window, delay=0.05)
        chat = GuardedChat(service, [RateLimit(dict.fromkeys(ROLES, permits)).call])
        print("ready", flush=True)  # noqa: T201 - this is how it is told
        await asyncio.to_thread(sys.stdin.readline)

        async def caller() -> None:
            for _ in left:
                await chat.complete("writer", [])

        await asyncio.gather(*(caller() for _ in range(CALLERS)))
    finally:
        await database.close()
    return service.called


if __name__ == "__main__":
    where, most, width, calls = sys.argv[1:]
    for moment in asyncio.run(call(where, int(most), float(width), int(calls))):
        print(moment)  # noqa: T201 - the same
