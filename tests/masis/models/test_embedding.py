"""What stands between whoever wants vectors and an embedding service."""

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest

from masis.domain import EmbeddingProfile, Usage
from masis.errors import (
    BudgetSpent,
    EmbeddingError,
    ModelServiceBusy,
    ModelServiceError,
    ModelServiceUnavailable,
)
from masis.models.accounting import Accountant
from masis.models.embedding import ServedEmbedder
from masis.models.gateway import Backoff
from masis.models.permits import MemoryCallPermits
from masis.policy import BREAKER_FAILURES
from masis.ports import EmbeddingReply, EmbeddingService, PermitDecisions
from masis.spending import Budget, Payer, Prices, paid_by
from tests.fakes import PROFILE
from tests.masis.models.test_accounting import Written

AT_ONCE = Backoff(base=0.0)


class Service:
    """Gives vectors, after these errors; a text takes a token."""

    profile: EmbeddingProfile = PROFILE

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.asked: list[list[str]] = []

    async def request(self, texts: Sequence[str]) -> EmbeddingReply:
        self.asked.append(list(texts))
        await asyncio.sleep(0)
        if self.errors:
            raise self.errors.pop(0)
        vectors = np.ones((len(texts), PROFILE.dimension), dtype=np.float32)
        return EmbeddingReply(vectors, Usage(calls=1, prompt_tokens=len(texts)))


def a_port(service: Service) -> EmbeddingService:
    """The types are the test: the class fits the port."""
    return service


class Counted(MemoryCallPermits):
    """Counts who was let in."""

    begun = 0

    async def ask(self, waiting: Sequence[str]) -> PermitDecisions:
        decisions = await super().ask(waiting)
        self.begun += len(decisions.granted)
        return decisions


async def test_every_batch_attempt_takes_a_slot() -> None:
    """Every attempt of every batch takes a place."""
    permits = Counted(100)
    service = Service(ModelServiceUnavailable("away"))
    embedder = ServedEmbedder(service, permits=permits, backoff=AT_ONCE, batch=2)
    assert (await embedder.embed(["a", "", "c"])).shape == (3, PROFILE.dimension)
    assert service.asked == [["a", " "], ["a", " "], ["c"]]
    assert permits.begun == 3


async def test_missing_slot_prevents_the_request() -> None:
    """Where no place is left nobody is asked."""
    service = Service()
    embedder = ServedEmbedder(service, permits=MemoryCallPermits(1, window=3600), batch=1)
    with pytest.raises(EmbeddingError, match="Too many questions wait") as caught:
        await embedder.embed(["a", "b"])
    assert caught.value.retryable
    assert service.asked == [["a"]]


async def test_busy_service_pauses_all_callers() -> None:
    """A service that asks for peace holds everybody up."""
    permits = MemoryCallPermits(100)
    service = Service(ModelServiceBusy("enough", 30.0))
    embedder = ServedEmbedder(service, permits=permits, backoff=Backoff(retries=0))
    with pytest.raises(EmbeddingError):
        await embedder.embed(["a"])
    later = asyncio.create_task(embedder.embed(["a"]))
    await asyncio.sleep(0.05)
    assert not later.done()
    assert len(service.asked) == 1
    later.cancel()
    await asyncio.gather(later, return_exceptions=True)


async def test_failing_service_is_not_asked() -> None:
    """A service that keeps failing is left alone."""
    service = Service(*(ModelServiceUnavailable("away") for _ in range(99)))
    embedder = ServedEmbedder(service, backoff=Backoff(retries=0))
    for _ in range(BREAKER_FAILURES + 3):
        with pytest.raises(EmbeddingError):
            await embedder.embed(["a"])
    assert len(service.asked) == BREAKER_FAILURES


async def test_refusal_is_reported_without_retry() -> None:
    """A refusal is not repeated and says so."""
    service = Service(ModelServiceError("The key is refused."))
    with pytest.raises(EmbeddingError, match="key is refused") as caught:
        await ServedEmbedder(service, backoff=AT_ONCE).embed(["a"])
    assert not caught.value.retryable
    assert len(service.asked) == 1


async def test_each_request_bills_payer_within_budget() -> None:
    """Every request is on the payers account as long as it lasts."""
    ledger, service = Written(), Service()
    prices = Prices.parse(f"{PROFILE.model}:1/0")
    accountant = Accountant(ledger, prices=prices, budget=Budget(tokens=1))
    embedder = ServedEmbedder(service, accountant=accountant, batch=1)
    with paid_by(Payer(workspace_id="w")), pytest.raises(BudgetSpent):
        await embedder.embed(["annual leave", "price list"])
    (charge,) = ledger.charges
    assert (charge.role, charge.model) == ("embedding", PROFILE.model)
    assert charge.payer.workspace_id == "w"
    assert charge.cost == charge.prompt_tokens == 1
    assert len(service.asked) == 1
