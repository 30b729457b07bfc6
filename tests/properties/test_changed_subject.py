"""A question about something else brings nothing of what was asked before into its evidence."""

import json
import os
from importlib import resources
from itertools import islice, permutations
from random import Random
from typing import Any, Final

import pytest

from bot.playground import samples
from bot.playground.remembered import sources
from masis.conversation import Exchange
from masis.documents.ingestion import Ingest
from masis.domain import SearchResult, Workspace, WorkspaceId
from masis.policy import COVERAGE_GATE, Policy
from masis.questions.follow_ups import follow_up
from masis.retrieval.evidence import gate, nearest_floor
from masis.retrieval.search import Retrieval
from masis.retrieval.sentence_vectors import SentenceVectors
from tests.fakes import FakeParser, FakeRepository, FakeVectorStores
from tests.masis.graphs.chat.talking import ScriptedMemory, Talk
from tests.masis.retrieval.test_search import WordsEmbedder

EXAMPLES: Final = 2 * int(os.environ.get("MASIS_TEST_EXAMPLES", "3"))
SEED: Final = int(os.environ.get("MASIS_TEST_SEED", "1"))
READ: Final = (".md", ".txt")
"""The sample's files that are read as they stand."""


class Searched:
    """The sample's texts, searched as a workspace is."""

    def __init__(self, retrieval: Retrieval, workspace: Workspace) -> None:
        self._retrieval, self._workspace = retrieval, workspace

    async def search(self, _workspace_id: WorkspaceId, query: str, **more: Any) -> SearchResult:
        return await self._retrieval.search(self._workspace.id, query, **more)

    async def evidence(self, question: str) -> dict[str, str]:
        """The chunks that a question is answered from, each with its document."""
        found = await self._retrieval.search(self._workspace.id, question, limit=10)
        floor = nearest_floor(found.candidates)
        kept, _ = gate(found.candidates, Policy().threshold(0), COVERAGE_GATE, floor)
        return {each.chunk_id: each.document for each in kept}


@pytest.fixture
async def searched() -> Searched:
    repository, stores, embedder = FakeRepository(), FakeVectorStores(), WordsEmbedder()
    workspace = await repository.create_workspace("local", "sample")
    ingest = Ingest(repository=repository, stores=stores, embedder=embedder, parser=FakeParser())
    with resources.as_file(samples.SAMPLE / samples.DOCS) as folder:
        files = [each for each in sources(folder) if each.name.endswith(READ)]
        async for put_in in ingest.ingest_many(workspace, files):
            assert put_in.status == "added"
    retrieval = Retrieval(
        repository=repository,
        stores=stores,
        embedder=embedder,
        sentences=SentenceVectors(embedder),
    )
    return Searched(retrieval, workspace)


def pairs() -> list[tuple[str, str, str]]:
    """Two questions about different documents of the sample, and the document of the first."""
    text = (samples.SAMPLE / "questions.jsonl").read_text(encoding="utf-8")
    rows = [row for row in map(json.loads, text.splitlines()) if row["gold"]]
    asked = [
        (row["question"], {gold["doc"] for gold in row["gold"]})
        for row in rows
        if all(gold["doc"].endswith(READ) for gold in row["gold"])
    ]
    return [
        (before, now, old)
        for (before, olds), (now, news) in permutations(asked, 2)
        if olds.isdisjoint(news)
        for old in sorted(olds)[:1]
    ]


def is_changed(pair: tuple[str, str, str]) -> bool:
    """Tell whether a thread may change how its second question is read: else it is but searched twice."""
    before, now, _ = pair
    meant = follow_up(now, [Exchange(run_id="1", question=before, standalone=before)])
    return meant.carried != meant.alone


async def test_changed_subject_leaves_no_old_evidence(searched: Any) -> None:
    """Whatever was asked before, its document is evidence only where it is without the thread, too."""
    shuffled = pairs()
    Random(SEED).shuffle(shuffled)
    changed = list(islice(filter(is_changed, shuffled), EXAMPLES))
    assert changed
    for before, now, old in changed:
        memory = ScriptedMemory([Exchange(run_id="1", question=before, standalone=before)])
        talk = Talk(memory=memory, probe=searched)
        meant = (await talk.onward(now)).question.standalone
        alone, found = await searched.evidence(now), await searched.evidence(meant)

        added = {chunk for chunk, document in found.items() if document == old} - alone.keys()
        assert not added, (before, now, meant)
