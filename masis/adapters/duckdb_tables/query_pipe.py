"""Define what an engine and its process say to each other: JSON, with runs of bytes behind it."""

import json
import struct
from collections.abc import Sequence
from typing import IO, Any, Final

_HEAD: Final = struct.Struct("<II")
_SIZE: Final = struct.Struct("<I")
MOST_JSON: Final = 16 * 1024 * 1024
MOST_PARTS: Final = 2_000
MOST_PART: Final = 64 * 1024 * 1024


def write(pipe: IO[bytes], said: dict[str, Any], parts: Sequence[bytes] = ()) -> None:
    """Write a message."""
    body = json.dumps(said).encode()
    pipe.write(_HEAD.pack(len(body), len(parts)) + body)
    for part in parts:
        pipe.write(_SIZE.pack(len(part)))
        pipe.write(part)
    pipe.flush()


def read(pipe: IO[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    """Read a message.

    Raises:
        EOFError: the other side ended, or says what neither side of ours says.
    """
    size, count = _HEAD.unpack(_exactly(pipe, _HEAD.size))
    if size > MOST_JSON or count > MOST_PARTS:
        raise EOFError
    body = _exactly(pipe, size)
    parts = []
    for _ in range(count):
        (length,) = _SIZE.unpack(_exactly(pipe, _SIZE.size))
        if length > MOST_PART:
            raise EOFError
        parts.append(_exactly(pipe, length))
    try:
        said = json.loads(body)
    except ValueError as error:
        raise EOFError from error
    return (said, parts) if isinstance(said, dict) else ({}, parts)


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    found = pipe.read(size)
    if len(found) < size:
        raise EOFError
    return found
