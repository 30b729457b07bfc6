import aiohttp
import pytest

from bot.playground.page.page_server import Page
from tests.bot.playground.page.browser import tab


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "[::1]:{port}"]
)
async def test_rebound_host_name_is_refused(page: Page, host: str) -> None:
    """A name that was rebound to this machine is refused."""
    port = page.base_url.rpartition(":")[2]
    async with (
        aiohttp.ClientSession() as session,
        session.get(page.url, headers={"Host": host.format(port=port)}) as reply,
    ):
        assert reply.status == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", None])
async def test_foreign_origin_is_refused(page: Page, origin: str | None) -> None:
    """Other pages can neither listen nor send."""
    headers = {} if origin is None else {"Origin": origin}
    key = page.url.partition("key=")[2]
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(f"{page.base_url}/live?key={key}", headers=headers)
        async with session.post(
            f"{page.base_url}/upload",
            params={"key": key, "name": "a.md"},
            data=b"x",
            headers=headers,
        ) as reply:
            assert reply.status == 403
    assert refused.value.status == 403


@pytest.mark.parametrize("path", ["/", "/live", "/files/F1"])
async def test_nothing_is_told_without_the_key(page: Page, path: str) -> None:
    async with aiohttp.ClientSession() as session:
        for key in ("", "x" * 32):
            async with session.get(f"{page.base_url}{path}", params={"key": key}) as reply:
                assert reply.status == 403
                assert "key" in await reply.text()


async def test_every_response_restricts_the_browser(page: Page) -> None:
    """Every answer says what the browser may do."""
    async with aiohttp.ClientSession() as session:
        for path in ("/", "/nothing.js"):
            async with session.get(f"{page.base_url}{path}") as reply:
                policy = reply.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy
                assert "unsafe" not in policy
                assert "frame-ancestors 'none'" in policy
                assert reply.headers["X-Content-Type-Options"] == "nosniff"
                assert reply.headers["Referrer-Policy"] == "no-referrer"


async def test_page_answers_to_local_names(page: Page) -> None:
    """The page is reached by both names of this machine."""
    port = page.base_url.rpartition(":")[2]
    async with tab(page, Host=f"localhost:{port}", Origin=f"http://localhost:{port}") as browser:
        await browser.hello()
        assert browser.state is not None
