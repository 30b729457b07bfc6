"""Lists the graphs. A new one is a folder beside this file, and its name in this list."""

from typing import Final

from masis.graphs.common import AnyGraph, GraphStep
from masis.graphs.research.graph import RESEARCH

GRAPHS: Final[dict[str, AnyGraph]] = {graph.name: graph for graph in (RESEARCH,)}


def steps_of(name: str) -> tuple[GraphStep, ...]:
    """Return the steps of a graph; of one that this release does not have there are none."""
    return GRAPHS[name].steps if name in GRAPHS else ()
