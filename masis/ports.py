"""The outside world on one page: what MASIS needs of models, stores and searches.

Adapters fit these by shape, without inheriting. What stands before a port, a cache or a guard,
takes one and is one, so that they stack.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from masis.attached import Attached, AttachedFile
from masis.conversation import Acceptance, ChatRun
from masis.domain import (
    Chunk,
    Document,
    EmbeddingProfile,
    Format,
    Origin,
    ParsedDocument,
    SearchResult,
    Usage,
    Value,
    Workspace,
    WorkspaceId,
)
from masis.filters import NO_FILTERS, Filters
from masis.records import DeletedDocument, StoredRun, Version
from masis.spending import Charge, Spent
from masis.values.tabular import PackedTable, QueryResult, TableInfo, TableQuery

Vectors = NDArray[np.float32]
"""Shape (n, dimension), rows of length one."""

SparseVector = Mapping[int, float]
"""Term id (see `masis.text.lexical.term_id`) to weight."""


# --- models --------------------------------------------------------------------------------

Role = Literal["writer", "auditor", "judge"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)


class Message(Value):
    """One message to a model."""

    role: Literal["system", "user"]
    content: str


@dataclass(frozen=True, slots=True)
class ChatReply:
    """Hold what a model said: `parsed` when a schema was asked for and met, else `text`."""

    text: str = ""
    parsed: Any = None
    refusal: str | None = None
    finish_reason: str = "stop"
    usage: Usage = field(default_factory=Usage)


class ChatModel(Protocol):
    """A chat completion service.

    Raises:
        ModelServiceUnavailable: no answer in time, after the allowed retries.
        ModelServiceError: key, quota or request refused; a repeat cannot help.
    """

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        """Ask the model that plays `role`; with a schema, answer in its form."""
        ...


class Embedder(Protocol):
    """PermitDecisions texts into vectors of one profile.

    Raises:
        EmbeddingError: the texts could not be embedded.
    """

    @property
    def profile(self) -> EmbeddingProfile:
        """Return the profile, which says which vectors these are."""
        ...

    async def embed(
        self, texts: Sequence[str], kind: Literal["document", "query"] = "document"
    ) -> Vectors:
        """One row a text, in order."""
        ...


@dataclass(frozen=True, slots=True)
class EmbeddingReply:
    """Hold what one request brought: a row a text, in order, and what it took."""

    vectors: Vectors
    usage: Usage


class EmbeddingService(Protocol):
    """A service that turns texts into vectors, unguarded: one request a call, and no second try.

    Raises:
        ModelServiceError: it does not answer, or refuses.
        EmbeddingError: it sent vectors of another kind.
    """

    @property
    def profile(self) -> EmbeddingProfile:
        """Return the profile, which says which vectors these are."""
        ...

    async def request(self, texts: Sequence[str]) -> EmbeddingReply:
        """Ask once. No text is empty."""
        ...


@dataclass(frozen=True, slots=True)
class RerankReply:
    """Hold what one request brought: a score a text, in order, and what it took.

    Higher scores are better.

    Scores are comparable within one reply alone.
    """

    scores: list[float]
    usage: Usage


class RerankService(Protocol):
    """A service that says how well texts answer a question, unguarded: no second try.

    Raises:
        ModelServiceError: it does not answer, refuses, or sent no score for each text.
    """

    @property
    def model(self) -> str:
        """The model that scores."""
        ...

    async def request(self, query: str, texts: Sequence[str]) -> RerankReply:
        """Ask once."""
        ...


class Reranker(Protocol):
    """Says how well texts answer a question.

    Raises:
        ModelServiceError: it cannot be told now.
        BudgetSpent: the payer may spend no more today.
    """

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One a text, in order, the higher the better; comparable within one call alone."""
        ...


class AnswerReader(Protocol):
    """Reads texts with a question in mind.

    Raises:
        ReadingError: the model is missing, altered or failed; the message says what to do.
    """

    async def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        """Estimate how likely each text holds the answer, in [0, 1], in order."""
        ...


# --- the cost and the pace of model calls --------------------------------------------------


@dataclass(frozen=True, slots=True)
class Permit:
    """Leave for the call of who waited under this id, which counts as begun.

    Until `begin_by`, by the event loop's clock, the call may begin as it is.
    """

    id: str
    begin_by: float


@dataclass(frozen=True, slots=True)
class Wait:
    """About how long somebody has to wait, and how many of those who wait had come `before`."""

    seconds: float
    before: int


@dataclass(frozen=True, slots=True)
class PermitDecisions:
    """Report what became of those who asked for permits, by their ids."""

    granted: Mapping[str, Permit]
    waits: Mapping[str, Wait]


class CallPermits(Protocol):
    """Limit how many calls to a service may begin in any window of time.

    The limit is over all who share the permits.

    Who waits is let in in order of arrival: what is fair between workspaces is decided where runs are
    let through. A gateway has an object of its own.

    Raises:
        StoreUnavailable: the permits cannot be reached; no call may begin.
    """

    async def ask(self, waiting: Sequence[str]) -> PermitDecisions:
        """Let in whom the window allows.

        `waiting` are the ids of all of this gateway's; who is missing has left. To be repeated
        every `masis.policy.PERMIT_REQUEST_RENEWAL` seconds while any waits.
        """
        ...

    async def begin(self, permit: Permit) -> Permit | None:
        """Count the window from now on: the call is late. None when the permit was lost."""
        ...

    async def give_back(self, permit: Permit) -> None:
        """The call is not made: the permit is free."""
        ...

    async def cool_down(self, seconds: float) -> None:
        """Let no call begin for so long, 60 seconds at most."""
        ...


class Ledger(Protocol):
    """Record what model calls cost.

    Raises:
        StoreUnavailable: it cannot be read or written.
    """

    async def write(self, charges: Sequence[Charge]) -> None:
        """Keep them, all or none; of two with the same id the first is kept.

        Charges of a workspace that is gone are left out.
        """
        ...

    async def spent(self, workspace_id: WorkspaceId) -> Spent:
        """Return what the workspace spent today (UTC)."""
        ...


# --- vectors -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scope:
    """Limit which points a search may find. What is None is not asked for.

    A point is within when it is of one of the `documents` (ids), and when all the terms of one of
    the `sections` stand in its own headings (`Point.section`).
    """

    documents: frozenset[str] | None = None
    sections: tuple[tuple[int, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """Store a chunk in the vector store as vectors and ids, never its text.

    `section` are the term ids of the headings that it stands under.
    """

    chunk_id: str
    document_id: str
    version_id: str
    position: int
    format: Format
    dense: NDArray[np.float32] | None
    sparse: SparseVector
    section: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """One search hit. `score` orders; `cosine` is the raw dense similarity (0 without vectors)."""

    chunk_id: str
    version_id: str
    score: float
    cosine: float


class VectorStore(Protocol):
    """The vectors of one workspace; its constructor took the workspace.

    Raises:
        StoreUnavailable: the engine cannot be reached or read.
    """

    @property
    def workspace_id(self) -> WorkspaceId:
        """Return the workspace whose vectors these are."""
        ...

    async def upsert(self, points: Sequence[Point]) -> None:
        """Write points; the same chunk id replaces. Durable when this returns."""
        ...

    async def search(
        self,
        dense: NDArray[np.float32] | None,
        sparse: SparseVector,
        *,
        limit: int,
        hidden: Collection[str] = (),
        within: Scope | None = None,
    ) -> list[Hit]:
        """Hybrid search, best first: distribution-based score fusion over 100 a branch.

        Points of the version ids in `hidden` are left out, and those outside `within`, before
        anything is counted; how rare a term is does not depend on it. Without `dense` it is
        lexical alone.
        """
        ...

    async def vectors(self, chunk_ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """The dense vectors of those among these chunks that have one here, by chunk id."""
        ...

    async def delete_version(self, version_id: str) -> None:
        """Remove all points of a version."""
        ...

    async def count(self) -> int:
        """Count the points."""
        ...

    async def close(self) -> None:
        """Flush and let go of the store."""
        ...


class VectorStores(Protocol):
    """Opens each workspace's vectors, and drops them whole."""

    async def open(
        self, workspace_id: WorkspaceId, profile: EmbeddingProfile | None
    ) -> VectorStore:
        """The workspace's store, opened once and shared.

        Raises:
            ProfileMismatch: it holds vectors of another profile.
            StoreLocked: another process holds it.
            StoreUnavailable: it cannot be opened.
        """
        ...

    async def drop(self, workspace_id: WorkspaceId) -> None:
        """Remove the workspace's vectors, bytes and all."""
        ...

    async def close(self) -> None:
        """Close every open store."""
        ...


# --- memory --------------------------------------------------------------------------------


class Repository(Protocol):
    """Store what MASIS remembers in its database. Every call is scoped by owner or workspace.

    Raises:
        StoreUnavailable: the database cannot be opened, read or written (locked, full, gone).
    """

    async def create_workspace(self, owner: str, name: str) -> Workspace:
        """The owner's workspace of that name, made when it is new."""
        ...

    async def workspace(self, owner: str, name: str) -> Workspace | None:
        """The owner's workspace of that name."""
        ...

    async def workspace_by_id(self, workspace_id: WorkspaceId) -> Workspace | None:
        """The workspace of that id, with its counts."""
        ...

    async def workspaces(self, owner: str) -> list[Workspace]:
        """The owner's workspaces by name, with their counts."""
        ...

    async def bind_profile(self, workspace_id: WorkspaceId, profile_id: str) -> None:
        """Record the embedding profile of a workspace.

        Raises:
            ProfileMismatch: it is bound to another one.
        """
        ...

    async def delete_workspace(self, workspace_id: WorkspaceId) -> None:
        """Remove the workspace and every row of it."""
        ...

    async def documents(self, workspace_id: WorkspaceId) -> list[Document]:
        """The active documents by name."""
        ...

    async def document(self, workspace_id: WorkspaceId, name: str) -> Document | None:
        """The active document of that name."""
        ...

    async def begin_version(
        self,
        workspace_id: WorkspaceId,
        name: str,
        content_hash: str,
        size_bytes: int,
        origin: Origin | None = None,
    ) -> Version:
        """Open a new, invisible version of the document (which is made when it is new)."""
        ...

    async def note_origin(self, workspace_id: WorkspaceId, version_id: str, origin: Origin) -> None:
        """Say anew where a version's bytes are from."""
        ...

    async def note_fields(
        self, workspace_id: WorkspaceId, version_id: str, given: Mapping[str, str]
    ) -> None:
        """Say anew which fields a version was given."""
        ...

    async def field_keys(self, workspace_id: WorkspaceId) -> frozenset[str]:
        """The keys of all fields of visible documents."""
        ...

    async def rename_document(
        self, workspace_id: WorkspaceId, document_id: str, name: str, origin: Origin
    ) -> bool:
        """Give a visible document another name, nothing else; False where the name is taken."""
        ...

    async def twin(self, version: Version) -> str | None:
        """The name of another document with the same bytes, visible or being written."""
        ...

    async def write_chunks(
        self,
        version: Version,
        chunks: Sequence[Chunk],
        terms: Mapping[int, int],
        words: Mapping[str, int] | None = None,
        tables: Sequence[PackedTable] = (),
    ) -> None:
        """Store the version's chunks and tables, and in how many chunks each term id and word stands."""
        ...

    async def activate(self, version: Version, parsed: ParsedDocument, chunks: int) -> str | None:
        """Check that `chunks` rows are there, make the version the visible one, in one transaction.

        Gives back the id of the version that is to be removed: the replaced one; or `version`
        itself, when a version begun later is visible already or the document was deleted.
        """
        ...

    async def discard_version(self, workspace_id: WorkspaceId, version_id: str) -> None:
        """Forget an invisible version, once its vectors are gone; the visible one stays."""
        ...

    async def delete_document(
        self, workspace_id: WorkspaceId, document_id: str, version: str = ""
    ) -> DeletedDocument:
        """Remove the document; blank and mark stored answers that quote it.

        With a `version` only where that is the one that answers.
        """
        ...

    async def hidden_versions(self, workspace_id: WorkspaceId) -> list[str]:
        """Versions that are not visible: being written, replaced, or left over from a crash."""
        ...

    async def chunks(
        self, workspace_id: WorkspaceId, chunk_ids: Sequence[str]
    ) -> dict[str, tuple[Chunk, Document]]:
        """The chunks of visible versions among these ids, each with its document."""
        ...

    async def neighbours(
        self, workspace_id: WorkspaceId, version_id: str, positions: Collection[int]
    ) -> list[Chunk]:
        """The chunks at these positions of a visible version, in order."""
        ...

    async def term_frequencies(
        self, workspace_id: WorkspaceId, terms: Collection[int]
    ) -> tuple[int, dict[int, int]]:
        """Count the visible chunks, and for each term id how many of them it stands in."""
        ...

    async def active_versions(self, workspace_id: WorkspaceId) -> list[str]:
        """The ids of the visible versions."""
        ...

    async def version_words(
        self, workspace_id: WorkspaceId, version_ids: Sequence[str]
    ) -> dict[str, dict[str, int]]:
        """The words of visible versions, each with the number of passages that it stands in."""
        ...

    async def save_run(self, run: StoredRun) -> None:
        """Keep a finished run with its evidence snapshot."""
        ...

    async def run(self, workspace_id: WorkspaceId, run_id: str) -> StoredRun | None:
        """A kept run."""
        ...


class TableStore(Protocol):
    """The whole tables of visible documents. Every call is scoped by workspace.

    Raises:
        StoreUnavailable: the database cannot be read.
    """

    async def tables(self, workspace_id: WorkspaceId) -> list[TableInfo]:
        """The tables of the workspace's visible documents, by name and place."""
        ...

    async def cells(
        self, workspace_id: WorkspaceId, table_id: str, columns: Sequence[int]
    ) -> PackedTable | None:
        """A visible table with the cells of these columns, the others' empty."""
        ...


class TableEngine(Protocol):
    """Asks tables, within bounds of time, memory and rows.

    Raises:
        QueryRefused: the query cannot be run, or takes more than it may; the message is for people.
        StoreUnavailable: the table cannot be read.
    """

    async def ask(
        self, workspace_id: WorkspaceId, tables: Sequence[TableInfo], query: TableQuery
    ) -> QueryResult:
        """Run a query over all rows of these tables, which have the same columns."""
        ...

    async def ask_sql(
        self,
        workspace_id: WorkspaceId,
        tables: Sequence[TableInfo],
        sql: str,
        said: Collection[str] | None = None,
    ) -> QueryResult:
        """Run what somebody else wrote: one SELECT over these tables and nothing else, as is checked.

        Its texts and numbers must stand in what was `said`, where that is given.
        """
        ...

    def forget(self) -> None:
        """Let go of what tables are held in memory."""
        ...


class AttachedFiles(Protocol):
    """Store what was read of the files of a run's question, for that run alone.

    Raises:
        StoreUnavailable: the database cannot be read or written.
    """

    async def write(
        self,
        workspace_id: WorkspaceId,
        run_id: str,
        position: int,
        file: AttachedFile,
        chunks: Sequence[Chunk],
    ) -> None:
        """Keep the file at that place, whole or not at all; the first one that is kept stays."""
        ...

    async def of(self, workspace_id: WorkspaceId, run_id: str) -> Attached:
        """The files of a run that were kept so far, in their order."""
        ...

    async def remove(self, workspace_id: WorkspaceId, run_id: str) -> None:
        """Remove what is kept for a run, bytes and all."""
        ...


# --- search --------------------------------------------------------------------------------


class Parser(Protocol):
    """Reads a document's bytes.

    Raises:
        DocumentRefused: it cannot be read; the message is the reason shown to people.
    """

    async def parse(self, name: str, content: bytes) -> ParsedDocument:
        """Decide the format by content and give the text with its structure."""
        ...


class Search(Protocol):
    """Finds candidates for evidence in one workspace."""

    async def search(
        self,
        workspace_id: WorkspaceId,
        query: str,
        *,
        limit: int,
        question: str | None = None,
        filters: Filters = NO_FILTERS,
    ) -> SearchResult:
        """The `limit` best candidates after fusion and reranking; nothing is gated here.

        `question` is what coverage is measured by, where the query holds more than that. Only
        what is within `filters` is looked at.
        """
        ...


# --- runs ----------------------------------------------------------------------------------


class RunEngine(Protocol):
    """Carries accepted requests to their end, whatever dies on the way.

    Raises:
        StoreUnavailable: its database cannot be reached, or not within the time of an acceptance.
    """

    async def start(self, handler: Callable[[ChatRun], Awaitable[None]]) -> None:
        """Begin to work: `handler` takes a run to its one visible outcome.

        It is called again for a run whose process died or whose handler raised, and must do
        nothing twice; steps of the graph that finished are not repeated. With `attempt` above
        `masis.policy.RUN_ATTEMPTS` it only apologises, with `cancelled_by` it only says so.

        It may be broken off: with `RunCancelled` or `RunTakenOver` in a step of the graph, and
        elsewhere, some seconds later, like a cancelled task. Who takes `RunCancelled` shows that
        the run was stopped; `RunTakenOver` is left alone. A cancelled run whose handler ended by
        it, and one that went on beyond its time, are handed over once more for their last word.
        Runs left over from before are taken up.

        Raises:
            RuntimeError: another engine works in this process.
        """
        ...

    async def accept(self, run: ChatRun, *, seconds: float | None = None) -> Acceptance:
        """Store the request and put it into the queue, within `seconds` or `ACCEPT_SECONDS`.

        A request of a known id is a duplicate. One that answers a session (`session_id`) closes
        it in the same transaction. One whose thread has an open run waits for that run's end, one
        of a workspace that has as many at work as its team allows for the end of one of them, and
        one that comes when as many are at work as can be until its workspace is served.

        Raises:
            TooBusy: too many wait before it for it to be in time; nothing was stored.
            UnknownWorkspace: its tenant has no such workspace.
        """
        ...

    async def cancel(self, run_id: str, by: str) -> bool:
        """Ask an open run to end without an answer; False when it has ended already.

        Its handler sees `masis.errors.RunCancelled` within a step of the graph: in this process
        at once, in another one within seconds. One that waits ends without having run.
        """
        ...

    async def stop(self, grace_seconds: float = 20.0) -> None:
        """Take no more, let running ones finish for so long, leave the rest to others at once.

        Where there are no others, that is the next start.
        """
        ...
