"""What earlier runs of a thread kept of their figures, and what of it is recalled."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

import pytest

from masis.conversation import Exchange, Spot
from masis.domain import Chunk, Document, WorkspaceId
from masis.graphs.analysis.kept_figures import MOST_RUNS, KeptFigures
from masis.records import StoredRun
from tests.masis.graphs.analysis.working import GROWTH, HERE, REPORT, THREAD, concluded, worked


class Kept:
    """A thread of runs, each with the same outcome, over one document that may be gone."""

    def __init__(self, outcome: dict[str, Any], *, runs: int = 1, is_there: bool = True) -> None:
        self._outcome = outcome
        self._runs = runs
        self._is_there = is_there

    async def recall(self, thread: Spot, workspace_id: WorkspaceId) -> list[Exchange]:
        assert (thread, workspace_id) == (THREAD, HERE)
        names = [f"run-{at}" for at in range(self._runs)]
        return [Exchange(run_id=each, question="q", standalone="q") for each in names]

    async def run(self, workspace_id: WorkspaceId, run_id: str) -> StoredRun:
        return StoredRun(
            run_id=run_id,
            workspace_id=workspace_id,
            graph="analysis",
            question="q",
            status="success",
            outcome=self._outcome,
            evidence=[],
            trace=[],
            figures={},
        )

    async def chunks(
        self, workspace_id: WorkspaceId, chunk_ids: Sequence[str]
    ) -> dict[str, tuple[Chunk, Document]]:
        assert list(chunk_ids) == [REPORT.chunk_id]
        more = {"document_id": REPORT.document_id, "version_id": REPORT.version_id}
        chunk = Chunk(id=REPORT.chunk_id, workspace_id=workspace_id, position=0, text=REPORT.text, **more)  # fmt: skip
        document = Document(
            id=REPORT.document_id,
            workspace_id=workspace_id,
            version_id=REPORT.version_id,
            version_number=1,
            name="report.md",
            title="Annual report 2025",
            format="md",
            chunks=1,
            content_hash="h",
            size_bytes=1,
            date=None,
            ingested_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
        )
        return {REPORT.chunk_id: (chunk, document)} if self._is_there else {}


async def outcome() -> dict[str, Any]:
    found = concluded(await worked(GROWTH))
    return found.model_dump(mode="json")  # type: ignore[union-attr] # an answer


async def recalled(kept: Kept) -> Any:
    return await KeptFigures(kept, kept).recall(THREAD, HERE)  # type: ignore[arg-type] # a stand-in


async def test_figures_come_with_their_passages() -> None:
    (found,) = await recalled(Kept(await outcome()))
    assert [figure.written for figure in found.figures] == ["8,270", "7,810"]
    assert [each.text for each in found.passages] == [REPORT.text]


async def test_last_runs_are_recalled_latest_first() -> None:
    found = await recalled(Kept(await outcome(), runs=MOST_RUNS + 2))
    assert [each.run_id for each in found] == ["run-4", "run-3", "run-2"]


async def test_deleted_documents_are_forgotten() -> None:
    assert await recalled(Kept(await outcome(), is_there=False)) == []


@pytest.mark.parametrize("kept", [{}, {"calculations": []}, {"calculations": [{"kind": "magic"}]}])
async def test_other_outcomes_keep_no_figures(kept: dict[str, Any]) -> None:
    assert await recalled(Kept(kept)) == []
