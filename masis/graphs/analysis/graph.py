"""Connect the nodes of the analysis graph, and conclude what a finished state means."""

from collections.abc import Hashable
from typing import Final

from langgraph.graph import END, START

from masis.answering import citations
from masis.domain import Answered, CitationAudit, Critique
from masis.graphs.analysis import drawing, nodes, quality_check, table_steps, texts
from masis.graphs.analysis.agents import AnalysisAgents, AnalysisContext
from masis.graphs.analysis.nodes import MOST_RETRIEVALS
from masis.graphs.analysis.quality_check import MOST_HEALS
from masis.graphs.analysis.state import (
    State,
    ToAssemble,
    ToCalculate,
    ToCheck,
    ToDraw,
    ToExplain,
    ToExtract,
    ToHeal,
    ToQuality,
    ToRecall,
    ToRefine,
    ToRetrieve,
    ToUnderstand,
    ToValidate,
)
from masis.graphs.analysis.table_steps import ToAsk, ToTell
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
from masis.tables import telling as table_texts
from masis.text.redaction import redacted

ELSE: Final = "research"
"""The graph that answers what there are no figures to calculate with for."""

FROM_TABLES: Final[dict[Hashable, str]] = {
    "a table": "tell_result",
    "of the thread": "recall",
    "no table": "understand",
}
FROM_RECALL: Final[dict[Hashable, str]] = {"figures kept": "retrieve"}
FROM_UNDERSTAND: Final[dict[Hashable, str]] = {"calculation": "retrieve", "none": END}
FROM_VALIDATE: Final[dict[Hashable, str]] = {
    "sufficient": "extract",
    "not yet": "refine",
    "searched enough": "extract",
}
FROM_EXTRACT: Final[dict[Hashable, str]] = {"figures": "calculate", "none": END}
FROM_CHECK: Final[dict[Hashable, str]] = {
    "holds": "explain",
    "to be drawn": "draw",
    "does not hold": END,
}
FROM_QUALITY: Final[dict[Hashable, str]] = {"good": END, "bad": "heal", "healed enough": END}


def build(wrap: Wrap | None = None) -> Compiled[State]:
    """Compile the graph. `wrap` goes around every node, to make it a durable step for instance."""
    reads = {
        "ask_tables": (table_steps.ask_tables, ToAsk),
        "tell_result": (table_steps.tell_result, ToTell),
        "recall": (nodes.recall, ToRecall),
        "understand": (nodes.understand, ToUnderstand),
        "retrieve": (nodes.retrieve, ToRetrieve),
        "validate": (nodes.validate, ToValidate),
        "refine": (nodes.refine, ToRefine),
        "extract": (nodes.extract, ToExtract),
        "calculate": (nodes.calculate, ToCalculate),
        "check": (nodes.check, ToCheck),
        "explain": (nodes.explain, ToExplain),
        "draw": (drawing.draw, ToDraw),
        "assemble": (quality_check.assemble, ToAssemble),
        "quality": (quality_check.quality, ToQuality),
        "heal": (quality_check.heal, ToHeal),
    }
    graph = assembled(State, reads, wrap)
    graph.add_edge(START, "ask_tables")
    graph.add_conditional_edges("ask_tables", _from_tables, FROM_TABLES)
    graph.add_edge("tell_result", END)
    graph.add_conditional_edges("recall", _from_recall, FROM_RECALL)
    graph.add_conditional_edges("understand", _from_understand, FROM_UNDERSTAND)
    graph.add_edge("retrieve", "validate")
    graph.add_conditional_edges("validate", _from_validate, FROM_VALIDATE)
    graph.add_edge("refine", "retrieve")
    graph.add_conditional_edges("extract", _from_extract, FROM_EXTRACT)
    graph.add_edge("calculate", "check")
    graph.add_conditional_edges("check", _from_check, FROM_CHECK)
    graph.add_edge("explain", "assemble")
    graph.add_edge("draw", "assemble")
    graph.add_edge("assemble", "quality")
    graph.add_conditional_edges("quality", _from_quality, FROM_QUALITY)
    graph.add_edge("heal", "assemble")
    return graph.compile(name=ANALYSIS.name)


# LangGraph sends a plain function to a thread, which takes longer than the rest of a step.
async def _from_tables(state: ToTell) -> str | list[str]:
    return ["of the thread", "no table"] if state["asked"] is None else "a table"


async def _from_recall(state: ToRecall) -> list[str]:
    # It ends in one superstep with understand, which alone says whether there is a next one.
    return []


async def _from_understand(state: ToCalculate) -> str:
    return "none" if state["wanted"] is None else "calculation"


async def _from_validate(state: ToValidate) -> str:
    if nodes.is_sufficient(state["operands"]):
        return "sufficient"
    return "not yet" if state["retrievals"] < MOST_RETRIEVALS else "searched enough"


async def _from_extract(state: ToExtract) -> str:
    return "none" if state["operands"] is None else "figures"


async def _from_check(state: ToQuality) -> str | list[str]:
    return "does not hold" if state["badge"] is None else ["holds", "to be drawn"]


async def _from_quality(state: ToQuality) -> str:
    if not state["faults"] and not quality_check.is_unsound(state["audit"]):
        return "good"
    return "bad" if state["badge"] and state["heals"] < MOST_HEALS else "healed enough"


def start(request: Request) -> State:
    """Return the state in which a request begins."""
    return {
        "workspace_id": request.workspace_id,
        "request": request,
        "question": request.question,
        "asked": None,
        "wanted": None,
        "display": None,
        "recalled": [],
        "queries": [],
        "retrievals": 0,
        "evidence": [],
        "operands": None,
        "computed": [],
        "refusal": None,
        "lines": [],
        "written": False,
        "draft": None,
        "charts": [],
        "tables": [],
        "undrawn": [],
        "audit": None,
        "badge": None,
        "faults": [],
        "heals": 0,
        "trace": [],
        "figures": {},
    }


def conclude(state: State, run_id: str, context: AnalysisContext) -> Conclusion | Onward:
    """Return the answer, or the request for the graph that answers without a calculation."""
    if state["asked"] is not None and state["badge"] is not None:
        return table_steps.conclude(state, run_id)
    badge = state["badge"]
    if state["draft"] is None or badge is None or badge.level == "Low" or _is_vague(state):
        return Onward(ELSE, state["request"], said=_why_not(state))
    audit = state["audit"] or CitationAudit()
    shown, sources = citations.number(state["draft"], audit, state["evidence"])
    answered = Answered(
        run_id=run_id,
        question=state["question"].text,
        answer=shown,
        confidence=badge.confidence,
        badge=badge,
        citations=[source.model_copy(update={"text": redacted(source.text)}) for source in sources],
        critique=Critique(confidence=badge.confidence),
        evaluation=None,
        audit=audit,
        extractive=not state["written"],
        calculations=[each.calculation for each in state["computed"]],
        charts=state["charts"],
        tables=state["tables"],
        gaps=state["undrawn"],
    )
    return Conclusion(answered, state["evidence"])


def _why_not(state: State) -> str:
    """Say why nothing was drawn or calculated; empty where it was only a question for another graph."""
    display, badge = state["display"], state["badge"]
    if state["wanted"] is None:
        why = texts.NONE_MEANT
    elif state["operands"] is None:
        why = texts.NONE_FOUND
    else:
        why = texts.NOT_HELD if badge is None or badge.level == "Low" else texts.VAGUE
    if display is not None and display.asked:
        return texts.drew_nothing("chart" if display.chart else "table", why)
    return texts.CALCULATED_NOTHING.format(why=why) if why == texts.NOT_HELD else ""


def _is_vague(state: State) -> bool:
    """Tell whether it would be refused to calculate with figures that may not be those that are meant."""
    found = state["operands"]
    return state["refusal"] is not None and found is not None and not found.is_whole


_CODEC: Final = Codec(State)

ANALYSIS: Final[Graph[State, AnalysisAgents]] = Graph(
    name="analysis",
    build=build,
    start=start,
    conclude=conclude,
    encode=_CODEC.encode,
    decode=_CODEC.decode,
    steps=(
        GraphStep("ask_tables", "ask", table_texts.ASK, in_plan=False),
        GraphStep("tell_result", "tell", table_texts.TELL, in_plan=False),
        GraphStep("recall", "recall", texts.RECALL, in_plan=False),
        GraphStep("understand", "wanted", texts.UNDERSTAND, in_plan=False),
        GraphStep("retrieve", "find", texts.RETRIEVE),
        GraphStep("validate", "validate", texts.VALIDATE, in_plan=False),
        GraphStep("refine", "refine", texts.REFINE, in_plan=False),
        GraphStep("extract", "read", texts.EXTRACT, in_plan=False),
        GraphStep("calculate", "calculate", texts.CALCULATE),
        GraphStep("check", "check", texts.CHECK, in_plan=False),
        GraphStep("explain", "explain", texts.EXPLAIN, in_plan=False),
        GraphStep("draw", "draw", texts.DRAW, in_plan=False),
        GraphStep("assemble", "assemble", texts.ASSEMBLE, in_plan=False),
        GraphStep("quality", "quality", texts.QUALITY),
        GraphStep("heal", "heal", texts.HEAL, in_plan=False),
    ),
    again=2 * (MOST_RETRIEVALS - 1) + MOST_RETRIEVALS - 1 + 3 * MOST_HEALS,
    leads_to=(ELSE,),
)
"""Find figures, calculate with them in code, and show the formula and the cells; else research."""
