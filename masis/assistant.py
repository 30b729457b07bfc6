"""Asking a workspace: the use case behind every surface."""

import logging
import time
import uuid
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic_core import to_jsonable_python

from masis import run_figures as metrics
from masis.domain import (
    Answered,
    AnyOutcome,
    EvidenceChunk,
    Failed,
    NeedsClarification,
    Question,
    Workspace,
    WorkspaceId,
)
from masis.errors import InvalidQuestion, MasisError
from masis.failures import TOOK_TOO_LONG, UNEXPECTED, told
from masis.filters import may_name_fields
from masis.graphs.context import Context
from masis.graphs.research.graph import ResearchGraph, build, conclude
from masis.graphs.research.state import MASISInput, State, TraceEntry
from masis.models.run_clock import run_clock
from masis.policy import MAX_QUESTION_CHARS, MAX_RETRIES_ALLOWED
from masis.ports import Repository, StoredRun
from masis.questions import choice
from masis.runs import OnStep, Step, run
from masis.spending import paid_by_workspace

log = logging.getLogger(__name__)

STATUS = {
    "Answered": "success",
    "NeedsClarification": "needs_clarification",
    "NotLinked": "refused",
    "Refused": "refused",
    "Failed": "failed",
}
"""The word that programs read for each outcome."""


QuestionsNear = Callable[[Workspace, str, Sequence[EvidenceChunk]], Coroutine[Any, Any, list[str]]]
"""Finds questions near to one that came back, which that evidence answers."""

QUESTIONS_HELP: Final = frozenset({"low_confidence", "partly_answered", "not_covered"})
"""Why a question may come back with others beside it: the documents have something, but not that."""


@dataclass(frozen=True, slots=True)
class Finished:
    """An outcome with its audit trail."""

    outcome: AnyOutcome
    trace: list[TraceEntry]
    metrics: metrics.Metrics
    evidence: list[EvidenceChunk]
    seconds: float

    @property
    def status(self) -> str:
        """`success`, `needs_clarification`, `refused` or `failed`."""
        return STATUS[type(self.outcome).__name__]


class Assistant:
    """Answers questions from one workspace at a time and keeps every run's trail."""

    def __init__(
        self,
        *,
        repository: Repository,
        context: Context,
        graph: ResearchGraph | None = None,
        run_timeout_s: float = 120.0,
        questions_near: QuestionsNear | None = None,
    ) -> None:
        self._repository = repository
        self._questions_near = questions_near
        self._context = context
        self._graph = graph or build()
        self._run_timeout_s = run_timeout_s

    async def ask(
        self,
        workspace: Workspace,
        question: str | Question,
        *,
        run_id: str | None = None,
        max_retries: int | None = None,
        wider: bool = False,
        parent_run_id: str | None = None,
        on_step: OnStep | None = None,
    ) -> Finished:
        """Answer, ask back, or fail: always one outcome, stored before it is given.

        Without a `run_id` the run gets an id of its own. Of two with the same the first is kept.
        A question without parts is written as it is. `wider` searches like a retry from the first pass on.

        Raises:
            InvalidQuestion: the question is empty or too long, or the retries are out of range.
            StoreUnavailable: the finished run could not be stored.
            RunInterrupted: there is to be no outcome, not from here; nothing was stored.
        """
        parts = Question.plain(question) if isinstance(question, str) else question
        parts = await self._with_choices(workspace, parts, parent_run_id)
        state = self._checked(workspace, parts, max_retries, wider=wider)
        started = time.perf_counter()
        chosen = run_id or str(uuid.uuid4())
        with paid_by_workspace(workspace, chosen):
            finished = await self._run(state, chosen, started, on_step)
            finished = await self._with_questions(workspace, parts, finished)
        await self._repository.save_run(_stored(finished, workspace, parent_run_id))
        return finished

    async def attempt(self, workspace: Workspace, question: str) -> AnyOutcome:
        """Answer in one pass, and keep nothing of it: to see whether a question is answered.

        Raises:
            InvalidQuestion: the question is empty or too long.
        """
        state = self._checked(workspace, Question.plain(question), 0, wider=False)
        chosen = str(uuid.uuid4())
        with paid_by_workspace(workspace, chosen):
            return (await self._run(state, chosen, time.perf_counter(), None)).outcome

    async def _with_questions(
        self, workspace: Workspace, asked: Question, finished: Finished
    ) -> Finished:
        """Put beside a question back what else can be asked of the documents that its draft cites."""
        outcome = finished.outcome
        if (
            self._questions_near is None
            or not isinstance(outcome, NeedsClarification)
            or outcome.kind not in QUESTIONS_HELP
        ):
            return finished
        # What a run holds of a document goes with the document where the run cites it.
        cited = {source.document_id for source in outcome.citations}
        evidence = [chunk for chunk in finished.evidence if chunk.document_id in cited]
        found = await self._questions_near(workspace, asked.text, evidence)
        return replace(finished, outcome=outcome.model_copy(update={"questions": found}))

    async def _with_choices(
        self, workspace: Workspace, question: Question, parent_run_id: str | None
    ) -> Question:
        """Return the question with what was chosen, by its reply, from what its parent asked."""
        parent = parent_run_id and await self._repository.run(workspace.id, parent_run_id)
        if not parent:
            return question
        return question.model_copy(
            update={"choices": choice.carried(parent.outcome, question.reply)}
        )

    @staticmethod
    def _checked(
        workspace: Workspace, question: Question, max_retries: int | None, *, wider: bool
    ) -> State:
        if not question.standalone.strip():
            raise InvalidQuestion("The question is empty: type what you want to know.")
        longest = max(map(len, (question.standalone, question.text, question.reply)))
        if longest > MAX_QUESTION_CHARS:
            raise InvalidQuestion(
                f"The question has {longest:,} characters, the limit is "
                f"{MAX_QUESTION_CHARS:,}. Put long texts into the workspace as a document."
            )
        if max_retries is not None and not 0 <= max_retries <= MAX_RETRIES_ALLOWED:
            raise InvalidQuestion(f"max_retries is 0 to {MAX_RETRIES_ALLOWED}, not {max_retries}.")
        return MASISInput(
            user_query=question.standalone,
            first_question=question.text,
            reply=question.reply,
            choices=question.choices,
            workspace_id=workspace.id,
            max_retries=max_retries,
            wider=wider,
        ).to_state()

    async def _run(
        self, state: State, run_id: str, started: float, on_step: OnStep | None
    ) -> Finished:
        last = state
        steps = _Steps(on_step) if on_step is not None else None

        def remember(reached: State) -> None:
            nonlocal last
            last = reached

        try:
            async with run_clock(
                seconds=self._run_timeout_s,
                workspace_id=state["workspace_id"],
                on_wait=steps.wait if steps else None,
                on_note=steps.note if steps else None,
            ):
                context = await self._informed(state)
                last = await run(self._graph, state, context, steps, remember)
            outcome: AnyOutcome = conclude(last, run_id, extractive=self._context.agents.extractive)
        except MasisError as error:
            log.warning("run %s failed: %s: %s", run_id, type(error).__name__, error)
            said = told(error, run_id)
            detail = "" if said == str(error) else str(error)
            outcome = _failed(state, run_id, said, retryable=error.retryable, detail=detail)
        except TimeoutError:
            said = TOOK_TOO_LONG.format(seconds=self._run_timeout_s)
            outcome = _failed(state, run_id, said, retryable=True)
        except Exception:
            # The one broad except: whatever nobody planned still ends in one visible outcome.
            log.exception("run %s failed unexpectedly", run_id)
            outcome = _failed(state, run_id, UNEXPECTED.format(run=run_id), retryable=False)
        return Finished(
            outcome=outcome,
            trace=last["trace"],
            metrics=metrics.as_json(last["metrics"]),
            evidence=_evidence(last),
            seconds=time.perf_counter() - started,
        )

    async def _informed(self, state: State) -> Context:
        """The context of one run: what else can be asked by in its workspace."""
        if not may_name_fields(state["user_query"]):
            return self._context
        keys = await self._repository.field_keys(WorkspaceId(state["workspace_id"]))
        return replace(self._context, field_keys=keys)


class _Steps:
    """Passes steps on, and tells of a wait as a note on the step that is under way."""

    def __init__(self, on_step: OnStep) -> None:
        self._on_step = on_step
        self._last = Step(name="search", number=1, state="started")

    def __call__(self, step: Step) -> None:
        if step.state == "started":
            self._last = step
        self._on_step(step)

    def wait(self, seconds: float) -> None:
        self.note(f"waiting {seconds:.0f} s for a free place at the model service")

    def note(self, said: str) -> None:
        self._on_step(self._last.model_copy(update={"note": said}))


def _failed(state: State, run_id: str, error: str, *, retryable: bool, detail: str = "") -> Failed:
    return Failed(
        run_id=run_id,
        question=state["first_question"],
        reply=state["reply"],
        choices=state["choices"],
        error=error,
        detail=detail,
        retryable=retryable,
    )


def _evidence(state: State) -> list[EvidenceChunk]:
    best = state["metrics"].get("best_draft") or state.get("unsure_draft")
    return best.evidence if best is not None else state["evidence"]


def _stored(finished: Finished, workspace: Workspace, parent_run_id: str | None) -> StoredRun:
    outcome = finished.outcome
    cited = (
        {citation.chunk_id for citation in outcome.citations}
        if isinstance(outcome, Answered | NeedsClarification)
        else set()
    )
    return StoredRun(
        run_id=outcome.run_id,
        workspace_id=workspace.id,
        parent_run_id=parent_run_id,
        question=outcome.question,
        status=finished.status,
        outcome=outcome.model_dump(mode="json"),
        evidence=[chunk for chunk in finished.evidence if chunk.chunk_id in cited],
        trace=to_jsonable_python(finished.trace),
        metrics=finished.metrics,
    )
