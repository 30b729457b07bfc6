import io
from collections.abc import Sequence

import pytest
from PIL import Image, ImageDraw, ImageFont

from masis.documents.parsing import document_limits, ocr, refusals
from masis.documents.parsing.pdf import scans
from masis.documents.parsing.placed_words import Word
from masis.documents.parsing.recognition.read_document import read_document
from masis.documents.parsing.sandbox.pool import ParserPool
from masis.domain import ParsedDocument
from masis.errors import DocumentRefused

needs_ocr = pytest.mark.skipif(not ocr.available(), reason="masis[ocr] is not installed")
TABLE = (("Plan", "Sold", "Price"), ("Bronze", "88", "$1,250"), ("Silver", "141", "$2,500"))
ROWS = [
    ("table_row", "Plan: Bronze | Sold: 88 | Price: $1,250"),
    ("table_row", "Plan: Silver | Sold: 141 | Price: $2,500"),
]


def drawn(rows: Sequence[Sequence[str]] = TABLE) -> Image.Image:
    image = Image.new("RGB", (820, 80 * len(rows) + 40), "white")
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(30)
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            pen.text((40 + 270 * column, 30 + 80 * row), cell, font=font, fill="black")
    return image


def saved(image: Image.Image, form: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, form, **options)
    return stream.getvalue()


def shape(parsed: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in parsed.blocks]


def refusal(name: str, content: bytes) -> str:
    with pytest.raises(DocumentRefused) as caught:
        read_document(name, content)
    return str(caught.value)


# --- with the extra ------------------------------------------------------------------------


@needs_ocr
def test_pictured_table_is_a_table() -> None:
    """A picture of a table is a table."""
    parsed = read_document("table.bin", saved(drawn(), "WEBP"))
    assert (parsed.format, parsed.notes) == ("image", [refusals.PICTURE_RECOGNISED])
    assert shape(parsed) == ROWS
    assert parsed.blocks[0].place.label() == ""


@needs_ocr
async def test_scanned_page_is_read_within_limits() -> None:
    """A scanned page is read in a child within its limits."""
    async with ParserPool() as pool:
        parsed = await pool.parse("scan.pdf", saved(drawn(), "PDF"))
        [child] = pool._idle
        assert (await pool.parse("a.txt", b"the next file")).format == "txt"
        assert pool._idle == [child]
    assert shape(parsed) == ROWS
    assert parsed.blocks[0].place.page == 1
    assert parsed.notes == [refusals.PAGES_RECOGNISED.format(pages="1")]


@needs_ocr
def test_pictures_without_text_say_so() -> None:
    blank = Image.new("RGB", (300, 200), "white")
    assert refusal("a.png", saved(blank, "PNG")) == refusals.IMAGE_BLANK
    assert refusal("a.pdf", saved(blank, "PDF")) == refusals.PDF_BLANK


@pytest.mark.long
@needs_ocr
def test_turned_or_transparent_picture_is_read() -> None:
    """A picture that is turned or transparent is read."""
    turned = Image.Exif()
    turned[0x0112] = 6  # shown after a quarter turn clockwise
    photo = drawn().transpose(Image.Transpose.ROTATE_90)
    assert shape(read_document("a.jpg", saved(photo, "JPEG", exif=turned, quality=90))) == ROWS
    clear = drawn().convert("RGBA")
    clear.putalpha(Image.eval(drawn().convert("L"), lambda value: 255 - value))
    assert shape(read_document("a.png", saved(clear, "PNG"))) == ROWS


@needs_ocr
def test_pages_beyond_the_limit_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_limits, "RECOGNISED_PAGES", 1)
    beyond = refusals.PAGES_BEYOND.format(pages="2–3")
    for form in ("PDF", "TIFF"):
        more = [drawn(), drawn()]
        parsed = read_document("a", saved(drawn(), form, save_all=True, append_images=more))
        assert shape(parsed) == ROWS
        assert beyond in parsed.notes


@needs_ocr
def test_picture_of_excess_pixels_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture of too many pixels is refused unopened."""
    monkeypatch.setattr(document_limits, "PICTURE_PIXELS", 1000)
    assert refusal("a.png", saved(drawn(), "PNG")) == refusals.PICTURE_TOO_LARGE


# --- without it ----------------------------------------------------------------------------


def test_missing_ocr_explains_installing_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without text recognition pictures and scans say how to get it."""
    monkeypatch.setattr(ocr, "available", lambda: False)
    assert refusal("a.png", saved(drawn(), "PNG")) == refusals.IMAGE
    assert refusal("a.pdf", saved(drawn(), "PDF")) == refusals.PDF_SCANNED
    assert "masis[ocr]" in refusals.IMAGE
    assert "masis[ocr]" in refusals.PDF_SCANNED


# --- what is made of recognised lines ------------------------------------------------------


def boxes(*rows: tuple[str, float, float, float]) -> list[Word]:
    """Boxes of text, left edge, width and top edge."""
    return [
        Word(text, left, left + width, bottom=top - 12, top=top) for text, left, width, top in rows
    ]


def read_lines(found: list[Word]) -> list[str]:
    return [line.text for line in ocr._lines(found, 1)]


def test_two_columns_follow_spanning_headings() -> None:
    """Two columns are read one after the other and headings over both before them."""
    left = [(f"left {n}", 50.0, 200.0, 700.0 - 20 * n) for n in range(6)]
    right = [(f"right {n}", 300.0, 200.0, 700.0 - 20 * n) for n in range(6)]
    mixed = [box for pair in zip(left, right, strict=True) for box in pair]
    found = read_lines(boxes(("over both", 50, 450, 740), *mixed))
    assert found == [
        "over both",
        *[f"left {n}" for n in range(6)],
        *[f"right {n}" for n in range(6)],
    ]


def test_adjacent_cells_are_one_line() -> None:
    """Cells side by side are one line."""
    cells = [(f"c{n}{m}", 50 + 200 * m, 60, 700 - 20 * n) for n in range(6) for m in (1, 0)]
    assert read_lines(boxes(*cells)) == [f"c{n}0 c{n}1" for n in range(6)]


def test_similar_box_heights_are_one_size() -> None:
    """Boxes of nearly one height are of one size of print."""
    found = [
        Word("usual", 0, 50, 0, 12),
        Word("higher", 0, 50, 20, 34),
        Word("usual too", 0, 50, 40, 52),
        Word("Heading", 0, 90, 70, 94),
    ]
    sizes = [line.size for line in ocr._lines(found, 1)]
    assert sizes == [18.0, *[sizes[1]] * 3]
    assert sizes[1] < 11


def test_nothing_found_is_no_line() -> None:
    assert read_lines([]) == []


def test_page_numbers_are_shortened() -> None:
    assert scans._ranges([1, 2, 3, 7, 9, 10]) == "1–3, 7, 9–10"
