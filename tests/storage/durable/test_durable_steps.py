import asyncio
import datetime as dt
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from masis.attached import AttachedFile
from masis.conversation import ChatFile, ChatRun
from masis.domain import Answered, Chunk, Document, EvidenceChunk, Failed, Question, Workspace
from masis.errors import ModelServiceUnavailable, RunCancelled, StoreUnavailable, VectorsUnavailable
from masis.graphs.research.agents import Audit
from masis.graphs.research.graph import RESEARCH, build
from masis.graphs.research.state import MASISInput
from masis.retrieval.evidence import unscored
from storage.chat.requests import ChatRuns
from storage.documents.attached_rows import SqlAttachedFiles
from storage.documents.repository import SqlRepository
from storage.durable.durable_steps import durable
from storage.queue.engine import DbosEngine
from storage.sql.database import Database
from tests.scripted_agents import Cast, ScriptedCritic, chunk_id, cited
from tests.storage.beside import kept_steps
from tests.storage.durable_run import Asking, WaitingCritic, stocked, text_of

ROOT = Path(__file__).parents[3]


class Failing(ScriptedCritic):
    """Fails each time, or so often."""

    def __init__(self, error: Exception, times: int = 1000) -> None:
        super().__init__()
        self._error = error
        self._times = times

    async def audit(
        self,
        question: Question,
        draft: str,
        evidence: Sequence[EvidenceChunk],
        passed_over: Sequence[EvidenceChunk],
    ) -> Audit:
        audit = await super().audit(question, draft, evidence, passed_over)
        self._times -= 1
        if self._times < 0:
            return audit
        raise self._error


@pytest.fixture
async def workspace(repository: SqlRepository) -> Workspace:
    return await stocked(repository)


@pytest.fixture
async def engines(database: Database) -> AsyncIterator[list[DbosEngine]]:
    opened = [
        await DbosEngine.open(
            database, poll_seconds=0.02, retry_seconds=0.01, heartbeat_seconds=0.1, ttl_seconds=1.0
        )
        for _ in range(2)
    ]
    yield opened
    for engine in opened:
        await engine.stop(0)


async def ended(database: Database, run_id: str = "run", how: str = "finished") -> None:
    runs = ChatRuns(database)
    async with asyncio.timeout(10):
        while True:
            run = await runs.get(None, run_id)
            if run is not None and run.status == how:
                return
            await asyncio.sleep(0.01)


@pytest.mark.flaky(
    reruns=2, reason="failed once in 14 runs, at load 12 on two cores; its cause was not seen"
)
async def test_each_node_stores_small_textless_step(
    engines: list[DbosEngine],
    repository: SqlRepository,
    workspace: Workspace,
    database: Database,
    location: str,
) -> None:
    """A run leaves one small step a node without the documents words."""
    asking = Asking(repository, workspace)
    await engines[0].start(asking)
    await engines[0].accept(asking.request())
    await ended(database)
    [finished] = asking.finished
    assert isinstance(finished.outcome, Answered)
    assert finished.outcome.run_id == "run"
    steps = kept_steps(location)
    assert [name for name, _ in steps] == [
        *("supervisor", "researcher", "synthesizer", "critic", "evaluator", "supervisor")
    ]
    assert not any("quick brown fox" in output for _, output in steps)
    assert sum(len(output) for _, output in steps) < 10_000


async def test_stopped_run_resumes_after_last_step(
    engines: list[DbosEngine], repository: SqlRepository, workspace: Workspace, database: Database
) -> None:
    """A run that was broken off by a stop goes on after its last step."""
    critic = WaitingCritic()
    before = Asking(repository, workspace, critic)
    await engines[0].start(before)
    await engines[0].accept(before.request())
    await critic.reached.wait()
    await engines[0].stop(0)
    assert before.finished == []

    after = Asking(repository, workspace)
    await engines[1].start(after)
    await ended(database)
    _assert_went_on(after)


async def test_kill_loses_only_the_current_step(
    engines: list[DbosEngine], repository: SqlRepository, database: Database, location: str
) -> None:
    """A killed process loses nothing but the step at work."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.storage.durable_run", location),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert child.stdout is not None
        async with asyncio.timeout(60):
            assert await child.stdout.readline() == b"reached\n"
    finally:
        child.kill()
        await child.wait()

    after = Asking(repository, await stocked_already(repository))
    await engines[0].start(after)
    await ended(database)
    # It had got further: of the step that it died in this is the second attempt.
    assert [run.attempt for run in after.seen] == [2]
    _assert_went_on(after)


async def stocked_already(repository: SqlRepository) -> Workspace:
    [workspace] = await repository.workspaces("slack::T1")
    return workspace


def _assert_went_on(after: Asking) -> None:
    assert (after.cast.researcher.asked, after.cast.synthesizer.asked) == ([], [])
    assert len(after.cast.critic.asked) == 1
    [finished] = after.finished
    assert isinstance(finished.outcome, Answered)
    assert [cited.text for cited in finished.outcome.citations] == [text_of(0)]


async def test_run_is_forgotten_at_end(
    engines: list[DbosEngine],
    repository: SqlRepository,
    workspace: Workspace,
    database: Database,
    location: str,
) -> None:
    """A run at work is forgotten at its end."""
    critic = WaitingCritic()
    asking = Asking(repository, workspace, critic)
    await engines[0].start(asking)
    await engines[0].accept(asking.request())
    await critic.reached.wait()
    assert await engines[0].forget(workspace.id) == 0
    assert kept_steps(location)
    critic.gate.set()
    await ended(database)
    await engines[0].stop(5)
    assert kept_steps(location) == []
    assert len(asking.finished) == 1


async def test_deleted_document_is_dropped_on_resume(
    engines: list[DbosEngine], repository: SqlRepository, workspace: Workspace, database: Database
) -> None:
    """A document that was deleted meanwhile is no evidence any more."""
    critic = WaitingCritic()
    before = Asking(repository, workspace, critic)
    await engines[0].start(before)
    await engines[0].accept(before.request())
    await critic.reached.wait()
    await engines[0].stop(0)
    [document] = await repository.documents(workspace.id)
    await repository.delete_document(workspace.id, document.id)

    after = Asking(repository, workspace)
    await engines[1].start(after)
    await ended(database)
    assert after.finished[0].evidence == []


async def test_attached_file_is_there_on_resume(
    engines: list[DbosEngine], repository: SqlRepository, workspace: Workspace, database: Database
) -> None:
    """A file of the question is read back as long as its run goes on, and is gone with its end."""
    files, critic = SqlAttachedFiles(database), WaitingCritic()
    document, passage = of_file(workspace)
    await files.write(
        workspace.id, "run", 0, AttachedFile(name="a.md", document=document), [passage]
    )
    evidence = unscored(passage, document).model_copy(update={"score": 0.9})
    sent = [ChatFile(id="F1", name="a.md")]
    before = Asking(repository, workspace, critic)
    before.cast.researcher.results = [[evidence]]
    before.cast.synthesizer.drafts = [cited(20)]
    await engines[0].start(before)
    await engines[0].accept(before.request().model_copy(update={"files": sent}))
    await critic.reached.wait()
    await engines[0].stop(0)

    after = Asking(repository, workspace)
    await engines[1].start(after)
    await ended(database)

    assert [chunk.text for chunk in after.finished[0].evidence] == [passage.text]
    assert not (await files.of(workspace.id, "run")).files


def of_file(workspace: Workspace) -> tuple[Document, Chunk]:
    """A file that came with a question, and its one passage."""
    document = Document(
        id="f_aaaaaaaaaaaa",
        workspace_id=workspace.id,
        name="a.md",
        title="A",
        format="md",
        version_id="v_aaaaaaaaaaaa",
        version_number=1,
        content_hash="hash",
        size_bytes=1,
        chunks=1,
        date=None,
        ingested_at=dt.datetime(2026, 3, 1, tzinfo=dt.UTC),
    )
    passage = Chunk(
        id=chunk_id(20),
        workspace_id=workspace.id,
        document_id=document.id,
        version_id=document.version_id,
        position=0,
        text=text_of(20),
    )
    return document, passage


async def test_run_cancelled_mid_node_lacks_outcome(
    engines: list[DbosEngine], repository: SqlRepository, workspace: Workspace, database: Database
) -> None:
    """A run that is cancelled in a node ends without an outcome."""
    critic = WaitingCritic()
    asking = Asking(repository, workspace, critic)
    told: list[str] = []

    async def handler(run: ChatRun) -> None:
        try:
            await asking(run)
        except RunCancelled:
            told.append(run.id)

    await engines[0].start(handler)
    await engines[0].accept(asking.request())
    await critic.reached.wait()
    await engines[0].cancel("run", "U2")
    await ended(database, how="cancelled")
    assert (told, asking.finished) == (["run"], [])
    assert await repository.run(workspace.id, "run") is None


async def test_stored_failure_replays_the_same(
    engines: list[DbosEngine], repository: SqlRepository, workspace: Workspace, database: Database
) -> None:
    """A step that failed fails alike when it is read back."""
    asking = Asking(repository, workspace, Failing(ModelServiceUnavailable("It is away.")))
    again = [True]

    async def handler(run: ChatRun) -> None:
        await asking(run)
        if again:
            again.clear()
            raise OSError

    await engines[0].start(handler)
    await engines[0].accept(asking.request())
    await ended(database)
    assert len(asking.cast.critic.asked) == 1
    for finished in asking.finished:
        assert isinstance(finished.outcome, Failed)
        assert finished.outcome.detail == "It is away."
        assert finished.outcome.retryable
    assert len(asking.finished) == 2


@pytest.mark.parametrize("error", [VectorsUnavailable("away"), StoreUnavailable("away")])
async def test_passing_outage_still_gives_answer(
    engines: list[DbosEngine],
    repository: SqlRepository,
    workspace: Workspace,
    database: Database,
    error: StoreUnavailable,
) -> None:
    """An outage of a store that passes ends in an answer."""
    asking = Asking(repository, workspace, Failing(error, times=4))
    await engines[0].start(asking)
    await engines[0].accept(asking.request())
    await ended(database)
    [finished] = asking.finished
    assert isinstance(finished.outcome, Answered)
    assert [run.attempt for run in asking.seen] == [1] * 5
    assert len(asking.cast.synthesizer.asked) == 1


async def test_lasting_vector_outage_ends_run(
    engines: list[DbosEngine],
    repository: SqlRepository,
    workspace: Workspace,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Vectors that stay away end the run in a sentence."""
    monkeypatch.setattr("storage.durable.outages.SEARCH_OUTAGE_SECONDS", 0.05)
    away = VectorsUnavailable("http://10.0.0.7:6333 is away: check MASIS_QDRANT_URL.")
    asking = Asking(repository, workspace, Failing(away))
    await engines[0].start(asking)
    await engines[0].accept(asking.request())
    await ended(database)
    [finished] = asking.finished
    assert isinstance(finished.outcome, Failed)
    assert "The document search does not answer" in finished.outcome.error
    assert not {"10.0.0.7", "MASIS_QDRANT_URL"} & set(finished.outcome.error.split())
    assert finished.outcome.detail == str(away)
    assert len(asking.seen) > 1


async def test_unexpected_error_text_is_not_stored(
    engines: list[DbosEngine],
    repository: SqlRepository,
    workspace: Workspace,
    database: Database,
    location: str,
) -> None:
    """The words of an unexpected error are not kept."""
    asking = Asking(repository, workspace, Failing(KeyError("the quick brown fox")))
    await engines[0].start(asking)
    await engines[0].accept(asking.request())
    await ended(database)
    outcome = asking.finished[0].outcome
    assert isinstance(outcome, Failed)
    assert "quick" not in outcome.error
    steps = kept_steps(location)
    assert "KeyError" in steps[-1][1]
    assert "quick" not in steps[-1][1]


async def test_non_durable_graph_uses_plain_nodes(
    repository: SqlRepository,
) -> None:
    """Outside of a durable run the nodes are the bare ones."""
    cast = Cast()
    asked = MASISInput(user_query="When does office number 0 open?", workspace_id="w")
    state = await build(durable(RESEARCH, repository)).ainvoke(
        asked.to_state(), context=cast.context()
    )
    assert state["final_answer"]
