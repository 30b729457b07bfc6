"""Define what flows through the research graph. Every key is always present."""

from typing import TypedDict

from pydantic import BaseModel, ConfigDict, Field, field_validator

from masis.domain import (
    Choice,
    ChoiceKind,
    CitationAudit,
    ClarificationKind,
    Critique,
    Evaluation,
    EvidenceChunk,
    PlannedSearch,
    Value,
    WorkspaceId,
    workspace_id,
)
from masis.extractive.wholes.values import Whole
from masis.graphs.common import Report, RunState, TraceEntry
from masis.policy import DEFAULT_MAX_RETRIES, MAX_QUESTION_CHARS, MAX_RETRIES_ALLOWED
from masis.questions.question_audit import QuestionAudit
from masis.run_figures import Figures
from masis.words.wording import Wording


class AuditedDraft(Value):
    """One pass's draft with everything that was found out about it.

    `critique` is None when the model's audit failed: then it counts as not audited.
    `left_open` is what it leaves open of its question.
    """

    number: int
    answer: str
    confidence: float
    confidence_raw: float
    penalty_factor: float
    critique: Critique | None
    audit: CitationAudit
    evidence: list[EvidenceChunk]
    evaluation: Evaluation | None = None
    sound: bool = False
    left_open: QuestionAudit = QuestionAudit()
    by_choice: ChoiceKind | None = None
    """What the asker said of the statements that disagreed and of which it shows some."""


class AskBack(Value):
    """A question back: why it is asked, in which words, and what a reply may choose between."""

    kind: ClarificationKind
    text: str
    options: list[str] = []


class Asked(TypedDict):
    """Hold what is asked, in its parts. `masis.domain.Question` says of each what it is.

    `user_query` is what is searched, with its filters still in it; `wording` how, since the first
    search. `searches` were planned for it, where somebody planned any.
    """

    user_query: str
    first_question: str
    earlier: str
    reply: str
    choices: list[Choice]
    wording: Wording | None
    searches: list[PlannedSearch]


class State(Asked, RunState):
    """The whole state of a run.

    `this_draft` is the last pass's, `earlier_draft` the best of those before it, and `best_draft`
    the better of the two. `whole` is what a question for a whole is answered with: it stands beside its
    evidence, and takes the place of what a search finds. `unsure_draft` quotes passages that are not close enough to answer from,
    where nothing else was found; of it only the nearest is shown, beside the question back.
    """

    max_retries: int | None
    wider: bool
    evidence: list[EvidenceChunk]
    passed_over: list[EvidenceChunk]
    whole: Whole | None
    unsure_draft: AuditedDraft | None
    this_draft: AuditedDraft | None
    earlier_draft: AuditedDraft | None
    best_draft: AuditedDraft | None
    draft_answer: str | None
    final_answer: str | None
    critique: Critique | None
    confidence: float
    retry_count: int
    requires_human_review: bool
    clarification_question: str | None
    clarification: AskBack | None


class MASISInput(BaseModel):
    """A question as it enters the graph. `wider` searches like a retry from the first pass on.

    `first_question` is what was written first, where `user_query` is not the same, `earlier` the question before it; `reply` answers
    what was asked back, and `choices` are what it and earlier ones chose.

    Raises:
        pydantic.ValidationError: the question is empty, it or another text is over 4,000
            characters, the workspace id is none, or `max_retries` is outside 0 to 5 (None means 2).
    """

    model_config = ConfigDict(extra="forbid")

    user_query: str = Field(max_length=MAX_QUESTION_CHARS)
    first_question: str = Field(default="", max_length=MAX_QUESTION_CHARS)
    earlier: str = Field(default="", max_length=MAX_QUESTION_CHARS)
    reply: str = Field(default="", max_length=MAX_QUESTION_CHARS)
    choices: list[Choice] = []
    workspace_id: str
    max_retries: int | None = Field(default=None, ge=0, le=MAX_RETRIES_ALLOWED)
    wider: bool = False
    searches: list[PlannedSearch] = []

    @field_validator("user_query")
    @classmethod
    def _says_something(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("the question is empty: type what you want to know")
        return text.strip()

    @field_validator("workspace_id")
    @classmethod
    def _is_a_workspace(cls, text: str) -> str:
        return workspace_id(text)

    def to_state(self) -> State:
        """The full first state."""
        retries = DEFAULT_MAX_RETRIES if self.max_retries is None else self.max_retries
        return {
            "user_query": self.user_query,
            "first_question": self.first_question.strip() or self.user_query,
            "earlier": self.earlier.strip(),
            "reply": self.reply.strip(),
            "choices": self.choices,
            "wording": None,
            "searches": self.searches,
            "workspace_id": WorkspaceId(self.workspace_id),
            "max_retries": retries,
            "wider": self.wider,
            "evidence": [],
            "passed_over": [],
            "whole": None,
            "unsure_draft": None,
            "this_draft": None,
            "earlier_draft": None,
            "best_draft": None,
            "draft_answer": None,
            "final_answer": None,
            "critique": None,
            "confidence": 0.0,
            "retry_count": 0,
            "requires_human_review": False,
            "clarification_question": None,
            "clarification": None,
            "trace": [],
            "figures": {},
        }


# --- what each node reads ------------------------------------------------------------------


class ToResearch(Asked):
    """Read by the researcher."""

    workspace_id: WorkspaceId
    wider: bool
    critique: Critique | None
    best_draft: AuditedDraft | None
    retry_count: int


class ToWrite(Asked):
    """Read by the synthesizer."""

    evidence: list[EvidenceChunk]
    whole: Whole | None
    critique: Critique | None
    retry_count: int


class ToAudit(Asked):
    """Read by the critic. `passed_over` was found and left out: it may say otherwise."""

    workspace_id: WorkspaceId
    draft_answer: str | None
    evidence: list[EvidenceChunk]
    passed_over: list[EvidenceChunk]
    whole: Whole | None
    best_draft: AuditedDraft | None
    retry_count: int
    figures: Figures


class ToScore(Asked):
    """Read by the evaluator. It scores this pass's draft: `final_answer` may be an earlier one."""

    this_draft: AuditedDraft | None
    earlier_draft: AuditedDraft | None
    evidence: list[EvidenceChunk]
    critique: Critique | None
    retry_count: int


class ToDecide(TypedDict):
    """Read by the supervisor and the router."""

    draft_answer: str | None
    this_draft: AuditedDraft | None
    best_draft: AuditedDraft | None
    wording: Wording | None
    confidence: float
    retry_count: int
    max_retries: int | None
    requires_human_review: bool
    reply: str
    choices: list[Choice]
    trace: list[TraceEntry]


# --- what each node writes -----------------------------------------------------------------


class Researched(Report, total=False):
    """Left by the researcher; the wording by the first search, the last four only when nothing qualified.

    The whole is left where one was asked for, and on a retry that there is none any more.
    """

    evidence: list[EvidenceChunk]
    passed_over: list[EvidenceChunk]
    whole: Whole | None
    wording: Wording
    unsure_draft: AuditedDraft
    requires_human_review: bool
    clarification_question: str
    clarification: AskBack


class Drafted(Report, total=False):
    """Left by the synthesizer; the critique only when it was over-compressed."""

    draft_answer: str
    critique: Critique


class Audited(Report):
    """Left by the critic."""

    this_draft: AuditedDraft
    earlier_draft: AuditedDraft | None
    best_draft: AuditedDraft
    final_answer: str
    critique: Critique | None
    confidence: float


class Scored(Report):
    """Left by the evaluator. Scores that failed take the confidence, and the place of the best."""

    this_draft: AuditedDraft
    best_draft: AuditedDraft
    final_answer: str
    confidence: float


class Decided(TypedDict, total=False):
    """Left by the supervisor; nothing at all on its first visit."""

    retry_count: int
    requires_human_review: bool
    clarification_question: str
    clarification: AskBack
    trace: list[TraceEntry]
    figures: Figures
