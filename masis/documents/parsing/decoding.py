"""PermitDecisions bytes into text, whatever ordinary encoding they are in."""

import re
from typing import Final

from masis.documents.parsing import refusals
from masis.errors import DocumentRefused
from masis.text.characters import C0

_MARKS: Final = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
)
_SAMPLE: Final = 64 * 1024
_SHORT_TEXT: Final = 40
_SAME_CHAOS: Final = 0.01
_JUNK = re.compile(rf"(?!\x1b)[{C0}\ufffd]")


def decoded(content: bytes) -> str:
    """The text of bytes in any ordinary encoding.

    Raises:
        DocumentRefused: they are no text, or in no encoding that can be told.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _strictly(content, encoding)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return _guessed(content)
    if "\x00" in text:
        return _guessed(content)
    return _without_junk(text)


def _strictly(content: bytes, encoding: str) -> str:
    try:
        return _without_junk(content.decode(encoding))
    except UnicodeDecodeError as error:
        raise DocumentRefused(refusals.ENCODING) from error


def _guessed(content: bytes) -> str:
    """Recognise an encoding without a mark: wide ones by their zero bytes, others by their language."""
    for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        sample = content[: _SAMPLE & ~1]
        zeros = sample[start::2].count(0)
        if (
            len(content) % 2 == 0
            and zeros > len(sample) // 5
            and not sample[1 - start :: 2].count(0)
        ):
            return _strictly(content, encoding)
    if b"\x00" in content:
        raise DocumentRefused(refusals.BINARY)
    from charset_normalizer import from_bytes  # slow to import, seldom needed

    # Only lines with such characters tell; among encodings that fit alike, Windows-1252 is by far
    # the most frequent.
    telling = b"\n".join(line for line in content[: _SAMPLE * 4].split(b"\n") if not line.isascii())
    fits = list(from_bytes(telling[:_SAMPLE])) if len(telling) > _SHORT_TEXT else []
    least = min((fit.chaos for fit in fits), default=0.0)
    likely = [fit for fit in fits if fit.chaos <= least + _SAME_CHAOS]
    best = max((fit.coherence for fit in likely), default=0.0)
    names = [fit.encoding for fit in likely if fit.coherence == best]
    encoding = names[0] if names and "cp1252" not in names else "cp1252"
    try:
        return _without_junk(content.decode(encoding))
    except UnicodeDecodeError as error:
        raise DocumentRefused(refusals.ENCODING) from error


def _without_junk(text: str) -> str:
    sample = text[:_SAMPLE]
    if len(_JUNK.findall(sample)) > len(sample) // 50:
        raise DocumentRefused(refusals.BINARY)
    return text
