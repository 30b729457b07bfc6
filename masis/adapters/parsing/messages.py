"""What parent and child say to each other over the pipes.

A request is two lengths, a name and a file; a reply is one letter, a length and a body: the
document as JSON, or the reason of a refusal. Replies without a body may come before it, which ask
for more time.
"""

import struct
from typing import IO, Final

from masis.adapters.parsing import limits

DOCUMENT: Final = b"D"
REFUSED: Final = b"R"
EXHAUSTED: Final = b"M"
"""Refused for lack of memory: the child ends after it, and a fresh one may fare better."""

RECOGNISED: Final = b"P"
"""A page was recognised, and the next may take as long as a whole file without recognition."""

_REQUEST: Final = struct.Struct(">II")
_REPLY: Final = struct.Struct(">cI")


def write_request(pipe: IO[bytes], name: str, content: bytes) -> None:
    """Ask for a file to be read."""
    raw = name.encode("utf-8", errors="replace")
    pipe.write(_REQUEST.pack(len(raw), len(content)) + raw)
    pipe.write(content)
    pipe.flush()


def read_request(pipe: IO[bytes]) -> tuple[str, bytes] | None:
    """The next file's name and content; None when the parent has closed the pipe."""
    head = pipe.read(_REQUEST.size)
    if len(head) < _REQUEST.size:
        return None
    name_size, content_size = _REQUEST.unpack(head)
    name, content = pipe.read(name_size), pipe.read(content_size)
    if len(content) < content_size:
        return None
    return name.decode(), content


def write_reply(pipe: IO[bytes], kind: bytes, body: bytes) -> None:
    """Answer a request."""
    pipe.write(_REPLY.pack(kind, len(body)) + body)
    pipe.flush()


def read_reply(pipe: IO[bytes]) -> tuple[bytes, bytes]:
    """Kind and body of a reply.

    Raises:
        EOFError: the child ended, or says what no child of ours says.
    """
    head = pipe.read(_REPLY.size)
    if len(head) < _REPLY.size:
        raise EOFError
    kind, size = _REPLY.unpack(head)
    if size > limits.REPLY_BYTES:
        raise EOFError
    body = pipe.read(size)
    if len(body) < size:
        raise EOFError
    return kind, body
