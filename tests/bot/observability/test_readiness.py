"""What a probe is told, and how little it costs."""

import asyncio
from pathlib import Path

import pytest
from aiohttp import web

from bot.observability.readiness import DRAINING, Check, NotReady, Readiness, folder, qdrant
from masis.errors import StoreUnavailable


class Asked:
    """A check that counts how often it was made, and fails as it is told to."""

    def __init__(self) -> None:
        self.times = 0
        self.error: Exception | None = None
        self.seconds = 0.0

    async def __call__(self) -> None:
        self.times += 1
        await asyncio.sleep(self.seconds)
        if self.error is not None:
            raise self.error


class Moment:
    """A clock that stands."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


async def test_readiness_answer_is_shared() -> None:
    """An answer is good for some seconds and for everybody who asks."""
    database, moment = Asked(), Moment()
    readiness = Readiness({"database": database}, now=moment)
    database.seconds = 0.01
    assert await asyncio.gather(*(readiness.problems() for _ in range(20))) == [[]] * 20
    database.error = StoreUnavailable("postgresql://masis:pw@db cannot be reached")
    assert await readiness.problems() == []
    assert database.times == 1
    moment.seconds = 3.0
    assert await readiness.problems() == ["database: cannot be used; `masis doctor` says why"]
    database.error = None
    moment.seconds = 6.0
    assert await readiness.problems() == []


async def test_cancelled_asker_spares_the_others() -> None:
    """Who gives up asking leaves the answer to the others."""
    database = Asked()
    database.seconds = 0.05
    readiness = Readiness({"database": database})
    first, second = (asyncio.ensure_future(readiness.problems()) for _ in range(2))
    await asyncio.sleep(0.01)
    first.cancel()
    assert await second == []
    assert database.times == 1


async def test_slow_checks_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What does not answer in time is named beside what fails."""
    monkeypatch.setattr("bot.observability.readiness.CHECK_SECONDS", 0.01)
    slow, broken = Asked(), Asked()
    slow.seconds, broken.error = 30.0, NotADirectoryError("a folder of somebody's")
    readiness = Readiness({"database": slow, "vectors": broken, "other": Asked()})
    assert await readiness.problems() == [
        "database: no answer within 0.01 seconds",
        "vectors: its folder is not there",
    ]


async def test_ending_process_is_not_ready() -> None:
    """Once it is told to end it is not ready and asks nobody."""
    database = Asked()
    readiness = Readiness({"database": database})
    readiness.drain()
    assert await readiness.problems() == [DRAINING]
    assert database.times == 0


async def test_qdrant_readiness_is_believed() -> None:
    """A qdrant server is believed what it says of itself."""
    answer = {"status": 200}

    async def ready(_: web.Request) -> web.Response:
        return web.Response(status=answer["status"])

    application = web.Application()
    application.add_routes([web.get("/readyz", ready)])
    runner = web.AppRunner(application)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        check: Check = qdrant(f"http://127.0.0.1:{port}/")
        await check()
        answer["status"] = 503
        with pytest.raises(NotReady):
            await check()
    finally:
        await runner.cleanup()
    assert await Readiness({"vectors": check}).problems() == ["vectors: cannot be reached"]


async def test_folder_on_missing_disk_fails(tmp_path: Path) -> None:
    """A folder may still be to come but not gone with its disk."""
    await folder(tmp_path)()
    await folder(tmp_path / "vectors")()
    with pytest.raises(NotADirectoryError):
        await folder(tmp_path / "unmounted" / "vectors")()
