"""The roles of the program, as processes and beside each other."""

import asyncio
import datetime as dt
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.compose import compose
from bot.roles import Role
from bot.serve import serve
from bot.settings import Settings, load
from masis.conversation import LOCAL_TENANT
from masis.domain import WorkspaceId
from masis.errors import InvalidSettings, StoreLocked, StoreUnavailable
from storage.accounts.api_tokens import ApiTokens
from tests.storage.qdrant_facade import QdrantFacade

ROOT = Path(__file__).parents[2]
DOCUMENT = b"# Leave\n\nEvery employee has 26 days of annual leave a year.\n"
QUESTION = {"query": "How many days of annual leave does every employee have?"}


@pytest.fixture
async def qdrant(tmp_path: Path) -> AsyncIterator[QdrantFacade]:
    facade = QdrantFacade(tmp_path / "qdrant")
    await facade.start()
    yield facade
    await facade.stop()


@pytest.fixture
def shared(tmp_path: Path, postgres_url: str, qdrant: QdrantFacade) -> Settings:
    """What processes can share, on ports of their own."""
    return load(
        Path("no.env"),
        data_dir=tmp_path / "data",
        database_url=postgres_url,
        qdrant_url=qdrant.url,
        embedder="none",
        http_port=0,
    )


async def filled(settings: Settings) -> tuple[str, dict[str, str]]:
    """Put a document in; gives the workspace's id and what lets somebody ask it."""
    async with compose(settings) as app:
        place = await app.repository.create_workspace(app.owner, "handbook")
        assert (await app.ingest.ingest(place, "leave.md", DOCUMENT)).status == "added"
        lifetime = dt.timedelta(days=1)
        _, shown = await ApiTokens(app.database).create(LOCAL_TENANT, place.id, lifetime=lifetime)
    return place.id, {"Authorization": f"Bearer {shown.get_secret_value()}"}


@asynccontextmanager
async def running(settings: Settings, role: Role) -> AsyncIterator[str]:
    """A role at work in this process; gives its address."""
    stop = asyncio.Event()
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def announce(line: str) -> None:
        if line.startswith("Health:"):
            address.set_result(line.split()[1].removesuffix("/healthz"))

    serving = asyncio.create_task(serve(settings, announce, stop, role=role))
    serving.add_done_callback(lambda _: address.done() or address.cancel())
    try:
        yield await address
    finally:
        stop.set()
        await serving


async def test_worker_answers_what_ingress_accepts(
    shared: Settings, qdrant: QdrantFacade, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the ingress takes in a worker answers."""
    monkeypatch.setattr("bot.observability.readiness.GOOD_FOR_SECONDS", 0.0)
    place, allowed = await filled(shared)
    async with AsyncExitStack() as closing:
        session = await closing.enter_async_context(aiohttp.ClientSession())
        ingress = await closing.enter_async_context(running(shared, Role.INGRESS))
        address = f"{ingress}/masis/workspaces/{place}"
        accepted = await session.post(
            address, json=QUESTION, headers=allowed | {"Prefer": "respond-async"}
        )
        assert accepted.status == 202, await accepted.text()
        location = f"{ingress}{accepted.headers['Location']}"
        async with session.get(location, headers=allowed) as answer:
            assert (await answer.json())["status"] == "queued", "the ingress works on nothing"
        worker = await closing.enter_async_context(running(shared, Role.WORKER))
        async with session.post(address, json=QUESTION, headers=allowed) as answer:
            body = await answer.json()
            assert (answer.status, body["status"]) == (200, "success"), body
        async with session.get(location, headers=allowed) as answer:
            assert "26 days of annual leave" in (await answer.json())["answer"]
        for path, status in {"/healthz": 200, "/metrics": 200, "/masis/openapi.json": 404}.items():
            async with session.get(f"{worker}{path}") as answer:
                assert answer.status == status, path
        for each in (ingress, worker):
            assert await ready(session, each) == (200, [])
        await qdrant.stop()
        for each in (ingress, worker):
            assert await ready(session, each) == (503, ["vectors: cannot be reached"])


async def ready(session: aiohttp.ClientSession, address: str) -> tuple[int, list[str]]:
    """What a balancer is told now."""
    async with session.get(f"{address}/readyz") as answer:
        return answer.status, (await answer.json())["problems"]


@asynccontextmanager
async def program(data_dir: Path) -> AsyncIterator[Process]:
    """The bot on the folder, as a process: `python -m bot` is `masis serve`."""
    environment = {**os.environ, "MASIS_HTTP_PORT": "0", "MASIS_EMBEDDER": "none"}
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot"),
        env=environment | {"MASIS_DATA_DIR": str(data_dir), "PYTHONPATH": str(ROOT)},
        stderr=PIPE,
    )
    try:
        yield child
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()


async def told(child: Process, start: str) -> str:
    """The first line of its errors and notes that begins so."""
    assert child.stderr is not None
    async with asyncio.timeout(60):
        while line := (await child.stderr.readline()).decode():
            if line.startswith(start):
                return line
    raise AssertionError(f"it ended before it said {start}")


async def test_single_process_serves_and_stops(
    tmp_path: Path,
) -> None:
    """One process serves a folder and ends well when it is told to."""
    folder = tmp_path / "data"
    settings = load(Path("no.env"), data_dir=folder, embedder="none", http_port=0)
    place, _ = await filled(settings)
    async with compose(settings) as app:
        await app.repository.begin_version(WorkspaceId(place), "crashed.md", "hash", 1)
    async with program(folder) as child:
        await told(child, "Health:")
        with pytest.raises(StoreLocked, match="Another MASIS process works on"):
            await serve(settings, print)
        child.send_signal(signal.SIGTERM)
        await told(child, "Stopping:")
        async with asyncio.timeout(30):
            assert await child.wait() == 0
    async with compose(settings) as app:
        assert await app.repository.hidden_versions(WorkspaceId(place)) == []


async def test_taken_port_names_its_setting(tmp_path: Path) -> None:
    """A port that is taken is told once and with what to set."""
    settings = load(Path("no.env"), data_dir=tmp_path / "data", embedder="none", http_port=0)
    await filled(settings)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(StoreUnavailable) as caught:
            await serve(settings.model_copy(update={"http_port": port}), print)
    assert str(caught.value) == (
        f"The port {port} of 127.0.0.1 cannot be opened (Address already in use)."
        " Name another one with MASIS_HTTP_PORT."
    )


async def test_worker_without_slack_is_refused(shared: Settings) -> None:
    """A worker without slack is told what a worker needs."""
    with pytest.raises(InvalidSettings) as caught:
        await serve(shared, print, role=Role.WORKER)
    said = str(caught.value)
    assert "MASIS_SLACK_BOT_TOKEN" in said
    assert "MASIS_SLACK_CLIENT_ID" in said
    assert "MASIS_SECRET_KEYS" in said
    assert "MASIS_SLACK_APP_TOKEN" not in said
