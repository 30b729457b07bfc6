"""Define what flows through the chat graph. Every key is always present."""

import operator
from typing import Annotated, Literal, TypedDict

from masis.conversation import Exchange, Spot
from masis.domain import PlannedSearch, Question, Value, WorkspaceId
from masis.graphs.common import Report, Request, RunState

Intent = Literal["chat", "direct_rag", "specific_doc_rag", "analysis", "classification"]
"""What a message wants: a word back, an answer from the documents, one from documents that it
names, a calculation, or a code."""

Mode = Literal["auto", "documents"]
"""Whether a message may be small talk, or always asks the documents."""


class Reply(Value):
    """Hold what is said at once, without a search, and questions that can be asked instead."""

    text: str
    questions: list[str] = []


class State(RunState):
    """The whole state.

    `messages` is the window of the thread, oldest first; `question` is as it was written until the
    rewriter has read the thread. `semantic_queries` is the search plan, `reply` what small talk gets.
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


class ToRewrite(TypedDict):
    """Read by the rewriter."""

    workspace_id: WorkspaceId
    request: Request
    question: Question
    messages: list[Exchange]


class ToPlan(TypedDict):
    """Read by the planner."""

    question: Question
    targeted_docs: list[str]


class ToTurn(TypedDict):
    """Read by the way out of the router."""

    intent: Intent | None


# --- what each node writes -----------------------------------------------------------------


class Routed(Report):
    """Left by the router."""

    messages: list[Exchange]
    intent: Intent
    targeted_docs: list[str]


class Greeted(Report):
    """Left by the greeter."""

    reply: Reply


class Rewritten(Report):
    """Left by the rewriter."""

    question: Question
    wider: bool


class Planned(Report):
    """Left by the planner."""

    semantic_queries: list[PlannedSearch]
