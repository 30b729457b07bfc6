"""Teams' connector on loopback: keeps the messages, notes every call, and fails as it is told to."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Literal
from urllib.parse import quote, unquote

from aiohttp import web

from bot.playground.teams.issuer import HOME, listening
from bot.playground.teams.teams_payloads import ANN, GROUP

Fault = (
    int
    | Literal[
        "taken, then dropped",
        "dropped",
        "slow",
        "held",
        "taken, then slow",
        "garbled",
        "redirect",
        "endless",
    ]
)
"""A status, or what befalls a call: whether it was done, and what its caller hears of it."""

RATE_LIMITED: Final = 429
MOST_CHARS: Final = 50_000
MOST_UTF16: Final = 100_000


@dataclass
class Noted:
    """A call as it came."""

    verb: str
    path: str
    token: str
    body: Any
    query: dict[str, str]


@dataclass
class Message:
    """A message as it stands in its conversation."""

    id: str
    conversation: str
    thread: str
    activity: dict[str, Any]
    versions: list[dict[str, Any]]
    targeted: str = ""
    deleted: bool = False

    @property
    def card(self) -> dict[str, Any]:
        """Return the card that it shows."""
        (attachment,) = self.activity["attachments"]
        content: dict[str, Any] = attachment["content"]
        return content


def _nobody(_: Message) -> None:
    """Tell nobody."""


def _nobody_else(_: str, __: str) -> None:
    """Tell nobody either."""


def _no_clock() -> int:
    """Say that no time is known: ids go on by one."""
    return 0


@dataclass
class ConnectorStandin:
    """The conversations, and what is to go wrong next: faults are used up one a call."""

    url: str = ""
    calls: list[Noted] = field(default_factory=list)
    messages: dict[str, Message] = field(default_factory=dict)
    faults: deque[tuple[str, Fault]] = field(default_factory=deque)
    members: dict[str, dict[str, Any]] = field(default_factory=dict)
    typing: list[str] = field(default_factory=list)
    """The conversations in which it was shown that MASIS writes. These calls are noted here alone,
    and fail as “TYPING”."""
    retry_after: str = "1"
    slow_seconds: float = 5.0
    released: asyncio.Event = field(default_factory=asyncio.Event)
    """Until then calls that are held are not answered."""
    tokens: set[str] | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    tell: Callable[[Message], None] = _nobody
    """Is told of each message that is new, or is so now."""
    tell_typing: Callable[[str, str], None] = _nobody_else
    """Is told of the chat in which it is shown that MASIS writes, and when."""
    clock: Callable[[], int] = _no_clock
    """The time in milliseconds, of which the ids are made."""
    files: dict[str, bytes] = field(default_factory=dict)
    """What can be downloaded, by its id."""
    _count: int = 1_700_000_100_000

    def fail(self, verb: str, *faults: Fault) -> None:
        """Let the next calls of a verb fail so, one after the other."""
        self.faults.extend((verb, fault) for fault in faults)

    @property
    def shown(self) -> list[Message]:
        """Return what stands there, in its order."""
        return [each for each in self.messages.values() if not each.deleted]

    def verbs(self) -> list[str]:
        """Return the verbs of all calls."""
        return [call.verb for call in self.calls]

    def next_id(self) -> str:
        """Return an id that no message has."""
        self._count = max(self._count + 1, self.clock())
        return str(self._count)

    # --- the calls -------------------------------------------------------------------------

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        given = json.loads(body) if body else None
        path = request.raw_path.partition("?")[0].removeprefix("/amer/")
        is_typing = isinstance(given, dict) and given.get("type") == "typing"
        if not is_typing:
            self.calls.append(Noted(request.method, path, token, given, dict(request.query)))
        if not token or (self.tokens is not None and token not in self.tokens):
            return _error(401, "Unauthorized")
        if fault := self._fault("TYPING" if is_typing else request.method):
            return await self._failed(request, fault, path, given)
        return self._done(request, path, given)

    def _fault(self, verb: str) -> Fault | None:
        found = next((each for each in self.faults if each[0] in {verb, "*"}), None)
        if found is None:
            return None
        self.faults.remove(found)
        return found[1]

    async def _failed(  # noqa: PLR0911 - one for each fault
        self, request: web.Request, fault: Fault, path: str, given: Any
    ) -> web.StreamResponse:
        match fault:
            case int():
                headers = {"Retry-After": self.retry_after} if fault == RATE_LIMITED else {}
                return _error(fault, "Faulty", headers)
            case "taken, then dropped":
                self._done(request, path, given)
                return _dropped(request)
            case "dropped":
                return _dropped(request)
            case "slow" | "taken, then slow":
                done = self._done(request, path, given) if fault != "slow" else None
                await asyncio.sleep(self.slow_seconds)
                return done or self._done(request, path, given)
            case "held":
                await self.released.wait()
                return self._done(request, path, given)
            case "garbled":
                self._done(request, path, given)
                return web.Response(status=201, text="<html>")
            case "redirect":
                raise web.HTTPTemporaryRedirect("http://127.0.0.1:1/steal")
            case "endless":
                return web.Response(body=b" " * 2_000_000)

    def _done(  # noqa: PLR0911 - one for each call
        self, request: web.Request, path: str, given: Any
    ) -> web.Response:
        parts = [unquote(part) for part in path.split("/")]
        match request.method, parts:
            case "POST", ["v3", "conversations", whole, "activities"]:
                return self._post(whole, given, dict(request.query))
            case "PUT", ["v3", "conversations", _, "activities", message]:
                return self._put(message, given, is_targeted=_is_targeted(request))
            case "DELETE", ["v3", "conversations", _, "activities", message]:
                return self._delete(message, is_targeted=_is_targeted(request))
            case "POST", ["v3", "conversations"]:
                return web.json_response({"id": f"a:chat-{given['members'][0]['id']}"}, status=201)
            case "GET", ["v3", "conversations", _, "members", user]:
                return self._member(user)
            case "GET", ["v3", "teams", team]:
                return web.json_response({"id": team, "aadGroupId": GROUP, "name": "Team"})
            case "GET", ["v3", "teams", _, "conversations"]:
                listed = [
                    {"id": "19:general@thread.tacv2"},
                    {"id": "19:p@thread.tacv2", "name": "Private", "type": "private"},
                ]
                return web.json_response({"conversations": listed})
        return _error(404, "NotFound")

    def _post(self, whole: str, given: dict[str, Any], query: dict[str, str]) -> web.Response:
        if refused := _form(given):
            return refused
        name, _, thread = whole.partition(";messageid=")
        if given.get("type") == "typing":
            self.typing.append(name)
            shown = self.next_id()
            self.tell_typing(name, shown)
            return web.json_response({"id": shown}, status=201)
        is_targeted = query.get("isTargetedActivity") == "true"
        to = str(given["recipient"]["id"]) if is_targeted else ""
        made = Message(self.next_id(), name, thread, given, [given], to)
        self.messages[made.id] = made
        self._changed(made)
        return web.json_response({"id": made.id}, status=201)

    def _put(self, message: str, given: dict[str, Any], *, is_targeted: bool) -> web.Response:
        found = self.messages.get(message)
        if found is None or found.deleted or bool(found.targeted) != is_targeted:
            return _error(404, "ActivityNotFoundInConversation")
        if refused := _form(given):
            return refused
        found.activity = given
        found.versions.append(given)
        self._changed(found)
        return web.json_response({"id": message})

    def _delete(self, message: str, *, is_targeted: bool) -> web.Response:
        found = self.messages.get(message)
        if found is None or found.deleted or bool(found.targeted) != is_targeted:
            return _error(404, "ActivityNotFoundInConversation")
        found.deleted = True
        self._changed(found)
        return web.Response(status=200)

    def _changed(self, message: Message) -> None:
        self.changed.set()
        self.tell(message)

    def _member(self, user: str) -> web.Response:
        found = self.members.get(user)
        return (
            _error(404, "MemberNotFoundInConversation")
            if found is None
            else web.json_response(found)
        )

    def file(self, name: str, content: bytes) -> str:
        """Keep a file for whoever has its address, as Teams keeps one of a personal chat."""
        key = f"{self.next_id()}-{quote(name, safe='')}"
        self.files[key] = content
        return f"{self.url.removesuffix('/amer/')}/files/{quote(key, safe='')}"

    async def _download(self, request: web.Request) -> web.StreamResponse:
        found = self.files.get(request.match_info["key"])
        if found is None:
            return web.Response(status=404)
        if fault := self._fault("FILE"):
            return await self._failed(request, fault, "files", None)
        return web.Response(body=found, content_type="application/octet-stream")

    def application(self) -> web.Application:
        """Return what is served."""
        app = web.Application(client_max_size=10_000_000)
        app.router.add_get("/files/{key}", self._download)
        app.router.add_route("*", "/amer/{path:.*}", self._handle)
        return app


def member(
    user: str = ANN, tenant: str = HOME, role: str = "user", name: str = ""
) -> dict[str, Any]:
    """Return somebody in a conversation, as Teams tells of them."""
    told = {"id": f"29:{user[-4:]}", "aadObjectId": user, "tenantId": tenant, "userRole": role}
    return told | ({"name": name} if name else {})


def _is_targeted(request: web.Request) -> bool:
    """Say whether a call is about a message that one person alone sees."""
    return request.query.get("isTargetedActivity") == "true"


def _form(given: dict[str, Any]) -> web.Response | None:
    """What real Teams refuses: too much, and a card beside a text."""
    written = json.dumps(given, ensure_ascii=False)
    if len(written) > MOST_CHARS or len(written.encode("utf-16-le")) > MOST_UTF16:
        return _error(413, "MessageSizeTooBig")
    if given.get("attachments") and given.get("text"):
        return _error(400, "BadSyntax")
    labels = [
        each for each in given.get("entities", []) if each.get("type", "").endswith("Message")
    ]
    return _error(400, "BadSyntax") if len(labels) > 1 else None


def _error(status: int, code: str, headers: dict[str, str] | None = None) -> web.Response:
    body = {"error": {"code": code, "message": "as the stand-in was told"}}
    return web.json_response(body, status=status, headers=headers)


def _dropped(request: web.Request) -> web.Response:
    """Cut the connection in the middle."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


@asynccontextmanager
async def connecting(standin: ConnectorStandin | None = None) -> AsyncIterator[ConnectorStandin]:
    """Serve one, or that one, on loopback, until the block ends."""
    standin = standin or ConnectorStandin()
    async with listening(standin.application()) as url:
        standin.url = f"{url}/amer/"
        yield standin
