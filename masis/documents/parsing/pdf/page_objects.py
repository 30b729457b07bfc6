"""Goes through what a PDF page draws, by address: a wrapper for each letter would cost more than reading it."""

import ctypes
from collections.abc import Iterator
from typing import Final

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

_MOST: Final = 200_000
_DEEPEST: Final = 15
"""So many drawings within drawings are looked into."""

_NUMBERED = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)


def _numbered(function: object) -> "ctypes._CFunctionType":
    """A function of PDFium that gives what is drawn as a plain number."""
    return _NUMBERED(ctypes.cast(function, ctypes.c_void_p).value or 0)  # type: ignore[arg-type]


text_object = _numbered(pdfium_c.FPDFText_GetTextObject)
"""What draws a character, by the page's text and the character's number."""
_page_object = _numbered(pdfium_c.FPDFPage_GetObject)
_form_object = _numbered(pdfium_c.FPDFFormObj_GetObject)
_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(
    ctypes.cast(pdfium_c.FPDFPageObj_GetType, ctypes.c_void_p).value or 0
)


def page_objects(page: pdfium.PdfPage) -> Iterator[tuple[int, int]]:
    """The addresses and types of what a page draws, in the order of drawing."""
    for at in range(min(pdfium_c.FPDFPage_CountObjects(page.raw), _MOST)):
        yield from _within(_page_object(page.raw, at), 0)


def _within(address: int | None, depth: int) -> Iterator[tuple[int, int]]:
    if not address:
        return
    kind = _type(address)
    if kind != pdfium_c.FPDF_PAGEOBJ_FORM:
        yield address, kind
    elif depth < _DEEPEST:
        drawing = ctypes.cast(address, pdfium_c.FPDF_PAGEOBJECT)
        for at in range(min(pdfium_c.FPDFFormObj_CountObjects(drawing), _MOST)):
            yield from _within(_form_object(address, at), depth + 1)


def bounds(address: int) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of what is drawn; an empty box where PDFium knows none."""
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    pdfium_c.FPDFPageObj_GetBounds(
        ctypes.cast(address, pdfium_c.FPDF_PAGEOBJECT), left, bottom, right, top
    )
    return left.value, bottom.value, right.value, top.value
