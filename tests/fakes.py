"""Small in-memory stand-ins for the ports, for tests of what stands above them."""

import asyncio
import datetime as dt
import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from masis.domain import (
    Block,
    Chunk,
    Document,
    EmbeddingProfile,
    Origin,
    ParsedDocument,
    Workspace,
    WorkspaceId,
    opaque_id,
    workspace_id,
)
from masis.errors import (
    DocumentRefused,
    EmbeddingError,
    ProfileMismatch,
    StoreUnavailable,
    UnknownWorkspace,
)
from masis.fields import together
from masis.ports import Hit, Point, Scope, SparseVector, Vectors
from masis.records import DeletedDocument, StoredRun, Version
from masis.text.lexical import term_id, terms
from masis.values.tabular import PackedTable

DIMENSION = 16
PROFILE = EmbeddingProfile(
    name="fake",
    model="hashes",
    dimension=DIMENSION,
    version="1",
    calibration=[(0.0, 0.0), (1.0, 1.0)],
)


@dataclass
class Faults:
    """The calls that fail from now on, by method name; `before` is run when a call begins."""

    failing: set[str] = field(default_factory=set)
    before: dict[str, Callable[[], None]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)

    async def check(self, call: str) -> None:
        """Note a call, let others run, and fail when told so."""
        self.calls.append(call)
        if call in self.before:
            self.before[call]()
        await asyncio.sleep(0)
        if call in self.failing:
            raise StoreUnavailable(f"{call} failed")


@dataclass
class _Row:
    version: Version
    name: str
    size: int
    state: Literal["writing", "active", "retired", "removed"] = "writing"
    chunks: list[Chunk] = field(default_factory=list)
    terms: Mapping[int, int] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)
    document: Document | None = None
    fields: dict[str, str] = field(default_factory=dict)
    origin: Origin = field(default_factory=Origin)


class FakeRepository:
    """A repository in memory, with the states that versions go through."""

    def __init__(self, faults: Faults | None = None) -> None:
        self.faults = faults or Faults()
        self.rows: dict[str, _Row] = {}
        self.runs: dict[str, StoredRun] = {}
        self._workspaces: dict[WorkspaceId, Workspace] = {}

    # --- workspaces

    async def create_workspace(self, owner: str, name: str) -> Workspace:
        found = await self.workspace(owner, name)
        if found is None:
            made = workspace_id(opaque_id("ws", owner, name))
            found = Workspace(id=made, owner=owner, name=name)
            self._workspaces[made] = found
        return found

    async def workspace(self, owner: str, name: str) -> Workspace | None:
        return next((one for one in await self.workspaces(owner) if one.name == name), None)

    async def workspace_by_id(self, workspace_id: WorkspaceId) -> Workspace | None:
        found = self._workspaces.get(workspace_id)
        if found is None:
            return None
        held = await self.documents(workspace_id)
        counts = {"documents": len(held), "chunks": sum(one.chunks for one in held)}
        return found.model_copy(update=counts)

    async def workspaces(self, owner: str) -> list[Workspace]:
        mine = [one.id for one in self._workspaces.values() if one.owner == owner]
        found = [await self.workspace_by_id(one) for one in mine]
        return sorted((one for one in found if one is not None), key=lambda one: one.name)

    async def bind_profile(self, workspace_id: WorkspaceId, profile_id: str) -> None:
        await self.faults.check("bind_profile")
        found = self._workspaces.get(workspace_id)
        if found is None:
            raise UnknownWorkspace("There is no such workspace.")
        if found.embedding_profile not in {None, profile_id}:
            raise ProfileMismatch(f"{found.name} is bound to {found.embedding_profile}")
        bound = found.model_copy(update={"embedding_profile": profile_id})
        self._workspaces[workspace_id] = bound

    async def delete_workspace(self, workspace_id: WorkspaceId) -> None:
        self._workspaces.pop(workspace_id, None)
        self.rows = {
            key: row for key, row in self.rows.items() if row.version.workspace_id != workspace_id
        }

    # --- documents

    async def documents(self, workspace_id: WorkspaceId) -> list[Document]:
        active = [row.document for row in self._visible(workspace_id) if row.document is not None]
        return sorted(active, key=lambda document: document.name)

    async def document(self, workspace_id: WorkspaceId, name: str) -> Document | None:
        await self.faults.check("document")
        return next((one for one in await self.documents(workspace_id) if one.name == name), None)

    async def begin_version(
        self,
        workspace_id: WorkspaceId,
        name: str,
        content_hash: str,
        size_bytes: int,
        origin: Origin | None = None,
    ) -> Version:
        await self.faults.check("begin_version")
        mine = (row for row in self.rows.values() if row.version.workspace_id == workspace_id)
        named = (row.version.document_id for row in mine if row.name == name)
        document_id = next(named, opaque_id("d", workspace_id, name))
        same = [row for row in self.rows.values() if row.version.document_id == document_id]
        number = max((row.version.number for row in same), default=0) + 1
        version = Version(
            id=opaque_id("v", document_id, str(number), content_hash),
            workspace_id=workspace_id,
            document_id=document_id,
            number=number,
            content_hash=content_hash,
        )
        self.rows[version.id] = _Row(version, name, size_bytes, origin=origin or Origin())
        return version

    async def note_origin(self, workspace_id: WorkspaceId, version_id: str, origin: Origin) -> None:
        row = self.rows[version_id]
        assert row.version.workspace_id == workspace_id
        assert row.document is not None
        row.origin, row.document = origin, row.document.model_copy(update={"origin": origin})

    async def note_fields(
        self, workspace_id: WorkspaceId, version_id: str, given: Mapping[str, str]
    ) -> None:
        row = self.rows[version_id]
        assert row.version.workspace_id == workspace_id
        assert row.document is not None
        fields = together(row.fields, given)
        row.document = row.document.model_copy(update={"given": dict(given), "fields": fields})

    async def field_keys(self, workspace_id: WorkspaceId) -> frozenset[str]:
        return frozenset(key for each in await self.documents(workspace_id) for key in each.fields)

    async def rename_document(
        self, workspace_id: WorkspaceId, document_id: str, name: str, origin: Origin
    ) -> bool:
        mine = [row for row in self.rows.values() if row.version.workspace_id == workspace_id]
        visible = self._visible(workspace_id)
        row = next((row for row in visible if row.version.document_id == document_id), None)
        if row is None or row.document is None or name in {other.name for other in mine}:
            return False
        row.name, row.origin = name, origin
        row.document = row.document.model_copy(update={"name": name, "origin": origin})
        return True

    async def twin(self, version: Version) -> str | None:
        others = (
            row.name
            for row in self.rows.values()
            if row.version.workspace_id == version.workspace_id
            and row.version.content_hash == version.content_hash
            and row.version.document_id != version.document_id
            and row.state in {"active", "writing"}
        )
        return min(others, default=None)

    async def write_chunks(
        self,
        version: Version,
        chunks: Sequence[Chunk],
        terms: Mapping[int, int],
        words: Mapping[str, int] | None = None,
        tables: Sequence[PackedTable] = (),  # noqa: ARG002 - the search knows no tables
    ) -> None:
        await self.faults.check("write_chunks")
        row = self.rows.get(version.id)
        if row is not None and row.state == "writing":
            row.chunks, row.terms, row.words = list(chunks), dict(terms), dict(words or {})

    async def activate(self, version: Version, parsed: ParsedDocument, chunks: int) -> str | None:
        await self.faults.check("activate")
        row = self.rows.get(version.id)
        if row is None or row.state != "writing":
            return version.id
        if len(row.chunks) != chunks:
            raise StoreUnavailable("not all rows are there")
        visible = self._visible(version.workspace_id)
        active = next((o for o in visible if o.version.document_id == version.document_id), None)
        if active is not None and active.version.number > version.number:
            row.state = "retired"
            return version.id
        if active is not None:
            active.state = "retired"
        row.state, row.document, row.fields = "active", _document(row, parsed), parsed.fields
        await self.faults.check("activated")
        return None if active is None else active.version.id

    async def discard_version(self, workspace_id: WorkspaceId, version_id: str) -> None:
        await self.faults.check("discard_version")
        row = self.rows.get(version_id)
        mine = row is not None and row.version.workspace_id == workspace_id
        if mine and row is not None and row.state != "active":
            del self.rows[version_id]

    async def delete_document(
        self, workspace_id: WorkspaceId, document_id: str, version: str = ""
    ) -> DeletedDocument:
        await self.faults.check("delete_document")
        gone = [
            row
            for row in self.rows.values()
            if (row.version.workspace_id, row.version.document_id) == (workspace_id, document_id)
        ]
        active = [row.version.id for row in gone if row.state == "active"]
        if version and version not in active:
            return DeletedDocument(versions=[], replaced=bool(active))
        for row in gone:
            row.state, row.chunks, row.terms, row.document = "removed", [], {}, None
        return DeletedDocument(versions=[row.version.id for row in gone])

    async def hidden_versions(self, workspace_id: WorkspaceId) -> list[str]:
        return [
            row.version.id
            for row in self.rows.values()
            if row.version.workspace_id == workspace_id and row.state != "active"
        ]

    # --- search

    async def chunks(
        self, workspace_id: WorkspaceId, chunk_ids: Sequence[str]
    ) -> dict[str, tuple[Chunk, Document]]:
        wanted = set(chunk_ids)
        return {
            chunk.id: (chunk, row.document)
            for row in self._visible(workspace_id)
            for chunk in row.chunks
            if chunk.id in wanted and row.document is not None
        }

    async def neighbours(
        self, workspace_id: WorkspaceId, version_id: str, positions: Collection[int]
    ) -> list[Chunk]:
        rows = [row for row in self._visible(workspace_id) if row.version.id == version_id]
        return [chunk for row in rows for chunk in row.chunks if chunk.position in set(positions)]

    async def term_frequencies(
        self, workspace_id: WorkspaceId, terms: Collection[int]
    ) -> tuple[int, dict[int, int]]:
        rows = self._visible(workspace_id)
        counts = {term: sum(row.terms.get(term, 0) for row in rows) for term in terms}
        found = {term: count for term, count in counts.items() if count}
        return sum(len(row.chunks) for row in rows), found

    async def active_versions(self, workspace_id: WorkspaceId) -> list[str]:
        return [row.version.id for row in self._visible(workspace_id)]

    async def version_words(
        self, workspace_id: WorkspaceId, version_ids: Sequence[str]
    ) -> dict[str, dict[str, int]]:
        rows = self._visible(workspace_id)
        return {row.version.id: row.words for row in rows if row.version.id in version_ids}

    async def save_run(self, run: StoredRun) -> None:
        self.runs[run.run_id] = run

    async def run(self, workspace_id: WorkspaceId, run_id: str) -> StoredRun | None:
        found = self.runs.get(run_id)
        return found if found is not None and found.workspace_id == workspace_id else None

    def _visible(self, workspace_id: WorkspaceId) -> list[_Row]:
        mine = (row for row in self.rows.values() if row.version.workspace_id == workspace_id)
        return [row for row in mine if row.state == "active"]


def _document(row: _Row, parsed: ParsedDocument) -> Document:
    return Document(
        id=row.version.document_id,
        workspace_id=row.version.workspace_id,
        name=row.name,
        title=parsed.title,
        format=parsed.format,
        version_id=row.version.id,
        version_number=row.version.number,
        content_hash=row.version.content_hash,
        size_bytes=row.size,
        chunks=len(row.chunks),
        date=parsed.date,
        date_source=parsed.date_source,
        ingested_at=dt.datetime(2025, 1, 1, tzinfo=dt.UTC),
        parser=parsed.parser,
        origin=row.origin,
        fields=together(parsed.fields, parsed.given),
        given=parsed.given,
    )


class FakeVectorStore:
    """The vectors of one workspace in memory; search is exact."""

    def __init__(
        self, workspace_id: WorkspaceId, profile: EmbeddingProfile | None, faults: Faults
    ) -> None:
        self.points: dict[str, Point] = {}
        self.profile = profile
        self.faults = faults
        self._workspace_id = workspace_id

    @property
    def workspace_id(self) -> WorkspaceId:
        return self._workspace_id

    async def upsert(self, points: Sequence[Point]) -> None:
        await self.faults.check("upsert")
        self.points |= {point.chunk_id: point for point in points}

    async def search(
        self,
        dense: NDArray[np.float32] | None,
        sparse: SparseVector,
        *,
        limit: int,
        hidden: Collection[str] = (),
        within: Scope | None = None,
    ) -> list[Hit]:
        hits = []
        for point in self.points.values():
            if point.version_id not in hidden and _is_within(point, within):
                lexical = sum(sparse[term] * point.sparse.get(term, 0.0) for term in sparse)
                cosine = 0.0
                if dense is not None and point.dense is not None:
                    cosine = float(np.dot(dense, point.dense))
                hits.append(Hit(point.chunk_id, point.version_id, lexical + cosine, cosine))
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    async def vectors(self, chunk_ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        await self.faults.check("vectors")
        found = {chunk_id: self.points.get(chunk_id) for chunk_id in chunk_ids}
        return {
            chunk_id: point.dense
            for chunk_id, point in found.items()
            if point is not None and point.dense is not None
        }

    async def delete_version(self, version_id: str) -> None:
        await self.faults.check("delete_version")
        self.points = {
            key: point for key, point in self.points.items() if point.version_id != version_id
        }

    async def count(self) -> int:
        return len(self.points)

    async def close(self) -> None:
        await self.faults.check("close")


def _is_within(point: Point, scope: Scope | None) -> bool:
    if scope is None:
        return True
    if scope.documents is not None and point.document_id not in scope.documents:
        return False
    return scope.sections is None or any(
        set(section) <= set(point.section) for section in scope.sections
    )


class FakeVectorStores:
    """Every workspace's vectors in memory."""

    def __init__(self, faults: Faults | None = None) -> None:
        self.faults = faults or Faults()
        self.opened: dict[WorkspaceId, FakeVectorStore] = {}

    async def open(
        self, workspace_id: WorkspaceId, profile: EmbeddingProfile | None
    ) -> FakeVectorStore:
        await self.faults.check("open")
        store = self.opened.get(workspace_id)
        if store is None:
            store = FakeVectorStore(workspace_id, profile, self.faults)
            self.opened[workspace_id] = store
        if profile is not None and store.profile is not None and store.profile.id != profile.id:
            raise ProfileMismatch(f"the store holds vectors of {store.profile.id}")
        return store

    async def drop(self, workspace_id: WorkspaceId) -> None:
        self.opened.pop(workspace_id, None)

    async def close(self) -> None:
        self.opened.clear()


class FakeEmbedder:
    """Hashed bags of terms: the same text gives the same vector, like texts near ones.

    With a `gate` it waits until that is open.
    """

    def __init__(self, profile: EmbeddingProfile = PROFILE) -> None:
        self._profile = profile
        self.failing = False
        self.gate: asyncio.Event | None = None
        self.asked: list[list[str]] = []

    @property
    def profile(self) -> EmbeddingProfile:
        return self._profile

    async def embed(
        self,
        texts: Sequence[str],
        kind: Literal["document", "query"] = "document",  # noqa: ARG002 - no prefixes here
    ) -> Vectors:
        self.asked.append(list(texts))
        await asyncio.sleep(0)
        if self.gate is not None:
            await self.gate.wait()
        if self.failing:
            raise EmbeddingError("the embedder failed")
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> NDArray[np.float32]:
        vector = np.full(self._profile.dimension, 1e-3, dtype=np.float32)
        for term in terms(text):
            vector[term_id(term) % self._profile.dimension] += 1
        unit: NDArray[np.float32] = vector / np.linalg.norm(vector)
        return unit


class FakeParser:
    """Reads UTF-8: a line a paragraph, `# ` before a heading; refuses what begins with `refuse`."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def parse(self, name: str, content: bytes) -> ParsedDocument:
        self.asked.append(name)
        await asyncio.sleep(0)
        text = content.decode()
        if text.startswith("refuse"):
            raise DocumentRefused("The file is damaged and could not be read.")
        blocks = [
            Block(kind="heading", text=line[2:], level=1)
            if line.startswith("# ")
            else Block(kind="paragraph", text=line)
            for line in text.splitlines()
            if line
        ]
        return ParsedDocument(format="txt", title=name, blocks=blocks)


def digest(content: bytes) -> str:
    """The hash that a document's bytes are known by."""
    return hashlib.sha256(content).hexdigest()
