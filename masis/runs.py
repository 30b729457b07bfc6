"""Running a graph: its steps as they happen, its time limit, and a way in without asyncio."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Literal

from masis.domain import Value
from masis.graphs.context import Context
from masis.graphs.research.graph import ResearchGraph, build, recursion_limit
from masis.graphs.research.state import MASISInput, State

StepName = Literal["search", "draft", "audit", "evaluate"]

_STEPS: dict[str, StepName] = {
    "researcher": "search",
    "synthesizer": "draft",
    "critic": "audit",
    "evaluator": "evaluate",
}


class Step(Value):
    """A step of a run that began or ended. `number` is the pass, from 1."""

    name: StepName
    number: int
    state: Literal["started", "finished"]
    note: str = ""


OnStep = Callable[[Step], None]
"""Told of steps while the run goes on; it must return at once."""


async def run(
    graph: ResearchGraph,
    state: State,
    context: Context,
    on_step: OnStep | None = None,
    on_state: Callable[[State], None] | None = None,
) -> State:
    """Run to the end and give the final state; tell `on_step` of each step as it happens.

    A step that fails is told to have begun, and never to have ended.

    `on_state` gets the state after every step, so that a run that fails leaves its trace.

    Raises:
        MasisError: a search or a model service failed for good.
    """
    config = {"recursion_limit": recursion_limit(state["max_retries"])}
    final = state
    async for mode, event in graph.astream(  # type: ignore[call-overload]
        state, config, context=context, stream_mode=["tasks", "values"]
    ):
        if mode == "values":
            final = event
            if on_state is not None:
                on_state(final)
        elif on_step is not None and event["name"] in _STEPS and not event.get("error"):
            on_step(_step(event, final))
    return final


def run_sync(
    question: MASISInput,
    context: Context | AbstractAsyncContextManager[Context],
    graph: ResearchGraph | None = None,
) -> State:
    """The same for callers without an event loop; a context manager is opened and closed here.

    Raises:
        RuntimeError: an event loop runs in this thread; await `graph.ainvoke` instead.
        MasisError: a search or a model service failed for good.
    """
    if _has_loop():
        raise RuntimeError("an event loop runs in this thread: await graph.ainvoke(...) instead")

    async def once() -> State:
        if isinstance(context, Context):
            return await run(graph or build(), question.to_state(), context)
        async with context as opened:
            return await run(graph or build(), question.to_state(), opened)

    return asyncio.run(once())


def _has_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _step(event: dict[str, object], state: State) -> Step:
    return Step(
        name=_STEPS[str(event["name"])],
        number=state["retry_count"] + 1,
        state="finished" if "result" in event else "started",
    )
