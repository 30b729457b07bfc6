"""The step of an analysis that draws: what was asked for as a chart or a table, and what it shows better."""

from collections.abc import Sequence
from typing import Final

from langgraph.runtime import Runtime

from masis.calculating.asked_calculation import AskedKind, Wanted
from masis.calculating.calculation import calculate
from masis.calculating.charts.asked_display import Display
from masis.calculating.charts.charting import Labelled, drawn
from masis.calculating.charts.listed_figures import listed_figures
from masis.calculating.found_operands import Operands
from masis.calculating.operands import operands
from masis.domain import Calculation, EvidenceChunk
from masis.graphs.analysis import texts
from masis.graphs.analysis.agents import AnalysisContext
from masis.graphs.analysis.state import Computed, Drawn, Line, ToDraw

MOST_TOLD: Final = 12
"""Figures that are told in words beside a chart; of more the ends are."""
TITLE_CHARS: Final = 80


def figures_of(meant: Wanted, evidence: Sequence[EvidenceChunk]) -> Operands | None:
    """Return the figures that are meant; where a list of them is not there, a calculation's."""
    listed = listed_figures(meant.listing, evidence) if meant.listing else None
    return listed or operands(meant, evidence)


def listed_lines(computed: Sequence[Computed]) -> list[Line]:
    """Return a line for each figure, or where they are many for the lowest and the highest."""
    if len(computed) <= MOST_TOLD:
        return [_listed(each) for each in computed]
    ends = sorted(computed, key=lambda each: each.calculation.result)
    lead = Line(text=texts.ends(len(computed)), kind="result", own=True)
    return [lead, _listed(ends[0]), _listed(ends[-1])]


def _listed(each: Computed) -> Line:
    label = f"{each.series}, {each.label}" if each.series else each.label
    cited = "".join(f"[{name}]" for name in dict.fromkeys(f.chunk_id for f in each.calculation.inputs))  # fmt: skip
    return Line(text=texts.listed(label, each.calculation, cited), kind="result")


async def draw(state: ToDraw, runtime: Runtime[AnalysisContext]) -> Drawn:
    """Draw what was asked for, or shows more than words; a chart that does not hold is left out."""
    meant, display = state["wanted"], state["display"]
    found = state["operands"]
    if meant is None or display is None or found is None or state["refusal"] is not None:
        return {"charts": [], "tables": [], "undrawn": [], "trace": [], "figures": {}}
    kind: AskedKind = "rank" if found.listed else meant.kind
    points = labelled(state["computed"], found)
    made = drawn(display, kind, points, state["evidence"], _title(display, meant))
    entry = {
        "node": "draw",
        "charts": [f"{chart.kind} of {len(chart.categories)}" for chart in made.charts],
        "tables": [f"{table.total_rows} rows" for table in made.tables],
        "left_out": made.notes,
    }
    return {
        "charts": made.charts,
        "tables": made.tables,
        "undrawn": made.notes,
        "trace": [entry],
        "figures": {},
    }


def labelled(computed: Sequence[Computed], found: Operands | None) -> list[Labelled]:
    """Return what can be drawn: what was calculated, else the figures as they stand."""
    done = [Labelled(each.label, each.calculation, each.series) for each in computed]
    return done or (_as_they_stand(found) if found else [])


def _as_they_stand(found: Operands) -> list[Labelled]:
    """Return figures that nothing was calculated of as the calculation that they could all be put in."""
    figures = [figure for group in found.groups for figure in group.figures]
    done = calculate("rank", figures, forecasts=True) if figures else None
    return [Labelled("", done)] if isinstance(done, Calculation) else []


def _title(display: Display, meant: Wanted) -> str:
    said = " ".join(display.rest.split()).strip(" ?.!,;:") or " ".join(meant.sides)
    said = said[:1].upper() + said[1:]
    return said if len(said) <= TITLE_CHARS else f"{said[: TITLE_CHARS - 1].rstrip()}…"
