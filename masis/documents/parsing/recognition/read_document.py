"""From bytes to a document: recognise the format, read it, find its title and date."""

import datetime as dt
import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Final

from masis.documents.parsing import dates, document_limits, ocr, refusals
from masis.documents.parsing.cleaning import one_line
from masis.documents.parsing.document_blocks import BlockCollector
from masis.documents.parsing.recognition.dating import dated
from masis.documents.parsing.recognition.recognition import recognise
from masis.domain import Block, Format, ParsedDocument
from masis.errors import DocumentRefused
from masis.fields import bounded
from masis.values.tabular import PackedTable

_LONGEST_TITLE = 200
_TITLE_BLOCKS = 8
_SHAPE_BYTES: Final = 256 * 1024
"""What is said of a table takes at most, as it is kept."""
_FIELD_CHARS = 2_000
"""What of a field is looked at before it is cut to its length."""
_TITLED: Final = {"md", "html", "xlsx", "eml", "epub", "json"}
"""Their authors give a title on purpose, or their headings are no titles; in other formats the title
is often left over from a template."""
_AUTHORED: Final = {"eml", "epub", "json", "md", "msg"}
"""What they say about their date somebody wrote; in other formats a program noted it."""
_MEANINGLESS_TITLE = re.compile(
    r"(?:untitled.*|unknown title|(?:word )?document|presentation|powerpoint presentation|slide|sheet|book|workbook|new|microsoft"
    r"|title|home|index|page)\s*-?\s*\d*|.*\.(?:docx?|pptx?|xlsx?|indd|pdf|html?|qxd|md|tmp)|.*/.*",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Reading:
    """Collect what the reader of one format found.

    `title`, `date` and `fields` come from the metadata. `tables` are whole tables beside the text.
    """

    title: str = ""
    date: dt.date | None = None
    fields: list[tuple[str, str]] = field(default_factory=list)
    body: BlockCollector = field(default_factory=BlockCollector)
    tables: list[PackedTable] = field(default_factory=list)


def read_document(name: str, content: bytes) -> ParsedDocument:
    """Read a document whose format its content decides.

    Raises:
        DocumentRefused: it is of no known format, protected, damaged, empty or too big.
    """
    form, reading = read_content(name, content)
    blocks, title = reading.body.blocks, _title(name, form, reading)
    own = dates.metadata_date(reading.date)
    found = dated(blocks, title, name, own, is_authored=form in _AUTHORED)
    return ParsedDocument(
        format=form,
        title=title,
        date=found.date,
        date_source=found.source,
        blocks=blocks,
        notes=reading.body.notes,
        fields=bounded((key, one_line(value[:_FIELD_CHARS])) for key, value in reading.fields),
        tables=_bounded(reading.tables),
    )


def _bounded(tables: list[PackedTable]) -> list[PackedTable]:
    """Return the first tables, as many as a document may have."""
    kept, size = [], 0
    for table in tables:
        size += sum(map(len, table.cells)) + len(table.numbers) + _SHAPE_BYTES
        if size > document_limits.TABLES_BYTES:
            break
        kept.append(table)
    return kept


def read_content(name: str, content: bytes) -> tuple[Format, Reading]:
    """Read what a file holds, or a part of one; the errors are those of `read_document`."""
    form = recognise(name, content)
    # Each reader is imported when its first file comes: the child starts without any of them.
    module = importlib.import_module(f"masis.documents.parsing.formats.read_{form}")
    read: Callable[[str, bytes], Reading] = module.read
    reading = read(name, content)
    if not any(re.search(r"\w", block.text) for block in reading.body.blocks):
        raise DocumentRefused(refusals.DAMAGED if reading.body.damaged else _why_empty(form))
    return form, reading


def _why_empty(form: Format) -> str:
    if form == "pdf":
        return refusals.PDF_BLANK if ocr.available() else refusals.PDF_SCANNED
    return refusals.IMAGE_BLANK if form == "image" else refusals.NO_TEXT


def _title(name: str, form: Format, reading: Reading) -> str:
    """The first heading, else the title in the metadata, else the file's name in words."""
    heading = _first_heading(reading.body.blocks)
    if form == "txt" and reading.body.blocks[0].kind != "heading":
        heading = ""  # what looks like one further down is a section's
    stated = one_line(reading.title)[:_LONGEST_TITLE]
    if _MEANINGLESS_TITLE.fullmatch(stated):
        stated = ""
    preferred = (stated, heading) if form in _TITLED else (heading, stated)
    return next((text for text in preferred if text), _from_name(name))


def _first_heading(blocks: list[Block]) -> str:
    early = [block for block in blocks[:_TITLE_BLOCKS] if block.kind == "heading"]
    top = min((block.level for block in early), default=0)
    return next((block.text for block in early if block.level == top), "")


def _from_name(name: str) -> str:
    stem = one_line(PurePath(name).stem.replace("_", " ").replace("-", " "))
    return (stem[:1].upper() + stem[1:])[:_LONGEST_TITLE] or "Untitled"
