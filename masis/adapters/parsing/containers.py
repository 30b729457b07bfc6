"""Looks into OLE containers, which old Office files and Outlook messages are."""

import io
from typing import Final

import olefile

from masis.adapters.parsing import texts
from masis.domain import Format
from masis.errors import DocumentRefused

_STREAMS: Final[dict[str, Format]] = {
    "worddocument": "doc",
    "workbook": "xls",
    "book": "xls",
    "__properties_version1.0": "msg",
}
_MACROS: Final = {"macros", "_vba_project_cur"}


def opened(content: bytes) -> olefile.OleFileIO:
    """The container in memory.

    Raises:
        DocumentRefused: it is damaged.
    """
    try:
        return olefile.OleFileIO(io.BytesIO(content))
    except (OSError, ValueError, IndexError) as error:
        raise DocumentRefused(texts.DAMAGED) from error


def container_format(content: bytes) -> Format:
    """The format of an OLE container.

    Raises:
        DocumentRefused: it is of another kind, locked or damaged, or has macros.
    """
    with opened(content) as container:
        names = {entry[0].lower() for entry in container.listdir(streams=True, storages=True)}
    if "encryptedpackage" in names:
        raise DocumentRefused(texts.OFFICE_LOCKED)
    if names & _MACROS:
        raise DocumentRefused(texts.MACROS)
    for stream, form in _STREAMS.items():
        if stream in names:
            return form
    raise DocumentRefused(texts.LEGACY_OFFICE)
