"""Leaves this process the files of its own program to read, for good, on Linux: Landlock, without a library.

What reads untrusted files gets their bytes through a pipe. A reader that was taken over would find
the documents of others, settings and keys on the same disk, and give them back as the text of its
file. It needs no privilege and works in containers (Linux 5.13 and newer, where Landlock is built
in, as distributions have it); a kernel without it leaves the other guards.
"""

import ctypes
import mimetypes
import os
import re
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

_TOP: Final = re.compile("[/,]")
"""What ends the first part of a path in a RECORD; behind a comma stands the file's hash."""


def program_files() -> Iterator[Path]:
    """The files and folders that the program itself reads: Python's, its packages', the system's."""
    yield Path(masis.__file__).parent
    yield from map(Path, (sys.prefix, sys.base_prefix, sys.exec_prefix))
    for entry in sys.path:
        if entry.endswith("-packages"):
            yield Path(entry)
        elif entry:
            yield from _installed(entry)
    yield from map(Path, (*_SYSTEM, *_SINGLE, *mimetypes.knownfiles))


def _installed(folder: str) -> Iterator[Path]:
    """Yield what packages have put into a folder that is not theirs alone.

    `pip install --target` puts them there.

    Never the whole of it: a checkout has settings and documents beside its packages.
    """
    tops: set[str] = set()
    # By hand: `importlib.metadata` makes an object of each file, which takes half a second.
    for record in Path(folder).glob("*.dist-info/RECORD"):
        with record.open(encoding="utf-8", errors="replace") as lines:
            tops.update(_TOP.split(line, maxsplit=1)[0] for line in lines)
    yield from (Path(folder, top) for top in tops - {"", os.pardir, os.curdir})


def leave(readable: Iterable[Path]) -> bool:
    """Let this process, and all that it will start, open nothing else; False where that fails.

    Files that are open already stay readable. What is not there, or cannot be reached, is left out.
    """
    libc = ctypes.CDLL(None)
    handled = struct.pack("Q", _READ_FILE)
    ruleset = libc.syscall(_CREATE_RULESET, handled, len(handled), 0)
    if ruleset < 0:
        return False
    try:
        if not all(_allowed(libc, ruleset, path) for path in readable):
            return False
        if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
            return False
        return bool(libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _allowed(libc: ctypes.CDLL, ruleset: int, path: Path) -> bool:
    """Add a file, or all that is in a folder, to what may be read; False where the kernel refuses."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        # struct landlock_path_beneath_attr, which is packed
        rule = struct.pack("=Qi", _READ_FILE, place)
        return bool(libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0) == 0)
    finally:
        os.close(place)
