"""What stands on the chunks of real files: columns, cells, slides, pages and headings."""

import io
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import docx
import openpyxl
import pptx
import pypdf
import pytest
from pptx.util import Inches

from masis.documents.chunking import chunk_document
from masis.documents.parsing import refusals
from masis.documents.parsing.recognition.read_document import read_document
from masis.domain import Chunk, workspace_id
from masis.errors import DocumentRefused


def chunks(name: str, content: bytes | str) -> list[Chunk]:
    parsed = read_document(name, content.encode() if isinstance(content, str) else content)
    return chunk_document(parsed, workspace_id=workspace_id("w"), document_id="d", version_id="v")


def saved(document: Any) -> bytes:
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def prices(rows: int) -> list[list[str]]:
    return [
        ["Code", "Pump", "Price"],
        *([f"WH-{n:03}", f"Pump {n}", f"{n}.50"] for n in range(rows)),
    ]


def rows_of(found: Sequence[Chunk]) -> list[str]:
    return [line for chunk in found for line in chunk.text.split("\n") if line.startswith("Code: ")]


EXPECTED = [f"Code: WH-{n:03} | Pump: Pump {n} | Price: {n}.50" for n in range(60)]


def test_sheet_chunks_name_columns_and_cells() -> None:
    """The rows of a sheet name their columns in every chunk with sheet and cells."""
    book = openpyxl.Workbook()
    book.worksheets[0].title = "Prices"
    for row in prices(60):
        book.worksheets[0].append(row)
    found = chunks("prices.xlsx", saved(book))
    assert len(found) > 2
    assert rows_of(found) == EXPECTED
    assert {chunk.place.sheet for chunk in found} == {"Prices"}
    spans = [tuple(str(chunk.place.cells).split(":")) for chunk in found]
    assert (spans[0][0], spans[-1][1]) == ("A2", "C61")
    for (_, above), (below, _) in pairwise(spans):
        assert int(below[1:]) == int(above[1:]) + 1


@pytest.mark.parametrize("form", ["docx", "html", "md", "csv", "json"])
def test_long_table_chunks_name_columns(form: str) -> None:
    """A long table of any format names its columns in every chunk."""
    rows = prices(60)
    if form == "docx":
        document = docx.Document()
        table = document.add_table(rows=0, cols=3)
        for row in rows:
            for cell, text in zip(table.add_row().cells, row, strict=True):
                cell.text = text
        content: bytes | str = saved(document)
    elif form == "html":
        body = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows[1:])
        head = "".join(f"<th>{cell}</th>" for cell in rows[0])
        content = f"<html><table><tr>{head}</tr>{body}</table></html>"
    elif form == "md":
        content = "\n".join(
            ["| " + " | ".join(row) + " |" for row in (rows[0], ["-"] * 3, *rows[1:])]
        )
    elif form == "csv":
        content = "\n".join(",".join(row) for row in rows)
    else:
        records = [f'{{"Code": "{a}", "Pump": "{b}", "Price": {c}}}' for a, b, c in rows[1:]]
        content = "[" + ",".join(records) + "]"
    found = chunks(f"prices.{form}", content)
    assert len(found) > 2
    assert rows_of(found) == EXPECTED


def test_slides_keep_number_and_notes() -> None:
    """Slides keep their number and their notes."""
    deck = pptx.Presentation()
    for number in (1, 2):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = f"Topic {number}"
        box = slide.shapes.add_textbox(Inches(1), Inches(2), Inches(5), Inches(1))
        box.text_frame.text = f"Text of slide {number}."
        slide.notes_slide.notes_text_frame.text = f"Say thing {number}."
    found = chunks("deck.pptx", saved(deck))
    assert [(chunk.place.slide, chunk.text) for chunk in found] == [
        (1, "Text of slide 1.\n\nSay thing 1."),
        (2, "Text of slide 2.\n\nSay thing 2."),
    ]
    assert found[1].context == "Topic 1 › Topic 2"


def test_repeated_slide_footer_is_dropped() -> None:
    """A slides date or footer is dropped where it repeats and kept where it says something."""
    deck = pptx.Presentation()
    layout: Any = deck.slide_layouts[5]
    for number in (1, 2):
        slide = deck.slides.add_slide(layout)
        slide.shapes.title.text = f"Topic {number}"
        for text, source in (("Acme plc", 11), (f"Only on slide {number}", 10)):
            holder = next(p for p in layout.placeholders if p.placeholder_format.idx == source)
            slide.shapes.clone_placeholder(holder)
            slide.placeholders[source].text_frame.text = text
    whole = "\n".join(chunk.text for chunk in chunks("deck.pptx", saved(deck)))
    assert "Acme plc" not in whole
    assert "Only on slide 1" in whole
    assert "Only on slide 2" in whole


def test_chunks_below_heading_carry_path() -> None:
    """Every chunk below a heading carries the path."""
    long = "A sentence of the handbook that says something about leave. " * 30
    found = chunks("a.md", f"# Handbook\n\n## Leave\n\n### Annual leave\n\n{long}\n")
    assert len(found) > 1
    assert all(chunk.place.headings == ["Leave", "Annual leave"] for chunk in found)
    assert all(chunk.context == "Handbook › Leave › Annual leave" for chunk in found)


def test_navigation_is_in_no_chunk() -> None:
    """Front matter and navigation are in no chunk."""
    page = """<html><head><title>Leave</title></head><body><nav><a href="/">Home</a></nav>
    <header>Acme intranet</header><div role="navigation">Menu</div><main><h1>Leave</h1>
    <p>You may carry over 240 hours.</p></main><aside>Related</aside><footer>Imprint</footer>
    </body></html>"""
    assert [chunk.text for chunk in chunks("a.html", page)] == ["You may carry over 240 hours."]
    matter = "---\nlayout: page\ntags: [x]\n---\n\n{: .no_toc}\n\nYou may carry over 240 hours.\n"
    assert [chunk.text for chunk in chunks("a.md", matter)] == ["You may carry over 240 hours."]


# --- encrypted PDF -------------------------------------------------------------------------


def one_page() -> pypdf.PdfWriter:
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(595, 842)
    stream = pypdf.generic.DecodedStreamObject()
    stream.set_data(b"BT /F1 12 Tf 60 700 Td (You may carry over 240 hours.) Tj ET")
    font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    fonts = pypdf.generic.DictionaryObject(
        {
            pypdf.generic.NameObject("/F1"): pypdf.generic.DictionaryObject(
                {
                    pypdf.generic.NameObject(key): pypdf.generic.NameObject(value)
                    for key, value in font.items()
                }
            )
        }
    )
    page[pypdf.generic.NameObject("/Resources")] = pypdf.generic.DictionaryObject(
        {pypdf.generic.NameObject("/Font"): fonts}
    )
    page[pypdf.generic.NameObject("/Contents")] = writer._add_object(stream)
    return writer


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
@pytest.mark.parametrize("owner", ["", "the owner's"])
def test_openable_restricted_pdf_is_read(algorithm: str, owner: str) -> None:
    """A pdf that anybody may open is read whatever its owner set."""
    writer = one_page()
    writer.encrypt("", owner or None, algorithm=algorithm)
    stream = io.BytesIO()
    writer.write(stream)
    [chunk] = chunks("a.pdf", stream.getvalue())
    assert chunk.text == "You may carry over 240 hours."
    assert chunk.place.page == 1


def test_password_protected_pdf_says_so() -> None:
    """A pdf that asks for a password says so."""
    writer = one_page()
    writer.encrypt("secret", algorithm="AES-256")
    stream = io.BytesIO()
    writer.write(stream)
    with pytest.raises(DocumentRefused) as caught:
        chunks("a.pdf", stream.getvalue())
    assert str(caught.value) == refusals.PDF_LOCKED
