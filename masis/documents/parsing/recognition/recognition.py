"""Decides a document's format by its content, and refuses what is none of those that are read."""

import csv
import io
import re
from pathlib import PurePath
from typing import Final

from masis.documents.parsing import refusals
from masis.documents.parsing.decoding import decoded
from masis.documents.parsing.json_values import is_json
from masis.documents.parsing.recognition.containers import container_format
from masis.documents.parsing.recognition.packages import package_format
from masis.domain import Format
from masis.errors import DocumentRefused

_ARCHIVES: Final = (b"\x1f\x8b", b"BZh", b"7z\xbc\xaf\x27\x1c", b"Rar!", b"\xfd7zXZ\x00", b"MSCF")
_IMAGES: Final = (b"\x89PNG", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*")
_OTHER_IMAGES: Final = (b"GIF8", b"BM", b"\x00\x00\x01\x00", b"8BPS")
_MEDIA: Final = (b"ID3", b"OggS", b"fLaC", b"\x1aE\xdf\xa3", b"\xff\xfb")
_RIFF_IMAGE: Final = b"WEBP"
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PROGRAMS: Final = (
    b"\x7fELF",
    b"MZ\x90",
    b"\xca\xfe\xba\xbe",
    b"SQLite format 3",
    b"\xcf\xfa\xed\xfe",
)
_HTML = re.compile(
    r"\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?><!--.{0,2000}?-->\s*)*+<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_MARKUP = re.compile(r"</?(?:p|div|h[1-6]|table|tr|td|ul|ol|li|span|title|meta)\b", re.IGNORECASE)
_MAIL = re.compile(
    r"(?:From [^\n]{1,1000}\n)?(?:[A-Za-z-]{2,40}:[^\n]{0,1000}\n(?:[ \t][^\n]{0,1000}\n){0,50}){3,}"
)
_HEADER = re.compile(r"[A-Za-z-]{2,40}:[ \t]?\S")
_MAIL_FIELDS = ("mime-version:", "message-id:", "received:", "content-transfer-encoding:")
_NAMED: Final[dict[str, Format]] = {
    ".md": "md",
    ".markdown": "md",
    ".mdown": "md",
    ".csv": "csv",
    ".tsv": "csv",
}
_SAMPLE = 64 * 1024
_MARKUP_COUNT = 5
_FEWEST_CSV_LINES = 3


def recognise(name: str, content: bytes) -> Format:
    """The format of the content; the name only tells apart what content cannot (md, txt, csv).

    Raises:
        DocumentRefused: the content is none of the formats that are read.
    """
    if not content:
        raise DocumentRefused(refusals.EMPTY)
    head = content[:1024].lstrip(b"\x00\t\n\r\x0c ")
    if content.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return package_format(content)
    if content.startswith(_OLE):
        return container_format(content)
    marked: tuple[tuple[bool, Format], ...] = (
        (b"%PDF-" in content[:1024], "pdf"),
        (content.startswith(_IMAGES), "image"),
        ((content[:4], content[8:12]) == (b"RIFF", _RIFF_IMAGE), "image"),
        (head.startswith(b"{\\rtf"), "rtf"),
    )
    if form := next((form for found, form in marked if found), None):
        return form
    _refuse_other_binaries(content)
    text = decoded(content)
    if is_json(text):
        return "json"
    return _text_format(name, text[:_SAMPLE])


def _refuse_other_binaries(content: bytes) -> None:
    if content.startswith(_ARCHIVES) or content[257:262] == b"ustar":
        raise DocumentRefused(refusals.ARCHIVE)
    bitmap = content.startswith(b"BM") and b"\x00" not in content[:64]  # text that begins with BM
    if content.startswith(_OTHER_IMAGES) and not bitmap:
        raise DocumentRefused(refusals.IMAGE_KIND)
    if content.startswith(_MEDIA) or content[4:8] == b"ftyp" or content[:4] == b"RIFF":
        raise DocumentRefused(refusals.MEDIA)
    if content.startswith(_PROGRAMS):
        raise DocumentRefused(refusals.BINARY)


def _text_format(name: str, sample: str) -> Format:
    suffix = PurePath(name).suffix.lower()
    if _is_mail(sample) or (suffix == ".eml" and _HEADER.match(sample)):
        return "eml"
    if suffix == ".svg" or re.match(r"\s*(?:<\?xml[^>]*>\s*)?<svg\b", sample):
        raise DocumentRefused(refusals.IMAGE_KIND)
    if _HTML.match(sample):
        return "html"
    if suffix in {".html", ".htm", ".xhtml"}:
        return "html" if _MARKUP.search(sample) else "txt"
    if suffix in _NAMED:
        return _NAMED[suffix]
    if suffix not in {".txt", ".text", ".log"} and len(_MARKUP.findall(sample)) >= _MARKUP_COUNT:
        return "html"
    return "csv" if is_delimited(sample) else "txt"


def _is_mail(sample: str) -> bool:
    header = _MAIL.match(sample.replace("\r\n", "\n")[:8192])
    return bool(header) and any(field in header[0].lower() for field in _MAIL_FIELDS)  # type: ignore[index] # bool(header) is the check


def is_delimited(sample: str) -> bool:
    """Say whether every line has the same number of tabs, semicolons or commas.

    The number is over one.
    """
    lines = [line for line in sample.splitlines()[:50] if line.strip()]
    if len(lines) < _FEWEST_CSV_LINES:
        return False
    for delimiter in ("\t", ";", ","):
        rows = list(csv.reader(io.StringIO("\n".join(lines[:-1])), delimiter=delimiter))
        widths = {len(row) for row in rows}
        shortish = all(len(cell) < 60 for row in rows for cell in row)
        if len(widths) == 1 and widths.pop() > 2 and shortish:
            return True
    return False
