"""Reads PowerPoint decks slide by slide: title, text, tables, speaker notes."""

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pptx

from masis.adapters.parsing.blocks import BlockCollector
from masis.adapters.parsing.cleaning import one_line
from masis.adapters.parsing.dates import saved_date
from masis.adapters.parsing.properties import core_fields, further_fields
from masis.adapters.parsing.reading import Reading
from masis.domain import Place

_WORD = re.compile(r"[^\W\d_]{2}")
# Date, footer and slide number (PP_PLACEHOLDER).
_FURNITURE = {13, 15, 16}
_MAX_GROUPS = 10
_LONG_ITEM = 240


def read(name: str, content: bytes) -> Reading:
    """Read a deck; hidden slides count too, since people present from them."""
    del name
    reading = Reading()
    deck = pptx.Presentation(io.BytesIO(content))
    properties = deck.core_properties
    reading.title = properties.title or ""
    reading.fields = core_fields(properties) + further_fields(content)
    reading.date = saved_date(properties.modified) or saved_date(properties.created)
    slides = list(deck.slides)
    furniture = _furniture(slides)
    for number, slide in enumerate(slides, start=1):
        _add_slide(reading.body, slide, Place(slide=number), furniture)
    return reading


def _furniture(slides: Iterable[Any]) -> set[str]:
    """Dates, footers and numbers of slides that say the same on several, or nothing but a number."""
    seen = Counter(
        one_line(shape.text_frame.text)
        for slide in slides
        for shape in slide.placeholders
        if _is_furniture(shape) and shape.has_text_frame
    )
    return {text for text, count in seen.items() if count > 1 or not _WORD.search(text)}


def _add_slide(body: BlockCollector, slide: Any, place: Place, furniture: set[str]) -> None:  # noqa: ANN401 - python-pptx has no types
    title = slide.shapes.title
    heading = one_line(title.text_frame.text) if title is not None else ""
    body.heading(heading or f"Slide {place.slide}", 1, place)
    for shape in _in_reading_order(slide.shapes):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if getattr(shape, "has_table", False) and shape.has_table:
            body.table([[cell.text for cell in row.cells] for row in shape.table.rows], None, place)
        elif getattr(shape, "has_chart", False) and shape.has_chart:
            _add_chart(body, shape.chart, place)
        elif shape.has_text_frame and not (
            _is_furniture(shape) and one_line(shape.text_frame.text) in furniture
        ):
            _add_text(body, shape.text_frame, place)
    if slide.has_notes_slide:
        frame = slide.notes_slide.notes_text_frame
        for paragraph in frame.paragraphs if frame is not None else ():
            body.paragraph(_text(paragraph), place)


def _in_reading_order(shapes: Iterable[Any], nesting: int = 0) -> Iterator[Any]:
    """Placeholders as they are listed, then others from top to bottom; groups are opened."""
    listed = list(shapes)
    placed = [shape for shape in listed if not shape.is_placeholder]
    placed.sort(key=lambda shape: ((shape.top or 0) // 200_000, shape.left or 0))
    for shape in [shape for shape in listed if shape.is_placeholder] + placed:
        if hasattr(shape, "shapes"):
            if nesting < _MAX_GROUPS:
                yield from _in_reading_order(shape.shapes, nesting + 1)
        else:
            yield shape


def _is_furniture(shape: Any) -> bool:  # noqa: ANN401 - python-pptx has no types
    return shape.is_placeholder and int(shape.placeholder_format.type or 0) in _FURNITURE


def _text(paragraph: Any) -> str:  # noqa: ANN401 - python-pptx has no types
    return str(paragraph.text).replace("\v", " ")


def _add_text(body: BlockCollector, frame: Any, place: Place) -> None:  # noqa: ANN401 - python-pptx has no types
    """Several short paragraphs are bullets; one alone, or a long one, is running text."""
    paragraphs = [(paragraph, _text(paragraph)) for paragraph in frame.paragraphs]
    filled = [(paragraph, text) for paragraph, text in paragraphs if text.strip()]
    for paragraph, text in filled:
        if len(filled) > 1 and len(text) < _LONG_ITEM and not text.rstrip().endswith(":"):
            body.item(text, paragraph.level, place)
        else:
            body.paragraph(text, place)


def _add_chart(body: BlockCollector, chart: Any, place: Place) -> None:  # noqa: ANN401 - python-pptx has no types
    """A chart's numbers as a table: categories down, series across."""
    if chart.has_title and chart.chart_title.has_text_frame:
        body.paragraph(chart.chart_title.text_frame.text, place)
    for plot in chart.plots:
        series = list(plot.series)
        categories = [str(category) for category in plot.categories]
        rows = [["", *[str(one.name) for one in series]]]
        for index, category in enumerate(categories):
            values = [one.values[index] if index < len(one.values) else None for one in series]
            rows.append([category, *["" if value is None else f"{value:g}" for value in values]])
        body.table(rows, 1, place)
