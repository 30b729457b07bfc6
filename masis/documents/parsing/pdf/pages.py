"""Takes words with their places out of PDF pages, through PDFium."""

import ctypes
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from masis.documents.parsing.pdf.page_objects import text_object
from masis.documents.parsing.pdf.word_order import put_in_order
from masis.documents.parsing.placed_words import BACK, Line, Word, is_accent, is_right_to_left

SPLIT: str = "\u00ad"
"""Stands in a word where a line broke it, until `paragraphs` knows whether a hyphen belongs there."""

# How PDFium marks a hyphen at a line's end: it drops the line's end, too.
_SPLIT_HYPHENS = {"\x02", "\ufffe"}
_LEVEL = 0.9
"""Words of one line that cover each other overlap in height by this share at least."""
_BOLD = 600
_SMALLEST = 4.0
"""Points. Nobody reads smaller text: it is an anchor, or hidden from people."""
_LIGATURES = {"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}


_FIRST_RIGHT_TO_LEFT = "\u0590"
_ALEFS = "\u0622\u0623\u0625\u0627\u0671"
_LAM = "\u0644"


def page_lines(page: pdfium.PdfPage, number: int) -> list[Line]:
    """The lines of a page in reading order; `number` counts from 1."""
    text_page = page.get_textpage()
    try:
        lines = [part for line in _lines(text_page, number) for part in _by_height(line)]
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
    put_in_order(page, joined)
    return joined


def _by_height(line: Line) -> Iterator[Line]:
    """The line, or its parts where one stands wholly below what PDFium takes it to follow."""
    part: list[Word] = []
    for word in line.words:
        if part and word.top <= part[-1].bottom and SPLIT not in part[-1].text:
            yield replace(line, words=part)
            part = []
        part.append(word)
    if part:
        yield replace(line, words=part)


def _goes_on(line: Line, following: Line) -> bool:
    """Say whether PDFium parted one line.

    It does at a raised mark, a change of font, or the next cell of a row.
    """
    first, last = following.words[0], line.words[-1]
    overlap = min(last.top, first.top) - max(last.bottom, first.bottom)
    height = min(last.top - last.bottom, first.top - first.bottom)
    if overlap <= 0.6 * height:
        return False
    if first.left >= last.right - 1:
        return True
    # The next cell of a row may be drawn over the end of this one.
    level = overlap > _LEVEL * height
    covers = level and line.cells()[-1][0].left + line.size < first.left < last.right
    leftward = first.right <= last.left + 1 and first.right_to_left and last.right_to_left
    return leftward or (covers and first.starts_after(last))


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
    box = _box(raw, first)
    if not line.words:
        line.size = _size(raw, first, box[3] - box[2])
        line.bold = pdfium_c.FPDFText_GetFontWeight(raw, first) >= _BOLD
    drawn = text_object(raw, first) or 0, text_object(raw, last) or 0
    if last - first + 1 != len(word) or SPLIT in word:  # it ends in the line below
        line.words.append(_word(raw, word, (first, last), drawn))
        return
    if max(word) >= _FIRST_RIGHT_TO_LEFT and is_right_to_left("".join(word)):
        word = _with_ligatures(raw, word, first)
    if drawn[0] == drawn[1]:
        line.words.append(_word(raw, word, (first, last), drawn))
    else:
        line.words += _parted(raw, word, (first, last), line.size)


def _word(
    raw: pdfium_c.FPDF_TEXTPAGE, chars: Sequence[str], span: tuple[int, int], drawn: tuple[int, int]
) -> Word:
    """A word of the characters from and to which `span` goes."""
    left, right, bottom, top = _box(raw, span[0])
    end = _box(raw, span[1]) if span[1] > span[0] else (left, right, bottom, top)
    if SPLIT in chars:
        bottom = end[2]
    return Word("".join(chars), min(left, end[0]), max(right, end[1]), bottom, top, *drawn)


def _parted(
    raw: pdfium_c.FPDF_TEXTPAGE, chars: Sequence[str], span: tuple[int, int], size: float
) -> Iterator[Word]:
    """The words of characters without a space between them, of which some are drawn over others.

    Where one is drawn apart but goes on, as at a change of font, the word has a seam.
    """
    drawn = [text_object(raw, at) or 0 for at in range(span[0], span[1] + 1)]
    changes = [at for at in range(1, len(drawn)) if drawn[at] != drawn[at - 1]]
    if len(changes) * 2 >= len(drawn):  # each letter is drawn apart, which tells nothing
        yield _word(raw, chars, span, (drawn[0], drawn[-1]))
        return
    start = 0
    seams: list[tuple[int, float, int]] = []
    for at in [*changes, len(drawn)]:
        box = _box(raw, span[0] + at) if at < len(drawn) else None
        accent = at < len(drawn) and (is_accent(chars[at]) or is_accent(chars[at - 1]))
        if box and (accent or not _is_over(box, _box(raw, span[0] + at - 1), size)):
            seams.append((at - start, box[0], drawn[at]))
            continue
        part = span[0] + start, span[0] + at - 1
        word = _word(raw, chars[start:at], part, (drawn[start], drawn[at - 1]))
        word.seams = tuple(seams)
        yield word
        start, seams = at, []


def _is_over(box: Sequence[float], before: Sequence[float], size: float) -> bool:
    """Say whether a character is drawn over the one before it, and not left of it as in Hebrew.

    Or wholly above or below it.
    """
    if box[2] >= before[3] or box[3] <= before[2]:
        return True
    return before[0] < box[0] < before[1] - BACK * size or (
        box[1] - before[1] > 0 > box[0] - before[0]
    )


def _size(raw: pdfium_c.FPDF_TEXTPAGE, index: int, height: float) -> float:
    """The font's size, or the box's height where a matrix scales a font of size 1."""
    size = pdfium_c.FPDFText_GetFontSize(raw, index)
    return float(round((size if size > 1.5 else height) * 2) / 2)


def _box(raw: pdfium_c.FPDF_TEXTPAGE, index: int) -> tuple[float, float, float, float]:
    """Left, right, bottom and top of a character with its line's height."""
    rect = pdfium_c.FS_RECTF()
    pdfium_c.FPDFText_GetLooseCharBox(raw, index, ctypes.byref(rect))
    return rect.left, rect.right, rect.bottom, rect.top


# --- writing from right to left -----------------------------------------------------------------


def _with_ligatures(raw: pdfium_c.FPDF_TEXTPAGE, word: Sequence[str], first: int) -> list[str]:
    """The characters of a word, those of each ligature in their order.

    PDFium turns the characters of a line from right to left around one by one, and so those that
    one glyph stands for.
    """
    places = [_box(raw, first + at)[:2] for at in range(len(word))]
    glyphs: list[tuple[float, str]] = []
    for place, group in groupby(range(len(word)), key=places.__getitem__):
        chars = [word[at] for at in group]
        glyphs.append((place[0], "".join(reversed(chars) if _is_turned(chars) else chars)))
    if any(char.isascii() and char.isalnum() for char in word):
        glyphs = _mixed(glyphs)
    return [char for _, text in glyphs for char in text]


def _mixed(glyphs: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """The glyphs of a word of both directions: from the right, figures and Latin from the left.

    PDFium takes a hyphen between a letter and a figure to the figure's far end.
    """
    ordered = sorted(glyphs, key=lambda glyph: -glyph[0])
    rightward = [text.isascii() and text.isalnum() for _, text in ordered]
    inside = [
        right or (before and after)
        for before, right, after in zip(
            [False, *rightward], rightward, [*rightward[1:], False], strict=False
        )
    ]
    found: list[tuple[float, str]] = []
    for turned, group in groupby(zip(inside, ordered, strict=True), key=itemgetter(0)):
        side = [glyph for _, glyph in group]
        found += reversed(side) if turned else side
    return found


def _is_turned(chars: Sequence[str]) -> bool:
    """Say whether the characters of one glyph stand the wrong way round.

    Glyphs that are known as presentation forms are taken apart the right way round.
    """
    if len(chars) < 2 or not is_right_to_left("".join(chars)):
        return False
    if unicodedata.combining(chars[0]):
        return True
    if any(unicodedata.combining(char) for char in chars):
        return False
    return not (chars[0] == _LAM and chars[1] in _ALEFS)
