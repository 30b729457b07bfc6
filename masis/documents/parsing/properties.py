"""Read what files of office programs say about themselves, beside title and dates."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from lxml.etree import _Element

from masis.documents.parsing import xml_parts

_CORE: Final = ("author", "category", "keywords", "subject")
_LEFT_BY_LIBRARIES: Final = {"python-docx", "Steve Canny", "openpyxl", "Apache POI"}
"""Authors that libraries leave in files whose author set none."""
_APPLICATION: Final = ("Company", "Manager")
_LEFT_BY_PROGRAMS: Final = {
    "complianceassetid", "contenttypeid", "grammarlydocumentid", "icv", "ksoproductbuildver",
    "mediaserviceimagetags", "triggerflowinfo", "xd_progid", "xd_signature",
}  # fmt: skip
"""Custom properties that SharePoint and others write for themselves."""
MOST_READ: Final = 200
"""Custom properties of a file that are looked at."""

Pairs = list[tuple[str, str]]


def core_fields(properties: Any) -> Pairs:
    """The common properties of a file of Word, PowerPoint or Excel."""
    # What the others call author is the creator in openpyxl.
    said = [(name, getattr(properties, name, None)) for name in (*_CORE, "creator")]
    named = [("author" if name == "creator" else name, str(value or "")) for name, value in said]
    return by_people(named)


def by_people(pairs: Iterable[tuple[str, str]]) -> Pairs:
    """Return what people say of a file, without what libraries say of themselves."""
    return [(name, value) for name, value in pairs if value and value not in _LEFT_BY_LIBRARIES]


def further_fields(content: bytes) -> Pairs:
    """The company and manager of such a file, and the properties that its author named."""
    with xml_parts.opened(content) as package:
        application = xml_parts.part(package, "docProps/app.xml")
        custom = xml_parts.part(package, "docProps/custom.xml")
    found: Pairs = []
    if application is not None:
        found += [(name, application.findtext(f"{{*}}{name}", "")) for name in _APPLICATION]
    if custom is not None:
        found += [pair for pair in _custom(custom) if pair[0].casefold() not in _LEFT_BY_PROGRAMS]
    return found


def _custom(root: _Element) -> Iterator[tuple[str, str]]:
    """The custom properties that are one plain value."""
    for named in islice(root.iterfind("{*}property"), MOST_READ):
        values = list(named)
        if len(values) == 1 and not len(values[0]):
            yield named.get("name", ""), values[0].text or ""
