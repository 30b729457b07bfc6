"""Takes words with their places out of PDF pages, through PDFium."""

import ctypes
import sys
from collections.abc import Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from masis.adapters.parsing.words import Line, Word

SPLIT: str = "\u00ad"
"""Stands in a word where a line broke it, until `pdf_text` knows whether a hyphen belongs there."""

# How PDFium marks a hyphen at a line's end: it drops the line's end, too.
_SPLIT_HYPHENS = {"\x02", "\ufffe"}
_BOLD = 600
_SMALLEST = 4.0
"""Points. Nobody reads smaller text: it is an anchor, or hidden from people."""
_LIGATURES = {"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}


def page_lines(page: pdfium.PdfPage, number: int) -> list[Line]:
    """The lines of a page in reading order; `number` counts from 1."""
    text_page = page.get_textpage()
    try:
        lines = [line for line in _lines(text_page, number) if line.words]
    finally:
        text_page.close()
    joined: list[Line] = []
    for line in lines:
        if line.size < _SMALLEST:
            continue
        if joined and _goes_on(joined[-1], line):
            joined[-1].words.extend(line.words)
        else:
            joined.append(line)
    return joined


def _goes_on(line: Line, following: Line) -> bool:
    """Whether PDFium parted one line: a raised mark, a change of font, the next cell of a row."""
    first, last = following.words[0], line.words[-1]
    overlap = min(last.top, first.top) - max(last.bottom, first.bottom)
    height = min(last.top - last.bottom, first.top - first.bottom)
    return overlap > 0.6 * height and first.left >= last.right - 1


def _lines(text_page: pdfium.PdfTextPage, number: int) -> Iterator[Line]:
    raw = text_page.raw
    line = Line(number, 0.0, bold=False)
    word: list[str] = []
    start = 0
    count = text_page.count_chars()
    for index in range(count + 1):
        code = pdfium_c.FPDFText_GetUnicode(raw, index) if index < count else ord("\n")
        char = chr(code) if 0 < code <= sys.maxunicode else ""
        if char in _SPLIT_HYPHENS:
            char = SPLIT if word else ""
        if char and not char.isspace():
            if not word:
                start = index
            word.append(_LIGATURES.get(char, char))
        elif char:
            if word:
                _close_word(raw, line, word, start, index - 1)
                word = []
            if char in "\r\n":
                yield line
                line = Line(number, 0.0, bold=False)


def _close_word(
    raw: pdfium_c.FPDF_TEXTPAGE, line: Line, word: list[str], first: int, last: int
) -> None:
    left, right, bottom, top = _box(raw, first)
    if not line.words:
        line.size = _size(raw, first, top - bottom)
        line.bold = pdfium_c.FPDFText_GetFontWeight(raw, first) >= _BOLD
    end = _box(raw, last) if last > first else (left, right, bottom, top)
    if SPLIT in word:  # it ends in the line below
        bottom = end[2]
    line.words.append(Word("".join(word), min(left, end[0]), max(right, end[1]), bottom, top))


def _size(raw: pdfium_c.FPDF_TEXTPAGE, index: int, height: float) -> float:
    """The font's size, or the box's height where a matrix scales a font of size 1."""
    size = pdfium_c.FPDFText_GetFontSize(raw, index)
    return float(round((size if size > 1.5 else height) * 2) / 2)  # noqa: PLR2004 - scaled fonts state 1


def _box(raw: pdfium_c.FPDF_TEXTPAGE, index: int) -> tuple[float, float, float, float]:
    """Left, right, bottom and top of a character with its line's height."""
    rect = pdfium_c.FS_RECTF()
    pdfium_c.FPDFText_GetLooseCharBox(raw, index, ctypes.byref(rect))
    return rect.left, rect.right, rect.bottom, rect.top
