"""Slack's requests to an app: signed over HTTP, or in envelopes over a websocket."""

import asyncio
import contextlib
import hashlib
import hmac
import json
import logging
import secrets
import time
from collections import deque
from collections.abc import Coroutine, Iterable, Sequence
from http import HTTPStatus
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import urlencode

import aiohttp
from aiohttp import web

from bot.playground.slack.entities import Channel, Json
from bot.playground.slack.faults import Faults
from bot.playground.slack.installed import Installation
from bot.playground.slack.payloads import VERIFICATION
from bot.playground.slack.world import World
from bot.slack import limits

log = logging.getLogger(__name__)

RequestKind = Literal["slash_commands", "events_api", "interactive"]
MOST_BODY: Final = 1_000_000
KEPT_DELIVERIES: Final = 10_000
AT_ONCE: Final = 100
"""Events that are on their way at the same time."""


class Ack(NamedTuple):
    """Hold what the app said to one request within its three seconds.

    There is no status when it said nothing.
    """

    status: int | None
    body: Json | str | None = None
    error: str | None = None

    @property
    def ok(self) -> bool:
        """Say whether Slack counts the request as received."""
        return (
            self.status is not None and HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES
        )


class Retry(NamedTuple):
    """Hold what the headers of a repeated event say."""

    number: int
    reason: str


class Delivery(NamedTuple):
    """One request to the app and what came of it."""

    kind: RequestKind
    payload: Json
    ack: Ack
    retry: Retry | None = None


class Socket:
    """One websocket of Socket Mode."""

    def __init__(self, connection: web.WebSocketResponse) -> None:
        self.connection = connection
        self._waiting: dict[str, asyncio.Future[Ack]] = {}

    async def hello(self, app_id: str, connections: int) -> None:
        """Greet the app, which may then be sent requests."""
        await self.connection.send_json(
            {
                "type": "hello",
                "num_connections": connections,
                "debug_info": {"host": "playground", "approximate_connection_time": 3600},
                "connection_info": {"app_id": app_id},
            }
        )

    async def listen(self) -> None:
        """Take acknowledgements until the app hangs up."""
        async for message in self.connection:
            if message.type is aiohttp.WSMsgType.TEXT:
                said = json.loads(message.data)
                waiting = self._waiting.pop(str(said.get("envelope_id")), None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(Ack(200, said.get("payload")))

    async def send(
        self, kind: RequestKind, payload: Json, retry: Retry | None, timeout_s: float
    ) -> Ack:
        """Send one request, and wait for its acknowledgement."""
        envelope_id = secrets.token_hex(16)
        waiting: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()
        self._waiting[envelope_id] = waiting
        envelope = {
            "envelope_id": envelope_id,
            "type": kind,
            "payload": payload,
            "accepts_response_payload": kind != "events_api",
        }
        if kind == "events_api":
            envelope["retry_attempt"] = retry.number if retry else 0
            envelope["retry_reason"] = retry.reason if retry else ""
        try:
            await self.connection.send_json(envelope)
            return await asyncio.wait_for(waiting, timeout_s)
        except TimeoutError:
            return Ack(None, error="timeout")
        except ConnectionError:
            return Ack(None, error="connection_failed")
        finally:
            self._waiting.pop(envelope_id, None)


class Bots:
    """The way to the app: where its requests go, what it answered, what is still on its way."""

    def __init__(
        self,
        world: World,
        faults: Faults,
        *,
        ack_timeout_s: float = limits.ACK_S,
        start_wait_s: float = 0.0,
        retry_waits_s: Sequence[float] = (0.0, 0.05, 0.1),
    ) -> None:
        self.request_url: str | None = None
        self.sockets: list[Socket] = []
        self.deliveries: deque[Delivery] = deque(maxlen=KEPT_DELIVERIES)
        self.held: list[Json] = []
        self.skew_s = 0.0
        self._world = world
        self._faults = faults
        self._ack_timeout_s = ack_timeout_s
        self._start_wait_s = start_wait_s
        self._retry_waits_s = retry_waits_s
        self._tasks: set[asyncio.Task[Any]] = set()
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._session: aiohttp.ClientSession | None = None

    async def close(self) -> None:
        """Forget what is on its way."""
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._session is not None:
            await self._session.close()
            self._session = None

    def background(self, work: Coroutine[Any, Any, Any]) -> None:
        """Let something go on without waiting for it; it ends with the world at the latest."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settled(self) -> None:
        """Wait until nothing is on its way any more."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- one request -----------------------------------------------------------------------

    async def send(self, kind: RequestKind, payload: Json, retry: Retry | None = None) -> Ack:
        """Send one request, and give what the app answered."""
        if self._start_wait_s:
            with contextlib.suppress(TimeoutError):
                await self._world.feed.until(self._listener, self._start_wait_s)
        socket = self._socket()
        if socket is not None:
            ack = await socket.send(kind, payload, retry, self._ack_timeout_s)
        elif self.request_url is not None:
            ack = await self._over_http(self.request_url, kind, payload, retry)
        else:
            ack = Ack(None, error="nobody_listens")
        self.deliveries.append(Delivery(kind, payload, ack, retry))
        self._world.feed.tell("delivered", kind=kind, status=ack.status)
        return ack

    def _socket(self) -> Socket | None:
        return next((s for s in reversed(self.sockets) if not s.connection.closed), None)

    def _listener(self) -> Socket | str | None:
        return self._socket() or self.request_url

    async def _over_http(
        self, url: str, kind: RequestKind, payload: Json, retry: Retry | None
    ) -> Ack:
        body, content_type = written(kind, payload)
        headers = self.signed(body) | {"Content-Type": content_type}
        if retry is not None:
            headers["X-Slack-Retry-Num"] = str(retry.number)
            headers["X-Slack-Retry-Reason"] = retry.reason
        return await self.raw(url, body, headers)

    def signed(self, body: bytes) -> dict[str, str]:
        """The headers that say that a body is Slack's; `skew_s` sets Slack's clock wrong."""
        timestamp = str(int(time.time() + self.skew_s))
        key = self._world.app.signing_secret.encode()
        digest = hmac.new(key, b"v0:" + timestamp.encode() + b":" + body, hashlib.sha256)
        return {
            "X-Slack-Request-Timestamp": timestamp,
            "X-Slack-Signature": f"v0={digest.hexdigest()}",
            "User-Agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
        }

    async def raw(self, url: str, body: bytes, headers: dict[str, str]) -> Ack:
        """Send these very bytes."""
        if self._session is None:
            self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        timeout = aiohttp.ClientTimeout(total=self._ack_timeout_s)
        try:
            async with self._session.post(
                url, data=body, headers=headers, timeout=timeout, allow_redirects=False
            ) as response:
                text = (await response.content.read(MOST_BODY)).decode("utf-8", "replace")
                return Ack(response.status, _read(text, response.content_type))
        except TimeoutError:
            return Ack(None, error="timeout")
        except aiohttp.ClientError:
            return Ack(None, error="connection_failed")

    # --- events ----------------------------------------------------------------------------

    async def announce(
        self,
        event: Json,
        installations: Iterable[Installation],
        channel: Channel | None = None,
    ) -> list[Ack]:
        """Tell an event to the app wherever it is installed and subscribed to its kind."""
        subscribed = event["type"]
        if subscribed == "message" and channel is not None:
            suffix = {"public": "channels", "private": "groups", "im": "im"}[channel.kind]
            subscribed = f"message.{suffix}"
        if subscribed not in self._world.app.events:
            return []
        envelopes = [self.envelope(event, one, channel) for one in installations]
        acks = await asyncio.gather(*(self._faulty(envelope) for envelope in envelopes))
        return [ack for several in acks for ack in several]

    def envelope(self, event: Json, installation: Installation, channel: Channel | None) -> Json:
        """An event as one installation is told it, with an id of its own."""
        where = {"team_id": installation.team_id, "enterprise_id": installation.enterprise_id}
        return {
            "token": VERIFICATION,
            **where,
            "context_team_id": installation.team_id,
            "context_enterprise_id": installation.enterprise_id,
            "api_app_id": self._world.app.id,
            "event": event,
            "type": "event_callback",
            "event_id": self._world.new_id("Ev"),
            "event_time": int(self._world.clock()),
            "authorizations": [
                {
                    **where,
                    "user_id": installation.bot_user_id,
                    "is_bot": True,
                    "is_enterprise_install": False,
                }
            ],
            "is_ext_shared_channel": bool(channel and channel.is_shared),
            "event_context": secrets.token_hex(8),
        }

    async def _faulty(self, envelope: Json) -> list[Ack]:
        fault = self._faults.of_event(envelope["event"]["type"], envelope["event"])
        match fault.kind if fault else None:
            case "lose":
                return []
            case "hold":
                self.held.append(envelope)
                return []
            case "duplicate" if fault:
                # Slack was seen to send one message as several events, each with its own id.
                copies = [
                    envelope | {"event_id": self._world.new_id("Ev")} for _ in range(fault.copies)
                ]
                return list(await asyncio.gather(*(self.deliver(copy) for copy in copies)))
            case _:
                return [await self.deliver(envelope)]

    async def release(self, *, backwards: bool = False) -> list[Ack]:
        """Deliver the events that were held, in their order or the other way round."""
        held, self.held = self.held, []
        return [await self.deliver(envelope) for envelope in (held[::-1] if backwards else held)]

    async def deliver(self, envelope: Json) -> Ack:
        """Deliver an event, again and again as Slack does until it is received."""
        async with self._gate:
            ack = await self.send("events_api", envelope)
            for number, wait_s in enumerate(self._retry_waits_s, start=1):
                if ack.ok or ack.error == "nobody_listens":
                    break
                reason = {"timeout": "http_timeout"}.get(ack.error or "", ack.error or "http_error")
                await asyncio.sleep(wait_s)
                ack = await self.send("events_api", envelope, Retry(number, reason))
            return ack


def written(kind: RequestKind, payload: Json) -> tuple[bytes, str]:
    """A request's body and content type."""
    form = "application/x-www-form-urlencoded"
    match kind:
        case "slash_commands":
            return urlencode(payload).encode(), form
        case "interactive":
            return urlencode({"payload": json.dumps(payload)}).encode(), form
        case "events_api":
            return json.dumps(payload).encode(), "application/json"


def _read(text: str, content_type: str) -> Json | str | None:
    if not text:
        return None
    if content_type != "application/json":
        return text
    try:
        read = json.loads(text)
    except json.JSONDecodeError:
        return text
    return read if isinstance(read, dict) else text
