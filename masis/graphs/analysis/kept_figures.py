"""Recall the figures that earlier runs of a thread calculated with, from what these runs keep."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final, Protocol

from pydantic import ValidationError

from masis.conversation import Exchange, Spot
from masis.domain import Calculation, Figure, WorkspaceId
from masis.graphs.analysis.agents import Kept
from masis.ports import Repository
from masis.retrieval.evidence import unscored

MOST_RUNS: Final = 3
"""Runs of a thread whose figures are recalled, the last ones."""
MOST_PASSAGES: Final = 12
"""Passages of one run."""


class Memory(Protocol):
    """Remembers what was asked in a thread."""

    async def recall(self, thread: Spot, workspace_id: WorkspaceId) -> list[Exchange]:
        """Return the thread's last exchanges, oldest first."""
        ...


class KeptFigures:
    """Reads them where finished runs are kept; what was deleted since is not recalled."""

    def __init__(self, memory: Memory, repository: Repository) -> None:
        self._memory = memory
        self._repository = repository

    async def recall(self, thread: Spot, workspace_id: WorkspaceId) -> list[Kept]:
        """Return the figures of the last runs that calculated, the latest first."""
        earlier = await self._memory.recall(thread, workspace_id)
        last = [each.run_id for each in reversed(earlier) if each.run_id][:MOST_RUNS]
        found = await asyncio.gather(*(self._of_run(workspace_id, run_id) for run_id in last))
        return [each for each in found if each.figures]

    async def _of_run(self, workspace_id: WorkspaceId, run_id: str) -> Kept:
        run = await self._repository.run(workspace_id, run_id)
        figures = _figures(run.outcome) if run is not None else []
        ids = list(dict.fromkeys(each.chunk_id for each in figures))[:MOST_PASSAGES]
        held = await self._repository.chunks(workspace_id, ids) if ids else {}
        passages = [unscored(*held[each]) for each in ids if each in held]
        there = [each for each in figures if each.chunk_id in held]
        return Kept(run_id, there, passages)


def _figures(outcome: Mapping[str, Any]) -> list[Figure]:
    """Return the figures of an outcome's calculations; those of another release are none."""
    try:
        done = [Calculation.model_validate(each) for each in outcome.get("calculations") or []]
    except ValidationError:
        return []
    return [leaf for each in done for figure in each.inputs for leaf in figure.leaves]
