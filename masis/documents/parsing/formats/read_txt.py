"""Reads plain text: paragraphs are parted by empty lines, bulleted lines are items."""

import re
from collections.abc import Iterator, Sequence

from masis.documents.parsing.cleaning import visible
from masis.documents.parsing.decoding import decoded
from masis.documents.parsing.document_blocks import BlockCollector
from masis.documents.parsing.recognition.read_document import Reading

BULLET = re.compile(r"\s*(?:[-*+•▪◦‣–·●○■□➢✓]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+(?=\S)")
_UNDERLINE = re.compile(r"\s*([=~#*_-])\1{2,}\s*")
_NUMBERED = re.compile(r"(?:\d{1,2}\.)*\d{1,2}\.?\s+[A-Z][^.!?;:]{2,70}")
_CAPITALS = re.compile(r"(?:(?:\d{1,2}\.)*\d{1,2}\.?\s+)?[A-Z][A-Z0-9 ,&/'’()–-]{3,90}")
_LABELLED = re.compile(r"[A-Z][\w /-]{1,24}:\s")
_GAP = re.compile(r"\s{2,}")
_CELL = re.compile(r"\S+(?: \S+)*")
_INDENT = 2
_FEWEST_ROWS = 3
_ALIGNED_SHARE = 0.8


def read(name: str, content: bytes) -> Reading:
    """Read text in any ordinary encoding."""
    del name
    reading = Reading()
    add_text(reading.body, decoded(content))
    return reading


def add_text(body: BlockCollector, text: str) -> None:
    """Add plain text that may stand in another document."""
    for paragraph in _paragraphs(visible(text).expandtabs(4).split("\n")):
        _add(body, _headed(body, paragraph))


def _paragraphs(lines: Sequence[str]) -> Iterator[list[str]]:
    """Runs of lines without an empty one between them."""
    run: list[str] = []
    for line in lines:
        if line.strip():
            run.append(line.rstrip())
        elif run:
            yield run
            run = []
    if run:
        yield run


def _headed(body: BlockCollector, lines: list[str]) -> list[str]:
    """Add the headings that a run of lines begins with, and give back the rest."""
    if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1]):
        body.heading(lines[0], 1 if lines[1].strip()[0] == "=" or not body.blocks else 2)
        return _headed(body, lines[2:])
    capitals = 0
    while capitals < len(lines) and _is_capitals(lines[capitals]):
        capitals += 1
    if capitals:
        body.heading(" ".join(lines[:capitals]), 2 if body.blocks else 1)
        return lines[capitals:]
    if len(lines) == 1 and _NUMBERED.fullmatch(lines[0].strip()):
        body.heading(lines[0], 2)
        return []
    return lines


def _is_capitals(line: str) -> bool:
    return bool(_CAPITALS.fullmatch(line.strip())) and not _GAP.search(line.strip())


def _add(body: BlockCollector, lines: Sequence[str]) -> None:
    """Add a run of lines as a table, as items, or as running text."""
    rows = _aligned(lines)
    if rows:
        body.table(rows)
        return
    part: list[str] = []
    for line in lines:
        if _UNDERLINE.fullmatch(line):
            continue
        if part and (BULLET.match(line) or _LABELLED.match(line)):
            _flush(body, part)
            part = []
        part.append(line)
    if part:
        _flush(body, part)


def _flush(body: BlockCollector, part: Sequence[str]) -> None:
    text = " ".join(line.strip() for line in part)
    bullet = BULLET.match(part[0])
    if bullet:
        indent = len(part[0]) - len(part[0].lstrip())
        keep = re.match(r"\(?\d", bullet[0].strip())
        body.item(text if keep else BULLET.sub("", text, count=1), min(indent // _INDENT, 3))
    else:
        body.paragraph(text)


def _aligned(lines: Sequence[str]) -> list[list[str]]:
    """The cells of lines that are set in columns under the first of them; empty for other text."""
    starts = [cell.start() for cell in _CELL.finditer(lines[0])] if lines else []
    rows = [line for line in lines if not _UNDERLINE.fullmatch(line)]
    if len(rows) < _FEWEST_ROWS or len(starts) < 2 or starts[0] > 0:  # noqa: PLR2004 - two columns make a table
        return []
    fitting = sum(
        1
        for line in rows
        if all(line[start - 1 : start].isspace() or start >= len(line) for start in starts[1:])
    )
    several = sum(1 for line in rows if len(_CELL.findall(line)) > 1)
    if fitting < _ALIGNED_SHARE * len(rows) or several * 2 < len(rows):
        return []
    ends = [*starts[1:], None]
    table: list[list[str]] = []
    for line in rows:
        cells = [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]
        if table and not cells[0]:  # the row above goes on
            table[-1] = [
                f"{above} {cell}".strip() for above, cell in zip(table[-1], cells, strict=True)
            ]
        else:
            table.append(cells)
    return table
