"""Build what asks a model service: chat, embeddings and ranking, each counted and within its limits."""

from bot.composition.model_services import endpoint, scope
from bot.observability.metrics import Metrics
from bot.observability.observed_ports import (
    observed_chat,
    observed_embedding,
    observed_rerank,
    observed_waits,
)
from bot.settings import ROLES, Settings
from masis.adapters.http_reranker import HttpReranker
from masis.adapters.openai_chat import OpenAIChat
from masis.adapters.openai_embedder import OpenAIEmbedder
from masis.models.accounting import Accountant
from masis.models.embedding import NAME, ServedEmbedder
from masis.models.pipeline import guarded
from masis.models.reranking import ServedReranker
from masis.ports import CallPermits, ChatModel, Reranker, RerankService, Role
from storage.models.permit_rows import SqlCallPermits
from storage.sql.database import Database


def chat(settings: Settings) -> OpenAIChat:
    """The model service itself, unguarded."""
    endpoints = {role: endpoint(settings, role, settings.model(role)) for role in ROLES}
    return OpenAIChat(endpoints, timeout=settings.call_timeout)


def reranker(settings: Settings, model: str) -> HttpReranker:
    """The reranking service itself, unguarded."""
    return HttpReranker(endpoint(settings, "rerank", model))


class Guard:
    """Puts permits, accounts and observation around services that are asked."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        accountant: Accountant,
        *,
        window: float,
    ) -> None:
        self._settings = settings
        self._database = database
        self._accountant = accountant
        self._window = window

    def chat(self, service: ChatModel, metrics: Metrics) -> ChatModel:
        """The service as agents ask it: counted, within the budget, the rate limit and retries."""
        named = self._settings.model
        attempts = observed_chat(service, metrics, named)
        permits = self._of_roles()
        guard = guarded(attempts, permits=permits, accountant=self._accountant, models=named)
        return observed_waits(guard, metrics, named)

    def embedder(self, service: OpenAIEmbedder) -> ServedEmbedder:
        """The embedder of a service, counted and within its rate limit."""
        place, limit = scope(self._settings, NAME), self._settings.embedding_calls_per_minute
        counted, permits = observed_embedding(service), self._permits(place, limit)
        return ServedEmbedder(counted, permits=permits, accountant=self._accountant)

    def reranker(self, service: RerankService) -> Reranker:
        """The reranker of a service, counted and within its rate limit."""
        place, limit = scope(self._settings, "rerank"), self._settings.rerank_calls_per_minute
        counted, permits = observed_rerank(service), self._permits(place, limit)
        return ServedReranker(counted, permits=permits, accountant=self._accountant)

    def _of_roles(self) -> dict[Role, CallPermits]:
        """Permits of calls, the same ones for roles that call one service with one key."""
        scopes = {role: scope(self._settings, role) for role in ROLES}
        limit = self._settings.model_calls_per_minute
        permits = {place: self._permits(place, limit) for place in scopes.values()}
        return {role: permits[place] for role, place in scopes.items()}

    def _permits(self, place: str, limit: int) -> CallPermits:
        return SqlCallPermits(self._database, place, limit, window=self._window)
