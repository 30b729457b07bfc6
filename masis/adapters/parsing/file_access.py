"""Leaves this process the files of its own program to read, for good, on Linux: Landlock, without a library.

What reads untrusted files gets their bytes through a pipe. A reader that was taken over would find
the documents of others, settings and keys on the same disk, and give them back as the text of its
file. It needs no privilege and works in containers (Linux 5.13 and newer, where Landlock is built
in, as distributions have it); a kernel without it leaves the other guards.
"""

import ctypes
import mimetypes
import os
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import masis

# The same numbers on every machine: linux/include/uapi/asm-generic/unistd.h and linux/landlock.h.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_NO_NEW_PRIVILEGES: Final = 38
_PATH_BENEATH: Final = 1
_READ_FILE: Final = 1 << 2
"""Of the rights that Landlock knows the only one that is taken away: names may still be listed."""

_SYSTEM: Final = ("/usr", "/lib", "/lib64", "/sys/devices/system")
"""What every process of the machine is made of: shared libraries, time zones, kinds of processors."""
_SINGLE: Final = (
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/self",
)


def program_files() -> Iterator[Path]:
    """The files and folders that the program itself reads: Python's, its packages', the system's."""
    yield Path(masis.__file__).parent
    yield from map(Path, (sys.prefix, sys.base_prefix, sys.exec_prefix))
    # Not every entry of the path: a checkout has settings and documents beside its packages.
    yield from (Path(entry) for entry in sys.path if entry.endswith("-packages"))
    yield from map(Path, (*_SYSTEM, *_SINGLE, *mimetypes.knownfiles))


def leave(readable: Iterable[Path]) -> bool:
    """Let this process, and all that it will start, open nothing else; False where that fails.

    Files that are open already stay readable.
    """
    libc = ctypes.CDLL(None)
    handled = struct.pack("Q", _READ_FILE)
    ruleset = libc.syscall(_CREATE_RULESET, handled, len(handled), 0)
    if ruleset < 0:
        return False
    try:
        if not all(_allowed(libc, ruleset, path) for path in readable if path.exists()):
            return False
        if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
            return False
        return bool(libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _allowed(libc: ctypes.CDLL, ruleset: int, path: Path) -> bool:
    """Add a file, or all that is in a folder, to what may be read."""
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        # struct landlock_path_beneath_attr, which is packed
        rule = struct.pack("=Qi", _READ_FILE, place)
        return bool(libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0) == 0)
    finally:
        os.close(place)
