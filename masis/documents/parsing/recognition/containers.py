"""Looks into OLE containers, which old Office files and Outlook messages are."""

import codecs
import io
from typing import Final

import olefile

from masis.documents.parsing import refusals
from masis.documents.parsing.properties import by_people
from masis.domain import Format
from masis.errors import DocumentRefused

_STREAMS: Final[dict[str, Format]] = {
    "worddocument": "doc",
    "workbook": "xls",
    "book": "xls",
    "__properties_version1.0": "msg",
}
_PROPERTIES: Final = ("author", "category", "keywords", "subject", "company", "manager")
_UTF_8: Final = 65001
_MACROS: Final = {"macros", "_vba_project_cur"}
_MOST_VALUES: Final = 10_000
"""Of a container's properties; office programs write some dozens."""


class _Container(olefile.OleFileIO):  # type: ignore[misc]
    """A container whose properties are bounded: a damaged one counts four thousand million of no size."""

    values_read = 0

    def _parse_property_basic(self, *args: object) -> object:
        self.values_read += 1
        if self.values_read > _MOST_VALUES:
            raise OSError("the container has more properties than any program writes")
        return super()._parse_property_basic(*args)


def opened(content: bytes) -> olefile.OleFileIO:
    """The container in memory.

    Raises:
        DocumentRefused: it is damaged.
    """
    try:
        return _Container(io.BytesIO(content))
    except (OSError, ValueError, IndexError) as error:
        raise DocumentRefused(refusals.DAMAGED) from error


def stated_fields(container: olefile.OleFileIO) -> list[tuple[str, str]]:
    """Read what an old Office file says about itself, beside title and dates."""
    metadata = container.get_metadata()
    pairs = ((name, getattr(metadata, name)) for name in _PROPERTIES)
    return by_people((name, stated_text(value, metadata.codepage)) for name, value in pairs)


def stated_text(value: object, code_page: int | None) -> str:
    """A property in words; `code_page` is the signed number that the file has for its bytes."""
    if not isinstance(value, bytes):
        return str(value or "")
    try:
        number = (code_page or 0) & 0xFFFF
        encoding = codecs.lookup("utf-8" if number == _UTF_8 else f"cp{number}").name
    except LookupError:
        encoding = "cp1252"
    return value.decode(encoding, "replace").rstrip("\0")


def container_format(content: bytes) -> Format:
    """The format of an OLE container.

    Raises:
        DocumentRefused: it is of another kind, locked or damaged, or has macros.
    """
    with opened(content) as container:
        names = {entry[0].lower() for entry in container.listdir(streams=True, storages=True)}
    if "encryptedpackage" in names:
        raise DocumentRefused(refusals.OFFICE_LOCKED)
    if names & _MACROS:
        raise DocumentRefused(refusals.MACROS)
    for stream, form in _STREAMS.items():
        if stream in names:
            return form
    raise DocumentRefused(refusals.LEGACY_OFFICE)
