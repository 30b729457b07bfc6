"""Reads the text in pictures, where text recognition is installed."""

import io
import math
import warnings
from collections.abc import Iterator
from itertools import islice

import numpy as np
from PIL import Image, ImageOps, ImageSequence

from masis.documents.parsing import document_limits, ocr, refusals
from masis.documents.parsing.pdf.paragraphs import add_pages, without_running_lines
from masis.documents.parsing.pdf.ruled_tables import page_items
from masis.documents.parsing.recognition.read_document import Reading
from masis.domain import Place
from masis.errors import DocumentRefused

FORMATS = ("PNG", "JPEG", "TIFF", "WEBP")
_DPI = 150
"""What a screen or a photo of a page comes near to; only the proportions of lines matter."""


def read(name: str, content: bytes) -> Reading:
    """Read a picture; the pages of a TIFF are its frames.

    Raises:
        DocumentRefused: it is too large, or no text recognition is installed.
    """
    del name
    if not ocr.available():
        raise DocumentRefused(refusals.IMAGE)
    reading = Reading()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of large pictures; our limit is below
        with Image.open(io.BytesIO(content), formats=FORMATS) as image:
            pages = [
                ocr.recognised(np.asarray(frame)[:, :, ::-1], number, _DPI)
                for number, frame in enumerate(_frames(image), start=1)
            ]
            several = getattr(image, "n_frames", 1)
    if several > len(pages):
        reading.body.notes.append(refusals.PAGES_BEYOND.format(pages=f"{len(pages) + 1}–{several}"))
    add_pages(reading.body, [page_items(lines, []) for lines in without_running_lines(pages)])
    if len(pages) == 1:  # a picture has no pages
        reading.body.blocks = [
            block.model_copy(update={"place": Place()}) for block in reading.body.blocks
        ]
    if reading.body.blocks:
        reading.body.notes.insert(0, refusals.PICTURE_RECOGNISED)
    return reading


def _frames(image: Image.Image) -> Iterator[Image.Image]:
    """The picture's pages upright, on white, and no larger than helps."""
    # An animation is one picture to us.
    most = document_limits.RECOGNISED_PAGES if image.format == "TIFF" else 1
    for frame in islice(ImageSequence.Iterator(image), most):
        if frame.width * frame.height > document_limits.PICTURE_PIXELS:
            raise DocumentRefused(refusals.PICTURE_TOO_LARGE)
        upright = ImageOps.exif_transpose(frame)
        scale = min(1.0, math.sqrt(ocr.MOST_PIXELS / (upright.width * upright.height)))
        if scale < 1:
            upright = upright.resize((int(upright.width * scale), int(upright.height * scale)))
        transparent = upright.convert("RGBA")
        white = Image.new("RGBA", transparent.size, "white")
        yield Image.alpha_composite(white, transparent).convert("RGB")
