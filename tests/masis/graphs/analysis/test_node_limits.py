"""Test that a node which never ends is broken off, and that what is independent is done side by side."""

import asyncio
from dataclasses import dataclass
from typing import Final

import pytest

from masis.domain import SearchResult, WorkspaceId
from masis.filters import NO_FILTERS, Filters
from masis.graphs import common
from masis.graphs.analysis.graph import ANALYSIS
from tests.masis.graphs.analysis.working import GROWTH, Shelf, agents, worked

WAIT_S: Final = 60.0


@dataclass
class Stuck(Shelf):
    """A search that never comes back."""

    async def search(
        self,
        workspace_id: WorkspaceId,
        query: str,
        *,
        limit: int,
        question: str | None = None,
        filters: Filters = NO_FILTERS,
    ) -> SearchResult:
        await asyncio.Event().wait()
        return await super().search(
            workspace_id, query, limit=limit, question=question, filters=filters
        )


async def test_endless_node_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common, "NODE_TIMEOUT_S", 0.5)
    running = asyncio.ensure_future(worked(GROWTH, agents(Stuck())))
    done, _ = await asyncio.wait({running}, timeout=WAIT_S)
    assert running in done, "it went on"
    assert isinstance(running.exception(), TimeoutError)


def test_drawing_waits_for_no_words() -> None:
    edges = {(each.source, each.target) for each in ANALYSIS.build(None).get_graph().edges}
    assert {("check", "explain"), ("check", "draw")} <= edges
    assert {("explain", "assemble"), ("draw", "assemble")} <= edges
    assert ("explain", "draw") not in edges
