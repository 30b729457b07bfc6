"""Lists the graphs. A new one is a folder beside this file, and its name in this list."""

from typing import Final

from masis.graphs.analysis.graph import ANALYSIS
from masis.graphs.chat.graph import CHAT
from masis.graphs.classification.graph import CLASSIFICATION
from masis.graphs.common import AnyGraph, GraphStep
from masis.graphs.research.graph import RESEARCH

GRAPHS: Final[dict[str, AnyGraph]] = {
    graph.name: graph for graph in (CHAT, RESEARCH, ANALYSIS, CLASSIFICATION)
}


def steps_of(name: str) -> tuple[GraphStep, ...]:
    """Return the steps of a graph, and of the one that it usually leads to.

    Of one that this release does not have there are none.
    """
    if name not in GRAPHS:
        return ()
    graph = GRAPHS[name]
    return (*graph.steps, *(step for next_ in graph.leads_to[:1] for step in steps_of(next_)))


def plan_with(name: str, start: str) -> tuple[GraphStep, ...]:
    """Return the plan with a step of that name of a graph that another leads to; else none."""
    graphs = (GRAPHS[each] for each in GRAPHS[start].leads_to) if start in GRAPHS else ()
    plans = (graph.plan() for graph in graphs)
    return next((plan for plan in plans if any(step.name == name for step in plan)), ())
