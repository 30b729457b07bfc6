"""Make any text safe for a terminal, which only shows it then."""

import re
from typing import Final

LINE_ENDS: Final = re.compile(r"\r\n?|[\u2028\u2029\x0b\x0c\x85]")
# Terminal commands (C0, C1), text direction (a name could be shown backwards), half characters.
UNSAFE: Final = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def safe(text: str) -> str:
    """Text that a terminal only shows: without control, direction and half characters."""
    return UNSAFE.sub("", LINE_ENDS.sub("\n", text))


def line(text: str) -> str:
    """The same in one line."""
    return " ".join(safe(text).split())
