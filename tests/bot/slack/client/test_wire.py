import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web
from yarl import URL

from bot.slack.client import wire as wire_module
from bot.slack.client.wire import FILE_HOSTS, HOOK_HOSTS, Wire, _proxy
from bot.slack.slack_errors import Garbled, RateLimited, Refused, SlackError, Unavailable
from tests.bot.slack.loopback import Script, Slack, limits, page, says


@pytest.fixture
async def wire(slack: Slack) -> AsyncIterator[Wire]:
    made = Wire(slack.api_url, slack.time.clock)
    try:
        yield made
    finally:
        await made.close()


async def test_a_good_reply_is_its_body(slack: Slack, wire: Wire) -> None:
    slack.will("auth.test", says({"ok": True, "team": "Acme"}))
    response = await wire.client.auth_test(token="xoxb-1")
    assert response.data == {"ok": True, "team": "Acme"}
    assert slack.received[0].token == "xoxb-1"


def raw(text: str, content_type: str = "application/json", status: int = 200) -> Script:
    async def script(_: web.Request) -> web.Response:
        return web.Response(text=text, content_type=content_type, status=status)

    return script


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        (page(), Garbled),
        (page(status=404), Garbled),
        (raw("ok", "text/plain"), Garbled),
        (raw("{"), Garbled),
        (raw(""), Garbled),
        (raw("null"), Garbled),
        (raw("[1]"), Garbled),
        (raw("{}"), Garbled),
        (raw('{"ok": "yes"}'), Garbled),
        (raw("[" * 100_000), Garbled),
        (raw('{"ok": true}', status=302), Garbled),
        (page(status=500), Unavailable),
        (raw('{"ok": false, "error": "service_unavailable"}', status=503), Unavailable),
        (says({"ok": False, "error": "fatal_error"}), Unavailable),
        (says({"ok": False, "error": "bad_thing"}, 400), Refused),
        (limits("3"), RateLimited),
        (says({"ok": False, "error": "ratelimited"}), RateLimited),
        (says({"ok": False, "error": "rate_limited"}), RateLimited),
    ],
)
async def test_other_replies_raise_typed_errors(
    slack: Slack, wire: Wire, script: Script, kind: type[SlackError]
) -> None:
    """Every other reply is an error of its kind."""
    slack.will("auth.test", script)
    with pytest.raises(SlackError) as caught:
        await wire.client.auth_test(token="xoxb-secret")
    assert type(caught.value) is kind
    assert "auth.test" in str(caught.value)
    assert "Sign in" not in str(caught.value)
    assert len(slack.received) == 1  # the vendor's own retries are off


async def test_a_redirect_is_not_followed(slack: Slack, wire: Wire) -> None:
    async def away(_: web.Request) -> web.Response:
        raise web.HTTPTemporaryRedirect(f"{slack.origin}/elsewhere")

    slack.will("chat.postMessage", away)
    with pytest.raises(Garbled, match="redirect"):
        await wire.client.chat_postMessage(token="xoxb-1", channel="C1", text="Secret")
    assert [call.method for call in slack.received] == ["chat.postMessage"]


async def test_endless_body_is_cut_off(
    slack: Slack, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A body without end is cut off."""
    monkeypatch.setattr(wire_module, "REPLY_BYTES", 100_000)

    async def endless(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            while True:
                await response.write(b" " * 65_536)
        return response

    slack.will("auth.test", endless)
    with pytest.raises(Garbled, match="100000 bytes"):
        await wire.client.auth_test(token="xoxb-1")


async def test_timed_out_call_counts_as_sent(slack: Slack) -> None:
    """No answer in time may have been done."""
    gate = asyncio.Event()

    async def silent(_: web.Request) -> web.Response:
        await gate.wait()
        return web.Response()

    slack.will("auth.test", silent)
    hasty = Wire(slack.api_url, slack.time.clock, seconds=0.05)
    try:
        with pytest.raises(Unavailable) as caught:
            await hasty.client.auth_test(token="xoxb-1")
        assert not caught.value.unsent
    finally:
        gate.set()
        await hasty.close()


async def test_unreachable_address_is_named(slack: Slack, unused_port: int) -> None:
    """An address where nobody listens is named."""
    lost = Wire(f"http://127.0.0.1:{unused_port}/api", slack.time.clock)
    try:
        with pytest.raises(Unavailable, match="MASIS_SLACK_API_URL") as caught:
            await lost.client.auth_test(token="xoxb-1")
        assert caught.value.unsent
    finally:
        await lost.close()


@pytest.fixture
async def unused_port() -> int:
    server = await asyncio.start_server(lambda _r, _w: None, "127.0.0.1", 0)
    port: int = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    return port


async def test_debug_log_omits_secrets_and_texts(
    slack: Slack, wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    """Texts and tokens stay out of the debug log."""
    slack.will("chat.postMessage", says({"ok": True, "ts": "1.1", "text": "canary"}))
    with caplog.at_level(logging.DEBUG):
        await wire.client.chat_postMessage(token="xoxb-canary", channel="C1", text="canary")
    assert "canary" not in caplog.text


async def test_a_closed_wire_sends_no_more(slack: Slack, wire: Wire) -> None:
    await wire.client.auth_test(token="xoxb-1")
    await wire.close()
    with pytest.raises(Unavailable, match="stopping"):
        await wire.client.auth_test(token="xoxb-1")
    assert len(slack.received) == 1


async def test_closed_wire_sends_nothing(slack: Slack, wire: Wire) -> None:
    """A wire that was closed before its first call sends none."""
    await wire.close()
    with pytest.raises(Unavailable, match="stopping"):
        await wire.client.auth_test(token="xoxb-1")
    assert slack.received == []


SLACK_HOOK = "https://hooks.slack.com/actions/T1/2/x"


@pytest.mark.parametrize(
    ("address", "hosts", "trusted"),
    [
        (SLACK_HOOK, HOOK_HOSTS, True),
        ("https://HOOKS.slack.com/x", HOOK_HOSTS, True),
        ("https://files.slack.com/files-pri/T1-F1/a.pdf", FILE_HOSTS, True),
        ("https://files.slack.com/a", HOOK_HOSTS, False),
        ("http://files.slack.com/a", FILE_HOSTS, False),
        ("https://files.slack.com:444/a", FILE_HOSTS, False),
        ("https://me@files.slack.com/a", FILE_HOSTS, False),
        ("https://files.slack.com@evil.example/a", FILE_HOSTS, False),
        ("https://files.slack.com.evil.example/a", FILE_HOSTS, False),
        ("https://evil.example/files.slack.com", FILE_HOSTS, False),
        ("https://evilfiles.slack.com/a", FILE_HOSTS, False),
        ("https://evil.example\\@files.slack.com/a", FILE_HOSTS, False),
        ("https://evil.example#@files.slack.com/a", FILE_HOSTS, False),
        ("https://files.slack.com.", FILE_HOSTS, False),
        ("//files.slack.com/a", FILE_HOSTS, False),
        ("/a", FILE_HOSTS, False),
        ("file:///etc/passwd", FILE_HOSTS, False),
        ("https://[", FILE_HOSTS, False),
        ("https://files.slack.com:x/a", FILE_HOSTS, False),
        ("", FILE_HOSTS, False),
        (None, FILE_HOSTS, False),
        (7, FILE_HOSTS, False),
    ],
)
def test_only_slacks_own_addresses_are_trusted(
    address: object, hosts: frozenset[str], trusted: bool
) -> None:
    wire = Wire("https://slack.com/api", Slack().time.clock)
    assert (wire.trusted(address, hosts) is not None) == trusted


def test_configured_api_origin_is_trusted() -> None:
    """The origin of a configured api is trusted too."""
    wire = Wire("http://127.0.0.1:8123/api/", Slack().time.clock)
    assert wire.trusted("http://127.0.0.1:8123/files/1", FILE_HOSTS)
    assert wire.trusted(SLACK_HOOK, HOOK_HOSTS)
    assert not wire.trusted("http://127.0.0.1:8124/files/1", FILE_HOSTS)
    assert not wire.trusted("https://127.0.0.1:8123/files/1", FILE_HOSTS)
    assert not Wire("https://slack.com/api", Slack().time.clock).trusted(
        "https://slack.com/files/1", FILE_HOSTS
    )


def test_environment_proxy_skips_loopback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A proxy of the environment is used but not for loopback."""
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("http_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", "direct.example")
    assert _proxy(URL("https://slack.com/api/")) == "http://proxy.example:3128"
    assert _proxy(URL("https://direct.example/api/")) is None
    assert _proxy(URL("http://127.0.0.1:1/api/")) is None


async def test_nothing_is_kept_between_calls(slack: Slack, wire: Wire) -> None:
    async def with_cookie(_: web.Request) -> web.Response:
        response = web.json_response({"ok": True})
        response.set_cookie("b", "1")
        return response

    seen: list[str | None] = []

    async def look(request: web.Request) -> web.Response:
        seen.append(request.headers.get(aiohttp.hdrs.COOKIE))
        return web.json_response({"ok": True, "all": json.dumps(1)})

    slack.will("auth.test", with_cookie, look)
    await wire.client.auth_test(token="xoxb-1")
    await wire.client.auth_test(token="xoxb-2")
    assert seen == [None]
