"""Part what is compared into its two sides, as the question has them."""

import re
from typing import Final

_BORDERS: Final = (
    re.compile(r"\s(?:versus|vs\.?|compared (?:to|with)|against)\s"),
    re.compile(r"\s(?:and|with|to|or|from)\s"),
)
"""What stands between two sides, the plainest first."""
MOST_CHARS: Final = 80
"""Of a side."""


def sides(of: str) -> tuple[str, str] | None:
    """Return the two sides of what is compared; None where there are not two."""
    found = next((match for each in _BORDERS if (match := each.search(f" {of} "))), None)
    if found is None:
        return None
    one, other = of[: max(0, found.start() - 1)].strip(), of[found.end() - 1 :].strip()
    if not one or not other or max(len(one), len(other)) > MOST_CHARS:
        return None
    return one, other
