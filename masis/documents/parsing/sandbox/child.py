"""The process that reads untrusted files: little memory, no network, nothing else to read or write.

It is started as `python -m masis.documents.parsing.sandbox.child` and reads one file after another until
its standard input is closed.
"""

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, Final

from masis.documents.parsing import document_limits, ocr, refusals
from masis.documents.parsing.recognition.read_document import read_document
from masis.documents.parsing.sandbox import file_access, pipe, system_calls
from masis.documents.parsing.sparing import DAMAGE
from masis.errors import DocumentRefused
from masis.tables import building

_FORBIDDEN: Final = ("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.system")
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_NEW_USER_NAMESPACE: Final = 0x10000000
_NEW_NETWORK_NAMESPACE: Final = 0x40000000
_GRACE_SECONDS: Final = 5.0
"""After its time a child whose parent is gone ends by itself."""


def main() -> None:
    """Read files until the parent closes the pipe."""
    inbox, outbox = private_pipes()
    limit_resources()
    forbid_side_effects()

    def more_time() -> None:
        pipe.write_reply(outbox, pipe.RECOGNISED, b"")
        _end_by_itself()

    ocr.after_each_page(more_time)
    building.after_each_part(more_time)
    while (request := pipe.read_request(inbox)) is not None:
        _end_by_itself()
        if not _answer(outbox, *request):
            return


def _end_by_itself() -> None:
    """End a reading that takes too long, should the parent be gone."""
    if hasattr(signal, "setitimer"):
        by_the_clock = document_limits.SECONDS * document_limits.TIMES_BY_THE_CLOCK
        signal.setitimer(signal.ITIMER_REAL, by_the_clock + _GRACE_SECONDS)
        signal.setitimer(signal.ITIMER_PROF, document_limits.SECONDS + _GRACE_SECONDS)


def _answer(outbox: BinaryIO, name: str, content: bytes) -> bool:
    """Read a file and answer; False when there is no memory left to go on with."""
    try:
        pipe.write_document(outbox, read_document(name, content))
    except DocumentRefused as refusal:
        pipe.write_reply(outbox, pipe.REFUSED, str(refusal).encode())
    except MemoryError:
        pipe.write_reply(outbox, pipe.EXHAUSTED, refusals.TOO_MUCH_MEMORY.encode())
        return False
    except DAMAGE:
        pipe.write_reply(outbox, pipe.REFUSED, refusals.DAMAGED.encode())
    return True


def private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the parent, out of reach of libraries that print."""
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    os.close(nowhere)
    return inbox, outbox


def limit_resources(memory: int = 0) -> None:
    """Bound memory, files and dumps, as far as the platform can; `memory` instead of a reader's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when we end
    if sys.platform == "win32":
        return
    import resource  # not on Windows

    usual = memory or document_limits.MEMORY_BYTES
    for kind, most in (
        (
            resource.RLIMIT_AS,
            (
                usual,
                usual
                if memory or not ocr.available()
                else document_limits.RECOGNITION_MEMORY_BYTES,
            ),
        ),
        (resource.RLIMIT_CORE, (0, 0)),
        (resource.RLIMIT_FSIZE, (0, 0)),
    ):
        with contextlib.suppress(ValueError, OSError):  # macOS knows no limit of address space
            resource.setrlimit(kind, most)


def forbid_side_effects(readable: Iterable[Path] = ()) -> None:
    """Let this process connect to nothing, start nothing, signal nobody, write and find no file.

    `readable` may be read beside the program's own files.

    On Linux the kernel sees to it, for native code as well: a namespace without a network, where
    unprivileged processes may have one, Landlock for files to read, and a filter of system calls
    (x86-64 and ARM). Elsewhere Python's own calls are refused, but for reading, and native code is
    trusted that far.
    """
    sys.dont_write_bytecode = True
    if sys.platform == "linux":
        ctypes.CDLL(None).unshare(_NEW_USER_NAMESPACE | _NEW_NETWORK_NAMESPACE)
        file_access.leave((*file_access.program_files(), *readable))
        system_calls.deny()
    sys.addaudithook(_audit)


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING
    if writes or event.startswith(_FORBIDDEN):
        raise PermissionError(event)


if __name__ == "__main__":
    main()
