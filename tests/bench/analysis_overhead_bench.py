"""What a run of the analysis graph costs beside its agents, in milliseconds of the processor, and one of research.

The agents are the rules over a page in memory, whose time is counted apart, and for research such as take none;
all else is the graph with its checks. Run it with `python -m tests.bench.analysis_overhead_bench`.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import fields, replace
from statistics import median
from typing import Any, Final

from masis.domain import Question
from masis.graphs.analysis.agents import AnalysisAgents
from masis.graphs.analysis.graph import ANALYSIS
from masis.graphs.common import Context, Request
from masis.graphs.research.state import MASISInput
from masis.runs import run
from tests.masis.graphs.analysis.working import GROWTH, HERE, agents
from tests.scripted_agents import Cast, Research

RUNS: Final = 200
WARM: Final = 20


class Timed:
    """Stands for an agent and adds up what its calls take."""

    def __init__(self, agent: object, spent: list[float]) -> None:
        self._agent = agent
        self._spent = spent

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        asked = getattr(self._agent, name)

        async def timed(*args: object, **kwargs: object) -> Any:
            begun = time.process_time()
            try:
                return await asked(*args, **kwargs)
            finally:
                self._spent.append(time.process_time() - begun)

        return timed


def timed_agents(spent: list[float]) -> AnalysisAgents:
    """Return the agents, each timed."""
    made = agents()
    held = {each.name: getattr(made, each.name) for each in fields(made)}
    timed: dict[str, Any] = {name: each and Timed(each, spent) for name, each in held.items()}
    return replace(made, **timed)


async def main() -> None:
    """Run the graph again and again, and print the medians."""
    whole, beside = [], []
    spent: list[float] = []
    bound = ANALYSIS.bound(Context(agents=timed_agents(spent)))
    for at in range(WARM + RUNS):
        spent.clear()
        request = Request(question=Question.plain(GROWTH), workspace_id=HERE)
        begun = time.process_time()
        state = await run(bound, ANALYSIS.start(request))
        took = time.process_time() - begun
        assert state["badge"] is not None
        if at >= WARM:
            whole.append(took)
            beside.append(took - sum(spent))
    print(f"a run of {len(state['trace'])} steps: {1000 * median(whole):.1f} ms, beside the agents {1000 * median(beside):.1f} ms")  # fmt: skip
    bare = Cast().bound()
    times = [await _research(bare) for _ in range(WARM + RUNS)][WARM:]
    print(f"a run of research with agents that take no time: {1000 * median(times):.1f} ms")


async def _research(bare: Research) -> float:
    begun = time.process_time()
    await run(bare, MASISInput(user_query="When does it open?", workspace_id=HERE).to_state())
    return time.process_time() - begun


if __name__ == "__main__":
    asyncio.run(main())
