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


async def test_each_step_is_told_when_it_begins_and_when_it_ends_in_order() -> None:
    assert await told(Cast()) == one_pass(1)


async def test_the_steps_of_a_retry_carry_the_number_of_their_pass() -> None:
    cast = Cast(critic=ScriptedCritic([critique(0.5), critique(0.9)]))

    assert await told(cast) == [*one_pass(1), *one_pass(2)]


async def test_an_exhausted_run_tells_of_every_pass() -> None:
    cast = Cast(critic=ScriptedCritic([critique(0.5)]))

    assert await told(cast, max_retries=3) == [step for n in range(1, 5) for step in one_pass(n)]


async def test_without_evidence_only_the_search_is_told() -> None:
    cast = Cast(researcher=ScriptedResearcher([[chunk(0, score=0.1)]]))

    assert await told(cast) == [("search", 1, "started"), ("search", 1, "finished")]


async def test_a_step_is_told_before_it_does_its_work() -> None:
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


async def test_a_run_that_nobody_watches_ends_the_same() -> None:
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


async def test_what_fails_for_good_leaves_the_run_as_its_own_error() -> None:
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


def test_run_sync_opens_and_closes_a_context_manager() -> None:
    shop = Shop()

    assert run_sync(RESEARCH, ASKED.to_state(), shop.open())["final_answer"] == cited(0)
    assert shop.log == ["opened", "closed"]


class BrokenResearcher(ScriptedResearcher):
    async def search(self, *_: Any, **__: Any) -> SearchResult:
        raise StoreUnavailable("no shelf")


def test_run_sync_closes_it_when_the_run_fails() -> None:
    shop = Shop()
    shop.cast.researcher = BrokenResearcher()

    with pytest.raises(StoreUnavailable, match="no shelf"):
        run_sync(RESEARCH, ASKED.to_state(), shop.open())
    assert shop.log == ["opened", "closed"]


@pytest.mark.parametrize("managed", [True, False])
async def test_run_sync_works_in_a_plain_thread_beside_a_running_loop(managed: bool) -> None:
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
async def test_run_sync_inside_a_running_loop_says_so_and_runs_nothing() -> None:
    cast = Cast()

    with pytest.raises(RuntimeError, match="event loop"):
        run_sync(RESEARCH, ASKED.to_state(), cast.context())
    assert cast.researcher.asked == []


async def test_run_sync_inside_a_running_loop_warns_of_nothing_else() -> None:
    with pytest.raises(RuntimeError):
        run_sync(RESEARCH, ASKED.to_state(), Cast().context())
