"""The steps of an analysis. Each takes from the state, calls a building block, returns an update."""

from collections.abc import Sequence
from typing import Final, TypeVar

from langgraph.runtime import Runtime

from masis.answering import calculation, citations
from masis.answering.asked_calculation import Wanted
from masis.answering.asked_display import asked_display
from masis.answering.calculation import PAIRS, Incomparable
from masis.answering.listed_figures import meant_by
from masis.answering.operands import Operands
from masis.domain import Badge, Calculation, EvidenceChunk, Figure
from masis.filters import parse
from masis.graphs.analysis import drawing, texts
from masis.graphs.analysis.agents import AnalysisContext
from masis.graphs.analysis.state import (
    Assembled,
    Calculated,
    Checked,
    Computed,
    Explained,
    Extracted,
    Refined,
    Retrieved,
    ToAssemble,
    ToCalculate,
    ToCheck,
    ToExplain,
    ToExtract,
    ToRefine,
    ToRetrieve,
    ToUnderstand,
    Understood,
)
from masis.text.periods import name, without_periods

SEARCHED: Final = 30
"""Passages of a search: a figure's row is seldom what is nearest to a question."""
SURE: Final = 0.95
"""The confidence of a calculation whose figures are the only ones that can be meant."""
PROBABLE: Final = 0.7
"""That of one whose figures may be others."""
MOST_RETRIEVALS: Final = 3

Made = TypeVar("Made")


async def understand(state: ToUnderstand, runtime: Runtime[AnalysisContext]) -> Understood:
    """Tell what is to be calculated, and search for it as it is asked."""
    typed, _ = parse(state["question"].standalone, runtime.context.field_keys)
    display = asked_display(typed)
    meant = meant_by(display)
    entry = {"node": "understand", "kind": meant and meant.kind, "of": meant.sides if meant else []}
    return {
        "wanted": meant,
        "display": display,
        "queries": [display.rest or typed],
        "trace": [entry],
        "figures": {},
    }


async def retrieve(state: ToRetrieve, runtime: Runtime[AnalysisContext]) -> Retrieved:
    """Search by the last query, beside what earlier ones brought, and read its tables to the end."""
    agents = runtime.context.agents
    filters = parse(state["question"].standalone, runtime.context.field_keys).filters
    query = state["queries"][-1]
    found = await agents.finder.search(
        state["workspace_id"], query, limit=SEARCHED, question=query, filters=filters
    )
    held = {chunk.chunk_id for chunk in state["evidence"]}
    new = [chunk for chunk in found.candidates if chunk.chunk_id not in held]
    evidence = [*state["evidence"], *new]
    rest = await agents.tables.beside(evidence)
    # A total of half a table is a wrong one; two of its figures are still what they are.
    left_out = frozenset() if _made(state["wanted"]).kind in PAIRS else rest.partial
    kept = [chunk for chunk in evidence if chunk.chunk_id not in left_out]
    entry = {"node": "retrieve", "query": query, "chunks": len(new)}
    entry |= {"of_tables": len(rest.passages), "left_out": len(left_out)}
    return {"evidence": [*kept, *rest.passages], "trace": [entry], "figures": {}}


async def refine(state: ToRefine, runtime: Runtime[AnalysisContext]) -> Refined:
    """Search for what is calculated alone: first with its periods, then without."""
    meant = _made(state["wanted"])
    about = " ".join(without_periods(side) for side in meant.sides)
    periods = " ".join(map(name, meant.periods)) if len(state["queries"]) == 1 else ""
    query = " ".join(f"{about} {periods}".split())
    entry = {"node": "refine", "query": query}
    return {"queries": [*state["queries"], query], "trace": [entry], "figures": {}}


async def extract(state: ToExtract, runtime: Runtime[AnalysisContext]) -> Extracted:
    """Read the figures that are meant."""
    found = drawing.figures_of(_made(state["wanted"]), state["evidence"])
    figures = _figures(found)
    entry = {
        "node": "extract",
        "figures": [f"{figure.said} [{figure.chunk_id}]" for figure in figures[: texts.MOST_SAID]],
        "named": _documents(state["evidence"], figures),
        "count": len(figures),
        "sure": bool(found and found.is_sure),
    }
    return {"operands": found, "trace": [entry], "figures": {}}


async def calculate(state: ToCalculate, runtime: Runtime[AnalysisContext]) -> Calculated:
    """Calculate, or say why that cannot be; what none of the figures stands in is let go."""
    meant, found = _made(state["wanted"]), _made(state["operands"])
    computed: list[Computed] = []
    refusal: Incomparable | None = None
    kind = "sum" if meant.kind == "rank" else meant.kind
    for group in found.groups:
        done = calculation.calculate(kind, group.figures, forecasts=meant.forecasts)
        if isinstance(done, Incomparable):
            computed, refusal = [], done
            break
        computed.append(Computed(label=group.label, series=group.series, calculation=done))
    if meant.kind == "rank" and not meant.listed:
        computed.sort(key=lambda each: -each.calculation.result)
        computed = computed[: meant.top or len(computed)]
    logged = [calculation.stated(each.calculation) for each in computed]
    figures = _figures(found)
    entry = {"node": "calculate", "calculations": logged, "refused": refusal and refusal.reason}
    entry["named"] = _documents(state["evidence"], figures)
    used = {figure.chunk_id for figure in figures}
    return {
        "evidence": [chunk for chunk in state["evidence"] if chunk.chunk_id in used],
        "computed": computed,
        "refusal": refusal,
        "trace": [entry],
        "figures": {},
    }


async def check(state: ToCheck, runtime: Runtime[AnalysisContext]) -> Checked:
    """Calculate anew from the figures as they stand in their passages, and say how sure it is."""
    held = [each for each in state["computed"] if calculation.holds(each.calculation, state["evidence"])]  # fmt: skip
    whole = len(held) == len(state["computed"])
    entry = {"node": "check", "held": len(held), "of": len(state["computed"])}
    badge = _badge(_made(state["operands"]), state["refusal"]) if whole else None
    return {
        "computed": held if whole else [],
        "badge": badge,
        "trace": [entry],
        "figures": {},
    }


async def explain(state: ToExplain, runtime: Runtime[AnalysisContext]) -> Explained:
    """Write the result with its formula and the figures as they stand in the documents."""
    meant, found = _made(state["wanted"]), _made(state["operands"])
    figures = _figures(found)
    if state["refusal"] is not None:
        lines = [texts.cannot(state["refusal"], _cited(figures)), *_inputs(figures)]
    else:
        lines = _results(meant, found, state["computed"])
    draft = "\n".join(lines)
    entry = {"node": "explain", "answer_length": len(draft)}
    return {"draft": draft, "trace": [entry], "figures": {}}


async def assemble(state: ToAssemble, runtime: Runtime[AnalysisContext]) -> Assembled:
    """Hold the answer against its sources and its calculations; what does not hold lowers the badge."""
    done = [each.calculation for each in state["computed"]]
    audit = citations.audit(
        state["draft"] or "", state["evidence"], state["question"].standalone, calculations=done
    )
    badge = state["badge"]
    if badge is not None and (audit.unsupported or audit.invalid):
        badge = Badge(level="Low", confidence=0.0, note=citations.summary(audit))
    entry = {"node": "assemble", "claims": audit.claims, "unsupported": len(audit.unsupported)}
    return {"audit": audit, "badge": badge, "trace": [entry], "figures": {}}


# --- what they share ---------------------------------------------------------------------------


def _badge(found: Operands, refusal: Incomparable | None) -> Badge:
    if refusal is not None:
        return Badge(level="Medium", confidence=PROBABLE, note=texts.REFUSED)
    if found.is_sure:
        return Badge(level="High", confidence=SURE)
    return Badge(level="Medium", confidence=PROBABLE, note=texts.INFERRED)


def _figures(found: Operands | None) -> list[Figure]:
    return [figure for group in found.groups for figure in group.figures] if found else []


def _documents(evidence: Sequence[EvidenceChunk], figures: Sequence[Figure]) -> list[str]:
    """Return the documents that a step tells of: when one is deleted, its words go with it."""
    used = {figure.chunk_id for figure in figures}
    return sorted({chunk.document_id for chunk in evidence if chunk.chunk_id in used})


def _results(meant: Wanted, found: Operands, computed: Sequence[Computed]) -> list[str]:
    if meant.listed:
        return list(drawing.listed_lines(computed))
    if meant.kind == "rank":
        return [
            texts.place(at, each.label, each.calculation, _cited(each.calculation.inputs))
            for at, each in enumerate(computed, 1)
        ]
    lines = []
    for each in computed:
        done = each.calculation
        say = texts.extreme if done.kind in {"minimum", "maximum"} else texts.result
        lines.append(say(done, _cited(done.inputs)))
        lines += _inputs(done.inputs) if len(done.inputs) <= texts.MOST_SAID else _counted(done, found)  # fmt: skip
    return lines


def _counted(done: Calculation, found: Operands) -> list[str]:
    return [f"{texts.counted(done.inputs, found.among)} {_cited(done.inputs)}"]


def _inputs(figures: Sequence[Figure]) -> list[str]:
    said = {(figure.said, figure.chunk_id): figure for figure in figures}
    return [texts.input_line(figure, _cited([figure])) for figure in said.values()]


def _cited(figures: Sequence[Figure]) -> str:
    return "".join(f"[{name}]" for name in dict.fromkeys(f.chunk_id for f in figures))


def _made(value: Made | None) -> Made:
    assert value is not None  # noqa: S101 - made by a node before
    return value
