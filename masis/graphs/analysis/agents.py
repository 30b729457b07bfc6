"""Define what the analysis graph's agents can do."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from masis.domain import EvidenceChunk, SearchResult, WorkspaceId
from masis.filters import NO_FILTERS, Filters
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


@dataclass(frozen=True, slots=True)
class AnalysisAgents:
    """One implementation of each; without one for whole tables none are asked."""

    finder: Finder
    tables: TableRest
    asking: TableAsker | None = None


AnalysisContext = Context[AnalysisAgents]
"""What a run of this graph is handed beside its state."""
