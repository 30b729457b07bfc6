"""Reads e-mails: their headers, the text, and attachments of known formats as parts."""

import datetime as dt
import email
import email.policy
import re
from collections.abc import Iterator
from email.message import MIMEPart
from typing import Final

from masis.documents.parsing import document_limits, refusals
from masis.documents.parsing.cleaning import one_line
from masis.documents.parsing.dates import metadata_date
from masis.documents.parsing.decoding import decoded
from masis.documents.parsing.formats.read_html import add_fragment
from masis.documents.parsing.formats.read_txt import add_text
from masis.documents.parsing.recognition.read_document import Reading, read_content
from masis.documents.parsing.recognition.recognition import recognise
from masis.documents.parsing.sparing import DAMAGE
from masis.errors import DocumentRefused

Message = MIMEPart
"""A message, or a part of one."""

_ADDRESSES: Final = ("From", "To", "Cc")
_LONGEST_ADDRESSES: Final = 400
"""The addresses of a mailing beyond these are left out: they would fill the first chunk."""
_LONGEST_NAME: Final = 120
_QUOTED: Final = re.compile(r"^(?:>[ \t]?)+", re.MULTILINE)
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff")
_SHOWN: Final = ("text/plain", "text/html")
_MESSAGE: Final = "message/rfc822"


def read(name: str, content: bytes) -> Reading:
    """Read an e-mail; plain text is preferred to the page that says the same."""
    del name
    return read_message(_parsed(content))


def read_message(message: Message) -> Reading:
    """Read a message that is parsed already."""
    reading = Reading(title=_header(message, "Subject"), date=metadata_date(_sent(message)))
    reading.fields = [(field, _header(message, field)) for field in (*_ADDRESSES, "Subject")]
    _Mail(reading).add(message, 1)
    return reading


def _parsed(content: bytes) -> Message:
    if content.startswith(_WIDE):  # saved as text by a program on Windows
        content = decoded(content).encode()
    return email.message_from_bytes(content, policy=email.policy.default)


class _Mail:
    """Adds a message with all that is in it, and counts the attachments of all messages within."""

    def __init__(self, reading: Reading) -> None:
        self._notes = reading.body.notes
        self._body = reading.body
        self._attachments = 0

    def add(self, message: Message, level: int) -> None:
        """Add a message under its subject as a heading of `level`."""
        self._body.heading(_header(message, "Subject") or "E-mail", level)
        for line in _head(message):
            self._body.paragraph(line)
        for part in _parts(message):
            if _is_shown(part):
                self._text(part)
            else:
                self._attachment(part, level + 1)

    def _text(self, part: Message) -> None:
        text = _text(part)
        if part.get_content_type() == "text/html":
            add_fragment(self._body, text)
        else:
            add_text(self._body, _QUOTED.sub("", text))

    def _attachment(self, part: Message, level: int) -> None:
        name = one_line(part.get_filename("") or "")[:_LONGEST_NAME]
        is_message = part.get_content_type() == _MESSAGE
        if not name and not is_message:
            return  # a logo, a signature, or what a program says to a program
        self._attachments += 1
        if self._attachments > document_limits.ATTACHMENTS:
            if self._attachments == document_limits.ATTACHMENTS + 1:
                self._notes.append(refusals.TOO_MANY_ATTACHMENTS)
            return
        try:
            within = _opened(part, name, level)
        except DocumentRefused as refusal:
            self._not_read(name, str(refusal))
        except DAMAGE:
            self._not_read(name, refusals.DAMAGED)
        else:
            self._add(within, name, level)

    def _add(self, within: Message | Reading, name: str, level: int) -> None:
        # Out of reach of the caller's excepts: a limit that all parts pass together refuses the mail.
        if not isinstance(within, Reading):
            self.add(within, level)
            return
        self._body.heading(f"Attachment: {name}", level)
        self._body.extend(within.body, below=level)
        self._notes.extend(f"Attachment {name}: {note}" for note in within.body.notes)

    def _not_read(self, name: str, reason: str) -> None:
        self._body.paragraph(f"Attachment: {name or 'a message'}")
        self._notes.append(f"Attachment {name or 'a message'} was not read: {reason}")


# --- headers -------------------------------------------------------------------------------


def _head(message: Message) -> Iterator[str]:
    for field in _ADDRESSES:
        if addresses := _header(message, field):
            yield f"{field}: {_shortened(addresses)}"
    if sent := _sent(message):
        yield f"Date: {sent:%Y-%m-%d %H:%M}{sent:%z}"


def _header(message: Message, field: str) -> str:
    try:
        value = message[field]
    except DAMAGE:  # the standard library stumbles over some malformed headers
        value = next((raw for key, raw in message.raw_items() if key.lower() == field.lower()), "")
    return one_line(str(value or ""))


def _sent(message: Message) -> dt.datetime | None:
    try:
        stamp = message["Date"]
    except DAMAGE:
        return None
    return stamp.datetime if stamp is not None else None


def _shortened(addresses: str) -> str:
    if len(addresses) <= _LONGEST_ADDRESSES:
        return addresses
    return addresses[:_LONGEST_ADDRESSES].rpartition(",")[0] + " and others"


# --- parts ---------------------------------------------------------------------------------


def _parts(message: Message) -> Iterator[Message]:
    """The parts that count, in order: of alternatives one, and what is attached to the others."""
    if message.get_content_type() == _MESSAGE or not message.is_multipart():
        yield message
        return
    inner = [part for part in message.iter_parts() if isinstance(part, Message)]
    chosen = _chosen(inner) if message.get_content_type() == "multipart/alternative" else None
    for part in inner:
        for leaf in _parts(part):
            if chosen is None or part is chosen or not _is_shown(leaf):
                yield leaf


def _chosen(alternatives: list[Message]) -> Message | None:
    """The alternative that says something in plain text, else in HTML."""
    for kind in _SHOWN:
        for part in alternatives:
            leaves = [leaf for leaf in _parts(part) if _is_shown(leaf)]
            if any(leaf.get_content_type() == kind and _text(leaf).strip() for leaf in leaves):
                return part
    return None


def _is_shown(part: Message) -> bool:
    attached = part.get_content_disposition() == "attachment" or part.get_filename()
    return part.get_content_type() in _SHOWN and not attached


def _opened(part: Message, name: str, level: int) -> Message | Reading:
    """An attached message, or what an attached file says."""
    if part.get_content_type() == _MESSAGE:
        message: Message | None = next(iter(part.iter_parts()), None)
    elif recognise(name, content := _bytes(part)) == "eml":
        message = _parsed(content)
    else:
        return read_content(name, content)[1]
    if message is None:
        raise DocumentRefused(refusals.EMPTY)
    if level > document_limits.MAIL_NESTING:
        raise DocumentRefused(refusals.TOO_DEEP)
    return message


def _bytes(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _text(part: Message) -> str:
    payload = _bytes(part)
    try:
        return payload.decode(part.get_content_charset("utf-8"))
    except (LookupError, UnicodeDecodeError):
        pass  # a message often states an encoding that it is not in
    try:
        return decoded(payload)
    except DocumentRefused:  # no text at all
        return ""
