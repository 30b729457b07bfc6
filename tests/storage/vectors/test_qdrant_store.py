"""The server's adapter alone: what it sends, and what it makes of failures."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aiohttp import web

from masis.domain import EmbeddingProfile, WorkspaceId
from masis.errors import StoreUnavailable, VectorsUnavailable
from masis.failures import SEARCH_IS_AWAY
from masis.models.gateway import Backoff
from masis.models.run_clock import run_clock
from masis.ports import Point, VectorStores
from storage.vectors.points import ForeignPoint
from storage.vectors.qdrant_server import ONCE, QdrantServer
from storage.vectors.qdrant_store import ServerVectorStore, ServerVectorStores
from tests.storage.qdrant_facade import QdrantFacade

W = WorkspaceId("w_mine")
KEY = "an invented key"
PROFILE = EmbeddingProfile(
    name="minilm", model="m", dimension=4, version="1", calibration=[(0, 0), (1, 1)]
)
ONES = np.ones(4, dtype=np.float32)


def points(count: int) -> list[Point]:
    return [Point(f"c_{n}", "d_1", "v_1", n, "md", ONES, {n: 1.0}) for n in range(count)]


@pytest.fixture
async def facade(folder: Path) -> AsyncIterator[QdrantFacade]:
    served = QdrantFacade(folder, api_key=KEY)
    await served.start()
    yield served
    await served.stop()


@pytest.fixture
async def stores(facade: QdrantFacade) -> AsyncIterator[ServerVectorStores]:
    remote = ServerVectorStores(facade.url, KEY, timeout=30, tries=ONCE)
    yield remote
    await remote.close()


@pytest.fixture
async def store(stores: ServerVectorStores) -> ServerVectorStore:
    return await stores.open(W, PROFILE)


def a_port(remote: ServerVectorStores) -> VectorStores:
    """The types are the test: the class fits the port."""
    return remote


# --- what is sent --------------------------------------------------------------------------


async def test_collection_is_configured_for_tenants(
    facade: QdrantFacade, stores: ServerVectorStores
) -> None:
    """The collection is made for many tenants."""
    await stores.open(W, PROFILE)
    [collection] = await stores._collections()
    assert collection.startswith("masis_minilm-4-1_")
    [made] = [body for method, _, body in facade.requests if method == "PUT" and "vectors" in body]
    assert made["vectors"]["dense"] == {"size": 4, "distance": "Cosine"}
    assert made["sparse_vectors"]["sparse"] == {"modifier": "idf"}
    assert made["hnsw_config"] == {"m": 0, "payload_m": 16}
    indexes = {
        body["field_name"]: body["field_schema"]
        for _, path, body in facade.requests
        if path.endswith("/index")
    }
    assert indexes["workspace_id"] == {"type": "keyword", "is_tenant": True}
    assert indexes["document_id"] == {"type": "keyword", "is_tenant": False}
    assert indexes["section"] == {"type": "integer", "lookup": True, "range": False}
    assert set(indexes) == {"workspace_id", "version_id", "document_id", "section"}


async def test_every_points_request_names_workspace(
    facade: QdrantFacade, store: ServerVectorStore
) -> None:
    """Every request for points names its workspace."""
    await store.upsert(points(3))
    facade.requests.clear()
    await store.search(ONES, {1: 1.0}, limit=3, hidden=["v_2"])
    await store.count()
    await store.delete_version("v_1")
    mine = {"key": "workspace_id", "match": {"value": W}}
    assert len(facade.requests) == 4
    for _, _, body in facade.requests:
        assert mine in body["filter"]["must"]
        for branch in body.get("prefetch", []):
            assert mine in branch["filter"]["must"]
            assert branch["limit"] == 100
        rarity = [b["params"]["idf"]["corpus"] for b in body.get("prefetch", []) if "params" in b]
        assert all(mine in corpus["must"] for corpus in rarity)


async def test_many_points_go_in_bounded_requests(
    facade: QdrantFacade, store: ServerVectorStore
) -> None:
    """Many points go in requests of a bounded size."""
    facade.requests.clear()
    await store.upsert(points(300))
    assert [len(body["points"]) for _, _, body in facade.requests] == [128, 128, 44]


async def test_point_carries_ids_without_text(
    facade: QdrantFacade, store: ServerVectorStore
) -> None:
    """A point carries ids and no text."""
    facade.requests.clear()
    await store.upsert(points(1))
    [(_, _, body)] = facade.requests
    assert set(body["points"][0]["payload"]) == {
        *("workspace_id", "document_id", "version_id", "chunk_id", "position", "format"),
        "section",
    }


async def test_concurrently_created_collection_is_used(
    facade: QdrantFacade, stores: ServerVectorStores
) -> None:
    """A collection that another process made meanwhile is taken."""
    other = ServerVectorStores(facade.url, KEY, timeout=30)
    await asyncio.gather(stores.open(W, PROFILE), other.open(WorkspaceId("w_other"), PROFILE))
    assert len(await stores._collections()) == 1
    await other.close()


async def test_foreign_collections_stay_untouched(
    facade: QdrantFacade, stores: ServerVectorStores
) -> None:
    """The collections of others are left alone."""
    other = ServerVectorStores(facade.url, KEY, timeout=30, prefix="someone")
    theirs = await other.open(W, PROFILE)
    await theirs.upsert(points(3))
    await stores.drop(W)
    assert await theirs.count() == 3
    await other.close()


async def test_foreign_point_stops_the_search(
    facade: QdrantFacade, store: ServerVectorStore
) -> None:
    """A point of another workspace stops the search."""
    foreign = {"id": 1, "version": 0, "score": 1.0, "payload": {"workspace_id": "w_theirs"}}
    answer = {"result": {"points": [foreign]}, "status": "ok", "time": 0.1}
    facade.next_responses.append(web.json_response(answer))
    with pytest.raises(ForeignPoint):
        await store.search(None, {1: 1.0}, limit=3)


# --- what goes wrong -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "message", "retryable"),
    [
        (lambda: web.Response(status=500), "failing.*Try again", True),
        (lambda: web.Response(status=503), "failing.*Try again", True),
        (lambda: web.Response(status=429), "failing.*Try again", True),
        (
            lambda: web.Response(status=429, headers={"Retry-After": "3"}),
            "failing.*Try again",
            True,
        ),
        (lambda: web.Response(status=429, headers={"Retry-After": "soon"}), "failing", True),
        (lambda: web.Response(status=403), "refuses the key.*MASIS_QDRANT_API_KEY", False),
        (lambda: web.Response(status=400), "refuses a request.*1.19 or newer", False),
        (lambda: web.Response(text="<html>welcome</html>"), "does not answer as one", True),
        (lambda: web.json_response({"result": "what?"}), "does not answer as one", True),
        (lambda: web.json_response([1, 2]), "does not answer as one", True),
    ],
)
async def test_invalid_response_says_what_to_do(
    facade: QdrantFacade,
    store: ServerVectorStore,
    answer: Callable[[], web.Response],
    message: str,
    *,
    retryable: bool,
) -> None:
    """An answer that is none says what to do."""
    facade.next_responses.append(answer())
    with pytest.raises(StoreUnavailable, match=message) as caught:
        await store.count()
    assert caught.value.retryable is retryable
    assert await store.count() == 0


async def test_wrong_key_error_hides_the_key(facade: QdrantFacade) -> None:
    """A wrong key says so and does not tell it."""
    remote = ServerVectorStores(facade.url, "a wrong key")
    with pytest.raises(StoreUnavailable, match=r"refuses the key.*MASIS_QDRANT_API_KEY") as caught:
        await remote.open(W, PROFILE)
    assert "a wrong key" not in str(caught.value)
    assert not caught.value.retryable
    await remote.close()


async def test_a_collection_that_vanished_says_so(
    facade: QdrantFacade, store: ServerVectorStore
) -> None:
    for collection in facade._collections.values():
        collection.shard.close()
    facade._collections.clear()
    for request in (
        store.search(ONES, {}, limit=1),
        store.count(),
        store.upsert(points(1)),
        store.delete_version("v_1"),
    ):
        with pytest.raises(StoreUnavailable, match=r"lost a collection.*ingest again"):
            await request


async def test_missing_server_is_reported(facade: QdrantFacade) -> None:
    """A server that is not there says so."""
    await facade.stop()
    remote = ServerVectorStores(facade.url, KEY, tries=ONCE)
    with pytest.raises(
        StoreUnavailable, match=rf"{facade.url} cannot be.*MASIS_QDRANT_URL"
    ) as caught:
        await remote.open(W, PROFILE)
    assert caught.value.retryable
    await remote.close()


async def test_unresponsive_server_times_out(facade: QdrantFacade) -> None:
    """A server that does not answer is not waited for."""
    remote = ServerVectorStores(facade.url, KEY, timeout=0.05, tries=ONCE)
    facade.delay = 60.0
    with pytest.raises(StoreUnavailable, match=r"did not answer within 0\.05 seconds") as caught:
        await remote.open(W, PROFILE)
    assert caught.value.retryable
    await remote.close()


async def test_excess_requests_queue_until_timeout(
    facade: QdrantFacade, store: ServerVectorStore
) -> None:
    """Requests over the bound wait their turn and end in time."""
    facade.delay = 60.0
    store._server._timeout = 0.05
    ends = await asyncio.gather(*(store.count() for _ in range(40)), return_exceptions=True)
    assert {type(end) for end in ends} == {VectorsUnavailable}


async def test_address_password_is_hidden(facade: QdrantFacade) -> None:
    """A password in the address is not told."""
    await facade.stop()
    remote = ServerVectorStores(facade.url.replace("://", "://ann:secret@"), tries=ONCE)
    with pytest.raises(StoreUnavailable) as caught:
        await remote.open(W, PROFILE)
    assert "secret" not in str(caught.value)
    await remote.close()


@pytest.mark.parametrize(
    ("url", "warned"), [("http://qdrant:6333", True), ("http://localhost:6333", False)]
)
async def test_unencrypted_key_triggers_a_warning(
    url: str, caplog: pytest.LogCaptureFixture, *, warned: bool
) -> None:
    """A key in the open is pointed out."""
    with caplog.at_level(logging.WARNING):
        remote: Any = ServerVectorStores(url, KEY)
    assert ("unencrypted" in caplog.text) is warned
    assert KEY not in caplog.text
    await remote.close()


# --- while it is away ----------------------------------------------------------------------

SOON = Backoff(retries=3, base=0.01)


@pytest.fixture
async def patient(facade: QdrantFacade) -> AsyncIterator[ServerVectorStores]:
    remote = ServerVectorStores(facade.url, KEY, timeout=30, tries=SOON)
    yield remote
    await remote.close()


async def test_momentary_failure_is_retried(
    facade: QdrantFacade, patient: ServerVectorStores
) -> None:
    """A server that fails for a moment is asked again."""
    store = await patient.open(W, PROFILE)
    facade.next_responses += [web.Response(status=503), web.Response(status=429)]
    await store.upsert(points(2))
    facade.next_responses += [web.Response(status=502)]
    assert len(await store.search(ONES, {1: 1.0}, limit=3)) == 2


async def test_lasting_failure_exhausts_the_tries(
    facade: QdrantFacade, patient: ServerVectorStores
) -> None:
    """A server that stays away is given up after so many tries."""
    store = await patient.open(W, PROFILE)
    facade.requests.clear()
    facade.next_responses += [web.Response(status=503) for _ in range(9)]
    with pytest.raises(VectorsUnavailable, match="failing"):
        await store.count()
    assert len(facade.next_responses) == 9 - 4


async def test_permanent_failure_is_not_retried(
    facade: QdrantFacade, patient: ServerVectorStores
) -> None:
    """What a repeat cannot mend is not repeated."""
    store = await patient.open(W, PROFILE)
    facade.next_responses += [web.Response(status=403), web.Response(status=403)]
    with pytest.raises(VectorsUnavailable, match="refuses the key"):
        await store.count()
    assert len(facade.next_responses) == 1


async def test_no_try_begins_after_its_time(
    facade: QdrantFacade, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.vectors.qdrant_server._TRYING_SECONDS", 0.0)
    remote = ServerVectorStores(facade.url, KEY, tries=SOON)
    facade.next_responses += [web.Response(status=503), web.Response(status=503)]
    with pytest.raises(VectorsUnavailable):
        await remote.open(W, PROFILE)
    assert len(facade.next_responses) == 1
    await remote.close()


async def test_retry_is_reported_to_run_watcher(
    facade: QdrantFacade, patient: ServerVectorStores
) -> None:
    """Whoever watches a run is told that it waits."""
    said: list[str] = []
    store = await patient.open(W, PROFILE)
    facade.next_responses.append(web.Response(status=503))
    async with run_clock(seconds=30, on_note=said.append):
        await store.count()
    assert said == [SEARCH_IS_AWAY]


async def test_silent_server_is_reported() -> None:
    """A request that nothing comes back from has not failed yet."""
    silent, told = asyncio.Event(), asyncio.Event()
    server = QdrantServer("http://127.0.0.1:9", "", timeout=600, tries=ONCE, silent_seconds=0)
    said: list[str] = []

    def note(what: str) -> None:
        said.append(what)
        told.set()

    async def request() -> int:
        await silent.wait()
        return 1

    async with run_clock(seconds=600, on_note=note):
        asked = asyncio.create_task(server.call(request))
        await told.wait()
        silent.set()
        assert await asked == 1
    assert said == [SEARCH_IS_AWAY]
    await server.client.close()


async def test_last_failure_is_reported_too(facade: QdrantFacade) -> None:
    """The last failure is told of too."""
    said: list[str] = []
    remote = ServerVectorStores(facade.url, KEY, tries=ONCE)
    facade.next_responses.append(web.Response(status=503))
    async with run_clock(seconds=600, on_note=said.append):
        with pytest.raises(VectorsUnavailable):
            await remote.open(W, PROFILE)
    assert said == [SEARCH_IS_AWAY]
    await remote.close()


async def test_cancelled_run_ends_the_tries(
    facade: QdrantFacade, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tries end when the run is broken off."""
    monkeypatch.setattr("storage.vectors.qdrant_server._TRYING_SECONDS", 1000.0)
    remote = ServerVectorStores(facade.url, KEY, tries=Backoff(retries=3, base=60, longest=60))
    facade.next_responses.append(web.Response(status=503))
    opening = asyncio.create_task(remote.open(W, PROFILE))
    while facade.next_responses:  # noqa: ASYNC110 - the server tells nobody that it answered
        await asyncio.sleep(0.01)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    await remote.close()


async def test_workspaces_do_not_wait_for_retries(
    facade: QdrantFacade, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for the tries of another workspace."""
    monkeypatch.setattr("storage.vectors.qdrant_server._TRYING_SECONDS", 1000.0)
    remote = ServerVectorStores(facade.url, KEY, tries=Backoff(retries=1, base=60, longest=60))
    facade.next_responses.append(web.Response(status=503))
    first = asyncio.create_task(remote.open(W, PROFILE))
    while facade.next_responses:  # noqa: ASYNC110 - the server tells nobody that it answered
        await asyncio.sleep(0.01)
    async with asyncio.timeout(10):
        await remote.open(WorkspaceId("w_other"), PROFILE)
    assert not first.done()
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    await remote.close()
