"""The graph's agents without a model service: rules read, choose and say; they never guess."""

from collections.abc import Sequence

from masis.calculating.asked_calculation import Wanted
from masis.calculating.charts.asked_display import asked_display
from masis.calculating.charts.listed_figures import meant_by
from masis.calculating.found_operands import Operands
from masis.domain import EvidenceChunk
from masis.graphs.analysis.agents import (
    AnalysisAgents,
    Explanation,
    Extraction,
    Finder,
    Recaller,
    TableAsker,
    TableRest,
    Understanding,
    Verdict,
)
from masis.graphs.analysis.state import Computed, Line


class RuleUnderstander:
    """Reads a question by the grammar of calculations."""

    async def understand(self, question: str) -> Understanding:
        """Return what the grammar reads."""
        display = asked_display(question)
        return Understanding(wanted=meant_by(question, display), display=display)


class RuleExtractor:
    """Takes the figures whose words are those of the question."""

    async def extract(
        self,
        question: str,  # what is wanted says it
        wanted: Wanted,  # the figures were found by it
        evidence: Sequence[EvidenceChunk],  # the figures stand in it
        found: Operands | None,
    ) -> Extraction:
        """Return what was found by words."""
        return Extraction(operands=found)


class RuleExplainer:
    """Leaves it at the results with their formulas."""

    async def explain(
        self,
        question: str,  # the lines answer it
        lines: Sequence[Line],
        computed: Sequence[Computed],  # the lines have them
        evidence: Sequence[EvidenceChunk],  # the lines cite it
    ) -> Explanation:
        """Return the lines as they are."""
        return Explanation(lines=list(lines))


class RuleChecker:
    """Knows no fault that the audit of the citations and of the charts does not find."""

    async def check(
        self,
        question: str,  # a rule cannot tell what belongs to it
        lines: Sequence[Line],
    ) -> Verdict:
        """Return no fault."""
        return Verdict()


def by_rule(
    finder: Finder,
    tables: TableRest,
    *,
    asking: TableAsker | None = None,
    recaller: Recaller | None = None,
) -> AnalysisAgents:
    """Return the agents that need no model."""
    return AnalysisAgents(
        finder=finder,
        tables=tables,
        understander=RuleUnderstander(),
        extractor=RuleExtractor(),
        explainer=RuleExplainer(),
        checker=RuleChecker(),
        asking=asking,
        recaller=recaller,
    )
