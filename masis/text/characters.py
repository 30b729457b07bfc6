"""Name the characters that are no part of a text, as ranges for the classes of patterns."""

import re
from typing import Final

C0: Final = r"\x00-\x08\x0e-\x1f"
"""Controls of ASCII but for those that part words and lines."""
CONTROLS: Final = rf"{C0}\x7f-\x84\x86-\x9f"
"""Those of Latin 1 as well, but for its end of a line."""
TERMINAL_CONTROLS: Final = rf"{C0}\x7f-\x9f"
"""What a terminal obeys, the end of a line of Latin 1 among it."""
HALVES: Final = r"\ud800-\udfff"
"""Halves of a character, which no encoding has."""
DIRECTIONS: Final = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"
"""What turns the direction of a line, so that a name is shown backwards."""
INVISIBLE: Final = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u3164\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff\U000e0000-\U000e0fff"
)
"""Zero-width, direction, filler and tag characters: invisible, and a way to smuggle words."""
SEPARATORS: Final = r"\u2028\u2029"
"""Ends of lines and of paragraphs by Unicode's own characters."""

LINE_END: Final = re.compile(rf"\r\n?|[\x0b\x0c\x85{SEPARATORS}]")
"""Every way to end a line but the plain one."""
CONTROL: Final = re.compile(f"[{CONTROLS}{HALVES}]")
"""What no text has."""
UNSTORABLE: Final = re.compile(rf"[\x00{HALVES}]")
"""What no database and no encoder takes."""
