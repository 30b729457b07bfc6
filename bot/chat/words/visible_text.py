"""Take from text what nobody sees: control and invisible characters, and odd line ends."""

import re
import unicodedata
from typing import Final

from masis.text.characters import CONTROL, INVISIBLE, LINE_END

_UNSEEN: Final = re.compile(rf"[{INVISIBLE}\u180f\u2800\ufe00-\ufe0d\U0001d173-\U0001d17a]")
"""Blanks, variants of letters and marks of music as well, which no chat shows."""
_SPACE: Final = re.compile(r"\s+")


def visible(text: str) -> str:
    """The text without control and invisible characters, composed (NFC), with plain line ends."""
    # Composing comes first too: some characters compose to a backtick or a semicolon.
    text = unicodedata.normalize("NFC", LINE_END.sub("\n", text))
    return unicodedata.normalize("NFC", _UNSEEN.sub("", CONTROL.sub("", text)))


def one_line(text: str) -> str:
    """Visible text with each run of white space folded into one space: a name, a title."""
    return _SPACE.sub(" ", visible(text)).strip()
