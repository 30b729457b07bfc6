"""Name the newest and the oldest of several things, once for every grammar that reads them."""

from typing import Final

NEWEST: Final = "newest|latest|most recent"
"""An alternation, for a group of a pattern that ignores case."""
OLDEST: Final = "oldest|earliest"
"""An alternation of the other end."""
