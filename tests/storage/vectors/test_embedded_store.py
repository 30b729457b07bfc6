"""The embedded store alone: its files, its lock, and what goes wrong with them."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from masis.domain import EmbeddingProfile, WorkspaceId
from masis.errors import ProfileMismatch, StoreLocked, StoreUnavailable
from masis.ports import Point, VectorStores
from storage.vectors.embedded_store import EdgeVectorStores
from storage.vectors.shards import engine_errors

W = WorkspaceId("w_mine")
PROFILE = EmbeddingProfile(
    name="minilm", model="m", dimension=4, version="1", calibration=[(0, 0), (1, 1)]
)

WRITE_UNTIL_KILLED = """
import asyncio, sys
from pathlib import Path
import numpy as np
from masis.domain import EmbeddingProfile, WorkspaceId
from masis.ports import Point
from storage.vectors.embedded_store import EdgeVectorStores

async def main():
    profile = EmbeddingProfile(
        name="minilm", model="m", dimension=4, version="1", calibration=[(0, 0), (1, 1)]
    )
    store = await EdgeVectorStores(Path(sys.argv[1])).open(WorkspaceId("w_mine"), profile)
    for n in range(10_000):
        dense = np.ones(4, dtype=np.float32)
        await store.upsert([Point(f"c_{n}", "d_1", "v_1", n, "md", dense, {n: 1.0})])
        print(n, flush=True)

asyncio.run(main())
"""


def points(count: int, start: int = 0) -> list[Point]:
    dense = np.ones(4, dtype=np.float32)
    return [
        Point(f"c_{n}", "d_1", "v_1", n, "md", dense, {n: 1.0}) for n in range(start, start + count)
    ]


def stores(folder: Path) -> EdgeVectorStores:
    return EdgeVectorStores(folder, lock_wait=0.05)


def a_port(embedded: EdgeVectorStores) -> VectorStores:
    """The types are the test: the class fits the port."""
    return embedded


def test_written_points_survive_a_kill(folder: Path) -> None:
    """All that was written survives a kill."""
    command = [sys.executable, "-c", WRITE_UNTIL_KILLED, str(folder)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own code
    assert child.stdout is not None
    for line in child.stdout:
        if int(line) == 40:
            os.kill(child.pid, signal.SIGKILL)
            break
    rest = child.stdout.read().split()
    child.stdout.close()
    child.wait(timeout=60)
    written = int(rest[-1]) + 1 if rest else 41

    async def found() -> set[str]:
        embedded = stores(folder)
        store = await embedded.open(W, PROFILE)
        hits = await store.search(None, dict.fromkeys(range(written), 1.0), limit=written)
        await embedded.close()
        return {hit.chunk_id for hit in hits}

    assert asyncio.run(found()) == {f"c_{n}" for n in range(written)}


async def test_second_process_learns_of_lock_holder(folder: Path) -> None:
    """A second process is told who holds the store."""
    first, second = stores(folder), stores(folder)
    held = await first.open(W, PROFILE)
    with pytest.raises(
        StoreLocked, match=r"one process at a time uses a data folder.*MASIS_QDRANT_URL"
    ) as caught:
        await second.open(W, PROFILE)
    assert caught.value.retryable
    with pytest.raises(StoreLocked):
        await second.drop(W)
    await second.open(WorkspaceId("w_other"), PROFILE)
    await held.close()
    store = await second.open(W, PROFILE)
    assert await store.count() == 0
    await first.close()
    await second.close()


async def test_engine_lock_gives_same_message(folder: Path) -> None:
    """The engines own lock reads the same."""
    first, second = stores(folder), stores(folder)
    await first.open(W, PROFILE)
    (folder / "w_mine.lock").unlink()
    with pytest.raises(StoreLocked, match="Another process holds"):
        await second.open(W, PROFILE)
    await first.close()


async def test_failed_opening_leaves_no_lock(folder: Path) -> None:
    """A store that could not be opened leaves no lock."""
    first = stores(folder)
    store = await first.open(W, PROFILE)
    await store.close()
    (folder / W / "store.json").write_text("{}")
    with pytest.raises(StoreUnavailable, match=r"store\.json cannot be read"):
        await first.open(W, PROFILE)
    await first.drop(W)
    store = await stores(folder).open(W, PROFILE)
    await store.close()


async def test_refused_profile_leaves_store_unlocked(
    folder: Path,
) -> None:
    """A store of another kind says so each time and is held by nobody."""
    lexical = await stores(folder).open(W, None)
    await lexical.upsert([replace(point, dense=None) for point in points(1)])
    await lexical.close()
    embedded = stores(folder)
    for _ in range(2):
        with pytest.raises(ProfileMismatch, match="ingested without an embedder"):
            await embedded.open(W, PROFILE)
    again = await stores(folder).open(W, None)
    assert await again.count() == 1
    await again.close()


OPEN_UNDER_A_LIMIT = """
import asyncio, resource, sys
from pathlib import Path
from masis.domain import WorkspaceId
from masis.errors import StoreUnavailable
from storage.vectors.embedded_store import EdgeVectorStores

resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
try:
    asyncio.run(EdgeVectorStores(Path(sys.argv[1])).open(WorkspaceId("w_mine"), None))
except StoreUnavailable as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_file_size_limit_means_full_disk(folder: Path) -> None:
    """Files that may not grow are a full disk and no damage."""
    command = [sys.executable, "-c", OPEN_UNDER_A_LIMIT, str(folder)]
    child = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)  # noqa: S603 - our own code
    assert child.stdout.startswith("The disk is full, or a quota"), child.stdout + child.stderr


@pytest.mark.parametrize(
    "said",
    [
        "Service internal error: No space left on device (os error 28)",
        'Os { code: 27, kind: FileTooLarge, message: "File too large" }',
        "IO Error: Disk quota exceeded (os error 122)",
        "write failed: StorageFull",
    ],
)
def test_engine_full_disk_is_no_damage(said: str) -> None:
    """A full disk in the engines words is no damage."""
    with pytest.raises(StoreUnavailable, match="disk is full") as caught, engine_errors():
        raise Exception(said)  # noqa: TRY002 - the engine has no other class
    assert not caught.value.retryable


def test_other_engine_errors_mean_damage() -> None:
    """What else the engine says is damage."""
    with pytest.raises(StoreUnavailable, match="are damaged"), engine_errors():
        raise Exception("bad segment 1228 (os error 280)")  # noqa: TRY002 - as above


async def test_cancelled_opening_still_allows_closing(folder: Path) -> None:
    """A caller who gives up while it opens leaves it closable."""
    embedded = stores(folder)
    opening = asyncio.create_task(embedded.open(W, PROFILE))
    await asyncio.sleep(0)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    await embedded.close()
    again = stores(folder)
    await again.open(W, PROFILE)
    await again.close()


async def test_half_created_store_is_rebuilt(folder: Path) -> None:
    """What a crash left of a new store is made anew."""
    wreck = folder / W / "shard"
    wreck.mkdir(parents=True)
    (wreck / "edge_config.json").write_text("half a fi")
    embedded = stores(folder)
    store = await embedded.open(W, PROFILE)
    await store.upsert(points(3))
    assert await store.count() == 3
    await embedded.close()


async def test_damaged_shard_is_reported_untouched(folder: Path) -> None:
    """A damaged shard says so and is left alone."""
    embedded = stores(folder)
    store = await embedded.open(W, PROFILE)
    await store.upsert(points(3))
    await embedded.close()
    [segment] = (folder / W / "shard").rglob("segment.json")
    segment.write_text("no json")
    with pytest.raises(StoreUnavailable, match=r"damaged.*ingest its documents\s+again") as caught:
        await embedded.open(W, PROFILE)
    assert not caught.value.retryable
    assert segment.read_text() == "no json"


async def test_engine_panic_is_reported(folder: Path) -> None:
    """A panic of the engine says so too."""
    embedded = stores(folder)
    store = await embedded.open(W, PROFILE)
    await store.upsert(points(3))
    await embedded.close()
    for status in (folder / W / "shard").rglob("status.dat"):
        status.write_bytes(b"")
    with pytest.raises(StoreUnavailable, match="damaged"):
        await embedded.open(W, PROFILE)


async def test_nearly_full_disk_refuses_writes(folder: Path) -> None:
    """A disk that is nearly full is not filled up."""
    roomy = stores(folder)
    store = await roomy.open(W, PROFILE)
    await store.upsert(points(3))
    await roomy.close()
    tight = EdgeVectorStores(folder, reserve_bytes=2**60)
    store = await tight.open(W, PROFILE)
    with pytest.raises(StoreUnavailable, match=r"disk is nearly full.*Free some space") as caught:
        await store.upsert(points(3, start=3))
    assert not caught.value.retryable
    assert await store.count() == 3
    with pytest.raises(StoreUnavailable, match="disk is nearly full"):
        await tight.open(WorkspaceId("w_new"), PROFILE)
    await store.delete_version("v_1")
    assert await store.count() == 0
    await tight.close()


async def test_file_instead_of_folder_is_reported(folder: Path) -> None:
    """A folder that is a file says so."""
    (folder / "vectors").write_text("")
    with pytest.raises(StoreUnavailable, match="MASIS_DATA_DIR"):
        await stores(folder / "vectors").open(W, PROFILE)


async def test_a_closed_store_says_so(folder: Path) -> None:
    embedded = stores(folder)
    store = await embedded.open(W, PROFILE)
    await store.close()
    await store.close()
    with pytest.raises(StoreUnavailable, match="were closed"):
        await store.search(None, {1: 1.0}, limit=1)
    assert await embedded.open(W, PROFILE) is not store
    await embedded.close()


async def test_closing_during_searches_is_safe(folder: Path) -> None:
    """Closing waits for nobody and breaks nothing."""
    embedded = stores(folder)
    store = await embedded.open(W, PROFILE)
    await store.upsert(points(50))
    searches = [store.search(np.ones(4, dtype=np.float32), {1: 1.0}, limit=5) for _ in range(20)]
    *found, closed = await asyncio.gather(*searches, embedded.close(), return_exceptions=True)
    assert closed is None
    assert all(isinstance(hits, list | StoreUnavailable) for hits in found)
    store = await embedded.open(W, PROFILE)
    assert await store.count() == 50
    await embedded.close()


class TestHowManyShardsAreOpen:
    A, B, C = WorkspaceId("w_a"), WorkspaceId("w_b"), WorkspaceId("w_c")

    async def test_least_recent_shard_is_closed(self, folder: Path) -> None:
        """Beyond the bound those asked for longest ago are closed."""
        embedded, other = EdgeVectorStores(folder, open_at_most=2), stores(folder)
        for workspace in (self.A, self.B, self.A, self.C):
            store = await embedded.open(workspace, PROFILE)
            await store.upsert(points(3))
            del store
        assert await (await other.open(self.B, PROFILE)).count() == 3, "any process may have it"
        for workspace in (self.A, self.C):
            with pytest.raises(StoreLocked):
                await other.open(workspace, PROFILE)
        await other.close()
        assert await (await embedded.open(self.B, PROFILE)).count() == 3
        await embedded.close()

    async def test_one_in_use_is_never_closed(self, folder: Path) -> None:
        embedded = EdgeVectorStores(folder, open_at_most=1)
        held = await embedded.open(self.A, PROFILE)
        other = await embedded.open(self.B, PROFILE)
        await held.upsert(points(3))
        assert (await held.count(), await other.count()) == (3, 0)
        assert await embedded.open(self.A, PROFILE) is held, "opened once and shared"
        del held, other
        assert await (await embedded.open(self.C, PROFILE)).count() == 0
        for _ in range(100):  # a thread that worked for one may refer to it a moment longer
            await embedded.open(self.C, PROFILE)
            if list(embedded._shards) == [self.C]:
                break
            await asyncio.sleep(0.02)
        assert list(embedded._shards) == [self.C]
        await embedded.close()

    async def test_running_search_keeps_shard_open(self, folder: Path) -> None:
        """A search whose caller let go is in use."""
        embedded = EdgeVectorStores(folder, open_at_most=1)
        await (await embedded.open(self.A, PROFILE)).upsert(points(50))
        searches = [
            (await embedded.open(workspace, PROFILE)).search(None, {1: 1.0}, limit=5)
            for workspace in [self.A, self.B, self.C] * 10
        ]
        found = await asyncio.gather(*searches)
        assert [len(hits) for hits in found] == [1, 0, 0] * 10
        await embedded.close()

    async def _let_go(self, embedded: EdgeVectorStores, workspace: WorkspaceId) -> None:
        """Wait until the thread that opened a store holds it no longer."""
        async with asyncio.timeout(10):
            while workspace in embedded._stores:  # noqa: ASYNC110 - a thread tells nobody
                await asyncio.sleep(0)

    async def test_closing_failure_spares_other_shard(
        self, folder: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Trouble with closing one is not the trouble of another."""
        caplog.set_level(logging.WARNING)
        embedded = EdgeVectorStores(folder, open_at_most=1)
        await embedded.open(self.A, PROFILE)
        await self._let_go(embedded, self.A)
        embedded._shards[self.A].engine.close()
        assert await (await embedded.open(self.B, PROFILE)).count() == 0
        assert "w_a were not closed well" in caplog.text
        await embedded.close()


async def test_dropped_workspace_leaves_no_file(folder: Path) -> None:
    """A dropped workspace leaves no file of its own."""
    embedded = stores(folder)
    store = await embedded.open(W, PROFILE)
    await store.upsert(points(3))
    await embedded.drop(W)
    assert not (folder / W).exists()
    assert (folder / "w_mine.lock").read_bytes() == b""
    await embedded.close()


async def test_deleted_points_free_their_space(folder: Path) -> None:
    """The space of deleted points is reclaimed."""
    embedded = stores(folder)
    store = await embedded.open(W, PROFILE)
    await store.upsert(points(1500))
    await store.delete_version("v_1")
    await store.upsert(points(10, start=5000))
    await embedded.close()
    store = await embedded.open(W, PROFILE)
    assert await store.count() == 10
    assert store._shard.engine.info().points_count == 10
    await embedded.close()
