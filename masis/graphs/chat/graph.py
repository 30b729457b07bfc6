"""Connect the nodes of the chat graph, and hand what was asked on to the graph that answers."""

from collections.abc import Hashable
from typing import Final

from langgraph.graph import END, START

from masis.domain import Answered, CitationAudit, Critique
from masis.graphs.chat import nodes, texts
from masis.graphs.chat.agents import ChatAgents, ChatContext
from masis.graphs.chat.state import State, ToGreet, ToPlan, ToRewrite, ToRoute, ToTurn
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

ANSWERS: Final = "research"
"""The graph that answers where no other is meant."""

FROM_ROUTER: Final[dict[Hashable, str]] = {"small talk": "greeter", "question": "rewriter"}
FROM_PLANNER: Final[dict[Hashable, str]] = {ANSWERS: END}


def build(wrap: Wrap | None = None) -> Compiled[State]:
    """Compile the graph. `wrap` goes around every node, to make it a durable step for instance."""
    reads = {
        "router": (nodes.router, ToRoute),
        "greeter": (nodes.greeter, ToGreet),
        "rewriter": (nodes.rewriter, ToRewrite),
        "planner": (nodes.planner, ToPlan),
    }
    graph = assembled(State, reads, wrap)
    graph.add_edge(START, "router")
    graph.add_conditional_edges("router", _from_router, FROM_ROUTER)
    graph.add_edge("greeter", END)
    graph.add_edge("rewriter", "planner")
    graph.add_conditional_edges("planner", _from_planner, FROM_PLANNER)
    return graph.compile(name=CHAT.name)


# LangGraph sends a plain function to a thread, which takes longer than the rest of a step.
async def _from_router(state: ToTurn) -> str:
    return "small talk" if state["intent"] == "chat" else "question"


async def _from_planner(state: ToTurn) -> str:  # noqa: ARG001 - one graph answers by now
    return ANSWERS


def start(request: Request) -> State:
    """Return the state in which a request begins."""
    return {
        "workspace_id": request.workspace_id,
        "request": request,
        "thread": request.thread,
        "mode": "auto",
        "messages": [],
        "question": request.question,
        "intent": None,
        "targeted_docs": [],
        "semantic_queries": [],
        "wider": request.wider,
        "reply": None,
        "trace": [],
        "figures": {},
    }


def conclude(state: State, run_id: str, context: ChatContext) -> Conclusion | Onward:  # noqa: ARG001 - a graph's signature
    """Return the sentence that small talk gets, or what is asked of which graph."""
    said = state["reply"]
    if said is None:
        request = state["request"].model_copy(
            update={
                "question": state["question"],
                "searches": state["semantic_queries"],
                "wider": state["wider"],
            }
        )
        return Onward(ANSWERS, request)
    answered = Answered(
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
    return Conclusion(answered)


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
        GraphStep("rewriter", "rewrite", texts.REWRITE, in_plan=False),
        GraphStep("planner", "plan", texts.PLAN, in_plan=False),
    ),
    leads_to=(ANSWERS,),
)
"""What is meant: small talk, or a question that stands alone, with the searches that answer it."""
