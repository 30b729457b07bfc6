import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web

from bot.slack.client import downloads as files
from bot.slack.client.downloads import Downloads
from bot.slack.client.web import SlackWeb
from bot.slack.slack_errors import TokenRevoked
from masis.errors import DocumentRefused
from tests.bot.slack.loopback import OURS, Script, Slack, limits, page, refuses, says, serving

MEGABYTE = 1_000_000
PDF = b"%PDF-1.7 hello"


@pytest.fixture
def downloads(slack_web: SlackWeb) -> Downloads:
    return Downloads(slack_web, max_bytes=25 * MEGABYTE)


@pytest.fixture
async def foreign() -> AsyncIterator[Slack]:
    """Another host, which would like to have a token."""
    async with serving(Slack()) as served:
        yield served


def a_file(slack: Slack, **other: Any) -> dict[str, Any]:
    return {
        "id": "F1",
        "name": "a.pdf",
        "mode": "hosted",
        "is_external": False,
        "size": len(PDF),
        "url_private_download": f"{slack.origin}/files/F1",
    } | other


def serves(content: bytes, content_type: str = "application/pdf") -> Script:
    async def script(_: web.Request) -> web.Response:
        return web.Response(body=content, content_type=content_type)

    return script


async def test_file_is_fetched_with_team_token(slack: Slack, downloads: Downloads) -> None:
    """A file is fetched with the teams token."""
    slack.will("/files/F1", serves(PDF), serves(PDF))
    assert await downloads.fetch(OURS, a_file(slack)) == PDF
    assert await downloads.fetch(OURS, a_file(slack, mode="snippet", file_access="visible")) == PDF
    assert [(call.method, call.token) for call in slack.received] == [("/files/F1", "xoxb-T1")] * 2


async def test_private_url_replaces_download_url(slack: Slack, downloads: Downloads) -> None:
    """The private address serves where there is no download address."""
    slack.will("/files/F1", serves(PDF))
    address = f"{slack.origin}/files/F1"
    file = a_file(slack, url_private_download=None, url_private=address)
    assert await downloads.fetch(OURS, file) == PDF


# --- where the token goes --------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "{foreign}/files/F1",
        "http://files.slack.com/files-pri/T1-F1/a.pdf",
        "https://files.slack.com.evil.example/a.pdf",
        "https://files.slack.com@evil.example/a.pdf",
        "file:///etc/passwd",
        "//files.slack.com/a.pdf",
        "a.pdf",
        ["https://files.slack.com/a.pdf"],
    ],
)
async def test_no_request_goes_to_another_host(
    slack: Slack, foreign: Slack, downloads: Downloads, address: Any
) -> None:
    if isinstance(address, str):
        address = address.format(foreign=foreign.origin)
    with pytest.raises(DocumentRefused, match="not kept by Slack"):
        await downloads.fetch(OURS, a_file(slack, url_private_download=address))
    assert slack.received == foreign.received == []


@pytest.mark.parametrize("remote", [{"mode": "external"}, {"is_external": True}])
async def test_a_remote_file_is_refused_unasked(
    slack: Slack, downloads: Downloads, remote: dict[str, Any]
) -> None:
    with pytest.raises(DocumentRefused, match="not kept by Slack"):
        await downloads.fetch(OURS, a_file(slack, **remote))
    assert slack.received == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("home", [True, False])
async def test_no_redirect_is_followed(
    slack: Slack, foreign: Slack, downloads: Downloads, status: int, *, home: bool
) -> None:
    target = (slack if home else foreign).origin + "/login"

    async def away(_: web.Request) -> web.Response:
        return web.Response(status=status, headers={"Location": target})

    slack.will("/files/F1", away)
    with pytest.raises(DocumentRefused, match="files:read"):
        await downloads.fetch(OURS, a_file(slack))
    assert len(slack.received) == 1
    assert foreign.received == []


# --- how much is read ------------------------------------------------------------------------


async def test_declared_oversize_is_refused_unfetched(slack: Slack, downloads: Downloads) -> None:
    """A file that says it is too big is refused unasked."""
    with pytest.raises(DocumentRefused, match="larger than 25 MB"):
        await downloads.fetch(OURS, a_file(slack, size=25 * MEGABYTE + 1))
    assert slack.received == []


async def test_stream_is_cut_at_limit(slack: Slack, downloads: Downloads) -> None:
    """A stream of 30 megabytes is cut off at 25."""
    written = [0]

    async def stream(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            while written[0] < 30 * MEGABYTE:
                await response.write(b"x" * MEGABYTE)
                written[0] += MEGABYTE
        return response

    slack.will("/files/F1", stream)
    with pytest.raises(DocumentRefused, match="larger than 25 MB"):
        await downloads.fetch(OURS, a_file(slack, size=10))
    assert len(slack.received) == 1


async def test_oversized_length_is_not_read(slack: Slack, slack_web: SlackWeb) -> None:
    """A length that is too big is not read."""
    slack.will("/files/F1", serves(b"x" * 101), serves(b"x" * 100))
    small = Downloads(slack_web, max_bytes=100)
    with pytest.raises(DocumentRefused, match="larger"):
        await small.fetch(OURS, a_file(slack))
    assert len(await small.fetch(OURS, a_file(slack))) == 100


async def test_slow_download_is_abandoned(slack: Slack, slack_web: SlackWeb) -> None:
    """A download that takes too long is left."""
    gate = asyncio.Event()

    async def drip(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        await response.write(b"x")
        await gate.wait()
        return response

    slack.will("/files/F1", drip, drip, drip)
    try:
        with pytest.raises(DocumentRefused, match="in time"):
            await Downloads(slack_web, max_bytes=100, seconds=0.05).fetch(OURS, a_file(slack))
    finally:
        gate.set()
    assert len(slack.received) == 3


# --- what comes back -------------------------------------------------------------------------


LOGIN = b"<!DOCTYPE html><html><body>Sign in to Acme</body></html>"


@pytest.mark.parametrize("content_type", ["text/html", "application/octet-stream"])
async def test_a_login_page_is_no_document(
    slack: Slack, downloads: Downloads, content_type: str
) -> None:
    slack.will("/files/F1", serves(b"\n" + LOGIN, content_type))
    with pytest.raises(DocumentRefused, match="files:read"):
        await downloads.fetch(OURS, a_file(slack))


async def test_posted_page_is_a_document(slack: Slack, downloads: Downloads) -> None:
    """A page that somebody posted is a document."""
    slack.will("/files/F1", serves(LOGIN, "text/html"))
    assert await downloads.fetch(OURS, a_file(slack, name="a.html", size=len(LOGIN))) == LOGIN


@pytest.mark.parametrize(
    ("script", "reason"),
    [(page(status=404), "deleted"), (page(status=403), "files:read")],
)
async def test_a_refused_download_says_why(
    slack: Slack, downloads: Downloads, script: Script, reason: str
) -> None:
    slack.will("/files/F1", script)
    with pytest.raises(DocumentRefused, match=reason):
        await downloads.fetch(OURS, a_file(slack))
    assert len(slack.received) == 1


async def test_trouble_is_met_with_patience(slack: Slack, downloads: Downloads) -> None:
    slack.will("/files/F1", limits("2"), page(status=503), serves(PDF))
    assert await downloads.fetch(OURS, a_file(slack)) == PDF
    slack.will("/files/F1", limits("900"))
    with pytest.raises(DocumentRefused, match="Try again"):
        await downloads.fetch(OURS, a_file(slack))


# --- what kind of file -----------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["space", "post", "quip", "email", "canvas", "list", "", None, []])
async def test_non_uploaded_file_is_refused(
    slack: Slack, downloads: Downloads, mode: object
) -> None:
    """What is no uploaded file is refused."""
    with pytest.raises(DocumentRefused) as refused:
        await downloads.fetch(OURS, a_file(slack, mode=mode))
    assert str(refused.value) == files.NO_FILE
    assert slack.received == []


async def test_a_deleted_file_is_refused(slack: Slack, downloads: Downloads) -> None:
    with pytest.raises(DocumentRefused, match="deleted"):
        await downloads.fetch(OURS, a_file(slack, mode="tombstone"))


@pytest.mark.parametrize(
    "stub",
    [
        {"id": "F1", "file_access": "check_file_info", "mode": "file_access"},
        {"id": "F1", "mode": "hosted"},
    ],
)
async def test_shared_channel_file_is_resolved(
    slack: Slack, downloads: Downloads, stub: dict[str, Any]
) -> None:
    """A shared channels file is looked up first."""
    slack.will("files.info", says({"ok": True, "file": a_file(slack)}))
    slack.will("/files/F1", serves(PDF))
    assert await downloads.fetch(OURS, stub) == PDF
    assert [call.method for call in slack.received] == ["files.info", "/files/F1"]


async def test_hidden_file_is_refused(slack: Slack, foreign: Slack, downloads: Downloads) -> None:
    """A file that slack shows nobody is refused."""
    stub = {"id": "F1", "file_access": "check_file_info"}
    for script, reason in (
        (refuses("file_not_found"), "deleted"),
        (says({"ok": True, "file": a_file(slack, mode="external")}), "not kept by Slack"),
        (says({"ok": True, "file": a_file(foreign)}), "not kept by Slack"),
    ):
        slack.will("files.info", script)
        with pytest.raises(DocumentRefused, match=reason):
            await downloads.fetch(OURS, stub)
    with pytest.raises(DocumentRefused, match="deleted"):
        await downloads.fetch(OURS, {"file_access": ["x"]})
    assert foreign.received == []


async def test_lost_token_does_not_blame_file(slack: Slack, downloads: Downloads) -> None:
    """A lost token is no fault of the file."""
    slack.will("files.info", refuses("token_revoked"))
    with pytest.raises(TokenRevoked):
        await downloads.fetch(OURS, {"id": "F1", "file_access": "check_file_info"})
