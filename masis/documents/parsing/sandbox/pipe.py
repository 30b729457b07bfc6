"""Define what parent and child say to each other over the pipes.

A request is two lengths, a name and a file; a reply is one letter, a length and a body: the
document as JSON, or the reason of a refusal. Before it may come replies without a body, which ask
for more time, the document's whole tables, and its blocks in portions: who reads half a million of them in one step
lets no other thread of the process do anything for seconds.
"""

import struct
from collections.abc import Iterator
from typing import IO, Annotated, Final

from pydantic import Field, TypeAdapter

from masis.documents.parsing import document_limits
from masis.domain import Block, ParsedDocument
from masis.tables import packing
from masis.values.tabular import PackedTable

DOCUMENT: Final = b"D"
REFUSED: Final = b"R"
EXHAUSTED: Final = b"M"
"""Refused for lack of memory: the child ends after it, and a fresh one may fare better."""

BLOCKS: Final = b"B"
"""The next blocks of the document that follows."""

TABLE: Final = b"T"
"""A whole table of the document that follows, as `masis.tables.packing` writes it."""

RECOGNISED: Final = b"P"
"""A page was recognised, and the next may take as long as a whole file without recognition."""

MOST_PORTIONS: Final = document_limits.BLOCKS // document_limits.BLOCKS_AT_ONCE + 1

_PORTION: Final = TypeAdapter(
    Annotated[list[Block], Field(max_length=document_limits.BLOCKS_AT_ONCE, fail_fast=True)]
)
read_portion: Final = _PORTION.validate_json
"""Gives the blocks of a portion; a ValueError says that these are none, or too many."""
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


def write_document(pipe: IO[bytes], document: ParsedDocument) -> None:
    """Answer with a document: its blocks in portions, then what is said of all of it."""
    for portion in _portions(document.blocks):
        # Without what is usual: blocks then share one place that says nothing, and the collector
        # of garbage, which lets nobody else run meanwhile, has half as much to look through.
        write_reply(pipe, BLOCKS, _PORTION.dump_json(portion, exclude_defaults=True))
    for table in document.tables:
        write_reply(pipe, TABLE, packing.framed(table))
    rest = document.model_copy(update={"blocks": [], "tables": []})
    write_reply(pipe, DOCUMENT, rest.model_dump_json().encode())


def _portions(blocks: list[Block]) -> Iterator[list[Block]]:
    for start in range(0, len(blocks), document_limits.BLOCKS_AT_ONCE):
        yield blocks[start : start + document_limits.BLOCKS_AT_ONCE]


def whole(body: bytes, blocks: list[Block], tables: list[PackedTable]) -> ParsedDocument:
    """The document that a reply says, with the blocks and tables that came before it.

    Raises:
        ValueError: it is none, or has blocks of its own, which nothing bounds.
    """
    document = ParsedDocument.model_validate_json(body)
    if document.blocks or document.tables:
        raise ValueError("blocks beside the portions")
    return document.model_copy(update={"blocks": blocks, "tables": tables})


def read_reply(pipe: IO[bytes]) -> tuple[bytes, bytes]:
    """Kind and body of a reply.

    Raises:
        EOFError: the child ended, or says what no child of ours says.
    """
    head = pipe.read(_REPLY.size)
    if len(head) < _REPLY.size:
        raise EOFError
    kind, size = _REPLY.unpack(head)
    if size > document_limits.REPLY_BYTES:
        raise EOFError
    body = pipe.read(size)
    if len(body) < size:
        raise EOFError
    return kind, body
