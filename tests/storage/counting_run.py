"""The second graph as a durable run; as a program it hangs in its second node."""

import asyncio
import sys
from dataclasses import dataclass, field

from bot.observability.run_spans import traced
from masis.assistant import Assistant
from masis.graphs.common import Context
from storage.documents.repository import SqlRepository
from storage.durable.durable_steps import durable
from storage.queue.engine import DbosEngine
from storage.sql.database import Database
from tests.second_graph import COUNTING, NAME, Given, Passages
from tests.storage.durable_run import Asking, found, stocked


@dataclass
class Counting(Asking):
    """Asks the second graph; `given` holds its passages."""

    given: Given = field(init=False)

    def __post_init__(self) -> None:
        self.given = Given(found(self.workspace))
        context: Context[Passages] = Context(agents=self.given)
        bound = COUNTING.bound(context, traced(durable(COUNTING, self.repository)))
        self.assistant = Assistant(repository=self.repository, graphs={NAME: bound})


async def _hang(location: str) -> None:
    database = await Database.open(location)
    repository = SqlRepository(database)
    asking = Counting(repository, await stocked(repository))
    engine = await DbosEngine.open(database, poll_seconds=0.02)
    await engine.start(asking)
    await engine.accept(asking.request(graph=NAME))
    await asking.given.reached.wait()
    print("reached", flush=True)  # noqa: T201 - the parent waits for it
    await asyncio.sleep(60)


if __name__ == "__main__":
    asyncio.run(_hang(sys.argv[1]))
