"""Reads Markdown through markdown-it."""

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from masis.documents.parsing.cleaning import visible
from masis.documents.parsing.dates import metadata_date
from masis.documents.parsing.decoding import decoded
from masis.documents.parsing.document_blocks import BlockCollector
from masis.documents.parsing.recognition.read_document import Reading

_FRONT_MATTER = re.compile(
    r"\s*---[ \t]*\n(?P<fields>(?:.*\n){0,200}?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)
_FIELD = re.compile(r"^(?P<key>[A-Za-z_-]+):[ \t]*(?P<value>.+)$", re.MULTILINE)
_GOES_ON = re.compile(r"[>|][+-]?\s*")
"""The value stands on the lines below, which are not read."""
_DATE_FIELDS = ("last_updated", "updated", "last_modified", "modified", "effective", "date")
_KNOWN_OTHERWISE = {"title", "date"}
# What site generators leave between the lines of a page: `{: .class}`, `{% include x %}`.
_DIRECTIVE = re.compile(r"^[ \t]*(?:\{:[^}\n]*\}|\{%[^\n]*%\})[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,1000}>")
_LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_LABELLED = re.compile(r"\r(?=[A-Z][\w /-]{1,24}:(?:\s|\Z))")
_IMAGE_WORDS = 4
"""An image's text of fewer words is a label or a file name, and says nothing alone."""


def read(name: str, content: bytes) -> Reading:
    """Read Markdown; front matter gives title and date, and is dropped."""
    del name
    reading = Reading()
    text = visible(decoded(content))
    if matter := _FRONT_MATTER.match(text):
        text = text[matter.end() :]
        fields = {
            m["key"].lower(): m["value"].strip("\"' ")
            for m in _FIELD.finditer(matter["fields"])
            if not _GOES_ON.fullmatch(m["value"])
        }
        reading.title = fields.get("title", "")
        reading.fields = [pair for pair in fields.items() if pair[0] not in _KNOWN_OTHERWISE]
        dated = (metadata_date(fields[key]) for key in _DATE_FIELDS if key in fields)
        reading.date = next((date for date in dated if date), None)
    parser = MarkdownIt("commonmark", {"maxNesting": 30}).enable(["table", "strikethrough"])
    _Walk(reading.body).over(parser.parse(_DIRECTIVE.sub("", text)))
    return reading


def plain(token: Token) -> str:
    """An inline token's text: links keep their words, images a telling description.

    Lines that are shown as lines, and lines such as `Owner: Jane`, stay lines.
    """
    parts: list[str] = []
    for child in token.children or []:
        if child.type in {"text", "code_inline"}:
            parts.append(child.content)
        elif child.type in {"softbreak", "hardbreak"}:
            parts.append("\r" if child.type == "softbreak" else "\n")
        elif child.type == "image":
            described = len(child.content.split()) >= _IMAGE_WORDS
            parts.append(f"(Image: {child.content})" if described else "")
        elif child.type == "html_inline" and _LINE_BREAK.fullmatch(child.content):
            parts.append(" ")
    return _LABELLED.sub("\n", "".join(parts)).replace("\r", " ")


class _Walk:
    """Goes through the flat list of block tokens once and fills the body."""

    def __init__(self, body: BlockCollector) -> None:
        self._body = body
        self._depth = -1
        self._item_open = False
        self._heading = 0
        self._table: list[list[str]] | None = None

    def over(self, tokens: Sequence[Token]) -> None:
        """Add the blocks of these tokens."""
        for token in tokens:
            match token.type:
                case "heading_open":
                    self._heading = int(token.tag[1])
                case "bullet_list_open" | "ordered_list_open":
                    self._depth += 1
                case "bullet_list_close" | "ordered_list_close":
                    self._depth -= 1
                case "list_item_open":
                    self._item_open = True
                case "list_item_close":
                    self._item_open = False
                case "inline":
                    self._inline(plain(token))
                case "fence" | "code_block":
                    self._body.code(token.content)
                case "html_block":
                    self._html(token.content)
                case _:
                    self._table_token(token)

    def _inline(self, text: str) -> None:
        if self._table is not None:
            self._table[-1].append(text)
        elif self._heading:
            self._body.heading(text, self._heading)
            self._heading = 0
        elif self._item_open:
            self._body.item(text, max(self._depth, 0))
            self._item_open = False
        elif self._depth >= 0:
            self._body.continued(text)
        else:
            for line in text.split("\n"):
                self._body.paragraph(line)

    def _table_token(self, token: Token) -> None:
        if token.type == "table_open":
            self._table = []
        elif token.type == "tr_open" and self._table is not None:
            self._table.append([])
        elif token.type == "table_close" and self._table is not None:
            self._body.table(self._table, header_rows=1)
            self._table = None

    def _html(self, content: str) -> None:
        content = _COMMENT.sub("", content)
        if re.search(r"<(?:table|ul|ol|dl|h[1-6]|p|pre)\b", content, re.IGNORECASE):
            from masis.documents.parsing.formats.read_html import (
                add_fragment,  # lxml only where a page has HTML
            )

            add_fragment(self._body, content)
        else:
            self._body.paragraph(_TAG.sub(" ", content))
