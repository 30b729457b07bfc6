"""Reads PDF files through PDFium: text in reading order with its pages."""

import datetime as dt
from collections.abc import Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from masis.documents.parsing import document_limits, refusals
from masis.documents.parsing.dates import metadata_date
from masis.documents.parsing.pdf.pages import page_lines
from masis.documents.parsing.pdf.paragraphs import add_pages, without_running_lines
from masis.documents.parsing.pdf.ruled_tables import Grid, page_grids, page_items
from masis.documents.parsing.pdf.scans import Scans
from masis.documents.parsing.placed_words import Line
from masis.documents.parsing.recognition.read_document import Reading
from masis.errors import DocumentRefused


def read(name: str, content: bytes) -> Reading:
    """Read a PDF; one that is encrypted with an empty password opens like any other."""
    del name
    document = _opened(content)
    try:
        if len(document) > document_limits.PAGES:
            raise DocumentRefused(refusals.TOO_MANY_PAGES)
        reading = Reading()
        fields = document.get_metadata_dict()
        reading.title = fields.get("Title", "")
        reading.fields = [(key, fields.get(key, "")) for key in ("Author", "Subject", "Keywords")]
        reading.date = _pdf_date(fields.get("ModDate", "")) or _pdf_date(
            fields.get("CreationDate", "")
        )
        scans = Scans()
        pages = list(_pages(document, scans))
        reading.body.notes += scans.notes()
        lines = without_running_lines([lines for lines, _ in pages])
        grids = [grids for _, grids in pages]
        add_pages(reading.body, list(map(page_items, lines, grids)))
    finally:
        document.close()
    return reading


def _opened(content: bytes) -> pdfium.PdfDocument:
    try:
        return pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        protected = pdfium_c.FPDF_GetLastError() == pdfium_c.FPDF_ERR_PASSWORD
        raise DocumentRefused(refusals.PDF_LOCKED if protected else refusals.DAMAGED) from error


def _pages(document: pdfium.PdfDocument, scans: Scans) -> Iterator[tuple[list[Line], list[Grid]]]:
    for index in range(len(document)):
        try:
            page = document[index]
        except pdfium.PdfiumError:  # one broken page does not cost the others
            continue
        try:
            lines = page_lines(page, index + 1)
            yield scans.lines(page, index + 1, lines), page_grids(page)
        finally:
            page.close()


def _pdf_date(stamp: str) -> dt.date | None:
    """The day of a stamp such as D:20240503120000Z."""
    digits = stamp.removeprefix("D:")[:8]
    if not digits.isdecimal() or len(digits) < len("20240503"):
        return None
    return metadata_date(f"{digits[:4]}-{digits[4:6]}-{digits[6:]}")
