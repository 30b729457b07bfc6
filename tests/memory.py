"""Where the files of tests stand: every write of a store waits for a disk, and for no memory."""

import shutil
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
