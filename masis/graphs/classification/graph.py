"""Connect the nodes of the classification graph, and conclude what a finished state means."""

from collections.abc import Hashable, Sequence
from typing import Final

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START

from masis.answering import citations
from masis.answering.scoring import badge
from masis.domain import (
    Answered,
    Critique,
    EvidenceChunk,
    NeedsClarification,
)
from masis.graphs.classification import nodes, texts
from masis.graphs.classification.agents import ClassificationAgents, ClassificationContext
from masis.graphs.classification.decisions import likelihoods
from masis.graphs.classification.state import (
    Above,
    Analysis,
    Candidate,
    Said,
    State,
    ToAnalyze,
    ToAsk,
    ToExpand,
    ToRetrieve,
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
from masis.text.redaction import redacted

ELSE: Final = "research"
"""The graph that answers where no code list holds anything."""

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
    }
    graph = assembled(State, reads, wrap)
    # An interrupt is no result that a durable step could keep, and nothing else happens there.
    graph.add_node("user_info", nodes.user_info, input_schema=ToAsk)
    graph.add_edge(START, "expander")
    graph.add_edge("expander", "retrieval")
    graph.add_edge("retrieval", "analyzer")
    graph.add_conditional_edges("analyzer", _from_analyzer, FROM_ANALYZER)
    graph.add_edge("user_info", "expander")
    return graph.compile(name=CLASSIFICATION.name, checkpointer=checkpointer)


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
        "retrieved_results": [],
        "evidence": [],
        "relevance": 0.0,
        "analyzer_response": None,
        "improved_search": False,
        "improved_search_count": 0,
        "trace": [],
        "figures": {},
    }


def said_in(request: Request) -> list[Said]:
    """Return the messages of a request: its description, and the questions back with their replies."""
    asked = request.question
    first = asked.text if asked.reply else asked.standalone
    found = [Said(role="asker", text=first)]
    for each in asked.asked_back:
        found.append(Said(role="bot", text=each.question, options=each.options))
        found.append(Said(role="asker", text=each.reply))
    return found


def conclude(state: State, run_id: str, context: ClassificationContext) -> Conclusion | Onward:
    """Return the code, the question back, or the request for the graph that reads documents."""
    final = state["analyzer_response"]
    if final is None or (not state["retrieved_results"] and not state["question"].asked_back and state["relevance"] <= 0 and _names_something(state)):  # fmt: skip
        return Onward(ELSE, state["request"])
    if final.status == "MATCH_FOUND":
        return _answered(state, final, run_id)
    return Conclusion(_asked_back(state, final, run_id), state["evidence"])


def _names_something(state: State) -> bool:
    expansion = state["expander_analysis"]
    return expansion is not None and bool(expansion.query)


def _asked_back(state: State, final: Analysis, run_id: str) -> NeedsClarification:
    return NeedsClarification(
        run_id=run_id,
        question=state["question"].text,
        kind="choice",
        asked_back=state["question"].asked_back,
        clarification_question=final.question,
        options=final.options,
        answer="",
        confidence=final.confidence,
        badge=None,
        extractive=True,
    )


# --- the answer ------------------------------------------------------------------------------


def _answered(state: State, final: Analysis, run_id: str) -> Conclusion:
    evidence = state["evidence"]
    lines = _lines(state, final, _Cited(evidence))
    draft = "\n".join(lines)
    audit = citations.audit(draft, evidence, state["question"].standalone)
    shown, sources = citations.number(draft, audit, evidence)
    note = {"siblings": texts.SIBLINGS_NOTE, "limit": texts.LIMIT_NOTE, "chosen": texts.CHOSEN_NOTE}
    said = badge(final.confidence, None, audited=True)
    answered = Answered(
        run_id=run_id,
        question=state["question"].text,
        answer=shown,
        confidence=final.confidence,
        badge=said.model_copy(update={"note": note.get(final.reason, said.note)}),
        citations=[source.model_copy(update={"text": redacted(source.text)}) for source in sources],
        critique=Critique(confidence=final.confidence),
        evaluation=None,
        audit=audit,
        extractive=True,
    )
    cited = {source.chunk_id for source in sources}
    return Conclusion(answered, [chunk for chunk in evidence if chunk.chunk_id in cited])


class _Cited:
    """Writes the citations of codes whose rows are there."""

    def __init__(self, evidence: Sequence[EvidenceChunk]) -> None:
        self._held = {chunk.chunk_id for chunk in evidence}

    def of(self, candidate: Candidate) -> str:
        """Return the citation of the row that names a code."""
        first = next((each for each in candidate.chunk_ids if each in self._held), "")
        return f"[{first}]" if first else ""


def _lines(state: State, final: Analysis, cited: _Cited) -> list[str]:
    found = state["retrieved_results"]
    shares = dict(zip((each.id for each in found), likelihoods(found), strict=True))
    below = [each for each in found if each.code in final.among and each.parent == final.code]
    match = next((each for each in found if each.code == final.code), None)
    if match is not None and not below:
        lines = [texts.answer(Above(code=match.code, title=match.title), cited.of(match))]
        lines += [texts.path(match.path, cited.of(match))] if match.path else []
        besides = {match.id}
    else:
        above = below[0].path
        lines = [texts.answer(above[-1], cited.of(below[0]))]
        lines += [texts.path(above[:-1], cited.of(below[0]))] if above[:-1] else []
        lines += texts.below(below, [cited.of(each) for each in below])
        besides = {each.id for each in below}
    others = [
        each for each in found if each.id not in besides and shares[each.id] >= texts.WORTH_SAYING
    ]
    others = others[: texts.MOST_ALTERNATIVES]
    lines += ["", *texts.alternatives(others, [shares[each.id] for each in others], [cited.of(each) for each in others])] if others else []  # fmt: skip
    expansion = state["expander_analysis"]
    lines += (
        ["", texts.assumed(expansion.assumptions)] if expansion and expansion.assumptions else []
    )
    return lines


_CODEC: Final = Codec(State)

CLASSIFICATION: Final[Graph[State, ClassificationAgents]] = Graph(
    name="classification",
    build=build,
    start=start,
    conclude=conclude,
    encode=_CODEC.encode,
    decode=_CODEC.decode,
    steps=(
        GraphStep("expander", "describe", texts.EXPAND),
        GraphStep("retrieval", "codes", texts.RETRIEVE),
        GraphStep("analyzer", "compare", texts.ANALYZE, again=texts.ANALYZE_AGAIN),
        GraphStep("user_info", "ask", texts.ASK, in_plan=False),
    ),
    leads_to=(ELSE,),
)
"""Find which code of a list is described, or ask the one question that tells several apart."""
