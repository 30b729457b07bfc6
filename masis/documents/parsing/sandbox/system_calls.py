"""Takes system calls away from this process for good, on Linux: a seccomp filter, without a library.

What reads untrusted files needs no network, starts no program, signals nobody and writes no file.
The filter holds for native code too, where an audit hook of Python hears nothing. It needs no
privilege and works in containers; a kernel without it leaves the other guards.
"""

import ctypes
import platform
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_NO_NEW_PRIVILEGES: Final = 38
_SET_SECCOMP: Final = 22
_FILTER_MODE: Final = 2

# The calls by their numbers: linux/include/uapi/asm-generic/unistd.h for ARM, and
# arch/x86/entry/syscalls/syscall_64.tbl.
_EVERYWHERE: Final = {
    "pidfd_send_signal": 424, "io_uring_setup": 425, "pidfd_open": 434, "openat2": 437,
    "pidfd_getfd": 438, "fchmodat2": 452,
}  # fmt: skip
_X86: Final = {
    "socket": 41, "connect": 42, "sendto": 44, "bind": 49, "fork": 57, "vfork": 58, "execve": 59,
    "kill": 62, "truncate": 76, "ftruncate": 77, "rename": 82, "mkdir": 83, "rmdir": 84,
    "creat": 85, "link": 86, "unlink": 87, "symlink": 88, "chmod": 90, "fchmod": 91, "chown": 92,
    "ptrace": 101, "mount": 165, "tkill": 200, "tgkill": 234, "mkdirat": 258, "mknodat": 259,
    "fchownat": 260, "unlinkat": 263, "renameat": 264, "linkat": 265, "symlinkat": 266,
    "fchmodat": 268, "unshare": 272, "perf_event_open": 298, "setns": 308,
    "process_vm_readv": 310, "process_vm_writev": 311, "renameat2": 316, "bpf": 321,
    "execveat": 322, "userfaultfd": 323,
}  # fmt: skip
_ARM: Final = {
    "mknodat": 33, "mkdirat": 34, "unlinkat": 35, "symlinkat": 36, "linkat": 37, "renameat": 38,
    "mount": 40, "truncate": 45, "ftruncate": 46, "fchmod": 52, "fchmodat": 53, "fchownat": 54,
    "unshare": 97, "ptrace": 117, "kill": 129, "tkill": 130, "tgkill": 131, "socket": 198,
    "bind": 200, "connect": 203, "sendto": 206, "execve": 221, "perf_event_open": 241,
    "setns": 268, "process_vm_readv": 270, "process_vm_writev": 271, "renameat2": 276, "bpf": 280,
    "execveat": 281, "userfaultfd": 282,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Machine:
    """`audit` names the call table; `opening` are the calls that open files: where their flags stand."""

    audit: int
    denied: dict[str, int]
    opening: dict[int, int]


_MACHINES: Final = {
    "x86_64": _Machine(0xC000003E, _X86, opening={2: 1, 257: 2}),
    "aarch64": _Machine(0xC00000B7, _ARM, opening={56: 2}),
}
_WRITING: Final = 0o1 | 0o2 | 0o100 | 0o1000
"""O_WRONLY, O_RDWR, O_CREAT and O_TRUNC, which are the same on both machines."""

# The filter's language: classic BPF over struct seccomp_data (number, machine, ..., arguments).
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _MACHINE_AT, _ARGUMENTS_AT = 0, 4, 16
_OTHER_TABLE: Final = 0x40000000
"""From here on x86 calls stand in the table of another interface."""
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | 1
"""With EPERM, which Python raises as PermissionError."""


def deny() -> bool:
    """Take the calls away from this thread and all that it will start; False where that fails."""
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        return False
    program = b"".join(_program(machine))
    kept = ctypes.create_string_buffer(program, len(program))
    count = len(program) // struct.calcsize("HBBI")
    # struct sock_fprog: a count, and a pointer to that many instructions
    whole = ctypes.create_string_buffer(struct.pack("HxxxxxxP", count, ctypes.addressof(kept)))
    libc = ctypes.CDLL(None)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    return bool(libc.prctl(_SET_SECCOMP, _FILTER_MODE, whole, 0, 0) == 0)


def _program(machine: _Machine) -> Iterator[bytes]:
    """The instructions; jumps count from the next one, and the last but one allows, the last refuses."""
    calls = sorted({**machine.denied, **_EVERYWHERE}.values())
    left = 4 + len(calls) + 3 * len(machine.opening)

    def step(code: int, value: int, *, then: int = 0, otherwise: int = 0) -> bytes:
        nonlocal left
        left -= 1
        return struct.pack("HBBI", code, then, otherwise, value)

    yield step(_LOAD, _MACHINE_AT)
    yield step(_EQUAL, machine.audit, otherwise=left)
    yield step(_LOAD, _NUMBER_AT)
    yield step(_AT_LEAST, _OTHER_TABLE, then=left)
    for number in calls:
        yield step(_EQUAL, number, then=left)
    for number, argument in machine.opening.items():
        yield step(_EQUAL, number, otherwise=2)
        yield step(_LOAD, _ARGUMENTS_AT + 8 * argument)
        yield step(_ANY_BIT, _WRITING, then=left, otherwise=left - 1)
    yield struct.pack("HBBI", _RETURN, 0, 0, _ALLOW)
    yield struct.pack("HBBI", _RETURN, 0, 0, _REFUSE)
