"""From an HTTP request to a method and back: arguments, tokens, scopes, faults, rates, the log."""

import asyncio
import base64
import binascii
import json
from collections.abc import Callable, Mapping
from typing import Final

from aiohttp import web

from bot.playground.slack.api import apps, assistants, chat, conversations, directory, files, views
from bot.playground.slack.api.call import Call, Refused, read_json
from bot.playground.slack.entities import Json
from bot.playground.slack.faults import SILENCE_S, Fault
from bot.playground.slack.hub import Hub, Logged
from bot.playground.slack.installed import Token
from bot.playground.slack.methods import EVERYWHERE, GENERAL_ERRORS, METHODS, Method

HANDLERS: Final[Mapping[str, Callable[[Call], Json]]] = {
    "agents.sessions.rename": assistants.rename_session,
    "agents.sessions.setStatus": assistants.set_session_status,
    "apps.connections.open": apps.open_connection,
    "apps.uninstall": apps.uninstall,
    "assistant.threads.setStatus": assistants.set_status,
    "assistant.threads.setSuggestedPrompts": assistants.set_prompts,
    "assistant.threads.setTitle": assistants.set_title,
    "auth.revoke": apps.revoke,
    "auth.test": directory.auth_test,
    "blocks.validate": directory.validate_blocks,
    "bots.info": directory.bots_info,
    "chat.appendStream": chat.append_stream,
    "chat.delete": chat.delete,
    "chat.getPermalink": chat.get_permalink,
    "chat.postEphemeral": chat.post_ephemeral,
    "chat.postMessage": chat.post_message,
    "chat.startStream": chat.start_stream,
    "chat.stopStream": chat.stop_stream,
    "chat.update": chat.update,
    "conversations.history": conversations.history,
    "conversations.info": conversations.info,
    "conversations.list": conversations.listed,
    "conversations.members": conversations.members,
    "conversations.open": conversations.opened,
    "conversations.replies": conversations.replies,
    "files.completeUploadExternal": files.complete_upload,
    "files.getUploadURLExternal": files.get_upload_url,
    "files.info": files.info,
    "oauth.v2.access": apps.oauth_access,
    "reactions.add": conversations.add_reaction,
    "reactions.remove": conversations.remove_reaction,
    "team.info": directory.team_info,
    "users.info": directory.users_info,
    "users.list": directory.users_list,
    "views.open": views.open_,
    "views.publish": views.publish,
    "views.push": views.push,
    "views.update": views.update,
}

HTML: Final = "<!DOCTYPE html><html><body>Server Error</body></html>"


class Dispatch:
    """Answers `/api/{method}`."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer one call, as well or as badly as was ordered."""
        name = request.match_info["method"]
        try:
            args = await arguments(request)
            unreadable = None
        except Refused as refused:
            args, unreadable = {}, refused
        shown = token_of(request, args)
        logged = Logged(name, args, shown, self._hub.world.clock())
        self._hub.calls.append(logged)
        fault = self._hub.faults.of_method(name, args)
        if fault is not None:
            logged.fault = fault.kind
            spoilt = await _before(request, fault, logged)
            if spoilt is not None:
                return spoilt
        answer = _refusal(unreadable) if unreadable else self._answer(name, args, shown)
        logged.ok, logged.error = bool(answer["ok"]), answer.get("error")
        self._hub.world.feed.tell("call", method=name, ok=logged.ok)
        if fault is not None:
            await _after(request, fault)
        return _response(answer)

    def _answer(self, name: str, args: Json, shown: str | None) -> Json:
        method = METHODS.get(name)
        if method is None:
            return _refusal(Refused("unknown_method", req_method=name))
        try:
            token = self._caller(method, shown)
            checked = check_arguments(method, args)
            call = Call(self._hub, checked, token)
            _check_scopes(call, method)
            self._pace(call, name)
            return {"ok": True, **HANDLERS[name](call)}
        except Refused as refused:
            return _refusal(_in_its_words(method, refused))

    def _caller(self, method: Method, shown: str | None) -> Token | None:
        """Find the token that a call is made with.

        Raises:
            Refused: the token is missing, unknown, of another kind, or no longer good.
        """
        if method.needs == "none":
            return None
        if not shown:
            raise Refused("not_authed")
        token = self._hub.world.tokens.get(shown)
        if token is None:
            raise Refused("invalid_auth")
        if token.installation is not None and token.installation.removed:
            raise Refused("account_inactive")
        if token.revoked:
            raise Refused("token_revoked")
        if token.expires_at is not None and token.expires_at <= self._hub.world.clock():
            raise Refused("token_expired")
        if token.kind != method.needs:
            raise Refused("not_allowed_token_type")
        return token

    def _pace(self, call: Call, name: str) -> None:
        """Refuse what comes too fast, where limits are enforced."""
        if self._hub.rates is None or call.token is None or call.token.installation is None:
            return
        team = call.token.installation.team_id
        wait_s = self._hub.rates.wait_s(team, name, call.text("channel") or None)
        if wait_s:
            raise Refused("ratelimited", retry_after=wait_s)


# --- what arrives --------------------------------------------------------------------------


async def arguments(request: web.Request) -> Json:
    """The arguments of a call, from its address, a form or JSON. A null is not given.

    Raises:
        Refused: the body is not what its content type says.
    """
    args: Json = dict(request.query)
    if request.content_type == "application/json":
        body = await request.text()
        try:
            read = json.loads(body) if body else {}
        except json.JSONDecodeError:
            raise Refused("invalid_json") from None
        if not isinstance(read, dict):
            raise Refused("json_not_object")
        args |= read
    elif request.can_read_body:
        args |= dict(await request.post())
    return {name: value for name, value in args.items() if value is not None}


def token_of(request: web.Request, args: Json) -> str | None:
    """The token a call carries, in its header or among its arguments.

    OAuth's methods carry the client's id and secret there instead, which become arguments.
    """
    header = request.headers.get("Authorization", "")
    if header.startswith("Bearer "):
        return header.removeprefix("Bearer ")
    if header.startswith("Basic "):
        try:
            client_id, _, secret = base64.b64decode(header[6:]).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return None
        args.setdefault("client_id", client_id)
        args.setdefault("client_secret", secret)
    token = args.get("token")
    return str(token) if token else None


def check_arguments(method: Method, args: Json) -> Json:
    """The arguments, read as what they are.

    Raises:
        Refused: one is unknown, missing or of another kind.
    """
    unknown = sorted(set(args) - set(method.args) - EVERYWHERE)
    if unknown:
        raise Refused.saying("invalid_arguments", [f"unknown argument: {n}" for n in unknown])
    missing = [name for name in method.required if args.get(name, "") == ""]
    if missing:
        raise Refused.saying("missing_argument", [f"missing required field: {n}" for n in missing])
    checked: Json = {}
    for name, value in args.items():
        if method.args.get(name) == "json":
            checked[name] = read_json(value, _unreadable(method, name))
        elif name in method.args and isinstance(value, dict | list):
            raise Refused.saying("invalid_arguments", [f"must be a string [json-pointer:/{name}]"])
        else:
            checked[name] = value
    return checked


def _unreadable(method: Method, name: str) -> str:
    own = "invalid_blocks_format"
    return own if name == "blocks" and own in method.errors else "invalid_arguments"


def _in_its_words(method: Method, refused: Refused) -> Refused:
    """The refusal with an error that the method has; what is shared by several may have another."""
    if refused.error in {*method.errors, *GENERAL_ERRORS}:
        return refused
    return Refused.saying("invalid_arguments", [refused.error])


def _check_scopes(call: Call, method: Method) -> None:
    """One of the method's scopes is enough here; by channel the method itself looks closer."""
    if method.needs != "bot" or not method.scopes:
        return
    provided = call.installation.scopes
    if not set(method.scopes) & set(provided):
        needed, told = ",".join(method.scopes), ",".join(provided)
        raise Refused("missing_scope", needed=needed, provided=told)


# --- what goes out -------------------------------------------------------------------------


def _refusal(refused: Refused) -> Json:
    return {"ok": False, "error": refused.error, **refused.more}


def _response(answer: Json) -> web.Response:
    if answer.get("error") == "ratelimited":
        wait_s = answer.pop("retry_after", 1)
        return _too_many(answer, str(wait_s))
    return web.json_response(answer)


def _too_many(answer: Json, retry_after: str | None) -> web.Response:
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return web.json_response(answer, status=429, headers=headers)


async def _before(request: web.Request, fault: Fault, logged: Logged) -> web.StreamResponse | None:
    """The answer of a fault that comes before the call takes effect."""
    logged.error = fault.error if fault.kind == "error" else fault.kind
    if fault.kind == "silent":
        await asyncio.sleep(SILENCE_S)
    if fault.kind in {"drop", "silent"}:
        _hang_up(request)
    match fault.kind:
        case "429":
            return _too_many({"ok": False, "error": "ratelimited"}, fault.retry_after)
        case "500" | "503":
            return web.Response(status=int(fault.kind), text=HTML, content_type="text/html")
        case "html" | "drop" | "silent":
            return web.Response(text=HTML, content_type="text/html")
        case "error":
            return web.json_response({"ok": False, "error": fault.error})
        case _:
            return None


async def _after(request: web.Request, fault: Fault) -> None:
    """Apply a fault to the answer of a call that took effect."""
    if fault.kind == "slow":
        await asyncio.sleep(fault.delay_s)
    if fault.kind == "drop_after":
        _hang_up(request)


def _hang_up(request: web.Request) -> None:
    """Close the connection in the middle, so that the caller cannot know what became of its call."""
    if request.transport is not None:
        request.transport.abort()
