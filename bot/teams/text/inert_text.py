"""Take from text what is alive or invisible: nothing of a model's, a document's or a person's acts.

What may come from anywhere stands in the runs of a `RichTextBlock`, which know neither Markdown
nor functions. A mention is live only with an entity, and none is ever made. So what is left is to
take out what nobody sees, and to take addresses apart, which a client might link by itself.
"""

import re
from typing import Final

from bot.chat.words.visible_text import one_line, visible

_ADDRESS: Final = re.compile(r"\b([a-z][a-z0-9+.-]{0,30}):(//+)([^\s/?#]*)", re.IGNORECASE)
_BARE: Final = re.compile(
    r"\b(mailto|tel|sms|javascript|vbscript|data|msteams|callto):(?=\S)", re.IGNORECASE
)
_WWW: Final = re.compile(r"\bwww\.[^\s/?#]+", re.IGNORECASE)
_FUNCTION: Final = re.compile(r"\{(?=\{)|\$(?=\{)")
_INTERNAL: Final = re.compile(r"MASIS-SYSTEM-[\w-]{1,60}", re.IGNORECASE)
"""Marks for the inside of MASIS, such as in a system prompt: who repeats one repeats that."""
WITHHELD: Final = "(withheld)"


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
