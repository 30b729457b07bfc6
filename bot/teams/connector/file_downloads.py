"""Fetch the files that people send in their own chat: from SharePoint alone, bounded, no redirects.

Anybody who can speak to the bot may send any address. The bot's token goes to none of them: an
address opens by itself, for a while.
"""

from typing import Final

from bot.teams.bounded_http import BoundedHttp, NoReply, Reply, TooMuch
from bot.teams.inbound.clouds import Cloud, is_file_address
from bot.teams.text import sentences
from masis.conversation import ChatFile, ChatRun
from masis.errors import DocumentRefused

SECONDS: Final = 60.0
_GONE: Final = frozenset({401, 403, 404, 410})
"""What an address answers whose time is over."""


class FileDownloads:
    """Downloads files of up to `max_bytes`, each within a minute. `close` ends it."""

    def __init__(self, cloud: Cloud, *, max_bytes: int, seconds: float = SECONDS) -> None:
        self._cloud = cloud
        self._max_bytes = max_bytes
        self._http = BoundedHttp(seconds=seconds, most_bytes=max_bytes)

    def of(self, run: ChatRun) -> "SentFiles":
        """Return the files of a run, to be read one by one."""
        return SentFiles(self, run.files)

    async def fetch(self, file: ChatFile) -> bytes:
        """Return the bytes of a file.

        Raises:
            DocumentRefused: it cannot be had; the message is the reason shown to people.
        """
        if not file.address:
            raise DocumentRefused(sentences.NO_FILE)
        if not is_file_address(file.address, self._cloud):
            raise DocumentRefused(sentences.FILE_ELSEWHERE)
        reply = await self._asked(file.address)
        if reply.status in _GONE:
            raise DocumentRefused(sentences.FILE_GONE)
        if reply.status // 100 == 3:  # noqa: PLR2004 - the class of redirects
            raise DocumentRefused(sentences.FILE_ELSEWHERE)
        if not reply.is_success:
            raise DocumentRefused(sentences.FILE_IN_TROUBLE)
        return reply.body

    async def close(self) -> None:
        """End the session."""
        await self._http.close()

    async def _asked(self, address: str) -> Reply:
        try:
            # An answer that is packed could unpack to any size.
            return await self._http.send("GET", address, headers={"Accept-Encoding": "identity"})
        except TooMuch as error:
            raise DocumentRefused(sentences.file_too_big(self._max_bytes)) from error
        except NoReply as error:
            raise DocumentRefused(sentences.FILE_IN_TROUBLE) from error


class SentFiles:
    """Files as `masis.documents.attaching.Files`."""

    def __init__(self, downloads: FileDownloads, files: list[ChatFile]) -> None:
        self._downloads = downloads
        self._files = files

    @property
    def names(self) -> list[str]:
        """Return the files' names. A name is for people alone, and never a path."""
        return [file.name or file.id for file in self._files]

    async def read(self, position: int) -> bytes:
        """Return the bytes of the file at that place among the names.

        Raises:
            DocumentRefused: it cannot be had; the message is the reason shown to people.
        """
        return await self._downloads.fetch(self._files[position])
