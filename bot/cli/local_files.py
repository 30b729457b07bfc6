"""Files of this machine that are read for one question."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from bot.cli.documents.paths import Found, content_of
from bot.rendering.show import line
from masis.conversation import MAX_FILES


class LocalFiles:
    """Files as `masis.documents.attaching.Files`, of `limit` bytes each at most."""

    def __init__(self, paths: Sequence[Path], limit: int) -> None:
        self._found = [Found(path, line(path.name), leads_out=False) for path in paths[:MAX_FILES]]
        self._limit = limit

    @property
    def names(self) -> list[str]:
        """Return the files' names, without their folders."""
        return [found.name for found in self._found]

    async def read(self, position: int) -> bytes:
        """The bytes of the file at that place among the names.

        Raises:
            DocumentRefused: it cannot be had; the message is the reason shown to people.
        """
        return await asyncio.to_thread(content_of, self._found[position], self._limit)
