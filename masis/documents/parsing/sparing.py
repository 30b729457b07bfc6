"""Lets one unreadable part of a document cost itself alone."""

import contextlib
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final

from lxml.etree import LxmlError

from masis.documents.parsing.document_blocks import BlockCollector
from masis.domain import Place

DAMAGE: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    LxmlError,
    NotImplementedError,
    OSError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""What the parsing libraries raise on damaged files. Anything else ends the child, and the parent
reports it. A `SyntaxError` is that of an XML part."""


@contextlib.contextmanager
def spared(body: BlockCollector, what: str, place: Place | None = None) -> Iterator[None]:
    """Go on after a part that cannot be read, and note that it is left out."""
    try:
        yield
    except DAMAGE:
        body.left_out(what, place)
