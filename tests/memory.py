"""Where the files of tests stand, and how they are copied and read.

Every write of a store waits for a disk, and for no memory. A folder with vectors is 200 MB of
holes and 2 MB of data: whoever copies or reads the holes too waits longer than most tests take.
"""

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

MEMORY: Final = Path("/dev/shm")  # noqa: S108 - folders of our own are made in it
ROOMY: Final = 4 * 2**30
"""Bytes: many times what all tests take."""


def room_in_memory() -> Path | None:
    """A folder that lies in memory; None where there is none, or little room in it."""
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ROOMY:
        return MEMORY
    return None


def copy_folder(source: Path, target: Path) -> Path:
    """Copy a folder, and leave the holes of its files holes."""
    return shutil.copytree(source, target, copy_function=_copy_data)


def data_of(file: Path) -> bytes:
    """Read a file without its holes."""
    return b"\0".join(part for _, part in _parts(file))


def _copy_data(source: str, target: str) -> None:
    with Path(target).open("wb") as copy:
        for start, part in _parts(Path(source)):
            copy.seek(start)
            copy.write(part)
        copy.truncate(Path(source).stat().st_size)
    shutil.copystat(source, target)


def _parts(file: Path) -> Iterator[tuple[int, bytes]]:
    """The stretches of a file that are no hole, each with where it starts."""
    with file.open("rb") as opened:
        number, end = opened.fileno(), 0
        while True:
            try:
                start = os.lseek(number, end, os.SEEK_DATA)
            except OSError as problem:
                if problem.errno != errno.ENXIO:  # which says that there is no more
                    raise
                return
            end = os.lseek(number, start, os.SEEK_HOLE)
            opened.seek(start)
            yield start, opened.read(end - start)
