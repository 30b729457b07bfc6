import contextlib
import io
import struct
import zipfile
from collections.abc import Mapping

import openpyxl
import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.documents.parsing import document_limits, ocr, refusals
from masis.documents.parsing.recognition import packages
from masis.documents.parsing.recognition.read_document import read_document
from masis.documents.parsing.sparing import DAMAGE
from masis.errors import DocumentRefused
from tests.examples import examples

NO_PDF_TEXT = refusals.PDF_BLANK if ocr.available() else refusals.PDF_SCANNED
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def refusal(name: str, content: bytes) -> str:
    with pytest.raises(DocumentRefused) as caught:
        read_document(name, content)
    return str(caught.value)


def package(parts: Mapping[str, bytes | str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in parts.items():
            made.writestr(name, content)
    return stream.getvalue()


def office(main: str, xml: bytes | str = "<x/>", **more: bytes) -> bytes:
    return package({"[Content_Types].xml": "<Types/>", main: xml, **more})


def empty_pdf(password: str | None = None) -> bytes:
    writer = pypdf.PdfWriter()
    writer.add_blank_page(200, 200)
    if password is not None:
        writer.encrypt(password, algorithm="AES-256")
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.txt", b"", refusals.EMPTY),
        ("a.txt", b" \n\n\t ", refusals.NO_TEXT),
        ("a.md", b"<!-- nothing -->", refusals.NO_TEXT),
        ("a.html", b"<html><!-- nothing --></html>", refusals.NO_TEXT),
        ("a.doc", OLE + b"\x00" * 600, refusals.DAMAGED),
        ("a.zip", package({"a.txt": "hello"}), refusals.ARCHIVE),
        ("a.gz", b"\x1f\x8b\x08" + b"\x00" * 20, refusals.ARCHIVE),
        ("a.7z", b"7z\xbc\xaf\x27\x1c....", refusals.ARCHIVE),
        ("a.docm", office("word/document.xml", **{"word/vbaProject.bin": b"x"}), refusals.MACROS),
        ("a.xlsb", office("xl/workbook.bin"), refusals.BINARY_WORKBOOK),
        ("a.gif", b"GIF89a....", refusals.IMAGE_KIND),
        (
            "a.svg",
            b"<svg xmlns='http://www.w3.org/2000/svg'><text>x</text></svg>",
            refusals.IMAGE_KIND,
        ),
        ("a.mp4", b"\x00\x00\x00\x18ftypmp42", refusals.MEDIA),
        ("a.exe", b"MZ\x90\x00\x03", refusals.BINARY),
        ("a.txt", bytes(range(256)) * 20, refusals.BINARY),
        ("a.txt", b"\xff\xfe" + b"\x00\xd8" * 3, refusals.ENCODING),
        ("a.docx", b"PK\x03\x04 and nothing more", refusals.BROKEN_ZIP),
        ("a.pdf", b"%PDF-1.7 and nothing more", refusals.DAMAGED),
        ("a.pdf", empty_pdf(), NO_PDF_TEXT),
        ("a.pdf", empty_pdf("secret"), refusals.PDF_LOCKED),
        ("a.pdf", empty_pdf(""), NO_PDF_TEXT),
    ],
    ids=lambda value: value[:24] if isinstance(value, str) else None,
)
def test_unreadable_file_is_refused_with_reason(name: str, content: bytes, reason: str) -> None:
    """What cannot be read is refused with its reason."""
    assert refusal(name, content) == reason


def test_every_reason_is_a_sentence() -> None:
    sentences = [value for name, value in vars(refusals).items() if name.isupper()]
    assert all(text[0].isupper() and text.endswith(".") for text in sentences)
    assert len(set(sentences)) == len(sentences)


def test_content_decides_and_not_the_name() -> None:
    assert read_document("report.txt", small_workbook()).format == "xlsx"
    assert read_document("x.pdf", b"just words").format == "txt"
    assert read_document("x", b"<!-- a --><!doctype html><p>hello").format == "html"
    assert read_document("x.md", b"a,b,c\n1,2,3\n4,5,6\n").format == "md"
    assert read_document("x", b"a,b,c\n1,2,3\n4,5,6\n7,8,9\n").format == "csv"
    assert read_document("x.txt", b"BM is no bitmap here, only words").format == "txt"


DTD = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>'


@pytest.mark.parametrize("main", ["word/document.xml", "ppt/presentation.xml", "xl/workbook.xml"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xml_with_doctype_is_refused(main: str, encoding: str) -> None:
    """Xml with a document type is refused."""
    assert refusal("a.docx", office(main, DTD.encode(encoding))) == refusals.XML_WITH_DTD


def test_doctype_in_any_part_is_refused() -> None:
    """A document type in any part is refused."""
    hostile = office("word/document.xml", **{"word/_rels/document.xml.rels": DTD.encode()})
    assert refusal("a.docx", hostile) == refusals.XML_WITH_DTD


@pytest.mark.parametrize(
    "xml", [b"\x4c\x6f\xa7\x94\x93", b"<?xml version='1.0' encoding='utf-7'?><x/>"]
)
def test_unusual_encoding_cannot_hide_doctype(xml: bytes) -> None:
    """Xml in an unusual encoding cannot hide one."""
    assert refusal("a.docx", office("word/document.xml", xml)) == refusals.XML_ENCODING


def test_package_expanding_too_much_is_refused() -> None:
    """A package that unpacks to too much is refused."""
    bomb = office("word/document.xml", b"<x>" + b" " * (12 * 1024**2) + b"</x>")
    assert len(bomb) < 100_000
    assert refusal("a.docx", bomb) == refusals.UNPACKS_TOO_BIG


def test_package_of_many_parts_is_refused() -> None:
    """A package of too many parts is refused."""
    many = package({f"{number}.xml": "<x/>" for number in range(document_limits.ZIP_ENTRIES + 1)})
    assert refusal("a.docx", many) == refusals.TOO_MANY_ENTRIES


def test_false_declared_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A size that lies does not help."""
    monkeypatch.setattr(document_limits, "UNPACK_RATIO_FLOOR", 1000)
    stream = bytearray(office("word/document.xml", b"<x>" + b"a" * 200_000 + b"</x>"))
    real = struct.pack("<I", 200_007)
    while (at := stream.find(real)) >= 0:
        stream[at : at + 4] = struct.pack("<I", 50)
    assert refusal("a.docx", bytes(stream)) == refusals.BROKEN_ZIP


def test_an_encrypted_archive_is_an_archive() -> None:
    content = bytearray(office("word/document.xml"))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = -1
        while (at := content.find(signature, at + 1)) >= 0:
            content[at + offset] |= 1
    assert refusal("a.docx", bytes(content)) == refusals.ARCHIVE


def test_too_much_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_limits, "TEXT_CHARS", 1000)
    assert refusal("a.txt", b"word " * 300) == refusals.TOO_MUCH_TEXT


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("a.csv", b"a,b,c\n" * 40),
        ("a.md", b"|a|b|\n|-|-|\n" + b"|1|2|\n" * 40),
        ("a.html", b"<html><table><th>a" + b"<tr><td>1<td>2" * 40),
    ],
)
def test_too_many_cells_are_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, table: bytes
) -> None:
    monkeypatch.setattr(document_limits, "CELLS", 50)
    assert refusal(name, table) == refusals.TOO_MANY_CELLS


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("headings.md", b"# h\n" * 60),
        ("paragraphs.md", b"p\n\n" * 60),
        ("items.html", b"<html><ul>" + b"<li>x" * 60),
        ("rows.csv", b"name,kind\n" + b"a,b\n" * 60),
    ],
)
def test_too_many_small_pieces_are_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, content: bytes
) -> None:
    """However little text there is: each piece costs the process that keeps it."""
    monkeypatch.setattr(document_limits, "BLOCKS", 50)
    assert refusal(name, content) == refusals.TOO_MANY_BLOCKS


def test_too_many_pages_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_limits, "PAGES", 0)
    assert refusal("a.pdf", empty_pdf()) == refusals.TOO_MANY_PAGES


def test_missing_part_is_damage() -> None:
    """A part that is missing is damage."""
    assert refusal("a.docx", office("word/document.xml")) == refusals.DAMAGED


@settings(max_examples=examples(150), deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["a.txt", "a.csv", "a.html", "a.md", "a.pdf", "a"]))
def test_any_bytes_are_read_or_refused(content: bytes, name: str) -> None:
    with contextlib.suppress(DocumentRefused, *DAMAGE):
        assert read_document(name, content).blocks


def small_workbook() -> bytes:
    book = openpyxl.Workbook()
    book.worksheets[0].append(["Name", "Price"])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


WORKBOOK = small_workbook()  # made once: it carries the time


@settings(max_examples=examples(40), deadline=None)
@given(st.data())
def test_damaged_package_is_read_or_refused(data: st.DataObject) -> None:
    """A damaged package is read or refused."""
    content = bytearray(WORKBOOK)
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    with contextlib.suppress(DocumentRefused, *DAMAGE):
        assert read_document("a.xlsx", bytes(content)).blocks


def test_package_check_reads_xml_once() -> None:
    """The check of a package reads every xml part once."""
    assert packages.package_format(office("xl/workbook.xml")) == "xlsx"
