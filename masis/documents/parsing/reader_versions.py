"""Numbers what the readers make of each format, so that documents of an older one are known."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from masis.domain import Format

PARSER_VERSIONS: Final[Mapping[Format, int]] = MappingProxyType(
    {
        "csv": 5,
        "doc": 3,
        "docx": 4,
        "eml": 5,
        "epub": 4,
        "html": 4,
        "image": 1,
        "json": 1,
        "md": 2,
        "msg": 5,
        "odt": 3,
        "pdf": 5,
        "pptx": 4,
        "rtf": 3,
        "txt": 2,
        "xls": 5,
        "xlsx": 7,
    }
)
"""The version of each format's reader, raised when it gives another text, structure or date.

Documents of that format that an older reader read are read again by the next `masis ingest` or
`masis sync`. A format that holds others (mail its attachments, EPUB its HTML) is raised with them. A
document from before there were versions counts as older than any.
"""
