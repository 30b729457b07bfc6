"""Define what flows through the chat graph. Every key is always present."""

import operator
from typing import Annotated, Literal, TypedDict

from masis.conversation import Exchange, Mode, Spot
from masis.domain import Badge, EvidenceChunk, PlannedSearch, Question, Value, WorkspaceId
from masis.graphs.common import Report, Request, RunState
from masis.phrases.answer_commands import Command
from masis.values.shown import ShownTable

Intent = Literal[
    "chat", "last_answer", "direct_rag", "specific_doc_rag", "analysis", "classification"
]
"""What a message wants: a word back, the last answer in another form, an answer from the documents,
one from documents that it names, a calculation, or a code."""


class Reply(Value):
    """Hold what is said at once, without an answer, and questions that can be asked instead.

    With `options` it asks back which of them is meant.
    """

    text: str
    questions: list[str] = []
    options: list[str] = []


class Retold(Value):
    """Hold what is said of the last answer, with `[chunk_id]` citations, and the evidence of these.

    `tables` shows it as rows, where that is wanted.
    """

    draft: str
    evidence: list[EvidenceChunk]
    badge: Badge | None
    confidence: float
    extractive: bool
    tables: list[ShownTable] = []


class State(RunState):
    """The whole state.

    `messages` is the window of the thread, oldest first; `question` is as it was written until the
    rewriter has read the thread. `semantic_queries` is the search plan, `reply` what is said without one.
    `command` is what is wanted of the last answer, `retold` what comes of it without a search.
    """

    request: Request
    thread: Spot | None
    mode: Mode
    messages: Annotated[list[Exchange], operator.add]
    question: Question
    intent: Intent | None
    targeted_docs: list[str]
    semantic_queries: list[PlannedSearch]
    wider: bool
    reply: Reply | None
    command: Command | None
    retold: Retold | None


# --- what each node reads ------------------------------------------------------------------


class ToRoute(TypedDict):
    """Read by the router."""

    workspace_id: WorkspaceId
    request: Request
    thread: Spot | None
    mode: Mode
    question: Question


class ToGreet(TypedDict):
    """Read by the greeter."""

    workspace_id: WorkspaceId
    question: Question
    messages: list[Exchange]


class ToRecall(TypedDict):
    """Read by the recaller."""

    workspace_id: WorkspaceId
    question: Question
    messages: list[Exchange]
    command: Command | None


class ToRewrite(TypedDict):
    """Read by the rewriter."""

    workspace_id: WorkspaceId
    request: Request
    question: Question
    messages: list[Exchange]


class ToPlan(TypedDict):
    """Read by the planner."""

    workspace_id: WorkspaceId
    request: Request
    intent: Intent | None
    question: Question
    messages: list[Exchange]
    targeted_docs: list[str]


class ToTurn(TypedDict):
    """Read by the ways out of the router, the recaller and the planner."""

    request: Request
    intent: Intent | None
    semantic_queries: list[PlannedSearch]
    reply: Reply | None
    retold: Retold | None


# --- what each node writes -----------------------------------------------------------------


class Routed(Report):
    """Left by the router."""

    messages: list[Exchange]
    intent: Intent
    targeted_docs: list[str]
    command: Command | None


class Greeted(Report):
    """Left by the greeter."""

    reply: Reply


class Recalled(Report):
    """Left by the recaller."""

    question: Question
    targeted_docs: list[str]
    wider: bool
    reply: Reply | None
    retold: Retold | None


class Rewritten(Report):
    """Left by the rewriter."""

    question: Question
    wider: bool


class Planned(Report):
    """Left by the planner."""

    intent: Intent | None
    semantic_queries: list[PlannedSearch]
    reply: Reply | None
