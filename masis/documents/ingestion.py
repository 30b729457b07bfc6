"""Putting documents into a workspace: each version whole or not at all."""

import asyncio
import contextlib
import datetime as dt
import hashlib
import time
from collections import Counter, deque
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal
from weakref import WeakValueDictionary

from masis.codelists import recognised_lists
from masis.documents.indexing import ChunkVectors, OnShare, chunked, points_of
from masis.documents.known_vectors import Known, known_vectors
from masis.documents.removal import DeleteResult, Removal
from masis.domain import (
    Chunk,
    Document,
    Format,
    Origin,
    ParsedDocument,
    Value,
    Workspace,
    WorkspaceId,
)
from masis.errors import DocumentRefused, ProfileMismatch
from masis.fields import MOST_FIELDS
from masis.ports import Embedder, Parser, Repository, SparseVector, VectorStore, VectorStores
from masis.records import Version
from masis.spending import paid_by_workspace
from masis.words.spelling import counted

FILES_UNDER_WAY: Final = 6
"""Files of a folder that are read, embedded and written at the same time: bounds the memory."""
_UPSERT_BATCH: Final = 512

UNSTORABLE: Final = "Its name holds characters that no database keeps. Give it another name."
TOO_MANY_FIELDS: Final = f"It would have more than {MOST_FIELDS} given fields. Take some away: --field KEY= without a value."
READ_AGAIN: Final = "read again"
SUPERSEDED: Final = "The document was replaced or deleted while this version of it was being read."


class PhaseSeconds(Value):
    """Hold how many seconds each phase of an ingestion took.

    `embed` includes the wait for the embedder.
    """

    parse: float = 0.0
    chunk: float = 0.0
    embed: float = 0.0
    write: float = 0.0


class IngestResult(Value):
    """Report what became of one file. `reason` says why it was refused; `version` counts from 1.

    `notes` say what was left out of it, and which document of another name has the same bytes.
    """

    status: Literal["added", "updated", "unchanged", "refused"]
    name: str
    reason: str | None = None
    document_id: str | None = None
    version: int | None = None
    chunks: int = 0
    notes: list[str] = []
    seconds: PhaseSeconds = PhaseSeconds()


@dataclass(frozen=True, slots=True)
class Source:
    """A file that is read when its turn comes. `read` may block, and raise DocumentRefused."""

    name: str
    read: Callable[[], bytes]
    origin: Origin | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    again: bool = False


@dataclass(frozen=True, slots=True)
class _Offered:
    """Hold a file that is to be put in, as it was handed over."""

    name: str
    content: bytes
    origin: Origin | None
    fields: Mapping[str, str]
    again: bool
    offered_at: dt.datetime | None = None

    def is_late(self, active: Document) -> bool:
        """Say whether somebody put another version in after this one was offered."""
        return self.offered_at is not None and active.ingested_at > self.offered_at

    def given_beside(self, held: Mapping[str, str]) -> dict[str, str]:
        """Return the fields that a document has with these; an empty value takes one away.

        Raises:
            DocumentRefused: they are more than can be kept.
        """
        given = {key: value for key, value in {**held, **self.fields}.items() if value}
        if self.fields and len(given) > MOST_FIELDS:
            raise DocumentRefused(TOO_MANY_FIELDS)
        return given


@dataclass(slots=True)
class _Clock:
    """Adds up the seconds of the phases."""

    spent: dict[str, float] = field(default_factory=dict)

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Count the time of the block towards a phase."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.spent[name] = self.spent.get(name, 0.0) + time.perf_counter() - begun

    def seconds(self) -> PhaseSeconds:
        """Return the seconds that were counted so far."""
        return PhaseSeconds(**{name: round(value, 6) for name, value in self.spent.items()})


class Ingest:
    """Writes document versions whole or not at all; without an embedder for lexical search alone.

    A new version is invisible until it is complete, and the old one answers until then. What a
    crash leaves behind stays invisible and is removed by `recover`. `forget` drops what is kept in
    memory of a workspace, and is called when something of it stops being visible. `parsers` are the
    versions of the parser's readers; a document that an older one read is read again.
    """

    def __init__(
        self,
        *,
        repository: Repository,
        stores: VectorStores,
        embedder: Embedder | None,
        parser: Parser,
        forget: Callable[[WorkspaceId], None] | None = None,
        parsers: Mapping[Format, int] = MappingProxyType({}),
    ) -> None:
        self._repository = repository
        self._stores = stores
        self._embedder = embedder
        self._parser = parser
        self._parsers = parsers
        self._forget = forget or _nothing_kept
        self._vectors = ChunkVectors(embedder)
        self._removal = Removal(
            repository=repository, stores=stores, embedder=embedder, forget=self._forget
        )
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()
        self._bound: set[WorkspaceId] = set()
        self._writing: set[str] = set()

    def is_outdated(self, document: Document) -> bool:
        """Tell whether a document was read by an older reader than the one in use."""
        return document.parser < self._parsers.get(document.format, 0)

    async def ingest(
        self,
        workspace: Workspace,
        name: str,
        content: bytes,
        origin: Origin | None = None,
        fields: Mapping[str, str] = MappingProxyType({}),
        *,
        again: bool = False,
        offered_at: dt.datetime | None = None,
        on_share: OnShare | None = None,
    ) -> IngestResult:
        """Add a document, or replace it when its bytes or their reader have changed, or `again`.

        What somebody put in after `offered_at` is not replaced.
        `on_share` is told how far it is, once that is known.
        `origin` is noted with the version that is written for it; unchanged, it stays as it is.
        `fields` are given to the document beside those that it was given before; an empty value
        takes one away. More than can be kept are refused, and change nothing.

        Raises:
            StoreUnavailable: it could not be written; what was there before still answers.
            ProfileMismatch: the workspace holds vectors of another embedding profile, or holds
                some where no embedder is in use, or none where one is.
            EmbeddingError: the embedder failed.
            BudgetSpent: the embedder is a service, and the workspace may spend no more today.
        """
        if _storable(name) != name:
            return IngestResult(status="refused", name=_storable(name), reason=UNSTORABLE)
        offered = _Offered(name, content, origin, fields, again=again, offered_at=offered_at)
        lock = self._locks.setdefault((workspace.id, name), asyncio.Lock())
        async with lock:  # two uploads of one document wait for each other
            try:
                return await self._compared(workspace, offered, on_share)
            except DocumentRefused as refusal:
                return IngestResult(status="refused", name=name, reason=str(refusal))

    async def _compared(
        self, workspace: Workspace, offered: _Offered, on_share: OnShare | None
    ) -> IngestResult:
        """Compare what is offered with the version that answers now, and write it where it differs."""
        name, content, origin = offered.name, offered.content, offered.origin
        digest = await asyncio.to_thread(lambda: hashlib.sha256(content).hexdigest())
        active = await self._repository.document(workspace.id, name)
        given = offered.given_beside({} if active is None else active.given)
        same = active is not None and active.content_hash == digest
        if active and same:
            if not (offered.again or self.is_outdated(active)):
                if given != active.given:
                    await self._repository.note_fields(workspace.id, active.version_id, given)
                return _unchanged(name, active)
            origin = _kept(active.origin, origin)
        elif active and offered.is_late(active):
            raise DocumentRefused(SUPERSEDED)
        with paid_by_workspace(workspace):
            written = await self._replace(
                workspace, name, content, digest, origin, given=given, on_share=on_share
            )
        return (
            written.model_copy(update={"notes": [*written.notes, READ_AGAIN]}) if same else written
        )

    async def ingest_many(
        self, workspace: Workspace, sources: Iterable[Source]
    ) -> AsyncGenerator[IngestResult]:
        """Ingest many files, results in order; while one is embedded the next are read.

        Raises:
            StoreUnavailable: see `ingest`; the files that were under way are given up.
        """
        under_way: deque[asyncio.Task[IngestResult]] = deque()
        left = iter(sources)
        try:
            while True:
                for source in left:
                    under_way.append(asyncio.create_task(self._ingest_source(workspace, source)))
                    if len(under_way) >= FILES_UNDER_WAY:
                        break
                if not under_way:
                    return
                yield await under_way[0]
                under_way.popleft()
        finally:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    async def rename(self, document: Document, name: str, origin: Origin) -> bool:
        """Give a document another name; what was read and embedded of it stays, its title too.

        False, and nothing changed, where the name is taken or the document is gone.

        Raises:
            StoreUnavailable: nothing was changed.
        """
        async with contextlib.AsyncExitStack() as held:
            for each in sorted({document.name, name}):
                lock = self._locks.setdefault((document.workspace_id, each), asyncio.Lock())
                await held.enter_async_context(lock)
            return await self._repository.rename_document(
                document.workspace_id, document.id, name, origin
            )

    async def delete(self, workspace: Workspace, name: str, *, version: str = "") -> DeleteResult:
        """Delete a document with all its versions, at once and completely.

        With a `version` only where that is the one that answers.

        Raises:
            StoreUnavailable: nothing was deleted; or, where only removing the points failed, the
                document was, and `recover` removes them.
        """
        return await self._removal.document(workspace, name, version)

    async def delete_workspace(self, workspace: Workspace) -> None:
        """Delete a workspace with everything in it.

        Raises:
            StoreUnavailable: nothing was deleted, where it is retryable.
        """
        await self._removal.workspace(workspace)
        self._bound.discard(workspace.id)

    async def recover(self, workspace_id: WorkspaceId, hidden: Iterable[str]) -> int:
        """Remove what a crash left behind of these invisible versions; says how many they were.

        Versions that this object is writing are left alone. Another process's are not known:
        name none that one may be writing.

        Raises:
            StoreUnavailable: some may be left.
        """
        leftovers = [version for version in hidden if version not in self._writing]
        if leftovers:
            await self._removal.remove(workspace_id, leftovers)
        return len(leftovers)

    async def _ingest_source(self, workspace: Workspace, source: Source) -> IngestResult:
        try:
            content = await asyncio.to_thread(source.read)
        except DocumentRefused as refusal:
            return IngestResult(status="refused", name=_storable(source.name), reason=str(refusal))
        except OSError as error:
            reason = f"The file could not be read: {error.strerror or error}."
            return IngestResult(status="refused", name=_storable(source.name), reason=reason)
        return await self.ingest(
            workspace, source.name, content, source.origin, source.fields, again=source.again
        )

    async def _replace(
        self,
        workspace: Workspace,
        name: str,
        content: bytes,
        digest: str,
        origin: Origin | None,
        *,
        given: dict[str, str],
        on_share: OnShare | None,
    ) -> IngestResult:
        """Read a document and write it as a new version, which then takes the place of the old."""
        clock = _Clock()
        with clock.phase("parse"):
            parsed = await self._parsed(name, content, given)
        store = await self._opened(workspace)
        version = await self._repository.begin_version(
            workspace.id, name, digest, len(content), origin
        )
        async with self._discarded_unless_written(version, name):
            twin = await self._repository.twin(version)
            names = [name, *filter(None, [twin])]
            chunks = await self._write(version, parsed, store, clock, names, on_share=on_share)
            with clock.phase("write"):
                replaced = await self._activated(version, parsed, len(chunks))
        with clock.phase("write"):
            if replaced is not None:
                self._forget(workspace.id)
                await self._removal.remove_or_leave(workspace.id, replaced)
        return IngestResult(
            status="added" if replaced is None else "updated",
            name=name,
            document_id=version.document_id,
            version=version.number,
            chunks=len(chunks),
            notes=[*parsed.notes, *([] if twin is None else [f"same as {twin}"])],
            seconds=clock.seconds(),
        )

    @contextlib.asynccontextmanager
    async def _discarded_unless_written(self, version: Version, name: str) -> AsyncIterator[None]:
        """Note that a version is being written, and take it away again where that fails."""
        self._writing.add(version.id)
        try:
            yield
        except BaseException:
            # Also when cancelled. It is invisible anyway: what cannot be removed now, `recover` will.
            await _to_the_end(self._removal.discard(version, name))
            raise
        finally:
            self._writing.discard(version.id)

    async def _parsed(self, name: str, content: bytes, given: dict[str, str]) -> ParsedDocument:
        """Read a document, and note with it which reader that was and the fields it was given."""
        parsed = await self._parser.parse(name, content)
        reader = self._parsers.get(parsed.format, 0)
        text = [block for block in parsed.blocks if not block.is_queried]
        parsed = parsed.model_copy(update={"given": given, "parser": reader, "blocks": text})
        return await asyncio.to_thread(recognised_lists.marked, parsed)

    async def _opened(self, workspace: Workspace) -> VectorStore:
        """The workspace's vectors; its embedding profile is recorded with the first document."""
        if self._embedder is None:
            await self._check_unbound(workspace)
            return await self._stores.open(workspace.id, None)
        profile = self._embedder.profile
        # First the store: a profile that its vectors are not of must not be recorded.
        store = await self._stores.open(workspace.id, profile)
        if workspace.id not in self._bound:
            await self._repository.bind_profile(workspace.id, profile.id)
            self._bound.add(workspace.id)
        return store

    async def _check_unbound(self, workspace: Workspace) -> None:
        """Check that a document without vectors would not stand among others that have them."""
        found = await self._repository.workspace_by_id(workspace.id)
        if found is not None and found.embedding_profile is not None:
            raise ProfileMismatch(
                f"Workspace “{found.name}” is one with vectors, of {found.embedding_profile}, and"
                " no embedder is in use. Use the embedder it was ingested with, or ingest into"
                " another workspace."
            )

    async def _write(
        self,
        version: Version,
        parsed: ParsedDocument,
        store: VectorStore,
        clock: _Clock,
        before: Sequence[str],
        *,
        on_share: OnShare | None,
    ) -> list[Chunk]:
        """Chunk, embed and store a version; nothing of it is visible yet.

        `before` names documents with the same texts, or most of them.
        """
        with clock.phase("chunk"):
            chunks, sparse = await asyncio.to_thread(chunked, version, parsed)
        with clock.phase("embed"):
            known = await self._known(store, before, chunks)
            dense = await self._vectors.of(chunks, known, on_share)
        with clock.phase("write"):
            points = await asyncio.to_thread(points_of, chunks, parsed, dense, sparse)
            for start in range(0, len(points), _UPSERT_BATCH):
                await store.upsert(points[start : start + _UPSERT_BATCH])
            terms = await asyncio.to_thread(_counted, sparse)
            words = await asyncio.to_thread(counted, [chunk.indexed_text for chunk in chunks])
            await self._repository.write_chunks(version, chunks, terms, words, parsed.tables)
        return chunks

    async def _known(
        self, store: VectorStore, names: Sequence[str], chunks: Sequence[Chunk]
    ) -> Known:
        """The vectors that visible documents of these names have for the texts of the chunks."""
        known: Known = {}
        if self._embedder is None:
            return known
        texts = {chunk.indexed_text for chunk in chunks}
        for name in names:
            document = await self._repository.document(store.workspace_id, name)
            if document is not None:
                known |= await known_vectors(self._repository, store, document, texts)
        return known

    async def _activated(self, version: Version, parsed: ParsedDocument, chunks: int) -> str | None:
        """Make a version visible; gives back the one that it replaced."""
        replaced = await self._repository.activate(version, parsed, chunks)
        if replaced == version.id:  # a later version is visible, or the document is gone
            raise DocumentRefused(SUPERSEDED)
        return replaced


async def _to_the_end(work: Coroutine[None, None, None]) -> None:
    """Wait until the work is done, however often we are cancelled meanwhile.

    Who closes the stores next would otherwise close them under it.
    """
    task = asyncio.ensure_future(work)
    while not task.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.shield(task)


def _kept(held: Origin, given: Origin | None) -> Origin:
    """Give the origin of a document that is read again: what came otherwise is not taken over."""
    return given if given is not None and held.source else held


def _unchanged(name: str, document: Document) -> IngestResult:
    return IngestResult(
        status="unchanged",
        name=name,
        document_id=document.id,
        version=document.version_number,
        chunks=document.chunks,
    )


def _storable(name: str) -> str:
    """The name without what cannot be stored or shown: NUL, and halves of surrogate pairs.

    A file system's undecodable bytes come as such halves; JSON can spell them.
    """
    return name.replace("\0", "?").encode("utf-8", "replace").decode()


def _counted(vectors: Sequence[SparseVector]) -> Counter[int]:
    """In how many chunks each term stands."""
    return Counter(term for vector in vectors for term in vector)


def _nothing_kept(_: WorkspaceId) -> None:
    """Forget nothing, as nothing is kept in memory."""
