"""List, port by port, what is a span and what is counted. Spans hold ids and numbers, no texts."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Final

from opentelemetry.trace import SpanKind
from pydantic import BaseModel

from bot.observability.metrics import Accepted, CallOutcome, Metrics
from bot.observability.observed import Call, Ended, Spanned, observed, watched
from bot.observability.run_spans import of_run, scope
from bot.observability.spans import Attribute
from masis.conversation import Acceptance, ChatRun
from masis.documents.ingestion import Ingest, IngestResult
from masis.domain import Workspace
from masis.errors import (
    BudgetSpent,
    CallNotPermitted,
    ModelServiceBusy,
    ModelServiceUnavailable,
    StoreUnavailable,
    TooBusy,
)
from masis.ports import (
    ChatModel,
    ChatReply,
    EmbeddingReply,
    EmbeddingService,
    Hit,
    Message,
    RerankReply,
    RerankService,
    Role,
    RunEngine,
    VectorStore,
    VectorStores,
)

Attributes = Mapping[str, Attribute]


# --- requests ------------------------------------------------------------------------------


def observed_engine(engine: RunEngine, metrics: Metrics, *, share: float = 1.0) -> RunEngine:
    """Observe what comes to the door of a run engine; its runs are observed at their handler."""

    def spanned(run: ChatRun, **_: object) -> Spanned:
        return Spanned("accept", kind=SpanKind.INTERNAL, parent=of_run(run.id, share))

    def counted(ended: Ended, *_: object, **__: object) -> None:
        acceptance: Acceptance | None = ended.result
        metrics.accepted(_accepted(ended))
        if acceptance is not None and acceptance.over_budget:
            metrics.over_budget("door")

    accept = Call(
        within=lambda run, **_: scope(run),
        span=spanned,
        found=lambda acceptance: {"masis.outcome": acceptance.state},
        count=counted,
    )
    return observed(engine, {"accept": accept})


def _accepted(ended: Ended) -> Accepted:
    """Say what became of a request; that nobody waits for it any more is as good as no database."""
    match ended.error:
        case None:
            state: Accepted = ended.result.state
            return state
        case TooBusy():
            return "busy"
        case StoreUnavailable() | asyncio.CancelledError():
            return "unavailable"
        case _:
            return "failed"


# --- model calls ---------------------------------------------------------------------------

_ENDS: Final[Sequence[tuple[type[BaseException], CallOutcome]]] = (
    (asyncio.CancelledError, "cancelled"),
    (ModelServiceBusy, "busy"),
    (ModelServiceUnavailable, "unavailable"),
    (BaseException, "failed"),
)
"""By the first that fits: who is busy is unavailable too."""


class _Waiting:
    """Count what one question to a guarded model waited: the time in which no service was asked."""

    def __init__(self, metrics: Metrics) -> None:
        self.asked = 0.0
        self._metrics = metrics
        self._began = time.monotonic()

    def __enter__(self) -> None:
        self._token = _waiting.set(self)

    def __exit__(self, *_: object) -> None:
        _waiting.reset(self._token)
        self._metrics.waited(time.monotonic() - self._began - self.asked)


_waiting: ContextVar[_Waiting | None] = ContextVar("masis_waiting", default=None)


def observed_chat(chat: ChatModel, metrics: Metrics, models: Callable[[Role], str]) -> ChatModel:
    """Observe each attempt at a model service: a repeat is a call of its own, and no wait counts."""

    def spanned(role: Role, _: Sequence[Message], schema: type[BaseModel] | None = None) -> Spanned:
        about: Attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": models(role),
            "gen_ai.output.type": "json" if schema else "text",
            "masis.role": role,
        }
        return Spanned(f"llm.call {models(role)}", about)

    def found(reply: ChatReply) -> Attributes:
        return {
            "gen_ai.usage.input_tokens": reply.usage.prompt_tokens,
            "gen_ai.usage.output_tokens": reply.usage.completion_tokens,
            "gen_ai.response.finish_reasons": (reply.finish_reason,),
            "masis.outcome": "refused" if reply.refusal else "ok",
        }

    def counted(ended: Ended, role: Role, *_: object, **__: object) -> None:
        reply: ChatReply | None = ended.result
        metrics.called(models(role), _call_outcome(ended), reply.usage if reply else None)
        if (waiting := _waiting.get()) is not None:
            waiting.asked += ended.seconds

    return observed(chat, {"complete": Call(span=spanned, found=found, count=counted)})


def _call_outcome(ended: Ended) -> CallOutcome:
    if ended.error is None:
        return "refused" if ended.result.refusal else "ok"
    return next(outcome for kind, outcome in _ENDS if isinstance(ended.error, kind))


def observed_waits(chat: ChatModel, metrics: Metrics, models: Callable[[Role], str]) -> ChatModel:
    """Count what a question to a guarded model waited: all of its time but that of the service."""

    def waiting(*_: object, **__: object) -> _Waiting:
        return _Waiting(metrics)

    def counted(ended: Ended, role: Role, *_: object, **__: object) -> None:
        match ended.error:
            case None:
                metrics.paid(models(role), ended.result.usage.cost_usd)
            case CallNotPermitted():
                metrics.called(models(role), "not_asked")
            case BudgetSpent():
                metrics.called(models(role), "over_budget")
                metrics.over_budget("call")

    return observed(chat, {"complete": Call(within=waiting, count=counted)})


def observed_embedding(service: EmbeddingService) -> EmbeddingService:
    """Observe each request to an embedding service, as OpenTelemetry names it."""

    def spanned(texts: Sequence[str]) -> Spanned:
        about: Attributes = {
            "gen_ai.operation.name": "embeddings",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": service.profile.model,
            "gen_ai.embeddings.dimension.count": service.profile.dimension,
            "masis.texts": len(texts),
        }
        return Spanned(f"embeddings {service.profile.model}", about)

    return observed(service, {"request": Call(span=spanned, found=_tokens)})


def observed_rerank(service: RerankService) -> RerankService:
    """Observe each request to a reranking service, for which OpenTelemetry has no name."""

    def spanned(_: str, texts: Sequence[str]) -> Spanned:
        about: Attributes = {
            "gen_ai.operation.name": "rerank",
            "gen_ai.request.model": service.model,
            "masis.texts": len(texts),
        }
        return Spanned(f"rerank {service.model}", about)

    return observed(service, {"request": Call(span=spanned, found=_tokens)})


def _tokens(reply: EmbeddingReply | RerankReply) -> Attributes:
    return {"gen_ai.usage.input_tokens": reply.usage.prompt_tokens}


# --- documents -----------------------------------------------------------------------------


def observed_stores(stores: VectorStores) -> VectorStores:
    """Observe each search in a workspace's vectors."""
    return observed(stores, {"open": Call(gives=_observed_store)})


def _observed_store(store: VectorStore) -> VectorStore:
    def spanned(dense: object, _: object, *, limit: int, **named: object) -> Spanned:
        about: Attributes = {
            "db.system.name": "qdrant",
            "db.operation.name": "query",
            "masis.workspace": store.workspace_id,
            "masis.limit": limit,
            "masis.dense": dense is not None,
            "masis.narrowed": named.get("within") is not None,
        }
        return Spanned("qdrant.query", about)

    return observed(store, {"search": Call(span=spanned, found=_rows)})


def _rows(hits: list[Hit]) -> Attributes:
    return {"db.response.returned_rows": len(hits)}


def _ingesting(
    _: Ingest, workspace: Workspace, __: str, content: bytes, *___: Any, **____: Any
) -> Spanned:
    about: Attributes = {"masis.workspace": workspace.id, "masis.bytes": len(content)}
    return Spanned("ingest", about, SpanKind.INTERNAL)


def _ingested(result: IngestResult) -> Attributes:
    return {"masis.outcome": result.status, "masis.chunks": result.chunks}


class ObservedIngest(Ingest):
    """Put documents in, each a span: also those of many, which it puts in one by one itself."""

    ingest = watched(Ingest.ingest, Call(span=_ingesting, found=_ingested))
