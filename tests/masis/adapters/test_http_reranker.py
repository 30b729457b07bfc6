"""The reranker over real HTTP, against a local server that speaks Cohere's and Jina's `/rerank`."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web
from pydantic import SecretStr

from masis.adapters.http_reranker import MAX_BODY_BYTES, HttpReranker
from masis.adapters.openai_service import Endpoint
from masis.errors import (
    BudgetSpent,
    CallNotPermitted,
    ModelKeyRefused,
    ModelServiceBusy,
    ModelServiceError,
    ModelServiceUnavailable,
)
from masis.models.accounting import Accountant
from masis.models.gateway import Backoff
from masis.models.permits import MemoryCallPermits
from masis.models.reranking import ServedReranker
from masis.policy import BREAKER_FAILURES
from masis.spending import Budget, Payer, Prices, paid_by
from tests.masis.models.test_accounting import Written
from tests.rerank_server import RerankServer

KEY = "co-invented-key"
AT_ONCE = Backoff(retries=1, base=0.0)
TEXTS = ["The canteen opens at noon.", "Annual leave is 26 days.", "Leave by the stairs."]


@pytest.fixture
async def server() -> AsyncIterator[RerankServer]:
    async with RerankServer() as running:
        yield running


def adapter(server: RerankServer, path: str = "", **options: float) -> HttpReranker:
    endpoint = Endpoint(model="rerank-v1", base_url=server.url + path, api_key=SecretStr(KEY))
    return HttpReranker(endpoint, **options)


@pytest.fixture
async def reranker(server: RerankServer) -> AsyncIterator[HttpReranker]:
    made = adapter(server)
    yield made
    await made.close()


async def test_scores_follow_the_input_order(server: RerankServer, reranker: HttpReranker) -> None:
    """Each text has its score in the order it was sent in."""
    reply = await reranker.request("annual leave days", TEXTS)
    assert reply.scores == [0.0, 0.2, 0.1]
    assert (reply.usage.calls, reply.usage.prompt_tokens) == (1, 42)
    [(path, key, body)] = server.asked
    assert (path, key) == ("/v1/rerank", f"Bearer {KEY}")
    assert body == {
        "model": "rerank-v1",
        "query": "annual leave days",
        "documents": TEXTS,
        "top_n": 3,
    }


async def test_address_may_include_the_path(server: RerankServer) -> None:
    """An address may name the path already."""
    whole = adapter(server, "/rerank")
    assert len((await whole.request("leave", TEXTS)).scores) == 3
    await whole.close()
    assert server.asked[0][0] == "/v1/rerank"


def results(*pairs: tuple[Any, Any]) -> web.Response:
    rows = [{"index": index, "relevance_score": score} for index, score in pairs]
    return web.Response(text=json.dumps({"results": rows}), content_type="application/json")


@pytest.mark.parametrize(
    "reply",
    [
        lambda: results((0, 0.5), (1, 0.2)),
        lambda: results((0, 0.5), (1, 0.2), (1, 0.2)),
        lambda: results((0, 0.5), (1, 0.2), (7, 0.2)),
        lambda: results((0, 0.5), (1, 0.2), (2, float("nan"))),
        lambda: results((0, 0.5), (1, 0.2), (2, "much")),
        lambda: web.Response(text="<html>a proxy</html>"),
        lambda: web.Response(text="[]"),
        lambda: web.Response(text=" " * (MAX_BODY_BYTES + 1)),
    ],
    ids=["too few", "twice", "unknown", "nan", "word", "page", "list", "huge"],
)
async def test_invalid_scores_raise_an_error(
    server: RerankServer, reranker: HttpReranker, reply: Any
) -> None:
    """What is no score for each text is an error that says so."""
    server.replies.append(reply())
    with pytest.raises(ModelServiceError, match="MASIS_RERANK_BASE_URL") as caught:
        await reranker.request("leave", TEXTS)
    assert not caught.value.retryable


@pytest.mark.parametrize(
    ("status", "error", "said"),
    [
        (401, ModelKeyRefused, "MASIS_RERANK_API_KEY"),
        (404, ModelServiceError, "MASIS_RERANK_MODEL"),
        (422, ModelServiceError, "MASIS_RERANK_MODEL"),
        (429, ModelServiceBusy, "no answer for now"),
        (503, ModelServiceUnavailable, "no answer for now"),
        (302, ModelServiceError, "MASIS_RERANK_BASE_URL"),
    ],
)
async def test_refusal_omits_service_text(
    server: RerankServer,
    reranker: HttpReranker,
    status: int,
    error: type[ModelServiceError],
    said: str,
) -> None:
    """A refusal names what to do and repeats no word of the service."""
    elsewhere = {"Location": f"{server.url}/rerank", "Retry-After": "3"}
    server.replies.append(web.Response(status=status, text=f"no: {KEY}", headers=elsewhere))
    with pytest.raises(error, match=said) as caught:
        await reranker.request("leave", TEXTS)
    assert KEY not in str(caught.value)
    assert len(server.asked) == 1, "no redirect is followed"
    if isinstance(caught.value, ModelServiceUnavailable):
        assert caught.value.retry_after == 3.0


async def test_unresponsive_service_is_abandoned(server: RerankServer) -> None:
    """A service that does not answer in time is left."""
    server.delay = 60.0
    hasty = adapter(server, timeout=0.05)
    with pytest.raises(ModelServiceUnavailable, match=r"within 0\.05 seconds"):
        await hasty.request("leave", TEXTS)
    await hasty.close()


async def test_missing_service_is_an_error(server: RerankServer) -> None:
    """A service that is not there is an error."""
    nobody = HttpReranker(Endpoint(model="m", base_url="http://127.0.0.1:9/v1"))
    with pytest.raises(ModelServiceUnavailable, match="MASIS_RERANK_BASE_URL"):
        await nobody.request("leave", TEXTS)
    await nobody.close()
    assert server.asked == []


class TestServed:
    async def test_unavailable_service_is_asked_again(
        self, server: RerankServer, reranker: HttpReranker
    ) -> None:
        """What was away is asked once more."""
        server.replies.append(web.Response(status=503))
        served = ServedReranker(reranker, backoff=AT_ONCE)
        assert await served.scores("annual leave days", TEXTS) == [0.0, 0.2, 0.1]
        assert len(server.asked) == 2

    async def test_failing_service_is_left_alone(
        self, server: RerankServer, reranker: HttpReranker
    ) -> None:
        """A service that keeps failing is left alone."""
        served = ServedReranker(reranker, backoff=Backoff(retries=0))
        server.replies += [web.Response(status=500) for _ in range(BREAKER_FAILURES)]
        for _ in range(BREAKER_FAILURES):
            with pytest.raises(ModelServiceUnavailable):
                await served.scores("leave", TEXTS)
        with pytest.raises(CallNotPermitted):
            await served.scores("leave", TEXTS)
        assert len(server.asked) == BREAKER_FAILURES

    async def test_retry_after_is_not_waited_for(
        self, server: RerankServer, reranker: HttpReranker
    ) -> None:
        """Nobody waits for a service that asks to come back later."""
        server.replies.append(web.Response(status=429, headers={"Retry-After": "5"}))
        with pytest.raises(ModelServiceBusy):
            await ServedReranker(reranker).scores("leave", TEXTS)
        assert len(server.asked) == 1

    async def test_nothing_to_score_asks_nobody(
        self, server: RerankServer, reranker: HttpReranker
    ) -> None:
        assert await ServedReranker(reranker).scores("leave", []) == []
        assert server.asked == []

    async def test_attempt_without_free_slot_fails_immediately(
        self, server: RerankServer, reranker: HttpReranker
    ) -> None:
        """Every attempt takes a place and where none is left nobody waits."""
        server.replies.append(web.Response(status=503))
        permits = MemoryCallPermits(2, window=3600)
        served = ServedReranker(reranker, permits=permits, backoff=AT_ONCE)
        assert await served.scores("annual leave days", TEXTS) == [0.0, 0.2, 0.1]
        with pytest.raises(CallNotPermitted, match="MASIS_RERANK_CALLS_PER_MINUTE"):
            await served.scores("annual leave days", TEXTS)
        assert len(server.asked) == 2

    async def test_retry_after_holds_all_sharing_callers(
        self, server: RerankServer, reranker: HttpReranker
    ) -> None:
        """Who asks for peace is left in peace by all that share the places."""
        server.replies.append(web.Response(status=429, headers={"Retry-After": "30"}))
        permits = MemoryCallPermits(100)
        one, other = (ServedReranker(reranker, permits=permits) for _ in range(2))
        with pytest.raises(ModelServiceBusy):
            await one.scores("leave", TEXTS)
        with pytest.raises(CallNotPermitted):
            await other.scores("leave", TEXTS)
        assert len(server.asked) == 1

    async def test_requests_are_charged_to_payer(
        self, server: RerankServer, reranker: HttpReranker
    ) -> None:
        """Every request is on the payers account as long as it lasts."""
        ledger, prices = Written(), Prices.parse("rerank-v1:2/0")
        accountant = Accountant(ledger, prices=prices, budget=Budget(tokens=42))
        served = ServedReranker(reranker, accountant=accountant)
        with paid_by(Payer(workspace_id="w")):
            await served.scores("leave", TEXTS)
            with pytest.raises(BudgetSpent):
                await served.scores("leave", TEXTS)
        [charge] = ledger.charges
        assert (charge.role, charge.model) == ("reranker", "rerank-v1")
        assert (charge.payer.workspace_id, charge.prompt_tokens) == ("w", 42)
        assert charge.cost == 84
        assert len(server.asked) == 1
