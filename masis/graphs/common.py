"""Define what every graph is: one value, and all that the runner, the engine and a chat know of it."""

import asyncio
import functools
import operator
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Generic, TypedDict, TypeVar

import langsmith
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command
from pydantic import Field

from masis import run_figures
from masis.conversation import Mode, Spot
from masis.domain import AnyOutcome, EvidenceChunk, PlannedSearch, Question, Value, WorkspaceId
from masis.graphs.resuming import Checkpoints
from masis.policy import MAX_RETRIES_ALLOWED, Policy, allowed_retries
from masis.run_figures import Figures

NODE_TIMEOUT_S: Final = 600.0
"""No node may outlive the ten minutes after which a run ends in an honest failure."""

TraceEntry = dict[str, Any]
Update = dict[str, Any]
Stored = dict[str, Any]
"""A JSON object."""
Evidence = Mapping[str, EvidenceChunk]
"""Chunks by their ids."""
Node = Callable[[Any, Runtime[Any]], Awaitable[Any]]
Wrap = Callable[[str, Node], Node]
"""Goes around a node of that name, to make it a durable step for instance."""


Made = TypeVar("Made")


def made(value: Made | None) -> Made:
    """Return what a step before has made: a graph leads nowhere that wants it without."""
    assert value is not None  # noqa: S101 - see above
    return value


# --- what goes in and out --------------------------------------------------------------------


class Request(Value):
    """A question as it enters a graph. `wider` searches like a retry from the first pass on.

    `thread` is where it was asked; `heard` is what others wrote there before, which may say what
    is meant and is evidence of nothing. `searches` are planned for it, where somebody planned any.
    `mode` is what the place where it was asked allows.
    """

    question: Question
    workspace_id: WorkspaceId
    max_retries: int | None = Field(default=None, ge=0, le=MAX_RETRIES_ALLOWED)
    wider: bool = False
    thread: Spot | None = None
    heard: list[str] = []
    searches: list[PlannedSearch] = []
    mode: Mode = "auto"

    @property
    def is_settled(self) -> bool:
        """Whether it is known what is asked: a reply, or the same question with a wider search."""
        return self.wider or bool(self.question.reply)


class RunState(TypedDict):
    """The keys of every graph's state; what else flows through it is its own, and typed.

    A graph that goes round has `retry_count` and `max_retries` beside them.
    """

    workspace_id: WorkspaceId
    trace: Annotated[list[TraceEntry], operator.add]
    figures: Annotated[Figures, run_figures.merge]


class Report(TypedDict):
    """What a node that did something leaves behind at least: one trace entry and its figures."""

    trace: list[TraceEntry]
    figures: Figures


State = TypeVar("State", bound=RunState)
Agents = TypeVar("Agents")
Compiled = CompiledStateGraph[State, Any, State, State]


@dataclass(frozen=True, slots=True)
class Context(Generic[Agents]):
    """Hold what a run is handed beside its state: its graph's agents, and the policy in force.

    `field_keys` are those of the workspace's free fields, as far as the question may name some.
    """

    agents: Agents
    policy: Policy = field(default_factory=Policy)
    field_keys: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Hold what a finished state means to the asker, and the evidence that this rests on."""

    outcome: AnyOutcome
    evidence: list[EvidenceChunk] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Onward:
    """Hand a request on, as it was understood, to the graph of that name, which answers it.

    `said` is a sentence for who asked, on what this graph does not do for it; empty where there is none.
    """

    graph: str
    request: Request
    said: str = ""


# --- the graph itself ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GraphStep:
    """Name a node for people: by `title`, from its second pass on by `again` with that number.

    A step without a place in the plan is told of in the trail alone. One that is done `once` has no
    place in further passes.
    """

    node: str
    name: str
    title: str
    again: str = ""
    in_plan: bool = True
    once: bool = False

    def titled(self, number: int) -> str:
        """Return its title in that pass; passes count from 1."""
        is_again = number > 1 and self.again
        return self.again.format(number=number - 1) if is_again else self.title


@dataclass(frozen=True, slots=True)
class Graph(Generic[State, Agents]):
    """Hold all that there is to know of a graph.

    `build` compiles it, with something around every node; `start` gives a request's first state,
    and `conclude` what a finished one means. `encode` writes a node's update down as small JSON,
    `decode` reads it with the evidence that it names. `steps` are its nodes, in their order.
    `leads_to` are the graphs that it may hand a request on to, the usual one first. `again` counts the
    supersteps that it may do again within a pass: searches and repairs, which it bounds itself. One that
    asks by an interrupt has `resume`, which gives what takes it up with a request's reply; its `build`
    takes the library's checkpointer as well.
    """

    name: str
    build: Callable[..., Compiled[State]]
    start: Callable[[Request], State]
    conclude: Callable[[State, str, Context[Agents]], Conclusion | Onward]
    encode: Callable[[Update], Stored]
    decode: Callable[[Stored, Evidence], Update]
    steps: tuple[GraphStep, ...]
    leads_to: tuple[str, ...] = ()
    again: int = 0
    resume: Callable[[Request], Command[Any]] | None = None

    def bound(
        self,
        context: Context[Agents],
        wrap: Wrap | None = None,
        checkpoints: Checkpoints | None = None,
    ) -> "BoundGraph[State, Agents]":
        """Compile it and bind it to the agents that it is run with.

        Without `checkpoints`, one that asks begins anew with each reply.
        """
        if self.resume is None or checkpoints is None:
            compiled = self.build(wrap) if wrap else _plain(self.build)
            return BoundGraph(self, compiled, context)
        compiled = self.build(wrap, checkpoints.saver)
        return BoundGraph(self, compiled, context, checkpoints)

    def plan(self) -> tuple[GraphStep, ...]:
        """Return the steps that are shown while it runs."""
        return tuple(step for step in self.steps if step.in_plan)

    def recursion_limit(self, state: Mapping[str, Any]) -> int:
        """Return how many supersteps a run can need: every node once a pass, and both ends."""
        passes = allowed_retries(state.get("max_retries")) + 1
        return 2 + (len(self.steps) + self.again) * passes


@functools.cache
def _plain(build: Callable[..., Compiled[Any]]) -> Compiled[Any]:
    """Compile a graph without anything around its nodes: it holds nothing of who runs it."""
    return build(None)


@dataclass(frozen=True, slots=True)
class BoundGraph(Generic[State, Agents]):
    """Hold a graph that is ready to run: compiled, and with its agents."""

    graph: Graph[State, Agents]
    compiled: Compiled[State]
    context: Context[Agents]
    checkpoints: Checkpoints | None = None


AnyGraph = Graph[Any, Any]
AnyBoundGraph = BoundGraph[Any, Any]


# --- how one is built ------------------------------------------------------------------------


def pass_of(state: Mapping[str, Any]) -> int:
    """Return the pass that a state is in, from 1; a graph that never goes round has one."""
    return int(state.get("retry_count", 0)) + 1


def assembled(
    schema: type[State], nodes: Mapping[str, tuple[Node, type]], wrap: Wrap | None
) -> "StateGraph[State, Any, State, State]":
    """Begin a graph with its nodes and what each reads; the edges are the caller's."""
    # An environment in which other programs are traced must not send what is asked and read away.
    langsmith.configure(enabled=False)
    graph = StateGraph(schema, context_schema=Context)
    for name, (node, reads) in nodes.items():
        step: Any = timed(name, wrap(name, node) if wrap else node)
        graph.add_node(name, step, input_schema=reads)
    return graph


def timed(name: str, node: Node) -> Node:
    """Put the pass and the duration into the node's trace entry, and the latency into its figures."""

    async def step(state: Any, runtime: Runtime[Any]) -> Update:
        started = time.perf_counter()
        # The library's own limit puts two more tasks around each node, a sixth of what a run costs.
        async with asyncio.timeout(NODE_TIMEOUT_S):
            update: Update = dict(await node(state, runtime))
        duration = round((time.perf_counter() - started) * 1000, 1)
        if not update.get("trace"):
            return update
        stamp = {"pass": pass_of(state), "duration_ms": duration}
        update["trace"] = [{**entry, **stamp} for entry in update["trace"]]
        update["figures"] = {
            **update.get("figures", {}),
            "node_latency_ms": {name: [duration]},
        }
        return update

    step.__name__ = name
    return step


# --- how one is drawn ------------------------------------------------------------------------


def mermaid(graph: AnyGraph) -> str:
    """Draw a graph, from the compiled graph itself."""
    compiled = graph.build(None)
    drawing = compiled.get_graph().draw_mermaid()
    for first, routes in _shared_arrows(compiled):
        drawing = drawing.replace(f"&nbsp;{first}&nbsp;", f"&nbsp;{routes}&nbsp;")
    return drawing


def _shared_arrows(compiled: Compiled[Any]) -> Iterator[tuple[str, str]]:
    """Yield the routes of which several lead to one node: their one arrow names the first alone."""
    branches = (each for found in compiled.builder.branches.values() for each in found.values())
    for branch in branches:
        ends = branch.ends or {}
        for node in dict.fromkeys(ends.values()):
            routes = [str(route) for route, end in ends.items() if end == node]
            if len(routes) > 1:
                yield routes[0], " / ".join(routes)
