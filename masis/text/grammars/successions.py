"""How it is said that things come one after the other."""

import re
from typing import Final

_IN_A_ROW: Final = re.compile(
    r"\bin a row\b(?! (?:of|with|where|that|which|for|from)\b)", re.IGNORECASE
)


def successive(text: str) -> list[str]:
    """Return the words that say of things that they come one after the other: that "row" is none of a table."""
    return _IN_A_ROW.findall(text)
