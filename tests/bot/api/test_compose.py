"""`masis serve` where there is no Slack: the API alone, with everything real but the chat."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.compose import compose
from bot.serve import serve
from bot.settings import Settings, load
from masis.conversation import LOCAL_TENANT, ChatRun, Tenant
from masis.errors import InvalidSettings
from storage.accounts.api_tokens import ApiTokens
from storage.chat.requests import ChatRuns
from storage.queue.engine import DbosEngine

SLACK = Tenant(team="T1")
DOCUMENT = b"# Leave\n\nEvery employee has 26 days of annual leave a year.\n"


@pytest.fixture
def settings(folder: Path) -> Settings:
    return load(Path("no.env"), data_dir=folder, embedder="none", http_port=0)


async def filled(settings: Settings) -> tuple[str, str]:
    """Put a document in; gives the workspace's id and a token."""
    async with compose(settings) as app:
        place = await app.repository.create_workspace(app.owner, "handbook")
        result = await app.ingest.ingest(place, "leave.md", DOCUMENT)
        assert result.status == "added"
        lifetime = dt.timedelta(days=1)
        _, shown = await ApiTokens(app.database).create(LOCAL_TENANT, place.id, lifetime=lifetime)
    return place.id, shown.get_secret_value()


@asynccontextmanager
async def served(settings: Settings) -> AsyncIterator[list[str]]:
    """The lines that are told once it serves."""
    lines: list[str] = []
    stop, told = asyncio.Event(), asyncio.Event()

    def announce(line: str) -> None:
        lines.append(line)
        if line.startswith("Health:"):
            told.set()

    serving = asyncio.create_task(serve(settings, announce, stop))
    telling = asyncio.create_task(told.wait())
    await asyncio.wait({serving, telling}, return_when=asyncio.FIRST_COMPLETED, timeout=30)
    telling.cancel()
    if serving.done():
        await serving
    try:
        yield lines
    finally:
        stop.set()
        await serving


async def test_tokens_alone_serve_the_api(settings: Settings) -> None:
    """With tokens and without slack the api is served alone."""
    place, token = await filled(settings)
    async with served(settings) as lines, aiohttp.ClientSession() as session:
        assert lines[0] == "MASIS serves its HTTP API alone, without Slack."
        address = lines[-1].split()[1].removesuffix("/healthz")
        async with session.post(
            f"{address}/masis/workspaces/{place}",
            json={"query": "How many days of annual leave does every employee have?"},
            headers={"Authorization": f"Bearer {token}"},
        ) as answer:
            body = await answer.json()
            assert (answer.status, body["status"]) == (200, "success"), body
            assert "26 days of annual leave" in body["answer"]
        for path in ("/healthz", "/readyz", "/metrics", "/masis/openapi.json"):
            async with session.get(f"{address}{path}") as answer:
                assert answer.status == 200, path
        async with session.post(f"{address}/slack/events", json={}) as answer:
            assert answer.status == 404


async def test_missing_configuration_is_explained(settings: Settings) -> None:
    """Without slack and without tokens it says what to set."""
    with pytest.raises(InvalidSettings, match=r"MASIS_SLACK_BOT_TOKEN.*masis token create"):
        async with served(settings):
            pass


async def test_api_leaves_slack_questions_open(
    settings: Settings,
) -> None:
    """Open questions from slack are not taken by the api alone."""
    await filled(settings)
    async with compose(settings) as app:
        theirs = await app.repository.create_workspace(SLACK.owner, "acme")
        run = ChatRun(
            id="r1", tenant=SLACK, channel="C1", asker="U1", question="?", query="?",
            workspace_id=theirs.id,
        )  # fmt: skip
        engine = await DbosEngine.open(app.database)
        try:
            await engine.accept(run)
        finally:
            await engine.stop(0)
    with pytest.raises(InvalidSettings, match="questions from Slack are still open"):
        async with served(settings):
            pass
    async with compose(settings) as app:
        found = await ChatRuns(app.database).get(SLACK, "r1")
        assert found is not None
        assert (found.status, found.attempt) == ("queued", 0)
