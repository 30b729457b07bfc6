"""A reranking service as a `Reranker`: guarded, paid for, and never what a question waits for long."""

from collections.abc import Sequence
from typing import Final

from masis.domain import EvidenceChunk
from masis.models.accounting import Accountant
from masis.models.gateway import Backoff, Circuits, retried
from masis.models.permits import MemoryCallPermits
from masis.models.rate_limit import RateLimit
from masis.policy import RERANK_CALLS_PER_MINUTE, RERANK_DEPTH, RERANK_WAIT
from masis.ports import CallPermits, Reranker, RerankReply, RerankService

NAME: Final = "reranker"
"""As what its calls are counted."""

ONE_REPEAT: Final = Backoff(retries=1, base=0.25, max_retry_after=RERANK_WAIT)
"""Fewer than of a model, and sooner: there is an order without it, and somebody waits."""


class ServedReranker:
    """One request a question, repeated once; a service that keeps failing is left alone for a while.

    Every attempt takes a permit, waited for `RERANK_WAIT` seconds at most, and is on the payer's
    account. Without `permits` it has some of its own.
    """

    def __init__(
        self,
        service: RerankService,
        *,
        permits: CallPermits | None = None,
        accountant: Accountant | None = None,
        backoff: Backoff = ONE_REPEAT,
    ) -> None:
        self._service = service
        self._accountant = accountant
        self._backoff = backoff
        self._circuits = Circuits()
        permits = permits or MemoryCallPermits(RERANK_CALLS_PER_MINUTE)
        self._limit = RateLimit(
            {NAME: permits}, admit=self._circuits.admit, longest_wait=RERANK_WAIT
        )

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One a text, in order.

        Raises:
            ModelServiceError: the service failed, refused, is left alone, or has no permit soon.
            BudgetSpent: the payer may spend no more today.
            StoreUnavailable: the database that holds the permits or the budget is away.
        """
        if not texts:
            return []
        if self._accountant is not None:
            await self._accountant.check()
        reply = await retried(lambda: self._permitted(query, texts), self._backoff)
        return reply.scores

    async def _permitted(self, query: str, texts: Sequence[str]) -> RerankReply:
        return await self._limit.call(
            NAME, lambda: self._circuits.call(NAME, lambda: self._paid(query, texts))
        )

    async def _paid(self, query: str, texts: Sequence[str]) -> RerankReply:
        reply = await self._service.request(query, texts)
        if self._accountant is not None:
            await self._accountant.charge(NAME, self._service.model, reply.usage)
        return reply


async def reranked(
    reranker: Reranker, question: str, candidates: Sequence[EvidenceChunk]
) -> list[EvidenceChunk]:
    """The candidates with the first `RERANK_DEPTH` in the reranker's order; the others follow.

    What they are gated by (`score`, `nearness`, `coverage`) stays.

    Raises:
        ModelServiceError: it cannot be told now.
        BudgetSpent: the payer may spend no more today.
    """
    first, rest = candidates[:RERANK_DEPTH], candidates[RERANK_DEPTH:]
    texts = [f"{chunk.context}\n{chunk.text}" if chunk.context else chunk.text for chunk in first]
    scores = await reranker.scores(question, texts)
    order = sorted(range(len(first)), key=lambda at: -scores[at])
    # Ranks, and not the service's own scores: those of what follows are on another scale.
    ranks = [chunk.rank_score for chunk in first]
    moved = [
        first[at].model_copy(update={"rank_score": rank})
        for at, rank in zip(order, ranks, strict=True)
    ]
    return [*moved, *rest]
