"""Define what the analysis graph's agents can do."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from masis.calculating.asked_calculation import Wanted
from masis.calculating.charts.asked_display import Display
from masis.calculating.found_operands import Operands
from masis.conversation import Spot
from masis.domain import EvidenceChunk, Figure, SearchResult, Usage, Value, WorkspaceId
from masis.filters import NO_FILTERS, Filters
from masis.graphs.analysis.state import Computed, Fault, Line
from masis.graphs.common import Context
from masis.tables.asking import TableAnswer


class Finder(Protocol):
    """Finds candidates in one workspace, best first."""

    async def search(
        self,
        workspace_id: WorkspaceId,
        query: str,
        *,
        limit: int,
        question: str | None = None,
        filters: Filters = NO_FILTERS,
    ) -> SearchResult:
        """Return at most `limit` candidates within `filters`."""
        ...


class Rest(NamedTuple):
    """Passages that tables go on in. `partial` are those held of tables that were not read to their ends."""

    passages: list[EvidenceChunk]
    partial: frozenset[str]


class TableRest(Protocol):
    """Reads the rest of tables of which passages hold some rows."""

    async def beside(self, evidence: Sequence[EvidenceChunk]) -> Rest:
        """Return the passages that the evidence's tables go on in, nothing of which it holds.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        ...


class TableAsker(Protocol):
    """Asks the whole tables of a workspace."""

    async def ask(
        self, workspace_id: WorkspaceId, question: str, files: Collection[str] = ()
    ) -> TableAnswer | None:
        """Return what the tables (of these files) say; None where the question asks none of them.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        ...


class Kept(NamedTuple):
    """Hold the figures that an earlier run of a thread calculated with, and the passages they stand in."""

    run_id: str
    figures: list[Figure]
    passages: list[EvidenceChunk]


class Recaller(Protocol):
    """Recalls the figures that earlier runs of a thread kept."""

    async def recall(self, thread: Spot, workspace_id: WorkspaceId) -> list[Kept]:
        """Return those of the last runs, the latest first, as far as their documents are still there.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        ...


class Understanding(Value):
    """Hold what is to be calculated, and what is to be drawn of it; `wanted` is None where nothing is.

    `by_rule` says why a model that was asked had no say; empty where it had, or where there is none.
    """

    wanted: Wanted | None
    display: Display
    usage: Usage = Usage()
    by_rule: str = ""


class Understander(Protocol):
    """Reads from a question what is to be calculated."""

    async def understand(self, question: str) -> Understanding:
        """Return the kind of calculation, and of what; every word of it stands in the question."""
        ...


class Extraction(Value):
    """Hold the figures to calculate with; None where there are none."""

    operands: Operands | None
    usage: Usage = Usage()
    by_rule: str = ""


class Extractor(Protocol):
    """Chooses the figures that are meant."""

    async def extract(
        self,
        question: str,
        wanted: Wanted,
        evidence: Sequence[EvidenceChunk],
        found: Operands | None,
    ) -> Extraction:
        """Return figures that stand in the evidence; `found` are those that a search by words chose."""
        ...


class Explanation(Value):
    """Hold the lines of an answer. `written` says that some of them are a model's."""

    lines: list[Line]
    written: bool = False
    usage: Usage = Usage()
    by_rule: str = ""


class Explainer(Protocol):
    """Says in words what came of a calculation."""

    async def explain(
        self,
        question: str,
        lines: Sequence[Line],
        computed: Sequence[Computed],
        evidence: Sequence[EvidenceChunk],
    ) -> Explanation:
        """Return the lines with what is said of them; none of them is changed or left out."""
        ...


class Verdict(Value):
    """Name what is wrong with an answer that code finds nothing wrong with."""

    faults: list[Fault] = []
    usage: Usage = Usage()
    by_rule: str = ""


class QualityChecker(Protocol):
    """Looks over an answer before it is given."""

    async def check(self, question: str, lines: Sequence[Line]) -> Verdict:
        """Return the lines that do not belong to an answer to the question."""
        ...


@dataclass(frozen=True, slots=True)
class AnalysisAgents:
    """One implementation of each; without one for whole tables none are asked, nor figures recalled."""

    finder: Finder
    tables: TableRest
    understander: Understander
    extractor: Extractor
    explainer: Explainer
    checker: QualityChecker
    asking: TableAsker | None = None
    recaller: Recaller | None = None


AnalysisContext = Context[AnalysisAgents]
"""What a run of this graph is handed beside its state."""
