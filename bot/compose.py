"""The one place that puts real things together, and closes them again.

The database is opened at once; everything else is built when it is first used, so that a command
that lists documents loads no model and no graph. A module of `composition/` has the imports of its
subject at its head, and is loaded as a whole.
"""

import difflib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from bot.composition.lazily import Lazily
from bot.composition.model_services import embedding_service, multilingual_embedder
from bot.database_address import understood
from bot.owners import LOCAL_OWNER
from bot.roles import on_sqlite
from bot.settings import Settings, points
from masis.documents.parsing import document_limits
from masis.domain import Workspace
from masis.errors import UnknownWorkspace
from masis.policy import RATE_WINDOW

if TYPE_CHECKING:
    from bot.chat.handler import Background
    from bot.composition import (
        agents,
        bundled_models,
        document_reading,
        observing,
        question_answering,
        searching,
        served_models,
        served_vectors,
        storing,
        whole_tables,
    )
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
    from masis.graphs.research.agents import ResearchContext
    from masis.graphs.resuming import Checkpoints
    from masis.models import embedding
    from masis.models.accounting import Accountant
    from masis.policy import Policy
    from masis.ports import (
        AnswerReader,
        AttachedFiles,
        ChatModel,
        Embedder,
        Parser,
        Repository,
        Reranker,
        RerankService,
        RunEngine,
        VectorStores,
    )
    from masis.questions.suggestions import Suggestions
    from masis.retrieval.search import Retrieval
    from masis.retrieval.sentence_vectors import SentenceVectors
    from masis.tables.asking import TableAsking
    from masis.words.wording import Wordings
    from masis.words.workspace_words import WorkspaceWords
    from storage.documents.outdated_readers import OlderDocuments
    from storage.documents.suggestion_rows import SqlSuggestions
    from storage.sql.database import Database
    from storage.vectors import embedded_store
    from storage.vectors import points as points_of
else:
    agents = Lazily("bot.composition.agents")
    question_answering = Lazily("bot.composition.question_answering")
    bundled_models = Lazily("bot.composition.bundled_models")
    observing = Lazily("bot.composition.observing")
    document_reading = Lazily("bot.composition.document_reading")
    searching = Lazily("bot.composition.searching")
    served_models = Lazily("bot.composition.served_models")
    served_vectors = Lazily("bot.composition.served_vectors")
    storing = Lazily("bot.composition.storing")
    whole_tables = Lazily("bot.composition.whole_tables")
    embedding = Lazily("masis.models.embedding")
    embedded_store = Lazily("storage.vectors.embedded_store")
    points_of = Lazily("storage.vectors.points")


class _Closing(Protocol):
    async def close(self) -> None:
        """End it."""


_Part = TypeVar("_Part", bound=_Closing)

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
    async with AsyncExitStack() as closing:
        changes = on_sqlite(settings) if migrate is None else migrate
        with understood():
            database = await storing.Database.open(settings.database_location, migrate=changes)
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
        bound = workspace.embedding_profile
        if self.embedder and workspace.chunks and bound not in {None, self.embedder.profile.id}:
            raise points_of.profile_mismatch(bound, self.embedder.profile)

    def _closed_at_the_end(self, part: _Part) -> _Part:
        self._closing.push_async_callback(part.close)
        return part

    # --- what operators see -----------------------------------------------------------------

    @cached_property
    def policy(self) -> "Policy":
        """The thresholds in force."""
        return self.settings.policy()

    @cached_property
    def metrics(self) -> "Metrics":
        """Return the metrics that are counted in this process."""
        return observing.Metrics()

    def observed(self, engine: "RunEngine") -> "RunEngine":
        """Observe what comes to the engine's door."""
        return observing.observed_engine(engine, self.metrics, share=self.settings.trace_share)

    def observed_runs(self, handler: "Background") -> "Callable[[ChatRun], Awaitable[None]]":
        """Observe each run that the handler takes to its outcome."""
        return observing.observed_runs(handler, self.metrics, share=self.settings.trace_share)

    @cached_property
    def readiness(self) -> "Readiness":
        """Return the check of whether this process can work now."""

        async def database() -> None:
            async with self.database.read() as connection:
                await connection.exec_driver_sql("SELECT 1")

        vectors = self.settings.qdrant_address or self.settings.data_dir / VECTORS_FOLDER
        return observing.readiness(database, vectors)

    # --- what is remembered -----------------------------------------------------------------

    @cached_property
    def repository(self) -> "Repository":
        """Return the repository of what is remembered in the database."""
        return storing.SqlRepository(self.database)

    @cached_property
    def stores(self) -> "VectorStores":
        """The vectors: on a Qdrant server where one is set, else in the data folder."""
        stores: VectorStores
        if self.settings.qdrant_address:
            address, key = self.settings.qdrant_address, self.settings.qdrant_api_key
            stores = served_vectors.stores(
                address, key.get_secret_value(), patient=self._is_patient
            )
        else:
            stores = embedded_store.EdgeVectorStores(self.settings.data_dir / VECTORS_FOLDER)
        return observing.observed_stores(self._closed_at_the_end(stores))

    @cached_property
    def attached(self) -> "AttachedFiles":
        """Stores what was read of the files that came with questions."""
        return storing.SqlAttachedFiles(self.database)

    @cached_property
    def kept_suggestions(self) -> "SqlSuggestions":
        """Keeps the questions that workspaces are known to answer."""
        return storing.SqlSuggestions(self.database)

    @cached_property
    def code_lists(self) -> "StoredCodeLists":
        """Reads the code lists of workspaces."""
        return storing.StoredCodeLists(self.repository)

    @cached_property
    def workspace_words(self) -> "WorkspaceWords":
        """The words of workspaces that this process remembers."""
        return storing.WorkspaceWords(self.repository)

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

    # --- models -----------------------------------------------------------------------------

    @cached_property
    def embedder(self) -> "Embedder | None":
        """Return the embedder, which makes vectors; None means that search is by words alone."""
        embedder = self._embedder()
        calibration = points(self.settings.embedding_calibration)
        return embedding.Calibrated(embedder, calibration) if embedder and calibration else embedder

    def _embedder(self) -> "Embedder | None":
        threads = self.settings.embedding_threads
        match self.settings.embedder_in_use:
            case "none":
                return None
            case "service":
                service = self._closed_at_the_end(embedding_service(self.settings))
                return self._guard.embedder(service)
            case "bundled":
                return self._closed_at_the_end(bundled_models.embedder(threads))
            case "multilingual":
                return self._closed_at_the_end(multilingual_embedder(self.settings))

    @cached_property
    def answer_reader(self) -> "AnswerReader | None":
        """Tells whether a passage answers, beside the bundled embedder: it, too, is for English."""
        if self.settings.embedder_in_use != "bundled":
            return None
        reader = bundled_models.reader(self.settings.embedding_threads)
        return bundled_models.remembering(self._closed_at_the_end(reader))

    @cached_property
    def accountant(self) -> "Accountant":
        """Return the accountant.

        It writes down what every call of a service cost, and knows the budgets.
        """
        prices, budget = self.settings.model_prices, self.settings.budget
        return self._closed_at_the_end(storing.accountant(self.database, prices, budget))

    @cached_property
    def _guard(self) -> "served_models.Guard":
        return served_models.Guard(
            self.settings, self.database, self.accountant, window=self._rate_window
        )

    @cached_property
    def chat(self) -> "ChatModel | None":
        """The model service itself, unguarded; None with offline agents."""
        if self.settings.agents_in_use == "offline":
            return None
        return self._closed_at_the_end(served_models.chat(self.settings))

    @cached_property
    def guarded_chat(self) -> "ChatModel | None":
        """The model service as agents ask it: counted, within the budget, the rate limit and retries."""
        return None if self.chat is None else self._guard.chat(self.chat, self.metrics)

    @cached_property
    def rerank_service(self) -> "RerankService | None":
        """The reranking service itself, unguarded; None where none is set."""
        model = self.settings.rerank_model
        return (
            self._closed_at_the_end(served_models.reranker(self.settings, model)) if model else None
        )

    def _reranker(self) -> "Reranker | None":
        service = self.rerank_service
        return None if service is None else self._guard.reranker(service)

    # --- search -----------------------------------------------------------------------------

    @cached_property
    def sentences(self) -> "SentenceVectors | None":
        """The sentence vectors that search, writer and critic share."""
        # Each would be a paid call of a service: there the words of a sentence must do.
        here = self.settings.embedder_in_use in {"bundled", "multilingual"}
        return self._vectors if here else None

    @cached_property
    def _vectors(self) -> "SentenceVectors | None":
        """Remembers what was embedded at question time; of a service the questions alone."""
        return None if self.embedder is None else searching.SentenceVectors(self.embedder)

    @cached_property
    def retrieval(self) -> "Retrieval":
        """Finds candidates in one workspace."""
        return searching.retrieval(
            self.repository,
            self.stores,
            self.embedder,
            self._vectors,
            self._reranker(),
            by_sentence=self.sentences is not None,
            several=self.chat is not None,
        )

    @cached_property
    def wordings(self) -> "Wordings":
        """Words questions anew by what documents say."""
        return searching.wordings(self.repository, self.workspace_words, self.database)

    @cached_property
    def asking(self) -> "TableAsking":
        """Asks the whole tables of workspaces, in a process apart that the first question starts."""
        made, engine = whole_tables.asking(self.database, self.guarded_chat)
        self._closed_at_the_end(engine)
        return made

    # --- graphs -----------------------------------------------------------------------------

    @cached_property
    def context(self) -> "ResearchContext":
        """Return the context that a run of the research graph is given."""
        return self._research(self.retrieval).context(self.guarded_chat, self.policy)

    def _research(self, retrieval: "Retrieval") -> "agents.Research":
        return agents.Research(
            self.repository,
            retrieval,
            self.sentences,
            self.answer_reader,
            self.embedder.profile if self.embedder else None,
            self.wordings,
        )

    @cached_property
    def chat_context(self) -> "ChatContext":
        """Return the context that a run of the chat graph is given."""
        return agents.chat_context(
            self._research(self.retrieval),
            self.guarded_chat,
            self.policy,
            database=self.database,
            greeter=self.greeter,
            codes=self.code_lists,
            tables=self.asking,
            words=self.workspace_words,
        )

    @cached_property
    def analysis_context(self) -> "AnalysisContext":
        """Return the context that a run of the analysis graph is given."""
        return agents.analysis_context(
            self._research(self.retrieval),
            self.guarded_chat,
            self.policy,
            database=self.database,
            tables=self.asking,
        )

    @cached_property
    def classification_context(self) -> "ClassificationContext":
        """Return the context that a run of the classification graph is given."""
        return agents.classification_context(
            self._research(self.retrieval), self.guarded_chat, self.policy, codes=self.code_lists
        )

    @cached_property
    def greeter(self) -> "Greeter":
        """Answers small talk, with questions that the workspace answers."""
        return agents.RuleGreeter(self.suggestions.known)

    def graphs(
        self,
        wrap: "Callable[[AnyGraph], Wrap] | None" = None,
        checkpoints: "Checkpoints | None" = None,
    ) -> "dict[str, AnyBoundGraph]":
        """Bind every listed graph to its agents; `wrap` makes what goes around a graph's nodes."""
        contexts: dict[str, Callable[[], Context[Any]]] = {
            "chat": lambda: self.chat_context,
            "research": lambda: self.context,
            "analysis": lambda: self.analysis_context,
            "classification": lambda: self.classification_context,
        }
        return agents.bound(contexts, wrap, checkpoints)

    @cached_property
    def assistant(self) -> "Assistant":
        """Answers questions."""
        timeout_s = self.settings.run_timeout
        return question_answering.assistant(
            self.repository, self.graphs(), self.attached, self.suggestions, timeout_s
        )

    @cached_property
    def suggestions(self) -> "Suggestions":
        """Makes questions that a workspace answers; whether it does is tried without a model service."""
        here = searching.retrieval_here(self.repository, self.stores, self.embedder, self.sentences)
        offline, kept = self._research(here).context(None, self.policy), self.kept_suggestions
        return question_answering.suggestions(
            self.repository, offline, kept, self.settings.run_timeout
        )

    # --- documents --------------------------------------------------------------------------

    @property
    def max_file_bytes(self) -> int:
        """Return the most bytes that a document may have.

        A larger one is refused before it is read.
        """
        return document_limits.FILE_BYTES

    @cached_property
    def parser(self) -> "Parser":
        """Reads the bytes of files, each in a process apart."""
        return self._closed_at_the_end(document_reading.ParserPool(self.settings.parser_processes))

    @cached_property
    def attaching(self) -> "Attaching":
        """Reads the files that come with questions."""
        return document_reading.Attaching(kept=self.attached, parser=self.parser)

    @cached_property
    def ingest(self) -> "Ingest":
        """Puts documents in, and takes them out."""
        return document_reading.ingest(
            self.repository, self.stores, self.embedder, self.parser, self._forget
        )

    async def older_documents(self, owner: str | None) -> "OlderDocuments":
        """Count an owner's documents that an older reader read; for None everybody's.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        return await document_reading.older(self.database, owner)
