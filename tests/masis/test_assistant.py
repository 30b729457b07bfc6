import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest
from langgraph.runtime import Runtime
from pydantic import BaseModel

from masis.assistant import STATUS, Assistant, Finished
from masis.domain import (
    Answered,
    AnyOutcome,
    EvidenceChunk,
    Failed,
    NeedsClarification,
    Workspace,
    workspace_id,
)
from masis.errors import (
    EmbeddingError,
    InvalidQuestion,
    MasisError,
    ModelServiceError,
    ModelServiceUnavailable,
    ProfileMismatch,
    RunCancelled,
    RunTakenOver,
    StoreUnavailable,
)
from masis.failures import sentence_of
from masis.graphs.common import Node
from masis.graphs.research.agents import ResearchContext
from masis.models.permits import MemoryCallPermits
from masis.models.pipeline import guarded
from masis.policy import MAX_QUESTION_CHARS
from masis.ports import ROLES, ChatReply, Message, Role
from masis.records import StoredRun
from masis.runs import Step
from tests.fakes import FakeRepository
from tests.masis.models.test_gateway import JumpingLoop
from tests.scripted_agents import (
    Cast,
    ScriptedCritic,
    ScriptedEvaluator,
    ScriptedQuoter,
    ScriptedResearcher,
    ScriptedSynthesizer,
    chunk,
    chunk_id,
    cited,
    critique,
    research,
)

HERE = Workspace(id=workspace_id("ws_here"), owner="local", name="papers")
QUESTION = "When does office number 0 open?"
T = TypeVar("T")
Happening = Callable[[], Awaitable[None]]


class Shelf(FakeRepository):
    """A repository that may be full."""

    full = False

    async def save_run(self, run: StoredRun) -> None:
        if self.full:
            raise StoreUnavailable("The disk is full. Free some space and try again.")
        await super().save_run(run)


@dataclass
class Office:
    """An assistant over scripted agents; `during` happens within one node, before its own work."""

    cast: Cast = field(default_factory=Cast)
    repository: Shelf = field(default_factory=Shelf)
    node: str = "critic"
    during: Happening | None = None
    limit: float = 20.0

    async def ask(self, question: str = QUESTION, **more: Any) -> Finished:
        assistant = Assistant(
            repository=self.repository,
            graphs=research(self.cast.context(), self._wrap),
            run_timeout_s=self.limit,
        )
        return await assistant.ask(HERE, question, **more)

    def _wrap(self, name: str, node: Node) -> Node:
        async def step(state: Any, runtime: Runtime[ResearchContext]) -> Any:
            if name == self.node and self.during is not None:
                await self.during()
            return await node(state, runtime)

        return step

    async def stored(self, finished: Finished) -> StoredRun:
        run = await self.repository.run(HERE.id, finished.outcome.run_id)
        assert run is not None
        return run


def fails_with(error: BaseException) -> Happening:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise error

    return fail


async def forever() -> None:
    await asyncio.Event().wait()


def failed(outcome: AnyOutcome) -> Failed:
    assert isinstance(outcome, Failed)
    return outcome


class InPlace(ThreadPoolExecutor):
    """Does at once what the graph gives to threads: time must not jump while one works."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        done: Future[T] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


def _jumping() -> JumpingLoop:
    loop = JumpingLoop()
    loop.set_default_executor(InPlace())
    return loop


def play(scene: Coroutine[Any, Any, Finished]) -> Finished:
    """Run a scene on a clock that jumps ahead instead of passing."""
    with asyncio.Runner(loop_factory=_jumping) as runner:
        return runner.run(scene)


# --- what can be asked instead -------------------------------------------------------------


@dataclass
class Near:
    """Finds one question, and keeps for which evidence."""

    seen: list[list[str]] = field(default_factory=list)

    async def __call__(
        self, workspace: Workspace, question: str, evidence: Sequence[EvidenceChunk]
    ) -> list[str]:
        assert (workspace, question) == (HERE, QUESTION)
        self.seen.append([each.chunk_id for each in evidence])
        return ["What is the notice period?"]


async def unsure(near: Near, confidence: float) -> Finished:
    cast = Cast(
        researcher=ScriptedResearcher([[chunk(0), chunk(1)]]),
        critic=ScriptedCritic([critique(confidence)]),
    )
    assistant = Assistant(
        repository=FakeRepository(), graphs=research(cast.context()), questions_near=near
    )
    return await assistant.ask(HERE, QUESTION, max_retries=0)


async def test_unsure_answer_brings_other_questions() -> None:
    """An unsure answer comes with other questions."""
    near = Near()

    outcome = (await unsure(near, 0.5)).outcome

    assert isinstance(outcome, NeedsClarification)
    assert outcome.questions == ["What is the notice period?"]
    assert near.seen == [[chunk_id(0)]], "of what the draft cites alone"


async def test_sure_answer_seeks_no_suggestions() -> None:
    """A sure answer looks for no other question."""
    near = Near()

    assert isinstance((await unsure(near, 0.9)).outcome, Answered)
    assert near.seen == []


async def test_attempt_stores_nothing() -> None:
    """An attempt is made once and kept nowhere."""
    repository = FakeRepository()
    critic = ScriptedCritic([critique(0.5)])
    assistant = Assistant(repository=repository, graphs=research(Cast(critic=critic).context()))

    outcome = await assistant.attempt(HERE, QUESTION)

    assert isinstance(outcome, NeedsClarification)
    assert len(critic.asked) == 1
    assert repository.runs == {}


# --- every outcome is stored ---------------------------------------------------------------


async def test_answer_is_stored_with_cited_evidence() -> None:
    """An answer is stored with the evidence that it cites and no other."""
    office = Office(Cast(researcher=ScriptedResearcher([[chunk(0), chunk(1)]])))

    finished = await office.ask()
    run = await office.stored(finished)

    assert isinstance(finished.outcome, Answered)
    assert Answered.model_validate(run.outcome) == finished.outcome
    assert (run.status, run.question, run.parent_run_id) == ("success", QUESTION, None)
    assert [source.chunk_id for source in run.evidence] == [chunk_id(0)]
    assert run.evidence[0].text == chunk(0).text
    assert [entry["node"] for entry in run.trace] == [entry["node"] for entry in finished.trace]
    assert run.figures["model_calls"] == 3
    assert len(office.repository.runs) == 1


CLARIFICATIONS = {
    "low_confidence": Cast(critic=ScriptedCritic([critique(0.4)])),
    "conflict": Cast(
        critic=ScriptedCritic([critique(0.9, conflicting_evidence=[f"a [{chunk_id(0)}]"])])
    ),
    "not_audited": Cast(critic=ScriptedCritic([None])),
    "below_threshold": Cast(researcher=ScriptedResearcher([[chunk(0, score=0.1)]])),
    "empty_workspace": Cast(researcher=ScriptedResearcher([[]], indexed=0)),
}


@pytest.mark.parametrize("kind", CLARIFICATIONS)
async def test_every_clarification_is_stored(kind: str) -> None:
    """A question back is stored whatever its reason."""
    office = Office(CLARIFICATIONS[kind])

    finished = await office.ask(max_retries=0)
    run = await office.stored(finished)

    assert isinstance(finished.outcome, NeedsClarification)
    assert finished.outcome.kind == kind
    assert finished.outcome.clarification_question
    assert run.status == finished.status == "needs_clarification"
    assert NeedsClarification.model_validate(run.outcome) == finished.outcome
    drafted = kind not in {"below_threshold", "empty_workspace"}
    assert [source.chunk_id for source in run.evidence] == ([chunk_id(0)] if drafted else [])


async def test_unsure_statement_is_stored_with_source() -> None:
    """So it goes where its document goes."""
    found = [chunk(0, score=0.1), chunk(1, score=0.1)]
    quoter = ScriptedQuoter(f"{chunk(0).text.rstrip('.')} [{chunk_id(0)}].")
    office = Office(Cast(researcher=ScriptedResearcher([found]), quoter=quoter))

    finished = await office.ask()
    run = await office.stored(finished)

    assert isinstance(finished.outcome, NeedsClarification)
    assert finished.outcome.nearest
    assert [source.chunk_id for source in run.evidence] == [chunk_id(0)]


async def test_snapshot_belongs_to_shown_draft() -> None:
    """The snapshot is of the draft that is shown not of the last search."""
    cast = Cast(
        researcher=ScriptedResearcher([[chunk(0)], [chunk(1)]]),
        synthesizer=ScriptedSynthesizer([cited(0), cited(1)]),
        critic=ScriptedCritic([critique(0.6), critique(0.2)]),
    )
    office = Office(cast)

    run = await office.stored(await office.ask(max_retries=1))

    assert [source.chunk_id for source in run.evidence] == [chunk_id(0)]


async def test_fresh_run_stores_its_parent() -> None:
    """A fresh run remembers the run that it continues."""
    office = Office()

    run = await office.stored(await office.ask(parent_run_id="earlier"))

    assert run.parent_run_id == "earlier"


async def test_every_run_has_own_id() -> None:
    """Every run has an id of its own."""
    office = Office()

    ids = {(await office.ask()).outcome.run_id for _ in range(3)}

    assert len(ids) == 3
    assert set(office.repository.runs) == ids


async def test_stored_run_has_one_workspace() -> None:
    """A stored run belongs to its workspace alone."""
    office = Office()
    finished = await office.ask()

    other = workspace_id("ws_other")
    assert await office.repository.run(other, finished.outcome.run_id) is None


async def test_unstorable_run_is_an_error() -> None:
    """A run that cannot be stored is an error and no answer."""
    office = Office()
    office.repository.full = True

    with pytest.raises(StoreUnavailable, match="disk is full"):
        await office.ask()


async def test_the_trail_is_plain_json() -> None:
    run = await Office(Cast(evaluator=ScriptedEvaluator([None]))).ask()

    assert run.figures["evaluation"] is None
    assert "best_draft" not in run.figures
    assert run.figures["best_pass"] == 1


async def test_run_figures_quote_no_document() -> None:
    """The figures of a run quote no document."""
    uncited = chunk(1, text="The merger with Beta is planned for May.")
    office = Office(Cast(researcher=ScriptedResearcher([[chunk(0), uncited]])))

    run = await office.stored(await office.ask())

    assert uncited.text not in run.model_dump_json()


def test_every_outcome_has_its_word() -> None:
    assert set(STATUS) == {outcome.__name__ for outcome in AnyOutcome.__args__}


# --- what goes wrong -----------------------------------------------------------------------

FAULTS: list[tuple[MasisError, bool]] = [
    (ModelServiceError("The key was refused. Set OPENAI_API_KEY."), False),
    (ModelServiceUnavailable("The model service does not answer. Try again."), True),
    (EmbeddingError("The model file was altered. Reinstall it."), False),
    (StoreUnavailable("The database is locked. Try again."), True),
    (ProfileMismatch("The workspace holds other vectors. Ingest it anew."), False),
]


@pytest.mark.parametrize(("error", "retryable"), FAULTS, ids=lambda fault: type(fault).__name__)
@pytest.mark.parametrize("node", ["researcher", "synthesizer", "critic", "evaluator"])
async def test_known_fault_separates_operator_detail(
    error: MasisError, retryable: bool, node: str
) -> None:
    """A known fault ends the run in words for who asked and others for the operator."""
    office = Office(node=node, during=fails_with(error))

    finished = await office.ask()
    outcome = failed(finished.outcome)

    assert outcome.error == sentence_of(error, outcome.run_id)
    assert outcome.detail == str(error)
    assert outcome.retryable is retryable
    assert outcome.question == QUESTION
    assert (await office.stored(finished)).outcome == outcome.model_dump(mode="json")
    assert finished.status == "failed"


async def test_failed_run_trail_shows_steps() -> None:
    """The trail of a failed run shows how far it came."""
    office = Office(node="critic", during=fails_with(ModelServiceError("refused")))

    finished = await office.ask()

    assert [entry["node"] for entry in finished.trace] == ["researcher", "synthesizer"]
    assert finished.figures["searches"] == 1


SECRET = "postgresql://masis:hunter2@db/masis"
UNPLANNED = [
    ValueError(SECRET),
    KeyError(SECRET),
    ZeroDivisionError(SECRET),
    RecursionError(SECRET),
]


@pytest.mark.parametrize("error", UNPLANNED, ids=lambda error: type(error).__name__)
async def test_unexpected_error_shows_run_id(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """What nobody planned shows the run id and no internals."""
    office = Office(during=fails_with(error))

    with caplog.at_level(logging.ERROR):
        finished = await office.ask()
    outcome = failed(finished.outcome)

    assert outcome.run_id in outcome.error
    assert SECRET not in outcome.error
    assert type(error).__name__ not in outcome.error
    assert "Traceback" not in outcome.error
    assert SECRET not in (await office.stored(finished)).model_dump_json()
    assert not outcome.retryable
    assert outcome.run_id in caplog.text, "the operator finds it by that id"


async def test_cancellation_is_passed_on() -> None:
    """Cancelling is no failure of the run and is passed on."""
    begun = asyncio.Event()

    async def wait() -> None:
        begun.set()
        await forever()

    office = Office(during=wait)
    run = asyncio.create_task(office.ask())
    await begun.wait()
    run.cancel()

    with pytest.raises(asyncio.CancelledError):
        await run
    assert office.repository.runs == {}


# --- time ----------------------------------------------------------------------------------


@pytest.mark.parametrize("node", ["researcher", "synthesizer", "critic", "evaluator"])
def test_overlong_run_is_retryable(node: str) -> None:
    """A run that takes too long ends and may be asked again."""
    office = Office(node=node, during=forever)

    finished = play(office.ask())
    outcome = failed(finished.outcome)

    assert "longer than 20 s" in outcome.error
    assert "Ask again" in outcome.error
    assert outcome.retryable
    assert office.repository.runs[outcome.run_id].status == "failed"


def test_slow_run_is_still_answered() -> None:
    """A run that is slow and within its time is answered."""
    office = Office(during=lambda: asyncio.sleep(19))

    assert isinstance(play(office.ask()).outcome, Answered)


async def test_inner_timeout_is_not_shown() -> None:
    """A time out of something inside is not shown raw."""
    office = Office(during=fails_with(TimeoutError(SECRET)))

    outcome = failed((await office.ask()).outcome)

    assert SECRET not in outcome.error
    assert outcome.retryable


class Echo:
    """A model service."""

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        assert schema is None
        return ChatReply(text=f"{role}: {messages[0].content}")


def waits_for_a_place(seconds: float) -> Happening:
    async def call() -> None:
        permits = MemoryCallPermits(10)
        service = guarded(Echo(), permits=dict.fromkeys(ROLES, permits))
        await permits.cool_down(seconds)
        await service.complete("auditor", [Message(role="user", content="?")])

    return call


def test_rate_limit_wait_is_uncounted() -> None:
    """A wait for the rate limit is told and does not count as the runs time."""
    office = Office(during=waits_for_a_place(50), limit=20)
    steps: list[Step] = []

    finished = play(office.ask(on_step=steps.append))

    assert isinstance(finished.outcome, Answered)
    assert [step.note for step in steps if step.note] == [
        "waiting 50 s for a free place at the model service"
    ]


@pytest.mark.parametrize(
    ("node", "name"), [("synthesizer", "draft"), ("critic", "audit"), ("evaluator", "evaluate")]
)
def test_wait_names_current_step_and_pass(node: str, name: str) -> None:
    """A wait is told on the step and the pass that is under way."""
    steps: list[Step] = []
    cast = Cast(critic=ScriptedCritic([critique(0.2)]))

    play(
        Office(cast, node=node, during=waits_for_a_place(50), limit=20).ask(
            max_retries=1, on_step=steps.append
        )
    )

    waits = [(step.name, step.number, step.state) for step in steps if step.note]
    assert waits == [(name, 1, "started"), (name, 2, "started")]
    at = [index for index, step in enumerate(steps) if step.note]
    assert all(steps[index - 1].name == name for index in at), "it began before it waited"


def test_unobserved_wait_still_happens() -> None:
    """A wait that nobody watches is waited all the same."""
    office = Office(during=waits_for_a_place(50), limit=20)

    assert isinstance(play(office.ask()).outcome, Answered)


async def test_run_steps_are_reported() -> None:
    """The steps of the run are told."""
    steps: list[Step] = []

    await Office().ask(on_step=steps.append)

    assert [(s.name, s.state) for s in steps][:3] == [
        ("search", "started"),
        ("search", "finished"),
        ("draft", "started"),
    ]


# --- questions that are none ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("", "empty"),
        ("   \n\t ", "empty"),
        ("\u2003\u00a0", "empty"),
        ("x" * 50_000, "50,000 characters"),
        ("漢" * (MAX_QUESTION_CHARS + 1), f"{MAX_QUESTION_CHARS:,}"),
    ],
)
async def test_invalid_question_starts_no_run(question: str, said: str) -> None:
    """What is no question is refused before anything runs."""
    office = Office()

    with pytest.raises(InvalidQuestion, match=said):
        await office.ask(question)
    assert office.cast.researcher.asked == []
    assert office.repository.runs == {}


async def test_whole_document_request_gets_advice() -> None:
    """Who asks a whole document is told what to do with it."""
    with pytest.raises(InvalidQuestion, match="as a document"):
        await Office().ask("Please read this: " + "word " * 10_000)


async def test_the_longest_question_is_answered() -> None:
    question = "x" * MAX_QUESTION_CHARS
    office = Office()

    assert (await office.ask(question)).outcome.question == question


@pytest.mark.parametrize("max_retries", [-1, 6, 1_000_000])
async def test_retries_out_of_range_are_refused(max_retries: int) -> None:
    with pytest.raises(InvalidQuestion, match="0 to 5"):
        await Office().ask(max_retries=max_retries)


@pytest.mark.parametrize(("max_retries", "passes"), [(0, 1), (1, 2), (None, 3), (5, 6)])
async def test_retries_in_range_are_obeyed(max_retries: int | None, passes: int) -> None:
    office = Office(Cast(critic=ScriptedCritic([critique(0.1)])))

    await office.ask(max_retries=max_retries)

    assert len(office.cast.researcher.asked) == passes


async def test_search_uses_the_given_workspace() -> None:
    """The search is in the workspace that was asked."""
    office = Office()

    await office.ask()

    assert {workspace for workspace, *_ in office.cast.researcher.asked} == {HERE.id}


# --- runs that somebody else began ---------------------------------------------------------


async def test_given_run_id_is_stored_once() -> None:
    """A run keeps the id it was given and is stored once."""
    office = Office()
    for _ in range(2):
        finished = await office.ask(run_id="run-1")
        assert finished.outcome.run_id == "run-1"
    assert list(office.repository.runs) == ["run-1"]


async def test_wider_search_starts_like_retry() -> None:
    """A wider search begins like a retry."""
    office = Office()
    finished = await office.ask(wider=True)
    assert [limit for _, _, limit in office.cast.researcher.asked] == [20]
    assert finished.trace[0]["threshold_used"] == 0.55
    assert finished.trace[0]["route"] == "first_run"


@pytest.mark.parametrize("why", [RunCancelled, RunTakenOver])
@pytest.mark.parametrize("node", ["researcher", "critic", "supervisor"])
async def test_cancelled_run_has_no_outcome(why: type[BaseException], node: str) -> None:
    """A run that is broken off has no outcome."""
    office = Office(node=node, during=fails_with(why()))
    with pytest.raises(why):
        await office.ask()
    assert office.repository.runs == {}
