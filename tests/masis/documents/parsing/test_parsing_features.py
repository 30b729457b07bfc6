"""What office programs and pages can hold beside plain paragraphs, and what is left out of it."""

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import openpyxl
import pptx
import pytest
from openpyxl.chart import BarChart, Reference
from pptx.chart import data as chart_data
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.util import Inches

from masis.documents.parsing import refusals
from masis.documents.parsing.office import drawings
from masis.documents.parsing.recognition.read_document import read_document
from masis.domain import ParsedDocument
from masis.errors import DocumentRefused

WORD = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    ' xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
    ' xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:v="urn:schemas-microsoft-com:vml"'
)
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
CHART = f"""<c:chartSpace {WORD}><c:chart><c:plotArea><c:bar3DChart><c:ser>
<c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Pumps</c:v></c:pt></c:strCache></c:strRef></c:tx>
<c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:cat>
<c:val><c:numRef><c:numCache><c:formatCode>#,##0</c:formatCode><c:pt idx="0"><c:v>1234567</c:v></c:pt>
</c:numCache></c:numRef></c:val></c:ser></c:bar3DChart></c:plotArea></c:chart></c:chartSpace>"""
DIAGRAM = f"""<d:dataModel {WORD}><d:ptLst>
<d:pt modelId="0" type="doc"/><d:pt modelId="1"><d:t><a:p><a:r><a:t>Order</a:t></a:r></a:p></d:t></d:pt>
<d:pt modelId="2" type="parTrans"><d:t><a:p><a:r><a:t>hidden</a:t></a:r></a:p></d:t></d:pt>
<d:pt modelId="3"><d:t><a:p><a:r><a:t>Delivery</a:t></a:r></a:p></d:t></d:pt></d:ptLst></d:dataModel>"""


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return made.getvalue()


def altered(content: bytes, change: Callable[[str, bytes], bytes | None]) -> bytes:
    """The package with each part changed, or left out where None comes back."""
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        parts = {name: change(name, package.read(name)) for name in package.namelist()}
    return packed({name: part for name, part in parts.items() if part is not None})


def word(body: str, parts: Mapping[str, str] | None = None) -> bytes:
    """A Word document of this body; `parts` by their kind, which is their relation's id too."""
    named = "".join(
        f'<Relationship Id="{kind}" Type="{OFFICE}/{kind}" Target="{kind}.xml"/>'
        for kind in parts or {}
    )
    return packed(
        {
            "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"/>',
            "word/document.xml": f"<w:document {WORD}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{named}</Relationships>',
            **{f"word/{kind}.xml": part for kind, part in (parts or {}).items()},
        }
    )


RESTART = '<w:vMerge w:val="restart"/>'


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def line(inner: str) -> str:
    return f"<w:p>{inner}</w:p>"


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{line(run(text))}</w:tc>"


def lines(parsed: ParsedDocument) -> list[str]:
    return [block.text for block in parsed.blocks]


def read_word(body: str, parts: Mapping[str, str] | None = None) -> list[str]:
    return lines(read_document("a.docx", word(body, parts)))


# --- Word ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inner", "said"),
    [
        (f"<w:ins>{run('added')}</w:ins>", "added"),
        (f"{run('kept')}<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>", "kept"),
        (f"<w:moveFrom>{run('twice')}</w:moveFrom>{run('here')}", "here"),
        (f"<w:moveTo>{run('moved here')}</w:moveTo>", "moved here"),
        (f"<w:sdt><w:sdtPr/><w:sdtContent>{run('chosen')}</w:sdtContent></w:sdt>", "chosen"),
        (
            f"{run('Name:')}<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{run('Click here')}</w:sdtContent></w:sdt>",
            "Name:",
        ),
        (f"{run('seen')}<w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t></w:r>", "seen"),
        (f"{run('left')}<w:r><w:ptab/></w:r>{run('right')}", "left right"),
        (
            f'{run("from ")}<w:r><w:sym w:font="Wingdings" w:char="F0E0"/></w:r>{run(" to")}',
            "from → to",
        ),
        ('<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>', "α"),  # noqa: RUF001 - Greek
        (
            f"<w:r><w:ruby><w:rt>{run('kanji')}</w:rt><w:rubyBase>{run('漢字')}</w:rubyBase></w:ruby></w:r>",
            "漢字 (kanji)",
        ),
        (
            "<m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>",
            "(a+b)/2",
        ),
        ('<w:r><w:pict><v:shape><v:textpath string="Fast"/></v:shape></w:pict></w:r>', "Fast"),
        (
            '<w:r><w:drawing><wp:docPr descr="The pump seen from above"/></w:drawing></w:r>',
            "(Image: The pump seen from above)",
        ),
        (
            '<w:r><w:fldChar><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="low"/><w:listEntry w:val="high"/></w:ddList></w:ffData></w:fldChar></w:r>',
            "high",
        ),
    ],
)
def test_word_paragraph_shows_visible_text(inner: str, said: str) -> None:
    """A word paragraph says what people see."""
    assert read_word(line(run("First.")) + line(inner))[1:] == [said]


def test_word_notes_follow_their_paragraph() -> None:
    """Word notes and boxes follow their paragraph."""
    box = f"<w:r><w:pict><v:textbox><w:txbxContent>{line(run('In a box.'))}</w:txbxContent></v:textbox></w:pict></w:r>"
    body = line(f'{run("Prices rise")}<w:r><w:footnoteReference w:id="2"/></w:r>{box}{run(".")}')
    notes = f'<w:footnotes {WORD}><w:footnote w:id="0"><w:p/></w:footnote><w:footnote w:id="2">{line(run("In 2027."))}</w:footnote></w:footnotes>'

    assert read_word(body + line(run("Last.")), {"footnotes": notes}) == [
        "Prices rise.",
        "In a box.",
        "In 2027.",
        "Last.",
    ]


def test_word_blocks_in_wrappers_are_read() -> None:
    body = (
        f"<w:customXml>{line(run('one'))}</w:customXml>"
        f'<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Cover Pages"/></w:docPartObj></w:sdtPr><w:sdtContent>{line(run("two"))}</w:sdtContent></w:sdt>'
        f'<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent>{line(run("toc"))}</w:sdtContent></w:sdt>'
        "<m:oMathPara><m:oMath><m:r><m:t>E=mc</m:t></m:r></m:oMath></m:oMathPara>"
    )
    assert read_word(body) == ["one", "two", "E=mc"]


def test_word_cells_keep_their_column() -> None:
    """Also where a row begins further right, is wrapped in a control or merged with that above."""
    body = (
        f"<w:tbl><w:tr>{cell('Region')}{cell('City')}{cell('Pumps')}</w:tr>"
        f"<w:tr>{cell('North', RESTART)}{cell('Leeds')}{cell('4')}</w:tr>"
        f"<w:tr>{cell('', '<w:vMerge/>')}{cell('York')}{cell('5')}</w:tr>"
        f"<w:sdt><w:sdtContent><w:tr>{cell('South')}<w:sdt><w:sdtContent>{cell('Hove')}</w:sdtContent></w:sdt>{cell('6')}</w:tr></w:sdtContent></w:sdt>"
        f'<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>{cell("Deal")}{cell("7")}</w:tr>'
        f"<w:tr><w:trPr><w:del/></w:trPr>{cell('Gone')}{cell('Rye')}{cell('8')}</w:tr></w:tbl>"
    )
    assert read_word(body) == [
        "Region: North | City: Leeds | Pumps: 4",
        "Region: North | City: York | Pumps: 5",
        "Region: South | City: Hove | Pumps: 6",
        "City: Deal | Pumps: 7",
    ]


def test_word_charts_and_diagrams_are_read() -> None:
    body = line('<w:r><w:drawing><c:chart r:id="chart"/></w:drawing></w:r>') + line(
        '<w:r><w:drawing><d:relIds r:dm="diagramData"/></w:drawing></w:r>'
    )
    assert read_word(body, {"chart": CHART, "diagramData": DIAGRAM}) == [
        "North | Pumps: 1,234,567",
        "Order",
        "Delivery",
    ]


def test_strict_word_file_is_read() -> None:
    """A word file of the strict kind is read."""
    strict = re.sub(
        rb"http://schemas\.openxmlformats\.org/(\w+)/2006/(\w+)",
        rb"http://purl.oclc.org/ooxml/\1/\2",
        word(line(run("Strict."))),
    )
    plain = altered(
        word(line(run("Strict."))),
        lambda _, part: re.sub(
            rb"http://schemas\.openxmlformats\.org/(\w+)/2006/(\w+)",
            rb"http://purl.oclc.org/ooxml/\1/\2",
            part,
        ),
    )
    assert strict != plain
    assert lines(read_document("a.docx", plain)) == ["Strict."]


@pytest.mark.parametrize("kind", ["chart", "diagramData"])
@pytest.mark.parametrize("part", ["", "<x><y>", None])
def test_an_unreadable_drawing_costs_itself_alone(kind: str, part: str | None) -> None:
    drawing = {"chart": '<c:chart r:id="chart"/>', "diagramData": '<d:relIds r:dm="diagramData"/>'}
    body = line(f"{run('Before.')}<w:r><w:drawing>{drawing[kind]}</w:drawing></w:r>")
    parsed = read_document("a.docx", word(body, {} if part is None else {kind: part}))

    assert lines(parsed) == ["Before."]
    if kind == "chart" or part != "<x><y>":  # a diagram without shapes says nothing
        assert len(parsed.notes) == 1


def test_formulas_take_linear_time() -> None:
    """Each part of a formula is looked at once, however deep it stands."""
    nested = "<m:r><m:t>x</m:t></m:r>"
    for _ in range(40):
        nested = f"<m:d><m:e><m:f><m:num>{nested}</m:num><m:den/></m:f></m:e></m:d>"
    root = parse_xml(f"<m:oMath {WORD}>{nested}</m:oMath>")
    assert "x" in drawings.formula(root)


# --- PowerPoint ----------------------------------------------------------------------------


def deck_with(kind: XL_CHART_TYPE) -> bytes:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Sales"
    made_by: Any = chart_data  # python-pptx has no types
    if kind.name.startswith("XY"):
        data = made_by.XyChartData()
        data.add_series("Pumps").add_data_point(1, 4)
    elif kind.name.startswith("BUBBLE"):
        data = made_by.BubbleChartData()
        data.add_series("Pumps").add_data_point(1, 4, 9)
    else:
        data = made_by.CategoryChartData()
        data.categories = ["North"]
        data.add_series("Pumps", (1234567.5,))
    slide.shapes.add_chart(kind, 0, 0, Inches(4), Inches(3), data)
    made = io.BytesIO()
    deck.save(made)
    return made.getvalue()


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        (XL_CHART_TYPE.COLUMN_CLUSTERED, "North | Pumps: 1234567.5"),
        (XL_CHART_TYPE.LINE, "North | Pumps: 1234567.5"),
        (XL_CHART_TYPE.DOUGHNUT, "North | Pumps: 1234567.5"),
        (XL_CHART_TYPE.XY_SCATTER, "X: 1 | Pumps: 4"),
        (XL_CHART_TYPE.BUBBLE, "X: 1 | Pumps: 4 | Size: 9"),
    ],
)
def test_a_chart_gives_its_figures_whole(kind: XL_CHART_TYPE, row: str) -> None:
    assert lines(read_document("a.pptx", deck_with(kind))) == ["Sales", row]


@pytest.mark.parametrize(
    "plot", ["bar3DChart", "ofPieChart", "surface3DChart", "stockChart", "someFutureChart"]
)
def test_any_chart_is_read(plot: str) -> None:
    """The kinds are many, and a library that does not know one gave up on the whole deck."""
    content = altered(
        deck_with(XL_CHART_TYPE.COLUMN_CLUSTERED),
        lambda _, part: part.replace(b"barChart", plot.encode()),
    )
    assert lines(read_document("a.pptx", content)) == ["Sales", "North | Pumps: 1234567.5"]


def test_a_deck_says_what_people_see() -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    box = slide.shapes.add_textbox(0, 0, 9, 9)
    box.text_frame.text = "seen"
    hidden = slide.shapes.add_textbox(0, 0, 9, 9)
    hidden.text_frame.text = "unseen"
    hidden._element.nvSpPr.cNvPr.set("hidden", "1")
    group = slide.shapes.add_group_shape().shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "grouped"
    table = slide.shapes.add_table(3, 2, 0, Inches(2), 99, 99).table
    for at, text in enumerate(["Region", "City", "North", "Leeds", "", "York"]):
        table.cell(at // 2, at % 2).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    slide.notes_slide.notes_text_frame.text = "said aloud"
    made = io.BytesIO()
    deck.save(made)

    assert lines(read_document("a.pptx", made.getvalue())) == [
        "Slide 1",
        "seen",
        "grouped",
        "Region: North | City: Leeds",
        "Region: North | City: York",
        "said aloud",
    ]


# --- parts that are damaged or missing -----------------------------------------------------


def deck_with_much() -> bytes:
    deck = pptx.Presentation(io.BytesIO(deck_with(XL_CHART_TYPE.PIE)))
    last = deck.slides.add_slide(deck.slide_layouts[1])
    last.shapes.title.text = "Last words"
    last.notes_slide.notes_text_frame.text = "Notes"
    made = io.BytesIO()
    deck.save(made)
    return made.getvalue()


def workbook_with_much() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Item", "Price"])
    sheet.append(["Last words", 4])
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=2))
    sheet.add_chart(chart)
    book.create_chartsheet().add_chart(BarChart())
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def parts_beside(content: bytes, needed: str) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return [name for name in package.namelist() if not re.search(needed, name)]


@pytest.mark.parametrize("damage", [None, b"", b"<x><y></x>"])
@pytest.mark.parametrize(
    ("name", "made", "needed"),
    [
        ("a.pptx", deck_with_much, r"presentation\.xml|slides/(_rels/)?slide2|theme|Layout[3-9]"),
        ("a.xlsx", workbook_with_much, r"workbook\.xml|worksheets/sheet1\.xml$|sharedStr"),
    ],
)
def test_a_damaged_part_costs_itself_alone(
    name: str, made: Callable[[], bytes], needed: str, damage: bytes | None
) -> None:
    """Every part that does not hold the words may be gone or broken, and the words are read."""
    content = made()
    for broken in parts_beside(content, needed):
        bad = altered(content, lambda part, kept: damage if part == broken else kept)  # noqa: B023 - called at once
        assert any("Last words" in text for text in lines(read_document(name, bad))), broken


def test_missing_slide_is_noted() -> None:
    """A slide that is gone is noted."""
    content = altered(
        deck_with_much(), lambda name, part: None if name.endswith("slide1.xml") else part
    )
    parsed = read_document("a.pptx", content)

    assert parsed.notes == [refusals.LEFT_OUT.format(what="the slide (slide 1)")]


def test_damaged_only_text_is_refused() -> None:
    """A file whose only text is damaged is refused."""
    body = line('<w:r><w:drawing><c:chart r:id="chart"/></w:drawing></w:r>')
    with pytest.raises(DocumentRefused, match=re.escape(refusals.DAMAGED)):
        read_document("a.docx", word(body, {"chart": "<x/>"}))


# --- workbooks -----------------------------------------------------------------------------

LINKS = {
    "book": '<externalBook r:id="rId1"><sheetNames><sheetName val="S"/></sheetNames></externalBook>',
    "dde": '<ddeLink ddeService="Excel" ddeTopic="x"/>',
    "ole": '<oleLink r:id="rId1" progId="Word.Document"/>',
    "damaged": "<x>",
}


@pytest.mark.parametrize("kind", LINKS)
def test_links_to_other_workbooks_refuse_nothing(kind: str) -> None:
    """The values stand in the cells; where the other file lies is missing from many packages."""
    link = (
        '<externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
        f' xmlns:r="{OFFICE}">{LINKS[kind]}</externalLink>'
    )
    marks = {
        "xl/_rels/workbook.xml.rels": (
            b"</Relationships>",
            f'<Relationship Id="x" Type="{OFFICE}/externalLink" Target="externalLinks/e.xml"/></Relationships>',
        ),
        "xl/workbook.xml": (
            b"<calcPr",
            f'<externalReferences><externalReference xmlns:r="{OFFICE}" r:id="x"/></externalReferences><calcPr',
        ),
    }

    def linked(name: str, part: bytes) -> bytes:
        old, new = marks.get(name, (b"\0", ""))
        return part.replace(old, new.encode())

    content = altered(workbook_with_much(), linked)
    with zipfile.ZipFile(buffer := io.BytesIO(content), "a") as package:
        package.writestr("xl/externalLinks/e.xml", link)

    assert "Item: Last words | Price: 4" in lines(read_document("a.xlsx", buffer.getvalue()))


def test_formulas_that_nobody_calculated_are_noted() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Item", "Price"])
    sheet.append(["Pump", "='[1]Prices'!A1"])
    made = io.BytesIO()
    book.save(made)

    parsed = read_document("a.xlsx", made.getvalue())

    assert lines(parsed) == ["Sheet", "Item: Price", "Pump"]
    assert parsed.notes == [refusals.FORMULAS_WITHOUT_VALUE.format(count=1)]


# --- pages ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<p>H<sub>2</sub>O</p>", ["H2O"]),
        ("<p>See <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> here</p>", ["See 漢 (kan) here"]),
        (
            "<p>So <math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac></math> it is</p>",
            ["So (a+1)/2 it is"],
        ),
        (
            "<table><tr><th>A<th>B<tr><td>1<table><tr><td>k<td>v<tr><td>l<td>w</table><td>2</table>",
            ["A: 1 | B: 2", "k: l | v: w"],
        ),
        (
            "<table><tr><th>A<th>B<tr><td>(<a>702</a>) 9<td>Vegas<b>,</b> <i hidden>x</i>NV</table>",
            ["A: (702) 9 | B: Vegas, NV"],
        ),
        ("<article><header><h2>Part</h2>By Ann</header>Text</article>", ["Part", "By Ann", "Text"]),
        ("<main>Text<aside>Mind the step.</aside></main>", ["Text", "Mind the step."]),
        ("<main>Text<aside><a>One</a> <a>Two</a></aside></main>", ["Text"]),
        ("<p>Text</p><aside>Mind the gap.</aside>", ["Text"]),
        ("<blockquote>Be brief.<footer>Ann</footer></blockquote>", ["Be brief.", "Ann"]),
    ],
)
def test_a_page_says_what_people_see(html: str, said: list[str]) -> None:
    assert lines(read_document("a.html", f"<html><body>{html}</body></html>".encode())) == said


# --- OpenDocument --------------------------------------------------------------------------

OPEN = "".join(
    f' xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for short, name in (
        ("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"),
        ("style", "style"), ("svg", "svg-compatible"),
    )
)  # fmt: skip
MERGED = """<table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell>
<table:table-cell><text:p>B</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>n</text:p></table:table-cell>
<table:table-cell><text:p>x</text:p></table:table-cell></table:table-row><table:table-row>
<table:covered-table-cell/><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row>
</table:table>"""
FORMULA = '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>v</mi><mo>=</mo><mn>2</mn></mrow><annotation>v = 2</annotation></semantics></math>'
FIGURES = f"""<office:document-content{OPEN}><office:body><office:chart><table:table><table:table-row>
<table:table-cell><text:p>North</text:p></table:table-cell><table:table-cell><text:p>4</text:p>
</table:table-cell></table:table-row></table:table></office:chart></office:body></office:document-content>"""


def open_text(body: str, objects: Mapping[str, str] | None = None) -> ParsedDocument:
    hidden = (
        '<style:style style:name="H"><style:text-properties text:display="none"/></style:style>'
    )
    return read_document(
        "a.odt",
        packed(
            {
                "mimetype": "application/vnd.oasis.opendocument.text",
                "content.xml": f'<office:document-content xmlns:xlink="http://www.w3.org/1999/xlink"{OPEN}><office:automatic-styles>{hidden}</office:automatic-styles><office:body><office:text>{body}</office:text></office:body></office:document-content>',
                **{f"{name}/content.xml": part for name, part in (objects or {}).items()},
            }
        ),
    )


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('<text:p>seen<text:span text:style-name="H">unseen</text:span></text:p>', ["seen"]),
        (
            '<text:p>a</text:p><text:section text:display="none"><text:p>b</text:p></text:section>',
            ["a"],
        ),
        (
            "<text:p>漢<text:ruby><text:ruby-base>字</text:ruby-base><text:ruby-text>ji</text:ruby-text></text:ruby></text:p>",
            ["漢字 (ji)"],
        ),
        (
            "<text:p>a<draw:custom-shape><text:p>b</text:p></draw:custom-shape>c</text:p>",
            ["ac", "b"],
        ),
        (
            "<text:list><text:list-item><text:p>a</text:p><table:table><table:table-row><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table></text:list-item></text:list>",
            ["a", "b"],
        ),
        (
            MERGED,
            ["A: n | B: x", "A: n | B: y"],
        ),
    ],
)
def test_open_document_shows_visible_text(body: str, said: list[str]) -> None:
    """An open document says what people see."""
    assert lines(open_text(body)) == said


def test_open_document_objects_are_read() -> None:
    """Objects of an open document are read."""
    frames = "".join(
        f'<text:p>{name}<draw:frame><draw:object xlink:href="./{name}"/></draw:frame></text:p>'
        for name in ("One", "Two", "Three")
    )
    parsed = open_text(frames, {"One": FORMULA, "Two": FIGURES, "Three": "<x/>"})

    assert lines(parsed) == ["One", "v=2", "Two", "North: 4", "Three"]
    assert parsed.notes == [refusals.LEFT_OUT.format(what="an embedded object")]
