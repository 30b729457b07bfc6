"""Fetches the files that people post: from Slack's own hosts alone, bounded while reading.

What Slack says about a file may name any address (remote files do). The bot's token goes to none
but Slack's file hosts, and no redirect is followed.
"""

from collections.abc import Mapping
from typing import Any, Final

import aiohttp
from yarl import URL

from bot.slack.client.lookups import word
from bot.slack.client.web import SlackWeb
from bot.slack.client.wire import CONNECT_SECONDS, FILE_HOSTS, read
from bot.slack.slack_errors import Garbled, RateLimited, Refused, Unavailable
from masis.conversation import Tenant
from masis.errors import DocumentRefused

SECONDS: Final = 60.0
HELD_BY_SLACK: Final = frozenset({"hosted", "snippet"})
"""Slack makes text files into snippets; every other mode is a page, a mail or somebody else's."""
_METHOD: Final = "a file download"
_FINE: Final = 200
_GONE: Final = frozenset({404, 410})
_HTML: Final = (b"<!doctype html", b"<html")

ELSEWHERE: Final = (
    "The file is not kept by Slack but elsewhere. Download it and upload the file itself."
)
NO_FILE: Final = "This is no uploaded file. Export it as a document and upload that."
GONE: Final = "The file was deleted, or MASIS may not see it. Upload it once more."
NOT_HANDED_OVER: Final = (
    "Slack did not hand the file over. Check that MASIS is in the channel and has the permission "
    "files:read, then try again."
)
IN_TROUBLE: Final = "Slack did not hand the file over in time. Try again in a minute."


class Downloads:
    """Downloads files of up to `max_bytes`, each within a minute."""

    def __init__(self, web: SlackWeb, *, max_bytes: int, seconds: float = SECONDS) -> None:
        self._web = web
        self._max_bytes = max_bytes
        self._timeout = aiohttp.ClientTimeout(total=seconds, connect=CONNECT_SECONDS)

    async def fetch(self, tenant: Tenant, file: Mapping[str, Any]) -> bytes:
        """The bytes of a file, given as a message or `files.info` shows it.

        Raises:
            DocumentRefused: it cannot be had; the message is the reason shown to people.
            SlackError: the bot has lost its access altogether.
        """
        try:
            known = await self._known(tenant, dict(file))
            url = self._checked(known)

            async def call() -> bytes:
                return await self._download(tenant, url, known.get("size"))

            return await self._web.calls.pacing.call(tenant, _METHOD, call, repeat=True)
        except (RateLimited, Unavailable) as error:
            raise DocumentRefused(IN_TROUBLE) from error
        except Refused as error:
            raise DocumentRefused(GONE) from error
        except Garbled as error:
            raise DocumentRefused(NOT_HANDED_OVER) from error

    async def _known(self, tenant: Tenant, file: dict[str, Any]) -> dict[str, Any]:
        """Return what there is to know about the file.

        Of a shared channel's file, messages tell only the id.
        """
        told = file.get("file_access", "visible") == "visible" and file.get("mode") != "file_access"
        if told and (file.get("url_private_download") or file.get("url_private")):
            return file
        if not word(file, "id"):
            raise DocumentRefused(GONE)
        return await self._web.file_info(tenant, word(file, "id"))

    def _checked(self, file: dict[str, Any]) -> URL:
        mode = word(file, "mode")
        if file.get("is_external") or mode == "external":
            raise DocumentRefused(ELSEWHERE)
        if mode not in HELD_BY_SLACK:
            raise DocumentRefused(GONE if mode == "tombstone" else NO_FILE)
        size = file.get("size")
        if isinstance(size, int) and size > self._max_bytes:
            raise DocumentRefused(self._too_big)
        address = file.get("url_private_download") or file.get("url_private")
        url = self._web.wire.trusted(address, FILE_HOSTS)
        if url is None:
            raise DocumentRefused(ELSEWHERE)
        return url

    async def _download(self, tenant: Tenant, url: URL, size: object) -> bytes:
        wire = self._web.wire
        token = (await self._web.calls.tokens.for_tenant(tenant)).token
        # An answer that is packed could unpack to any size.
        headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}
        request = {"headers": headers, "timeout": self._timeout}
        async with wire.open(_METHOD, "GET", url, request) as response:
            wire.check(_METHOD, response.status, response.headers)
            if response.status in _GONE:
                raise DocumentRefused(GONE)
            if response.status != _FINE:
                raise Garbled(f"{_METHOD} was answered with status {response.status}.")
            content = await read(response, self._max_bytes)
        if content is None:
            raise DocumentRefused(self._too_big)
        if len(content) != size and _is_page(response, content):
            # Slack's way of saying no: a login page, with status 200.
            raise Garbled(f"{_METHOD} was answered with a page.")
        return content

    @property
    def _too_big(self) -> str:
        return f"The file is larger than {self._max_bytes // 1_000_000} MB."


def _is_page(response: aiohttp.ClientResponse, content: bytes) -> bool:
    return response.content_type == "text/html" or content[:64].lstrip().lower().startswith(_HTML)
