"""Serve what the stand-in has beside the Web API.

That is files, uploads, response addresses, OAuth and sockets.
"""

import json
import secrets
from collections.abc import AsyncIterator
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

from aiohttp import web

from bot.playground.slack.api import chat
from bot.playground.slack.api.call import Call, Refused
from bot.playground.slack.api.dispatch import Dispatch, token_of
from bot.playground.slack.api.files import may_see
from bot.playground.slack.bots import Socket
from bot.playground.slack.entities import Channel, File, Json, Message, User
from bot.playground.slack.hub import Code, Fetched, Hub
from bot.playground.slack.installed import ResponseAddress
from bot.playground.slack.world import NoSuchThing, Said, keep
from bot.slack import limits

MOST_UPLOAD: Final = 64 * 1024 * 1024
SLICE: Final = 64 * 1024
CODE_LIFE_S: Final = 600
SIGN_IN: Final = "<!DOCTYPE html><html><title>Sign in</title><body>Sign in to Slack</body></html>"
ANSWERS: Final = frozenset(
    {
        "attachments",
        "blocks",
        "delete_original",
        "metadata",
        "mrkdwn",
        "parse",
        "replace_original",
        "response_type",
        "text",
        "thread_ts",
        "unfurl_links",
        "unfurl_media",
    }
)
"""What may be sent to a response address."""


def application(hub: Hub) -> web.Application:
    """Everything that is served."""
    app = web.Application(client_max_size=MOST_UPLOAD)
    host = Hosting(hub)
    dispatch = Dispatch(hub)
    app.add_routes(
        [
            web.post("/api/{method}", dispatch.serve),
            web.get("/api/{method}", dispatch.serve),
            web.get("/files-pri/{file}/{name}", host.file),
            web.get("/signin", host.sign_in),
            web.post("/upload/v1/{file}", host.upload),
            web.post("/response/{address}", host.answer),
            web.get("/oauth/v2/authorize", host.authorize),
            web.get("/link", host.link),
        ]
    )
    return app


class Hosting:
    """The routes beside the Web API."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    # --- files -----------------------------------------------------------------------------

    async def file(self, request: web.Request) -> web.StreamResponse:
        """A private file, to a caller of its team with `files:read`; others are sent to sign in."""
        shown = token_of(request, {})
        file = self._hub.world.files.get(request.match_info["file"])
        allowed = file is not None and self._may_read(shown, file)
        status = 302 if file is None or not allowed else file.status
        redirect = file.redirect_to if file is not None and allowed else None
        self._hub.fetched.append(
            Fetched(request.match_info["file"], shown, 302 if redirect else status)
        )
        self._hub.world.feed.tell("fetched", file=request.match_info["file"])
        if file is None or not allowed:
            raise web.HTTPFound(f"{self._hub.base_url}/signin")
        if redirect:
            raise web.HTTPFound(redirect)
        return await self._serve(request, file)

    def _may_read(self, shown: str | None, file: File) -> bool:
        """Say whether that token reads that file."""
        token = self._hub.world.tokens.get(shown or "")
        if token is None or token.revoked or token.installation is None:
            return False
        call = Call(self._hub, {}, token)
        return (
            may_see(call, file)
            and not token.installation.removed
            and "files:read" in call.installation.scopes
        )

    async def _serve(self, request: web.Request, file: File) -> web.StreamResponse:
        headers = {"Content-Type": file.mimetype}
        response = web.StreamResponse(status=file.status, headers=headers)
        if file.served_size is None:
            response.content_length = len(file.content)
        await response.prepare(request)
        async for part in _parts(file):
            await response.write(part)
        return response

    async def sign_in(self, _request: web.Request) -> web.Response:
        """Serve the page where somebody without a token lands, with status 200."""
        return web.Response(text=SIGN_IN, content_type="text/html")

    async def upload(self, request: web.Request) -> web.Response:
        """Take the bytes of a file that the app uploads."""
        file = self._hub.world.files.get(request.match_info["file"])
        if file is None:
            raise web.HTTPNotFound
        content = await request.read()
        if file.told_size != len(content):
            raise web.HTTPBadRequest(text="not as long as it was said to be")
        file.content = content
        return web.Response(text=f"OK - {len(content)}")

    # --- answers to what somebody did ------------------------------------------------------

    async def answer(self, request: web.Request) -> web.Response:
        """Post, replace or delete by a response address; a few times, for half an hour."""
        world = self._hub.world
        address = world.addresses.get(request.match_info["address"])
        if address is None or address.installation.removed:
            raise web.HTTPNotFound(text="no_service")
        if world.clock() - address.made_at > limits.RESPONSE_URL_LIFE_S:
            raise web.HTTPNotFound(text="expired_url")
        if address.uses >= limits.RESPONSE_URL_USES:
            raise web.HTTPNotFound(text="used_url")
        try:
            given = json.loads(await request.text())
        except json.JSONDecodeError:
            raise web.HTTPBadRequest(text="invalid_payload") from None
        if not isinstance(given, dict) or set(given) - ANSWERS:
            raise web.HTTPBadRequest(text="invalid_payload")
        try:
            answer(self._hub, address, given)
        except Refused as refused:
            raise web.HTTPBadRequest(text=refused.error) from None
        address.uses += 1
        return web.Response(text="ok")

    # --- OAuth -----------------------------------------------------------------------------

    async def authorize(self, request: web.Request) -> web.Response:
        """The page on which somebody approves the app. On this machine the first owner does."""
        owner = next((u for u in self._hub.world.users.values() if u.role == "owner"), None)
        if owner is None:
            raise web.HTTPForbidden(text="nobody here may approve an app")
        raise web.HTTPFound(approve(self._hub, str(request.url), owner))

    # --- Socket Mode -----------------------------------------------------------------------

    async def link(self, request: web.Request) -> web.StreamResponse:
        """A websocket of the app, for a ticket of `apps.connections.open`."""
        ticket = request.query.get("ticket", "")
        if ticket not in self._hub.tickets:
            raise web.HTTPForbidden(text="link_disabled")
        self._hub.tickets.remove(ticket)
        connection = web.WebSocketResponse()
        await connection.prepare(request)
        socket = Socket(connection)
        self._hub.bots.sockets.append(socket)
        try:
            await socket.hello(self._hub.world.app.id, len(self._hub.bots.sockets))
            self._hub.world.feed.tell("connected")
            await socket.listen()
        finally:
            self._hub.bots.sockets.remove(socket)
            self._hub.world.feed.tell("disconnected")
        return connection


async def _parts(file: File) -> AsyncIterator[bytes]:
    """A file's bytes, or as many as it was told to pretend."""
    if file.served_size is None:
        yield file.content
        return
    left = file.served_size
    while left > 0:
        yield b"x" * min(SLICE, left)
        left -= SLICE


def answer(hub: Hub, address: ResponseAddress, given: Json) -> Message | None:
    """Take an app's answer to what somebody did, given at once or by its address.

    Raises:
        Refused: Slack would not take that message.
    """
    world = hub.world
    channel = world.channels[address.channel_id]
    original = _original(hub, address)
    if given.get("delete_original"):
        if original is not None:
            world.delete(original)
        return None
    chat.check(given)
    if given.get("replace_original") and original is not None:
        changed = {"text": str(given.get("text") or ""), "blocks": given.get("blocks") or []}
        world.edit(original, editor_id=address.installation.bot_user_id, **changed)
        return original
    said = Said(
        text=str(given.get("text") or ""),
        blocks=given.get("blocks") or (),
        attachments=given.get("attachments") or (),
        user_id=address.installation.bot_user_id,
        bot_id=address.installation.bot_id,
        app_id=world.app.id,
        thread_ts=given.get("thread_ts") or address.thread_ts,
    )
    if given.get("response_type") == "in_channel":
        return world.post(channel, said)
    return world.whisper(channel, address.user_id, said)


def _original(hub: Hub, address: ResponseAddress) -> Message | None:
    channel: Channel = hub.world.channels[address.channel_id]
    if address.message_ts is None:
        return None
    return channel.messages.get(address.message_ts) or hub.world.whispered(
        channel.id, address.message_ts
    )


def approve(hub: Hub, authorize_url: str, installer: User) -> str:
    """Approve the app as that person, and give the address that the browser is sent back to.

    Raises:
        NoSuchThing: the page names another app, no scope, or one that the app does not list.
    """
    asked = {name: values[0] for name, values in parse_qs(urlsplit(authorize_url).query).items()}
    if asked.get("client_id") != hub.world.app.client_id:
        raise NoSuchThing("Slack knows no app with that client id")
    scopes = tuple(scope for scope in asked.get("scope", "").split(",") if scope)
    unknown = set(scopes) - set(hub.world.app.scopes)
    if not scopes or unknown:
        raise NoSuchThing(f"scopes that the app's settings lack: {sorted(unknown) or 'none asked'}")
    code = secrets.token_hex(12)
    redirect = asked.get("redirect_uri")
    expires_at = hub.world.clock() + CODE_LIFE_S
    keep(hub.codes, code, Code(installer.team_id, installer.id, scopes, redirect, expires_at))
    back = urlencode({"code": code, "state": asked.get("state", "")})
    return f"{redirect or ''}?{back}"
