"""Numbers what the readers make of each format, so that documents of an older one are known."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from masis.domain import Format

PARSER_VERSIONS: Final[Mapping[Format, int]] = MappingProxyType(
    {
        "csv": 3,
        "doc": 2,
        "docx": 3,
        "eml": 4,
        "epub": 3,
        "html": 3,
        "image": 1,
        "json": 1,
        "md": 2,
        "msg": 4,
        "odt": 2,
        "pdf": 4,
        "pptx": 3,
        "rtf": 2,
        "txt": 2,
        "xls": 3,
        "xlsx": 5,
    }
)
"""The version of each format's reader, raised when it gives another text, structure or date.

Documents of that format that an older reader read are read again by the next `masis ingest` or
`masis sync`. A format that holds others (mail its attachments, EPUB its HTML) is raised with them. A
document from before there were versions counts as older than any.
"""
