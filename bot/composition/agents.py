"""Build the agents of every graph, with and without a model service, and bind the graphs to them."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from masis.codelists.stored import StoredCodeLists
from masis.domain import EmbeddingProfile
from masis.extractive.answerability import fitted
from masis.graphs.analysis import model as analysis_models
from masis.graphs.analysis.agents import AnalysisContext
from masis.graphs.chat import model as chat_models
from masis.graphs.chat.agents import ChatAgents, ChatContext, Greeter
from masis.graphs.chat.rules import RuleGreeter, RuleRewriter
from masis.graphs.classification import model as classification_models
from masis.graphs.classification.agents import ClassificationAgents, ClassificationContext
from masis.graphs.classification.by_rule import RuleAnalyzer, RuleExpander
from masis.graphs.classification.stored_codes import StoredCodes
from masis.graphs.common import AnyBoundGraph, AnyGraph, Context, Wrap
from masis.graphs.registry import GRAPHS
from masis.graphs.research import model as research_models
from masis.graphs.research import offline
from masis.graphs.research.agents import ResearchAgents, ResearchContext
from masis.graphs.research.nearness import ReadNearness
from masis.graphs.research.quoting import ReadingQuoter
from masis.graphs.research.wholes.finder import WholeFinder
from masis.graphs.resuming import Checkpoints
from masis.policy import Policy
from masis.ports import AnswerReader, ChatModel, Repository
from masis.questions.nearest import Measure
from masis.retrieval.neighbours import Neighbours, RuleSections
from masis.retrieval.search import Retrieval
from masis.retrieval.sentence_vectors import SentenceVectors
from masis.rewriting.written_names import WorkspaceNames
from masis.tables.asking import TableAsking
from masis.words.vocabulary import WorkspaceVocabulary
from masis.words.wording import Wordings
from masis.words.workspace_words import WorkspaceWords
from storage.chat.memory import ThreadMemory
from storage.sql.database import Database

__all__ = [
    "Research",
    "RuleGreeter",
    "analysis_context",
    "bound",
    "chat_context",
    "classification_context",
]


class Research(NamedTuple):
    """Hold what the agents of the research graph work with."""

    repository: Repository
    retrieval: Retrieval
    sentences: SentenceVectors | None
    answers: AnswerReader | None
    profile: EmbeddingProfile | None
    wordings: Wordings

    def context(self, asked: ChatModel | None, policy: Policy) -> ResearchContext:
        """Return the context that a run is given; `asked` is the service that writes, if there is one."""
        agents = self._offline() if asked is None else self._with_model(asked)
        return Context(agents=agents, policy=policy)

    def _offline(self) -> ResearchAgents:
        reader, vocabulary = self._reader(), WorkspaceVocabulary(self.repository)
        return ResearchAgents(
            researcher=self.retrieval,
            synthesizer=offline.OfflineSynthesizer(reader, self.answers),
            critic=offline.OfflineCritic(reader, fitted(self.profile), self.answers, vocabulary),
            evaluator=offline.OfflineEvaluator(reader),
            extractive=True,
            neighbours=RuleSections(self.repository),
            vocabulary=vocabulary,
            wordings=self.wordings,
            quoter=ReadingQuoter(reader, self.answers),
            measure=self._measure(reader),
            wholes=WholeFinder(self.repository, self.retrieval),
        )

    def _with_model(self, asked: ChatModel) -> ResearchAgents:
        reader = self._reader()
        return ResearchAgents(
            researcher=self.retrieval,
            synthesizer=research_models.ModelSynthesizer(asked),
            critic=research_models.ModelCritic(asked),
            evaluator=research_models.ModelEvaluator(asked),
            extractive=False,
            neighbours=Neighbours(self.repository, self.sentences),
            vocabulary=WorkspaceVocabulary(self.repository),
            wordings=self.wordings,
            # No call of the service: most often what it would write of is no answer.
            quoter=ReadingQuoter(reader, self.answers),
            measure=self._measure(reader),
            wholes=research_models.ModelWholes(
                WholeFinder(self.repository, self.retrieval, passages=True), asked
            ),
        )

    def _reader(self) -> offline.Reader:
        return offline.Reader(offline.WorkspaceLexicon(self.repository), self.sentences)

    def _measure(self, reader: offline.Reader) -> Measure | None:
        """Build what measures which part of a draft is nearest; None where no model reads."""
        return ReadNearness(reader, self.answers) if self.answers and self.sentences else None


def chat_context(
    research: Research,
    asked: ChatModel | None,
    policy: Policy,
    *,
    database: Database,
    greeter: Greeter,
    codes: StoredCodeLists,
    tables: TableAsking,
    words: WorkspaceWords,
) -> ChatContext:
    """Return the context that a run of the chat graph is given."""
    agents = ChatAgents(
        memory=ThreadMemory(database),
        greeter=greeter,
        rewriter=chat_models.ModelRewriter(asked, RuleRewriter()) if asked else RuleRewriter(),
        probe=research.retrieval,
        answers=research.repository,
        router=chat_models.ModelRouter(asked) if asked else None,
        reworder=chat_models.ModelReworder(asked) if asked else None,
        codes=codes,
        tables=tables,
        names=WorkspaceNames(words),
    )
    return Context(agents=agents, policy=policy)


def analysis_context(
    research: Research,
    asked: ChatModel | None,
    policy: Policy,
    *,
    database: Database,
    tables: TableAsking,
) -> AnalysisContext:
    """Return the context that a run of the analysis graph is given."""
    memory = ThreadMemory(database)
    agents = analysis_models.agents_of(
        research.retrieval, research.repository, memory, tables, asked
    )
    return Context(agents=agents, policy=policy)


def classification_context(
    research: Research, asked: ChatModel | None, policy: Policy, *, codes: StoredCodeLists
) -> ClassificationContext:
    """Return the context that a run of the classification graph is given."""
    models, rules = classification_models, RuleAnalyzer()
    agents = ClassificationAgents(
        expander=models.ModelExpander(asked) if asked else RuleExpander(),
        finder=StoredCodes(codes, research.retrieval, research.repository, research.sentences),
        analyzer=models.ModelAnalyzer(asked, rules) if asked else rules,
    )
    return Context(agents=agents, policy=policy)


def bound(
    contexts: Mapping[str, Callable[[], Context[Any]]],
    wrap: Callable[[AnyGraph], Wrap] | None,
    checkpoints: Checkpoints | None,
) -> dict[str, AnyBoundGraph]:
    """Bind every listed graph to its agents; `wrap` makes what goes around a graph's nodes."""
    return {
        name: graph.bound(contexts[name](), wrap(graph) if wrap else None, checkpoints)
        for name, graph in GRAPHS.items()
    }
