"""The steps of an analysis. Each takes from the state, calls a building block, returns an update."""

from collections.abc import Sequence
from typing import Final, TypeVar

from langgraph.runtime import Runtime

from masis.answering import citations
from masis.calculating import calculation
from masis.calculating.asked_calculation import Wanted
from masis.calculating.calculation import PAIRS, Incomparable
from masis.calculating.charts.asked_display import asked_display
from masis.calculating.charts.listed_figures import meant_by
from masis.calculating.found_operands import Operands
from masis.calculating.operands import is_nowhere
from masis.domain import Badge, Calculation, CitationAudit, EvidenceChunk, Figure
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
    Healed,
    Refined,
    Retrieved,
    ToAssemble,
    ToCalculate,
    ToCheck,
    ToExplain,
    ToExtract,
    ToHeal,
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
MOST_HEALS: Final = 2
"""Times that an answer is mended before it is given up."""

Made = TypeVar("Made")


async def understand(state: ToUnderstand, runtime: Runtime[AnalysisContext]) -> Understood:
    """Tell what is to be calculated, and search for it as it is asked."""
    typed, _ = parse(state["question"].standalone, runtime.context.field_keys)
    display = asked_display(typed)
    meant = meant_by(typed, display)
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
    meant = _made(state["wanted"])
    found = drawing.figures_of(meant, state["evidence"])
    is_last = len(state["queries"]) >= MOST_RETRIEVALS
    if found is None and is_last and is_nowhere(meant, state["evidence"]):
        found = Operands(groups=[], is_sure=False, lacks=texts.what(meant.sides, meant.periods))
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
    refusal = _refused(meant, found)
    done = [] if refusal else _calculated(meant, found)
    refusal = done if isinstance(done, Incomparable) else refusal
    computed = [] if isinstance(done, Incomparable) else done
    if (meant.kind == "rank" or meant.of_change) and not found.listed:
        computed.sort(key=lambda each: each.calculation.result, reverse=not meant.lowest)
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


def _refused(meant: Wanted, found: Operands) -> Incomparable | None:
    """Return why the figures cannot give what is asked for, whatever they are set against."""
    figures = [figure for group in found.groups for figure in group.figures]
    if found.lacks:
        return Incomparable(reason=texts.lacking(found.lacks), inputs=figures)
    if meant.money and not found.is_money and meant.kind != "count":
        return Incomparable(reason=texts.NO_MONEY, inputs=figures[: texts.MOST_SAID])
    return None


def _calculated(meant: Wanted, found: Operands) -> list[Computed] | Incomparable:
    """Return what comes of each group of figures, or why one of them cannot be calculated with."""
    is_rank = found.listed or meant.kind == "rank"
    kind = found.kind or ("sum" if is_rank else meant.kind)
    is_alone = found.listed or meant.of_change
    kinds = [] if kind == "list" else [kind, *([] if is_alone else meant.also)]
    computed: list[Computed] = []
    for group in found.groups:
        for each in kinds:
            done = calculation.calculate(each, group.figures, forecasts=meant.forecasts)
            if isinstance(done, Incomparable) and each == kind:
                return done
            if not isinstance(done, Incomparable):
                computed.append(Computed(label=group.label, series=group.series, calculation=done))
    return computed


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
    done = _logged(state["operands"], state["computed"])
    audit = citations.audit(
        state["draft"] or "", state["evidence"], state["question"].standalone, calculations=done
    )
    badge = state["badge"]
    unsound = bool(audit.unsupported or audit.invalid)
    if badge is not None and unsound and state["heals"] >= MOST_HEALS:
        badge = Badge(level="Low", confidence=0.0, note=citations.summary(audit))
    entry = {"node": "assemble", "claims": audit.claims, "unsupported": len(audit.unsupported)}
    return {"audit": audit, "badge": badge, "trace": [entry], "figures": {}}


async def heal(state: ToHeal, runtime: Runtime[AnalysisContext]) -> Healed:
    """Leave out the lines that their sources do not bear out; without its result nothing is left."""
    audit = _made(state["audit"])
    lines = (state["draft"] or "").splitlines()
    kept = [line for line in lines if not _offends(line, audit)]
    is_whole = bool(kept) and kept[0] == lines[0]
    # What was left out is said; an answer without its result is none.
    heals = state["heals"] + 1 if is_whole else MOST_HEALS
    said = kept if not is_whole or texts.LEFT_OUT in kept else [*kept, texts.LEFT_OUT]
    entry = {"node": "heal", "left_out": len(lines) - len(kept)}
    draft = "\n".join(said if is_whole else lines)
    return {"draft": draft, "heals": heals, "trace": [entry], "figures": {}}


def _offends(line: str, audit: CitationAudit) -> bool:
    """Tell whether a line says what its source does not, or cites what there is not."""
    plain = line.removeprefix("- ")
    unsound = any(
        claim.sentence and plain.startswith(claim.sentence) for claim in audit.unsupported
    )
    return unsound or any(f"[{name}]" in line for name in audit.invalid)


# --- what they share ---------------------------------------------------------------------------


def _badge(found: Operands, refusal: Incomparable | None) -> Badge:
    if refusal is not None:
        return Badge(level="Medium", confidence=PROBABLE, note=texts.REFUSED)
    if found.is_sure:
        return Badge(level="High", confidence=SURE)
    return Badge(level="Medium", confidence=PROBABLE, note=texts.INFERRED)


def _figures(found: Operands | None) -> list[Figure]:
    """Return the figures as they stand in documents, those that others come of among them."""
    figures = [figure for group in found.groups for figure in group.figures] if found else []
    return [leaf for figure in figures for leaf in figure.leaves]


def _logged(found: Operands | None, computed: Sequence[Computed]) -> list[Calculation]:
    """Return every calculation that was done, those of figures that are shown as they come out too."""
    figures = [figure for group in found.groups for figure in group.figures] if found else []
    worked = [figure.worked for figure in figures if figure.worked]
    return [*(each.calculation for each in computed), *worked]


def _documents(evidence: Sequence[EvidenceChunk], figures: Sequence[Figure]) -> list[str]:
    """Return the documents that a step tells of: when one is deleted, its words go with it."""
    used = {figure.chunk_id for figure in figures}
    return sorted({chunk.document_id for chunk in evidence if chunk.chunk_id in used})


def _results(meant: Wanted, found: Operands, computed: Sequence[Computed]) -> list[str]:
    if found.listed:
        return list(drawing.listed_lines(computed))
    if not computed:
        return [line for group in found.groups for line in _inputs(group.figures)]
    if meant.kind == "rank" or len(found.groups) > 1:
        return [
            texts.place(at, each.label, each.calculation, _cited(each.calculation.inputs))
            for at, each in enumerate(computed, 1)
        ]
    lines = [_result(each.calculation, found) for each in computed]
    inputs = computed[0].calculation.inputs
    are_few = len(inputs) <= texts.MOST_SAID and computed[0].calculation.kind != "count"
    return [*lines, *(_inputs(inputs) if are_few else _counted(computed[0].calculation, found))]


def _result(done: Calculation, found: Operands) -> str:
    if done.kind == "count":
        return texts.number(done, found.among, _cited(done.inputs))
    say = texts.extreme if done.kind in {"minimum", "maximum"} else texts.result
    return say(done, _cited(done.inputs))


def _counted(done: Calculation, found: Operands) -> list[str]:
    if done.kind == "count":
        return [texts.row_line(each, _cited([each])) for each in done.inputs[: texts.MOST_ROWS]]
    return [f"{texts.counted(done.inputs, found.among)} {_cited(done.inputs)}"]


def _inputs(figures: Sequence[Figure]) -> list[str]:
    said = {(figure.said, figure.chunk_id, str(figure.period)): figure for figure in figures}
    return [texts.input_line(figure, _cited([figure])) for figure in said.values()]


def _cited(figures: Sequence[Figure]) -> str:
    leaves = [leaf for figure in figures for leaf in figure.leaves]
    return "".join(f"[{name}]" for name in dict.fromkeys(leaf.chunk_id for leaf in leaves))


def _made(value: Made | None) -> Made:
    assert value is not None  # noqa: S101 - made by a node before
    return value
