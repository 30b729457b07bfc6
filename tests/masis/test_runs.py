import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from langgraph.runtime import Runtime

from masis.domain import SearchResult
from masis.errors import ModelServiceError, StoreUnavailable
from masis.graphs.common import Node, Wrap
from masis.graphs.research.agents import ResearchContext
from masis.graphs.research.graph import RESEARCH
from masis.graphs.research.state import MASISInput, State
from masis.runs import Step, run, run_sync
from tests.scripted_agents import (
    Cast,
    ScriptedCritic,
    ScriptedResearcher,
    chunk,
    cited,
    critique,
)

ASKED = MASISInput(user_query="When does office number 0 open?", workspace_id="w_test")


async def told(cast: Cast, max_retries: int | None = None) -> list[tuple[str, int, str]]:
    """What the watcher of a run was told."""
    steps: list[Step] = []
    question = ASKED.model_copy(update={"max_retries": max_retries})
    await run(cast.bound(), question.to_state(), steps.append)
    return [(step.name, step.number, step.state) for step in steps]


def one_pass(number: int) -> list[tuple[str, int, str]]:
    return [
        (name, number, state)
        for name in ("search", "draft", "audit", "evaluate")
        for state in ("started", "finished")
    ]


# --- steps ---------------------------------------------------------------------------------


async def test_each_step_reports_start_and_end() -> None:
    """Each step is told when it begins and when it ends in order."""
    assert await told(Cast()) == one_pass(1)


async def test_retry_steps_carry_pass_number() -> None:
    """The steps of a retry carry the number of their pass."""
    cast = Cast(critic=ScriptedCritic([critique(0.5), critique(0.9)]))

    assert await told(cast) == [*one_pass(1), *one_pass(2)]


async def test_exhausted_run_reports_every_pass() -> None:
    """An exhausted run tells of every pass."""
    cast = Cast(critic=ScriptedCritic([critique(0.5)]))

    assert await told(cast, max_retries=3) == [step for n in range(1, 5) for step in one_pass(n)]


async def test_search_without_evidence_reports_alone() -> None:
    """Without evidence only the search is told."""
    cast = Cast(researcher=ScriptedResearcher([[chunk(0, score=0.1)]]))

    assert await told(cast) == [("search", 1, "started"), ("search", 1, "finished")]


async def test_step_is_reported_before_work() -> None:
    """A step is told before it does its work."""
    steps: list[Step] = []
    seen: list[tuple[str, Step]] = []

    def watched(name: str, node: Node) -> Node:
        async def step(state: Any, runtime: Runtime[ResearchContext]) -> Any:
            await asyncio.sleep(0)
            seen.extend((name, steps[-1]) for _ in steps[-1:])
            return await node(state, runtime)

        return step

    await run(Cast().bound(watched), ASKED.to_state(), steps.append)

    assert [(name, step.name, step.state) for name, step in seen[:4]] == [
        ("researcher", "search", "started"),
        ("synthesizer", "draft", "started"),
        ("critic", "audit", "started"),
        ("evaluator", "evaluate", "started"),
    ]


async def test_unobserved_run_ends_the_same() -> None:
    """A run that nobody watches ends the same."""
    watched = await run(Cast().bound(), ASKED.to_state(), lambda _: None)
    alone = await run(Cast().bound(), ASKED.to_state())

    assert alone["final_answer"] == watched["final_answer"] == cited(0)
    assert alone.keys() == watched.keys()


def broken(at: str, error: Exception) -> Wrap:
    """What makes one node fail."""

    def wrap(name: str, node: Node) -> Node:
        async def step(state: Any, runtime: Runtime[ResearchContext]) -> Any:
            if name == at:
                raise error
            return await node(state, runtime)

        return step

    return wrap


async def test_permanent_failure_leaves_run_unwrapped() -> None:
    """What fails for good leaves the run as its own error."""
    steps: list[Step] = []
    broke = broken("critic", ModelServiceError("the key was refused"))

    with pytest.raises(ModelServiceError, match="key was refused"):
        await run(Cast().bound(broke), ASKED.to_state(), steps.append)
    assert [step.name for step in steps if step.state == "finished"] == ["search", "draft"]
    assert steps[-1] == Step(name="audit", number=1, state="started", title="Audit")


# --- without asyncio -----------------------------------------------------------------------


@dataclass
class Shop:
    """A context that must be opened and closed."""

    cast: Cast = field(default_factory=Cast)
    log: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[ResearchContext]:
        self.log.append("opened")
        try:
            yield self.cast.context()
        finally:
            await asyncio.sleep(0)
            self.log.append("closed")


def test_run_sync_answers_with_a_context() -> None:
    state = run_sync(RESEARCH, ASKED.to_state(), Cast().context())

    assert state["final_answer"] == cited(0)
    assert not state["requires_human_review"]


def test_run_sync_enters_and_exits_context() -> None:
    """Run sync opens and closes a context manager."""
    shop = Shop()

    assert run_sync(RESEARCH, ASKED.to_state(), shop.open())["final_answer"] == cited(0)
    assert shop.log == ["opened", "closed"]


class BrokenResearcher(ScriptedResearcher):
    async def search(self, *_: Any, **__: Any) -> SearchResult:
        raise StoreUnavailable("no shelf")


def test_run_sync_closes_context_on_failure() -> None:
    """Run sync closes it when the run fails."""
    shop = Shop()
    shop.cast.researcher = BrokenResearcher()

    with pytest.raises(StoreUnavailable, match="no shelf"):
        run_sync(RESEARCH, ASKED.to_state(), shop.open())
    assert shop.log == ["opened", "closed"]


@pytest.mark.parametrize("managed", [True, False])
async def test_run_sync_works_in_thread(managed: bool) -> None:
    """Run sync works in a plain thread beside a running loop."""
    states: list[State] = []
    shop = Shop()

    def work() -> None:
        context = shop.open() if managed else shop.cast.context()
        states.append(run_sync(RESEARCH, ASKED.to_state(), context))

    thread = threading.Thread(target=work)
    thread.start()
    await asyncio.to_thread(thread.join)

    assert [state["final_answer"] for state in states] == [cited(0)]
    assert shop.log == (["opened", "closed"] if managed else [])


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the next test
async def test_run_sync_refuses_running_loop() -> None:
    """Run sync inside a running loop says so and runs nothing."""
    cast = Cast()

    with pytest.raises(RuntimeError, match="event loop"):
        run_sync(RESEARCH, ASKED.to_state(), cast.context())
    assert cast.researcher.asked == []


async def test_run_sync_in_loop_warns_nothing() -> None:
    """Run sync inside a running loop warns of nothing else."""
    with pytest.raises(RuntimeError):
        run_sync(RESEARCH, ASKED.to_state(), Cast().context())
