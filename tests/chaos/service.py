"""A model service that keeps count of what it was asked, and by whom it was heard."""

import asyncio
import random
import time
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from tests.openai_server import Asked, Behaviour, OpenAIServer, says

LONG: Final = 350
"""Sentences of a long draft: more than one message holds, and fewer than a model may write."""


@dataclass(frozen=True)
class Called:
    """A model call that the service has answered."""

    question: str
    role: str
    form: str | None
    """What was asked for: a rewrite, summaries, a draft, an audit, scores."""
    at: float
    """By the wall clock, in seconds."""


class CountingService(OpenAIServer):
    """Takes its time, and remembers which calls it answered to a caller who was still there."""

    def __init__(self) -> None:
        super().__init__()
        self.delays = (0.05, 0.3)
        self.answered: list[Called] = []
        self.long: set[str] = set()
        """Questions whose drafts fill two messages."""

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(random.uniform(*self.delays))
        response = await super()._complete(request)
        asked = self.asked[-1]
        said = asked.data.get("question") or asked.data.get("message")
        called = Called(str(said), asked.role, asked.schema, time.time())
        self.answered.append(called)
        return response

    def _by_mode(self, asked: Asked) -> Behaviour:
        if asked.role == "writer" and asked.schema is None and asked.data["question"] in self.long:
            chunk_id = next(iter(asked.data["evidence"]))
            drafted = (f"Office number {n} opens at dawn [{chunk_id}].\n\n" for n in range(LONG))
            return says("".join(drafted))
        return super()._by_mode(asked)
