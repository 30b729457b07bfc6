"""Clean a text before anything else sees it."""

import re
import unicodedata

from masis.text.characters import CONTROL, INVISIBLE, LINE_END

# What people do not see is a way to smuggle words to a model.
_UNSEEN = re.compile(rf"[{INVISIBLE}\ufffd]")
_SPACE = re.compile(r"\s+")


def visible(text: str) -> str:
    """The text without control and invisible characters, composed (NFC), with plain line ends."""
    text = LINE_END.sub("\n", text)
    return unicodedata.normalize("NFC", _UNSEEN.sub("", CONTROL.sub("", text)))


def one_line(text: str) -> str:
    """Visible text with each run of white space folded into one space."""
    return _SPACE.sub(" ", visible(text)).strip()


def code_lines(text: str) -> str:
    """Visible text with its line breaks and indentation, without trailing white space."""
    lines = visible(text).expandtabs(4).split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")
