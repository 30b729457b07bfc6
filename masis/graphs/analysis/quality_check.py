"""The last steps of an analysis: put the answer together, check it, and leave out what does not hold."""

from collections.abc import Sequence
from typing import Final

from langgraph.runtime import Runtime

from masis.answering import citations
from masis.calculating.charts.charting import faults as chart_faults
from masis.calculating.found_operands import Operands
from masis.domain import Badge, Calculation, CitationAudit
from masis.graphs.analysis import drawing, texts
from masis.graphs.analysis.agents import AnalysisContext, Verdict
from masis.graphs.analysis.state import (
    Assembled,
    Computed,
    Fault,
    Healed,
    Judged,
    Line,
    ToAssemble,
    ToHeal,
    ToQuality,
)
from masis.run_figures import of_usage

MOST_HEALS: Final = 2
"""Times that an answer is mended before it is given up."""
DOUBTED: Final = 0.7
"""The most that an answer can be whose result was doubted when it was looked over."""


async def assemble(state: ToAssemble, runtime: Runtime[AnalysisContext]) -> Assembled:
    """Put the lines together."""
    draft = "\n".join(line.text for line in state["lines"])
    entry = {
        "node": "assemble",
        "answer_length": len(draft),
        "charts": len(state["charts"]),
        "tables": len(state["tables"]),
    }
    return {"draft": draft, "trace": [entry], "figures": {}}


async def quality(state: ToQuality, runtime: Runtime[AnalysisContext]) -> Judged:
    """Hold the answer against its sources, its calculations and its figures; then have it looked over."""
    asked, done = state["question"].standalone, _logged(state["operands"], state["computed"])
    audit = citations.audit(state["draft"] or "", state["evidence"], asked, calculations=done)
    audit = without_own_words(audit, state["lines"])
    found = [*_of_lines(state["lines"], audit), *_of_drawings(state)]
    verdict = Verdict()
    if state["badge"] is not None and not (found or is_unsound(audit)):
        verdict = await runtime.context.agents.checker.check(asked, state["lines"])
    results = {line.text for line in state["lines"] if line.kind == "result"}
    doubts = [each for each in verdict.faults if each.line in results]
    faults = [*found, *(each for each in verdict.faults if each.line not in results)]
    entry: dict[str, object] = {
        "node": "quality",
        "claims": audit.claims,
        "unsupported": len(audit.unsupported),
        "faults": [each.why for each in (*faults, *doubts)],
        "heals": state["heals"],
        "named": sorted({chunk.document_id for chunk in state["evidence"]}),
    }
    entry |= {"by_rule": verdict.by_rule} if verdict.by_rule else {}
    badge = _judged(state["badge"], audit, doubts, state["heals"])
    return {
        "audit": audit,
        "badge": badge,
        "faults": faults,
        "trace": [entry],
        "figures": of_usage(verdict.usage),
    }


def without_own_words(audit: CitationAudit, lines: Sequence[Line]) -> CitationAudit:
    """Return an audit without what code says of the answer itself: a refusal claims nothing."""
    own_words = "\n".join(line.text for line in lines if line.own)
    claims = [each for each in audit.uncited if each not in own_words]
    own = len(audit.uncited) - len(claims)
    return audit.model_copy(update={"uncited": claims, "claims": audit.claims - own})


def is_unsound(audit: CitationAudit | None) -> bool:
    """Tell whether an answer says what its sources do not."""
    return audit is not None and bool(audit.unsupported or audit.invalid)


def _judged(
    badge: Badge | None, audit: CitationAudit, doubts: Sequence[Fault], heals: int
) -> Badge | None:
    """Lower the badge of what does not hold and cannot be mended any more, or of a doubted result."""
    if badge is None:
        return None
    if is_unsound(audit) and heals >= MOST_HEALS:
        return Badge(level="Low", confidence=0.0, note=citations.summary(audit))
    if doubts and badge.level == "High":
        return Badge(level="Medium", confidence=DOUBTED, note=texts.DOUBTED)
    return badge


def _of_lines(lines: Sequence[Line], audit: CitationAudit) -> list[Fault]:
    """Return the lines that say what their source does not, or cite what there is not."""
    return [Fault(line=line.text, why=why) for line in lines if (why := _offence(line.text, audit))]


def _offence(line: str, audit: CitationAudit) -> str:
    plain = line.removeprefix("- ")
    unborne = (
        claim.fault
        for claim in audit.unsupported
        if claim.sentence and plain.startswith(claim.sentence)
    )
    invented = (name for name in audit.invalid if f"[{name}]" in line)
    return next(iter([*unborne, *invented]), "")


def _of_drawings(state: ToQuality) -> list[Fault]:
    """Return what is wrong with a chart: its form, or a point that no figure bears out."""
    labelled = drawing.labelled(state["computed"], state["operands"])
    return [
        Fault(of="drawing", why=fault)
        for chart in state["charts"]
        for fault in chart_faults(chart, labelled, state["evidence"])
    ]


def _logged(found: Operands | None, computed: Sequence[Computed]) -> list[Calculation]:
    """Return every calculation that was done, those of figures that are shown as they come out too."""
    figures = [figure for group in found.groups for figure in group.figures] if found else []
    worked = [figure.worked for figure in figures if figure.worked]
    return [*(each.calculation for each in computed), *worked]


async def heal(state: ToHeal, runtime: Runtime[AnalysisContext]) -> Healed:
    """Leave out what is at fault, the second time all but the results, which are never left out."""
    heals = state["heals"] + 1
    is_last = heals >= MOST_HEALS
    wrong = {each.line for each in state["faults"] if each.of == "line"}
    lines = [
        line
        for line in state["lines"]
        if line.kind == "result" or not (is_last or line.text in wrong)
    ]
    left_out = len(state["lines"]) - len(lines)
    if left_out and texts.LEFT_OUT not in {line.text for line in lines}:
        lines.append(Line(text=texts.LEFT_OUT, kind="result", own=True))
    is_misdrawn = any(each.of == "drawing" for each in state["faults"])
    drops = bool(state["charts"] or state["tables"]) and (is_last or is_misdrawn)
    entry = {"node": "heal", "heals": heals, "left_out": left_out, "undrawn": drops}
    return {
        "lines": lines,
        "charts": [] if drops else state["charts"],
        "tables": [] if drops else state["tables"],
        "undrawn": [*state["undrawn"], texts.UNDRAWN] if drops else state["undrawn"],
        "heals": heals,
        "trace": [entry],
        "figures": {},
    }
