"""Take from text what is alive or invisible: nothing of a model's, a document's or a person's acts.

What may come from anywhere stands in the runs of a `RichTextBlock`, which know neither Markdown
nor functions. A mention is live only with an entity, and none is ever made. So what is left is to
take out what nobody sees, and to take addresses apart, which a client might link by itself.
"""

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
_ADDRESS: Final = re.compile(r"\b([a-z][a-z0-9+.-]{0,30}):(//+)([^\s/?#]*)", re.IGNORECASE)
_BARE: Final = re.compile(
    r"\b(mailto|tel|sms|javascript|vbscript|data|msteams|callto):(?=\S)", re.IGNORECASE
)
_WWW: Final = re.compile(r"\bwww\.[^\s/?#]+", re.IGNORECASE)
_FUNCTION: Final = re.compile(r"\{(?=\{)|\$(?=\{)")
_INTERNAL: Final = re.compile(r"MASIS-SYSTEM-[\w-]{1,60}", re.IGNORECASE)
"""Marks for the inside of MASIS, such as in a system prompt: who repeats one repeats that."""
WITHHELD: Final = "(withheld)"


def visible(text: str) -> str:
    """The text without control and invisible characters, composed (NFC), with plain line ends."""
    text = unicodedata.normalize("NFC", _LINE_END.sub("\n", text))
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", _CONTROL.sub("", text)))


def one_line(text: str) -> str:
    """Visible text with each run of white space folded into one space: a name, a title."""
    return _SPACE.sub(" ", visible(text)).strip()


def inert(text: str) -> str:
    """Visible text without anything that a client might link or work out."""
    text = _INTERNAL.sub(WITHHELD, visible(text))
    text = _ADDRESS.sub(lambda found: f"{found[1]}[:]{found[2]}{_apart(found[3])}", text)
    text = _WWW.sub(lambda found: _apart(found[0]), _BARE.sub(r"\1[:]", text))
    return _FUNCTION.sub(lambda found: f"{found[0]} ", text)


def _apart(host: str) -> str:
    """A host's name that is none any more, and can be read: `intranet[.]example`."""
    return re.sub(r"(?<!\[)\.(?!\])", "[.]", host)


def label(text: str, most: int) -> str:
    """Return a button's or a chart's label: one inert line, cut visibly."""
    words = one_line(inert(text))
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
