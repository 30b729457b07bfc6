"""Check whether this process can work now.

Its database and its vectors work, and nobody has told it to end.

Asked by machines every few seconds, so that an answer is good for some of them and costs nothing;
seen by machines too, so that it names what fails and nothing that is secret.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

import aiohttp

from masis.errors import MasisError, StoreUnavailable

CHECK_SECONDS: Final = 2.0
"""A store that takes longer does not work for people either."""
GOOD_FOR_SECONDS: Final = 3.0
DRAINING: Final = "draining: the process was told to end and takes nothing more"

Check = Callable[[], Awaitable[None]]
"""Returns where all is well; raises `MasisError`, `OSError` or a client's error where it is not."""

_OK: Final = 200


class Readiness:
    """Check what keeps the process from working, by name.

    All `checks` are made at the same time.

    Every check has two seconds, and what was found is good for three: however many ask meanwhile.
    """

    def __init__(
        self, checks: Mapping[str, Check], *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._checks = checks
        self._now = now
        self._found: list[str] = []
        self._good_until = -1.0
        self._checking: asyncio.Task[list[str]] | None = None
        self.is_draining = False
        """Tell whether the process was told to end."""

    def drain(self) -> None:
        """Say from now on that nothing more is to come here."""
        self.is_draining = True

    async def problems(self) -> list[str]:
        """A line for each thing that fails; none where the process is ready."""
        if self.is_draining:
            return [DRAINING]
        if self._now() >= self._good_until:
            self._found = await self._asked()
            self._good_until = self._now() + GOOD_FOR_SECONDS
        return self._found

    async def _asked(self) -> list[str]:
        """All checks, made once for everybody who waits for them."""
        if self._checking is None or self._checking.done():
            self._checking = asyncio.create_task(self._check_all(), name="readiness")
        return await asyncio.shield(self._checking)

    async def _check_all(self) -> list[str]:
        names = list(self._checks)
        found = await asyncio.gather(*(self._problem(name) for name in names))
        return [f"{name}: {problem}" for name, problem in zip(names, found, strict=True) if problem]

    async def _problem(self, name: str) -> str:
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                await self._checks[name]()
        except TimeoutError:
            return f"no answer within {CHECK_SECONDS:g} seconds"
        except (MasisError, OSError, aiohttp.ClientError) as error:
            return _said(error)
        return ""


def _said(error: Exception) -> str:
    """Say what is wrong, without the error's words. They may hold an address, and it a password."""
    match error:
        case aiohttp.ClientConnectionError() | ConnectionError():
            return "cannot be reached"
        case NotReady():
            return "says that it is not ready"
        case StoreUnavailable():
            return "cannot be used; `masis doctor` says why"
        case NotADirectoryError():
            return "its folder is not there"
    return type(error).__name__


class NotReady(MasisError):
    """A server answers, and says that it cannot work."""


def qdrant(address: str) -> Check:
    """Make the check of a Qdrant server.

    It asks whether all of the server's shards can be searched.
    """

    async def check() -> None:
        # Not over a proxy, and anew each time: this is once in some seconds.
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"{address.rstrip('/')}/readyz", allow_redirects=False) as answer,
        ):
            if answer.status != _OK:
                raise NotReady(f"Qdrant is not ready (status {answer.status}).")

    return check


def folder(path: Path) -> Check:
    """The folder of the embedded vectors is there, or can be made with the first document."""

    def look() -> None:
        nearest = path if path.exists() else path.parent
        if not nearest.is_dir():
            raise NotADirectoryError(nearest)

    async def check() -> None:
        await asyncio.to_thread(look)

    return check
