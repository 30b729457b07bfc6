"""Asking a workspace: the use case behind every surface."""

import logging
import time
import uuid
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from langgraph.types import Command
from pydantic_core import to_jsonable_python

from masis import run_figures
from masis.answering import unread_files
from masis.attached import Attached, with_files
from masis.conversation import Mode, Spot, session_id
from masis.domain import (
    DEFAULT_GRAPH,
    Answered,
    AnyOutcome,
    EvidenceChunk,
    Failed,
    NeedsClarification,
    Question,
    Workspace,
)
from masis.errors import InvalidQuestion, MasisError, UnknownGraph
from masis.failures import TOOK_TOO_LONG, UNEXPECTED, sentence_of
from masis.filters import may_name_fields
from masis.graphs.common import (
    AnyBoundGraph,
    Conclusion,
    Onward,
    Request,
    RunState,
    TraceEntry,
)
from masis.graphs.resuming import enter
from masis.models.run_clock import run_clock
from masis.policy import MAX_QUESTION_CHARS, MAX_RETRIES_ALLOWED
from masis.ports import AttachedFiles, Repository
from masis.questions import choice
from masis.records import StoredRun
from masis.run_figures import Figures
from masis.runs import OnStep, Step, first_step, run
from masis.spending import paid_by_workspace
from masis.words.attachment_words import means_files_alone

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

MOST_GRAPHS: Final = 3
"""That a question goes through: one that understands it, one that may have figures to calculate with,
and one that answers it."""

QUESTIONS_HELP: Final = frozenset({"low_confidence", "partly_answered", "not_covered"})
"""Why a question may come back with others beside it: the documents have something, but not that."""


@dataclass(frozen=True, slots=True)
class Finished:
    """An outcome with its audit trail, and the name of the graph that it is of."""

    outcome: AnyOutcome
    trace: list[TraceEntry]
    figures: Figures
    evidence: list[EvidenceChunk]
    seconds: float
    graph: str = DEFAULT_GRAPH

    @property
    def status(self) -> str:
        """`success`, `needs_clarification`, `refused` or `failed`."""
        return STATUS[type(self.outcome).__name__]


class Assistant:
    """Answers questions from one workspace at a time and keeps every run's trail.

    `graphs` are those that there are, by their names; a question enters the first where none is named.
    Without `attached` no file that came with a question is looked at.
    """

    def __init__(
        self,
        *,
        repository: Repository,
        graphs: Mapping[str, AnyBoundGraph],
        attached: AttachedFiles | None = None,
        run_timeout_s: float = 120.0,
        questions_near: QuestionsNear | None = None,
    ) -> None:
        self._repository = repository
        self._questions_near = questions_near
        self._graphs = graphs
        self._attached = attached
        self._run_timeout_s = run_timeout_s

    async def ask(
        self,
        workspace: Workspace,
        question: str | Question,
        *,
        graph: str = "",
        run_id: str | None = None,
        max_retries: int | None = None,
        wider: bool = False,
        parent_run_id: str | None = None,
        thread: Spot | None = None,
        heard: Sequence[str] = (),
        mode: Mode = "auto",
        on_step: OnStep | None = None,
    ) -> Finished:
        """Answer, ask back, or fail: always one outcome, stored before it is given.

        Without a `run_id` the run gets an id of its own. Of two with the same the first is kept.
        A question without parts is written as it is. `wider` searches like a retry from the first pass on.
        `thread` is where it was asked: what was asked there before may say what is meant, and so may
        what was `heard` there. `mode` "documents" takes every message for a question.

        Raises:
            InvalidQuestion: the question is empty or too long, or the retries are out of range.
            UnknownGraph: this release has no graph of that name.
            StoreUnavailable: the finished run could not be stored.
            RunInterrupted: there is to be no outcome, not from here; nothing was stored.
        """
        parts = Question.plain(question) if isinstance(question, str) else question
        parts = await self._with_parent(workspace, parts, parent_run_id)
        request = self._checked(workspace, parts, max_retries, wider=wider)
        request = request.model_copy(update={"thread": thread, "heard": list(heard), "mode": mode})
        bound = self._bound(graph)
        chosen = run_id or str(uuid.uuid4())
        with paid_by_workspace(workspace, chosen):
            reached = _Reached(bound, request, parent_run_id)
            finished = await self._run(reached, chosen, on_step)
            finished = await self._with_questions(workspace, parts, finished)
        await self._repository.save_run(_stored(finished, workspace, parent_run_id))
        return finished

    async def attempt(self, workspace: Workspace, question: str) -> AnyOutcome:
        """Answer in one pass, and keep nothing of it: to see whether a question is answered.

        Raises:
            InvalidQuestion: the question is empty or too long.
        """
        request = self._checked(workspace, Question.plain(question), 0, wider=False)
        chosen = str(uuid.uuid4())
        with paid_by_workspace(workspace, chosen):
            reached = _Reached(self._bound(""), request)
            return (await self._run(reached, chosen, None)).outcome

    def _bound(self, name: str) -> AnyBoundGraph:
        if not name:
            return next(iter(self._graphs.values()))
        if name not in self._graphs:
            raise UnknownGraph(f"This release has no graph “{name}”.")
        return self._graphs[name]

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
        # A file that came with the question is of no use to the next one.
        cited = {source.document_id for source in outcome.citations if not source.attached}
        evidence = [chunk for chunk in finished.evidence if chunk.document_id in cited]
        found = await self._questions_near(workspace, asked.text, evidence)
        return replace(finished, outcome=outcome.model_copy(update={"questions": found}))

    async def _with_parent(
        self, workspace: Workspace, question: Question, parent_run_id: str | None
    ) -> Question:
        """Return the question as its parent understood it, with what was chosen there."""
        parent = parent_run_id and await self._repository.run(workspace.id, parent_run_id)
        if not parent:
            return question
        update: dict[str, Any] = {
            "choices": choice.carried(parent.outcome, question.reply),
            "asked_back": choice.conversation(parent.outcome, question.reply),
        }
        if question.standalone == parent.question and parent.outcome.get("understood"):
            update["standalone"] = parent.outcome["understood"]
        return question.model_copy(update=update)

    @staticmethod
    def _checked(
        workspace: Workspace, question: Question, max_retries: int | None, *, wider: bool
    ) -> Request:
        if not question.standalone.strip():
            raise InvalidQuestion("The question is empty: type what you want to know.")
        longest = max(map(len, _texts(question)))
        if longest > MAX_QUESTION_CHARS:
            raise InvalidQuestion(
                f"The question has {longest:,} characters, the limit is "
                f"{MAX_QUESTION_CHARS:,}. Put long texts into the workspace as a document."
            )
        if max_retries is not None and not 0 <= max_retries <= MAX_RETRIES_ALLOWED:
            raise InvalidQuestion(f"max_retries is 0 to {MAX_RETRIES_ALLOWED}, not {max_retries}.")
        return Request(
            question=_stripped(question),
            workspace_id=workspace.id,
            max_retries=max_retries,
            wider=wider,
        )

    async def _run(self, reached: "_Reached", run_id: str, on_step: OnStep | None) -> Finished:
        started = time.perf_counter()
        request = reached.request
        steps = _Steps(on_step, first_step(reached.bound.graph)) if on_step is not None else None
        try:
            async with run_clock(
                seconds=self._run_timeout_s,
                on_wait=steps.wait if steps else None,
                on_note=steps.note if steps else None,
            ):
                ended = await self._concluded(reached, run_id, steps)
        except MasisError as error:
            log.warning("run %s failed: %s: %s", run_id, type(error).__name__, error)
            said = sentence_of(error, run_id)
            detail = "" if said == str(error) else str(error)
            ended = _failed(request, run_id, said, retryable=error.retryable, detail=detail)
        except TimeoutError:
            said = TOOK_TOO_LONG.format(seconds=self._run_timeout_s)
            ended = _failed(request, run_id, said, retryable=True)
        except Exception:
            # The one broad except: whatever nobody planned still ends in one visible outcome.
            log.exception("run %s failed unexpectedly", run_id)
            ended = _failed(request, run_id, UNEXPECTED.format(run=run_id), retryable=False)
        return reached.finished(ended, time.perf_counter() - started)

    async def _concluded(
        self, reached: "_Reached", run_id: str, on_step: OnStep | None
    ) -> Conclusion:
        """Run the graph, and the one that it hands the request on to."""
        reached.attached = await self._files(reached.request, run_id)
        for _ in range(MOST_GRAPHS):
            informed = await self._informed(reached)
            session = session_id(run_id)
            resumed = await _resumed(reached, session)
            state = await run(
                informed,
                reached.state,
                on_step,
                reached.remember,
                session=session,
                resumed=resumed,
            )
            ended = reached.bound.graph.conclude(state, run_id, informed.context)
            if isinstance(ended, Conclusion):
                return ended
            reached.go_on(self._bound(ended.graph), ended)
        raise RuntimeError("a request was handed on without end")

    async def _files(self, request: Request, run_id: str) -> Attached:
        """Return the files of the question as they were read for this run."""
        if self._attached is None or not request.question.files:
            return Attached()
        return await self._attached.of(request.workspace_id, run_id)

    async def _informed(self, reached: "_Reached") -> AnyBoundGraph:
        """The graph with what else one run can be asked by: fields of its workspace, and its files."""
        context, request = reached.bound.context, reached.request
        if reached.attached.files:
            alone = any(
                map(means_files_alone, (request.question.text, request.question.standalone))
            )
            attached = replace(reached.attached, alone=alone)
            context = replace(context, agents=with_files(context.agents, attached))
        if may_name_fields(request.question.standalone):
            keys = await self._repository.field_keys(request.workspace_id)
            context = replace(context, field_keys=keys)
        return replace(reached.bound, context=context)


class _Reached:
    """Holds how far a run is: the graph that it is in, its state, and the trail of those before."""

    def __init__(
        self, bound: AnyBoundGraph, request: Request, parent_run_id: str | None = None
    ) -> None:
        self.bound = bound
        self.request = request
        self.parent_run_id = parent_run_id
        self.attached = Attached()
        self.state: RunState = bound.graph.start(request)
        self._trace: list[TraceEntry] = []
        self._figures: Figures = {}
        self._said: list[str] = []
        self._asked = request.question.standalone

    def remember(self, state: RunState) -> None:
        """Remember the state after a step."""
        self.state = state

    def go_on(self, bound: AnyBoundGraph, onward: Onward) -> None:
        """Enter the graph that answers."""
        self._trace += self.state["trace"]
        self._figures = run_figures.merge(self._figures, self.state["figures"])
        self._said += [onward.said] if onward.said else []
        self.bound, self.request = bound, onward.request
        self.state = bound.graph.start(onward.request)

    def finished(self, ended: Conclusion, seconds: float) -> Finished:
        """Return the outcome with the trail of all graphs, and how the question was understood."""
        outcome = unread_files.annotated(ended.outcome, self.attached.files)
        if self._said and isinstance(outcome, Answered | NeedsClarification):
            outcome = outcome.model_copy(update={"gaps": [*self._said, *outcome.gaps]})
        understood = self.request.question.standalone
        if understood != self._asked:
            outcome = outcome.model_copy(update={"understood": understood})
        return Finished(
            outcome=outcome,
            graph=self.bound.graph.name,
            trace=[*self._trace, *self.state["trace"]],
            figures=run_figures.merge(self._figures, self.state["figures"]),
            evidence=ended.evidence,
            seconds=seconds,
        )


async def _resumed(reached: _Reached, session: str) -> Command[Any] | None:
    """Return what takes the graph up where an earlier run asked; None where it starts."""
    checkpoints, graph = reached.bound.checkpoints, reached.bound.graph
    if checkpoints is None or graph.resume is None:
        return None
    parent = reached.parent_run_id if reached.request.question.reply else None
    entry = await enter(checkpoints, session, session_id(parent) if parent else "")
    log.debug("a run enters %s: %s", graph.name, entry.how)
    return graph.resume(reached.request) if entry.with_reply else None


def _texts(question: Question) -> tuple[str, ...]:
    return question.standalone, question.text, question.earlier, question.reply


def _stripped(question: Question) -> Question:
    """The question's parts without the blanks around them."""
    standalone = question.standalone.strip()
    text, reply = question.text.strip() or standalone, question.reply.strip()
    parts = {"text": text, "reply": reply, "earlier": question.earlier.strip()}
    return question.model_copy(update={"standalone": standalone, **parts})


class _Steps:
    """Passes steps on, and tells of a wait as a note on the step that is under way."""

    def __init__(self, on_step: OnStep, first: Step) -> None:
        self._on_step = on_step
        # Until one begins, the first of the plan is waited in.
        self._last = first

    def __call__(self, step: Step) -> None:
        if step.state == "started":
            self._last = step
        self._on_step(step)

    def wait(self, seconds: float) -> None:
        self.note(f"waiting {seconds:.0f} s for a free place at the model service")

    def note(self, said: str) -> None:
        self._on_step(self._last.model_copy(update={"note": said}))


def _failed(
    request: Request, run_id: str, error: str, *, retryable: bool, detail: str = ""
) -> Conclusion:
    asked = request.question
    failed = Failed(
        run_id=run_id,
        question=asked.text,
        reply=asked.reply,
        choices=asked.choices,
        error=error,
        detail=detail,
        retryable=retryable,
    )
    return Conclusion(failed)


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
        graph=finished.graph,
        parent_run_id=parent_run_id,
        question=outcome.question,
        status=finished.status,
        outcome=outcome.model_dump(mode="json"),
        evidence=[chunk for chunk in finished.evidence if chunk.chunk_id in cited],
        trace=to_jsonable_python(finished.trace),
        figures=to_jsonable_python(finished.figures),
    )
