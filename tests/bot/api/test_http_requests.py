"""What a body and its headers may be, over real HTTP, without a database behind."""

import io
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from bot.api.http_requests import MAX_BODY_BYTES, asked, wait_seconds
from bot.api.problems import Refusal
from masis.policy import MAX_QUESTION_CHARS

JSON = {"Content-Type": "application/json"}


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async def handle(request: web.Request) -> web.Response:
        try:
            found = await asked(request)
        except Refusal as refusal:
            return refusal.response()
        return web.json_response(found.model_dump())

    async def waiting(request: web.Request) -> web.Response:
        return web.json_response(wait_seconds(request, 30))

    application = web.Application()
    application.add_routes([web.post("/", handle), web.get("/", waiting)])
    runner = web.AppRunner(application)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}"
    finally:
        await runner.cleanup()


async def sent(url: str, body: bytes, **headers: str) -> tuple[int, Any]:
    async with (
        aiohttp.ClientSession() as session,
        session.post(url, data=io.BytesIO(body), headers={**JSON, **headers}) as answer,
    ):
        return answer.status, await answer.json(content_type=None)


async def test_question_is_stripped_of_blanks(url: str) -> None:
    """A question is taken without the blanks around it."""
    body = b'{"query": "  Why?\\n", "max_retries": 0}'
    taken: dict[str, Any] = {
        "query": "Why?",
        "max_retries": 0,
        "in_reply_to": None,
        "thread": None,
        "mode": "auto",
    }
    taken |= {"classify": False}
    assert await sent(url, body) == (200, taken)
    assert await sent(url, b'{"query": "Why?"}') == (
        200,
        taken | {"max_retries": None},
    )
    longest = json.dumps({"query": "x" * MAX_QUESTION_CHARS}).encode()
    assert (await sent(url, longest))[0] == 200


async def test_invalid_json_cannot_be_read(url: str) -> None:
    """What is no json cannot be read."""
    half = b'{"query": "\\ud800"}'
    deep = b"[" * 30_000
    for body in (b"", b"{", b"\xff\xfe", b'{"query": "caf\xe9"}', b"query=Why", half, deep):
        status, told = await sent(url, body)
        assert (status, told["code"]) == (400, "malformed"), body[:30]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "#/query"),
        ({"query": ""}, "#/query"),
        ({"query": " \n"}, "#/query"),
        ({"query": "a\0b"}, "#/query"),
        ({"query": 5}, "#/query"),
        ({"query": ["Why?"]}, "#/query"),
        ({"query": "x" * (MAX_QUESTION_CHARS + 1)}, "#/query"),
        ({"query": "Why?", "max_retries": 6}, "#/max_retries"),
        ({"query": "Why?", "max_retries": -1}, "#/max_retries"),
        ({"query": "Why?", "max_retries": "2"}, "#/max_retries"),
        ({"query": "Why?", "max_retries": True}, "#/max_retries"),
        ({"query": "Why?", "a/b~": 1}, "#/a~1b~0"),
        (["Why?"], "#"),
        (None, "#"),
    ],
)
async def test_invalid_question_names_its_field(url: str, body: Any, pointer: str) -> None:
    """What is no question is refused by field."""
    status, told = await sent(url, json.dumps(body).encode())
    assert (status, told["code"]) == (422, "invalid")
    assert [each["pointer"] for each in told["errors"]] == [pointer]
    assert told["errors"][0]["detail"]


async def test_refusal_does_not_repeat_input(url: str) -> None:
    """A refusal does not repeat what was sent."""
    body = {"query": 5, **{f"field-{n}" + "x" * 1000: "canary" for n in range(40)}}
    status, told = await sent(url, json.dumps(body).encode())
    assert status == 422
    assert len(told["errors"]) == 10
    assert "canary" not in str(told)
    assert len(str(told)) < 5000


async def test_large_body_is_refused_unread(url: str) -> None:
    """A large body is refused before it is read."""
    fits = b'{"query": "Why?"' + b" " * (MAX_BODY_BYTES - 17) + b"}"
    assert len(fits) == MAX_BODY_BYTES
    assert (await sent(url, fits))[0] == 200
    status, told = await sent(url, fits + b" ")
    assert (status, told["code"]) == (413, "too_large")


async def test_another_kind_of_body_is_refused(url: str) -> None:
    for headers in ({"Content-Type": "text/plain"}, {"Content-Encoding": "identity"}):
        status, told = await sent(url, b'{"query": "Why?"}', **headers)
        assert (status, told["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    ("preferred", "expected"),
    [
        ("", [30, ""]),
        ("wait=7", [7, "wait=7"]),
        ("WAIT = 7", [7, "wait=7"]),
        ("wait=0", [0, "wait=0"]),
        ("wait=3600", [60, "wait=60"]),
        ("respond-async", [0, "respond-async"]),
        ("respond-async, wait=5", [5, "wait=5"]),
        ("handling=strict; x, wait=5", [5, "wait=5"]),
        ("wait=-1", [30, ""]),
        ("wait=1e3", [30, ""]),
        ("wait=" + "9" * 5000, [30, ""]),
        ("waiting=5", [30, ""]),
    ],
)
async def test_prefer_header_sets_client_wait(
    url: str, preferred: str, expected: list[object]
) -> None:
    """How long a client wants to wait."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(url, headers={"Prefer": preferred}) as answer,
    ):
        assert await answer.json() == expected
