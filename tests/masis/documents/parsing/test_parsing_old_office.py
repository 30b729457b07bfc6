import contextlib
import datetime as dt
import io
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import olefile
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.documents.parsing import refusals
from masis.documents.parsing.formats import read_msg
from masis.documents.parsing.formats.read_eml import read_message
from masis.documents.parsing.recognition.read_document import read_document
from masis.documents.parsing.sparing import DAMAGE
from masis.domain import ParsedDocument
from masis.errors import DocumentRefused
from tests.examples import examples

FILES = Path(__file__).parent / "files"
HANDBOOK = (FILES / "handbook.doc").read_bytes()
PRICES = (FILES / "prices.xls").read_bytes()


def shape(parsed: ParsedDocument) -> list[tuple[str, int, str]]:
    return [(block.kind, block.level, block.text) for block in parsed.blocks]


def refusal(content: bytes) -> str:
    with pytest.raises(DocumentRefused) as caught:
        read_document("a", content)
    return str(caught.value)


# --- Word and Excel of 1997 ----------------------------------------------------------------


def test_old_word_document_keeps_structure() -> None:
    """An old word document keeps its headings items and tables."""
    parsed = read_document("handbook.bin", HANDBOOK)
    assert (parsed.format, parsed.title) == ("doc", "Handbook")
    assert shape(parsed) == [
        ("heading", 1, "Handbook"),
        ("heading", 2, "Leave"),
        ("paragraph", 0, "You may carry over 240 hours – at most – to the next year, says Zoë."),
        ("list_item", 0, "first thing"),
        ("list_item", 0, "second thing"),
        ("table_row", 0, "Kind: Annual | Hours: 240 | Note: ask first"),
        ("table_row", 0, "Kind: Sick | Note: no limit second line"),
        ("heading", 2, "Travel"),
        ("paragraph", 0, "Book early and cheaply. Русский текст."),
    ]


def test_old_workbook_shows_displayed_values() -> None:
    """An old workbook shows its visible values as people see them."""
    parsed = read_document("prices.bin", PRICES)
    assert parsed.format == "xls"
    assert shape(parsed) == [
        ("heading", 1, "Prices"),
        ("table_row", 0, "Code: WH-060 | Price: 1,995.50 | Share: 7.5% | From: 2026-01-05"),
        ("table_row", 0, "Code: WH-200 | Price: 3,540.00 | Share: 10.0% | From: 2026-02-01"),
    ]
    assert parsed.blocks[1].place.label() == "sheet Prices · A2:D2"


def test_a_locked_old_document_says_so() -> None:
    at = HANDBOOK.index(struct.pack("<H", 0xA5EC)) + 10
    locked = bytearray(HANDBOOK)
    locked[at + 1] |= 1  # fEncrypted
    assert refusal(bytes(locked)) == refusals.OFFICE_LOCKED


@pytest.mark.parametrize("whole", [HANDBOOK, PRICES], ids=["doc", "xls"])
@settings(max_examples=examples(40), deadline=None)
@given(data=st.data())
def test_damaged_old_document_is_handled(whole: bytes, data: st.DataObject) -> None:
    """A damaged old document is read or refused."""
    content = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(DocumentRefused, *DAMAGE):
        assert read_document("a", bytes(content)).blocks


def test_properties_without_end_cost_themselves() -> None:
    """Read a document whose first property says that it is a list of four thousand million nothings."""
    streams = HANDBOOK.index(bytes.fromhex("e0859ff2f94f6810ab9108002b27b3d9"))
    section = HANDBOOK.rindex(struct.pack("<HH", 0xFFFE, 0), 0, streams)
    at = section + struct.unpack_from("<I", HANDBOOK, streams + 16)[0]
    first = at + struct.unpack_from("<I", HANDBOOK, at + 12)[0]
    endless = bytearray(HANDBOOK)
    struct.pack_into("<II", endless, first, 0x1000, 0xFFFFFFFF)  # a vector of VT_EMPTY

    assert read_document("a", bytes(endless)).blocks


# --- rich text -----------------------------------------------------------------------------


def rtf(body: str) -> ParsedDocument:
    return read_document("a.bin", (r"{\rtf1\ansi\ansicpg1252" + body + "}").encode("latin-1"))


def test_rich_text_keeps_structure() -> None:
    """Rich text keeps headings items and tables."""
    parsed = rtf(
        r"""{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial;}}{\colortbl;\red0;}
{\stylesheet{\s0 Normal;}{\s2\outlinelevel1 heading 2;}}
{\info{\title The rules}{\author Jane}{\revtim\yr2024\mo5\dy3\hr10}}
{\header Running header\par}
\pard\s2 Leave\par\pard\outlinelevel9 You may carry \b over\b0  240 hours \endash  says Zo\'eb.\par
\pard{\listtext\bullet\tab}first thing\par{\listtext\bullet\tab}second\line thing\par
\pard\trowd\cellx1\cellx2\intbl Kind\cell Hours\cell\row\trowd\intbl Annual\par leave\cell 240\cell\row
\pard {\*\unknown hidden}\uc1 \u1056?\u1091?\f1\'f1\f0 {\pict 00ff}{\field{\*\fldinst{HYPERLINK "x"}}{\fldrslt a link}}\par"""
    )
    assert (parsed.format, parsed.title, parsed.date) == ("rtf", "Leave", dt.date(2024, 5, 3))
    assert shape(parsed) == [
        ("heading", 2, "Leave"),
        ("paragraph", 0, "You may carry over 240 hours – says Zoë."),
        ("list_item", 0, "first thing"),
        ("list_item", 0, "second thing"),
        ("table_row", 0, "Kind: Annual leave | Hours: 240"),
        ("paragraph", 0, "\u0420\u0443\u0441a link"),
    ]


def test_broken_rich_text_is_partly_read() -> None:
    """Rich text that is nested without end or cut off is read as far as it goes."""
    assert shape(rtf("{" * 5000 + "deep" + "}" * 5000 + r"\par kept"))[-1][2].endswith("kept")
    assert shape(rtf(r"\pard cut off {\b here"))[0][2] == "cut off here"
    assert shape(rtf(r"a\bin4 \par b\par"))[0][2] == "a b"


@settings(max_examples=examples(100), deadline=None)
@given(st.text(alphabet="\\{}*'aufs09 -parcelow\n", max_size=120))
def test_any_rich_text_is_handled(body: str) -> None:
    """Any rich text is read or refused."""
    with contextlib.suppress(DocumentRefused, *DAMAGE):
        assert rtf(body).blocks


# --- Outlook -------------------------------------------------------------------------------


class Container:
    """Streams by their paths, as an OLE container gives them."""

    def __init__(self, streams: Mapping[str, bytes]) -> None:
        self._streams = streams

    def exists(self, path: str) -> bool:
        return path in self._streams

    def get_type(self, path: str) -> int:
        return int(olefile.STGTY_STREAM) if path in self._streams else 0

    def openstream(self, path: str) -> io.BytesIO:
        return io.BytesIO(self._streams[path])

    def listdir(self) -> list[list[str]]:
        return [path.split("/") for path in self._streams]


def outlook(**more: bytes) -> ParsedDocument:
    sent = dt.datetime(2024, 5, 3, 10, tzinfo=dt.UTC) - dt.datetime(1601, 1, 1, tzinfo=dt.UTC)
    stamp = int(sent.total_seconds()) * 10_000_000
    streams = {
        "__properties_version1.0": bytes(32) + struct.pack("<IIQ", 0x00390040, 6, stamp),
        "__substg1.0_0037001F": "Stock count".encode("utf-16-le"),
        "__substg1.0_0C1A001F": "Jane Doe".encode("utf-16-le"),
        "__substg1.0_5D01001F": "jane@example.org".encode("utf-16-le"),
        "__substg1.0_0E04001E": b"Bob; Eve",
        **more,
    }
    reading = read_message(read_msg._message(cast("olefile.OleFileIO", Container(streams))))
    return ParsedDocument(
        format="msg",
        title=reading.title,
        date=reading.date,
        blocks=reading.body.blocks,
        notes=reading.body.notes,
    )


def test_outlook_message_keeps_attachments() -> None:
    """An outlook message is read as an email with its attachments."""
    parsed = outlook(
        **{
            "__substg1.0_1000001F": "Count the pumps.\r\n".encode("utf-16-le"),
            "__attach_version1.0_#00000000/__substg1.0_3707001F": "rules.md".encode("utf-16-le"),
            "__attach_version1.0_#00000000/__substg1.0_37010102": b"# Rules\n\nAsk first.\n",
        }
    )
    assert (parsed.title, parsed.date) == ("Stock count", dt.date(2024, 5, 3))
    assert [text for _, _, text in shape(parsed)] == [
        "Stock count",
        "From: Jane Doe <jane@example.org>",
        "To: Bob, Eve",
        "Date: 2024-05-03 10:00+0000",
        "Count the pumps.",
        "Attachment: rules.md",
        "Rules",
        "Ask first.",
    ]


def test_outlook_message_falls_back_to_html() -> None:
    """An outlook message without plain text is read from its page."""
    parsed = outlook(**{"__substg1.0_10130102": b"<html><body><p>Said in HTML.</p></body></html>"})
    assert shape(parsed)[-1] == ("paragraph", 0, "Said in HTML.")
