"""What documents say about themselves, as free fields."""

import io
import zipfile
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
from openpyxl.packaging.custom import IntProperty, StringProperty

from masis import fields
from masis.documents.parsing.recognition.read_document import read_document


def test_front_matter_gives_fields() -> None:
    """Front matter gives fields beside title and date."""
    text = (
        b'---\ntitle: Leave\ndate: 2026-01-01\nowner: "Finance Team"\nCost-Center: 4711\n'
        b"in: nothing\nstatus:\n---\n# Leave\n\nIt is 26 days.\n"
    )
    found = read_document("leave.md", text)
    assert found.fields == {"owner": "Finance Team", "cost-center": "4711"}
    assert (found.title, str(found.date)) == ("Leave", "2026-01-01")


def test_multiline_value_marker_is_no_value() -> None:
    """A value that stands on further lines is not its sign."""
    text = (
        b"---\ntitle: >\n  Annual leave\nabout: |-\n  All of it\n---\n# Leave\n\nIt is 26 days.\n"
    )
    found = read_document("leave.md", text)
    assert (found.title, found.fields) == ("Leave", {})


def test_text_between_lines_is_no_field() -> None:
    assert read_document("leave.md", b"# Leave\n\nowner: nobody\n\nIt is 26 days.\n").fields == {}


def test_email_headers_become_fields() -> None:
    """An email has those of its head."""
    message = EmailMessage()
    message["From"], message["To"] = "Jane Doe <jane@example.com>", "ops@example.com"
    message["Subject"] = "Pump \u202eorder"
    message.set_content("The pump comes on Monday, as it was ordered last week.")
    found = read_document("order.eml", message.as_bytes())
    assert found.fields == {
        "from": "Jane Doe <jane@example.com>",
        "to": "ops@example.com",
        "subject": "Pump order",
    }


def test_office_properties_become_fields() -> None:
    """Office files have their properties unless a library left them there."""
    text, file = docx.Document(), io.BytesIO()
    text.add_paragraph("Annual leave is 26 days a year for everybody.")
    text.core_properties.category = "Policy"
    text.save(file)
    assert read_document("leave.docx", file.getvalue()).fields == {"category": "Policy"}
    deck, file = pptx.Presentation(), io.BytesIO()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Annual leave is 26 days"
    deck.core_properties.author, deck.core_properties.keywords = "Jane Doe", "leave; days"
    deck.save(file)
    found = read_document("leave.pptx", file.getvalue())
    assert found.fields == {"author": "Jane Doe", "keywords": "leave; days"}


def test_page_metadata_becomes_fields() -> None:
    """A page has what its author says in names of their own."""
    page = b"""<html><head><title>Leave</title><meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'self'">
    <meta name="viewport" content="width=device-width"><meta name="robots" content="index">
    <meta name="generator" content="Hugo"><meta name="csrf-token" content="s3cret">
    <meta name="google-site-verification" content="abc"><meta name="date" content="2024-05-03">
    <meta property="og:image" content="a.png"><meta name="twitter:card" content="summary">
    <meta name="Author" content="Jane  Doe"><meta name="keywords" content="leave, days">
    <meta name="Cost Center" content="4711"><meta name="DC.Publisher" content="Acme">
    <meta name="in" content="nowhere"><meta name="owner"></head>
    <body><p>Annual leave is 26 days a year.</p></body></html>"""
    assert read_document("leave.html", page).fields == {
        "author": "Jane Doe",
        "keywords": "leave, days",
        "cost-center": "4711",
        "publisher": "Acme",
    }


def test_page_fields_are_limited() -> None:
    """A page with very many or long names has so many and so much."""
    metas = "".join(f'<meta name="f{number}" content="{"x" * 9000}">' for number in range(900))
    page = f"<html><head>{metas}</head><body><p>Annual leave is 26 days.</p></body></html>"
    found = read_document("leave.html", page.encode()).fields
    assert len(found) == fields.MOST_FIELDS
    assert {len(value) for value in found.values()} == {fields.MOST_VALUE_CHARS}


def test_workbook_properties_become_fields() -> None:
    """A workbook has its properties and those that its author named."""
    book: Any = openpyxl.Workbook()  # its types know no custom properties
    file = io.BytesIO()
    book.worksheets[0].append(["Annual leave is 26 days"])
    book.properties.category, book.properties.keywords = "Policy", "leave; days"
    book.custom_doc_props.append(StringProperty(name="Department", value="People"))
    book.custom_doc_props.append(IntProperty(name="Cost Center", value=4711))
    book.custom_doc_props.append(StringProperty(name="ContentTypeId", value="0x0101"))
    book.save(file)
    assert read_document("leave.xlsx", file.getvalue()).fields == {
        "category": "Policy",
        "keywords": "leave; days",
        "department": "People",
        "cost-center": "4711",
    }
    book.properties.creator = "Jane Doe"
    book.save(file)
    assert read_document("leave.xlsx", file.getvalue()).fields["author"] == "Jane Doe"


def test_word_and_powerpoint_include_company() -> None:
    """Word and powerpoint files have their company too."""
    text, file = docx.Document(), io.BytesIO()
    text.add_paragraph("Annual leave is 26 days a year for everybody.")
    text.save(file)
    assert read_document("leave.docx", stated(file, "Acme Ltd")).fields == {"company": "Acme Ltd"}
    deck, file = pptx.Presentation(), io.BytesIO()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Annual leave is 26 days"
    deck.save(file)
    assert read_document("leave.pptx", stated(file, "Acme Ltd")).fields == {"company": "Acme Ltd"}


def stated(file: io.BytesIO, company: str) -> bytes:
    """An Office file with this company among the properties that its program writes."""
    found = io.BytesIO()
    with zipfile.ZipFile(file) as given, zipfile.ZipFile(found, "w") as made:
        for name in given.namelist():
            if name != "docProps/app.xml":
                made.writestr(name, given.read(name))
        kind = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
        properties = f'<Properties xmlns="{kind}"><Company>{company}</Company></Properties>'
        made.writestr("docProps/app.xml", properties)
    return found.getvalue()


def test_old_office_fields_use_declared_encoding() -> None:
    """Old office files have theirs in the letters that they name."""
    handbook = (Path(__file__).parent / "files" / "handbook.doc").read_bytes()
    assert read_document("handbook.doc", handbook).fields == {}
    by_zoe = handbook.replace(b"python-docx\0", "Zoë Carter".encode() + b"\0")
    assert read_document("handbook.doc", by_zoe).fields == {"author": "Zoë Carter"}


def test_an_opendocument_text_has_its_properties() -> None:
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "text", "meta")
    )
    content = (
        f"<office:document-content {spaces}><office:body><office:text><text:p>26 days.</text:p>"
        "</office:text></office:body></office:document-content>"
    )
    meta = (
        f'<office:document-meta {spaces} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta>'
        "<meta:initial-creator>Jane Doe</meta:initial-creator><dc:creator>Bob</dc:creator>"
        "<meta:keyword>leave</meta:keyword><meta:keyword>days</meta:keyword>"
        '<meta:user-defined meta:name="Department">People</meta:user-defined>'
        '<meta:user-defined meta:name="Info 1"/></office:meta></office:document-meta>'
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        made.writestr("content.xml", content)
        made.writestr("meta.xml", meta)
    assert read_document("leave.odt", file.getvalue()).fields == {
        "author": "Jane Doe",
        "keywords": "leave, days",
        "department": "People",
    }


def test_book_has_author_and_publisher() -> None:
    """A book has its author and publisher."""
    book = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Leave</dc:title>'
        "<dc:creator>Jane Doe</dc:creator><dc:creator>Bob</dc:creator>"
        "<dc:publisher>Acme</dc:publisher></metadata><manifest>"
        '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="a"/></spine></package>'
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="book.opf"/></rootfiles></container>'
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("mimetype", "application/epub+zip")
        made.writestr("META-INF/container.xml", container)
        made.writestr("book.opf", book)
        made.writestr("a.xhtml", "<html><body><p>Leave is 26 days.</p></body></html>")
    found = read_document("leave.epub", file.getvalue()).fields
    assert found == {"author": "Jane Doe, Bob", "publisher": "Acme"}
