"""What it costs to tell what a message wants, without a model: the router's step alone.

Run it with `python -m tests.bench.router_bench` (seconds). The messages are those of a conversation:
small talk, commands, questions, and the turns of `cast-rewrite` where that is there.
"""

import asyncio
import json
import statistics
import sys
import time
from typing import Any, Final

from langgraph.runtime import Runtime

from masis.conversation import LOCAL_TENANT, Exchange, Spot
from masis.domain import Question, SearchResult, WorkspaceId
from masis.graphs.chat import nodes
from masis.graphs.chat.agents import ChatAgents
from masis.graphs.chat.graph import CHAT
from masis.graphs.chat.rules import RuleGreeter, RuleRewriter
from masis.graphs.common import Context, Request
from masis.records import StoredRun
from tests.bench.corpora import SHARED

TURNS: Final = SHARED / "cast-rewrite" / "turns.jsonl"
AIM_MS: Final = 2.0
ROUNDS: Final = 5
SAID: Final = (
    "hi",
    "thanks a lot, that helped!",
    "are you a real person or a machine?",
    "tell me more",
    "can you show me where it says that",
    "thanks, and where is the form?",
    "who approves it when I want to buy something for about 12,000?",
    "how are you supposed to tell people that the office is shut " * 3,
)
WORKSPACE: Final = WorkspaceId("w_aaaaaaaaaaaa")
THREAD: Final = Spot(tenant=LOCAL_TENANT, channel="C1", thread="1.0")


class Remembered:
    """Recalls six exchanges from memory: a database's part is measured elsewhere."""

    def __init__(self) -> None:
        asked = "How many days of leave are there?"
        self._exchanges = [
            Exchange(run_id=str(n), question=asked, standalone=asked) for n in range(6)
        ]

    async def recall(self, thread: Spot, workspace_id: WorkspaceId) -> list[Exchange]:  # noqa: ARG002
        """The six."""
        return self._exchanges

    async def run(self, workspace_id: WorkspaceId, run_id: str) -> StoredRun | None:  # noqa: ARG002
        """None."""
        return None

    async def search(self, workspace_id: WorkspaceId, query: str, **_: Any) -> SearchResult:  # noqa: ARG002
        """Nothing: without a model no probe is asked."""
        raise AssertionError("the router searched without a model")


async def no_questions(workspace_id: WorkspaceId) -> list[str]:  # noqa: ARG001
    """None."""
    return []


async def measure() -> dict[str, list[float]]:
    """Milliseconds of processor time that the router takes, by what it found."""
    memory = Remembered()
    agents = ChatAgents(
        memory=memory,
        greeter=RuleGreeter(no_questions),
        rewriter=RuleRewriter(),
        probe=memory,
        answers=memory,
    )
    runtime: Any = Runtime(context=Context(agents=agents))
    turns = [json.loads(line)["utterance"] for line in TURNS.open()] if TURNS.exists() else []
    found: dict[str, list[float]] = {}
    for text in [*SAID, *(text for _ in range(ROUNDS) for text in (*SAID, *turns))]:
        question = Question.plain(text)
        state: Any = CHAT.start(Request(question=question, workspace_id=WORKSPACE, thread=THREAD))
        started = time.thread_time()
        routed = await nodes.router(state, runtime)
        took = (time.thread_time() - started) * 1000
        found.setdefault(routed["intent"] if found else "first of a process", []).append(took)
    return found


def main() -> None:
    """Print the medians and the slowest, and fail where a hundredth takes longer than is aimed at."""
    slow = False
    for intent, times in asyncio.run(measure()).items():
        late = statistics.quantiles(times, n=100)[98] if len(times) > 1 else times[0]
        slow |= late > AIM_MS and len(times) > 1
        print(
            f"{intent}: {len(times)} messages, median {statistics.median(times):.2f} ms,"
            f" 99th of a hundred {late:.2f} ms, slowest {max(times):.2f} ms"
        )
    sys.exit(slow)


if __name__ == "__main__":
    main()
