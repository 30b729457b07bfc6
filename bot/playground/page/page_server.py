"""The page's server: the bundle, the websocket, uploads and files, on one port of this machine."""

import contextlib
import errno
import mimetypes
from collections.abc import Mapping
from importlib import resources
from pathlib import PurePosixPath
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote

from aiohttp import web

from bot.playground.page import contract
from bot.playground.page.changes import ChangeLog
from bot.playground.page.guard import NO_KEY, Guard, refusal
from bot.playground.page.live import Live
from bot.playground.page.scene import Scene
from bot.playground.page.seen import Seen
from bot.playground.people.people import Person
from masis.errors import StoreUnavailable

HOST: Final = "127.0.0.1"
SHUTDOWN_S: Final = 1.0
INDEX: Final = "index.html"
KEPT_BYTES: Final = 256 * 1024 * 1024
"""Of all uploads together, which lie in memory."""
NAME_CHARS: Final = 200

NOT_BUILT: Final = "The page has not been built: `make web` does so. Everything else is at work."
NO_NAME: Final = "A file needs a name."
EMPTY: Final = "The file is empty."
FULL: Final = "The playground keeps no more than 256 MB of files. Start it anew."


class Page:
    """Serves a scene from the first line of the block to the last. `port` 0 takes a free one.

    Raises:
        StoreUnavailable: the port is taken.
    """

    def __init__(self, scene: Scene, *, port: int = 0) -> None:
        self._scene = scene
        self._port = port
        self._guard = Guard()
        self._changes = ChangeLog()
        self._live = Live(scene, self._changes)
        self._files = bundle()
        self._closing = contextlib.AsyncExitStack()
        self.base_url = ""

    @property
    def url(self) -> str:
        """The address to open, with its key."""
        return f"{self.base_url}/?key={self._guard.key}"

    async def __aenter__(self) -> Self:
        async with contextlib.AsyncExitStack() as closing:
            closing.enter_context(self._scene.slack.world.feed.telling(self._changes))
            runner = web.AppRunner(
                self._application(), access_log=None, shutdown_timeout=SHUTDOWN_S
            )
            await runner.setup()
            closing.push_async_callback(runner.cleanup)
            await self._listen(runner)
            closing.push_async_callback(self._live.close)
            self._closing = closing.pop_all()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        await self._closing.aclose()

    async def _listen(self, runner: web.AppRunner) -> None:
        try:
            await web.TCPSite(runner, HOST, self._port).start()
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            why = "is taken" if taken else "cannot be opened"
            raise StoreUnavailable(
                f"The port {self._port} {why}. Name another one with --port, or none."
            ) from error
        port = runner.addresses[0][1]
        self._guard.listens(port)
        self.base_url = f"http://{HOST}:{port}"

    def _application(self) -> web.Application:
        application = web.Application(
            client_max_size=contract.FILE_BYTES, middlewares=[self._guard.middleware()]
        )
        application.on_response_prepare.append(self._guard.headers)
        application.add_routes(
            [
                web.get("/", self._index),
                web.get("/live", self._tab),
                web.post("/upload", self._upload),
                web.get("/files/{file}", self._file),
                web.get("/{name:.+}", self._asset),
            ]
        )
        return application

    # --- the bundle ------------------------------------------------------------------------

    async def _index(self, request: web.Request) -> web.StreamResponse:
        if not self._guard.has_key(request):
            return web.Response(status=403, text=NO_KEY)
        if INDEX not in self._files:
            return web.Response(status=503, text=NOT_BUILT)
        return web.Response(body=self._files[INDEX], content_type="text/html", charset="utf-8")

    async def _asset(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        if name not in self._files or name == INDEX:
            return refusal(404, "There is no such page.")
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return web.Response(body=self._files[name], content_type=kind)

    # --- what goes on ----------------------------------------------------------------------

    async def _tab(self, request: web.Request) -> web.StreamResponse:
        if not self._guard.has_key(request):
            return refusal(403, NO_KEY)
        return await self._live.handle(request)

    async def _upload(self, request: web.Request) -> web.StreamResponse:
        if not self._guard.has_key(request):
            return refusal(403, NO_KEY)
        name = plain_name(request.query.get("name", ""))
        if not name:
            return refusal(400, NO_NAME)
        if self._kept() + (request.content_length or 0) > KEPT_BYTES:
            return refusal(507, FULL)
        content = await request.read()
        if not content:
            return refusal(400, EMPTY)
        made = self._player(request).file(name, content, mimetype=request.content_type)
        told = contract.Uploaded(id=made.id, name=made.name, size=len(content))
        return web.json_response(text=told.model_dump_json())

    def _kept(self) -> int:
        return sum(len(file.content) for file in self._scene.slack.world.files.values())

    async def _file(self, request: web.Request) -> web.StreamResponse:
        if not self._guard.has_key(request):
            return refusal(403, NO_KEY)
        found = Seen(self._scene, self._player(request)).file(request.match_info["file"])
        if found is None:
            return refusal(404, "There is no such file here.")
        # Whatever it says it is: it is saved, and never shown by the browser.
        disposition = f"attachment; filename*=UTF-8''{quote(found.name, safe='')}"
        return web.Response(
            body=found.content,
            content_type="application/octet-stream",
            headers={"Content-Disposition": disposition},
        )

    def _player(self, request: web.Request) -> Person:
        return self._scene.player(request.query.get("person"))


def bundle() -> Mapping[str, bytes]:
    """The built page by the names in it; empty in a checkout where it was not built."""
    folder = resources.files("bot.playground.page") / "static"
    if not folder.is_dir():
        return {}
    files = [*folder.iterdir()]
    inner = [
        (f"assets/{each.name}", each) for d in files if d.name == "assets" for each in d.iterdir()
    ]
    outer = [(each.name, each) for each in files]
    return {name: each.read_bytes() for name, each in (*outer, *inner) if each.is_file()}


def plain_name(name: str) -> str:
    """A file's name without folders, and without what a terminal would obey."""
    last = PurePosixPath(name.replace("\\", "/")).name
    return "".join(each for each in last if each.isprintable()).strip()[:NAME_CHARS]
