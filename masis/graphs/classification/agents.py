"""Define what the classification graph's agents can do."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from masis.attached import Attached
from masis.codelists.row_texts import SentRow, sent_rows
from masis.domain import EvidenceChunk, WorkspaceId
from masis.graphs.classification.state import Analysis, Candidate, Expansion, Said
from masis.graphs.common import Context


class Expander(Protocol):
    """Reads from what was said what is to be classified."""

    async def expand(self, messages: Sequence[Said]) -> Expansion:
        """Return what is searched, with what is unclear or assumed; no code."""
        ...


class Found(NamedTuple):
    """The codes that a search brought, best first, and the passages of their rows.

    `relevance` is how near the nearest passage is, on the scale that people see. `lists` names the
    workspace's lists, first the one that the codes are of. `spread` is how differently near the titles of a
    list are that has titles alone; None of any other, and where there is no embedder.
    """

    candidates: list[Candidate]
    evidence: list[EvidenceChunk]
    relevance: float
    lists: list[str]
    spread: float | None = None


class CodeFinder(Protocol):
    """Finds codes of a workspace's code lists."""

    async def find(
        self, workspace_id: WorkspaceId, texts: Sequence[str], *, kind: str = "", limit: int
    ) -> Found:
        """Return at most `limit` codes of one list that all of the texts together describe.

        That is the list which the words `kind` call by its name, else the one with the best code.

        Raises:
            StoreUnavailable: the database or the vectors cannot be read.
        """
        ...


class Analyzer(Protocol):
    """Says which code is described, what to search for instead, or that more must be known."""

    async def analyze(
        self,
        messages: Sequence[Said],
        expansion: Expansion,
        candidates: Sequence[Candidate],
        *,
        is_near: bool,
        may_improve: bool,
    ) -> Analysis:
        """Return exactly one status; IMPROVED_SEARCH only where it may be said."""
        ...


@dataclass(frozen=True, slots=True)
class ClassificationAgents:
    """One implementation of each; `rows` are those of files that came with the question."""

    expander: Expander
    finder: CodeFinder
    analyzer: Analyzer
    rows: Sequence[SentRow] = ()

    def with_files(self, attached: Attached) -> "ClassificationAgents":
        """Return the agents of one run, with the rows of the files of its question."""
        return replace(self, rows=sent_rows(attached.chunks))


ClassificationContext = Context[ClassificationAgents]
"""What a run of this graph is handed beside its state."""
