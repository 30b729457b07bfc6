"""A scripted model service beside the bench of calculations: one that leaves all to the rules, one that is wrong."""

import os
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Literal

from aiohttp import web

from bot.compose import App, compose
from bot.settings import Settings
from tests import openai_server as service
from tests.openai_server import FIGURES, KEY, MODELS, OpenAIServer

Mode = Literal["plain", "wrong"]
MOST_CALLS: Final = 2_000
FALSE: Final = "It rose by 12,345 % to £99,999 in every year."


def _wrong(asked: service.Asked) -> dict[str, Any]:
    """Return a reply of the right form that is wrong: another kind, other figures, a number of its own."""
    match asked.schema:
        case "UnderstoodReply":
            of = str(asked.data["question"])
            return {**FIGURES["UnderstoodReply"], "kind": "sum", "of": of}
        case "FiguresReply":
            ids = list(asked.data["figures"])[:2]
            return {"groups": [{"label": "", "figures": ids[::-1]}]}
        case "ExplainedReply":
            return {"sentences": [FALSE]}
        case "QualityReply":
            return {"faults": [{"line": 1, "why": "beside the point"}]}
    table = asked.data["tables"][0]["name"]
    return {"table": table, "sql": f'SELECT count(*) * 7 AS total FROM "{table}"'}  # noqa: S608 - what a model would write


async def _says_wrong(request: web.Request, asked: service.Asked) -> web.StreamResponse:
    return await service.says_json(_wrong(asked))(request, asked)


@asynccontextmanager
async def beside_service(folder: Path, mode: Mode, calls: Counter[str]) -> AsyncIterator[App]:
    """Open the application with a scripted service, and count what it is asked by form."""
    async with OpenAIServer() as server:
        if mode == "wrong":
            server.will("figures", *[_says_wrong] * MOST_CALLS)
        os.environ |= {
            "MASIS_DATA_DIR": str(folder),
            "MASIS_AGENTS": "model",
            "MASIS_MODEL_BASE_URL": server.url,
            "MASIS_MODEL_API_KEY": KEY,
            "MASIS_MODEL_CALLS_PER_MINUTE": "1000",
            **{f"MASIS_{role.upper()}_MODEL": model for role, model in MODELS.items()},
        }
        async with compose(Settings()) as app:
            yield app
        calls.update(each.schema or each.role for each in server.asked)
