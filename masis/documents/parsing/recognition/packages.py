"""Looks into zip packages before any library does: format, size, bombs, locks, macros, hostile XML."""

import io
import re
import zipfile
import zlib
from typing import Final

from masis.documents.parsing import document_limits, refusals
from masis.domain import Format
from masis.errors import DocumentRefused

_MAIN_PARTS: Final[dict[str, Format]] = {
    "word/document.xml": "docx",
    "ppt/presentation.xml": "pptx",
    "xl/workbook.xml": "xlsx",
}
_EPUB_MARK: Final = b"application/epub+zip"
_TEXT_MARK: Final = b"application/vnd.oasis.opendocument.text"
_BOOK_CONTAINER: Final = "META-INF/container.xml"
_OFFICE_XML: Final = (".xml", ".rels")
# Of these only what is read as XML is looked at: the pages of a book are read as HTML is, and may
# name their type, as may the manifest of an OpenDocument.
_XML_PARTS: Final[dict[Format, tuple[str, ...]]] = {
    "epub": (_BOOK_CONTAINER, ".opf"),
    "odt": ("content.xml", "meta.xml", "styles.xml"),
}
_LOCKED_PARTS: Final = ("META-INF/encryption.xml", "META-INF/manifest.xml")
# What mangles the fonts of a book, and no text, is no lock.
_FONT_MANGLERS: Final = (b"http://www.idpf.org/2008/embedding", b"http://ns.adobe.com/pdf/enc#RC")
_ALGORITHM = re.compile(rb"EncryptionMethod[^>]{0,200}Algorithm\s*=\s*[\"']([^\"']{1,200})")
_MIMETYPE_BYTES: Final = 200
_DOCTYPE = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_DECLARED = re.compile(rb"<\?xml[^>]{0,200}encoding\s*=\s*[\"']([A-Za-z0-9_.:-]{1,40})[\"']")
_ENCODINGS: Final = {
    b"utf-8",
    b"utf8",
    b"utf-16",
    b"us-ascii",
    b"ascii",
    b"iso-8859-1",
    b"windows-1252",
}
_BOMS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def package_format(content: bytes) -> Format:
    """The format of a zip package: Office, OpenDocument or book.

    Raises:
        DocumentRefused: it is another kind of archive, broken, locked, too big unpacked, has
            macros, or XML with a document type definition (the home of entity bombs).
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            return _checked(package, len(content))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        raise DocumentRefused(refusals.BROKEN_ZIP) from error
    except RuntimeError as error:  # how zipfile says that an entry is encrypted
        raise DocumentRefused(refusals.ARCHIVE) from error


def _checked(package: zipfile.ZipFile, packed: int) -> Format:
    entries = package.infolist()
    if len(entries) > document_limits.ZIP_ENTRIES:
        raise DocumentRefused(refusals.TOO_MANY_ENTRIES)
    unpacked = sum(entry.file_size for entry in entries)
    bomb = unpacked > max(document_limits.UNPACK_RATIO_FLOOR, document_limits.UNPACK_RATIO * packed)
    if unpacked > document_limits.UNPACKED_BYTES or bomb:
        raise DocumentRefused(refusals.UNPACKS_TOO_BIG)
    names = {entry.filename for entry in entries}
    form = _format(package, names)
    if form in {"odt", "epub"}:
        _refuse_locked(package, names)
    for entry in entries:
        if entry.filename.endswith(_XML_PARTS.get(form, _OFFICE_XML)):
            # zipfile never gives more than the declared size, which was counted above.
            _refuse_hostile_xml(package.read(entry))
    return form


def _format(package: zipfile.ZipFile, names: set[str]) -> Format:
    mark = b""
    if "mimetype" in names:
        with package.open("mimetype") as part:
            mark = part.read(_MIMETYPE_BYTES).strip()
    if _BOOK_CONTAINER in names and (mark == _EPUB_MARK or "mimetype" not in names):
        return "epub"
    if "content.xml" in names and mark:
        if mark.startswith(_TEXT_MARK):
            return "odt"
        raise DocumentRefused(refusals.OPEN_DOCUMENT)
    return _office_format(names)


def _refuse_locked(package: zipfile.ZipFile, names: set[str]) -> None:
    """Refuse a book or an OpenDocument whose parts are encrypted."""
    for name in names.intersection(_LOCKED_PARTS):
        content = package.read(name)
        methods = set(_ALGORITHM.findall(content)) - set(_FONT_MANGLERS)
        if methods or b"encryption-data" in content:
            raise DocumentRefused(refusals.PACKAGE_LOCKED)


def _office_format(names: set[str]) -> Format:
    if any(name.endswith("vbaProject.bin") for name in names):
        raise DocumentRefused(refusals.MACROS)
    if "xl/workbook.bin" in names:
        raise DocumentRefused(refusals.BINARY_WORKBOOK)
    for part, form in _MAIN_PARTS.items():
        if part in names:
            return form
    # A few writers name the main part differently; the folder still tells.
    for folder, form in (("word/", "docx"), ("ppt/", "pptx"), ("xl/", "xlsx")):
        if "[Content_Types].xml" in names and any(name.startswith(folder) for name in names):
            return form
    raise DocumentRefused(refusals.ARCHIVE)


def _refuse_hostile_xml(content: bytes) -> None:
    plain = content
    for mark in _BOMS:
        plain = plain.removeprefix(mark)
    if b"\x00" in plain[:200]:  # UTF-16: what matters here is ASCII
        plain = plain.replace(b"\x00", b"")
    declared = _DECLARED.match(plain)
    known = declared is None or declared[1].lower() in _ENCODINGS
    if plain.strip() and not (plain.lstrip().startswith(b"<") and known):
        raise DocumentRefused(refusals.XML_ENCODING)
    if _DOCTYPE.search(plain):
        raise DocumentRefused(refusals.XML_WITH_DTD)
