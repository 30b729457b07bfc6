"""Ports that make a span of each call. Each takes a port and is one."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from numpy.typing import NDArray
from opentelemetry.trace import SpanKind
from pydantic import BaseModel

from bot.observability.spans import Attribute, span
from masis.documents.ingestion import Ingest, IngestResult
from masis.domain import EmbeddingProfile, Origin, Workspace, WorkspaceId
from masis.ports import (
    ChatModel,
    ChatReply,
    EmbeddingReply,
    EmbeddingService,
    Hit,
    Message,
    Point,
    RerankReply,
    RerankService,
    Role,
    Scope,
    SparseVector,
    VectorStore,
    VectorStores,
)


class TracedChat:
    """A model service each of whose calls is a span. It is a `ChatModel`.

    It stands inside of the gateway: a repeat is a call of its own, and no wait for a turn counts
    as the service's time.
    """

    def __init__(self, chat: ChatModel, models: Callable[[Role], str]) -> None:
        self._chat = chat
        self._models = models

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        """Ask, as a span with the attributes that OpenTelemetry names for it."""
        model = self._models(role)
        about: dict[str, Attribute] = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": model,
            "gen_ai.output.type": "json" if schema else "text",
            "masis.role": role,
        }
        with span(f"llm.call {model}", about, kind=SpanKind.CLIENT) as calling:
            reply = await self._chat.complete(role, messages, schema)
            calling.set_attributes(
                {
                    "gen_ai.usage.input_tokens": reply.usage.prompt_tokens,
                    "gen_ai.usage.output_tokens": reply.usage.completion_tokens,
                    "gen_ai.response.finish_reasons": (reply.finish_reason,),
                    "masis.outcome": "refused" if reply.refusal else "ok",
                }
            )
            return reply


class TracedEmbedding:
    """An embedding service each of whose requests is a span. It is an `EmbeddingService`.

    Like `TracedChat` it stands inside of the gateway.
    """

    def __init__(self, service: EmbeddingService) -> None:
        self._service = service

    @property
    def profile(self) -> EmbeddingProfile:
        """Return the profile that says which vectors these are."""
        return self._service.profile

    async def request(self, texts: Sequence[str]) -> EmbeddingReply:
        """Ask, as a span with the attributes that OpenTelemetry names for it."""
        about: dict[str, Attribute] = {
            "gen_ai.operation.name": "embeddings",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": self.profile.model,
            "gen_ai.embeddings.dimension.count": self.profile.dimension,
            "masis.texts": len(texts),
        }
        with span(f"embeddings {self.profile.model}", about, kind=SpanKind.CLIENT) as calling:
            reply = await self._service.request(texts)
            calling.set_attribute("gen_ai.usage.input_tokens", reply.usage.prompt_tokens)
            return reply


class TracedRerank:
    """A reranking service each of whose requests is a span. It is a `RerankService`.

    Like `TracedChat` it stands inside of the gateway.
    """

    def __init__(self, service: RerankService) -> None:
        self._service = service

    @property
    def model(self) -> str:
        """The model that scores."""
        return self._service.model

    async def request(self, query: str, texts: Sequence[str]) -> RerankReply:
        """Ask, as a span; OpenTelemetry has no name of its own for this operation."""
        about: dict[str, Attribute] = {
            "gen_ai.operation.name": "rerank",
            "gen_ai.request.model": self.model,
            "masis.texts": len(texts),
        }
        with span(f"rerank {self.model}", about, kind=SpanKind.CLIENT) as calling:
            reply = await self._service.request(query, texts)
            calling.set_attribute("gen_ai.usage.input_tokens", reply.usage.prompt_tokens)
            return reply


class TracedStores:
    """Vectors each of whose searches is a span. It is `VectorStores`."""

    def __init__(self, stores: VectorStores) -> None:
        self._stores = stores

    async def open(
        self, workspace_id: WorkspaceId, profile: EmbeddingProfile | None
    ) -> VectorStore:
        """The workspace's store."""
        return _TracedStore(await self._stores.open(workspace_id, profile))

    async def drop(self, workspace_id: WorkspaceId) -> None:
        """Remove the workspace's vectors, bytes and all."""
        await self._stores.drop(workspace_id)

    async def close(self) -> None:
        """Close every open store."""
        await self._stores.close()


class _TracedStore:
    """One workspace's vectors. It is a `VectorStore`."""

    def __init__(self, store: VectorStore) -> None:
        self._store = store

    @property
    def workspace_id(self) -> WorkspaceId:
        """Return the id of the workspace whose vectors these are."""
        return self._store.workspace_id

    async def upsert(self, points: Sequence[Point]) -> None:
        """Write points."""
        await self._store.upsert(points)

    async def search(
        self,
        dense: NDArray[Any] | None,
        sparse: SparseVector,
        *,
        limit: int,
        hidden: Collection[str] = (),
        within: Scope | None = None,
    ) -> list[Hit]:
        """Search, as a span."""
        about: dict[str, Attribute] = {
            "db.system.name": "qdrant",
            "db.operation.name": "query",
            "masis.workspace": self._store.workspace_id,
            "masis.limit": limit,
            "masis.dense": dense is not None,
            "masis.narrowed": within is not None,
        }
        with span("qdrant.query", about, kind=SpanKind.CLIENT) as searching:
            hits = await self._store.search(
                dense, sparse, limit=limit, hidden=hidden, within=within
            )
            searching.set_attribute("db.response.returned_rows", len(hits))
            return hits

    async def vectors(self, chunk_ids: Sequence[str]) -> dict[str, NDArray[Any]]:
        """The dense vectors of these chunks."""
        return await self._store.vectors(chunk_ids)

    async def delete_version(self, version_id: str) -> None:
        """Remove all points of a version."""
        await self._store.delete_version(version_id)

    async def count(self) -> int:
        """Count the points."""
        return await self._store.count()

    async def close(self) -> None:
        """Let go of the store."""
        await self._store.close()


class TracedIngest(Ingest):
    """Puts documents in, each as a span."""

    async def ingest(
        self,
        workspace: Workspace,
        name: str,
        content: bytes,
        origin: Origin | None = None,
        fields: Mapping[str, str] = MappingProxyType({}),
        *,
        again: bool = False,
    ) -> IngestResult:
        """Add or replace a document. Its name is a text of somebody's, and is left out."""
        about: dict[str, Attribute] = {"masis.workspace": workspace.id, "masis.bytes": len(content)}
        with span("ingest", about) as ingesting:
            result = await super().ingest(workspace, name, content, origin, fields, again=again)
            ingesting.set_attributes(
                {"masis.outcome": result.status, "masis.chunks": result.chunks}
            )
            return result
