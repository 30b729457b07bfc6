"""Reads plain text: paragraphs are parted by empty lines, bulleted lines are items."""

import re

from masis.adapters.parsing.blocks import BlockCollector
from masis.adapters.parsing.cleaning import visible
from masis.adapters.parsing.decoding import decoded
from masis.adapters.parsing.reading import Reading

BULLET = re.compile(r"\s*(?:[-*+•▪◦‣–·●○■□➢✓]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+(?=\S)")
_UNDERLINE = re.compile(r"\s*([=~#*_-])\1{2,}\s*")
_SECTION = re.compile(
    r"(?:\d{1,2}\.)*\d{1,2}\.?\s+[A-Z][^.!?;:]{2,70}|[A-Z][A-Z0-9 &/,'’()-]{4,70}"
)
_INDENT = 2


def read(name: str, content: bytes) -> Reading:
    """Read text in any ordinary encoding."""
    del name
    reading = Reading()
    lines = visible(decoded(content)).split("\n")
    paragraph: list[str] = []
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if not line.strip():
            _flush(paragraph, reading.body)
        elif _UNDERLINE.fullmatch(line) and len(paragraph) == 1:
            reading.body.heading(paragraph.pop(), 1 if line.strip()[0] == "=" else 2)
        elif _UNDERLINE.fullmatch(line):
            _flush(paragraph, reading.body)
        elif not paragraph and not following.strip() and _SECTION.fullmatch(line.strip()):
            reading.body.heading(line, 2)
        elif BULLET.match(line):
            _flush(paragraph, reading.body)
            paragraph.append(line)
        else:
            paragraph.append(line)
    _flush(paragraph, reading.body)
    return reading


def _flush(paragraph: list[str], body: BlockCollector) -> None:
    """Add the collected lines as an item when they begin with a bullet, else as a paragraph."""
    if not paragraph:
        return
    text = " ".join(line.strip() for line in paragraph)
    bullet = BULLET.match(paragraph[0])
    if bullet:
        indent = len(paragraph[0]) - len(paragraph[0].lstrip())
        keep = re.match(r"\(?\d", bullet[0].strip())
        body.item(text if keep else BULLET.sub("", text, count=1), min(indent // _INDENT, 3))
    else:
        body.paragraph(text)
    paragraph.clear()
