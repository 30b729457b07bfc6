"""Make any text safe for a terminal, which only shows it then."""

import re
from typing import Final

from masis.text.characters import DIRECTIONS, HALVES, LINE_END, TERMINAL_CONTROLS

# Terminal commands (C0, C1), text direction (a name could be shown backwards), half characters.
UNSAFE: Final = re.compile(f"[{TERMINAL_CONTROLS}{DIRECTIONS}{HALVES}]")


def safe(text: str) -> str:
    """Text that a terminal only shows: without control, direction and half characters."""
    return UNSAFE.sub("", LINE_END.sub("\n", text))


def line(text: str) -> str:
    """The same in one line."""
    return " ".join(safe(text).split())
