"""Reads scanned pages of PDF files, where text recognition is installed, and notes those it could not."""

import math
from itertools import groupby

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from masis.documents.parsing import document_limits, ocr, refusals
from masis.documents.parsing.placed_words import Line

_FEW_LETTERS = 40
"""A scanner's stamp or a page number beside the picture of a page."""
_PICTURE_SHARE = 0.3
"""A picture over less of a page that has text is an illustration."""
_LONE_PICTURE_SHARE = 0.02
"""A picture over less of a page without text is a logo or a stamp."""


class Scans:
    """The scanned pages of one document: recognised, skipped, or beyond the limit."""

    def __init__(self) -> None:
        self._recognised: list[int] = []
        self._unread: list[int] = []
        self._tried = 0

    def lines(self, page: pdfium.PdfPage, number: int, own: list[Line]) -> list[Line]:
        """The page's `own` lines, or those in its picture where it is a scan."""
        letters = sum(len(line.text) for line in own)
        share = _PICTURE_SHARE if letters else _LONE_PICTURE_SHARE
        if letters > _FEW_LETTERS or _pictured(page) < share:
            return own
        if not ocr.available() or self._tried == document_limits.RECOGNISED_PAGES:
            self._unread.append(number)
            return own
        self._tried += 1
        found = _recognised(page, number)
        if found:
            self._recognised.append(number)
        return found or own

    def notes(self) -> list[str]:
        """List what people should know about these pages."""
        found = []
        if self._recognised:
            found.append(refusals.PAGES_RECOGNISED.format(pages=_ranges(self._recognised)))
        if self._unread:
            text = refusals.PAGES_BEYOND if ocr.available() else refusals.PAGES_NOT_READ
            found.append(text.format(pages=_ranges(self._unread)))
        return found


def _pictured(page: pdfium.PdfPage) -> float:
    """Return how much of the page pictures cover. It is over 1 where they overlap."""
    width, height = page.get_size()
    covered = 0.0
    for image in page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE]):
        left, bottom, right, top = image.get_bounds()
        covered += max(0.0, right - left) * max(0.0, top - bottom)
    return covered / max(1.0, float(width * height))


def _recognised(page: pdfium.PdfPage, number: int) -> list[Line]:
    width, height = page.get_size()
    scale = min(ocr.DPI / 72, math.sqrt(ocr.MOST_PIXELS / max(1.0, width * height)))
    bitmap = page.render(scale=scale)
    try:
        return ocr.recognised(bitmap.to_numpy(), number, 72 * scale)
    finally:
        bitmap.close()


def _ranges(numbers: list[int]) -> str:
    """Rising numbers as people write them: `1–3, 7`."""
    runs = groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
    spans = [[number for _, number in run] for _, run in runs]
    return ", ".join(str(span[0]) if len(span) == 1 else f"{span[0]}–{span[-1]}" for span in spans)
