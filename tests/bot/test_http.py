"""The guard before Slack's endpoint, over real HTTP."""

import io
import json
import logging
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from urllib.parse import urlencode

import aiohttp
import pytest
from aiohttp import web
from slack_bolt import BoltResponse
from slack_bolt.async_app import AsyncBoltRequest
from slack_sdk.signature import SignatureVerifier

from bot.http import EVENTS_PATH, build, metrics

SECRET = "an invented signing secret"
CANARY = "what-is-the-salary-of-the-chief"


@dataclass
class Server:
    url: str
    seen: list[AsyncBoltRequest] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    acks: list[float] = field(default_factory=list)

    async def send(self, body: bytes, **headers: str) -> int:
        async with (
            aiohttp.ClientSession() as session,
            session.post(
                f"{self.url}{EVENTS_PATH}", data=io.BytesIO(body), headers=headers
            ) as response,
        ):
            await response.read()
            return response.status


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    started = Server(url="")

    async def dispatch(request: AsyncBoltRequest) -> BoltResponse:
        started.seen.append(request)
        return BoltResponse(status=200, body='{"text": "On it."}')

    async def problems() -> list[str]:
        return started.problems

    async def page(accept: str) -> tuple[bytes, str]:
        return f"# asked for {accept}\n".encode(), "text/plain; version=0.0.4; charset=utf-8"

    runner = web.AppRunner(
        build(
            dispatch=dispatch,
            signing_secret=SECRET,
            problems=problems,
            routes=metrics(page),
            on_ack=started.acks.append,
        )
    )
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    started.url = f"http://{host}:{port}"
    try:
        yield started
    finally:
        await runner.cleanup()


FORM = "application/x-www-form-urlencoded"
COMMAND = urlencode({"command": "/masis", "text": CANARY}).encode()


def signed(
    body: bytes, *, secret: str = SECRET, moved: int = 0, content_type: str = FORM
) -> dict[str, str]:
    stamp = str(int(time.time()) + moved)
    signature = SignatureVerifier(secret).generate_signature(timestamp=stamp, body=body)
    assert signature is not None
    return {
        "Content-Type": content_type,
        "X-Slack-Request-Timestamp": stamp,
        "X-Slack-Signature": signature,
    }


async def test_signed_request_is_passed_whole(server: Server) -> None:
    """What slack signed is passed on whole."""
    assert await server.send(COMMAND, **signed(COMMAND)) == 200
    assert server.seen[0].body["text"] == CANARY
    assert server.seen[0].body["command"] == "/masis"
    assert len(server.acks) == 1


async def test_metrics_follow_the_requested_format(server: Server) -> None:
    """Figures are given in the form that is asked for."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{server.url}/metrics", headers={"Accept": "a/b"}) as response,
    ):
        assert await response.text() == "# asked for a/b\n"
        assert response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"


async def test_json_event_is_passed_on(server: Server) -> None:
    """An event in json is passed on."""
    body = json.dumps({"type": "event_callback", "event": {"type": "message"}}).encode()
    assert await server.send(body, **signed(body, content_type="application/json")) == 200
    assert server.seen[0].body["event"] == {"type": "message"}


def malformed() -> dict[str, tuple[bytes, dict[str, str], int]]:
    """What is wrong: the body, the headers, the answer. Signed now, since signatures grow old."""
    good = signed(COMMAND)
    a_json = "application/json"
    latin, brace, listed = "text=caf\xe9".encode("latin-1"), b"{", b"[1]"
    payload, huge, deep = b"payload=%7Bx", b"x" * (2 * 1024 * 1024), b"[" * 100_000
    no_id, no_ids = (
        b'{"team": 5}',
        b'{"type": "event_callback", "authorizations": [5], "event": {}}',
    )
    return {
        "another key": (COMMAND, signed(COMMAND, secret="another"), 401),
        "a changed byte": (COMMAND + b"!", good, 401),
        "no headers": (COMMAND, {"Content-Type": FORM}, 401),
        "301 seconds old": (COMMAND, signed(COMMAND, moved=-301), 401),
        # Five more: a test that waits for its turn must not make it a good one.
        "301 seconds ahead": (COMMAND, signed(COMMAND, moved=301 + 5), 401),
        "no number": (COMMAND, {**good, "X-Slack-Request-Timestamp": "abc"}, 401),
        "a long number": (COMMAND, {**good, "X-Slack-Request-Timestamp": "9" * 400}, 401),
        "a signature with an accent": (COMMAND, {**good, "X-Slack-Signature": "v0=é"}, 401),
        "an unsigned certificate check": (b"ssl_check=1", {"Content-Type": FORM}, 401),
        "an empty body": (b"", signed(b""), 400),
        "no UTF-8": (latin, good, 400),
        "a torn object": (brace, signed(brace, content_type=a_json), 400),
        "a list": (listed, signed(listed, content_type=a_json), 400),
        "a torn payload": (payload, signed(payload), 400),
        "a deep nest": (deep, signed(deep, content_type=a_json), 400),
        "another kind of text": (COMMAND, signed(COMMAND, content_type="text/plain"), 400),
        "a team that is no id": (no_id, signed(no_id, content_type=a_json), 400),
        "a bot that is no id": (no_ids, signed(no_ids, content_type=a_json), 400),
        "two megabytes": (huge, signed(huge), 413),
    }


@pytest.mark.parametrize("wrong", malformed())
async def test_malformed_request_is_refused_unlogged(
    server: Server, caplog: pytest.LogCaptureFixture, wrong: str
) -> None:
    """What is malformed is refused and never logged."""
    caplog.set_level(logging.DEBUG)
    body, headers, status = malformed()[wrong]

    assert await server.send(body, **headers) == status

    assert (server.seen, server.acks) == ([], [])
    assert CANARY not in caplog.text
    assert "Traceback" not in caplog.text


async def test_readiness_names_what_is_missing(server: Server) -> None:
    """Health is answered and readiness says what is missing."""
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{server.url}/healthz") as alive:
            assert alive.status == 200
        async with session.get(f"{server.url}/readyz") as ready:
            assert (ready.status, await ready.json()) == (200, {"status": "ok", "problems": []})
        server.problems.append("the database cannot be read")
        async with session.get(f"{server.url}/readyz") as ready:
            assert ready.status == 503
            assert (await ready.json())["problems"] == ["the database cannot be read"]


def test_endpoint_requires_a_signing_secret() -> None:
    """Without a signing secret there is no endpoint."""

    async def dispatch(_: AsyncBoltRequest) -> BoltResponse:
        raise AssertionError

    async def problems() -> list[str]:
        return []

    with pytest.raises(ValueError, match="signing secret"):
        build(dispatch=dispatch, signing_secret="", problems=problems, routes=[])
