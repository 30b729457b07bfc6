"""Receive a file as the body of a request: piece by piece into the database, never whole in memory."""

import asyncio
import contextlib
import hashlib
import json
import unicodedata
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, NamedTuple

from aiohttp import web

from bot.api.http_answers import AGAIN_SECONDS
from bot.api.problems import Refusal, Wrong, malformed, slow_body, too_large, unsupported
from bot.connections import BODY_SECONDS, excuse
from masis.conversation import ChatRun
from storage.accounts.api_tokens import ApiToken
from storage.api.received_files import ReceivedFiles

FILES_AT_ONCE: Final = 8
"""Received at the same time by one process; each holds one piece in memory."""
FILES_PER_TOKEN: Final = 2
"""As many as a token has runs at work."""
FILE_SECONDS: Final = 300.0
"""The largest file that is taken (25 MB) at 83 KB a second."""
MAX_NAME: Final = 255
"""Characters of a name, as file systems have it."""

_UNSHOWN: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Kinds of characters that no name has: controls, halves of letters, ends of lines."""
_PIECE: Final = 64 * 1024
_PART: Final = 1024 * 1024
_MB: Final = 1_000_000


class Received(NamedTuple):
    """A file that has arrived: where its bytes are, and what they are compared by."""

    content_id: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FileBounds:
    """Hold how large a file may be, how many are on their way, and how long they may take."""

    most_bytes: int
    in_all: int = FILES_AT_ONCE
    per_token: int = FILES_PER_TOKEN
    seconds: float = FILE_SECONDS
    piece_seconds: float = BODY_SECONDS


def received_of(run: ChatRun) -> Received:
    """The file that an upload's run is about."""
    return Received(**json.loads(run.query))


class FileBodies:
    """Receives files, so many at a time."""

    def __init__(self, files: ReceivedFiles, bounds: FileBounds) -> None:
        self._files = files
        self._bounds = bounds
        self._arriving: Counter[str] = Counter()

    async def receive(self, request: web.Request, token: ApiToken) -> Received:
        """Keep the request's body.

        Raises:
            Refusal: it is too large, too slow, empty, or in a form; nothing of it is kept.
            UnknownWorkspace: the token's workspace is gone.
            StoreUnavailable: it could not be kept.
        """
        self._check(request)
        with self._one_more(token.id):
            excuse(request)
            content_id = uuid.uuid4().hex
            async with contextlib.AsyncExitStack() as undoing:
                undoing.push_async_callback(self._files.drop, token.workspace_id, content_id)
                received = await self._kept(request, token, content_id)
                undoing.pop_all()
            return received

    def _check(self, request: web.Request) -> None:
        """Refuse by its head what need not be read."""
        if request.content_type.startswith("multipart/") or "Content-Encoding" in request.headers:
            raise unsupported(
                "The body should be the file's own bytes: no form, and no content encoding."
            )
        if (request.content_length or 0) > self._bounds.most_bytes:
            raise self._too_large()

    async def _kept(self, request: web.Request, token: ApiToken, content_id: str) -> Received:
        digest, size, position = hashlib.sha256(), 0, 0
        async for part in self._parts(request):
            size += len(part)
            await asyncio.to_thread(digest.update, part)
            await self._files.add_part(token.tenant, token.workspace_id, content_id, position, part)
            position += 1
        if not size:
            raise malformed("The body is empty: it should be the file's bytes.")
        return Received(content_id, digest.hexdigest(), size)

    async def _parts(self, request: web.Request) -> AsyncIterator[bytes]:
        """The body in parts of one size; the last one is what is left."""
        clock = asyncio.get_running_loop().time
        until, size, part = clock() + self._bounds.seconds, 0, bytearray()
        while piece := await self._piece(request, until - clock()):
            size += len(piece)
            if size > self._bounds.most_bytes:
                raise self._too_large()
            part += piece
            if len(part) >= _PART:
                yield bytes(part)
                part.clear()
        if part:
            yield bytes(part)

    async def _piece(self, request: web.Request, left: float) -> bytes:
        try:
            async with asyncio.timeout(min(self._bounds.piece_seconds, left)):
                return await request.content.read(_PIECE)
        except TimeoutError:
            raise slow_body(
                f"The body has to arrive within {self._bounds.seconds:.0f} s, and to go on within"
                f" {self._bounds.piece_seconds:.0f} s."
            ) from None

    def _too_large(self) -> Refusal:
        return too_large(f"{self._bounds.most_bytes // _MB} MB")

    @contextmanager
    def _one_more(self, token_id: str) -> Iterator[None]:
        bounds, arriving = self._bounds, self._arriving
        if arriving[token_id] >= bounds.per_token or arriving.total() >= bounds.in_all:
            raise Refusal(
                HTTPStatus.TOO_MANY_REQUESTS,
                "too_many_uploads",
                "Too many files are on their way: send them one after the other.",
                headers={"Retry-After": str(AGAIN_SECONDS), "Connection": "close"},
            )
        arriving[token_id] += 1
        try:
            yield
        finally:
            self._arriving -= Counter({token_id: 1})


def document_name(request: web.Request) -> str:
    """The name that the file is to have as a document: for people, and never a path of ours.

    Raises:
        Refusal: there is none, or it is none that can be kept and shown.
    """
    given = request.query.getall("name", [])
    name = given[0].strip() if len(given) == 1 else ""
    is_shown = all(unicodedata.category(letter) not in _UNSHOWN for letter in name)
    if name and len(name) <= MAX_NAME and is_shown:
        return name
    raise Refusal(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "invalid",
        "The file needs a name in the address: ?name=handbook.pdf",
        errors=[
            Wrong(pointer="#/name", detail=f"should be one name of 1 to {MAX_NAME} characters")
        ],
    )
