"""A model service for pictures of the playground: `python -m tests.browser.writer` says its address.

Its first answer is longer than a message holds, and its later ones take their time. It ends with its input.
"""

import asyncio
import sys
from typing import Final

from aiohttp import web

from tests.openai_server import Asked, Behaviour, OpenAIServer
from tests.walks.office import writes

SITES: Final = ("Kettering", "Falkirk", "Deventer")
WEEKS: Final = 45
YEARS: Final = (2025, 2026)
SLOW_S: Final = 60.0
"""Longer than any picture of a run at work takes."""


def report() -> str:
    """An answer of some 15,000 characters: two messages, and as much as a writer may write."""
    parts = ["The framework tender opens on 11 January 2027 [1]. What was counted until then:"]
    for year in YEARS:
        parts.append(f"## {year}")
        parts += [
            f"- In week {week} of {year} {SITES[week % 3]} counted {18 + week * 7 % 23} dosing pumps, "
            f"{3 + week % 5} of them in service. A repair took {4 + week % 9} hours on average, and "
            f"parts were in stock for {60 + week * 3 % 40} in a hundred of them [1]."
            for week in range(1, WEEKS + 1)
        ]
    return "\n".join(parts)


def slowly(text: str) -> Behaviour:
    """The same draft a good while later."""

    async def answer(request: web.Request, asked: Asked) -> web.StreamResponse:
        await asyncio.sleep(SLOW_S)
        return await writes(text)(request, asked)

    return answer


async def serve() -> None:
    """Serve until the input ends."""
    async with OpenAIServer() as server:
        server.will("writer", writes(report()), *(slowly(report()) for _ in range(9)))
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve())
