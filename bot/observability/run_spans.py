"""Observes runs and the nodes of their graph: one trace a run, whose id is the run's own."""

import functools
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import structlog
from langgraph.runtime import Runtime
from opentelemetry import trace
from opentelemetry.context import Context as Parent
from opentelemetry.trace import SpanKind

from bot.chat.surface import Shown
from bot.observability.metrics import Metrics
from bot.observability.spans import span
from masis.conversation import RUN_NAMESPACE, ChatRun
from masis.graphs.common import Node, Wrap, pass_of

_HALF: Final = 2**64
_LOT: Final = 2**56
"""The bits of a run's id that are as good as thrown dice; the two before them are always the same,
which is why an SDK's own sampling by trace id would take all runs or none."""


@contextmanager
def scope(run: ChatRun) -> Iterator[None]:
    """Bind a run's ids, for the log and for spans, as long as the block goes on."""
    ids = {"run": run.id, "team": run.tenant.team, "workspace": run.workspace_id}
    if run.tenant.enterprise:
        ids["enterprise"] = run.tenant.enterprise
    with structlog.contextvars.bound_contextvars(**ids):
        yield


def of_run(run_id: str, share: float = 1.0) -> Parent:
    """The parent of a run's spans: never a span of its own, and the same in every process.

    `share` of all runs are recorded; every process that works on a run decides the same.
    """
    trace_id = _bits(run_id)
    is_recorded = trace_id % _LOT < share * _LOT
    flags = trace.TraceFlags(trace.TraceFlags.SAMPLED if is_recorded else trace.TraceFlags.DEFAULT)
    context = trace.SpanContext(trace_id, trace_id % _HALF, is_remote=True, trace_flags=flags)
    return trace.set_span_in_context(trace.NonRecordingSpan(context), Parent())


def observed_runs(
    handler: Callable[[ChatRun], Awaitable[Shown | None]], metrics: Metrics, *, share: float = 1.0
) -> Callable[[ChatRun], Awaitable[None]]:
    """Observe a handler of runs: each time a run is handed to it is a span, and what it shows counts."""

    async def handle(run: ChatRun) -> None:
        about = {"masis.kind": run.kind, "masis.attempt": run.attempt}
        parent = of_run(run.id, share)
        with scope(run), span("run", about, SpanKind.CONSUMER, parent) as running:
            metrics.begun(run)
            shown = await handler(run)
            if shown is None:
                return
            if shown.finished is not None:
                metrics.researched(shown.finished)
            metrics.ended(run, shown.kind)
            running.set_attribute("masis.outcome", shown.kind)

    return handle


def traced(outer: Wrap) -> Wrap:
    """Wrap `outer` so that each node that really runs is a span within it.

    Hand the result to `build` instead of `outer`.

    A node whose result is read back after a crash did not run, and is none.
    """

    def wrap(name: str, node: Node) -> Node:
        return outer(name, _spanned(name, node))

    return wrap


def _spanned(name: str, node: Node) -> Node:
    @functools.wraps(node)
    async def step(state: Any, runtime: Runtime[Any]) -> Any:
        about = {"masis.pass": pass_of(state)}
        with structlog.contextvars.bound_contextvars(node=name), span(f"node {name}", about):
            return await node(state, runtime)

    return step


def _bits(run_id: str) -> int:
    """The 128 bits of the id; one that is none of ours gets some that are as fixed."""
    try:
        return uuid.UUID(run_id).int
    except ValueError:
        return uuid.uuid5(RUN_NAMESPACE, run_id).int
