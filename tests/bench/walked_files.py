"""Count the product's files that one slash command enters, and those before its acknowledgement.

Run it with `python -m tests.bench.walked_files` (a minute): the real bot beside the stand-in for Slack,
one question whose answer it has, asked once before, so that what is imported and built on first
use is not counted. Every function that is called on any thread is seen; the stand-in's own are not
counted. `--list` names the files as well.
"""

import asyncio
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final, Self

import masis
from tests.walks.office import QUESTION, Office, office

_ROOT: Final = Path(masis.__file__).resolve().parents[1]
_PRODUCT: Final = ("bot/", "masis/", "storage/")
_ASIDE: Final = ("bot/playground/",)
"""The stand-in, which plays Slack."""

Seen = dict[str, set[str]]
"""The functions that were called, by the file they are in."""


class _Watch:
    """Notes every call of every thread that begins while it is there, once it is on."""

    def __init__(self) -> None:
        self.seen: Seen = {}
        self.is_on = False

    def __enter__(self) -> Self:
        threading.setprofile(self._called)
        sys.setprofile(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _called(self, frame: FrameType, event: str, _: object) -> None:
        if self.is_on and event == "call":
            code = frame.f_code
            self.seen.setdefault(code.co_filename, set()).add(code.co_qualname)


def _ours(seen: Seen) -> dict[str, int]:
    """How many functions of each of our files were called."""
    found = {}
    for file, functions in list(seen.items()):
        path = Path(file)
        if not path.is_relative_to(_ROOT):
            continue
        name = path.relative_to(_ROOT).as_posix()
        if name.startswith(_PRODUCT) and not name.startswith(_ASIDE):
            found[name] = len(functions)
    return found


async def _asked(here: Office, end: Callable[[], object]) -> None:
    await here.types(here.alice, QUESTION)
    end()
    await here.settled()


async def _walk() -> tuple[dict[str, int], dict[str, int]]:
    """The files up to the acknowledgement, and all of them."""
    before: dict[str, int] = {}
    # The database's threads begin with the office, and are to be seen as well.
    with tempfile.TemporaryDirectory(prefix="masis-walk-") as folder, _Watch() as watch:
        async with office(Path(folder)) as here:
            await _asked(here, lambda: None)
            watch.is_on = True
            await _asked(here, lambda: before.update(_ours(watch.seen)))
            watch.is_on = False
    return before, _ours(watch.seen)


def main() -> None:
    """Print both counts."""
    before, whole = asyncio.run(_walk())
    for name, found in (("before the acknowledgement", before), ("to the answer", whole)):
        print(f"{name}: {len(found)} files, {sum(found.values())} functions")
        if "--list" in sys.argv:
            print("\n".join(f"    {path} {count}" for path, count in sorted(found.items())))


if __name__ == "__main__":
    main()
