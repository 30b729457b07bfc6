"""Opens packages of Word and PowerPoint part by part: one that is damaged costs itself alone."""

import datetime as dt
import posixpath
import re
import zipfile
import zlib
from types import TracebackType
from typing import Final, NamedTuple, Self
from urllib.parse import unquote

from lxml import etree
from lxml.etree import _Element

from masis.documents.parsing import refusals, xml_parts
from masis.documents.parsing.dates import metadata_date
from masis.documents.parsing.properties import by_people, further_fields
from masis.documents.parsing.recognition.read_document import Reading
from masis.errors import DocumentRefused

_CORE: Final = "docProps/core.xml"
_FIELDS: Final = {
    "author": "creator",
    "category": "category",
    "keywords": "keywords",
    "subject": "subject",
}
_RELATIONS: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w{1,40})/(\w{1,40})")
"""How the names of elements begin in files that are saved as "Strict Open XML"."""
_CHOICES: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"


class Relation(NamedTuple):
    """Hold what a part says of another: the last word of its type, and its path in the package."""

    kind: str
    path: str


class OfficePackage:
    """The parts of a package by their paths, and what they name of each other."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._package = xml_parts.opened(content)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._package.close()

    def main(self, usual: str) -> tuple[str, _Element]:
        """The path and root of the main part, which the package names, or that stands at `usual`.

        Raises:
            DocumentRefused: there is none, or it is damaged.
        """
        named = [each.path for each in self.relations("").values() if each.kind == "officeDocument"]
        for path in [*named, usual]:
            if path in self._package.NameToInfo:
                return path, self._whole(path)
        raise DocumentRefused(refusals.DAMAGED)

    def _whole(self, path: str) -> _Element:
        """The root of a part that must not be damaged."""
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        try:
            return etree.fromstring(_usual(self._package.read(path)), parser)
        except (etree.LxmlError, zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise DocumentRefused(refusals.DAMAGED) from error

    def part(self, path: str) -> _Element | None:
        """The root of a part; None where it is not there, or cannot be read."""
        try:
            return xml_parts.part(self._package, path, _usual)
        except (etree.LxmlError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError):
            return None

    def relations(self, path: str) -> dict[str, Relation]:
        """Return the parts that a part names, by the id that it uses.

        What lies outside the package is left out.
        """
        folder, name = posixpath.split(path)
        root = self.part(posixpath.join(folder, "_rels", f"{name}.rels"))
        return {
            each.get("Id", ""): Relation(
                each.get("Type", "").rpartition("/")[2], _joined(folder, each.get("Target", ""))
            )
            for each in (() if root is None else root.iter("{*}Relationship"))
            if each.get("TargetMode") != "External"
        }

    def related(self, path: str, kind: str) -> _Element | None:
        """The first part of that kind that a part names."""
        named = [each.path for each in self.relations(path).values() if each.kind == kind]
        return self.part(named[0]) if named else None

    def properties_into(self, reading: Reading) -> None:
        """Fill in what the file says about itself."""
        reading.fields = self._fields()
        core = self.part(_CORE)
        if core is not None:
            reading.title = core.findtext("{*}title") or ""
            stamps = (core.findtext(f"{{*}}{name}", "") for name in ("modified", "created"))
            dated: list[dt.date | None] = [metadata_date(stamp) for stamp in stamps]
            reading.date = next((date for date in dated if date), None)

    def _fields(self) -> list[tuple[str, str]]:
        core = self.part(_CORE)
        said = [] if core is None else [(k, core.findtext(f"{{*}}{v}")) for k, v in _FIELDS.items()]
        return by_people((key, value or "") for key, value in said) + further_fields(self._content)


def related_id(element: _Element, name: str = "id") -> str:
    """The id under which an element names another part; empty where it names none."""
    return element.get(f"{_RELATIONS}{name}", "")


def chosen(element: _Element) -> _Element | None:
    """Of alternatives for newer and older programs the first that says something."""
    choices = element.findall(f"{_CHOICES}Choice") + element.findall(f"{_CHOICES}Fallback")
    return next((each for each in choices if len(each)), None)


def _usual(content: bytes) -> bytes:
    """A part with the names that elements have in most files."""
    return _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", content)


def _joined(folder: str, target: str) -> str:
    """The path of a target that is named in a folder; one with a slash begins at the root."""
    target = unquote(target.partition("#")[0])
    if target.startswith("/"):
        return posixpath.normpath(target.lstrip("/"))
    return posixpath.normpath(posixpath.join(folder, target))
