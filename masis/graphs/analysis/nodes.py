"""The steps of an analysis. Each takes from the state, calls a building block, returns an update."""

from collections.abc import Sequence
from typing import Final, Literal

from langgraph.runtime import Runtime

from masis.calculating import calculation
from masis.calculating.asked_calculation import Wanted, about
from masis.calculating.calculation import PAIRS, Incomparable
from masis.calculating.found_operands import Group, Operands
from masis.calculating.operands import is_nowhere
from masis.domain import Badge, Calculation, CalculationKind, EvidenceChunk, Figure
from masis.filters import NO_FILTERS, parse
from masis.graphs.analysis import drawing, texts
from masis.graphs.analysis.agents import AnalysisContext, Kept
from masis.graphs.analysis.state import (
    Calculated,
    Checked,
    Computed,
    Explained,
    Extracted,
    Line,
    Recalled,
    Refined,
    Retrieved,
    ToCalculate,
    ToCheck,
    ToExplain,
    ToExtract,
    ToRecall,
    ToRefine,
    ToRetrieve,
    ToUnderstand,
    ToValidate,
    Understood,
    Validated,
)
from masis.graphs.common import made
from masis.run_figures import of_usage
from masis.text.lexical import terms
from masis.text.periods import name, without_periods

SEARCHED: Final = 30
"""Passages of a search: a figure's row is seldom what is nearest to a question."""
SURE: Final = 0.95
"""The confidence of a calculation whose figures are the only ones that can be meant."""
PROBABLE: Final = 0.7
"""That of one whose figures may be others."""
MOST_RETRIEVALS: Final = 3


async def recall(state: ToRecall, runtime: Runtime[AnalysisContext]) -> Recalled:
    """Recall the passages whose figures the thread calculated with, as far as they are asked of."""
    recaller, thread = runtime.context.agents.recaller, state["request"].thread
    _, filters = parse(state["question"].standalone, runtime.context.field_keys)
    if recaller is None or thread is None or filters != NO_FILTERS:
        return {"recalled": [], "trace": [], "figures": {}}
    kept = await recaller.recall(thread, state["workspace_id"])
    recalled = _asked_of(kept, about(state["question"].standalone))
    if not recalled:
        return {"recalled": [], "trace": [], "figures": {}}
    entry = {
        "node": "recall",
        "runs": [each.run_id for each in kept],
        "passages": len(recalled),
        "named": sorted({each.document_id for each in recalled}),
    }
    return {"recalled": recalled, "trace": [entry], "figures": {}}


def _asked_of(kept: Sequence[Kept], asked: frozenset[str]) -> list[EvidenceChunk]:
    """Return the passages of figures that have a word of the question."""
    meant = {
        figure.chunk_id
        for each in kept
        for figure in each.figures
        if asked & frozenset(terms(f"{figure.metric} {figure.entity}"))
    }
    passages = {chunk.chunk_id: chunk for each in kept for chunk in each.passages}
    return [chunk for name_, chunk in passages.items() if name_ in meant]


async def understand(state: ToUnderstand, runtime: Runtime[AnalysisContext]) -> Understood:
    """Tell what is to be calculated, and search for it as it is asked."""
    typed, _ = parse(state["question"].standalone, runtime.context.field_keys)
    found = await runtime.context.agents.understander.understand(typed)
    meant = found.wanted
    entry: dict[str, object] = {
        "node": "understand",
        "kind": meant and meant.kind,
        "of": meant.sides if meant else [],
    }
    return {
        "wanted": meant,
        "display": found.display,
        "queries": [found.display.rest or typed],
        "trace": [entry | _said(found.by_rule)],
        "figures": of_usage(found.usage),
    }


def _said(by_rule: str) -> dict[str, object]:
    """Return why a model that was asked had no say, for the trail."""
    return {"by_rule": by_rule} if by_rule else {}


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
    held |= {chunk.chunk_id for chunk in new}
    recalled = [chunk for chunk in state["recalled"] if chunk.chunk_id not in held]
    evidence = [*state["evidence"], *new, *recalled]
    rest = await agents.tables.beside(evidence)
    # A total of half a table is a wrong one; two of its figures are still what they are.
    left_out = frozenset() if made(state["wanted"]).kind in PAIRS else rest.partial
    kept = [chunk for chunk in evidence if chunk.chunk_id not in left_out]
    entry = {"node": "retrieve", "query": query, "chunks": len(new), "recalled": len(recalled)}
    entry |= {"of_tables": len(rest.passages), "left_out": len(left_out)}
    return {
        "evidence": [*kept, *rest.passages],
        "retrievals": state["retrievals"] + 1,
        "trace": [entry],
        "figures": {},
    }


async def validate(state: ToValidate, runtime: Runtime[AnalysisContext]) -> Validated:
    """Tell whether the evidence holds the figures that are meant, and what it lacks."""
    meant = made(state["wanted"])
    found = drawing.figures_of(meant, state["evidence"])
    is_last = state["retrievals"] >= MOST_RETRIEVALS
    if found is None and is_last and is_nowhere(meant, state["evidence"]):
        found = Operands(groups=[], is_sure=False, lacks=texts.what(meant.sides, meant.periods))
    entry: dict[str, object] = {"node": "validate", "sufficient": is_sufficient(found)}
    entry |= {"search": state["retrievals"]}
    if found is not None and found.lacks:
        entry |= {"lacks": found.lacks, "named": _documents(state["evidence"], _figures(found))}
    return {"operands": found, "trace": [entry], "figures": {}}


def is_sufficient(found: Operands | None) -> bool:
    """Tell whether there is a figure for all that is meant."""
    return found is not None and not found.lacks


async def refine(state: ToRefine, runtime: Runtime[AnalysisContext]) -> Refined:
    """Search for what is calculated alone: first with its periods, then without."""
    meant = made(state["wanted"])
    said = " ".join(without_periods(side) for side in meant.sides)
    periods = " ".join(map(name, meant.periods)) if len(state["queries"]) == 1 else ""
    query = " ".join(f"{said} {periods}".split())
    entry = {"node": "refine", "query": query}
    return {"queries": [*state["queries"], query], "trace": [entry], "figures": {}}


async def extract(state: ToExtract, runtime: Runtime[AnalysisContext]) -> Extracted:
    """Choose the figures that are meant."""
    extractor = runtime.context.agents.extractor
    asked, meant = state["question"].standalone, made(state["wanted"])
    extracted = await extractor.extract(asked, meant, state["evidence"], state["operands"])
    found = extracted.operands
    figures = _figures(found)
    entry: dict[str, object] = {
        "node": "extract",
        "figures": [f"{figure.said} [{figure.chunk_id}]" for figure in figures[: texts.MOST_SAID]],
        "named": _documents(state["evidence"], figures),
        "count": len(figures),
        "sure": bool(found and found.is_sure),
    }
    entry |= _said(extracted.by_rule)
    return {"operands": found, "trace": [entry], "figures": of_usage(extracted.usage)}


async def calculate(state: ToCalculate, runtime: Runtime[AnalysisContext]) -> Calculated:
    """Calculate, or say why that cannot be; what none of the figures stands in is let go."""
    meant, found = made(state["wanted"]), made(state["operands"])
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
    used |= {figure.stated.chunk_id for figure in figures if figure.stated}
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
    is_alone = found.listed or meant.of_change
    kinds = _kinds(meant, found)
    computed: list[Computed] = []
    for group in found.groups:
        done = _of_group(group, kinds, meant)
        if isinstance(done, Incomparable):
            return done
        computed += done
    return _shares(computed) if meant.in_percent and is_alone else computed


def _kinds(meant: Wanted, found: Operands) -> list[CalculationKind]:
    """Return what is calculated of each group, first what is asked for."""
    kind = _kind(meant, found)
    if kind == "list":
        return []
    if found.listed or meant.of_change:
        return [kind]
    if _has_no_percentage(meant, found):
        others = [each for each in meant.also if each not in {"difference", "growth", "cagr"}]
        return ["difference", *others]
    return list(dict.fromkeys([kind, *meant.also, *_in_percent_too(kind, meant)]))


def _kind(meant: Wanted, found: Operands) -> CalculationKind | Literal["list"]:
    is_rank = found.listed or meant.kind == "rank"
    return found.kind or ("sum" if is_rank else meant.kind)


def _has_no_percentage(meant: Wanted, found: Operands) -> bool:
    """Tell whether a change in percent is asked for of figures that have one in amounts alone."""
    kind, groups = _kind(meant, found), found.groups
    if kind == "list" or len(groups) != 1 or found.listed or _is_in_points(groups[0], kind):
        return False
    return calculation.has_no_percentage(kind, groups[0].figures)


def _is_in_points(group: Group, kind: CalculationKind) -> bool:
    """Tell whether a change is one of percentages, which is never told in percent of a percentage."""
    is_percent = all(figure.unit == "%" for figure in group.figures)
    return is_percent and kind in {"growth", "difference"}


def _of_group(
    group: Group, kinds: Sequence[CalculationKind], meant: Wanted
) -> list[Computed] | Incomparable:
    in_points = any(_is_in_points(group, kind) for kind in kinds[:1])
    asked: Sequence[CalculationKind] = ["points"] if in_points else kinds
    # A loss that grew and a profit that grew have no common order of percentages.
    if meant.of_change and "growth" in asked and calculation.begins_below_zero(group.figures):
        return Incomparable(reason=texts.NO_ORDER, inputs=group.figures)
    computed: list[Computed] = []
    for at, kind in enumerate(asked):
        if at and kind == "growth" and calculation.crosses_zero(group.figures):
            continue
        done = calculation.calculate(kind, group.figures, forecasts=meant.forecasts)
        if not isinstance(done, Incomparable):
            computed.append(Computed(label=group.label, series=group.series, calculation=done))
        elif not at:
            return done
    return computed


def _in_percent_too(kind: CalculationKind, meant: Wanted) -> list[CalculationKind]:
    """Return the percentage that people expect beside a change from one time to another."""
    is_change = kind == "difference" and len(meant.sides) == 1 and len(meant.periods) > 1
    return ["growth"] if is_change else []


def _shares(computed: list[Computed]) -> list[Computed]:
    """Return the figures of one time as shares of their sum; as they are where that says nothing."""
    figures = [each.calculation.inputs[0] for each in computed]
    is_plain = all(len(each.calculation.inputs) == 1 and not each.series for each in computed)
    is_one_time = len({figure.period for figure in figures}) == 1
    if not (is_plain and is_one_time and len(computed) > 1):
        return computed
    whole = calculation.worked_out("sum", figures, texts.ALL, figures[0].period)
    done = [calculation.calculate("share", [figure, whole]) for figure in figures if whole]
    made = [each for each in done if not isinstance(each, Incomparable)]
    if len(made) < len(computed):
        return computed
    return [each.model_copy(update={"calculation": share}) for each, share in zip(computed, made, strict=True)]  # fmt: skip


async def check(state: ToCheck, runtime: Runtime[AnalysisContext]) -> Checked:
    """Calculate anew from the figures as they stand in their passages, and say how sure it is."""
    held = [each for each in state["computed"] if calculation.holds(each.calculation, state["evidence"])]  # fmt: skip
    whole = len(held) == len(state["computed"])
    entry = {"node": "check", "held": len(held), "of": len(state["computed"])}
    is_other = made(state["wanted"]).in_percent and not any(each.calculation.unit in {"%", "points"} for each in held)  # fmt: skip
    badge = _badge(made(state["operands"]), state["refusal"], is_other=is_other) if whole else None
    if badge is not None and state["refusal"] is None and _doubt(made(state["operands"]), held):
        badge = Badge(level="Medium", confidence=PROBABLE, note=texts.SCALE_DOUBT)
    return {
        "computed": held if whole else [],
        "badge": badge,
        "trace": [entry],
        "figures": {},
    }


async def explain(state: ToExplain, runtime: Runtime[AnalysisContext]) -> Explained:
    """Write the result with its formula and the figures as they stand in the documents."""
    meant, found = made(state["wanted"]), made(state["operands"])
    if state["refusal"] is not None:
        lines = _refusal(state["refusal"], _figures(found))
    else:
        lines = _results(meant, found, state["computed"])
        lines += _without_percentage(meant, found)
        lines += _scales(found, state["computed"])
    explainer = runtime.context.agents.explainer
    explained = await explainer.explain(
        state["question"].standalone, lines, state["computed"], state["evidence"]
    )
    entry: dict[str, object] = {"node": "explain", "lines": len(explained.lines)}
    entry |= {"written": "by a model"} if explained.written else {}
    entry |= _said(explained.by_rule)
    return {
        "lines": explained.lines,
        "written": explained.written,
        "trace": [entry],
        "figures": of_usage(explained.usage),
    }


def _without_percentage(meant: Wanted, found: Operands) -> list[Line]:
    """Say why a change that is asked for in percent is told as an amount."""
    if not _has_no_percentage(meant, found):
        return []
    _, then = found.groups[0].figures
    return [Line(text=texts.no_percentage(then), kind="said", own=True)]


_WITHOUT_SCALE: Final = frozenset({"growth", "points", "share", "ratio", "cagr", "count"})
"""Kinds whose results are the same in any scale of their figures."""


def _doubt(found: Operands, computed: Sequence[Computed]) -> str:
    """Return what a document says of a scale that the figures may have, where the result hangs on it."""
    if computed and all(each.calculation.kind in _WITHOUT_SCALE for each in computed):
        return ""
    return next((each.doubt for each in _figures(found) if each.doubt and each.scale == 1), "")


def _scales(found: Operands, computed: Sequence[Computed]) -> list[Line]:
    """Say where the figures' scale stands, or that it cannot be told."""
    if doubt := _doubt(found, computed):
        return [Line(text=texts.scale_doubt(doubt), kind="said", own=True)]
    stated = {
        (each.stated, each.scale): each
        for each in _figures(found)
        if each.stated and each.scale in texts.SCALES
    }
    return [
        Line(
            text=texts.scale_line(note, scale, f"[{note.chunk_id or each.chunk_id}]"), kind="input"
        )
        for (note, scale), each in list(stated.items())[: texts.MOST_SCALES]
        if note is not None
    ]


# --- what they share ---------------------------------------------------------------------------


def _badge(found: Operands, refusal: Incomparable | None, *, is_other: bool) -> Badge:
    if refusal is not None:
        return Badge(level="Medium", confidence=PROBABLE, note=texts.REFUSED)
    if is_other:
        return Badge(level="Medium", confidence=PROBABLE, note=texts.NOT_IN_PERCENT)
    if found.is_sure:
        return Badge(level="High", confidence=SURE)
    return Badge(level="Medium", confidence=PROBABLE, note=texts.INFERRED)


def _figures(found: Operands | None) -> list[Figure]:
    """Return the figures as they stand in documents, those that others come of among them."""
    figures = [figure for group in found.groups for figure in group.figures] if found else []
    return [leaf for figure in figures for leaf in figure.leaves]


def _documents(evidence: Sequence[EvidenceChunk], figures: Sequence[Figure]) -> list[str]:
    """Return the documents that a step tells of: when one is deleted, its words go with it."""
    used = {figure.chunk_id for figure in figures}
    return sorted({chunk.document_id for chunk in evidence if chunk.chunk_id in used})


def _refusal(refusal: Incomparable, figures: Sequence[Figure]) -> list[Line]:
    said = Line(text=texts.cannot(refusal, _cited(figures)), kind="result", own=True)
    return [said, *_inputs(figures)]


def _results(meant: Wanted, found: Operands, computed: Sequence[Computed]) -> list[Line]:
    if found.listed:
        return drawing.listed_lines(computed)
    if not computed:
        return [line for group in found.groups for line in _inputs(group.figures)]
    if meant.kind == "rank" or len(found.groups) > 1:
        said = [
            texts.place(at, each.label, each.calculation, _cited(each.calculation.inputs))
            for at, each in enumerate(computed, 1)
        ]
        return [Line(text=each, kind="result") for each in said]
    first = computed[0].calculation
    are_few = len(first.inputs) <= texts.MOST_SAID and first.kind != "count"
    percent = next(
        (each.calculation for each in computed[1:] if each.calculation.kind == "growth"), None
    )
    said = [
        _result(each.calculation, found, percent if each is computed[0] else None)
        for each in computed
    ]
    return [
        *(Line(text=each, kind="result") for each in said),
        *(_inputs(first.inputs) if are_few else _counted(first, found)),
    ]


def _result(done: Calculation, found: Operands, percent: Calculation | None = None) -> str:
    cited = _cited(done.inputs)
    if done.kind == "count":
        return texts.number(done, found.among, cited)
    if done.kind in {"minimum", "maximum"}:
        best = [each for each in done.inputs if each.amount == done.result]
        return texts.extreme(done, _cited(best[:1]))
    return texts.result(done, cited, percent)


def _counted(done: Calculation, found: Operands) -> list[Line]:
    if done.kind == "count":
        rows = [texts.row_line(each, _cited([each])) for each in done.inputs[: texts.MOST_ROWS]]
    else:
        rows = [
            f"{texts.counted(done.inputs, found.among)} {_cited(done.inputs, texts.MOST_CITED)}"
        ]
    return [Line(text=each, kind="input") for each in rows]


def _inputs(figures: Sequence[Figure]) -> list[Line]:
    said = {(figure.said, figure.chunk_id, str(figure.period)): figure for figure in figures}
    return [
        Line(text=texts.input_line(figure, _cited([figure])), kind="input")
        for figure in said.values()
    ]


def _cited(figures: Sequence[Figure], most: int | None = None) -> str:
    """Cite the passages that figures stand in, the first of them where they are many."""
    leaves = [leaf for figure in figures for leaf in figure.leaves]
    names = list(dict.fromkeys(leaf.chunk_id for leaf in leaves))
    return "".join(f"[{name}]" for name in names[:most])
