"""Rebuilds a workbook of what its values need, for one whose other parts are damaged or unknown."""

import io
import re
import zipfile
from typing import Final

from lxml import etree
from lxml.etree import _Element

from masis.documents.parsing import xml_parts

_SHEETS: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATIONS: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_WORKBOOK, _NAMED, _STYLES = "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml"
_STRINGS: Final = "xl/sharedStrings.xml"
_TYPES: Final = "[Content_Types].xml"
_KEPT: Final = re.compile(r"xl/(?:worksheets/[^/]+|sharedStrings|workbook|_rels/workbook)\.xml.*")
_READ_KINDS: Final = {"worksheet", "sharedStrings", "styles"}
_KEPT_OF_WORKBOOK: Final = {f"{_SHEETS}{name}" for name in ("workbookPr", "sheets")}
_UNKNOWN_STYLES: Final = 1_000
"""Cells name their style by its number, where the styles are lost too."""
_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_WITHOUT_VALUE = re.compile(
    rb"<f(?:\s[^<>]{0,500})?(?:/>|>[^<]{0,9000}</f>)\s*(?:<v\s*/>|<v></v>|</c>)"
)
"""A formula whose result is not stored: a program wrote the file, and no one has calculated it."""


def only_values(content: bytes) -> bytes:
    """The workbook with its sheets, texts and number formats alone.

    Raises:
        KeyError: there is no workbook in it.
    """
    written = io.BytesIO()
    with (
        xml_parts.opened(content) as package,
        zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as made,
    ):
        names = package.namelist()
        sheets = _readable_sheets(package, names)
        for name in names:
            if _KEPT.fullmatch(name) and name not in {_WORKBOOK, _NAMED}:
                made.writestr(name, _mended(package, name))
        made.writestr(_WORKBOOK, _workbook(package, sheets))
        made.writestr(_NAMED, _relations(package, sheets))
        made.writestr(_STYLES, _number_formats(xml_parts.part(package, _STYLES)))
        made.writestr(_TYPES, _types(names))
    return written.getvalue()


def formulas_without_value(content: bytes) -> int:
    """Count the formulas that have no stored result. Their cells are empty here."""
    with xml_parts.opened(content) as package:
        return sum(
            sum(1 for _ in _WITHOUT_VALUE.finditer(package.read(name)))
            for name in package.namelist()
            if name.startswith("xl/worksheets/") and name.endswith(".xml")
        )


def _mended(package: zipfile.ZipFile, name: str) -> bytes:
    """A part whose XML is whole, as far as it can be told; without content where nothing can."""
    content = package.read(name)
    try:
        etree.fromstring(content, etree.XMLParser(resolve_entities=False, huge_tree=True))
    except etree.LxmlError:
        root = xml_parts.part(package, name)
        name = "sst" if name == _STRINGS else "worksheet"
        return etree.tostring(etree.Element(f"{_SHEETS}{name}") if root is None else root)
    return content


def _named(package: zipfile.ZipFile) -> list[_Element]:
    root = xml_parts.part(package, _NAMED)
    if root is None:
        raise KeyError(_NAMED)
    return list(root.iter("{*}Relationship"))


def _readable_sheets(package: zipfile.ZipFile, names: list[str]) -> set[str]:
    """The ids of the sheets that hold cells and are there."""
    return {
        each.get("Id", "")
        for each in _named(package)
        if each.get("Type", "").endswith("/worksheet")
        and each.get("Target", "").rpartition("/")[2] in {name.rpartition("/")[2] for name in names}
    }


def _workbook(package: zipfile.ZipFile, sheets: set[str]) -> bytes:
    root = xml_parts.part(package, _WORKBOOK)
    if root is None:
        raise KeyError(_WORKBOOK)
    for child in list(root):
        if child.tag not in _KEPT_OF_WORKBOOK:
            root.remove(child)
    for sheet in list(root.iter(f"{_SHEETS}sheet")):
        parent = sheet.getparent()
        if parent is not None and sheet.get(f"{_RELATIONS}id") not in sheets:
            parent.remove(sheet)
    return etree.tostring(root)


def _relations(package: zipfile.ZipFile, sheets: set[str]) -> bytes:
    root = etree.Element(
        "{http://schemas.openxmlformats.org/package/2006/relationships}Relationships"
    )
    for each in _named(package):
        kind = each.get("Type", "").rpartition("/")[2]
        if kind in _READ_KINDS and (kind != "worksheet" or each.get("Id") in sheets):
            root.append(each)
    return etree.tostring(root)


def _number_formats(styles: _Element | None) -> bytes:
    """Styles that say how values are shown, and nothing of fonts, fills and borders."""
    root = etree.Element(f"{_SHEETS}styleSheet")
    if styles is not None:
        root.extend(styles.findall(f"{_SHEETS}numFmts"))
    for path in ("fonts/font", "fills/fill/patternFill", "borders/border"):
        group = root
        for name in path.split("/"):
            group = etree.SubElement(group, f"{_SHEETS}{name}")
    formats = etree.SubElement(root, f"{_SHEETS}cellXfs")
    stated = [] if styles is None else styles.findall(f"{_SHEETS}cellXfs/{_SHEETS}xf")
    numbers = [each.get("numFmtId", "0") for each in stated] or ["0"] * _UNKNOWN_STYLES
    for number in numbers:
        etree.SubElement(formats, f"{_SHEETS}xf", numFmtId=number if number.isdecimal() else "0")
    return etree.tostring(root)


def _types(names: list[str]) -> str:
    sheets = [name for name in names if name.startswith("xl/worksheets/") and _KEPT.fullmatch(name)]
    parts = {
        _WORKBOOK: "sheet.main",
        _STYLES: "styles",
        **({_STRINGS: "sharedStrings"} if _STRINGS in names else {}),
        **dict.fromkeys(sheets, "worksheet"),
    }
    root = etree.Element("{http://schemas.openxmlformats.org/package/2006/content-types}Types")
    etree.SubElement(
        root,
        "Default",
        Extension="rels",
        ContentType="application/vnd.openxmlformats-package.relationships+xml",
    )
    for name, kind in parts.items():
        etree.SubElement(root, "Override", PartName=f"/{name}", ContentType=f"{_TYPE}.{kind}+xml")
    return etree.tostring(root).decode()
