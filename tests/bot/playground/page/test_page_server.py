import socket

import aiohttp
import pytest

from bot.playground.page import page_server
from bot.playground.page.page_server import Page, plain_name
from bot.playground.page.scene import Scene
from masis.errors import StoreUnavailable
from tests.bot.playground.page.browser import Browser, tab
from tests.bot.playground.small_bot import SmallBot


async def fetched(browser: Browser, path: str, **said: str) -> aiohttp.ClientResponse:
    key = browser.page.url.partition("key=")[2]
    reply = await browser.session.get(f"{browser.page.base_url}{path}", params={"key": key} | said)
    await reply.read()
    return reply


async def test_uploaded_file_is_downloadable(page: Page, scene: Scene, bot: SmallBot) -> None:
    """A file is uploaded said and downloaded by who sees it."""
    lunch = next(c for c in scene.slack.world.channels.values() if c.name == "lunch")
    async with tab(page) as browser:
        await browser.hello()
        status, made = await browser.uploads("<b>menu</b>.md", b"# Menu")
        assert (status, made["name"], made["size"]) == (200, "b>.md", 6)
        unsaid = await fetched(browser, f"/files/{made['id']}", person=scene.asker.id)
        await browser.does("say", channel=lunch.id, text="See", files=[made["id"]])
        reply = await fetched(browser, f"/files/{made['id']}", person=scene.asker.id)
        guests = await fetched(browser, f"/files/{made['id']}", person=scene.guest.id)

    assert bot.events[-1]["files"][0]["name"] == "b>.md"
    assert (unsaid.status, reply.status, guests.status) == (404, 200, 404)
    assert await reply.read() == b"# Menu"
    assert reply.content_type == "application/octet-stream"
    assert reply.headers["Content-Disposition"].startswith("attachment")


async def test_what_cannot_be_uploaded_says_why(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with tab(page) as browser:
        await browser.hello()
        assert (await browser.uploads("", b"x"))[0] == 400
        assert await browser.uploads("a.md", b"") == (400, {"error": page_server.EMPTY})
        assert (await browser.uploads("a.md", b"x", key="no"))[0] == 403
        monkeypatch.setattr(page_server, "KEPT_BYTES", 10)
        assert await browser.uploads("a.md", b"x" * 11) == (507, {"error": page_server.FULL})


async def test_oversized_upload_is_refused(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file over the limit is refused."""
    monkeypatch.setattr("bot.playground.page.contract.FILE_BYTES", 100)
    async with Page(scene) as page, tab(page) as browser:
        await browser.hello()
        status, told = await browser.uploads("a.md", b"x" * 101)
    assert (status, told) == (413, {"error": "The file is too large."})


async def test_bundle_is_served_only_by_name(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundle is served by its names alone."""
    files = {"index.html": b"<title>MASIS</title>", "assets/page.js": b"1"}
    monkeypatch.setattr(page_server, "bundle", lambda: files)
    async with Page(scene) as page, aiohttp.ClientSession() as session:
        async with session.get(page.url) as reply:
            assert (reply.content_type, await reply.read()) == ("text/html", files["index.html"])
        async with session.get(f"{page.base_url}/assets/page.js") as reply:
            assert (reply.status, reply.content_type) == (200, "text/javascript")
        for path in ("/index.html", "/../server.py", "/assets/../../server.py"):
            async with session.get(f"{page.base_url}{path}") as reply:
                assert reply.status == 404


async def test_unbuilt_page_says_so(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that was not built says so."""
    monkeypatch.setattr(page_server, "bundle", dict)
    async with (
        Page(scene) as page,
        aiohttp.ClientSession() as session,
        session.get(page.url) as reply,
    ):
        assert (reply.status, await reply.text()) == (503, page_server.NOT_BUILT)


async def test_taken_port_is_named(scene: Scene) -> None:
    """A port that is taken is named."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(StoreUnavailable, match=f"port {port} is taken"):
            async with Page(scene, port=port):
                pass


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\papers\\a b.pdf", "a b.pdf"),
        ("a\x1b[31m\n.md", "a[31m.md"),
        ("/", ""),
        ("x" * 300, "x" * 200),
    ],
)
def test_file_name_carries_no_path(given: str, plain: str) -> None:
    """A files name is a name and no more."""
    assert plain_name(given) == plain
