"""The sample workspace, read once and kept: every start gets a copy, so that each begins clean."""

import asyncio
import contextlib
import hashlib
import itertools
import os
import secrets
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

import masis
import storage
from bot.compose import compose
from bot.playground import samples
from bot.playground.remembered import by_heart, sources
from bot.settings import Settings
from masis.errors import StoreUnavailable

Load = Callable[..., Settings]
"""Loads the settings; keywords win over what an operator set."""
Progress = Callable[[int, int], None]
"""Called with how many documents were read, and of how many."""

FOLDER: Final = "playground"
WORLDS: Final = "worlds"
OTHERS_S: Final = 180.0
"""How long another playground may take for the same first start."""
LOOK_S: Final = 0.1


class Library:
    """The folder of the playground within the data folder.

    Args:
        load: loads the settings.
        folder: where the sample is kept, and beside it a folder for each playground that is open.
        owners: whose the sample workspaces are, each owner's their own.
        workspace: their name.
    """

    def __init__(self, load: Load, folder: Path, *, owners: Sequence[str], workspace: str) -> None:
        self._load = load
        self._folder = folder
        self._owners = owners
        self._workspace = workspace

    async def filled(self, tell: Progress) -> Path:
        """The folder that holds the sample, which is read where nobody has done so yet.

        Raises:
            StoreUnavailable: another playground reads it, and does not come to an end.
        """
        kept = await asyncio.to_thread(self._kept)
        if kept.is_dir():
            return kept
        async with self._alone():
            if not kept.is_dir():
                await self._read(kept, tell)
        return kept

    def _kept(self) -> Path:
        # Each by itself: of parents that `mkdir` makes along the way others may enter.
        self._folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder.mkdir(mode=0o700, exist_ok=True)
        embedder = self._load().embedder_in_use
        return self._folder / f"sample-{fingerprint(*self._owners, self._workspace, embedder)}"

    @contextlib.asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        lock = FileLock(self._folder / "sample.lock")
        try:
            # A thread that waits for a lock cannot be told to stop.
            async with asyncio.timeout(OTHERS_S):
                while not _taken(lock):  # noqa: ASYNC110 - a file tells nobody
                    await asyncio.sleep(LOOK_S)
        except TimeoutError:
            raise StoreUnavailable(
                "Another playground has been reading the sample for minutes. End it and try again."
            ) from None
        try:
            yield
        finally:
            lock.release()

    async def _read(self, kept: Path, tell: Progress) -> None:
        """Read the sample into a new folder, which takes its name once it is whole."""
        for old in self._folder.glob("sample-*"):
            await asyncio.to_thread(shutil.rmtree, old, ignore_errors=True)
        making = self._folder / f"sample-{secrets.token_hex(4)}.new"
        with resources.as_file(samples.SAMPLE) as sample:
            folders = samples.folders(self._workspace)
            files = {name: sources(sample / folder) for folder, name in folders.items()}
            total = sum(map(len, files.values())) * len(self._owners)
            tell(0, total)
            async with compose(self._load(data_dir=making)) as app:
                if app.embedder is not None:
                    app.embedder = by_heart(app.embedder)
                done = 0
                for owner, (name, each) in itertools.product(self._owners, files.items()):
                    workspace = await app.repository.create_workspace(owner, name)
                    async for _ in app.ingest.ingest_many(workspace, each):
                        done += 1
                        tell(done, total)
        making.rename(kept)

    @contextlib.asynccontextmanager
    async def world(self, kept: Path) -> AsyncIterator[Path]:
        """A copy of the sample for as long as the block goes on."""
        worlds = self._folder / WORLDS
        await asyncio.to_thread(_sweep, worlds)
        name = f"{os.getpid()}-{secrets.token_hex(4)}"
        with _held(worlds, name):
            try:
                await asyncio.to_thread(shutil.copytree, kept, worlds / name)
                yield worlds / name
            finally:
                await asyncio.to_thread(shutil.rmtree, worlds / name, ignore_errors=True)


def fingerprint(*words: str) -> str:
    """Changes with the sample and with the code that reads it."""
    digest = hashlib.sha256("\0".join(words).encode())
    with resources.as_file(samples.SAMPLE) as sample:
        documents = [p for each in samples.folders("") for p in (sample / each).rglob("*")]
        roots = [Path(masis.__file__).parent, Path(storage.__file__).parent]
        code = [path for root in roots for path in sorted(root.rglob("*.py"))]
        for path in [*code, *sorted(documents)]:
            if path.is_file():
                digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@contextlib.contextmanager
def _held(worlds: Path, name: str) -> Iterator[None]:
    """A lock that says that a world is in use, even when its process is killed."""
    lock = FileLock(worlds / f"{name}.lock")
    with lock:
        yield
    (worlds / f"{name}.lock").unlink(missing_ok=True)


def _taken(lock: FileLock) -> bool:
    """Take a lock that nobody holds."""
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return False
    return True


def _sweep(worlds: Path) -> None:
    """Remove the worlds of playgrounds that were killed."""
    worlds.mkdir(parents=True, exist_ok=True)
    for path in worlds.glob("*.lock"):
        lock = FileLock(path)
        if _taken(lock):
            shutil.rmtree(worlds / path.stem, ignore_errors=True)
            path.unlink(missing_ok=True)
            lock.release()
