"""Reads Outlook messages (MSG) as e-mails."""

import datetime as dt
import re
import struct
from collections.abc import Iterator
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Final

import olefile

from masis.documents.parsing.cleaning import one_line
from masis.documents.parsing.formats.read_eml import read_message
from masis.documents.parsing.formats.read_html import page_text
from masis.documents.parsing.recognition.containers import opened
from masis.documents.parsing.recognition.read_document import Reading

# Properties by their numbers (MS-OXPROPS) and types (MS-OXCDATA).
_SUBJECT, _BODY, _HTML = 0x0037, 0x1000, 0x1013
_SENDER, _SENDER_ADDRESS, _TO, _CC = 0x0C1A, 0x5D01, 0x0E04, 0x0E03
_SENT, _DELIVERED = 0x0039, 0x0E06
_FILE, _LONG_FILE, _DATA = 0x3704, 0x3707, 0x3701
_WIDE, _NARROW, _BINARY, _TIME = 0x001F, 0x001E, 0x0102, 0x0040
_PROPERTIES: Final = "__properties_version1.0"
_PROPERTY_BYTES: Final = 16
_HEADER_BYTES: Final = 32
_EPOCH: Final = dt.datetime(1601, 1, 1, tzinfo=dt.UTC)
_LATEST: Final = 10**18
"""A time stamp in steps of 100 ns, about the year 4770."""
_ATTACHMENT = re.compile(r"__attach_version1\.0_#[0-9A-F]{8}", re.IGNORECASE)


def read(name: str, content: bytes) -> Reading:
    """Read a message; it is made an e-mail of, and read as one."""
    del name
    with opened(content) as container:
        return read_message(_message(container))


def _message(container: olefile.OleFileIO) -> EmailMessage:
    message = EmailMessage()
    sender = f"{_text(container, _SENDER)} <{_text(container, _SENDER_ADDRESS)}>"
    for field, value in (
        ("Subject", _text(container, _SUBJECT)),
        ("From", sender.removesuffix(" <>")),
        ("To", _text(container, _TO)),
        ("Cc", _text(container, _CC)),
    ):
        if line := one_line(value):
            message[field] = line if field == "Subject" else line.replace("; ", ", ")
    if sent := _sent(container):
        message["Date"] = format_datetime(sent)
    plain, page = _text(container, _BODY), _page(container)
    message.set_content(plain if plain.strip() or not page else page)
    if page and not plain.strip():
        message.set_type("text/html")
    for name, data in _attachments(container):
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message


def _text(container: olefile.OleFileIO, number: int, folder: str = "") -> str:
    wide = _stream(container, f"{folder}__substg1.0_{number:04X}{_WIDE:04X}")
    if wide:
        return wide.decode("utf-16-le", errors="replace")
    narrow = _stream(container, f"{folder}__substg1.0_{number:04X}{_NARROW:04X}")
    return narrow.decode("cp1252", errors="replace")


def _page(container: olefile.OleFileIO) -> str:
    page = _stream(container, f"__substg1.0_{_HTML:04X}{_BINARY:04X}")
    return page_text(page) if page else ""


def _stream(container: olefile.OleFileIO, path: str) -> bytes:
    if not container.exists(path) or container.get_type(path) != olefile.STGTY_STREAM:
        return b""
    with container.openstream(path) as stream:
        return bytes(stream.read())


def _sent(container: olefile.OleFileIO) -> dt.datetime | None:
    """Return when the message was sent, or else when it came."""
    found: dict[int, int] = {}
    entries = _stream(container, _PROPERTIES)[_HEADER_BYTES:]
    for start in range(0, len(entries) - _PROPERTY_BYTES + 1, _PROPERTY_BYTES):
        tag, _flags, value = struct.unpack_from("<IIQ", entries, start)
        found[tag] = value
    for number in (_SENT, _DELIVERED):
        stamp = found.get(number << 16 | _TIME, 0)
        if 0 < stamp < _LATEST:
            return _EPOCH + dt.timedelta(microseconds=stamp // 10)
    return None


def _attachments(container: olefile.OleFileIO) -> Iterator[tuple[str, bytes]]:
    """Names and contents; what is no file, such as a message within, has no content."""
    folders = {entry[0] for entry in container.listdir() if _ATTACHMENT.fullmatch(entry[0])}
    for number, folder in enumerate(sorted(folders), start=1):
        prefix = f"{folder}/"
        name = _text(container, _LONG_FILE, prefix) or _text(container, _FILE, prefix)
        data = _stream(container, f"{prefix}__substg1.0_{_DATA:04X}{_BINARY:04X}")
        yield one_line(name) or f"attachment {number}", data
