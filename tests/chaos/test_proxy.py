import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web
from yarl import URL

from tests.chaos.proxy import Proxy


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    async def hello(_: web.Request) -> web.Response:
        return web.Response(text="hello")

    app = web.Application()
    app.router.add_get("/deep/hello", hello)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        async with Proxy(f"http://127.0.0.1:{runner.addresses[0][1]}/deep") as made:
            yield made
    finally:
        await runner.cleanup()


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as opened:
        yield opened


async def said(session: aiohttp.ClientSession, proxy: Proxy) -> str:
    async with session.get(f"{proxy.url}/hello") as response:
        return await response.text()


async def test_what_passes_passes(proxy: Proxy, session: aiohttp.ClientSession) -> None:
    assert [await said(session, proxy) for _ in range(2)] == ["hello", "hello"]
    proxy.be("slow")
    assert await said(session, proxy) == "hello"


async def test_black_hole_answers_nobody(proxy: Proxy, session: aiohttp.ClientSession) -> None:
    """A black hole answers nobody until it closes."""
    await said(session, proxy)
    proxy.be("black hole")
    waiting = [asyncio.create_task(said(session, proxy)) for _ in range(2)]
    done, _ = await asyncio.wait(waiting, timeout=0.1)
    assert not done
    proxy.be("pass")
    assert await asyncio.gather(*waiting) == ["hello", "hello"]


async def test_reset_closes_all_connections(proxy: Proxy, session: aiohttp.ClientSession) -> None:
    """A reset ends what is open and what is new."""
    await said(session, proxy)
    proxy.be("black hole")
    waiting = asyncio.create_task(said(session, proxy))
    await asyncio.sleep(0.05)
    proxy.be("reset")
    for asked in (waiting, said(session, proxy)):
        with pytest.raises(aiohttp.ClientError):
            await asked
    proxy.be("pass")
    assert await said(session, proxy) == "hello"


async def test_nobody_keeps_it_open(proxy: Proxy) -> None:
    proxy.be("black hole")
    _, writer = await asyncio.open_connection(URL(proxy.url).host, URL(proxy.url).port)
    try:
        writer.write(b"GET")
        await writer.drain()
    finally:
        writer.close()
        await writer.wait_closed()
