"""Reads rich text (RTF): paragraphs, headings, lists and tables."""

import codecs
import datetime as dt
import re
from dataclasses import dataclass, replace
from typing import Final

from masis.documents.parsing.cleaning import one_line
from masis.documents.parsing.dates import metadata_date
from masis.documents.parsing.document_blocks import BlockCollector
from masis.documents.parsing.recognition.read_document import Reading

_TOKEN: Final = re.compile(
    rb"\\'(?P<byte>[0-9a-fA-F]{2})|\\(?P<word>[a-zA-Z]{1,32})(?P<value>-?\d{1,10})? ?"
    rb"|\\(?P<symbol>[^a-zA-Z])|(?P<group>[{}])|[\r\n]+|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)
# What is in these is no text of the document.
_SKIPPED: Final = {
    b"colortbl", b"pict", b"object", b"header", b"headerl", b"headerr", b"headerf", b"footer",
    b"footerl", b"footerr", b"footerf", b"themedata", b"datastore", b"listtable", b"annotation",
    b"listoverridetable", b"rsidtbl", b"xmlnstbl", b"fldinst", b"bkmkstart", b"bkmkend", b"author",
    b"operator", b"company", b"generator", b"comment", b"keywords", b"subject", b"doccomm", b"nonshppict",
}  # fmt: skip
_CHARACTERS: Final = {
    b"tab": "\t", b"line": "\n", b"emdash": "—", b"endash": "–", b"lquote": "‘",
    b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”", b"bullet": "•", b"emspace": " ",
    b"enspace": " ", b"page": "\n", b"sect": "\n", b"softline": "\n",
}  # fmt: skip
_SYMBOLS: Final = {
    b"~": " ",
    b"_": "-",
    b"\\": "\\",
    b"{": "{",
    b"}": "}",
    b"\n": "\n",
    b"\r": "\n",
}
# The code pages of fonts by their character set.
_CODE_PAGES: Final = {
    128: "cp932", 129: "cp949", 134: "gbk", 136: "cp950", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250",
}  # fmt: skip
_HEADING: Final = re.compile(r"heading\s*(\d)", re.IGNORECASE)
_BODY_LEVEL: Final = 9
_DEEPEST: Final = 200
"""Groups nested deeper than any editor writes; what is in them is left out."""


@dataclass(frozen=True, slots=True)
class _State:
    """Keep what holds inside a group and ends with it. `place` is what kind of text it is."""

    place: str = "body"
    font: int = 0
    style: int = 0
    fallback: int = 1


def read(name: str, content: bytes) -> Reading:
    """Read rich text; headers and footers of its pages are left out."""
    del name
    reading = Reading()
    reader = _Reader(reading.body)
    reader.over(content)
    reading.title, reading.date = one_line(reader.title), reader.date
    return reading


class _Reader:
    """Goes through the tokens once, and keeps the paragraph and the row that are being written."""

    def __init__(self, body: BlockCollector) -> None:
        self._body = body
        self._state = _State()
        self._stack: list[_State] = []
        self._too_deep = 0
        self._starts_group = False
        self._ignorable = False
        self._left_out = 0
        self._bytes = bytearray()
        self._text: list[str] = []
        self._name: list[str] = []
        self._code_page = "cp1252"
        self._fonts: dict[int, str] = {}
        self._levels: dict[int, int] = {}
        self._level = 0
        self._listed = False
        self._in_table = False
        self._row: list[str] = []
        self._rows: list[list[str]] = []
        self._date_parts: dict[str, int] = {}
        self.title = ""
        self.date: dt.date | None = None

    def over(self, content: bytes) -> None:
        """Add the blocks of a document."""
        at = 0
        while match := _TOKEN.match(content, at):
            at = match.end()
            if match["byte"]:
                self._byte(int(match["byte"], 16))
                continue
            if match["text"] and self._left_out:
                self._plain(match["text"][self._left_out :])
                self._left_out = max(0, self._left_out - len(match["text"]))
            elif match["text"]:
                self._plain(match["text"])
            elif match["word"]:
                value = int(match["value"]) if match["value"] else None
                at += max(0, value or 0) if match["word"] == b"bin" else 0
                self._word(match["word"], value)
            elif match["symbol"]:
                self._symbol(match["symbol"])
            elif match["group"] == b"{":
                self._open()
            elif match["group"]:
                self._close()
        self._end_paragraph()
        self._end_table()

    # --- characters ---

    def _byte(self, value: int) -> None:
        if self._left_out:
            self._left_out -= 1
        else:
            self._bytes.append(value)
        self._starts_group = False

    def _plain(self, text: bytes) -> None:
        self._bytes += text
        self._starts_group = False

    def _say(self, text: str) -> None:
        if self._state.place == "body":
            self._text.append(text)
        elif self._state.place in {"title", "stylesheet"}:
            self._name.append(text)

    def _decode(self) -> None:
        """Put the bytes so far into text, in the code page of their font."""
        if self._bytes:
            page = self._fonts.get(self._state.font, self._code_page)
            text = bytes(self._bytes).decode(page, errors="replace")
            self._bytes.clear()
            self._say(text)

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self._ignorable = True
            return
        self._decode()
        if symbol in {b"\n", b"\r"}:
            self._end_paragraph()
        elif symbol in _SYMBOLS:
            self._say(_SYMBOLS[symbol])

    # --- groups ---

    def _open(self) -> None:
        self._decode()
        if len(self._stack) >= _DEEPEST:
            self._too_deep += 1
            return
        self._stack.append(self._state)
        self._starts_group, self._ignorable = True, False

    def _close(self) -> None:
        self._decode()
        if self._too_deep:
            self._too_deep -= 1
            return
        closed = self._state
        if self._stack:
            self._state = self._stack.pop()
        self._starts_group = self._ignorable = False
        name = "".join(self._name)
        if closed.place == "title" and self._state.place != "title":
            self.title = name
        elif closed.place == "stylesheet" and (heading := _HEADING.search(name)):
            self._levels[closed.style] = int(heading[1])
        elif closed.place == "date":
            self._end_date()
        if closed.place in {"title", "stylesheet"}:
            self._name.clear()

    def _end_date(self) -> None:
        parts = [self._date_parts.get(key, 0) for key in ("yr", "mo", "dy")]
        self._date_parts.clear()
        found = metadata_date(f"{parts[0]:04}-{parts[1]:02}-{parts[2]:02}")
        self.date = found or self.date

    # --- words ---

    def _word(self, word: bytes, value: int | None) -> None:
        self._decode()
        starts, self._starts_group = self._starts_group or self._ignorable, False
        if starts and self._destination(word):
            return
        if word in _CHARACTERS:
            self._say(_CHARACTERS[word])
        elif word == b"u" and value is not None:
            self._say(chr(value % 0x10000))
            self._left_out = self._state.fallback
        elif word == b"ansicpg" and value:
            self._code_page = _known(f"cp{value}")
        elif word == b"uc":
            self._state = replace(self._state, fallback=max(0, min(value or 0, 8)))
        elif word == b"f" and value is not None:
            self._state = replace(self._state, font=value)
        elif word == b"fcharset" and value in _CODE_PAGES:
            self._fonts[self._state.font] = _CODE_PAGES[value]
        elif self._state.place == "date":
            self._date_parts[word.decode()] = value or 0
        elif self._state.place in {"body", "stylesheet"}:
            self._paragraph_word(word, value)

    def _destination(self, word: bytes) -> bool:
        """Take a word that says what kind of text its group holds, and say whether it is one."""
        places = {b"fonttbl": "fonts", b"stylesheet": "stylesheet", b"title": "title"}
        if word in places:
            place = places[word]
        elif word in {b"revtim", b"creatim"} and self.date is None:
            place = "date"
        elif word in {b"listtext", b"pntext"}:
            self._listed = True
            place = "skipped"
        elif word in _SKIPPED or (self._ignorable and self._state.place == "body"):
            place = "skipped"
        else:
            return False
        self._ignorable = False
        self._state = replace(self._state, place=place)
        return True

    def _paragraph_word(self, word: bytes, value: int | None) -> None:
        if word == b"s":
            self._state = replace(self._state, style=value or 0)
            if self._state.place == "body":
                self._level = self._levels.get(value or 0, 0)
        elif self._state.place != "body":
            return
        elif word == b"par":
            self._end_paragraph()
        elif word == b"pard":
            self._level, self._listed, self._in_table = 0, False, False
        elif word == b"outlinelevel" and value is not None:
            self._level = value + 1 if value < _BODY_LEVEL else 0
        elif word == b"intbl":
            self._in_table = True
        elif word == b"cell":
            self._row.append("".join(self._text))
            self._text.clear()
        elif word == b"row":
            self._rows.append(self._row)
            self._row = []
            self._in_table = False

    # --- blocks ---

    def _end_paragraph(self) -> None:
        if self._in_table or self._row:  # a cell of several paragraphs
            self._text.append(" ")
            return
        text = "".join(self._text)
        self._text.clear()
        if not text.strip():
            return
        self._end_table()
        if self._level:
            self._body.heading(text, self._level)
        elif self._listed:
            self._body.item(text)
        else:
            self._body.paragraph(text)

    def _end_table(self) -> None:
        if self._row:
            self._rows.append(self._row)
        if self._rows:
            self._body.table(self._rows)
        self._rows, self._row = [], []


def _known(code_page: str) -> str:
    try:
        return codecs.lookup(code_page).name
    except LookupError:
        return "cp1252"
