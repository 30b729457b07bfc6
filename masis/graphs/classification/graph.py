"""Connect the nodes of the classification graph, and conclude what a finished state means."""

from collections.abc import Hashable
from typing import Any, Final

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START
from langgraph.types import Command

from masis.codelists.row_texts import asks_of_rows
from masis.domain import CODE_GRAPH, ClarificationKind, NeedsClarification
from masis.graphs.classification import file_rows, nodes, texts
from masis.graphs.classification.agents import ClassificationAgents, ClassificationContext
from masis.graphs.classification.code_answer import answered
from masis.graphs.classification.state import (
    Analysis,
    Said,
    State,
    ToAnalyze,
    ToAsk,
    ToBegin,
    ToCodeRows,
    ToExpand,
    ToGoOn,
    ToRetrieve,
)
from masis.graphs.codec import Codec
from masis.graphs.common import (
    Compiled,
    Conclusion,
    Graph,
    GraphStep,
    Request,
    Wrap,
    assembled,
)

FROM_START: Final[dict[Hashable, str]] = {"one": "expander", "rows": "rows"}
FROM_ROWS: Final[dict[Hashable, str]] = {"more": "rows", "done": END}
FROM_ANALYZER: Final[dict[Hashable, str]] = {
    "IMPROVED_SEARCH": "retrieval",
    "MORE_INFO": "user_info",
    "MATCH_FOUND": END,
}


def build(
    wrap: Wrap | None = None, checkpointer: BaseCheckpointSaver[str] | None = None
) -> Compiled[State]:
    """Compile the graph. `wrap` goes around every node that does something.

    With a `checkpointer` a reply can resume it where it asked.
    """
    reads = {
        "expander": (nodes.expander, ToExpand),
        "retrieval": (nodes.retrieval, ToRetrieve),
        "analyzer": (nodes.analyzer, ToAnalyze),
        "rows": (file_rows.rows, ToCodeRows),
    }
    graph = assembled(State, reads, wrap)
    # An interrupt is no result that a durable step could keep, and nothing else happens there.
    graph.add_node("user_info", nodes.user_info, input_schema=ToAsk)
    graph.add_conditional_edges(START, _from_start, FROM_START)
    graph.add_conditional_edges("rows", _from_rows, FROM_ROWS)
    graph.add_edge("expander", "retrieval")
    graph.add_edge("retrieval", "analyzer")
    graph.add_conditional_edges("analyzer", _from_analyzer, FROM_ANALYZER)
    graph.add_edge("user_info", "expander")
    return graph.compile(name=CLASSIFICATION.name, checkpointer=checkpointer)


async def _from_start(state: ToBegin) -> str:
    asked = state["question"]
    is_of_rows = bool(asked.files) and not asked.asked_back and asks_of_rows(asked.standalone)
    return "rows" if is_of_rows else "one"


async def _from_rows(state: ToGoOn) -> str:
    return "more" if state["rows_left"] > 0 else "done"


# LangGraph sends a plain function to a thread, which takes longer than the rest of a step.
async def _from_analyzer(state: ToAsk) -> str:
    final = state["analyzer_response"]
    # After the last question there is nothing to wait for, whether or not a code was found.
    if final is None or final.reason == "limit":
        return "MATCH_FOUND"
    return final.status


def start(request: Request) -> State:
    """Return the state in which a request begins, with what was said of it before."""
    return {
        "workspace_id": request.workspace_id,
        "request": request,
        "question": request.question,
        "messages": said_in(request),
        "expander_analysis": None,
        "code_lists": [],
        "retrieved_results": [],
        "evidence": [],
        "relevance": 0.0,
        "spread": None,
        "analyzer_response": None,
        "improved_search": False,
        "improved_search_count": 0,
        "coded_rows": [],
        "rows_left": 0,
        "trace": [],
        "figures": {},
    }


def resume(request: Request) -> Command[Any]:
    """Return what takes the graph up where it asked: the reply, and what was said before it."""
    begun = start(request)
    said = begun["messages"][:-1] if request.question.asked_back else begun["messages"]
    return Command(resume=request.question.reply, update={**begun, "messages": said})


def said_in(request: Request) -> list[Said]:
    """Return the messages of a request: its description, and the questions back with their replies."""
    asked = request.question
    first = asked.text if asked.reply else asked.standalone
    found = [Said(role="asker", text=first)]
    for each in asked.asked_back:
        found.append(Said(role="bot", text=each.question, options=each.options))
        found.append(Said(role="asker", text=each.reply))
    return found


def conclude(state: State, run_id: str, context: ClassificationContext) -> Conclusion:
    """Return the code, or the question back; where there is no list, or nothing was found, that."""
    if state["coded_rows"]:
        return file_rows.answered(state, context.agents, run_id)
    final = state["analyzer_response"]
    if final is None and state["question"].files:
        none = Analysis(status="MORE_INFO", question=texts.NO_ROWS)
        return Conclusion(_asked_back(state, none, run_id, kind="no_code"))
    if final is None or not state["code_lists"]:
        none = Analysis(status="MORE_INFO", question=texts.NO_LIST)
        return Conclusion(_asked_back(state, none, run_id, kind="no_code"))
    if final.status == "MATCH_FOUND":
        return answered(state, final, run_id)
    kind: ClarificationKind = "no_code" if final.reason == "limit" else "choice"
    return Conclusion(_asked_back(state, final, run_id, kind=kind), state["evidence"])


def _asked_back(
    state: State, final: Analysis, run_id: str, *, kind: ClarificationKind
) -> NeedsClarification:
    return NeedsClarification(
        run_id=run_id,
        question=state["question"].text,
        kind=kind,
        asked_back=state["question"].asked_back,
        clarification_question=final.question,
        options=final.options,
        answer="",
        confidence=final.confidence,
        badge=None,
        extractive=True,
    )


_CODEC: Final = Codec(State)

CLASSIFICATION: Final[Graph[State, ClassificationAgents]] = Graph(
    name=CODE_GRAPH,
    build=build,
    start=start,
    conclude=conclude,
    encode=_CODEC.encode,
    decode=_CODEC.decode,
    steps=(
        GraphStep("expander", "describe", texts.EXPAND),
        GraphStep("retrieval", "codes", texts.RETRIEVE),
        GraphStep("analyzer", "compare", texts.ANALYZE, again=texts.ANALYZE_AGAIN),
        GraphStep("rows", "rows", texts.ROWS, in_plan=False),
        GraphStep("user_info", "ask", texts.ASK, in_plan=False),
    ),
    again=file_rows.MOST_BATCHES,
    resume=resume,
)
"""Find which code of a list is described, or ask the one question that tells several apart."""
