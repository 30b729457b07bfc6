import datetime as dt
import io
import zipfile
from collections.abc import Mapping

import pytest

from masis.documents.chunking import chunk_document
from masis.documents.parsing import document_limits, refusals
from masis.documents.parsing.recognition.read_document import read_document
from masis.domain import ParsedDocument, workspace_id
from masis.errors import DocumentRefused

SPACES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for short, name in {
        "office": "office", "text": "text", "table": "table", "draw": "drawing",
        "style": "style", "meta": "meta",
    }.items()
)  # fmt: skip


def package(mimetype: str, parts: Mapping[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("mimetype", mimetype)
        for name, content in parts.items():
            made.writestr(name, content)
    return stream.getvalue()


def odt(body: str, **more: str) -> bytes:
    content = (
        f"<office:document-content {SPACES}><office:automatic-styles>"
        '<style:style style:name="P1" style:parent-style-name="Title"/>'
        f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
        "</office:document-content>"
    )
    meta = (
        f'<office:document-meta {SPACES} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta>'
        "<dc:date>2024-05-03T10:00:00</dc:date></office:meta></office:document-meta>"
    )
    parts = {"content.xml": content, "meta.xml": meta, **more}
    return package("application/vnd.oasis.opendocument.text", parts)


def epub(pages: Mapping[str, str], spine: list[str], *, contents: str = "", **more: str) -> bytes:
    items = "".join(
        f'<item id="{name}" href="text/{name}.xhtml" media-type="application/xhtml+xml"/>'
        for name in pages
    )
    order = "".join(f'<itemref idref="{name}"/>' for name in spine)
    opf = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Pump Book</dc:title>'
        "<dc:date>2024-05-03</dc:date></metadata><manifest>"
        f'<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>{items}'
        f'</manifest><spine><itemref idref="nav"/>{order}</spine></package>'
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OPS/book.opf"/></rootfiles></container>'
    )
    kept = {f"OPS/text/{name}.xhtml": text for name, text in pages.items()}
    nav = f"<html><body><nav><ol>{contents}</ol></nav></body></html>"
    parts = {"META-INF/container.xml": container, "OPS/book.opf": opf, "OPS/nav.xhtml": nav}
    return package("application/epub+zip", {**parts, **kept, **more})


def page(body: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>{body}</body></html>'
    )


def shape(parsed: ParsedDocument) -> list[tuple[str, int, str]]:
    return [(block.kind, block.level, block.text) for block in parsed.blocks]


def refusal(content: bytes) -> str:
    with pytest.raises(DocumentRefused) as caught:
        read_document("a", content)
    return str(caught.value)


# --- OpenDocument --------------------------------------------------------------------------


def test_opendocument_text_keeps_order() -> None:
    """An opendocument text is read in order."""
    parsed = read_document(
        "a.odt",
        odt(
            """<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
            <text:p text:style-name="P1">Handbook</text:p>
            <text:table-of-content><text:p>Leave 1</text:p></text:table-of-content>
            <text:h text:outline-level="2">Leave</text:h>
            <text:p>You may<text:s text:c="2"/>carry <text:span>over</text:span><text:line-break/>240
            hours<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Since
            2020.</text:p></text:note-body></text:note>.<office:annotation><text:p>really?</text:p>
            </office:annotation></text:p>
            <text:list><text:list-item><text:p>first</text:p><text:list><text:list-item>
            <text:p>inner</text:p></text:list-item></text:list></text:list-item></text:list>
            <text:section><text:p><draw:frame><draw:text-box><text:p>In a box.</text:p>
            </draw:text-box></draw:frame></text:p></text:section>"""
        ),
    )
    assert (parsed.format, parsed.title, parsed.date) == ("odt", "Handbook", dt.date(2024, 5, 3))
    assert shape(parsed) == [
        ("heading", 1, "Handbook"),
        ("heading", 2, "Leave"),
        ("paragraph", 0, "You may carry over 240 hours."),
        ("paragraph", 0, "Since 2020."),
        ("list_item", 0, "first"),
        ("list_item", 1, "first: inner"),
        ("paragraph", 0, "In a box."),
    ]


def test_opendocument_rows_name_their_columns() -> None:
    """The tables of an opendocument text name their columns in each row."""

    def row(*cells: str) -> str:
        inner = "".join(f"<table:table-cell><text:p>{c}</text:p></table:table-cell>" for c in cells)
        return f"<table:table-row>{inner}</table:table-row>"

    merged = (
        '<table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>both</text:p>'
        "</table:table-cell><table:covered-table-cell/></table:table-row>"
    )
    far = (
        '<table:table-row table:number-rows-repeated="1048576">'
        '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    )
    parsed = read_document(
        "a.odt",
        odt(
            f"<table:table><table:table-header-rows>{row('Kind', 'Hours')}</table:table-header-rows>"
            f"{row('Annual', '240')}{merged}{far}</table:table>"
        ),
    )
    assert [text for _, _, text in shape(parsed)] == ["Kind: Annual | Hours: 240", "Kind: both"]


def test_encrypted_opendocument_is_refused() -> None:
    """An encrypted opendocument and other kinds say so."""
    manifest = (
        "<manifest:manifest xmlns:manifest='m'><manifest:encryption-data/></manifest:manifest>"
    )
    locked = odt("<text:p>x</text:p>", **{"META-INF/manifest.xml": manifest})
    assert refusal(locked) == refusals.PACKAGE_LOCKED
    sheet = package("application/vnd.oasis.opendocument.spreadsheet", {"content.xml": "<x/>"})
    assert refusal(sheet) == refusals.OPEN_DOCUMENT
    broken = package("application/vnd.oasis.opendocument.text", {"content.xml": "<x/>"})
    assert refusal(broken) == refusals.DAMAGED


def test_entities_in_an_opendocument_are_refused() -> None:
    hostile = '<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'
    content = package("application/vnd.oasis.opendocument.text", {"content.xml": hostile})
    assert refusal(content) == refusals.XML_WITH_DTD


# --- books ---------------------------------------------------------------------------------


def test_book_follows_its_spine() -> None:
    """A book is read in the order of its spine."""
    book = epub(
        {
            "c2": page("<h1>Second</h1><p>Later.</p>"),
            "c1": page("<h1>First</h1><h2>Part</h2><p>Sooner.</p><p>&copy; &uuml;</p>"),
            "c3": page("<p>Without a heading.</p>"),
        },
        ["c1", "c2", "c3", "missing"],
        contents='<li><a href="text/c3.xhtml#top">The end</a></li><li><a href="text/c1.xhtml">I</a></li>',
    )
    parsed = read_document("a.epub", book)
    assert (parsed.format, parsed.title, parsed.date) == (
        "epub",
        "The Pump Book",
        dt.date(2024, 5, 3),
    )
    assert shape(parsed) == [
        ("heading", 1, "First"),
        ("heading", 2, "Part"),
        ("paragraph", 0, "Sooner."),
        ("paragraph", 0, "© ü"),
        ("heading", 1, "Second"),
        ("paragraph", 0, "Later."),
        ("heading", 1, "The end"),
        ("paragraph", 0, "Without a heading."),
    ]
    chunks = chunk_document(parsed, workspace_id=workspace_id("w"), document_id="d", version_id="v")
    assert chunks[0].context.startswith("The Pump Book")
    assert any(chunk.place.headings == ["The end"] or "The end" in chunk.text for chunk in chunks)


def test_copy_protected_book_is_refused() -> None:
    """A book under copy protection says so but mangled fonts are none."""

    def encryption(algorithm: str) -> dict[str, str]:
        part = f'<encryption><EncryptionMethod Algorithm="{algorithm}"/></encryption>'
        return {"META-INF/encryption.xml": part}

    pages = {"c1": page("<p>Text.</p>")}
    aes = encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc")
    assert refusal(epub(pages, ["c1"], **aes)) == refusals.PACKAGE_LOCKED
    fonts = encryption("http://www.idpf.org/2008/embedding")
    assert read_document("a", epub(pages, ["c1"], **fonts)).format == "epub"


def test_a_book_has_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {f"c{number}": page(f"<p>Text {number}.</p>") for number in range(4)}
    monkeypatch.setattr(document_limits, "BOOK_PARTS", 3)
    assert refusal(epub(pages, list(pages))) == refusals.TOO_MANY_CHAPTERS
    assert refusal(epub({}, [])) == refusals.NO_TEXT


def test_path_out_of_book_is_ignored() -> None:
    """A path out of the book leads nowhere."""
    opf = (
        '<package><metadata/><manifest><item id="a" href="../../../etc/passwd" '
        'media-type="text/html"/></manifest><spine><itemref idref="a"/></spine></package>'
    )
    assert refusal(epub({}, [], **{"OPS/book.opf": opf})) == refusals.NO_TEXT
