"""Reads books (EPUB): chapters in the order of the spine."""

import datetime as dt
import posixpath
import zipfile
from collections.abc import Iterator
from itertools import islice
from typing import Final
from urllib.parse import unquote

from lxml.etree import _Element

from masis.documents.parsing import document_limits, refusals, xml_parts
from masis.documents.parsing.cleaning import one_line
from masis.documents.parsing.dates import metadata_date
from masis.documents.parsing.document_blocks import BlockCollector
from masis.documents.parsing.formats.read_html import add_page, page_links
from masis.documents.parsing.properties import MOST_READ
from masis.documents.parsing.recognition.read_document import Reading
from masis.documents.parsing.sparing import spared
from masis.errors import DocumentRefused

_CONTAINER: Final = "META-INF/container.xml"
_PAGE_TYPES: Final = {"application/xhtml+xml", "text/html", "application/x-dtbook+xml"}
_FIELDS: Final = {"creator": "author", "publisher": "publisher", "subject": "subject"}
_NCX: Final = "application/x-dtbncx+xml"


def read(name: str, content: bytes) -> Reading:
    """Read a book; its tables of contents only name the chapters that do not name themselves."""
    del name
    with xml_parts.opened(content) as package:
        book = _Book(package)
        reading = Reading(book.title, book.date, book.fields)
        for path in book.chapters():
            with spared(reading.body, f"a chapter, {posixpath.basename(path)}"):
                _add_chapter(reading.body, package, path, book.names)
    return reading


class _Book:
    """Read what the package document says: title, date, the chapters and their names."""

    def __init__(self, package: zipfile.ZipFile) -> None:
        self._package = package
        container = xml_parts.part(package, _CONTAINER)
        root = None if container is None else container.find(".//{*}rootfile")
        where = "" if root is None else root.get("full-path", "")
        document = xml_parts.part(package, where)
        if document is None:
            raise DocumentRefused(refusals.DAMAGED)
        self._folder = posixpath.dirname(where)
        self._document = document
        self._items = {item.get("id"): item for item in document.iterfind(".//{*}manifest/{*}item")}
        self.title = one_line(document.findtext(".//{*}metadata/{*}title", ""))
        self.date = _stated_date(document)
        self.fields = list(_stated_fields(document))
        self.names = dict(self._names())

    def chapters(self) -> Iterator[str]:
        """The paths of the pages in reading order, without the table of contents."""
        for number, reference in enumerate(self._document.iterfind(".//{*}spine/{*}itemref")):
            if number >= document_limits.BOOK_PARTS:
                raise DocumentRefused(refusals.TOO_MANY_CHAPTERS)
            item = self._items.get(reference.get("idref"))
            if (
                item is not None
                and item.get("media-type") in _PAGE_TYPES
                and not _is_contents(item)
            ):
                yield self._path(item)

    def _path(self, item: _Element) -> str:
        return _joined(self._folder, item.get("href", ""))

    def _names(self) -> Iterator[tuple[str, str]]:
        """Yield what the tables of contents call the pages. Of several names the first counts."""
        found: list[tuple[str, str]] = []
        for item in self._items.values():
            path = self._path(item)
            folder = posixpath.dirname(path)
            if item.get("media-type") == _NCX:
                links = list(_ncx_links(xml_parts.part(self._package, path)))
            elif _is_contents(item) and path in self._package.NameToInfo:
                links = page_links(self._package.read(path))
            else:
                continue
            found += [(_joined(folder, target), label) for target, label in links]
        yield from reversed(found)


def _is_contents(item: _Element) -> bool:
    return "nav" in item.get("properties", "").split()


def _stated_date(document: _Element) -> dt.date | None:
    dates = document.iterfind(".//{*}metadata/{*}date")
    return next((date for one in dates if (date := metadata_date(one.text or ""))), None)


def _stated_fields(document: _Element) -> Iterator[tuple[str, str]]:
    for name, field in _FIELDS.items():
        said = islice(document.iterfind(f".//{{*}}metadata/{{*}}{name}"), MOST_READ)
        yield field, ", ".join(one.text for one in said if one.text)


def _ncx_links(root: _Element | None) -> Iterator[tuple[str, str]]:
    for point in () if root is None else root.iter("{*}navPoint"):
        content = point.find("{*}content")
        label = one_line(point.findtext("{*}navLabel/{*}text", ""))
        if content is not None:
            yield content.get("src", ""), label


def _joined(folder: str, target: str) -> str:
    """The path of a link's target inside the package, without its fragment."""
    return posixpath.normpath(posixpath.join(folder, unquote(target.partition("#")[0])))


def _add_chapter(
    body: BlockCollector, package: zipfile.ZipFile, path: str, names: dict[str, str]
) -> None:
    try:
        content = package.read(path)
    except KeyError:
        body.note(f"The book lists a part that it does not hold: {posixpath.basename(path)}.")
        return
    chapter = BlockCollector()
    add_page(chapter, content)
    name = names.get(path, "")
    if chapter.blocks and name and not any(block.kind == "heading" for block in chapter.blocks):
        body.heading(name, 1)
        if chapter.blocks[0].text.casefold() == name.casefold():  # a heading by its looks alone
            del chapter.blocks[0]
    body.extend(chapter)
