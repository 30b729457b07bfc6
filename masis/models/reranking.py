"""A reranking service as a `Reranker`: guarded, paid for, and never what a question waits for long."""

from collections.abc import Sequence
from typing import Final

from masis.domain import EvidenceChunk
from masis.models.accounting import Accountant
from masis.models.gateway import Backoff
from masis.models.permits import MemoryCallPermits
from masis.models.pipeline import Layer, layers, passed
from masis.policy import RERANK_CALLS_PER_MINUTE, RERANK_DEPTH, RERANK_WAIT
from masis.ports import CallPermits, Reranker, RerankReply, RerankService

NAME: Final = "reranker"
"""As what its calls are counted."""

ONE_REPEAT: Final = Backoff(retries=1, base=0.25, max_retry_after=RERANK_WAIT)
"""Fewer than of a model, and sooner: there is an order without it, and somebody waits."""


class ServedReranker:
    """One request a question, repeated once; a service that keeps failing is left alone for a while.

    Every attempt takes a place, waited for `RERANK_WAIT` seconds at most, and is on the payer's
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
        self._layers: list[Layer[str, RerankReply]] = layers(
            {NAME: permits or MemoryCallPermits(RERANK_CALLS_PER_MINUTE)},
            accountant=accountant,
            models=lambda _: service.model,
            backoff=backoff,
            longest_wait=RERANK_WAIT,
        )

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One a text, in order.

        Raises:
            ModelServiceError: the service failed, refused, is left alone, or has no place soon.
            BudgetSpent: the payer may spend no more today.
            StoreUnavailable: the database that holds the places or the budget is away.
        """
        if not texts:
            return []
        reply = await passed(self._layers, NAME, lambda: self._service.request(query, texts))
        return reply.scores


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
