"""The one place that builds real things, and closes them again.

The database is opened at once; everything else is built when it is first used, so that a command
that lists documents loads no model and no graph.
"""
# ruff: noqa: PLC0415 - each part is imported where it is built

import difflib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from bot.database_address import understood
from bot.model_services import embedding_service, endpoint, multilingual_embedder, scope
from bot.owners import LOCAL_OWNER
from bot.roles import on_sqlite
from bot.settings import ROLES, Settings, points
from masis.domain import Workspace
from masis.errors import UnknownWorkspace
from masis.policy import RATE_WINDOW

if TYPE_CHECKING:
    from bot.chat.handler import Background
    from bot.observability.metrics import Metrics
    from bot.observability.readiness import Readiness
    from masis.assistant import Assistant
    from masis.codelists.stored import StoredCodeLists
    from masis.conversation import ChatRun
    from masis.documents.attaching import Attaching
    from masis.documents.ingestion import Ingest
    from masis.domain import WorkspaceId
    from masis.graphs.analysis.agents import AnalysisContext
    from masis.graphs.chat.agents import ChatContext, Greeter
    from masis.graphs.classification.agents import ClassificationContext
    from masis.graphs.common import AnyBoundGraph, AnyGraph, Context, Wrap
    from masis.graphs.research.agents import Quoter, ResearchAgents, ResearchContext
    from masis.graphs.research.offline import Reader
    from masis.graphs.resuming import Checkpoints
    from masis.models.accounting import Accountant
    from masis.policy import Policy
    from masis.ports import (
        AnswerReader,
        AttachedFiles,
        CallPermits,
        ChatModel,
        Embedder,
        Parser,
        Repository,
        Reranker,
        RerankService,
        Role,
        RunEngine,
        VectorStores,
    )
    from masis.questions.nearest import Measure
    from masis.questions.suggestions import Suggestions
    from masis.retrieval.rerank import Rerank
    from masis.retrieval.search import Retrieval
    from masis.retrieval.sentence_vectors import SentenceVectors
    from masis.tables.asking import TableAsking
    from masis.words.wording import Wordings
    from masis.words.workspace_words import WorkspaceWords
    from storage.documents.outdated_readers import OlderDocuments
    from storage.documents.suggestion_rows import SqlSuggestions
    from storage.sql.database import Database

VECTORS_FOLDER: Final = "vectors"


@asynccontextmanager
async def compose(
    settings: Settings,
    owner: str = LOCAL_OWNER,
    *,
    migrate: bool | None = None,
    rate_window: float = RATE_WINDOW,
    patient: bool = True,
) -> "AsyncIterator[App]":
    """The application, closed when the block ends. `owner` is whose workspaces it works with.

    `migrate` says whether it brings the schema up to date; where it is not said, a file's alone is:
    on a server others work meanwhile, and `masis migrate` does so when its operator wants it.
    `rate_window` is how many seconds the rate limit takes for a minute; only tests want fewer. Who is
    not `patient` is told at once of a vector store that is away.

    Raises:
        StoreUnavailable: the database cannot be opened, or is of an old schema that is to stay.
        InvalidSettings: its address names no database or a driver that is not installed.
    """
    from storage.sql.database import Database

    async with AsyncExitStack() as closing:
        changes = on_sqlite(settings) if migrate is None else migrate
        with understood():
            database = await Database.open(settings.database_location, migrate=changes)
        closing.push_async_callback(database.close)
        yield App(settings, database, closing, owner, rate_window=rate_window, patient=patient)


class App:
    """Everything that a command or a surface works with."""

    def __init__(
        self,
        settings: Settings,
        database: "Database",
        closing: AsyncExitStack,
        owner: str = LOCAL_OWNER,
        *,
        rate_window: float = RATE_WINDOW,
        patient: bool = True,
    ) -> None:
        self.owner = owner
        self._is_patient = patient
        self._rate_window = rate_window
        self.settings = settings
        self.database = database
        self._closing = closing

    async def workspace(self, name: str) -> Workspace:
        """The workspace of that name.

        Raises:
            UnknownWorkspace: there is none; the message names the nearest.
        """
        found = await self.repository.workspace(self.owner, name)
        if found is not None:
            return found
        known = [workspace.name for workspace in await self.repository.workspaces(self.owner)]
        near = difflib.get_close_matches(name, known, n=1)
        if near:
            hint = f"Did you mean “{near[0]}”?"
        elif known:
            hint = f"There are: {', '.join(known[:10])}."
        else:
            hint = "Make one with `masis ingest FOLDER --workspace NAME`."
        raise UnknownWorkspace(f"There is no workspace “{name}”. {hint}")

    def check_profile(self, workspace: Workspace) -> None:
        """Check that the embedder in use is the workspace's, before a question is paid for.

        Raises:
            ProfileMismatch: its vectors are of another one.
        """
        from storage.vectors.points import profile_mismatch

        bound = workspace.embedding_profile
        if self.embedder and workspace.chunks and bound not in {None, self.embedder.profile.id}:
            raise profile_mismatch(bound, self.embedder.profile)

    @cached_property
    def policy(self) -> "Policy":
        """The thresholds in force."""
        return self.settings.policy()

    @cached_property
    def metrics(self) -> "Metrics":
        """Return the metrics that are counted in this process."""
        from bot.observability.metrics import Metrics

        return Metrics()

    def observed(self, engine: "RunEngine") -> "RunEngine":
        """Observe what comes to the engine's door."""
        from bot.observability.observed_ports import observed_engine

        return observed_engine(engine, self.metrics, share=self.settings.trace_share)

    def observed_runs(self, handler: "Background") -> "Callable[[ChatRun], Awaitable[None]]":
        """Observe each run that the handler takes to its outcome."""
        from bot.observability.run_spans import observed_runs

        return observed_runs(handler, self.metrics, share=self.settings.trace_share)

    @cached_property
    def repository(self) -> "Repository":
        """Return the repository of what is remembered in the database."""
        from storage.documents.repository import SqlRepository

        return SqlRepository(self.database)

    @cached_property
    def stores(self) -> "VectorStores":
        """The vectors: on a Qdrant server where one is set, else in the data folder."""
        from bot.observability.observed_ports import observed_stores

        stores: VectorStores
        if self.settings.qdrant_address:
            from storage.vectors.qdrant_server import ONCE, TRIES
            from storage.vectors.qdrant_store import ServerVectorStores

            address, key = self.settings.qdrant_address, self.settings.qdrant_api_key
            tries = TRIES if self._is_patient else ONCE
            stores = ServerVectorStores(address, key.get_secret_value(), tries=tries)
        else:
            from storage.vectors.embedded_store import EdgeVectorStores

            stores = EdgeVectorStores(self.settings.data_dir / VECTORS_FOLDER)
        self._closing.push_async_callback(stores.close)
        return observed_stores(stores)

    @cached_property
    def readiness(self) -> "Readiness":
        """Return the check of whether this process can work now."""
        from bot.observability.readiness import Readiness, folder, qdrant

        async def database() -> None:
            async with self.database.read() as connection:
                await connection.exec_driver_sql("SELECT 1")

        address = self.settings.qdrant_address
        vectors = qdrant(address) if address else folder(self.settings.data_dir / VECTORS_FOLDER)
        return Readiness({"database": database, "vectors": vectors})

    @cached_property
    def embedder(self) -> "Embedder | None":
        """Return the embedder, which makes vectors; None means that search is by words alone."""
        from masis.models.embedding import Calibrated

        embedder = self._embedder()
        calibration = points(self.settings.embedding_calibration)
        return Calibrated(embedder, calibration) if embedder and calibration else embedder

    def _embedder(self) -> "Embedder | None":
        match self.settings.embedder_in_use:
            case "none":
                return None
            case "service":
                return self._service_embedder()
            case "bundled":
                return self._bundled_embedder()
            case "multilingual":
                return self._multilingual_embedder()

    def _bundled_embedder(self) -> "Embedder":
        from masis.adapters.minilm import MiniLMEmbedder

        embedder = MiniLMEmbedder(threads=self.settings.embedding_threads)
        self._closing.push_async_callback(embedder.close)
        return embedder

    def _multilingual_embedder(self) -> "Embedder":
        embedder = multilingual_embedder(self.settings)
        self._closing.push_async_callback(embedder.close)
        return embedder

    @cached_property
    def answer_reader(self) -> "AnswerReader | None":
        """Tells whether a passage answers, beside the bundled embedder: it, too, is for English."""
        if self.settings.embedder_in_use != "bundled":
            return None
        from masis.adapters.minilm_reader import MiniLMReader
        from masis.extractive.answer_reading import RememberingReader

        reader = MiniLMReader(threads=self.settings.embedding_threads)
        self._closing.push_async_callback(reader.close)
        return RememberingReader(reader)

    def _service_embedder(self) -> "Embedder":
        from bot.observability.observed_ports import observed_embedding
        from masis.models.embedding import NAME, ServedEmbedder
        from storage.models.permit_rows import SqlCallPermits

        service = embedding_service(self.settings)
        self._closing.push_async_callback(service.close)
        place, limit = scope(self.settings, NAME), self.settings.embedding_calls_per_minute
        permits = SqlCallPermits(self.database, place, limit, window=self._rate_window)
        counted = observed_embedding(service)
        return ServedEmbedder(counted, permits=permits, accountant=self.accountant)

    @cached_property
    def accountant(self) -> "Accountant":
        """Return the accountant.

        It writes down what every call of a service cost, and knows the budgets.
        """
        from masis.models.accounting import Accountant
        from masis.spending import Prices
        from storage.models.ledger import SqlLedger

        prices = Prices.parse(self.settings.model_prices)
        ledger = SqlLedger(self.database)
        accountant = Accountant(ledger, prices=prices, budget=self.settings.budget)
        self._closing.push_async_callback(accountant.close)
        return accountant

    def _call_permits(self) -> "dict[Role, CallPermits]":
        """Permits of calls, the same ones for roles that call one service with one key."""
        from storage.models.permit_rows import SqlCallPermits

        scopes = {role: scope(self.settings, role) for role in ROLES}
        limit = self.settings.model_calls_per_minute
        permits = {
            place: SqlCallPermits(self.database, place, limit, window=self._rate_window)
            for place in scopes.values()
        }
        return {role: permits[place] for role, place in scopes.items()}

    @cached_property
    def chat(self) -> "ChatModel | None":
        """The model service itself, unguarded; None with offline agents."""
        if self.settings.agents_in_use == "offline":
            return None
        from masis.adapters.openai_chat import OpenAIChat

        endpoints = {
            role: endpoint(self.settings, role, self.settings.model(role)) for role in ROLES
        }
        chat = OpenAIChat(endpoints, timeout=self.settings.call_timeout)
        self._closing.push_async_callback(chat.close)
        return chat

    @cached_property
    def guarded_chat(self) -> "ChatModel | None":
        """The model service as agents ask it: counted, within the budget, the rate limit and retries."""
        if self.chat is None:
            return None
        from bot.observability.observed_ports import observed_chat, observed_waits
        from masis.models.pipeline import guarded

        named = self.settings.model
        attempts = observed_chat(self.chat, self.metrics, named)
        guard = guarded(
            attempts, permits=self._call_permits(), accountant=self.accountant, models=named
        )
        return observed_waits(guard, self.metrics, named)

    @cached_property
    def context(self) -> "ResearchContext":
        """Return the context that a run of the research graph is given."""
        from masis.graphs.common import Context

        return Context(agents=self._agents(), policy=self.policy)

    @cached_property
    def chat_context(self) -> "ChatContext":
        """Return the context that a run of the chat graph is given."""
        from masis.graphs.chat import model
        from masis.graphs.chat.agents import ChatAgents
        from masis.graphs.chat.rules import RuleRewriter
        from masis.graphs.common import Context
        from masis.rewriting.written_names import WorkspaceNames
        from storage.chat.memory import ThreadMemory

        asked = self.guarded_chat
        agents = ChatAgents(
            memory=ThreadMemory(self.database),
            greeter=self.greeter,
            rewriter=model.ModelRewriter(asked, RuleRewriter()) if asked else RuleRewriter(),
            probe=self.retrieval,
            answers=self.repository,
            router=model.ModelRouter(asked) if asked else None,
            reworder=model.ModelReworder(asked) if asked else None,
            codes=self.code_lists,
            tables=self.asking,
            names=WorkspaceNames(self.workspace_words),
        )
        return Context(agents=agents, policy=self.policy)

    @cached_property
    def analysis_context(self) -> "AnalysisContext":
        """Return the context that a run of the analysis graph is given."""
        from masis.graphs.analysis.model import agents_of
        from masis.graphs.common import Context
        from storage.chat.memory import ThreadMemory

        memory, asked = ThreadMemory(self.database), self.guarded_chat
        agents = agents_of(self.retrieval, self.repository, memory, self.asking, asked)
        return Context(agents=agents, policy=self.policy)

    @cached_property
    def classification_context(self) -> "ClassificationContext":
        """Return the context that a run of the classification graph is given."""
        from masis.graphs.classification import model
        from masis.graphs.classification.agents import ClassificationAgents
        from masis.graphs.classification.by_rule import RuleAnalyzer, RuleExpander
        from masis.graphs.classification.stored_codes import StoredCodes
        from masis.graphs.common import Context

        asked = self.guarded_chat
        agents = ClassificationAgents(
            expander=model.ModelExpander(asked) if asked else RuleExpander(),
            finder=StoredCodes(self.code_lists, self.retrieval, self.repository, self.sentences),
            analyzer=model.ModelAnalyzer(asked, RuleAnalyzer()) if asked else RuleAnalyzer(),
        )
        return Context(agents=agents, policy=self.policy)

    @cached_property
    def code_lists(self) -> "StoredCodeLists":
        """Reads the code lists of workspaces."""
        from masis.codelists.stored import StoredCodeLists

        return StoredCodeLists(self.repository)

    @cached_property
    def asking(self) -> "TableAsking":
        """Asks the whole tables of workspaces, in a process apart that the first question starts."""
        from masis.adapters.duckdb_tables.table_engine import DuckTables
        from masis.graphs.analysis.model import querier_of
        from masis.tables.asking import TableAsking
        from storage.documents.tabular_rows import SqlTables

        tables = SqlTables(self.database)
        engine = DuckTables(tables)
        self._closing.push_async_callback(engine.close)
        return TableAsking(tables, engine, querier=querier_of(self.guarded_chat))

    @cached_property
    def greeter(self) -> "Greeter":
        """Answers small talk, with questions that the workspace answers."""
        from masis.graphs.chat.rules import RuleGreeter

        return RuleGreeter(self.suggestions.known)

    def graphs(
        self,
        wrap: "Callable[[AnyGraph], Wrap] | None" = None,
        checkpoints: "Checkpoints | None" = None,
    ) -> "dict[str, AnyBoundGraph]":
        """Bind every listed graph to its agents; `wrap` makes what goes around a graph's nodes."""
        from masis.graphs.registry import GRAPHS

        contexts: dict[str, Callable[[], Context[Any]]] = {
            "chat": lambda: self.chat_context,
            "research": lambda: self.context,
            "analysis": lambda: self.analysis_context,
            "classification": lambda: self.classification_context,
        }
        return {
            name: graph.bound(contexts[name](), wrap(graph) if wrap else None, checkpoints)
            for name, graph in GRAPHS.items()
        }

    def _agents(self) -> "ResearchAgents":
        asked = self.guarded_chat
        return self._offline_agents() if asked is None else self._model_agents(asked)

    def _offline_agents(self, retrieval: "Retrieval | None" = None) -> "ResearchAgents":
        from masis.extractive.answerability import fitted
        from masis.graphs.research import offline
        from masis.graphs.research.agents import ResearchAgents
        from masis.graphs.research.wholes.finder import WholeFinder
        from masis.retrieval.neighbours import RuleSections
        from masis.words.vocabulary import WorkspaceVocabulary

        reader = offline.Reader(offline.WorkspaceLexicon(self.repository), self.sentences)
        model = fitted(self.embedder.profile if self.embedder else None)
        vocabulary = WorkspaceVocabulary(self.repository)
        return ResearchAgents(
            researcher=retrieval or self.retrieval,
            synthesizer=offline.OfflineSynthesizer(reader, self.answer_reader),
            critic=offline.OfflineCritic(reader, model, self.answer_reader, vocabulary),
            evaluator=offline.OfflineEvaluator(reader),
            extractive=True,
            neighbours=RuleSections(self.repository),
            vocabulary=vocabulary,
            wordings=self.wordings,
            quoter=self._quoter(reader),
            measure=self._measure(reader),
            wholes=WholeFinder(self.repository, retrieval or self.retrieval),
        )

    def _model_agents(self, asked: "ChatModel") -> "ResearchAgents":
        from masis.graphs.research import model
        from masis.graphs.research.agents import ResearchAgents
        from masis.graphs.research.offline import Reader, WorkspaceLexicon
        from masis.graphs.research.wholes.finder import WholeFinder
        from masis.retrieval.neighbours import Neighbours
        from masis.words.vocabulary import WorkspaceVocabulary

        reader = Reader(WorkspaceLexicon(self.repository), self.sentences)
        return ResearchAgents(
            researcher=self.retrieval,
            synthesizer=model.ModelSynthesizer(asked),
            critic=model.ModelCritic(asked),
            evaluator=model.ModelEvaluator(asked),
            extractive=False,
            neighbours=Neighbours(self.repository, self.sentences),
            vocabulary=WorkspaceVocabulary(self.repository),
            wordings=self.wordings,
            # No call of the service: most often what it would write of is no answer.
            quoter=self._quoter(reader),
            measure=self._measure(reader),
            wholes=model.ModelWholes(
                WholeFinder(self.repository, self.retrieval, passages=True), asked
            ),
        )

    def _quoter(self, reader: "Reader") -> "Quoter":
        """Quotes what may answer where nothing is close enough, whoever writes the answers."""
        from masis.graphs.research.quoting import ReadingQuoter

        return ReadingQuoter(reader, self.answer_reader)

    def _measure(self, reader: "Reader") -> "Measure | None":
        """Measures what of a draft is nearest; None where no model reads."""
        from masis.graphs.research.nearness import ReadNearness

        answers = self.answer_reader
        return ReadNearness(reader, answers) if answers and self.sentences else None

    @cached_property
    def wordings(self) -> "Wordings":
        """Words questions anew by what documents say."""
        from masis.words.wording import Wordings
        from storage.documents.synonym_rows import SqlSynonyms

        return Wordings(self.repository, self.workspace_words, SqlSynonyms(self.database))

    @cached_property
    def workspace_words(self) -> "WorkspaceWords":
        """The words of workspaces that this process remembers."""
        from masis.words.workspace_words import WorkspaceWords

        return WorkspaceWords(self.repository)

    @cached_property
    def retrieval(self) -> "Retrieval":
        """Finds candidates in one workspace."""
        from masis.retrieval.multi_query import MOST_QUERIES
        from masis.retrieval.search import Retrieval

        return Retrieval(
            repository=self.repository,
            stores=self.stores,
            embedder=self.embedder,
            sentences=self._vectors,
            rerank=self._rerank(),
            reranker=self._reranker(),
            queries=MOST_QUERIES if self.chat else 1,  # offline, several gained nothing
        )

    @cached_property
    def rerank_service(self) -> "RerankService | None":
        """The reranking service itself, unguarded; None where none is set."""
        if not self.settings.rerank_model:
            return None
        from masis.adapters.http_reranker import HttpReranker

        service = HttpReranker(endpoint(self.settings, "rerank", self.settings.rerank_model))
        self._closing.push_async_callback(service.close)
        return service

    def _retrieval_here(self) -> "Retrieval":
        """A search that calls no service; where the embedder is one, it is by words alone."""
        from masis.retrieval.search import Retrieval

        embedder = self.embedder if self.sentences else None
        return Retrieval(
            repository=self.repository,
            stores=self.stores,
            embedder=embedder,
            sentences=self.sentences,
            rerank=self._rerank(),
            queries=1,
        )

    def _rerank(self) -> "Rerank":
        from masis.retrieval.rerank import Rerank

        return Rerank() if self.sentences else Rerank(sentences=0)

    def _reranker(self) -> "Reranker | None":
        if self.rerank_service is None:
            return None
        from bot.observability.observed_ports import observed_rerank
        from masis.models.reranking import ServedReranker
        from storage.models.permit_rows import SqlCallPermits

        place, limit = scope(self.settings, "rerank"), self.settings.rerank_calls_per_minute
        permits = SqlCallPermits(self.database, place, limit, window=self._rate_window)
        counted = observed_rerank(self.rerank_service)
        return ServedReranker(counted, permits=permits, accountant=self.accountant)

    @cached_property
    def sentences(self) -> "SentenceVectors | None":
        """The sentence vectors that search, writer and critic share."""
        # Each would be a paid call of a service: there the words of a sentence must do.
        here = self.settings.embedder_in_use in {"bundled", "multilingual"}
        return self._vectors if here else None

    @cached_property
    def _vectors(self) -> "SentenceVectors | None":
        """Remembers what was embedded at question time; of a service the questions alone."""
        from masis.retrieval.sentence_vectors import SentenceVectors

        return None if self.embedder is None else SentenceVectors(self.embedder)

    @cached_property
    def parser(self) -> "Parser":
        """Reads the bytes of files, each in a process apart."""
        from masis.documents.parsing.sandbox.pool import ParserPool

        parser = ParserPool(self.settings.parser_processes)
        self._closing.push_async_callback(parser.close)
        return parser

    @cached_property
    def attached(self) -> "AttachedFiles":
        """Stores what was read of the files that came with questions."""
        from storage.documents.attached_rows import SqlAttachedFiles

        return SqlAttachedFiles(self.database)

    @cached_property
    def attaching(self) -> "Attaching":
        """Reads the files that come with questions."""
        from masis.documents.attaching import Attaching

        return Attaching(kept=self.attached, parser=self.parser)

    @cached_property
    def ingest(self) -> "Ingest":
        """Puts documents in, and takes them out."""
        from bot.observability.observed_ports import ObservedIngest
        from masis.documents.parsing.reader_versions import PARSER_VERSIONS

        return ObservedIngest(
            repository=self.repository,
            stores=self.stores,
            embedder=self.embedder,
            parser=self.parser,
            forget=self._forget,
            parsers=PARSER_VERSIONS,
        )

    async def older_documents(self, owner: str | None) -> "OlderDocuments":
        """Count an owner's documents that an older reader read; for None everybody's.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        from masis.documents.parsing.reader_versions import PARSER_VERSIONS
        from storage.documents.outdated_readers import older_documents

        return await older_documents(self.database, PARSER_VERSIONS, owner)

    async def drop(self, workspace_id: "WorkspaceId") -> None:
        """Remove the vectors of a workspace, and what this process remembers of it.

        Raises:
            StoreLocked: another process holds the vectors.
        """
        self._forget(workspace_id)
        await self.stores.drop(workspace_id)

    def _forget(self, workspace_id: "WorkspaceId") -> None:
        if self._vectors is not None:
            self._vectors.forget(workspace_id)
        if "asking" in vars(self):
            self.asking.forget()
        self.workspace_words.forget(workspace_id)
        self.code_lists.forget(workspace_id)

    @property
    def max_file_bytes(self) -> int:
        """Return the most bytes that a document may have.

        A larger one is refused before it is read.
        """
        from masis.documents.parsing.document_limits import FILE_BYTES

        return FILE_BYTES

    @cached_property
    def assistant(self) -> "Assistant":
        """Answers questions."""
        from masis.assistant import Assistant

        return Assistant(
            repository=self.repository,
            graphs=self.graphs(),
            attached=self.attached,
            run_timeout_s=self.settings.run_timeout,
            questions_near=self.suggestions.near,
        )

    @cached_property
    def suggestions(self) -> "Suggestions":
        """Makes questions that a workspace answers; whether it does is tried without a model service."""
        from masis.assistant import Assistant
        from masis.graphs.common import Context
        from masis.graphs.research.graph import RESEARCH
        from masis.questions.suggestions import Suggestions

        offline = Context(agents=self._offline_agents(self._retrieval_here()), policy=self.policy)
        trial = Assistant(
            repository=self.repository,
            graphs={RESEARCH.name: RESEARCH.bound(offline)},
            run_timeout_s=self.settings.run_timeout,
        )
        return Suggestions(self.repository, trial.attempt, self.kept_suggestions)

    @cached_property
    def kept_suggestions(self) -> "SqlSuggestions":
        """Keeps the questions that workspaces are known to answer."""
        from storage.documents.suggestion_rows import SqlSuggestions

        return SqlSuggestions(self.database)
