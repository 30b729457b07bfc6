"""Clean a text before anything else sees it."""

import re
import unicodedata

# Zero-width, bidirectional and tag characters, soft hyphens and variation selectors of the
# supplement: invisible to people, and therefore a way to smuggle words to a model.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff]"
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
_SPACE = re.compile(r"\s+")
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")


def visible(text: str) -> str:
    """The text without control and invisible characters, composed (NFC), with plain line ends."""
    text = _LINE_END.sub("\n", text)
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", _CONTROL.sub("", text)))


def one_line(text: str) -> str:
    """Visible text with each run of white space folded into one space."""
    return _SPACE.sub(" ", visible(text)).strip()


def code_lines(text: str) -> str:
    """Visible text with its line breaks and indentation, without trailing white space."""
    lines = visible(text).expandtabs(4).split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")
