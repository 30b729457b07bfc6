"""A graph that nothing knows is run, told of, drawn and stored like the others."""

import pytest

from masis.assistant import Assistant
from masis.domain import Answered, Failed, NeedsClarification, Workspace, workspace_id
from masis.errors import StoreUnavailable, UnknownGraph
from masis.graphs.common import BoundGraph, Context, mermaid
from masis.runs import Step
from tests.fakes import FakeRepository
from tests.scripted_agents import chunk
from tests.second_graph import COUNTING, NAME, CountingState, Given, Passages

HERE = Workspace(id=workspace_id("ws_here"), owner="local", name="papers")


class Away(Given):
    async def ready(self) -> None:
        raise StoreUnavailable("the shelf is away")


def bound(given: Given) -> BoundGraph[CountingState, Passages]:
    given.gate.set()
    return COUNTING.bound(Context(agents=given))


def assistant(given: Given) -> Assistant:
    return Assistant(repository=FakeRepository(), graphs={NAME: bound(given)})


async def test_its_steps_are_told_by_their_titles() -> None:
    steps: list[Step] = []

    finished = await assistant(Given([chunk(0)])).ask(HERE, "?", graph=NAME, on_step=steps.append)

    assert isinstance(finished.outcome, Answered)
    assert [(step.title, step.number, step.state) for step in steps] == [
        ("Count the passages", 1, "started"),
        ("Count the passages", 1, "finished"),
        ("Tell the number", 1, "started"),
        ("Tell the number", 1, "finished"),
    ]


async def test_its_trail_is_like_any_other() -> None:
    finished = await assistant(Given([chunk(0)])).ask(HERE, "?", graph=NAME)

    assert [(each["node"], each["pass"]) for each in finished.trace] == [("count", 1), ("tell", 1)]
    assert set(finished.figures["node_latency_ms"]) == {"count", "tell"}
    assert finished.figures["searches"] == 1


async def test_it_asks_back_by_the_same_outcome() -> None:
    finished = await assistant(Given([])).ask(HERE, "?", graph=NAME)

    assert isinstance(finished.outcome, NeedsClarification)
    assert finished.status == "needs_clarification"


async def test_its_run_is_stored_under_its_name() -> None:
    repository = FakeRepository()
    asked = Assistant(repository=repository, graphs={NAME: bound(Given([chunk(0)]))})

    await asked.ask(HERE, "?", graph=NAME, run_id="run")

    assert repository.runs["run"].graph == NAME
    assert [each.chunk_id for each in repository.runs["run"].evidence] == [chunk(0).chunk_id]


async def test_its_failure_keeps_what_it_did() -> None:
    finished = await assistant(Away([chunk(0)])).ask(HERE, "How many?", graph=NAME)

    assert isinstance(finished.outcome, Failed)
    assert finished.outcome.question == "How many?"
    assert [each["node"] for each in finished.trace] == ["count"]


async def test_a_graph_nobody_has_is_refused() -> None:
    with pytest.raises(UnknownGraph, match="research"):
        await assistant(Given([])).ask(HERE, "?", graph="research")


def test_it_is_drawn_from_itself() -> None:
    assert "count --> tell" in mermaid(COUNTING)
