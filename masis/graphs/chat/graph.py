"""Connect the nodes of the chat graph, and hand what was asked on to the graph that answers."""

from collections.abc import Hashable, Sequence
from typing import Final

from langgraph.graph import END, START

from masis.answering import citations
from masis.calculating.charts.asked_display import asked_display
from masis.calculating.charts.listed_figures import meant_by
from masis.domain import (
    CODE_GRAPH,
    Answered,
    CitationAudit,
    Critique,
    NeedsClarification,
    PlannedSearch,
)
from masis.graphs.chat import nodes, texts
from masis.graphs.chat.agents import ChatAgents, ChatContext
from masis.graphs.chat.state import (
    Intent,
    Reply,
    Retold,
    State,
    ToGreet,
    ToPlan,
    ToRecall,
    ToRewrite,
    ToRoute,
    ToTurn,
)
from masis.graphs.codec import Codec
from masis.graphs.common import (
    Compiled,
    Conclusion,
    Graph,
    GraphStep,
    Onward,
    Request,
    Wrap,
    assembled,
)
from masis.text.periods import periods
from masis.text.redaction import redacted

ANSWERS: Final = "research"
"""The graph that answers where no other is meant."""
CALCULATES: Final = "analysis"
"""The graph that answers what asks for a calculation."""
CLASSIFIES: Final = CODE_GRAPH
"""The graph that answers what describes something that has a code."""

FROM_ROUTER: Final[dict[Hashable, str]] = {
    "small talk": "greeter",
    "last answer": "recaller",
    "question": "rewriter",
}
FROM_RECALLER: Final[dict[Hashable, str]] = {"shown again": END, "wider": "planner"}
FROM_PLANNER: Final[dict[Hashable, str]] = {
    ANSWERS: END,
    CALCULATES: END,
    CLASSIFIES: END,
}


def build(wrap: Wrap | None = None) -> Compiled[State]:
    """Compile the graph. `wrap` goes around every node, to make it a durable step for instance."""
    reads = {
        "router": (nodes.router, ToRoute),
        "greeter": (nodes.greeter, ToGreet),
        "recaller": (nodes.recaller, ToRecall),
        "rewriter": (nodes.rewriter, ToRewrite),
        "planner": (nodes.planner, ToPlan),
    }
    graph = assembled(State, reads, wrap)
    graph.add_edge(START, "router")
    graph.add_conditional_edges("router", _from_router, FROM_ROUTER)
    graph.add_edge("greeter", END)
    graph.add_conditional_edges("recaller", _from_recaller, FROM_RECALLER)
    graph.add_edge("rewriter", "planner")
    graph.add_conditional_edges("planner", _from_planner, FROM_PLANNER)
    return graph.compile(name=CHAT.name)


# LangGraph sends a plain function to a thread, which takes longer than the rest of a step.
async def _from_router(state: ToTurn) -> str:
    match state["intent"]:
        case "chat":
            return "small talk"
        case "last_answer":
            return "last answer"
    return "question"


async def _from_recaller(state: ToTurn) -> str:
    return "wider" if state["reply"] is None and state["retold"] is None else "shown again"


async def _from_planner(state: ToTurn) -> str:
    return answering(state["request"], state["semantic_queries"], state["intent"])


def answering(request: Request, planned: Sequence[PlannedSearch], intent: Intent | None) -> str:
    """Return the graph that answers: another way to search is asked of the documents alone."""
    if intent == "classification":
        return CLASSIFIES
    if intent == "analysis":
        return CALCULATES
    is_settled = request.is_settled and not _tells_period(request)
    asked = " ".join(planned[0].query.split()) if planned and not is_settled else ""
    return CALCULATES if asked and meant_by(asked, asked_display(asked)) else ANSWERS


def _tells_period(request: Request) -> bool:
    """Tell whether a reply narrows its question to a period, which a calculation may have lacked."""
    question = request.question
    narrows = question.standalone.endswith(f"\n{question.reply}") if question.reply else False
    return narrows and not request.wider and bool(periods(question.reply))


def start(request: Request) -> State:
    """Return the state in which a request begins."""
    return {
        "workspace_id": request.workspace_id,
        "request": request,
        "thread": request.thread,
        "mode": request.mode,
        "messages": [],
        "question": request.question,
        "intent": None,
        "targeted_docs": [],
        "semantic_queries": [],
        "wider": request.wider,
        "reply": None,
        "command": None,
        "retold": None,
        "trace": [],
        "figures": {},
    }


def conclude(state: State, run_id: str, context: ChatContext) -> Conclusion | Onward:
    """Return what is said at once, or what is asked of which graph."""
    if state["reply"] is not None:
        said = _asked_back if state["reply"].options else _greeted
        return Conclusion(said(state, state["reply"], run_id))
    if state["retold"] is not None:
        return Conclusion(_retold(state, state["retold"], run_id), state["retold"].evidence)
    request = state["request"].model_copy(
        update={
            "question": state["question"],
            "searches": state["semantic_queries"],
            "wider": state["wider"],
        }
    )
    next_graph = answering(state["request"], state["semantic_queries"], state["intent"])
    if next_graph == CALCULATES and request.question.reply:
        narrowed = " ".join(request.question.standalone.split())
        question = request.question.model_copy(update={"standalone": narrowed})
        request = request.model_copy(update={"question": question})
    return Onward(next_graph, request)


def _greeted(state: State, said: Reply, run_id: str) -> Answered:
    return Answered(
        run_id=run_id,
        question=state["question"].text,
        answer=said.text,
        small_talk=True,
        questions=said.questions,
        confidence=0.0,
        badge=None,
        citations=[],
        critique=Critique(confidence=0.0),
        evaluation=None,
        audit=CitationAudit(),
    )


def _retold(state: State, said: Retold, run_id: str) -> Answered:
    """Return the last answer in another form, its citations held against their passages anew."""
    audit = citations.audit(said.draft, said.evidence)
    shown, sources = citations.number(said.draft, audit, said.evidence)
    return Answered(
        run_id=run_id,
        question=state["question"].text,
        understood=state["question"].standalone,
        retold=True,
        answer=shown,
        confidence=said.confidence,
        badge=said.badge,
        citations=[source.model_copy(update={"text": redacted(source.text)}) for source in sources],
        critique=Critique(confidence=said.confidence),
        evaluation=None,
        audit=audit,
        extractive=said.extractive,
        tables=said.tables,
    )


def _asked_back(state: State, said: Reply, run_id: str) -> NeedsClarification:
    """Return the question back to a message that does not say what it is about."""
    return NeedsClarification(
        run_id=run_id,
        question=state["question"].text,
        kind="ambiguous",
        clarification_question=said.text,
        options=said.options,
        answer="",
        confidence=0.0,
        badge=None,
    )


_CODEC: Final = Codec(State)

CHAT: Final[Graph[State, ChatAgents]] = Graph(
    name="chat",
    build=build,
    start=start,
    conclude=conclude,
    encode=_CODEC.encode,
    decode=_CODEC.decode,
    steps=(
        GraphStep("router", "understand", texts.UNDERSTAND, once=True),
        GraphStep("greeter", "greet", texts.GREET, in_plan=False),
        GraphStep("recaller", "recall", texts.RECALL, in_plan=False),
        GraphStep("rewriter", "rewrite", texts.REWRITE, in_plan=False),
        GraphStep("planner", "plan", texts.PLAN, in_plan=False),
    ),
    leads_to=(ANSWERS, CALCULATES, CLASSIFIES),
)
"""What is meant: small talk, the last answer in another form, or a question that stands alone, with
the searches that answer it."""
