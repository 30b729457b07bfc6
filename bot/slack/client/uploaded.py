"""The files of a run: named first, fetched one by one when their turn comes."""

from typing import Any, Final

from bot.slack.client.downloads import GONE, IN_TROUBLE, Downloads
from bot.slack.client.lookups import word
from bot.slack.client.web import SlackWeb
from bot.slack.slack_errors import SlackError
from masis.conversation import ChatFile, ChatRun, Tenant
from masis.errors import DocumentRefused

MAX_NAME: Final = 255
"""Characters of a file's name, as file systems have it."""


class Uploaded:
    """Finds the files that a run names by their ids."""

    def __init__(self, web: SlackWeb, downloads: Downloads) -> None:
        self._web = web
        self._downloads = downloads

    async def of(self, run: ChatRun) -> "UploadedFiles":
        """Fetch what Slack knows about the files.

        One that it does not know any more is refused later.
        """
        found = [await self._info(run.tenant, each) for each in run.files]
        return UploadedFiles(run.tenant, self._downloads, found)

    async def _info(self, tenant: Tenant, file: ChatFile) -> dict[str, Any]:
        try:
            return await self._web.file_info(tenant, file.id)
        except SlackError as error:
            if error.disables_installation:
                raise
            name = file.name or file.id
            return {"name": name, "refused": GONE if error.permanent else IN_TROUBLE}


class UploadedFiles:
    """Files as `masis.documents.attaching.Files`."""

    def __init__(self, tenant: Tenant, downloads: Downloads, files: list[dict[str, Any]]) -> None:
        self._tenant = tenant
        self._downloads = downloads
        self._files = files

    @property
    def names(self) -> list[str]:
        """Return the files' names. A name is for people alone, and never a path."""
        return [_name(file) for file in self._files]

    async def read(self, position: int) -> bytes:
        """The bytes of the file at that place among the names.

        Raises:
            DocumentRefused: it cannot be had; the message is the reason shown to people.
        """
        file = self._files[position]
        if "refused" in file:
            raise DocumentRefused(word(file, "refused"))
        return await self._downloads.fetch(self._tenant, file)


def _name(file: dict[str, Any]) -> str:
    given = word(file, "name") or word(file, "title") or word(file, "id") or "file"
    return given.replace("\\", "/").rsplit("/", 1)[-1].replace("\0", "")[:MAX_NAME] or "file"
