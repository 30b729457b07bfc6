"""Run a graph: its steps as they happen, its time limit, and a way in without asyncio."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Literal

from langgraph.types import Command

from masis.domain import Value
from masis.graphs.common import (
    Agents,
    AnyGraph,
    BoundGraph,
    Context,
    Graph,
    GraphStep,
    State,
    pass_of,
)


class Step(Value):
    """A step of a run that began or ended. `number` is the pass, from 1; `title` is for people."""

    name: str
    number: int
    state: Literal["started", "finished"]
    title: str = ""
    note: str = ""


OnStep = Callable[[Step], None]
"""Told of steps while the run goes on; it must return at once."""


async def run(
    bound: BoundGraph[State, Agents],
    state: State,
    on_step: OnStep | None = None,
    on_state: Callable[[State], None] | None = None,
    *,
    session: str = "",
    resumed: Command[Any] | None = None,
) -> State:
    """Run to the end and give the final state; tell `on_step` of each step as it happens.

    A step that fails is told to have begun, and never to have ended. A graph that may wait for a reply
    keeps its place under the id of the `session` that would be opened then; `resumed` takes one up.

    `on_state` gets the state after every step, so that a run that fails leaves its trace.

    Raises:
        MasisError: a search or a model service failed for good.
    """
    config: dict[str, Any] = {"recursion_limit": bound.graph.recursion_limit(state)}
    kept: dict[str, Any] = {}
    if bound.checkpoints is not None:
        config["configurable"] = {"thread_id": session}
        kept = {"durability": "sync"}
    shown = {step.node: step for step in bound.graph.plan()}
    final = state
    async for mode, event in bound.compiled.astream(  # type: ignore[call-overload]
        state if resumed is None else resumed,
        config,
        context=bound.context,
        stream_mode=["tasks", "values"],
        **kept,
    ):
        if mode == "values":
            final = event
            if on_state is not None:
                on_state(final)
        elif on_step is not None and event["name"] in shown and not event.get("error"):
            on_step(_step(shown[event["name"]], event, final))
    return final


def first_step(graph: AnyGraph) -> Step:
    """Return the step that a run begins with."""
    first = graph.plan()[0]
    return Step(name=first.name, number=1, state="started", title=first.title)


def run_sync(
    graph: Graph[State, Agents],
    state: State,
    context: Context[Agents] | AbstractAsyncContextManager[Context[Agents]],
) -> State:
    """Run a graph for a caller without an event loop; a context manager is opened and closed here.

    Raises:
        RuntimeError: an event loop runs in this thread; await `run` instead.
        MasisError: a search or a model service failed for good.
    """
    if _has_loop():
        raise RuntimeError("an event loop runs in this thread: await run(...) instead")

    async def once() -> State:
        if isinstance(context, Context):
            return await run(graph.bound(context), state)
        async with context as opened:
            return await run(graph.bound(opened), state)

    return asyncio.run(once())


def _has_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _step(step: GraphStep, event: Mapping[str, object], state: Mapping[str, Any]) -> Step:
    number = pass_of(state)
    return Step(
        name=step.name,
        number=number,
        state="finished" if "result" in event else "started",
        title=step.titled(number),
    )
