"""A local reranking service that speaks Cohere's and Jina's `/rerank`, over real HTTP."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web


@dataclass
class RerankServer:
    """Scores by shared words, best first; `replies` are sent instead, one a request."""

    asked: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    """The path, the `Authorization` and the body of each request."""
    replies: list[web.Response] = field(default_factory=list)
    delay: float = 0.0
    url: str = ""
    _runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/v1/rerank", self._handle)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.asked.append((request.path, request.headers.get("Authorization", ""), body))
        await asyncio.sleep(self.delay)
        if self.replies:
            return self.replies.pop(0)
        asked = set(body["query"].lower().split())
        shares = [len(asked & set(text.lower().split())) / 10 for text in body["documents"]]
        rows = [{"index": at, "relevance_score": score} for at, score in enumerate(shares)]
        rows.sort(key=lambda row: -row["relevance_score"])
        found = {"results": rows[: body["top_n"]], "usage": {"total_tokens": 42}}
        return web.json_response(found)
