"""What whoever asked reads when something that an answer needs is away, and stays so.

Each sentence is one for a stranger; what the operator wants is in `masis runs show` and in the log.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from filelock import FileLock

from masis.models.gateway import Backoff
from storage.chat.trails import Trails
from tests.chaos.proxy import Proxy
from tests.openai_server import OpenAIServer, has_no_quota, is_busy, refuses_the_key
from tests.storage.qdrant_facade import QdrantFacade
from tests.walks.office import QUESTION, Office, office

OPERATORS = re.compile(r"MASIS_|OPENAI_|127\.0\.0\.1|https?://|:\d{4,5}\b|Error|Exception")
NOTHING_FOUND = re.compile(
    r"nothing close enough|holds no documents|no documents|nothing was found"
)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody in a test waits as long as people do."""
    monkeypatch.setattr("storage.vectors.qdrant_server.TRIES", Backoff(retries=1, base=0.01))
    monkeypatch.setattr("storage.durable.outages.SEARCH_OUTAGE_SECONDS", 0.0)


async def fails(here: Office, said: str, detail: str) -> None:
    """Ask, and read what comes as a stranger would, and then as the operator."""
    await here.types(here.alice, QUESTION)
    told = here.text(await here.sees(here.bob, said))
    await here.settled()
    assert told.startswith("❌ I could not answer this. ")
    assert not OPERATORS.search(told), told
    assert not NOTHING_FOUND.search(here.transcript())
    assert "whoever runs MASIS" in told
    run_id = told.rsplit(" ", 1)[-1]
    trail = await Trails(here.app.database).of(here.tenant, run_id)
    assert trail is not None
    assert re.search(detail, trail.outcome["detail"])


REFUSALS = [
    ([refuses_the_key()], "The language model does not let MASIS in.", "OPENAI_API_KEY"),
    ([has_no_quota()], "MASIS has used up what it may use", "plan and billing"),
    ([is_busy("0")] * 3, "The language model has too much to do.", r"127\.0\.0\.1 has no answer"),
]


async def test_model_refusal_hides_service_address(tmp_path: Path) -> None:
    """A model service that refuses is told without its address."""
    async with office(tmp_path) as here:
        assert here.service is not None
        for behaviours, said, detail in REFUSALS:
            here.service.will("writer", *behaviours)
            await fails(here, said, detail)


async def test_qdrant_outage_hides_server_address(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A qdrant server that stays away is told without its address."""
    async with (
        facade(tmp_path) as served,
        Proxy(served.url) as proxy,
        office(tmp_path, model=False, MASIS_EMBEDDER="none", MASIS_QDRANT_URL=proxy.url) as here,
    ):
        proxy.be("reset")
        with caplog.at_level(logging.WARNING):
            await fails(here, "does not answer, and waiting", "MASIS_QDRANT_URL")
        assert "check MASIS_QDRANT_URL" in caplog.text
        assert "Your question is not kept: ask again in some minutes." in here.transcript()
        proxy.be("pass")
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "26 days")


async def test_index_wait_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wait for the index is shown."""
    monkeypatch.setattr("storage.durable.outages.SEARCH_OUTAGE_SECONDS", 600.0)
    monkeypatch.setattr("storage.vectors.qdrant_server.TRIES", Backoff(retries=2, base=0.3))
    async with (
        facade(tmp_path) as served,
        Proxy(served.url) as proxy,
        office(tmp_path, model=False, MASIS_EMBEDDER="none", MASIS_QDRANT_URL=proxy.url) as here,
    ):
        proxy.be("reset")
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "Waiting for the document index")
        proxy.be("pass")
        await here.sees(here.bob, "26 days")
        await here.settled()
        assert "Waiting for" not in here.transcript()


async def test_embedding_outage_hides_service_address(
    tmp_path: Path,
) -> None:
    """An embedding service that is away is told without its address."""
    async with (
        OpenAIServer() as service,
        Proxy(service.url) as proxy,
        office(
            tmp_path,
            model=False,
            MASIS_EMBEDDING_MODEL="text-embedding-ada-002",
            MASIS_EMBEDDING_BASE_URL=proxy.url,
        ) as here,
    ):
        proxy.be("reset")
        said = "The service that the document search needs does not answer."
        await fails(here, said, "could not be reached")


async def test_vector_lock_hides_its_folder(
    tmp_path: Path,
) -> None:
    """Vectors that another program holds are told without their folder."""
    async with office(tmp_path, model=False, MASIS_EMBEDDER="none") as here:
        await here.app.stores.close()
        folder = here.app.settings.data_dir / "vectors"
        lock = FileLock(folder / f"{here.workspace.id}.lock", thread_local=False)
        await asyncio.to_thread(lock.acquire)
        try:
            await fails(here, "Another program uses the documents", "Another process holds")
        finally:
            lock.release()


@asynccontextmanager
async def facade(folder: Path) -> AsyncIterator[QdrantFacade]:
    served = QdrantFacade(folder)
    await served.start()
    try:
        yield served
    finally:
        await served.stop()
