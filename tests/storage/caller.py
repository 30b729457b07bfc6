"""A process that calls a model as often as it may: `test_call_slots` runs several of them.

Its arguments are a database, the limit, the window and how long to go on, in seconds. It says that
it is ready, waits for a line, and then writes down when each of its calls began.
"""

import asyncio
import sys
import time
from collections.abc import Sequence

from pydantic import BaseModel

from masis.ports import ROLES, ChatReply, Message, Role
from masis.rate_limit import RateLimited
from storage.call_slots import SqlCallSlots
from storage.database import Database

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


async def call(location: str, limit: int, window: float, seconds: float) -> list[float]:
    """As many calls as there is room for."""
    database = await Database.open(location)
    service = Service()
    try:
        slots = SqlCallSlots(database, "service", limit, window=window, delay=0.05)
        chat = RateLimited(service, dict.fromkeys(ROLES, slots))
        print("ready", flush=True)  # noqa: T201 - this is how it is told
        await asyncio.to_thread(sys.stdin.readline)

        async def caller() -> None:
            while True:
                await chat.complete("writer", [])

        callers = [asyncio.create_task(caller()) for _ in range(CALLERS)]
        await asyncio.wait(callers, timeout=seconds)
        for each in callers:
            each.cancel()
        await asyncio.gather(*callers, return_exceptions=True)
        await asyncio.sleep(0.1)  # places are given back
    finally:
        await database.close()
    return service.called


if __name__ == "__main__":
    where, most, width, lasting = sys.argv[1:]
    for moment in asyncio.run(call(where, int(most), float(width), float(lasting))):
        print(moment)  # noqa: T201 - the same
