"""What `masis doctor` says of a reranking service, asked over real HTTP."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web
from typer.testing import Result

from tests.bot.program import lines, program
from tests.rerank_server import RerankServer

KEY = "co-invented-key"


@pytest.fixture
async def server() -> AsyncIterator[RerankServer]:
    async with RerankServer() as running:
        yield running


async def doctor(data_dir: Path, url: str, *options: str) -> Result:
    """The command, in a thread: it has an event loop of its own."""
    masis = program(
        data_dir,
        MASIS_EMBEDDER="none",
        MASIS_RERANK_MODEL="rerank-v1",
        MASIS_RERANK_BASE_URL=url,
        MASIS_RERANK_API_KEY=KEY,
    )
    return await asyncio.to_thread(masis, "doctor", *options)


async def test_working_reranking_service_is_ok(server: RerankServer, data_dir: Path) -> None:
    """A reranking service that scores is ok."""
    result = await doctor(data_dir, server.url)
    assert result.exit_code == 0, result.output
    assert "ok      reranking service: rerank-v1 scores every passage\n" in result.stdout
    [(path, key, body)] = server.asked
    assert (path, key, body["model"]) == ("/v1/rerank", f"Bearer {KEY}", "rerank-v1")


@pytest.mark.parametrize(
    ("reply", "said", "hint"),
    [
        (web.Response(status=401, text=KEY), "MASIS_RERANK_API_KEY", ""),
        (web.Response(status=404), "MASIS_RERANK_MODEL", ""),
        (web.Response(text="<html>a proxy</html>"), "MASIS_RERANK_BASE_URL", ""),
        (web.Response(text=json.dumps({"results": []})), "no score for each passage", ""),
        (web.Response(status=503), "no answer for now (503)", "ordered by sentences"),
    ],
    ids=["key", "model", "page", "no scores", "away"],
)
async def test_reranker_failure_comes_with_remedy(
    server: RerankServer, data_dir: Path, reply: web.Response, said: str, hint: str
) -> None:
    """What is wrong with it is said with what to do."""
    server.replies.append(reply)
    result = await doctor(data_dir, server.url, "--json")
    assert result.exit_code == 1
    found = lines(result)[-3]
    assert (found["name"], found["state"]) == ("reranking service", "fail")
    assert said in found["detail"]
    assert hint in found["hint"]
    assert bool(found["hint"]) == bool(hint)
    assert KEY not in result.output
    assert len(server.asked) == 1


async def test_missing_reranking_service_is_found(data_dir: Path) -> None:
    """One that is not there is found."""
    result = await doctor(data_dir, "http://127.0.0.1:9/v1")
    assert result.exit_code == 1
    assert "fail    reranking service: The reranker at 127.0.0.1" in result.stdout
    assert "could not be reached. Check the network" in result.stdout
