"""Build what takes a question to its outcome, and what makes questions that a workspace answers."""

from collections.abc import Mapping

from masis.assistant import Assistant
from masis.graphs.common import AnyBoundGraph
from masis.graphs.research.agents import ResearchContext
from masis.graphs.research.graph import RESEARCH
from masis.ports import AttachedFiles, Repository
from masis.questions.suggestions import Suggestions
from storage.documents.suggestion_rows import SqlSuggestions


def assistant(
    repository: Repository,
    graphs: Mapping[str, AnyBoundGraph],
    attached: AttachedFiles,
    suggestions: Suggestions,
    timeout_s: float,
) -> Assistant:
    """Build what answers questions."""
    return Assistant(
        repository=repository,
        graphs=dict(graphs),
        attached=attached,
        run_timeout_s=timeout_s,
        questions_near=suggestions.near,
    )


def suggestions(
    repository: Repository, offline: ResearchContext, kept: SqlSuggestions, timeout_s: float
) -> Suggestions:
    """Build what makes questions that a workspace answers; whether it does is tried without a model service."""
    graphs: dict[str, AnyBoundGraph] = {RESEARCH.name: RESEARCH.bound(offline)}
    trial = Assistant(repository=repository, graphs=graphs, run_timeout_s=timeout_s)
    return Suggestions(repository, trial.attempt, kept)
