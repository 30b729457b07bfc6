"""Numbers what the readers make of each format, so that documents of an older one are known."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from masis.domain import Format

PARSER_VERSIONS: Final[Mapping[Format, int]] = MappingProxyType(
    {
        "csv": 1,
        "doc": 1,
        "docx": 2,
        "eml": 2,
        "epub": 2,
        "html": 2,
        "image": 1,
        "json": 1,
        "md": 1,
        "msg": 2,
        "odt": 1,
        "pdf": 2,
        "pptx": 2,
        "rtf": 1,
        "txt": 1,
        "xls": 1,
        "xlsx": 2,
    }
)
"""The version of each format's reader, raised when it gives another text, structure or date.

Documents of that format that an older reader read are read again by the next `masis ingest` or
`masis sync`. A format that holds others (mail its attachments, EPUB its HTML) is raised with them. A
document from before there were versions counts as older than any.
"""
