"""Take from text what nobody sees: control and invisible characters, and odd line ends."""

import re
import unicodedata
from typing import Final

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
"""Zero-width, direction, filler and tag characters: invisible, and a way to smuggle words."""
_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
_LINE_END: Final = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SPACE: Final = re.compile(r"\s+")


def visible(text: str) -> str:
    """The text without control and invisible characters, composed (NFC), with plain line ends."""
    # Composing comes first too: some characters compose to a backtick or a semicolon.
    text = unicodedata.normalize("NFC", _LINE_END.sub("\n", text))
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", _CONTROL.sub("", text)))


def one_line(text: str) -> str:
    """Visible text with each run of white space folded into one space: a name, a title."""
    return _SPACE.sub(" ", visible(text)).strip()
