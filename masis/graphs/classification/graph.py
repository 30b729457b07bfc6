"""Connect the nodes of the classification graph, and conclude what a finished state means."""

from collections.abc import Hashable, Sequence
from typing import Any, Final

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START
from langgraph.types import Command

from masis.answering import citations
from masis.domain import (
    Answered,
    Badge,
    CitationAudit,
    Critique,
    EvidenceChunk,
    NeedsClarification,
)
from masis.graphs.classification import nodes, texts
from masis.graphs.classification.agents import ClassificationAgents, ClassificationContext
from masis.graphs.classification.ambiguity import likelihoods
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
from masis.policy import BADGE_HIGH, BADGE_MEDIUM
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


def conclude(state: State, run_id: str, context: ClassificationContext) -> Conclusion | Onward:
    """Return the code, the question back, or the request for the graph that reads documents."""
    final = state["analyzer_response"]
    if final is None or _has_no_list(state):
        return Onward(ELSE, state["request"])
    if final.status == "MATCH_FOUND":
        return _answered(state, final, run_id)
    return Conclusion(_asked_back(state, final, run_id), state["evidence"])


def _has_no_list(state: State) -> bool:
    """Tell whether there was nothing to search: a description brought no code at all."""
    expansion = state["expander_analysis"]
    described = expansion is not None and bool(expansion.query)
    first = not state["question"].asked_back
    return described and first and not state["retrieved_results"]


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
    answered = Answered(
        run_id=run_id,
        question=state["question"].text,
        answer=shown,
        confidence=final.confidence,
        badge=_badge(final, audit),
        citations=[source.model_copy(update={"text": redacted(source.text)}) for source in sources],
        critique=Critique(confidence=final.confidence),
        evaluation=None,
        audit=audit,
        extractive=True,
    )
    cited = {source.chunk_id for source in sources}
    return Conclusion(answered, [chunk for chunk in evidence if chunk.chunk_id in cited])


def _badge(final: Analysis, audit: CitationAudit) -> Badge:
    """Return how sure a match is: by its likelihood, and never High where it stayed open what is meant."""
    notes = {
        "siblings": texts.SIBLINGS_NOTE,
        "limit": texts.LIMIT_NOTE,
        "chosen": texts.CHOSEN_NOTE,
    }
    sure, note = final.confidence, notes.get(final.reason, "")
    if audit.unsupported or audit.invalid or sure < BADGE_MEDIUM:
        return Badge(level="Low", confidence=sure, note=note or texts.NOT_SURE)
    if sure < BADGE_HIGH or final.reason == "limit":
        return Badge(level="Medium", confidence=sure, note=note or texts.NOT_SURE)
    return Badge(level="High", confidence=sure, note=note)


class _Cited:
    """Writes the citations of codes whose rows are there."""

    def __init__(self, evidence: Sequence[EvidenceChunk]) -> None:
        self._held = {chunk.chunk_id for chunk in evidence}

    def of(self, candidate: Candidate) -> str:
        """Return the citation of the row that names a code."""
        first = next((each for each in candidate.chunk_ids if each in self._held), "")
        return f"[{first}]" if first else ""

    def above(self, codes: Sequence[Above]) -> str:
        """Return the citations of the rows that name codes above one."""
        ids = dict.fromkeys(each.chunk_id for each in codes if each.chunk_id in self._held)
        return "".join(f"[{each}]" for each in ids)


def _lines(state: State, final: Analysis, cited: _Cited) -> list[str]:
    found = state["retrieved_results"]
    below = [each for each in found if each.code in final.among and each.parent == final.code]
    match = next((each for each in found if each.code == final.code), None)
    if match is not None and not below:
        lines = [texts.answer(Above(code=match.code, title=match.title), cited.of(match))]
        lines += _path(match.path, cited)
    else:
        above = below[0].path
        lines = [texts.answer(above[-1], cited.above(above[-1:]) or cited.of(below[0]))]
        lines += _path(above[:-1], cited)
        lines += texts.below(below, [cited.of(each) for each in below])
    shown = {each.id for each in (*below, match) if each}
    lines += _alternatives(found, shown, cited)
    expansion = state["expander_analysis"]
    assumptions = expansion.assumptions if expansion else []
    return [*lines, "", texts.assumed(assumptions)] if assumptions else lines


def _path(above: Sequence[Above], cited: _Cited) -> list[str]:
    return [texts.path(above, cited.above(above))] if above else []


def _alternatives(found: Sequence[Candidate], shown: set[str], cited: _Cited) -> list[str]:
    """List the next likely codes beside the match."""
    likely = zip(found, likelihoods(found), strict=True)
    others = [
        each for each, share in likely if each.id not in shown and share >= texts.WORTH_SAYING
    ]
    others = others[: texts.MOST_ALTERNATIVES]
    listed = texts.alternatives(others, [cited.of(each) for each in others])
    return ["", *listed] if others else []


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
    resume=resume,
)
"""Find which code of a list is described, or ask the one question that tells several apart."""
